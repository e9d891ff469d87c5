"""The keeper: the small program that starts bots and ends whatever they leave behind.

A referee starts one keeper (`python keeper.py FD`) and asks it, over a socket, to start bots. Each bot gets a
*warden* of its own, a fork of this small program, that holds the other end of a *leash*, a socket to the referee:

    referee ── keeper ── warden ── [init of a pid namespace, or bubblewrap] ── bot ── whatever the bot starts
       └──────── leash ─────┘

A warden says on the leash `started PID ISOLATED WARDEN` or `failed WHY` (`broken WHY` if it is the warden that cannot),
and at the end, once nothing is left of the bot, `exited CODE` or `signal NUMBER`. When the referee closes its end of
the leash (or shuts it down, or is killed itself), the warden kills everything below it. That is how nothing survives,
whatever happens to the referee. When a warden is killed, the kernel kills what it had started, and the keeper, who
inherits the orphans, sweeps up the rest.

Standard library only and no import of the harness: it must start in milliseconds and fork cheaply (a fork of
the referee itself, with all its imports, costs ten times as much, and `preexec_fn` more than that).
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
MS_NOSUID_NODEV_NOEXEC = 2 | 4 | 8
MS_REC_PRIVATE = 0x4000 | 0x40000
SHARED_MEMORY_BYTES = 64 * 2**20
FILE_CAPABILITIES = 5
"""Linux's capabilities 0 to 4 are about the owners and modes of files: all that a bot of root's keeps."""
HEADER_BYTES = 8


def main(control_fd: int) -> None:
    """Start a warden for each request until the referee is gone; then leave, once every warden has."""
    control = socket.socket(fileno=control_fd)
    call_kernel("prctl", PR_SET_CHILD_SUBREAPER, 1)
    wake = wake_on(signal.SIGCHLD)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the referee decides when to stop
        signal.signal(number, signal.SIG_IGN)
    wardens: dict[int, str | None] = {}
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd == wake:
                drain(wake)
            elif not _serve(control, wardens):
                _wait_for_all(wardens)
                return
        _sweep(wardens)


def _serve(control: socket.socket, wardens: dict[int, str | None]) -> bool:
    """Take one request and fork its warden; False when the referee has closed the socket."""
    try:
        head, fds, _, _ = socket.recv_fds(control, HEADER_BYTES, 4)
    except ConnectionError:
        return False
    if len(head) < HEADER_BYTES:
        return False
    body = b""
    length = int(head)
    while len(body) < length:
        piece = control.recv(length - len(body))
        if not piece:
            return False
        body += piece
    spec = json.loads(body)
    try:
        pid = os.fork()
    except OSError as error:  # no more processes: this bot cannot be had, the keeper stays
        os.write(fds[3], f"broken {error.strerror}\n".encode())
        pid = -1
    if pid == 0:
        control.close()
        _warden(spec, *fds)
    if pid > 0:
        wardens[pid] = spec.get("scratch")
    for fd in fds:
        os.close(fd)
    return True


def _sweep(wardens: dict[int, str | None]) -> None:
    """Reap wardens that have ended; any other child is an orphan of a warden that was killed: end it."""
    ended = reap()
    strays = [pid for pid in children_of(os.getpid()) if pid not in wardens]
    if strays:
        kill_trees(strays)
        ended |= reap()
    for pid, status in ended.items():
        scratch = wardens.pop(pid, None)
        if os.WIFSIGNALED(status):  # it was killed before it could clear up
            remove_folder(scratch)


def _wait_for_all(wardens: dict[int, str | None]) -> None:
    """The referee is gone, so every leash is closed: wait until each warden has cleared up, then sweep."""
    for warden in wardens:  # where there are no namespaces a bot may have stopped it
        os.kill(warden, signal.SIGCONT)
    while wardens:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            break
        scratch = wardens.pop(pid, None)
        if os.WIFSIGNALED(status):
            end_all_below()
            remove_folder(scratch)
    end_all_below()


# --- the warden ---------------------------------------------------------------------------------


def _warden(spec: dict[str, Any], stdin: int, stdout: int, stderr: int, leash_fd: int) -> NoReturn:
    """Start one bot and stay with it until it has ended or the leash is let go. Never returns."""
    status = 1
    try:
        os.setsid()
        call_kernel("prctl", PR_SET_CHILD_SUBREAPER, 1)
        if spec.get("cpus") and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, spec["cpus"])
        make_folder(spec.get("scratch"), spec.get("linked", ()))
        try:
            _start_and_stay(spec, (stdin, stdout, stderr), socket.socket(fileno=leash_fd))
        finally:
            remove_folder(spec.get("scratch"))
        status = 0
    except BaseException as error:  # whatever goes wrong here must reach the referee, not a terminal
        with contextlib.suppress(OSError):
            os.write(leash_fd, f"broken {error}\n".encode())
    os._exit(status)


def _start_and_stay(spec: dict[str, Any], streams: tuple[int, int, int], leash: socket.socket) -> None:
    """Fork the bot, or the first process of its namespace, and wait for its end."""
    wake = wake_on(signal.SIGCHLD)
    isolated = bool(spec.get("isolate")) and new_pid_namespace(own_mounts=bool(spec.get("confine")))
    verdict_read, verdict_write = os.pipe()
    os.set_inheritable(verdict_write, False)
    child = os.fork()
    if child == 0:
        leash.close()
        os.close(verdict_read)
        if isolated:
            _namespace_init(spec, streams, verdict_write)
        _become_bot(spec, streams, verdict_write)
    for fd in (*streams, verdict_write):
        os.close(fd)
    _stay(child, leash, wake, verdict_read, isolated)


def _stay(child: int, leash: socket.socket, wake: int, verdict: int, isolated: bool) -> None:
    """Wait for the bot's end or the leash's; leave nothing below; say on the leash how it ended."""
    said = os.read(
        verdict, 4096
    )  # `ok` from a namespace's init, `failed ...`, or nothing: it has become the bot
    if refused := said.startswith((b"failed", b"broken")):
        _say(leash, said)
    else:
        _say(leash, b"started %d %d %d\n" % (child, isolated, os.getpid()))
    poll = select.poll()
    poll.register(leash, select.POLLIN)
    poll.register(wake, select.POLLIN)
    ended: dict[int, int] = {}
    let_go = False
    while child not in ended and not let_go:
        ready = {fd for fd, _ in poll.poll()}
        if wake in ready:
            drain(wake)
            ended |= reap()
        let_go = leash.fileno() in ready
    if child not in ended:  # with it the kernel ends a whole namespace at once, however many are in there
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
    ended |= end_all_below()
    last = (said + _drain_to_end(verdict)).splitlines()[-1:]  # both may have come at once
    if refused:
        return
    if last not in ([], [b"ok"]):
        _say(leash, last[0] + b"\n")
    elif isolated and not let_go:  # it would have told how the bot ended, which cannot kill it
        _say(leash, b"broken the first process of its namespace was killed\n")
    else:
        _say(leash, _how(ended.get(child, 9)))


def _drain_to_end(fd: int) -> bytes:
    pieces = []
    while piece := os.read(fd, 4096):
        pieces.append(piece)
    return b"".join(pieces)


def _say(leash: socket.socket, line: bytes) -> None:
    with contextlib.suppress(OSError):  # the referee may be gone
        leash.sendall(line)


def _how(status: int) -> bytes:
    if os.WIFSIGNALED(status):
        return b"signal %d\n" % os.WTERMSIG(status)
    return b"exited %d\n" % os.WEXITSTATUS(status)


def _namespace_init(spec: dict[str, Any], streams: tuple[int, int, int], verdict: int) -> NoReturn:
    """Be process 1 of a pid namespace: start the bot, reap orphans, say how the bot ended; all dies with it."""
    try:
        call_kernel("prctl", PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        if spec.get("confine"):
            show_own_processes()
        read, write = os.pipe()
        os.set_inheritable(write, False)
        bot = os.fork()
        if bot == 0:
            os.close(read)
            _become_bot(spec, streams, write)
        for fd in (*streams, write):
            os.close(fd)
        failure = _drain_to_end(read)
        os.write(verdict, failure or b"ok\n")
        while True:
            pid, status = os.wait()
            if pid == bot:
                os.write(verdict, _how(status))
                os._exit(0)
    except BaseException as error:  # process 1 has nobody to tell but the warden
        with contextlib.suppress(OSError):
            os.write(verdict, f"broken {error}\n".encode())
    os._exit(1)


def _become_bot(spec: dict[str, Any], streams: tuple[int, int, int], verdict: int) -> NoReturn:
    """Turn this process into the bot: own session, its three streams, limits, nothing inherited."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in range(1, signal.NSIG):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
        _place_streams(streams, verdict)
        for name, value in spec["rlimits"].items():
            lower_limit(getattr(resource, name, None), value)
        os.chdir(spec["cwd"])
        call_kernel("prctl", PR_SET_PDEATHSIG, signal.SIGKILL)
        call_kernel("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if spec.get("confine"):
            drop_capabilities()
        os.execve(spec["argv"][0], spec["argv"], spec["env"])
    except BaseException as error:  # told to the referee, who says that the bot could not be started
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        with contextlib.suppress(OSError):
            os.write(3, f"failed {reason}: {spec['argv'][0]}\n".encode())
    os._exit(127)


def _place_streams(streams: tuple[int, int, int], verdict: int) -> None:
    """Put the three pipes on 0, 1, 2 and the verdict on 3 (closed by exec); close all the rest."""
    high = [os.dup(fd) for fd in (*streams, verdict)]  # out of the way first: any of them may stand on 0 to 3
    while any(fd <= 3 for fd in high):
        high = [os.dup(fd) if fd <= 3 else fd for fd in high]
    for target, fd in enumerate(high):
        os.dup2(fd, target, inheritable=target < 3)
    os.closerange(4, os.sysconf("SC_OPEN_MAX") if sys.platform != "linux" else 1 << 16)


def lower_limit(which: int | None, value: int) -> None:
    """Set one resource limit, soft and hard, never above what is allowed already."""
    if which is None:
        return
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(which, (value, value))


# --- the kernel ---------------------------------------------------------------------------------


def call_kernel(name: str, *arguments: int) -> int:
    """Call a function of the C library that Python does not offer; -1 where there is none (not Linux)."""
    if sys.platform != "linux":
        return -1
    import ctypes

    return int(getattr(_c_library(), name)(*(ctypes.c_ulong(a) for a in arguments)))


@functools.cache
def _c_library() -> Any:
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def drop_capabilities() -> None:
    """Take from a bot that runs as root what would let it out: it keeps root's power over files, and no other."""
    number = FILE_CAPABILITIES
    while call_kernel("prctl", PR_CAPBSET_DROP, number) == 0:
        number += 1


def new_pid_namespace(*, own_mounts: bool = False) -> bool:
    """Give the children of this process a process table of their own, if the kernel lets us.

    And shared memory of their own, because what a System V segment holds would outlive them.
    """
    if sys.platform != "linux":
        return False
    uid, gid = os.getuid(), os.getgid()
    spaces = CLONE_NEWPID | CLONE_NEWIPC | (CLONE_NEWNS if own_mounts else 0)
    if uid == 0:
        return call_kernel("unshare", spaces) == 0
    if call_kernel("unshare", CLONE_NEWUSER | spaces) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    return True


def show_own_processes() -> None:
    """Show in /proc only the processes of this namespace, and an own /dev/shm, as far as the kernel lets us.

    Without it a bot of root's could write into the pipes of its opponent, through /proc/PID/fd; and what it leaves
    in /dev/shm is memory that nobody counts and that stays.
    """
    if mount(None, "/", None, MS_REC_PRIVATE):
        mount("proc", "/proc", "proc", MS_NOSUID_NODEV_NOEXEC)
        mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID_NODEV_NOEXEC, f"mode=1777,size={SHARED_MEMORY_BYTES}")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> bool:
    """The system call; whether it was done."""
    if sys.platform != "linux":
        return False
    import ctypes

    words = [
        None if word is None else ctypes.c_char_p(word.encode()) for word in (source, target, kind, data)
    ]
    return int(_c_library().mount(*words[:3], ctypes.c_ulong(flags), words[3])) == 0


