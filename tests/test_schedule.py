"""The schedule: pairing by pairing, fair at every moment, and unmoved by whatever is added later."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.catalogue import get_game
from arena.errors import UsageError
from arena.names import quote
from arena.schedule import Schedule, circle, drawn, random_opening, read_id
from arena.tournament import Tournament, parse

GAMES = '[{ id = "squares", options = { total = [50, 200] }, opening_plies = 2 }, { id = "grid" }]'


def tournament(bots: list[str], games: str = GAMES, **keys: object) -> Tournament:
    lines = [f"{key} = {str(value).lower() if value is True else value!r}" for key, value in keys.items()]
    entries = "".join(f'[[bots]]\nname = "{bot}"\nrun = "true"\n' for bot in bots)
    return parse("\n".join(['name = "x"', *lines, f"games = {games}", entries]), Path("x.toml")).tournament


def starts(schedule: Schedule) -> dict[str, object]:
    return {match_id: schedule.match_of(match_id) for match_id in schedule.ids()}


@pytest.mark.parametrize("count", range(2, 12))
def test_the_circle_brings_every_two_together_once_and_nobody_twice_at_a_time(count: int) -> None:
    names = [str(number) for number in range(count)]
    rounds = list(circle(names))
    assert len(rounds) == (count - 1 if count % 2 == 0 else count)
    for pairs in rounds:
        seated = [name for pair in pairs for name in pair]
        assert len(seated) == len(set(seated)) == count - count % 2
    met = Counter(tuple(sorted(pair)) for pairs in rounds for pair in pairs)
    assert met == Counter(tuple(sorted(pair)) for pair in combinations(names, 2))


def test_the_round_robin_of_three_is_this_one() -> None:
    schedule = Schedule(tournament(["bob", "alice", "a.b"], '[{ id = "squares" }]', rounds=2))
    assert list(schedule.ids()) == [
        f"squares.{pair}.{number}{seating}"
        for number in (1, 2)
        for pair in ("a%2Eb.alice", "a%2Eb.bob", "alice.bob")
        for seating in "ab"
    ]
    assert len(schedule) == 12


def test_both_matches_of_a_pair_have_one_start_and_swapped_seats() -> None:
    schedule = Schedule(tournament(["alice", "bob"], rounds=3))
    for pairing in schedule.pairings():
        a, b = map(schedule.match_of, pairing.ids)
        assert (a.options, a.seed, a.opening, a.game) == (b.options, b.seed, b.opening, b.game)
        assert (a.bots, b.bots) == (("alice", "bob"), ("bob", "alice"))
        assert 0 <= a.seed < 2**31


def test_games_that_begin_alike_in_every_round_are_known() -> None:
    games = (
        '[{ id = "squares" }, { id = "squares", opening_plies = 1 }, { id = "grid" }, '
        '{ id = "linked", options = { n = [40, 90] } }, { id = "primes", options = { n = [50, 50] } }]'
    )
    assert Schedule(tournament(["a", "b"], games, rounds=2)).repeated_starts() == ["squares", "primes"]
    assert Schedule(tournament(["a", "b"], games, rounds=1)).repeated_starts() == []


def test_a_match_can_be_pinned_down_for_ever() -> None:
    match = Schedule(tournament(["alice", "bob"], rounds=3, seed=7)).match_of("squares.alice.bob.3a")
    assert (match.game, match.options, match.seed, match.opening, match.bots) == PINNED
    assert pickle.loads(pickle.dumps(match)) == match


PINNED = ("squares", {"total": 125}, 823895291, ("81", "25"), ("alice", "bob"))


@given(st.permutations(["alice", "bob", "c d", "e.f"]), st.integers(1, 3))
def test_what_is_added_changes_no_id_and_no_start(bots: list[str], rounds: int) -> None:
    before = starts(Schedule(tournament(["alice", "bob", "c d"], rounds=rounds)))
    more_games = GAMES[:-1] + ', { id = "primes" }, { id = "squares", options = { total = 9 } }]'
    after = starts(Schedule(tournament([*bots, "0 early", "zoe"], more_games, rounds=rounds + 1)))
    assert before.items() <= after.items()


def test_another_seed_is_another_start() -> None:
    one, other = (Schedule(tournament(["alice", "bob"], seed=seed, rounds=8)) for seed in (1, 2))
    assert list(one.ids()) == list(other.ids())
    seeds = [{m: schedule.match_of(m).seed for m in schedule.ids()} for schedule in (one, other)]
    assert all(seeds[0][m] != seeds[1][m] for m in seeds[0])


def test_a_game_listed_twice_has_ids_and_starts_of_its_own() -> None:
    games = '[{ id = "squares", options = { total = 50 } }, { id = "squares", options = { total = 60 } }]'
    schedule = Schedule(tournament(["alice", "bob"], games))
    assert sorted(schedule.ids()) == [
        "squares.alice.bob.1a", "squares.alice.bob.1b", "squares~2.alice.bob.1a", "squares~2.alice.bob.1b",
    ]  # fmt: skip
    again = schedule.match_of("squares~2.alice.bob.1a")
    assert (again.game, again.options) == ("squares", {"total": 60})
    assert again.seed != schedule.match_of("squares.alice.bob.1a").seed


def test_options_are_drawn_from_the_whole_range() -> None:
    games = '[{ id = "squares", options = { total = [3, 6] } }]'
    schedule = Schedule(tournament(["alice", "bob"], games, rounds=100))
    drawn_totals = Counter(schedule.match_of(match_id).options["total"] for match_id in schedule.ids())
    assert set(drawn_totals) == {3, 4, 5, 6}


def test_a_gauntlet_is_every_hero_against_everyone_else() -> None:
    cup = tournament(["a", "b", "c", "d", "e"], '[{ id = "grid" }]', format="gauntlet", heroes=["d", "b"])
    schedule = Schedule(cup)
    met = {(pairing.first, pairing.second) for pairing in schedule.pairings()}
    assert met == {("a", "b"), ("b", "c"), ("b", "e"), ("a", "d"), ("c", "d"), ("d", "e")}
    assert len(schedule) == len(list(schedule.ids())) == 12
    assert "grid.b.d.1a" not in schedule
    whole = Schedule(tournament(["a", "b", "c", "d", "e"], '[{ id = "grid" }]'))
    assert starts(schedule).items() <= starts(whole).items()


def test_a_bot_plays_only_the_games_that_it_plays() -> None:
    schedule = Schedule(tournament(["a", "b", "c"]), {"c": ["grid"], "b": None})
    assert Counter(pairing.key for pairing in schedule.pairings()) == {"grid": 3, "squares": 1}
    assert len(schedule) == 8
    assert "squares.a.c.1a" not in schedule
    assert "grid.a.c.1a" in schedule


@given(st.integers(2, 23), st.integers(1, 9), st.integers(1, 2), st.integers(0, 3))
def test_tiles_hold_every_pairing_once_and_few_bots_each(
    bots: int, size: int, rounds: int, heroes: int
) -> None:
    names = [f"bot {number}" for number in range(bots)]
    keys = {"format": "gauntlet", "heroes": names[-heroes:]} if 0 < heroes < bots else {}
    schedule = Schedule(tournament(names, rounds=rounds, **keys))
    tiles = list(schedule.tiles(size))
    assert all(len({name for p in tile for name in (p.first, p.second)}) <= 2 * size for tile in tiles)
    assert Counter(p for tile in tiles for p in tile) == Counter(schedule.pairings())
    assert len(schedule) == 2 * sum(map(len, tiles)) == len(set(schedule.ids()))
    assert [p.round for tile in tiles for p in tile] == sorted(p.round for tile in tiles for p in tile)


@pytest.mark.parametrize("bots", [2, 7, 10])
def test_at_any_moment_all_bots_have_played_about_equally_often(bots: int) -> None:
    names = [f"bot {number}" for number in range(bots)]
    played = Counter(dict.fromkeys(names, 0))
    for pairing in Schedule(tournament(names, rounds=3)).pairings():
        played.update([pairing.first, pairing.second])
        assert max(played.values()) - min(played.values()) <= 2 * len(GAMES.split("},"))


@pytest.mark.parametrize(
    "text",
    ["", "squares", "squares.alice.bob.1", "squares.alice.bob.1c", "squares.bob.alice.1a", "squares.alice.bob.0a",
     "squares.alice.bob.4a", "squares.alice.bob.01a", "squares.alice.alice.1a", "chess.alice.bob.1a",
     "squares.alice.eve.1a", "squares.alice.bob.1a.1a", "squares.alice.bob.\u0661a", "squares.alice.bob.1a\n"],
)  # fmt: skip
def test_an_id_that_is_not_in_the_schedule_is_refused(text: str) -> None:
    schedule = Schedule(tournament(["alice", "bob"], rounds=3))
    assert text not in schedule
    with pytest.raises(UsageError, match=r"no match .* is in the schedule of 'x'"):
        schedule.match_of(text)


@pytest.mark.parametrize("name", ["a b", "../..", "a.b", "Żółw", "%2E", "1a", "囲碁" * 20])
def test_any_name_gives_ids_that_come_apart_again(name: str) -> None:
    schedule = Schedule(tournament([name, "bob"]))
    for match_id in schedule.ids():
        parts = read_id(match_id)
        assert parts is not None
        assert {parts.first, parts.second} == {quote(name), "bob"}
        assert name in schedule.match_of(match_id).bots
        assert "/" not in match_id
        assert len(match_id.encode()) < 250


# --- openings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["squares", "primes", "sum-to-zero", "grid", "linked"])
@given(seed=st.integers(0, 2**31 - 1), plies=st.integers(0, 12))
def test_an_opening_is_legal_and_leaves_the_game_open(game_id: str, seed: int, plies: int) -> None:
    game = get_game(game_id)
    opening = random_opening(game, {}, seed, plies)
    state = game.start(game.options(), seed)
    for text in opening:
        move = game.read_move(text)
        assert game.refusal(state, move) is None
        state = game.apply(state, move)
    assert game.outcome(state) is None
    assert len(opening) <= plies
    if len(opening) < plies:  # only where every further move ends the game
        assert all(game.outcome(game.apply(state, move)) is not None for move in game.legal_moves(state))


def test_openings_differ_from_pair_to_pair() -> None:
    schedule = Schedule(tournament(["alice", "bob"], rounds=20))
    openings = {schedule.match_of(f"squares.alice.bob.{number}a").opening for number in range(1, 21)}
    assert len(openings) > 10


def test_an_opening_is_quick_where_there_are_millions_of_moves() -> None:
    opening = random_opening(get_game("linked"), {"n": 10**6}, 1, 1)
    assert len(opening) == 1


def test_a_draw_depends_on_its_parts_alone() -> None:
    assert drawn(1000, 1, "a") == drawn(1000, 1, "a") != drawn(1000, 1, "b")
    assert drawn(2**31, 7, "squares", "alice", "bob", 3, "seed") == 823895291


def test_the_first_of_two_million_matches_is_had_without_the_others() -> None:
    games = ", ".join(
        f'{{ id = "{game}", opening_plies = 2 }}' for game in ("squares", "primes", "grid", "linked")
    )
    cup = tournament([f"bot {number}" for number in range(200)], f"[{games}]", rounds=13)
    schedule = Schedule(cup)
    assert len(schedule) == 200 * 199 * 4 * 13
    assert schedule.match_of(next(schedule.ids())).bots == ("bot 0", "bot 199")
    assert len(next(schedule.tiles())) == 4 * 28
