"""The examination that every game must pass: one line in the author's own test.

    def test_my_game():
        check_game(MyGame())

or, without a test file, `python -m games.conformance MODULE:CLASS`. It looks at what the game says of itself and plays
it at random (`games.examination`), and so holds it to everything that `games.interface` promises. `check_game` raises
`ConformanceError`, an AssertionError whose text says what is wrong, where, and what would be right; nothing here
depends on the assert statement, so that `python -O` examines just as strictly.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from games.examination import Examination
from games.interface import ID, Game, GameOptions, OptionError
from games.texts import ConformanceError, fail, show

__all__ = ["ConformanceError", "check_game"]


def check_game(
    game: Game[Any, Any], *, playouts: int = 20, seed: int = 0, options: Mapping[str, Any] | None = None
) -> None:
    """Examine a game by `playouts` random games from `seed`, with its default options or those given."""
    name = type(game).__name__
    ears: Any = _Ears()
    try:
        with redirect_stdout(ears):
            _check_names(game)
            _check_options(game)
            Examination(game, game.options(options), seed).run(playouts)
    except ConformanceError as error:
        raise ConformanceError(f"{name}: {error}") from error.__cause__
    except (Exception, SystemExit) as error:  # the game is anyone's code: whatever it raises is a sentence
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{last.filename}, line {last.lineno}"
        what = f"{last.name} raised {type(error).__name__}: {error} ({place})"
        raise ConformanceError(f"{name}: {what}") from error


class _Ears:
    """Stands where stdout was: whoever writes there is told that a game does not print."""

    def write(self, text: str) -> int:
        caller = traceback.extract_stack()[-2]
        place = f"{caller.filename}, line {caller.lineno}"
        fail(f"{caller.name} prints {show(text)} ({place}): a game does no input or output")

    def flush(self) -> None:
        """Nothing is ever kept."""


# --- what a game says of itself ----------------------------------------------------------------


def _check_names(game: Game[Any, Any]) -> None:
    if not isinstance(game, Game):
        fail("it must be an instance of a subclass of games.interface.Game")
    for name in ("id", "title", "summary", "rules"):
        text = getattr(game, name, None)
        if not isinstance(text, str) or not text.strip():
            fail(f"the class attribute {name} must be a text that is not empty, not {show(text)}")
        if name != "rules" and "\n" in text:
            fail(f"the class attribute {name} must be one line")
    if not ID.fullmatch(game.id):
        fail(f"id {game.id!r} must be lower-case letters, digits and single hyphens, such as 'tic-tac-toe'")
    if not isinstance(game.draws, bool):
        fail(f"draws must be True or False, not {show(game.draws)}")


def _check_options(game: Game[Any, Any]) -> None:
    kind = getattr(game, "options_type", None)
    if not (isinstance(kind, type) and issubclass(kind, GameOptions)):
        fail(f"options_type must be a subclass of games.interface.GameOptions, not {show(kind)}")
    for name, field in kind.model_fields.items():
        if field.is_required():
            fail(f"option {name} has no default: give it one, so that the game can be played without options")
        if not field.description:
            fail(f"option {name} has no description: add Field(..., description='...') for `arena rules`")
    defaults = game.options()
    for name, value in defaults.model_dump().items():
        _check_option(game, name, value)
    try:
        game.options({"no_such_option": "1"})
    except OptionError:
        return
    fail("an unknown option is accepted: options_type must keep GameOptions' extra='forbid'")


def _check_option(game: Game[Any, Any], name: str, value: object) -> None:
    if not re.fullmatch(r"\S+", str(value)):
        fail(f"the default {show(value)} of option {name} must be one word: the protocol writes {name}=VALUE")
    for given in (value, str(value)):  # a program gives a number, a person types a text
        try:
            read = getattr(game.options({name: given}), name)
        except OptionError as error:
            fail(f"the default {show(given)} of option {name} is itself refused: {error}")
        if read != value:
            fail(f"option {name} given as {show(given)} becomes {show(read)} instead of {show(value)}")


def _main(args: list[str]) -> int:
    """`python -m games.conformance MODULE:CLASS`: 0 if it conforms, 1 if not, 2 if there is none."""
    try:
        module, _, name = args[0].partition(":")
        game = getattr(import_module(module), name)()
    except IndexError:
        print("usage: python -m games.conformance MODULE:CLASS", file=sys.stderr)  # noqa: T201 - the command's own
        return 2
    except (Exception, SystemExit) as error:  # whatever a stranger's module raises is told in one line
        print(f"cannot load {args[0]!r} as MODULE:CLASS: {error}", file=sys.stderr)  # noqa: T201 - as above
        return 2
    try:
        check_game(game)
    except ConformanceError as error:
        print(error, file=sys.stderr)  # noqa: T201 - as above
        return 1
    print(f"{game.id} conforms")  # noqa: T201 - as above
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
