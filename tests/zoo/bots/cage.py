"""Animals that shake the bars. Each tries to get out in its first turn; who gets out says so, which is no move."""

import contextlib
import os
import resource
import socket
import stat
import sys
import termios
from collections.abc import Callable

from conversation import run, say, turns

PARENTS_FOLDER, PORT = sys.argv[3:5]


def tries(escape: Callable[[], object]) -> Callable[[], None]:
    """An animal that tries this, and plays well if it fails (raises OSError, or gives nothing)."""

    def animal() -> None:
        for number, legal in enumerate(turns()):
            found: object = None
            if number == 0:
                with contextlib.suppress(OSError, ValueError, termios.error):
                    found = escape()
            say(f"escaped: {found}\n" if found else legal[0] + "\n")

    return animal


def network() -> object:
    with socket.create_connection(("127.0.0.1", int(PORT)), 0.2):
        return "connected"


def any_address() -> object:
    names = [name for _, name in socket.if_nameindex()]
    return set(names) - {"lo", "tunl0", "sit0", "ip6tnl0"}


def processes() -> object:
    return [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) > 20]


def shared_memory() -> object:
    """A file in /dev/shm is memory: it must be of a size that is limited, and nobody else's."""
    return os.listdir("/dev/shm") or os.statvfs("/dev/shm").f_blocks * os.statvfs("/dev/shm").f_bsize > 2**27


def runs_folder() -> object:
    return os.listdir(PARENTS_FOLDER)


def own_files() -> object:
    with open(__file__, "a") as file:
        return file.write("# was here\n")


def system_files() -> object:
    with open("/usr/escaped", "w") as file:
        return file.write("was here\n")


def limits() -> object:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft * 2, hard * 2))
    return resource.getrlimit(resource.RLIMIT_NOFILE)


def priority() -> object:
    return os.nice(-5) < 0


def realtime() -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return "realtime"


def terminal() -> object:
    with open("/dev/tty", "wb") as file:
        return termios.tcgetattr(file)


def descriptors() -> object:
    found = []
    for fd in range(3, 1024):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(fd)
    return found


def environment() -> object:
    allowed = {
        "PATH",
        "LANG",
        "HOME",
        "TMPDIR",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
        "PWD",
        "LC_CTYPE",
    }
    return set(os.environ) - allowed


def folder() -> object:
    """The working folder is its own, empty and writable; what it finds there is somebody else's."""
    found = os.listdir(".")
    with open("mine", "w") as file:
        file.write("mine")
    return found or (os.stat(".").st_mode & stat.S_IRWXO and os.getcwd() != "/arena")


def privileges() -> object:
    with open("/proc/self/status") as file:
        return [line for line in file if line.startswith("NoNewPrivs") and line.split()[1] != "1"]


SPECIES = {
    "network": tries(network),
    "any-address": tries(any_address),
    "processes": tries(processes),
    "shared-memory": tries(shared_memory),
    "runs-folder": tries(runs_folder),
    "own-files": tries(own_files),
    "system-files": tries(system_files),
    "limits": tries(limits),
    "priority": tries(priority),
    "realtime": tries(realtime),
    "terminal": tries(terminal),
    "descriptors": tries(descriptors),
    "environment": tries(environment),
    "folder": tries(folder),
    "privileges": tries(privileges),
}

if __name__ == "__main__":
    run(SPECIES)
