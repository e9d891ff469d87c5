"""Texts, examined: what a game must refuse to read as a move, and what it may write.

Owns `ConformanceError`, and how a finding shows a value. Raises it for a text that breaks a promise of
`games.interface`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

from games.interface import Game, MalformedMove

MAX_TOKEN_CHARS = 64

BAD_TEXTS = (
    *("", " ", "\n", "\t", "\0", "-", "--", "--4", "+4", "4.0", "4.", "1_0", " 4", "4 ", "4\n", "4\r", "4 5"),
    *("4,5", "٤", "४", "４", "²", "04", "007", "00", "-0", "-04", "+0", "0x4", "0b1", "1e3", "½", "−4"),
    *("inf", "nan", "NaN", "None", "True", "[4]", "4;", "'4'", "\ufeff4", "4\u200b", "\ud800", "{}", "%s"),
)
PROBES = ("0", "1", "2", "3", "4", "5", "7", "9", "10", "100", "1000000007", "-1", "-2", "-9", "a", "pass")
LONG_TEXTS = ("9" * 100_000, "-" + "9" * 100_000, "0" * 100_000, "x" * 100_000, " " * 100_000)


class ConformanceError(AssertionError):
    """A game breaks a promise of the interface; the text tells its author which, where, and what is right."""


def fail(message: str) -> NoReturn:
    """End the examination: a promise is broken."""
    raise ConformanceError(message)


def show(value: object) -> str:
    """A value within a message, shortened."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def check_text(what: str, text: object) -> None:
    """Whatever else it is, it is a text."""
    if not isinstance(text, str):
        fail(f"{what} must give a text, not {show(text)}")


def check_view(what: str, text: object) -> None:
    """A view fits into the protocol's line `state`."""
    check_text(what, text)
    if not re.fullmatch(r"[A-Za-z_]\w*=\S*( [A-Za-z_]\w*=\S*)*", str(text)):
        fail(f"{what} must give one line of KEY=VALUE words with single spaces between, not {show(text)}")


def check_malformed(game: Game[Any, Any], texts: Iterable[str]) -> list[Any]:
    """Every text is refused with MalformedMove, or is exactly how its move is written; gives those moves."""
    moves = []
    for text in texts:
        try:
            move = game.read_move(text)
        except MalformedMove as error:
            if len(str(error)) > 1_000:
                fail(f"read_move({show(text)}) repeats the whole text in its message: shorten it")
            continue
        except ConformanceError:
            raise
        except Exception as error:
            fail(f"read_move({show(text)}) must raise MalformedMove, not {type(error).__name__}: {error}")
        if len(text) > MAX_TOKEN_CHARS:
            fail(f"read_move must refuse a text of {len(text)} characters ({show(text)}) with MalformedMove")
        if game.write_move(move) != text:
            fail(
                f"read_move({text!r}) gives {show(move)}, which is written {game.write_move(move)!r}: "
                "a move has exactly one text, all others raise MalformedMove"
            )
        moves.append(move)
    return moves


def near_misses(text: str) -> list[str]:
    """Texts that a careless reader takes for this one."""
    other_digits = text.translate({ord("0") + digit: ord("٠") + digit for digit in range(10)})
    variants = (
        f"+{text}",
        f" {text}",
        f"{text} ",
        f"{text}\n",
        f"{text}\0",
        f"0{text}",
        f"{text}.0",
        f"{text}_0",
    )
    return [near for near in (*variants, other_digits, f"{text} {text}") if near != text]


def neighbours(game: Game[Any, Any], move: Any) -> list[Any]:
    """Well-formed moves that may or may not be legal where this one is: known for numbers only."""
    if not isinstance(move, int) or isinstance(move, bool):
        return []
    found = []
    for near in (move - 1, move + 1, -move, 2 * move):
        with suppress(MalformedMove):  # a number that is no move of this game never reaches `refusal`
            found.append(game.read_move(str(near)))
    return found
