"""Animals that do not answer in time, each for its own reason."""

import os
import select
import signal
import sys
import threading
import time

from conversation import fair, run, say, turns


def sleeps() -> None:
    for _ in turns():
        time.sleep(3600)


def spins() -> None:
    for _ in turns():
        while True:
            pass


def spins_in_processes() -> None:
    for _ in turns():
        for _ in range(8):
            if os.fork() == 0:
                break
        while True:
            pass


def spins_in_short_lives() -> None:
    """The work is done by children that do not live long, so that nobody seems to have done it."""
    for _ in turns():
        while True:
            children = [os.fork() for _ in range(4)]
            if 0 in children:
                until = time.process_time() + 0.01
                while time.process_time() < until:
                    pass
                os._exit(0)
            for child in children:
                os.waitpid(child, 0)


def spins_in_forgotten_lives() -> None:
    """The same, and nobody keeps count of what the dead have used."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in turns():
        end = 0.0
        while True:
            if time.monotonic() >= end:
                end = time.monotonic() + 0.01
                for _ in range(8):
                    if os.fork() == 0:
                        until = time.process_time() + 0.002
                        while time.process_time() < until:
                            pass
                        os._exit(0)


def spins_in_few_forgotten_lives() -> None:
    """Few children, one after another, of whom nobody keeps count, while another one waits for the processor."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    def child(seconds: float, nice: int) -> None:
        if os.fork() == 0:
            os.nice(nice)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                pass
            os._exit(0)

    for _ in turns():
        begin, share = time.monotonic(), 0.1
        child(12 * share, 19)
        for number in range(1, 7):
            child(share, 0)
            time.sleep(max(0, begin + number * share - time.monotonic()))
        time.sleep(9)


def chats() -> None:
    """An info line now and then, and never a move."""
    for _ in turns():
        while True:
            say("info still thinking\n")
            select.select([], [], [], 0.02)


def half_a_line() -> None:
    for _ in turns():
        say("1")


def drips() -> None:
    """One more digit now and then, and never the end of the line."""
    for _ in turns():
        while True:
            say("1")
            select.select([], [], [], 0.02)


def does_not_flush() -> None:
    out = os.fdopen(1, "w", buffering=65536, closefd=False)
    for legal in turns():
        out.write(legal[0] + "\n")


def waits_for_more() -> None:
    """Takes `go` for the beginning of something longer."""
    for _ in turns():
        sys.stdin.readline()


def never_reads() -> None:
    say("ready\n")
    signal.pause()


def never_ready() -> None:
    sys.stdin.readline()
    signal.pause()


def reads_slowly() -> None:
    """A few bytes at a time, but in time."""
    rest = b""
    while piece := os.read(0, 500):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(b"game"):
                say("ready\n")
            elif line.startswith(b"go"):
                say("1\n")


def stops_itself() -> None:
    fair(before_first=lambda: os.kill(os.getpid(), signal.SIGSTOP))


def closes_input() -> None:
    for _ in turns():
        os.close(0)
        signal.pause()


def answers_late() -> None:
    for legal in turns():
        time.sleep(0.6)
        say(legal[0] + "\n")


def spins_off_turn() -> None:
    """Three processes that never rest, and quick answers."""
    for _ in range(3):
        if os.fork() == 0:
            while True:
                pass
    threading.Thread(target=_spin, daemon=True).start()
    fair()


def sleeps_then_spins() -> None:
    """Nearly all of its time it sleeps; at the end it looks like one that waits for a processor."""
    for _ in turns():
        time.sleep(0.2)
        _spin()


def wanders() -> None:
    """A child that never rests, on whatever core it likes, and quick answers."""
    if os.fork() == 0:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        _spin()
    fair()


def rests() -> None:
    """A well-behaved bot that does nothing at all while it is not its turn."""
    fair()


def _spin() -> None:
    while True:
        pass


def dawdles() -> None:
    """A well-behaved bot that computes for 60 ms of its own processor time a move."""
    for legal in turns():
        until = time.process_time() + 0.06
        while time.process_time() < until:
            pass
        say(legal[0] + "\n")


def computes_a_little() -> None:
    """100 ms of work a move: easily done, if the machine lets it run."""
    for legal in turns():
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        say(legal[0] + "\n")


SPECIES = {
    "sleeps": sleeps,
    "spins": spins,
    "spins-in-processes": spins_in_processes,
    "spins-in-short-lives": spins_in_short_lives,
    "spins-in-forgotten-lives": spins_in_forgotten_lives,
    "spins-in-few-forgotten-lives": spins_in_few_forgotten_lives,
    "chats": chats,
    "half-a-line": half_a_line,
    "drips": drips,
    "does-not-flush": does_not_flush,
    "waits-for-more": waits_for_more,
    "never-reads": never_reads,
    "never-ready": never_ready,
    "reads-slowly": reads_slowly,
    "stops-itself": stops_itself,
    "closes-input": closes_input,
    "answers-late": answers_late,
    "spins-off-turn": spins_off_turn,
    "sleeps-then-spins": sleeps_then_spins,
    "wanders": wanders,
    "rests": rests,
    "dawdles": dawdles,
    "computes-a-little": computes_a_little,
}

if __name__ == "__main__":
    run(SPECIES)
