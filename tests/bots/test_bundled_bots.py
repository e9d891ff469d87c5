"""Every bundled bot, as a process: whole legal games in both seats, and manners."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import HUGE_STARTS, STARTS, Talk, manifest, play, table

from arena.catalogue import get_game
from bots import bundled

Built = Callable[[Path], Path]
BOTS = bundled()
each_bot = pytest.mark.parametrize("name", BOTS)


def test_there_is_a_bot_in_every_promised_language() -> None:
    sources = {path.suffix for folder in BOTS.values() for path in folder.iterdir()}
    assert {".py", ".c", ".cpp", ".java", ".js", ".rs", ".sh"} <= sources
    assert {"random", "greedy", "first", "perfect", "searcher"} <= set(BOTS)


@each_bot
def test_the_manifest_names_the_folder_and_only_known_games(name: str) -> None:
    said = manifest(BOTS[name])
    assert said["name"] == name
    assert set(said) <= {"name", "run", "build", "games"}
    assert set(said.get("games", [])) <= set(STARTS)


@each_bot
def test_plays_whole_legal_games_in_both_seats(name: str, built: Built) -> None:
    with table(built(BOTS[name]), BOTS["random"]) as (bot, other):
        for game_id in manifest(BOTS[name]).get("games", STARTS):
            for seats in ((bot, other), (other, bot)):
                winner, moves = play(game_id, seats, STARTS[game_id])
                assert winner in (1, 2)
                assert moves


@each_bot
def test_plays_either_reading_of_linked(name: str, built: Built) -> None:
    with table(built(BOTS[name]), BOTS["random"]) as (bot, other):
        for allow_one in (True, False):
            for seed in range(5):
                play("linked", (bot, other), {"n": 30 + seed, "allow_one": allow_one}, seed)


@each_bot
def test_plays_legally_without_a_list_of_moves(name: str, built: Built) -> None:
    replies = {"squares": "4", "primes": "3", "sum-to-zero": "-7", "grid": "3", "linked": "2"}
    with Talk(built(BOTS[name])) as talk:
        for game_id, reply in replies.items():
            game, huge = get_game(game_id), HUGE_STARTS[game_id]
            start = game.start(game.options(huge), 1)
            for seat, state in ((1, start), (2, game.apply(start, game.read_move(reply)))):
                talk.start(game_id, seat, huge)
                text = talk.ask(game_id, state, listing=False)
                assert game.refusal(state, game.read_move(text)) is None, game_id


@each_bot
def test_divides_a_number_above_n_with_over_a_thousand_divisors(name: str, built: Built) -> None:
    game = get_game("linked")
    given = {"n": 10**9, "allow_one": False}
    state = game.apply(game.start(game.options(given), 1), 735_134_400)
    with Talk(built(BOTS[name])) as talk:
        talk.start("linked", 2, given)
        assert game.refusal(state, game.read_move(talk.ask("linked", state))) is None


@each_bot
def test_ends_quietly_at_the_end_of_its_input(name: str, built: Built) -> None:
    talk = Talk(built(BOTS[name]))
    talk.start("squares", 1, {})
    assert talk.leave(by_word=False) == 0


@each_bot
def test_ends_quietly_when_told_to_quit(name: str, built: Built) -> None:
    talk = Talk(built(BOTS[name]))
    assert talk.leave() == 0


@each_bot
def test_answers_again_after_a_refusal(name: str, built: Built) -> None:
    with Talk(built(BOTS[name])) as talk:
        talk.start("squares", 1, {})
        talk.say("state total=5", "legal 1 4", "go 100")
        assert talk.hear() in ("1", "4")
        talk.say("illegal try again", "go 90")
        assert talk.hear() in ("1", "4")


def moves_by_seed(folder: Path, seed: int) -> list[str]:
    """What a bot answers to the same long list again and again, with one seed."""
    with Talk(folder) as talk:
        talk.start("squares", 1, {}, seed)
        answers = []
        for _ in range(8):
            talk.say("state total=120", "legal " + " ".join(str(k * k) for k in range(1, 11)), "go 100")
            answers.append(talk.hear())
        return answers


@pytest.mark.parametrize("name", ["random", "java-random"])
def test_the_same_seed_gives_the_same_play_and_another_seed_another(name: str, built: Built) -> None:
    folder = built(BOTS[name])
    assert moves_by_seed(folder, 7) == moves_by_seed(folder, 7)
    assert moves_by_seed(folder, 7) != moves_by_seed(folder, 8)


@pytest.mark.parametrize("name", ["random", "greedy", "first", "perfect", "searcher"])
def test_the_python_bots_play_games_that_they_do_not_know(name: str) -> None:
    with Talk(BOTS[name]) as talk:
        talk.say("game tic-tac-toe seat=1 seed=3 move_ms=100")
        assert talk.hear() == "ready"
        talk.say("state board=---------", "legal a1 b2 c3", "go 100")
        assert talk.hear() in ("a1", "b2", "c3")


def one_move(folder: Path, game_id: str, given: dict[str, Any]) -> str:
    game = get_game(game_id)
    with Talk(folder) as talk:
        talk.start(game_id, 1, given)
        return talk.ask(game_id, game.start(game.options(given), 1))


@pytest.mark.parametrize(
    ("name", "game_id", "given", "move"),
    [
        ("first", "squares", {"total": 87}, "1"),
        ("greedy", "squares", {"total": 87}, "81"),
        ("greedy", "sum-to-zero", {}, "9"),
        ("greedy", "primes", {"n": 9000}, "8999"),
        ("c-greedy", "sum-to-zero", {}, "9"),
        ("sh-middle", "squares", {"total": 30}, "9"),
        ("js-snatch", "squares", {"total": 49}, "49"),
        ("rust-careful", "primes", {"n": 10}, "2"),
        ("perfect", "squares", {"total": 87}, "25"),
    ],
)
def test_plays_in_its_own_manner(
    name: str, game_id: str, given: dict[str, Any], move: str, built: Built
) -> None:
    assert one_move(built(BOTS[name]), game_id, given) == move


def test_the_mirror_undoes_the_opponents_number_in_sum_to_zero(built: Built) -> None:
    with table(BOTS["random"], built(BOTS["cpp-mirror"])) as seats:
        winner, moves = play("sum-to-zero", seats, {})
    assert winner == 2
    assert int(moves[1]) == -int(moves[0])
