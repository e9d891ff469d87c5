"""Text of anybody's, made fit for a terminal: nothing in it moves the cursor, hides, or breaks a line. Pure.

Whatever does not print (control and invisible characters, line ends, turns of the direction of writing) is shown as an
escape such as `\\x1b`. `printable` is for sentences, `visible` for names: those keep what sets two names apart.
"""

from __future__ import annotations

TAB = 4


def printable(text: str) -> str:
    """The text as one line that prints as it stands."""
    return text if text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """The text of several lines, each as `printable` shows it."""
    return "\n".join(map(printable, text.split("\n")))


def visible_lines(text: str) -> list[str]:
    """The lines that a program has printed, indented as they were."""
    return [printable(line) for line in text.rstrip().expandtabs(TAB).splitlines()]


def visible(text: str) -> str:
    """A name, or another text of a table: different texts look different, by their spaces too."""
    shown = printable(text.replace("\\", "\\\\"))
    stripped = shown.strip(" ")  # tabulate would strip spaces, and two names would look the same
    lead, trail = len(shown) - len(shown.lstrip(" ")), len(shown) - len(shown.rstrip(" "))
    return "\\x20" * lead + stripped + "\\x20" * trail if stripped else "\\x20" * len(shown) or "''"


def hex_escape(char: str) -> str:
    """A character as its number, written as in Python."""
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _shown(char: str) -> str:
    return char if char.isprintable() else hex_escape(char)