def make_folder(path: str | None, linked: Iterable[str]) -> None:
    """Make a bot's private folder, with links to its own files."""
    if path is None:
        return
    os.mkdir(path, 0o700)
    for target in linked:
        os.symlink(target, os.path.join(path, os.path.basename(target)))


def remove_folder(path: str | None) -> None:
    """Remove a bot's private folder and all in it, whatever modes it has given to it and however deep it is.

    It is done from inside, step by step, because a path may be longer than the system takes.
    """
    if path is None:
        return
    with contextlib.suppress(OSError):
        os.chdir(path)
        above: list[str] = []
        left = [_clear_files()]
        while left:
            if left[-1]:
                above.append(left[-1].pop())
                os.chdir(above[-1])
                left.append(_clear_files())
            else:
                left.pop()
                if not above:
                    break
                os.chdir("..")
                os.rmdir(above.pop())
    os.chdir("/")
    with contextlib.suppress(OSError):
        os.rmdir(path)


def _clear_files() -> list[str]:
    """Remove all but folders from the working folder; the folders, made so that they can be entered."""
    folders = []
    for entry in list(os.scandir(".")):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.name, 0o700)
            folders.append(entry.name)
        else:
            os.unlink(entry.name)
    return folders


def wake_on(number: int) -> int:
    """A file descriptor that becomes readable whenever this signal arrives."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read


def drain(fd: int) -> None:
    """Empty a non-blocking descriptor."""
    with contextlib.suppress(BlockingIOError):
        while os.read(fd, 4096):
            pass


def reap() -> dict[int, int]:
    """Collect every child that has ended, with its status."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def end_all_below() -> dict[int, int]:
    """Kill all below this process and wait until it has no child left; how its children ended.

    Whoever loses its parent meanwhile becomes our child: so it is done again until there is none.
    """
    ended: dict[int, int] = {}
    while True:
        kill_trees(children_of(os.getpid()))
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return ended
        ended[pid] = status
        ended |= reap()


def children_of(pid: int) -> list[int]:
    """The direct children of a process; none where the system does not tell."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def descendants_of(pids: Iterable[int]) -> list[int]:
    """These processes and all below them."""
    found: list[int] = []
    queue = list(pids)
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children_of(pid)
    return found


def kill_trees(pids: Iterable[int]) -> None:
    """Kill these processes and all below them: stopped first, so that none can fork while we look."""
    roots = list(pids)
    stopped: set[int] = set()
    while fresh := [pid for pid in descendants_of(roots) if pid not in stopped]:
        for pid in fresh:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
        stopped.update(fresh)
    for pid in stopped:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
