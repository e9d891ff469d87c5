"""The doctor and its patients: each ill bot gets exactly its own finding, and healthy ones none."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from patients import ZOO, Ill, make_bot

from arena import sandbox
from arena.bot import resolve
from arena.doctor import Report, Severity, examine
from arena.doctor.findings import ADVICE, REMEDIES
from arena.errors import UsageError
from arena.limits import Limits

TROUBLE = sandbox.bubblewrap_trouble()


@pytest.fixture
def server() -> Iterator[int]:
    """A port of this machine on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A file that is not in the bot's folder."""
    path = tmp_path / "elsewhere" / "book.txt"
    path.parent.mkdir()
    path.write_text("4\n", encoding="utf-8")
    return path


def examined(folder: Path, limits: dict[str, int] | None = None, *, mode: str = "auto") -> Report:
    return examine(resolve(str(folder)), limits=Limits(**(limits or {})), positions=40, sandbox_mode=mode)


def told(report: Report) -> str:
    return "\n".join(f"{finding.code}: {finding.what}" for finding in report.findings)


@pytest.mark.parametrize("name", ZOO)
def test_an_ill_bot_gets_exactly_its_finding(name: str, tmp_path: Path, server: int, elsewhere: Path) -> None:
    ill: Ill = ZOO[name]
    if ill.needs_sandbox and TROUBLE is not None:
        pytest.skip(TROUBLE)
    folder = make_bot(
        tmp_path / "patient", ill.changes, ill.games, PORT=str(server), ELSEWHERE=str(elsewhere)
    )
    report = examined(folder, ill.limits)
    assert [finding.code for finding in report.findings] == [ill.code], told(report)
    assert (report.findings[0].severity is Severity.LOSES) == ill.loses
    assert report.ok == (not ill.loses)


def test_every_finding_has_a_bot_that_triggers_it() -> None:
    assert {ill.code for ill in ZOO.values()} | {"no-build"} == set(
        REMEDIES
    )  # that one does not get this far
    assert set(REMEDIES) >= ADVICE


@pytest.mark.parametrize("mode", ["auto", "none"])
def test_a_healthy_bot_has_no_finding(mode: str, tmp_path: Path) -> None:
    report = examined(make_bot(tmp_path / "patient", {}), mode=mode)
    assert report.ok
    assert report.findings == [], told(report)
    assert report.facts["same_seed_same_play"] is True
    assert report.facts["answers"]["count"] >= 40
    kept = report.facts["wins_kept"]["squares"]
    assert 0 < kept["kept"] <= kept["winnable"]


def test_a_bot_that_does_not_use_its_seed_is_noted_and_not_blamed(tmp_path: Path) -> None:
    report = examined(make_bot(tmp_path / "patient", ZOO["plays by chance"].changes))
    assert report.facts["same_seed_same_play"] is False
    assert report.ok
    assert "'seed' of the line 'game'" in report.findings[0].remedy


