"""The runner with a crew that plays nothing: what is handed out, lost, void, stopped, and recorded once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.crew import Done
from arena.errors import HarnessFailure
from arena.journal import Journal
from arena.record import record_line
from arena.runner import (
    AHEAD,
    MAX_LOST,
    ROUNDS_AT_ONCE,
    VOID_ROUNDS,
    Runner,
    RunOutcome,
    Tally,
    Unfit,
    _tiles,
)
from arena.schedule import Schedule
from arena.tournament import parse
from arena.worker import Block, Report

Judge = Callable[[str], str]
"""What becomes of a match: `play`, `void`, `kill` (its worker dies) or `twice` (it is reported two times)."""


def schedule(bots: int, rounds: int) -> Schedule:
    listed = "".join(f'[[bots]]\nname = "b{number}"\nrun = "true"\n' for number in range(bots))
    text = f'name = "cup"\nrounds = {rounds}\n[[games]]\nid = "squares"\n{listed}'
    return Schedule(parse(text, Path("cup.toml")).tournament)


def line(match_id: str, *, void: bool = False) -> str:
    return record_line(
        id=match_id, game="squares", options={"total": 9}, seed=1, opening=[], bots=[("b0", "v"), ("b1", "v")],
        moves=[], winner=None if void else 1, ending="void" if void else "completed", at_fault=None,
        detail="the referee slept" if void else "",
        started="2026-01-31T12:00:00.000Z", wall_ms=1.0,
    )  # fmt: skip


class ScriptedCrew:
    """Plays as it is told to: one block a turn, lane by lane."""

    largest_block = 500

    def __init__(self, lanes: int = 2, judge: Judge = lambda match_id: "play", at_a_time: int = 1000) -> None:
        self.lanes = lanes
        self.judge = judge
        self.at_a_time = at_a_time
        self.waiting: list[deque[Block]] = [deque() for _ in range(lanes)]
        self.begun: Counter[str] = Counter()
        self.most = 0
        self.handing_in = 0
        self.on_wait: Callable[[], None] = lambda: None

    def submit(self, lane: int, block: Block) -> None:
        self.waiting[lane].append(block)
        self.most = max(self.most, len(self.waiting[lane]))

    def wait(self, seconds: float) -> list[Done]:
        self.on_wait()
        lane = max(range(self.lanes), key=lambda number: len(self.waiting[number]))
        block = self.waiting[lane].popleft()
        report = Report(seconds=0.1)
        for at, match_id in enumerate(block.ids):
            if self.handing_in or at >= self.at_a_time:
                report.rest = block.ids[at:]
                break
            self.begun[match_id] += 1
            what = self.judge(match_id)
            if what == "kill":
                lost = [Done(lane, block, None, why="it was ended by SIGKILL")]
                lost += [Done(lane, other, None, begun=False) for other in self.waiting[lane]]
                self.waiting[lane].clear()
                return lost
            for _ in range(2 if what == "twice" else 1):
                void = what == "void"
                report.blob += line(match_id, void=void).encode() + b"\n"
                report.ids.append(match_id)
                names = match_id.split(".")[1:3]
                report.results.append((*names, None if void else 1, "void" if void else "completed"))
        return [Done(lane, block, report)]

    def hand_in(self) -> None:
        self.handing_in += 1

    def close(self, *, at_once: bool = False) -> None:
        pass


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "runs" / "cup") as opened:
        yield opened


def run(
    journal: Journal, crew: ScriptedCrew, bots: int = 4, rounds: int = 10, unfit: Unfit = lambda name: None
) -> RunOutcome:
    return Runner(schedule(bots, rounds), journal, crew, lambda tally, report: None, unfit).run()


@pytest.mark.parametrize(
    ("bots", "rounds", "lanes"), [(2, 1, 1), (2, 500, 2), (4, 10, 3), (20, 1, 8), (3, 1, 64)]
)
def test_every_match_is_handed_out_once(journal: Journal, bots: int, rounds: int, lanes: int) -> None:
    crew = ScriptedCrew(lanes)
    outcome = run(journal, crew, bots, rounds)
    assert set(crew.begun.values()) == {1}
    assert set(crew.begun) == journal.done == set(schedule(bots, rounds).ids())
    assert (outcome.complete, outcome.stopped, outcome.unplayable) == (True, False, {})
    assert outcome.tally.recorded == outcome.tally.played == len(schedule(bots, rounds))
    assert crew.most <= AHEAD


def test_two_bots_and_many_rounds_come_in_large_blocks(journal: Journal) -> None:
    sizes: list[int] = []

    class Watched(ScriptedCrew):
        def submit(self, lane: int, block: Block) -> None:
            sizes.append(len(block.ids))
            super().submit(lane, block)

    run(journal, Watched(), bots=2, rounds=2000)
    assert max(sizes) >= 20  # a report of 4 in 0.1 s: 20 in the half second that is aimed at
    assert len(sizes) < 4000 / 15


@pytest.mark.parametrize(("bots", "rounds"), [(9, 2), (20, 3)])
def test_tiles_are_handed_out_as_the_schedule_has_them(bots: int, rounds: int) -> None:
    whole = schedule(bots, rounds)
    assert list(_tiles(whole)) == [[one for pair in tile for one in pair.ids] for tile in whole.tiles()]


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (2, 3), (2, 17), (2, 18), (3, 40)])
def test_of_a_single_tile_many_rounds_come_at_once_and_in_their_order(bots: int, rounds: int) -> None:
    whole = schedule(bots, rounds)
    tiles = list(_tiles(whole))
    assert [one for tile in tiles for one in tile] == [
        one for tile in whole.tiles() for pair in tile for one in pair.ids
    ]
    assert len(tiles) == 1 + -(-(rounds - 1) // ROUNDS_AT_ONCE)


def test_what_a_worker_had_no_time_for_is_handed_out_again(journal: Journal) -> None:
    crew = ScriptedCrew(at_a_time=1)
    assert run(journal, crew).complete
    assert set(crew.begun.values()) == {1}


def test_what_is_recorded_already_is_not_played(journal: Journal) -> None:
    done = list(schedule(4, 10).ids())[::3]
    journal.append([line(match_id) for match_id in done])
    crew = ScriptedCrew()
    outcome = run(journal, crew)
    assert not set(crew.begun) & set(done)
    assert (outcome.tally.recorded, outcome.tally.played) == (120, 80)


def test_what_is_reported_twice_is_recorded_once(journal: Journal) -> None:
    outcome = run(journal, ScriptedCrew(judge=lambda match_id: "twice"))
    assert outcome.tally.recorded == outcome.tally.played == 120
    assert len(journal.path.read_bytes().splitlines()) == 120


@pytest.mark.parametrize("lanes", [1, 2, 5])
def test_a_match_that_kills_its_worker_each_time_is_named_and_the_rest_is_played(
    journal: Journal, lanes: int
) -> None:
    deadly = {"squares.b0.b1.3a", "squares.b2.b3.7b"}
    crew = ScriptedCrew(lanes, judge=lambda match_id: "kill" if match_id in deadly else "play")
    outcome = run(journal, crew)
    assert outcome.unplayable == dict.fromkeys(deadly, "it was ended by SIGKILL")
    assert (outcome.complete, outcome.tally.recorded) == (False, 118)
    assert all(MAX_LOST <= crew.begun[match_id] <= MAX_LOST + 1 for match_id in deadly)


def test_a_worker_that_is_killed_now_and_then_costs_no_match(journal: Journal) -> None:
    killed: Counter[str] = Counter()

    def judge(match_id: str) -> str:
        killed[match_id] += 1
        return "kill" if match_id.endswith("5a") and killed[match_id] == 1 else "play"

    outcome = run(journal, ScriptedCrew(judge=judge))
    assert (outcome.complete, outcome.unplayable) == (True, {})
    assert outcome.tally.lost_workers == 6


def test_a_void_match_is_played_again_when_all_else_is_handed_out(journal: Journal) -> None:
    times: Counter[str] = Counter()

    def judge(match_id: str) -> str:
        times[match_id] += 1
        return "void" if match_id == "squares.b0.b1.1a" and times[match_id] < VOID_ROUNDS else "play"

    outcome = run(journal, ScriptedCrew(judge=judge))
    assert (outcome.complete, outcome.tally.voided, outcome.tally.recorded) == (True, 0, 120)
    assert times["squares.b0.b1.1a"] == VOID_ROUNDS


def test_a_match_that_is_void_each_time_is_left_for_another_run(journal: Journal) -> None:
    crew = ScriptedCrew(judge=lambda match_id: "void" if match_id == "squares.b0.b1.1a" else "play")
    outcome = run(journal, crew)
    assert (outcome.complete, outcome.tally.voided, outcome.tally.recorded) == (False, 1, 119)
    assert (outcome.void, outcome.left_out) == ({"squares.b0.b1.1a": "the referee slept"}, {})
    assert crew.begun["squares.b0.b1.1a"] == VOID_ROUNDS
    assert run(journal, ScriptedCrew()).tally.played == 1


def test_a_bot_that_is_no_longer_fit_is_left_out_and_its_matches_are_not_tried_again(
    journal: Journal,
) -> None:
    crew = ScriptedCrew(judge=lambda match_id: "void" if ".b2." in match_id else "play")
    why = "its files were changed"
    outcome = run(journal, crew, rounds=200, unfit=lambda name: why if name == "b2" else None)
    assert (outcome.left_out, outcome.void, outcome.complete) == ({"b2": why}, {}, False)
    assert outcome.tally.recorded == 3 * 2 * 200
    tried = {match_id: times for match_id, times in crew.begun.items() if ".b2." in match_id}
    assert set(tried.values()) == {1}
    assert len(tried) < 3 * 2 * 200 / 4


def test_a_stopped_run_records_what_is_under_way_and_hands_out_nothing_more(journal: Journal) -> None:
    crew = ScriptedCrew()
    runner = Runner(schedule(4, 10), journal, crew, lambda tally, report: None)
    turns = iter(range(100))
    crew.on_wait = lambda: runner.stop() if next(turns) == 2 else None
    outcome = runner.run()
    assert outcome.stopped
    assert crew.handing_in == 1
    assert 0 < outcome.tally.recorded == len(journal.done) == crew.begun.total() < 120
    assert run(journal, ScriptedCrew()).complete


def test_what_the_disk_does_not_take_ends_the_run(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("arena.journal.os.write", fail)
        with pytest.raises(HarnessFailure, match="No space left on device"):
            run(journal, ScriptedCrew())


def test_the_observer_is_told_of_every_report_with_the_tally(journal: Journal) -> None:
    told: list[tuple[int, int]] = []

    def observe(tally: Tally, report: Report | None) -> None:
        told.append((tally.recorded, 0 if report is None else len(report.lines)))

    Runner(schedule(4, 10), journal, ScriptedCrew(), observe).run()
    assert told[-1][0] == sum(lines for _, lines in told) == 120


def test_the_tally_knows_the_leaders_and_the_time_left() -> None:
    tally = Tally(scheduled=10, recorded=0)
    assert (tally.seconds_left, tally.leaders(3)) == (None, [])
    tally.count("a", "b", 1, "completed")
    tally.count("a", "b", 0, "completed")
    tally.count("c", "b", 2, "timeout")
    tally.count("a", "c", None, "void")
    assert tally.leaders(3) == [("a", 1.5, 2), ("b", 1.5, 3), ("c", 0.0, 1)]
    assert (tally.recorded, tally.played) == (3, 4)
    tally.ended = tally.began + 8.0
    assert (tally.rate, tally.seconds_left) == (0.5, 14.0)
