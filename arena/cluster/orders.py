"""An order: a block of the runner's on its way to the workers, whole or in pieces. Raises nothing.

An order is done when all of its pieces are. If one of them was lost, the whole block is: what the other pieces have
reported is played again, and recorded once, whatever happens.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.crew import Done
from arena.worker import Block, Report


@dataclass
class Order:
    """A block, and what has come of its pieces so far."""

    lane: int
    block: Block
    open: int = 0
    report: Report = field(default_factory=Report)
    lost: bool = False
    begun: bool = False
    why: str = ""

    def take(self, report: Report) -> Done | None:
        """A piece was played, or as much of it as there was time for."""
        self.report.add(report)
        return self.close_one()

    def lose(self, begun: bool, why: str) -> Done | None:
        """A piece was lost; `begun`: while it was being played."""
        self.lost, self.begun, self.why = True, self.begun or begun, why
        return self.close_one()

    def close_one(self) -> Done | None:
        """One piece less; the last one closes the order."""
        self.open -= 1
        if self.open:
            return None
        if self.lost:
            return Done(self.lane, self.block, None, self.begun, self.why)
        return Done(self.lane, self.block, self.report)


SETUP = "setup"


@dataclass
class Piece:
    """Matches of one order, on their way to one worker. `sent`: what has gone along, SETUP and versions of bots."""

    order: Order
    ids: tuple[str, ...]
    sent: set[str] = field(default_factory=set)

    @property
    def block(self) -> Block:
        """The piece as a worker plays it."""
        return Block(self.order.block.number, self.ids)
