"""The time bank of a match."""

from __future__ import annotations

from arena.bank import MS, Bank
from arena.limits import Limits
from arena.player import Fault
from arena.record import Ending

LIMITS = Limits(move_ms=500, bank_ms=600, increment_ms=50)


def test_a_move_may_take_its_own_limit_and_no_more_than_the_bank_holds() -> None:
    bank = Bank(LIMITS)
    assert bank.turn(1) == (500 * MS, b"go 500\n")
    bank.used(1, 400 * MS)
    assert bank.turn(1) == (250 * MS, b"go 250\n")
    assert bank.turn(2) == (500 * MS, b"go 500\n")


def test_who_runs_out_of_the_bank_is_told_so_and_nobody_else() -> None:
    bank = Bank(LIMITS)
    late = Fault(Ending.TIMEOUT, "no answer within 49 ms")
    crashed = Fault(Ending.CRASHED, "exited with status 1")
    assert bank.explained(late, 49 * MS).detail == "no answer within 49 ms (the rest of its time bank)"
    assert bank.explained(late, 500 * MS) is late
    assert bank.explained(crashed, 49 * MS) is crashed
