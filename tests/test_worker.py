"""A worker with real bots: it keeps them alive, hands in on time, and leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from legal_bot import legal_bot

from arena.bot import resolve
from arena.tournament import parse
from arena.worker import BLOCK_SECONDS, LIVE_BOTS, SPARE_SECONDS, Block, Setup, Worker


def setup(
    folder: Path,
    bots: int = 2,
    limits: str = "",
    options: str = "total = [20, 30]",
    program: str = legal_bot(),
) -> Setup:
    script = folder / "bot.py"
    script.write_text(program)
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
    assert tuple(record["id"] for record in records) == ids == tuple(report.ids)
    assert report.rest == ()
    assert report.moves == sum(len(record["moves"]) for record in records)
    for record, (first, second, winner, ending) in zip(records, report.results, strict=True):
        assert [bot["name"] for bot in record["bots"]] == [first, second]
        assert (record["result"]["winner"], record["result"]["ending"]) == (winner, ending)


def test_bots_stay_alive_between_matches_and_blocks(worker: Worker) -> None:
    ids = all_ids(worker)
    assert worker.play(Block(1, ids[:5]), seconds=1000).starts == 2
    assert worker.play(Block(2, ids[5:10]), seconds=1000).starts == 0


def test_when_the_time_is_over_the_rest_is_handed_back_but_one_match_is_played(worker: Worker) -> None:
    ids = all_ids(worker)[:4]
    report = worker.play(Block(1, ids), seconds=0)
    assert (report.ids, report.rest) == ([ids[0]], ids[1:])


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


@pytest.mark.parametrize("change", ["edit", "remove"])
def test_a_bot_whose_files_were_changed_is_not_played_under_the_old_version(
    tmp_path: Path, change: str
) -> None:
    made = setup(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    (home / "bot.py").write_text(legal_bot())
    (home / "bot.toml").write_text('name = "restless"\nrun = "python3 bot.py"\n')
    restless = resolve(str(home)).renamed("b01")
    worker = Worker(Setup(made.tournament, (made.bots[0], restless), restart=True))
    ids = all_ids(worker)[:3]
    try:
        assert worker.play(Block(1, ids[:1]), seconds=1000).results[0][3] == "completed"
        if change == "edit":
            (home / "bot.py").write_text(legal_bot("-1"))
        else:
            home.rename(tmp_path / "away")
        (line,) = worker.play(Block(2, ids[1:2]), seconds=1000).lines
        result = json.loads(line)["result"]
        assert (result["ending"], result["at_fault"]) == ("void", None)
        assert result["detail"].startswith(
            f"the files of b01 {'were changed' if change == 'edit' else 'are gone'}"
        )
        if change == "edit":
            (home / "bot.py").write_text(legal_bot())
        else:
            (tmp_path / "away").rename(home)
        assert worker.play(Block(3, ids[2:]), seconds=1000).results[0][3] == "completed"
    finally:
        worker.close()


def four_bots(folder: Path, program: str) -> tuple[Worker, tuple[str, ...]]:
    """A worker, and two matches without a bot in common."""
    worker = Worker(setup(folder, bots=4, limits="start_ms = 20000", program=program))
    ids = [i for i in all_ids(worker) if i in ("squares.b00.b01.1a", "squares.b02.b03.1a")]
    assert len(ids) == 2
    return worker, tuple(ids)


def test_bots_of_the_next_matches_start_together(tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    wait_for_three_others = (
        "import os\n"
        f"open(os.path.join({str(meeting)!r}, str(os.urandom(8).hex())), 'w').close()\n"
        f"while len(os.listdir({str(meeting)!r})) < 4: pass\n"
    )
    worker, ids = four_bots(tmp_path, wait_for_three_others + legal_bot())
    try:
        report = worker.play(Block(1, ids), seconds=1000)
    finally:
        worker.close()
    assert [result[3] for result in report.results] == ["completed", "completed"]
    assert report.starts == 4


def test_a_bot_that_was_told_of_a_game_that_another_worker_plays_begins_afresh(tmp_path: Path) -> None:
    worker, ids = four_bots(tmp_path, legal_bot())
    other = "squares.b02.b03.1b"
    try:
        assert worker.play(Block(1, ids), seconds=0).rest == ids[1:]
        report = worker.play(Block(2, (other,)), seconds=1000)
        assert (report.ids, report.starts) == ([other], 2)
        assert report.results[0][3] == "completed"
        assert worker.play(Block(3, ids[1:]), seconds=1000).starts == 0
    finally:
        worker.close()


def test_a_bot_that_fails_ahead_of_its_turn_loses_in_its_turn(tmp_path: Path) -> None:
    worker, ids = four_bots(tmp_path, "import sys\nsys.exit('no')\n")
    try:
        report = worker.play(Block(1, ids), seconds=1000)
    finally:
        worker.close()
    assert [result[3] for result in report.results] == ["no-start", "no-start"]
    assert all(json.loads(line)["stderr"] == "no\n" for line in report.lines)


@pytest.mark.parametrize("restart", [False, True])
def test_who_meets_a_bot_that_does_not_start_plays_on_as_if_nothing_had_been(
    tmp_path: Path, restart: bool
) -> None:
    made = setup(tmp_path, bots=3)
    (tmp_path / "dies.py").write_text("raise SystemExit(1)\n")
    dies = resolve(str(tmp_path / "dies.py")).renamed("b02")
    worker = Worker(Setup(made.tournament, (*made.bots[:2], dies), restart=restart))
    ids = ("squares.b00.b02.1b", "squares.b00.b01.1a", "squares.b00.b02.1a", "squares.b00.b01.1b")
    try:
        report = worker.play(Block(1, ids), seconds=1000)
    finally:
        worker.close()
    assert [result[3] for result in report.results] == ["no-start", "completed", "no-start", "completed"]
