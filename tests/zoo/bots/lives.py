"""Animals that end too soon, or too late, or leave somebody behind."""

import contextlib
import os
import signal
import sys
import time

from conversation import fair, run, say, turns


def dies_at_start() -> None:
    sys.exit("no configuration found")


def dies_before_ready() -> None:
    sys.stdin.readline()
    os._exit(7)


def leaves_quietly() -> None:
    for _ in turns():
        sys.exit(0)


def raises() -> None:
    for legal in turns():
        int("none of " + legal[0])


def _killed_by(number: int) -> None:
    for _ in turns():
        os.kill(os.getpid(), number)
        signal.pause()


def leaves_after_answer() -> None:
    for legal in turns():
        say(legal[-1] + "\n")
        os._exit(0)


def leaves_after_game() -> None:
    """Well-behaved, but a process for each game."""
    for line in iter(sys.stdin.readline, ""):
        if line.startswith("game"):
            say("ready\n")
        elif line.startswith("go"):
            say("1\n")
        elif line.startswith("over"):
            return


def half_a_line_and_leaves() -> None:
    for _ in turns():
        say("1")
        os._exit(5)


def closes_output() -> None:
    for _ in turns():
        os.close(1)
        os.close(2)
        signal.pause()


def ends_slowly() -> None:
    """Closes its output and has much to clear up before it ends, as large programs have that fail."""
    for _ in turns():
        os.close(1)
        while time.process_time() < 0.2:
            pass
        sys.stderr.write("no more ideas\n")
        sys.stderr.flush()
        os._exit(3)


def closes_everything() -> None:
    for _ in turns():
        os.closerange(0, 100)
        signal.pause()


def says_hello() -> None:
    say("hello\n")
    sys.exit(0)


def child_holds_output() -> None:
    """The parent leaves; a child keeps the pipe open and says nothing."""
    for _ in turns():
        if os.fork():
            os._exit(0)
        signal.pause()


def daemon_answers() -> None:
    """From its first turn on, a daemon goes on in the name of the parent, who has left."""
    for number, legal in enumerate(turns()):
        if number == 0:
            if os.fork():
                os._exit(0)
            os.setsid()
            if os.fork():
                os._exit(0)
        say(legal[0] + "\n")


def leaves_a_daemon() -> None:
    """Plays well, with a process far away in a session of its own that outlives it."""
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        while True:
            signal.pause()
    fair()


def stays() -> None:
    """Plays well, and does not care for `quit`, for the end of its input, or for any signal."""
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
            signal.signal(number, signal.SIG_IGN)
    fair()
    while True:
        signal.pause()


def kills_its_parent() -> None:
    fair(before_first=lambda: os.kill(os.getppid(), signal.SIGKILL))


def stops_its_parent() -> None:
    fair(before_first=lambda: os.kill(os.getppid(), signal.SIGSTOP))


def kills_everything() -> None:
    """Only where it has a process table of its own: there its number is small."""
    if os.getpid() >= 50:
        sys.exit("no process table of its own: this would reach everybody")

    def kill_all() -> None:
        with contextlib.suppress(ProcessLookupError):  # there is nobody but itself
            os.kill(-1, signal.SIGKILL)

    fair(before_first=kill_all)


def kills_its_group() -> None:
    for _ in turns():
        os.killpg(0, signal.SIGKILL)


def leaves_shared_memory() -> None:
    """A System V segment, which the kernel keeps until somebody removes it."""
    key = int(sys.argv[3])

    def make() -> None:
        import ctypes

        ctypes.CDLL(None).shmget(key, 4096, 0o1600)

    fair(before_first=make)


SPECIES = {
    "leaves-shared-memory": leaves_shared_memory,
    "dies-at-start": dies_at_start,
    "dies-before-ready": dies_before_ready,
    "leaves-quietly": leaves_quietly,
    "raises": raises,
    "segmentation-fault": lambda: _killed_by(signal.SIGSEGV),
    "killed": lambda: _killed_by(signal.SIGKILL),
    "terminated": lambda: _killed_by(signal.SIGTERM),
    "leaves-after-answer": leaves_after_answer,
    "leaves-after-game": leaves_after_game,
    "half-a-line-and-leaves": half_a_line_and_leaves,
    "closes-output": closes_output,
    "closes-everything": closes_everything,
    "ends-slowly": ends_slowly,
    "says-hello": says_hello,
    "child-holds-output": child_holds_output,
    "daemon-answers": daemon_answers,
    "leaves-a-daemon": leaves_a_daemon,
    "stays": stays,
    "kills-its-parent": kills_its_parent,
    "stops-its-parent": stops_its_parent,
    "kills-everything": kills_everything,
    "kills-its-group": kills_its_group,
}

if __name__ == "__main__":
    run(SPECIES)
