"""Animals that take too much: memory, processes, output, files."""

import mmap
import os
import resource
import signal
import sys
import threading

from conversation import fair, run, say, turns

MB = 1 << 20
PAGE = b"x" * MB
MOST = 600
"""Where an eater stops by itself, in MB, so that a harness that does nothing does not lose the machine."""
MOST_PROCESSES = 3000


def eats() -> None:
    for _ in turns():
        eaten = [bytearray(PAGE) for _ in range(MOST)]
        signal.pause()
        del eaten


def eats_in_a_child() -> None:
    for _ in turns():
        if os.fork() == 0:
            eaten = [bytearray(PAGE) for _ in range(MOST)]
            signal.pause()
            del eaten
        signal.pause()


def eats_in_many_children() -> None:
    """Each a little, together too much."""
    for _ in turns():
        for _ in range(10):
            if os.fork() == 0:
                eaten = bytearray(PAGE) * 20
                signal.pause()
                del eaten
        signal.pause()


def _eats_mapped(flags: int) -> None:
    for _ in turns():
        held = mmap.mmap(-1, MOST * MB, flags=flags)
        for number in range(MOST):
            held[number * MB : (number + 1) * MB] = PAGE
        signal.pause()


def eats_in_memory_files() -> None:
    """Files that are on no disk, and mapped by nobody."""
    for _ in turns():
        for number in range(MOST // 50):
            file = os.memfd_create(str(number))
            for _ in range(50):
                os.write(file, PAGE)
        signal.pause()


def eats_off_turn() -> None:
    """Answers quickly, and eats when it is not its turn."""
    eaten = []
    for number, legal in enumerate(turns()):
        say(legal[0] + "\n")
        if number == 0:
            eaten += [bytearray(PAGE) for _ in range(MOST)]


def eats_before_ready() -> None:
    eaten = [bytearray(PAGE) for _ in range(MOST)]
    signal.pause()
    del eaten


def asks_for_too_much() -> None:
    """More than there can be: its own runtime tells it no."""
    for _ in turns():
        bytearray(1 << 36)


def forks() -> None:
    for _ in turns():
        for _ in range(MOST_PROCESSES):
            if os.fork() == 0:
                signal.pause()
        signal.pause()


def forks_in_forks() -> None:
    for _ in turns():
        for _ in range(10):
            os.fork()
        signal.pause()


def one_long_line() -> None:
    for _ in turns():
        for _ in range(100):
            os.write(1, PAGE)
        say("\n")


def many_lines() -> None:
    for _ in turns():
        while True:
            os.write(1, b"info and on and on\n" * 100)


def floods_before_ready() -> None:
    while True:
        os.write(1, b"hello\n" * 100)


def floods_stderr() -> None:
    for _ in turns():
        while True:
            os.write(2, b"debug: " + PAGE)


def much_on_stderr() -> None:
    """Much for its author at each move, and a good move."""
    for legal in turns():
        os.write(2, b"debug: " + PAGE + b"\n")
        say(legal[0] + "\n")


def takes_all_descriptors() -> None:
    def take() -> None:
        try:
            while True:
                os.dup(0)
        except OSError:
            pass

    fair(before_first=take)


def too_large_a_file() -> None:
    def fill() -> None:
        with open("big", "wb") as file:
            for _ in range(MOST):
                file.write(PAGE)

    fair(before_first=fill)


def dumps_core() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for _ in turns():
        os.abort()


def deep_folders() -> None:
    """Folders below folders, deeper than a path may be long, and one that nobody may open."""

    def dig() -> None:
        os.makedirs("closed/inside")
        os.chmod("closed", 0)
        here = os.getcwd()
        for _ in range(600):
            os.mkdir("abcdefgh")
            os.chdir("abcdefgh")
        os.chdir(here)

    fair(before_first=dig)


def starts_threads() -> None:
    """More threads than anybody needs, all asleep: whoever looks at them has to look at each."""

    def start() -> None:
        threading.stack_size(64 * 1024)
        for _ in range(600):
            threading.Thread(target=signal.pause, daemon=True).start()
        signal.pause()

    fair(before_first=start)


SPECIES = {
    "eats": eats,
    "eats-in-a-child": eats_in_a_child,
    "eats-in-many-children": eats_in_many_children,
    "eats-shared": lambda: _eats_mapped(mmap.MAP_SHARED),
    "eats-private": lambda: _eats_mapped(mmap.MAP_PRIVATE),
    "eats-in-memory-files": eats_in_memory_files,
    "eats-off-turn": eats_off_turn,
    "eats-before-ready": eats_before_ready,
    "asks-for-too-much": asks_for_too_much,
    "forks": forks,
    "forks-in-forks": forks_in_forks,
    "starts-threads": starts_threads,
    "one-long-line": one_long_line,
    "many-lines": many_lines,
    "floods-before-ready": floods_before_ready,
    "floods-stderr": floods_stderr,
    "much-on-stderr": much_on_stderr,
    "takes-all-descriptors": takes_all_descriptors,
    "too-large-a-file": too_large_a_file,
    "dumps-core": dumps_core,
    "deep-folders": deep_folders,
}

if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    run(SPECIES)
