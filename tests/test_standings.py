"""Standings: counted right, in whatever order, ranked as stated, and shaped as the contract has it."""

from __future__ import annotations

import json
from array import array
from math import ceil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.record import Ending, Head, record_line
from arena.standings import Score, Share, Standings, ThinkTimes

BOTS = ["alice", "bob", "carol", "dave"]


def head(
    first: str, second: str, winner: int | None = 1, game: str = "squares", ending: str = "completed",
    at_fault: int | None = None, version: str = "v1", started: str = "2026-01-31T12:00:00Z",
    think: tuple[list[float], list[float]] = ([1.0], [2.0]),
) -> Head:  # fmt: skip
    times = array("d", think[0]), array("d", think[1])
    versions = version, version
    return Head("id", game, (first, second), versions, winner, ending, at_fault, started, *times)


def standings(*heads: Head) -> Standings:
    return Standings.from_records(heads)


def ranks(found: Standings, game: str = "all") -> list[tuple[int, str]]:
    return [(row.rank, row.bot) for row in found.table(game).rows]


def test_the_table_of_a_game_that_is_none_of_the_run_is_refused_with_those_that_are() -> None:
    played = standings(head("alice", "bob"))
    with pytest.raises(UsageError, match=r"^no table of 'foo' in this run: there are all, squares$"):
        played.table("foo")
    assert Standings(["grid"]).table("grid").rows == []


def test_wins_draws_and_losses_are_counted_from_both_seats() -> None:
    found = standings(
        head("alice", "bob"), head("bob", "alice"), head("alice", "bob", 0), head("bob", "alice", 2)
    )
    rows = {row.bot: row.score for row in found.table().rows}
    assert rows == {"alice": Score(2, 1, 1), "bob": Score(1, 1, 2)}
    assert (rows["alice"].points, rows["alice"].matches, found.played) == (2.5, 4, 4)


def test_a_void_match_counts_for_nothing() -> None:
    found = standings(head("alice", "bob", None, ending="void"))
    assert (found.played, found.void, found.table().rows) == (0, 1, [])


def test_each_game_has_its_table_and_all_of_them_one_more() -> None:
    found = standings(head("alice", "bob"), head("bob", "carol", game="grid"))
    assert [(table.game, len(table.rows)) for table in found.tables()] == [
        ("all", 3),
        ("grid", 2),
        ("squares", 2),
    ]


heads = st.builds(
    lambda pair, winner, game, ending, think: head(
        *pair, winner=0 if ending == "turn-limit" else winner, game=game, ending=ending,
        at_fault=3 - winner if ending == "timeout" else None, think=think,
    ),
    st.permutations(BOTS).map(lambda names: (names[0], names[1])),
    st.sampled_from([1, 2]),
    st.sampled_from(["squares", "grid"]),
    st.sampled_from(["completed", "timeout", "turn-limit"]),
    st.tuples(*[st.lists(st.floats(0, 1e4), max_size=3)] * 2),
)  # fmt: skip


@given(st.lists(heads, max_size=30), st.randoms())
def test_the_order_of_records_does_not_matter(records: list[Head], chance: Random) -> None:
    shuffled = records[:]
    chance.shuffle(shuffled)
    assert standings(*records).to_json("x", 0, details=True) == standings(*shuffled).to_json(
        "x", 0, details=True
    )


@given(st.lists(heads, max_size=30))
def test_sums_agree_with_each_other(records: list[Head]) -> None:
    found = standings(*records)
    for table in found.tables():
        total = sum(row.score.matches for row in table.rows)
        assert total == 2 * sum(table.game in ("all", record.game) for record in records)
        assert sum(row.score.points for row in table.rows) == total / 2
        for row in table.rows:
            assert sum(row.endings.values()) == row.score.matches
            assert sum(score.matches for score in table.against[row.bot].values()) == row.score.matches
            assert row.rating.low <= row.rating.rating <= row.rating.high


# --- the order of the table ------------------------------------------------------------------------


def test_rank_goes_by_score_a_match_and_not_by_matches_played() -> None:
    found = standings(*[head("alice", "bob")] * 3, *[head("carol", "bob")] * 2, head("bob", "dave"))
    assert ranks(found) == [(1, "alice"), (1, "carol"), (3, "bob"), (4, "dave")]


def test_equal_scores_are_equal_rank_and_listed_head_to_head() -> None:
    beats = [
        ("bob", "alice"),
        ("alice", "carol"),
        ("carol", "dave"),
        ("dave", "bob"),
        ("bob", "carol"),
        ("alice", "dave"),
    ]
    found = standings(*[head(*pair) for pair in beats])
    assert ranks(found) == [(1, "bob"), (1, "alice"), (3, "carol"), (3, "dave")]


