"""The exceptions of the harness, each with the exit status that the command line gives it.

    ArenaError                     something the user can mend; its text is one clear line   (2)
    ├── UsageError                 the call or its input was wrong                           (2)
    │   ├── UnknownGame            no game of that id is installed
    │   ├── UnknownBot             nothing by that name or path can be played
    │   └── ConfigError            a tournament file with mistakes
    ├── AnswerIsNo                 it worked, and the answer is no                           (1)
    │   └── TooLarge               a position beyond what can be solved exactly
    └── HarnessFailure             this machine or program failed, not a bot                 (3)

A bot's fault is never an exception: it is data in the match's record.
"""


class ArenaError(Exception):
    """Base of all that the command line reports as one line, without a traceback."""

    exit_status = 2


class UsageError(ArenaError):
    """The call or its input was wrong."""


class UnknownGame(UsageError):
    """No game of that id is installed."""


class UnknownBot(UsageError):
    """Nothing by that name or path can be played."""


class ConfigError(UsageError):
    """A tournament file with mistakes: all of them, each with its place."""


class AnswerIsNo(ArenaError):
    """What was asked was done, and the answer is no."""

    exit_status = 1


class TooLarge(AnswerIsNo):
    """A position with more positions below it than the solver may visit."""


class HarnessFailure(ArenaError):
    """The machine or the harness failed, not a bot and not the user."""

    exit_status = 3
