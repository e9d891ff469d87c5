"""The core that a Dask worker plays on, claimed against every other worker of this machine.

The claim is a socket's name in the kernel: it goes with the process, however that ends, and leaves no file. It is held
while there is something to play, and no longer: an idle worker keeps nobody from playing. Raises nothing.
"""

from __future__ import annotations

import socket

from arena import cores

_claims: dict[int, socket.socket] = {}


def claimed_core() -> int | None:
    """The core of this process, claimed if it has none yet; None if there is no free one now."""
    for core in _claims:
        return core
    for core in cores.available():
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0arena-core-{core}")
        except OSError:
            claim.close()
            continue
        _claims[core] = claim
        return core
    return None


def crowding() -> str | None:
    """Claim a core, or say why there is none; None also where the system does not tell cores apart."""
    if claimed_core() is not None or not cores.available():
        return None
    return (
        f"each of the {len(cores.available())} cores that it may use has a worker that plays already, "
        "of this cluster or of another on the same machine"
    )


def is_held() -> bool:
    """Whether this process has a core for itself."""
    return bool(_claims)


def release() -> None:
    """Let others have the core."""
    while _claims:
        _claims.popitem()[1].close()
