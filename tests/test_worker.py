"""A worker with real bots: it keeps them alive, hands in on time, and leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bot import resolve
from arena.tournament import parse
from arena.worker import BLOCK_SECONDS, LIVE_BOTS, SPARE_SECONDS, Block, Setup, Worker

BOT = """\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(legal[0], flush=True)
    elif word == "quit":
        break
"""


def setup(folder: Path, bots: int = 2, limits: str = "", options: str = "total = [20, 30]") -> Setup:
    script = folder / "bot.py"
    script.write_text(BOT)
    listed = "".join(f'[[bots]]\nname = "b{number:02}"\npath = "bot.py"\n' for number in range(bots))
    games = f'[[games]]\nid = "squares"\noptions = {{ {options} }}\n'
    text = f'name = "cup"\nrounds = 10\n{games}[limits]\n{limits}\n{listed}'
    tournament = parse(text, folder / "cup.toml").tournament
    spec = resolve(str(script))
    return Setup(tournament, tuple(spec.renamed(bot.name) for bot in tournament.bots))


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    made = Worker(setup(tmp_path), name="here")
    yield made
    made.close()


def all_ids(worker: Worker) -> tuple[str, ...]:
    return tuple(worker.setup.schedule().ids())


def test_a_block_is_played_in_its_order_and_its_records_say_who_played_it(worker: Worker) -> None:
    ids = all_ids(worker)[:6]
    report = worker.play(Block(1, ids), seconds=1000)
    records = [json.loads(line) for line in report.lines]
    assert tuple(record["id"] for record in records) == ids == tuple(result[0] for result in report.results)
    assert report.rest == ()
    assert report.moves == sum(len(record["moves"]) for record in records)
    for record, (_, first, second, winner, ending) in zip(records, report.results, strict=True):
        assert [bot["name"] for bot in record["bots"]] == [first, second]
        assert (record["result"]["winner"], record["result"]["ending"]) == (winner, ending)


def test_bots_stay_alive_between_matches_and_blocks(worker: Worker) -> None:
    ids = all_ids(worker)
    assert worker.play(Block(1, ids[:5]), seconds=1000).starts == 2
    assert worker.play(Block(2, ids[5:10]), seconds=1000).starts == 0


def test_when_the_time_is_over_the_rest_is_handed_back_but_one_match_is_played(worker: Worker) -> None:
    ids = all_ids(worker)[:4]
    report = worker.play(Block(1, ids), seconds=0)
    assert ([result[0] for result in report.results], report.rest) == ([ids[0]], ids[1:])


def test_a_worker_that_is_to_hand_in_plays_nothing_more(worker: Worker) -> None:
    ids = all_ids(worker)[:4]
    worker.hand_in()
    report = worker.play(Block(1, ids))
    assert (report.lines, report.rest) == ([], ids)


def test_no_more_bots_are_kept_than_a_tile_needs(tmp_path: Path) -> None:
    worker = Worker(setup(tmp_path, bots=LIVE_BOTS + 4))
    hub = [
        match_id
        for match_id in all_ids(worker)
        if match_id.startswith("squares.b00.") and match_id.endswith(".1a")
    ]
    assert len(hub) == LIVE_BOTS + 3
    try:
        assert worker.play(Block(1, tuple(hub)), seconds=1000).starts == LIVE_BOTS + 4
        assert worker.play(Block(2, (hub[-1],)), seconds=1000).starts == 0
        assert worker.play(Block(3, (hub[0],)), seconds=1000).starts == 1
    finally:
        worker.close()


def test_a_worker_counts_as_stuck_only_after_the_longest_match_there_can_be(tmp_path: Path) -> None:
    plain = setup(tmp_path, limits="move_ms = 1000\nstart_ms = 5000").longest_block_seconds()
    # four tries of a match with two starts of 5 s and 30 moves of 1 s, each of which may be held up as long again
    assert plain == BLOCK_SECONDS + SPARE_SECONDS + 4 * (2 * 5 + 2 * 30 * 1)
    banked = setup(
        tmp_path, limits="bank_ms = 2000\nincrement_ms = 100\nstart_ms = 5000"
    ).longest_block_seconds()
    assert banked == BLOCK_SECONDS + SPARE_SECONDS + 4 * (2 * 5 + 2 * (2 * 2 + 30 * 0.1))