def test_after_head_to_head_comes_sonneborn_berger() -> None:
    # alice and bob drew; alice's other point is from carol, who is better than dave, from whom bob has his
    pairs = [("alice", "bob", 0), ("alice", "carol", 1), ("alice", "dave", 2), ("bob", "dave", 1), ("bob", "carol", 2),
             ("carol", "dave", 1)]  # fmt: skip
    found = standings(*[head(*pair) for pair in pairs])
    assert ranks(found) == [(1, "carol"), (2, "alice"), (2, "bob"), (4, "dave")]


def test_the_top_of_the_table_is_the_same_without_ratings() -> None:
    found = standings(head("alice", "bob"), head("carol", "bob"), head("carol", "alice"))
    assert (
        [bot for bot, _ in found.leaders(2)]
        == [row.bot for row in found.table().rows][:2]
        == ["carol", "alice"]
    )


# --- how matches ended, and how long bots thought --------------------------------------------------


def test_a_fault_counts_for_the_bot_at_fault_alone() -> None:
    found = standings(
        head("alice", "bob", 1, ending="timeout", at_fault=2), head("alice", "bob", 0, ending="turn-limit")
    )
    endings = {row.bot: row.endings for row in found.table().rows}
    assert endings == {"alice": {"completed": 1, "turn-limit": 1}, "bob": {"timeout": 1, "turn-limit": 1}}


def test_the_version_is_the_one_that_started_last_and_others_are_counted() -> None:
    early, late = "2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z"
    found = standings(
        head("alice", "bob", version="new", started=late), head("alice", "bob", version="old", started=early)
    )
    assert [(row.version, row.versions) for row in found.table().rows] == [("new", 2), ("new", 2)]


def test_few_think_times_are_exact() -> None:
    times = ThinkTimes()
    times.extend(array("d", [5.0, 1.0, 3.0, 100.0]))
    assert (times.quantile(0.5), times.quantile(0.99), len(times)) == (3.0, 100.0, 4)
    assert ThinkTimes().quantile(0.5) is None


@given(st.integers(1025, 1300), st.floats(0.1, 5), st.integers(0, 99), st.sampled_from([0.01, 0.5, 0.99]))
def test_many_think_times_are_within_one_percent(count: int, spread: float, seed: int, share: float) -> None:
    chance = Random(seed)
    values = [chance.lognormvariate(0, spread) for _ in range(count)]
    times = ThinkTimes()
    for at in range(0, len(values), 100):
        times.extend(array("d", values[at : at + 100]))
    exact = sorted(values)[ceil(share * count) - 1]
    found = times.quantile(share)
    assert found is not None
    assert abs(found - exact) <= 0.01 * exact + 0.0006  # a time is told in whole microseconds
    assert len(times) == len(values)


def test_think_times_of_two_games_add_up() -> None:
    found = standings(
        head("alice", "bob", think=([1.0, 9.0], [])), head("alice", "bob", game="grid", think=([5.0], []))
    )
    rows = {row.bot: (row.median_ms, row.p99_ms) for row in found.table().rows}
    assert rows == {"alice": (5.0, 9.0), "bob": (None, None)}


# --- first seat ------------------------------------------------------------------------------------


def test_the_first_seats_share_has_a_wilson_interval() -> None:
    share = Share.of(Score(60, 0, 40))
    assert share is not None
    assert (share.share, round(share.low, 4), round(share.high, 4)) == (0.6, 0.5020, 0.6906)
    assert Share.of(Score(0, 0, 0)) is None


def test_the_first_seats_share_is_of_all_matches() -> None:
    seat = standings(head("alice", "bob"), head("bob", "alice"), head("alice", "bob", 2)).table().first_seat
    assert seat is not None
    assert (seat.share, seat.matches) == (pytest.approx(2 / 3), 3)


# --- the contract's JSON ---------------------------------------------------------------------------


def test_the_json_is_shaped_as_in_the_contract() -> None:
    data = json.loads(json.dumps(standings(head("alice", "bob")).to_json("spring-cup", 480)))
    assert list(data) == ["run", "played", "scheduled", "tables"]
    assert (data["run"], data["played"], data["scheduled"]) == ("spring-cup", 1, 480)
    assert [list(table) for table in data["tables"]] == [["game", "rows"]] * 2
    row = data["tables"][0]["rows"][0]
    assert list(row) == ["rank", "bot", "version", "matches", "wins", "draws", "losses", "score", "rating", "low",
                         "high", "endings", "think_ms"]  # fmt: skip
    assert (row["score"], row["endings"], row["think_ms"]) == (
        1.0,
        {"completed": 1},
        {"median": 1.0, "p99": 1.0},
    )


def test_a_file_that_grows_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    line = record_line(
        id="a", game="squares", options={}, seed=1, opening=[], bots=[("alice", "1"), ("bob", "2")], moves=[],
        winner=1, ending=Ending.COMPLETED, at_fault=None, detail="", started="2026-01-31T12:00:00Z", wall_ms=1.0,
    )  # fmt: skip
    path = tmp_path / "matches.jsonl"
    other = line.replace('"id": "a"', '"id": "b"')
    path.write_text(f"{line}\n{other}\n{line[:70]}")
    assert Standings.read(path).played == 2
