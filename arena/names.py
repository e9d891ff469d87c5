"""Names: what a bot or a run may be called, and how a name becomes part of a match's id.

Owns the rules for names. Three kinds of them:

- a bot's name as it is submitted (`check_bot_name`) and a run's name (`check_run_name`) become names of
  folders: few characters, the same on every file system;
- a bot's name in a tournament file (`check_display_name`) is only shown: any text that prints, written in one way
  (no invisible characters, single spaces, composed accents, no word of Latin and Cyrillic letters mixed). Two
  names in different scripts may still look alike (`cop` and its Cyrillic twin): their ids tell them apart.

`quote` writes any name in characters that are safe in file names, without a dot, so that a match's id
`GAME.A.B.ROUNDa` comes apart at its dots in one way only.

Raises UsageError, one line, for a name that does not fit.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from arena.errors import UsageError

MAX_NAME_CHARS = 40
MAX_QUOTED_CHARS = 100
"""Two names, a game and a round fit into the 255 bytes of a file name."""

_STRICT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,39}", re.ASCII)
RUN_NAME_PATTERN = f"^{_STRICT.pattern}$"
"""What `check_run_name` takes, for other programs."""
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that print nothing although their category is that of letters, marks or symbols."""


def check_bot_name(name: str) -> None:
    """Refuse what cannot be the name of a submitted bot: its folder is named so."""
    _check_strict(name, "bot")


def check_run_name(name: str) -> None:
    """Refuse what cannot be the name of a run: its folder is named so."""
    _check_strict(name, "run")


def _check_strict(name: str, what: str) -> None:
    if not _STRICT.fullmatch(name):
        raise UsageError(
            f"{_shown(name)} cannot be a {what}'s name: use 1 to {MAX_NAME_CHARS} of the ASCII letters, "
            "digits, '-', '_' and '.', and begin with none of '.' and '-'"
        )


def check_display_name(name: str) -> None:
    """Refuse what cannot be the name of a bot in a tournament: it must print, and as what it is."""
    mistake = display_mistake(name)
    if mistake:
        raise UsageError(f"{_shown(name)} cannot be a bot's name: {mistake}")


def display_mistake(name: str) -> str | None:
    """What is wrong with a bot's name in a tournament, and what would be right; None if nothing is."""
    if not 1 <= len(name) <= MAX_NAME_CHARS:
        return f"it has {len(name)} characters, and 1 to {MAX_NAME_CHARS} are allowed"
    if name != name.strip():
        return f"it begins or ends with a space: {name.strip()!r} would do"
    if "  " in name:
        return f"it has two spaces in a row: {' '.join(name.split())!r} would do"
    for char in name:
        if not char.isprintable() or char in _INVISIBLE or _is_selector(char):
            return f"the character U+{ord(char):04X} in it cannot be seen: leave it out"
    composed = unicodedata.normalize("NFC", name)
    if composed != name:
        return f"its accents are written apart from their letters: write it composed (NFC), {composed!r}"
    if any(_is_mixed(word) for word in _WORD.findall(name)):
        return "it mixes Latin and Cyrillic letters in a word, which look alike: use one of them"
    return None


def _is_mixed(word: str) -> bool:
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in word}
    return {"LATIN", "CYRILLIC"} <= scripts


def _is_selector(char: str) -> bool:
    """Variation selectors: two names that differ only by these look the same."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def quote(name: str) -> str:
    """The name in ASCII letters, digits, `_`, `-`, and `%XX` for every other byte of its UTF-8.

    Different names stay different. What would be longer than MAX_QUOTED_CHARS is cut, and ends with `~` and
    a hash of the whole name.
    """
    data = name.encode("utf-8", "surrogatepass")
    quoted = "".join([chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data])
    if len(quoted) <= MAX_QUOTED_CHARS:
        return quoted
    mark = "~" + blake2b(data, digest_size=8).hexdigest()
    return quoted[: MAX_QUOTED_CHARS - len(mark)] + mark


def _shown(name: str) -> str:
    """The name as it can be printed in one line, whatever is in it."""
    text = ascii(name) if not name.isprintable() else repr(name)
    return text if len(text) <= 60 else text[:57] + "...'"
