"""Animals that say the wrong thing, or the right thing in a strange way."""

import os

from conversation import run, say, turns

FIXED = {
    "plus": "+4\n",
    "decimal": "4.0\n",
    "underscore": "1_0\n",
    "other-script": "\u0664\n",
    "leading-zero": "04\n",
    "hexadecimal": "0x4\n",
    "exponent": "4e0\n",
    "minus": "-4\n",
    "minus-zero": "-0\n",
    "long-number": "1" * 100_000 + "\n",
    "nothing": "\n",
    "trailing-space": "1 \n",
    "leading-space": " 1\n",
    "two-moves": "1 1\n",
    "nul": "1\0\n",
    "byte-order-mark": "\ufeff1\n",
    "words": "I resign\n",
    "unknown-word": "debug 12\n1\n",
    "illegal": "5\n",
    "no-move-of-this-size": "1000000\n",
    "twice": "1\n1\n",
    "crlf": "1\r\n",
    "info": "info depth 1\n1\n",
    "bare-info": "info\ninfo \r\n1\n",
    "twice-with-info": "1\ninfo I am done\n",
}


def fixed(text: str) -> None:
    for _ in turns():
        say(text)


def garbage() -> None:
    """Every byte there is, with a newline among them."""
    for _ in turns():
        os.write(1, bytes(range(256)))


def bytes_above() -> None:
    """A line that is no UTF-8."""
    for _ in turns():
        os.write(1, b"\xff\xfe\x80\n")


def too_early() -> None:
    """A move together with `ready`, before it was asked for."""
    for _ in turns(on_ready="ready\n1\n"):
        say("1\n")


def not_ready() -> None:
    """Anything but `ready`."""
    for _ in turns(on_ready="READY!\n"):
        pass


def talkative_start() -> None:
    """Other lines, and then `ready`."""
    for legal in turns(on_ready="info loading\nhello\nready\r\n"):
        say(legal[0] + "\n")


def then_right() -> None:
    """Wrong twice, in two ways, and then right, at each of its turns."""
    for number, legal in enumerate(turns()):
        say(["5\n", "five\n", legal[0] + "\n"][number % 3])


def begun_before() -> None:
    """The first half of each answer, a bare digit, comes together with the last answer."""
    for number, _ in enumerate(turns()):
        say("1\n1" if number == 0 else "\n1")


def in_pieces() -> None:
    """One byte at a time."""
    for _ in turns():
        for character in "info in pieces\n1\n":
            say(character)


SPECIES = {name: (lambda text=text: fixed(text)) for name, text in FIXED.items()}  # type: ignore[misc]
SPECIES |= {
    "garbage": garbage,
    "bytes-above": bytes_above,
    "too-early": too_early,
    "not-ready": not_ready,
    "talkative-start": talkative_start,
    "then-right": then_right,
    "begun-before": begun_before,
    "in-pieces": in_pieces,
}

if __name__ == "__main__":
    run(SPECIES)
