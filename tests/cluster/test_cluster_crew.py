"""The cluster's crew against a link without Dask: every answer, and every way that a worker or scheduler is lost."""

from __future__ import annotations

import pickle
import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cluster_hosts import played, run_alone, write_tournament

from arena import __version__, cores
from arena.cluster import crew as crew_module
from arena.cluster import hire, there
from arena.cluster import peers as peers_module
from arena.cluster import reception as reception_module
from arena.cluster.crew import DaskCrew
from arena.cluster.events import Again, Answered, Cut, Event, Failed, Gone, Lost, Present
from arena.cluster.peers import CROWDED_SECONDS
from arena.cluster.post import setup_key
from arena.cluster.there import Broken, Greeting, NoCore, Refuses, TravellingWorker, Wants
from arena.crew import Done
from arena.errors import HarnessFailure, UsageError
from arena.organiser import Order, opened, take_order
from arena.worker import Block, Report, Setup


def said(ticket: int, answer: there.Answer) -> Answered:
    """A worker's answer to `play`, packed as it arrives."""
    return Answered(ticket, pickle.dumps(answer))


class FakeLink:
    """A link whose workers are a list, and whose answers a test gives, or `answer` makes."""

    def __init__(self, *workers: str) -> None:
        self.address = "tcp://fake:8786"
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.workers = list(workers)
        self.names: dict[str, str] = {}
        self.plays: list[tuple[int, str, tuple[Any, ...]]] = []
        self.forgotten: list[int] = []
        self.dismissed: list[str] = []
        self.closed = False
        self.version: Any = __version__
        self.greeting: Callable[[str], Greeting] = lambda name: Greeting(name, "3.99.1", 1)
        self.answer: Callable[[int, str, tuple[Any, ...]], Event | None] = lambda *_: None
        self.look()

    def look(self) -> None:
        self.events.put(Present({worker: self.names.get(worker, worker) for worker in self.workers}))

    def send(self, ticket: int, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        if function is there.greet:
            self.events.put(Answered(ticket, self.greeting(worker)))
        elif function is there.play:
            self.plays.append((ticket, worker, arguments))
            if (event := self.answer(ticket, worker, arguments)) is not None:
                self.events.put(event)
        elif function is there.dismiss:
            self.dismissed.append(worker)
            there.dismiss(*arguments)
            self.events.put(Answered(ticket, None))
        elif isinstance(self.version, str):
            self.events.put(Answered(ticket, self.version))
        else:
            self.events.put(self.version(ticket))

    def forget(self, ticket: int) -> None:
        self.forgotten.append(ticket)

    def close(self) -> None:
        self.closed = True


class WatchfulLink(FakeLink):
    """A link that looks who is there after every errand."""

    def send(self, ticket: int, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        super().send(ticket, worker, function, *arguments)
        self.look()


@pytest.fixture
def order(tmp_path: Path) -> Order:
    return take_order(
        write_tournament(tmp_path, 'name = "first"', 'name = "greedy"', rounds=2), sandbox_mode="none"
    )


def crew_on(link: FakeLink, order: Order) -> tuple[DaskCrew, list[str]]:
    notes: list[str] = []
    return DaskCrew(order.setup, order.file.folder, link, notes.append), notes


def block_of(order: Order, number: int = 1, count: int = 3) -> Block:
    return Block(number, tuple(order.setup.schedule().ids())[:count])


def heard(crew: DaskCrew, link: FakeLink, *events: Event) -> list[Done]:
    for event in events:
        link.events.put(event)
    return crew.wait(0.01)


def test_a_worker_is_asked_who_it_is_before_it_plays_and_then_has_a_lane(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    assert crew.lanes == 2
    assert crew.names() == ["a", "b"]
    assert "worker a has Python 3.99.1" in notes[0]
    crew.submit(1, block_of(order))
    assert [worker for _, worker, _ in link.plays] == ["b"]


def test_a_worker_with_another_arena_is_not_used_and_the_difference_is_explained(order: Order) -> None:
    link = FakeLink("a")
    link.names = {"a": "lab1"}
    link.events.get()
    link.look()
    link.version = "9.9"
    with pytest.raises(
        UsageError,
        match=rf"can play: lab1: it has arena 9.9, here is {__version__}: install the same on both",
    ):
        crew_on(link, order)
    assert link.closed


def test_a_worker_without_arena_is_told_what_to_install(order: Order) -> None:
    link = FakeLink("a")
    link.version = lambda ticket: Failed(ticket, "No package metadata was found for bot-arena")
    with pytest.raises(UsageError, match=r"arena is not installed there: pip install 'bot-arena\[dask\]=="):
        crew_on(link, order)


def test_a_worker_without_the_sandbox_is_not_used(order: Order) -> None:
    link = FakeLink("a", "b")
    trouble = "bubblewrap is not installed"
    link.greeting = lambda name: Greeting(name, "3.11.2", 1, trouble if name == "a" else None)
    crew, notes = crew_on(link, order)
    assert crew.names() == ["b"]
    assert f"worker a is not used: {trouble} (--sandbox none plays without)" in notes


def test_a_worker_without_a_core_takes_one_that_becomes_free(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = FakeLink("a", "b")
    crowded = {"b"}
    link.greeting = lambda name: Greeting(name, "3.11.2", 1, *(("no core", True) if name in crowded else ()))
    crew, notes = crew_on(link, order)
    assert crew.names() == ["a"]
    assert "worker b is not used: no core" in notes
    crowded.clear()
    link.workers = ["b"]
    link.look()
    crew.wait(0.01)
    assert crew.names() == [], "it is not asked all the time"
    assert "waiting 60 s for another worker at tcp://fake:8786" in notes
    later = time.monotonic() + CROWDED_SECONDS
    monkeypatch.setattr("time.monotonic", lambda: later)
    link.look()
    for _ in range(3):
        crew._heed(link.events.get())
    assert crew.names() == ["b"]


def test_a_worker_with_many_threads_is_used_with_a_word_about_it(order: Order) -> None:
    link = FakeLink("a")
    link.greeting = lambda name: Greeting(name, "3.11.2", 8)
    _, notes = crew_on(link, order)
    assert any("has 8 threads and plays one match at a time" in note for note in notes)


def test_what_a_worker_asks_for_is_sent_with_the_same_block(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    block = block_of(order, 2)
    crew.submit(0, block_of(order, 1))
    crew.submit(0, block)
    assert [arguments[2] for _, _, arguments in link.plays] == [order.setup, None]
    heard(crew, link, said(link.plays[-1][0], Wants(setup=True)))
    key, sent, setup, parcels = link.plays[-1][2]
    assert (key, sent, setup, parcels) == (setup_key(order.setup), block, order.setup, ())
    middle = next(spec for spec in order.setup.bots if spec.name == "middle")
    heard(crew, link, said(link.plays[-1][0], Wants(versions=(middle.version,))))
    _, sent, setup, parcels = link.plays[-1][2]
    assert (sent, setup, [one.about.version for one in parcels]) == (block, None, [middle.version])
    report = Report(blob=b"x\n")
    assert heard(crew, link, said(link.plays[-1][0], report)) == [Done(0, block, report)]


def test_a_worker_that_leaves_loses_what_it_had_and_only_the_first_was_begun(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, _ = crew_on(link, order)
    blocks = [block_of(order, 1), block_of(order, 2)]
    for block in blocks:
        crew.submit(0, block)
    link.workers = ["b"]
    link.look()
    done = crew.wait(0.01)
    assert [(item.block, item.report, item.begun) for item in done] == [
        (blocks[0], None, True),
        (blocks[1], None, False),
    ]
    assert crew.lanes == 2  # the seat stays a lane, and the other one plays for it
    crew.submit(0, blocks[0])
    assert link.plays[-1][1] == "b"


def test_a_worker_that_comes_late_takes_the_empty_seat(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, _ = crew_on(link, order)
    link.workers = ["b", "c"]
    link.look()
    crew.wait(0.01)
    crew.wait(0.01)
    assert crew.lanes == 2
    crew.submit(0, block_of(order))
    assert link.plays[-1][1] == "c"


def test_blocks_wait_for_a_worker_when_there_is_none(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    link.workers = []
    link.look()
    crew.wait(0.01)
    crew.submit(0, block_of(order))
    assert link.plays == []
    link.workers = ["b"]
    link.look()
    for _ in range(3):
        crew.wait(0.01)
    link.look()
    crew.wait(0.01)
    assert [worker for _, worker, _ in link.plays] == ["b"]


def test_nobody_for_too_long_ends_the_run_with_clear_words(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    link.workers = []
    link.look()
    crew.wait(0.01)
    crew.submit(0, block_of(order))
    monkeypatch.setattr(crew_module, "NO_WORKER_SECONDS", -1.0)
    with pytest.raises(HarnessFailure, match=r"no worker at tcp://fake:8786 .* the same command goes on"):
        crew.wait(0.01)


def test_when_the_scheduler_is_back_everything_is_sent_again_and_nothing_counts_as_lost(order: Order) -> None:
    link = FakeLink("a")
    crew, notes = crew_on(link, order)
    blocks = [block_of(order, 1), block_of(order, 2)]
    for block in blocks:
        crew.submit(0, block)
    old = [ticket for ticket, _, _ in link.plays]
    assert heard(crew, link, Cut()) == []
    assert any("is lost: trying to reach it again" in note for note in notes)
    link.look()
    for _ in range(3):
        crew.wait(0.01)
    link.look()
    crew.wait(0.01)
    assert [args[1] for _, _, args in link.plays[2:]] == blocks
    assert heard(crew, link, said(old[0], Report())) == []  # an answer from before: nobody waits for it


def test_a_cancelled_block_is_sent_again(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    assert heard(crew, link, Again(link.plays[0][0])) == []
    link.look()
    crew.wait(0.01)
    assert len(link.plays) == 2


def test_a_block_that_dask_has_given_up_is_lost(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    (done,) = heard(crew, link, Lost(link.plays[0][0]))
    assert (done.report, done.begun, done.why) == (None, True, "worker a died of it")


def test_a_scheduler_that_does_not_come_back_ends_the_run(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    with pytest.raises(HarnessFailure, match="no scheduler answered; what was played is recorded"):
        heard(crew, link, Gone("no scheduler answered"))


def test_refused_matches_go_to_another_and_the_block_is_done_when_both_are(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    ids = tuple(order.setup.schedule().ids())
    block = Block(1, ids)
    crew.submit(0, block)
    assert heard(crew, link, said(link.plays[0][0], Refuses({"greedy": "no cc"}))) == []
    assert "worker a cannot play greedy: no cc" in notes
    (one, who, first), (two, other, second) = link.plays[1:]
    assert {who, other} == {"a", "b"}
    at_a = first[1] if who == "a" else second[1]
    assert all("greedy" not in match_id for match_id in at_a.ids)
    assert sorted(first[1].ids + second[1].ids) == sorted(ids)
    assert heard(crew, link, said(one, Report(blob=b"x\n", moves=1))) == []
    (done,) = heard(crew, link, said(two, Report(blob=b"y\n", rest=("z",), moves=2)))
    assert done.report is not None
    assert (done.block, done.report.lines, done.report.rest, done.report.moves) == (
        block,
        [b"x", b"y"],
        ("z",),
        3,
    )


def test_matches_that_nobody_can_play_are_left_out_until_somebody_comes_who_can(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    ids = tuple(order.setup.schedule().ids())
    crew.submit(0, Block(1, ids))
    heard(crew, link, said(link.plays[0][0], Refuses({"greedy": "no cc"})))
    (done,) = heard(crew, link, said(link.plays[1][0], Report(blob=b"x\n")))
    assert crew.left_out == {"greedy": "a: no cc"}
    assert done.report is not None
    assert done.report.rest == ()
    link.workers.append("b")
    link.look()
    crew.wait(0.01)
    crew.submit(0, Block(2, ids[:1]))
    (done,) = heard(crew, link, said(link.plays[-1][0], Report(blob=b"x\n")))
    assert done.report is not None
    assert sorted(done.report.rest) == sorted(match_id for match_id in ids if "greedy" in match_id)
    assert crew.left_out == {}


def test_a_block_that_breaks_off_is_lost_and_its_worker_plays_on(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    (done,) = heard(crew, link, said(link.plays[0][0], Broken("KeyError: 'x'")))
    assert (done.report, done.begun, done.why) == (None, True, "worker a: KeyError: 'x'")
    assert crew.names() == ["a"]


def test_what_dask_cannot_have_played_is_a_lost_block_too(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    (done,) = heard(crew, link, Failed(link.plays[0][0], "it is too large"))
    assert (done.report, done.begun, done.why) == (None, True, "worker a: it is too large")
    assert crew.names() == ["a"]


def test_a_match_that_broke_off_alone_goes_to_another_worker_and_one_that_is_at_fault_is_not_used(
    order: Order,
) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    ids = tuple(order.setup.schedule().ids())[:3]
    for number, match_id in enumerate(ids, 1):
        crew.submit(0, Block(number, (match_id,)))
        assert link.plays[-1][1] == "a"
        (done,) = heard(crew, link, said(link.plays[-1][0], Broken("OSError: no space left on the disk")))
        assert done.report is None
        crew.submit(0, Block(number, (match_id,)))
        assert link.plays[-1][1] == "b"
        heard(crew, link, said(link.plays[-1][0], Report(ids=[match_id])))
    assert crew.names() == ["b"]
    assert "worker a is not used: 3 matches broke off on it that others have played" in notes


def test_the_same_parcel_is_not_sent_twice_with_one_piece(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    middle = next(spec for spec in order.setup.bots if spec.name == "middle")
    block = Block(1, tuple(match_id for match_id in order.setup.schedule().ids() if "middle" in match_id))
    crew.submit(0, block)
    for _ in range(2):
        heard(crew, link, said(link.plays[-1][0], Wants(versions=(middle.version,))))
    assert [worker for _, worker, _ in link.plays] == ["a", "a", "b"]
    why = "its files were sent there, and cannot be found or read afterwards"
    assert f"worker a cannot play middle: {why}" in notes
    heard(crew, link, said(link.plays[-1][0], Wants(versions=(middle.version,))))
    (done,) = heard(crew, link, said(link.plays[-1][0], Wants(versions=(middle.version,))))
    assert done.report == Report()
    assert crew.left_out == {"middle": f"a: {why}; b: {why}"}


def test_a_worker_without_a_core_in_the_middle_is_asked_again_later(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    crew.submit(0, block_of(order))
    assert heard(crew, link, said(link.plays[0][0], NoCore("no core"))) == []
    assert link.plays[-1][1] == "b"
    assert (crew.names(), notes[-1]) == (["b"], "worker a is not used: no core")
    later = time.monotonic() + CROWDED_SECONDS
    monkeypatch.setattr("time.monotonic", lambda: later)
    link.look()
    for _ in range(3):
        crew._heed(link.events.get())
    assert sorted(crew.names()) == ["a", "b"]


def test_those_who_were_turned_away_are_dismissed_as_well(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    heard(crew, link, said(link.plays[0][0], NoCore("no core")))
    crew.close()
    assert sorted(link.dismissed) == ["a", "b"]


def test_a_pair_that_no_single_worker_has_is_named(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, notes = crew_on(link, order)
    ids = tuple(
        match_id
        for match_id in order.setup.schedule().ids()
        if {"first", "greedy"} < set(match_id.split("."))
    )
    crew.submit(0, Block(1, ids))
    heard(crew, link, said(link.plays[0][0], Refuses({"first": "no cc"})))
    (done,) = heard(crew, link, said(link.plays[1][0], Refuses({"greedy": "no node"})))
    assert done.report == Report()
    assert crew.left_out == {
        "first against greedy": "no single worker has both: a: first: no cc; b: greedy: no node"
    }
    assert notes[-1].startswith("first against greedy cannot be played on any worker that is there")


def test_what_was_left_out_stays_so_until_it_is_handed_out_again(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order, count=2))
    heard(crew, link, said(link.plays[0][0], Refuses(dict.fromkeys(("first", "greedy", "middle"), "no"))))
    before = crew.left_out
    assert before
    link.workers.append("b")
    link.look()
    crew.wait(0.01)
    assert crew.names() == ["a", "b"]
    assert crew.left_out == before


def test_at_the_start_workers_without_a_core_are_waited_for(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers_module, "CROWDED_SECONDS", -1.0)
    link = WatchfulLink("a")
    answers = iter([Greeting("a", "3.11.2", 1, "no core", True), Greeting("a", "3.11.2", 1)])
    link.greeting = lambda name: next(answers)
    crew, _ = crew_on(link, order)
    assert crew.names() == ["a"]


def test_workers_that_get_no_core_within_the_first_minute_end_the_wait(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reception_module, "FIRST_WORKER_SECONDS", 0.2)
    link = FakeLink("a")
    link.greeting = lambda name: Greeting(name, "3.11.2", 1, "no core", True)
    with pytest.raises(UsageError, match="no worker at tcp://fake:8786 can play: a: no core"):
        crew_on(link, order)


def test_when_all_are_refused_each_reason_is_given_once(order: Order) -> None:
    link = FakeLink("a", "b")
    link.greeting = lambda name: Greeting(name, "3.11.2", 1, f"{name} has no bubblewrap")
    notes: list[str] = []
    with pytest.raises(UsageError, match=r"a: a has no bubblewrap .*; b: b has no bubblewrap"):
        DaskCrew(order.setup, order.file.folder, link, notes.append)
    assert notes == []


def test_a_guest_that_does_not_answer_is_not_waited_for_for_ever(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    crew.submit(0, Block(1, tuple(order.setup.schedule().ids())))
    link.version = lambda ticket: Present({"a": "a", "mute": "mute"})
    link.workers.append("mute")
    link.look()
    lacks = Refuses(dict.fromkeys(("first", "greedy", "middle"), "no"))
    assert heard(crew, link, said(link.plays[0][0], lacks)) == []
    later = time.monotonic() + 2 * reception_module.GREETING_SECONDS
    monkeypatch.setattr("time.monotonic", lambda: later)
    crew._heed(Present({"a": "a", "mute": "mute"}))
    (done,) = crew._done
    assert done.report == Report()
    assert set(crew.left_out) == {"first", "greedy", "middle"}


def test_a_worker_silent_for_longer_than_any_block_is_given_up(order: Order) -> None:
    link = FakeLink("a", "b")
    crew, _ = crew_on(link, order)
    crew.submit(0, block_of(order))
    crew._patience = -1.0
    (done,) = crew.wait(0.01)
    assert "it was silent" in done.why
    assert crew.names() == ["b"]


def test_handing_in_gives_back_what_is_not_being_played(order: Order) -> None:
    link = FakeLink("a")
    crew, _ = crew_on(link, order)
    blocks = [block_of(order, 1), block_of(order, 2)]
    for block in blocks:
        crew.submit(0, block)
    crew.hand_in()
    (done,) = crew.wait(0.01)
    assert done.report is not None
    assert (done.block, done.report.rest) == (blocks[1], blocks[1].ids)
    assert link.forgotten == [link.plays[1][0]]


def test_a_match_that_kills_every_worker_is_given_up_and_all_others_are_recorded(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(there, "_own_name", lambda: "fake")
    monkeypatch.setattr(cores, "available", list)  # this process is no worker: it takes no core from one
    poison = tuple(order.setup.schedule().ids())[5]
    link = FakeLink("w1")

    def play_or_die(ticket: int, worker: str, arguments: tuple[Any, ...]) -> Event | None:
        if poison in arguments[1].ids:
            link.workers = [f"w{int(worker[1:]) + 1}"]
            link.look()
            link.look()
            return None
        return Answered(ticket, there.play(*arguments))

    link.answer = play_or_die
    with opened(order) as event:
        crew, _ = crew_on(link, order)
        outcome = event.runner(crew, lambda tally, report: link.look()).run()
        crew.close()
    assert list(outcome.unplayable) == [poison]
    records = played(order.file.path)
    assert records == {key: value for key, value in run_alone(order.file.path).items() if key != poison}


@pytest.mark.parametrize("error", [KeyError("x"), OSError(28, "No space left on device")])
def test_a_match_that_cannot_be_played_is_given_up_and_named_and_all_others_are_recorded(
    order: Order, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(there, "_own_name", lambda: "fake")
    monkeypatch.setattr(cores, "available", list)
    poison = tuple(order.setup.schedule().ids())[5]
    play = TravellingWorker.play

    def play_or_raise(worker: TravellingWorker, block: Block) -> Report:
        if poison in block.ids:
            raise error
        return play(worker, block)

    monkeypatch.setattr(TravellingWorker, "play", play_or_raise)
    link = FakeLink("w1", "w2")
    link.answer = lambda ticket, worker, arguments: Answered(ticket, there.play(*arguments))
    with opened(order) as event:
        crew, _ = crew_on(link, order)
        outcome = event.runner(crew, lambda tally, report: None).run()
        assert crew.names() == ["w1", "w2"]
        crew.close()
    assert list(outcome.unplayable) == [poison]
    assert type(error).__name__ in outcome.unplayable[poison]
    records = played(order.file.path)
    assert records == {key: value for key, value in run_alone(order.file.path).items() if key != poison}


def test_only_what_can_be_played_on_a_cluster_is_asked_of_it(order: Order) -> None:
    folder = order.file.folder
    with pytest.raises(UsageError, match="give the scheduler's address, such as tcp://HOST:8786, or 'local'"):
        hire("somewhere", order.setup, folder, print)
    with pytest.raises(UsageError, match="-j is for this machine"):
        hire("tcp://h:1", order.setup, folder, print, workers=3)
    with pytest.raises(UsageError, match="--ponder is for one machine"):
        hire("local", Setup(order.setup.tournament, order.setup.bots, ponder=True), folder, print)


def test_without_dask_one_line_says_how_to_install_it(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cluster.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"--cluster needs Dask, .*pip install 'bot-arena\[dask\]'"):
        hire("local", order.setup, order.file.folder, print)
