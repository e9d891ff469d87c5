"""`arena bench`: figures of real matches, as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from arena import bench
from arena.cli import main
from arena.organiser import default_workers


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measurements as another machine might give them."""

    def measure(seconds: float, mode: str) -> Iterator[bench.Figure]:
        yield bench.Figure("c-greedy", "C", 2, mode, seconds, 4000, 80_000)

    monkeypatch.setattr("arena.cli.bench.measure", measure)


def leave(*args: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(["bench", *args])
    return left.value.code


@pytest.mark.usefixtures("figures")
def test_the_table_has_rates_and_the_time_of_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--seconds", "2", "--sandbox", "none") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[2].split() == ["c-greedy", "C", "2", "2,000", "40,000", "50.0"]
    assert "sandbox none" in out


@pytest.mark.usefixtures("figures")
def test_json_has_the_counts_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("--seconds", "2", "--sandbox", "none", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["figures"] == [
        {"bot": "c-greedy", "language": "C", "workers": 2, "sandbox": "none", "seconds": 2.0, "matches": 4000,
         "moves": 80_000}
    ]  # fmt: skip


def test_real_matches_are_counted_on_one_worker_and_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "BOTS", (("first", "Python"),))
    monkeypatch.setattr(bench, "WARM_SECONDS", 0.0)
    measured = list(bench.measure(0.1, "none"))
    assert [figure.workers for figure in measured] == sorted({1, default_workers()})
    for figure in measured:
        assert figure.seconds >= 0.1
        assert figure.moves > figure.matches > 0
        assert figure.us_per_move > 0


def test_bots_that_cannot_be_built_here_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "BOTS", (("no-such-bot", "COBOL"),))
    assert list(bench.measure(0.1, "none")) == []
