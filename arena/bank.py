"""The time bank: time for the whole game of each seat, with an increment a move. Pure; raises nothing."""

from __future__ import annotations

from arena.limits import Limits
from arena.player import Fault
from arena.record import Ending
from games.interface import Seat

MS = 1_000_000


class Bank:
    """What is left to each seat."""

    def __init__(self, limits: Limits) -> None:
        self._move_ns = limits.move_ms * MS
        self._increment = limits.increment_ms * MS
        self._left = [0, limits.bank_ms * MS, limits.bank_ms * MS]

    def turn(self, seat: Seat) -> tuple[int, bytes]:
        """The time for this move, and its line `go`."""
        limit_ns = min(self._move_ns, self._left[seat])
        return limit_ns, b"go %d\n" % (limit_ns // MS)

    def used(self, seat: Seat, elapsed_ns: int) -> None:
        """Charge a move to its seat."""
        self._left[seat] += self._increment - elapsed_ns

    def explained(self, fault: Fault, limit_ns: int) -> Fault:
        """The same fault, with the reason why there was no more time for this move."""
        if fault.ending is not Ending.TIMEOUT or limit_ns >= self._move_ns:
            return fault
        return Fault(fault.ending, f"{fault.detail} (the rest of its time bank)")