@pytest.mark.skipif(TROUBLE is not None, reason=str(TROUBLE))
@pytest.mark.parametrize(
    "then", ["pass", "sys.exit('No such file or directory')", "print('EROFS', file=sys.stderr)"]
)
def test_no_bot_gets_out_of_the_sandbox_to_be_examined(then: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    hostile = f"try: open({str(mark)!r}, 'w').close()\nexcept OSError: pass\n{then}"
    examined(make_bot(tmp_path / "patient", {"START": hostile}), mode="bwrap")
    assert not mark.exists()


def test_a_fault_that_does_not_come_back_is_reported_as_itself_and_not_as_leftovers(tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    once = f"if games > 2 and not os.path.exists({mark!r}): open({mark!r}, 'w').close(); move = '2'"
    report = examined(make_bot(tmp_path / "patient", {"GO": once}), mode="none")
    assert [finding.code for finding in report.findings] == ["illegal"], told(report)
    assert report.findings[0].what.startswith("now and then")


def test_a_file_that_is_nowhere_is_the_bots_own_mistake(tmp_path: Path) -> None:
    changes = {"START": "open('/usr/share/no-such-book')"}
    finding = examined(make_bot(tmp_path / "patient", changes)).findings[0]
    assert finding.code == "no-start"
    assert finding.remedy.startswith("Mend what the lines of its standard error say")


@pytest.mark.parametrize(
    "change", [{"GO": "if not options.get('total'): move = 'x'"}, {"GAME": "options['total']"}]
)
@pytest.mark.parametrize("first", ["squares", "primes"])
def test_a_bot_for_one_game_is_told_to_say_so(change: dict[str, str], first: str, tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "patient", change)
    (folder / "bot.toml").write_text("name = 'patient'\nrun = 'python3 bot.py'\n", encoding="utf-8")
    report = examine(resolve(str(folder)), games=[first, "squares", "primes"], positions=40)
    assert not report.ok
    assert all('games = ["squares"]' in finding.remedy for finding in report.findings), told(report)


def test_a_bot_for_a_game_that_is_not_asked_first_is_told_to_say_so(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "patient", {"GAME": "assert rest[0] == 'primes'"})
    (folder / "bot.toml").write_text("name = 'patient'\nrun = 'python3 bot.py'\n", encoding="utf-8")
    report = examine(resolve(str(folder)), games=["squares", "primes"], positions=40)
    assert 'games = ["primes"]' in report.findings[0].remedy


def test_a_missing_ready_is_not_taken_for_a_missing_flush_alone(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "patient", ZOO["never says ready and reads on"].changes)
    finding = examined(folder, {"start_ms": 300}).findings[0]
    assert "Answer every line 'game' with the line 'ready'" in finding.remedy


def test_an_author_can_tell_a_missing_flush_from_the_words_alone(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "patient", ZOO["does not flush moves"].changes)
    finding = examined(folder, {"move_ms": 200}).findings[0]
    assert "flush the output after every move" in finding.what
    assert "flush=True" in finding.remedy


def test_the_end_of_stderr_is_in_the_words_for_a_crash(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "patient", ZOO["exits at once"].changes)
    assert "no dictionary here" in examined(folder).findings[0].what


def test_the_bundled_perfect_bot_keeps_every_win() -> None:
    report = examine(resolve("perfect"), games=["squares", "primes"], positions=100)
    assert report.findings == [], told(report)
    for kept in report.facts["wins_kept"].values():
        assert kept["kept"] == kept["winnable"] > 0


def test_a_slow_bot_is_asked_less_but_plays_both_seats_of_every_game(tmp_path: Path) -> None:
    spec = resolve(str(make_bot(tmp_path / "patient", {})))
    report = examine(spec, positions=1000, budget_seconds=0)
    assert report.facts["cut_short"] is True
    assert 0 < report.facts["answers"]["count"] < 200
    assert report.findings == [], told(report)


def test_only_the_games_that_are_asked_for_are_examined() -> None:
    report = examine(resolve("first"), games=["linked"], positions=20)
    assert report.games == ["linked"]
    assert report.findings == [], told(report)


def test_a_game_that_the_bot_does_not_claim_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not claim to play linked"):
        examine(resolve(str(make_bot(tmp_path / "patient", {}))), games=["linked"])


def test_a_bot_that_plays_nothing_that_is_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="plays none of the installed games"):
        examined(make_bot(tmp_path / "patient", {}, '["chess"]'))


def test_the_remedy_for_a_bot_that_ended_fits_what_it_left_behind() -> None:
    report = Report("bot", "0", [])
    report.find("crashed", "exited with status 0", "squares")
    report.find("crashed", "exited with status 1", "linked", stderr="SyntaxError: invalid syntax")
    report.find("no-start", "did not start: exited with status 1", stderr="SyntaxError: invalid syntax")
    first, second, third = (finding.remedy for finding in report.findings)
    assert first.startswith("It left by itself: ")
    assert second.startswith(third)
    assert third == "Mend what the lines of its standard error say, above."
