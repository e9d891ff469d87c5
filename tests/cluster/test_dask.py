"""The same tournament on real Dask processes: what is recorded is what one machine records, whatever happens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cluster_hosts import Cluster, hold_until_seated, played, run_alone, run_on, workers_of, write_tournament
from toolchains import works

from arena.cluster.crew import DaskCrew
from arena.runner import Runner, Tally

pytestmark = [pytest.mark.xdist_group("cluster"), pytest.mark.filterwarnings("ignore::ResourceWarning")]

FIRST, GREEDY = 'name = "first"', 'name = "greedy"'


def children_of(pid: int) -> list[int]:
    """All processes below one."""
    found, queue = [], [pid]
    while queue:
        parent = queue.pop()
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            below = [int(word) for word in task.read_text().split()]
            found += below
            queue += below
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_two_workers_record_what_one_machine_records_and_are_named(cluster: Cluster, tmp_path: Path) -> None:
    path = write_tournament(tmp_path, FIRST, GREEDY)
    cluster.start_worker("left")
    cluster.start_worker("right")
    outcome, notes, _ = run_on(cluster.address, path)
    assert outcome.complete
    assert notes == [] or notes == [f"waiting for workers at {cluster.address}"]
    assert played(path) == run_alone(path)
    assert workers_of(path) <= {"left", "right"}


def test_a_worker_killed_in_the_middle_loses_no_match_and_its_bots_end(
    cluster: Cluster, tmp_path: Path
) -> None:
    path = write_tournament(tmp_path, FIRST, GREEDY, rounds=200)
    cluster.start_worker("left")
    cluster.start_worker("right")
    bots: list[int] = []

    def kill_one(tally: Tally, crew: DaskCrew, runner: Runner) -> None:
        if not bots and tally.played:
            hold_until_seated(crew, "left", "right")
            bots.extend(children_of(cluster.workers["left"].pid))
            if bots:
                cluster.kill("left")

    outcome, _, crew = run_on(cluster.address, path, kill_one)
    assert bots
    assert outcome.complete
    assert crew.names() == ["right"]
    assert played(path) == run_alone(path)
    assert not [pid for pid in bots if is_running(pid)]


def test_a_scheduler_that_is_started_again_is_found_and_everything_is_sent_again(
    cluster: Cluster, tmp_path: Path
) -> None:
    path = write_tournament(tmp_path, FIRST, GREEDY)
    cluster.start_worker("left")
    restarted: list[int] = []

    def restart(tally: Tally, crew: DaskCrew, runner: Runner) -> None:
        if not restarted and tally.played:
            cluster.scheduler.kill()
            cluster.scheduler.wait()
            cluster.kill("left")
            cluster.start_scheduler()
            cluster.start_worker("right")
            restarted.append(tally.played)

    outcome, _, _ = run_on(cluster.address, path, restart)
    assert restarted
    assert restarted[0] < outcome.tally.scheduled
    assert outcome.complete
    assert workers_of(path) == {"left", "right"}
    assert played(path) == run_alone(path)


def test_a_worker_that_joins_late_plays_its_part(cluster: Cluster, tmp_path: Path) -> None:
    path = write_tournament(tmp_path, FIRST, GREEDY, rounds=150)
    cluster.start_worker("early")

    def join(tally: Tally, crew: DaskCrew, runner: Runner) -> None:
        if "late" not in cluster.workers and tally.played:
            cluster.start_worker("late")
            hold_until_seated(crew, "late")

    outcome, _, _ = run_on(cluster.address, path, join)
    assert outcome.complete
    assert workers_of(path) == {"early", "late"}
    assert played(path) == run_alone(path)


def test_matches_go_only_to_workers_with_the_tools_they_need(cluster: Cluster, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "true", "env"):
        os.symlink(f"/usr/bin/{name}" if Path(f"/usr/bin/{name}").exists() else f"/bin/{name}", tools / name)
    shell_bot(tmp_path)
    path = write_tournament(tmp_path, FIRST, 'name = "shell"\nrun = "bash shell.sh"', rounds=20)
    cluster.start_worker("bare", {"PATH": str(tools)})
    cluster.start_worker("full")
    outcome, _, _ = run_on(cluster.address, path, lambda _tally, crew, _runner: seated(crew))
    assert outcome.complete
    assert played(path) == run_alone(path)
    text = (path.parent / "runs" / "cup" / "matches.jsonl").read_text(encoding="utf-8")
    assert not [line for line in text.splitlines() if '"shell"' in line and '"worker": "bare"' in line]


@pytest.mark.skipif(not works("cc"), reason="there is no C compiler here")
def test_a_bot_is_built_on_the_worker_that_has_the_compiler(cluster: Cluster, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    os.symlink("/bin/sh", tools / "sh")
    path = write_tournament(tmp_path, FIRST, 'name = "c-greedy"', rounds=10)
    cluster.start_worker("bare", {"PATH": str(tools)})
    cluster.start_worker("full")
    outcome, notes, _ = run_on(cluster.address, path, lambda _tally, crew, _runner: seated(crew))
    assert outcome.complete
    assert played(path) == run_alone(path)
    assert list((cluster.folder / "home-full" / "builds").glob("*/bot"))
    text = (path.parent / "runs" / "cup" / "matches.jsonl").read_text(encoding="utf-8")
    assert not [line for line in text.splitlines() if "c-greedy" in line and '"worker": "bare"' in line]
    refusals = [
        note for note in notes if note.startswith("worker bare cannot play c-greedy: the build of c-greedy")
    ]
    assert refusals or '"worker": "bare"' not in text


def seated(crew: DaskCrew) -> None:
    hold_until_seated(crew, "bare", "full")


def test_bots_that_no_worker_can_play_are_named_and_the_rest_is_played(
    cluster: Cluster, tmp_path: Path
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    os.symlink("/bin/sh", tools / "sh")
    shell_bot(tmp_path)
    path = write_tournament(tmp_path, FIRST, 'name = "shell"\nrun = "bash shell.sh"', rounds=5)
    cluster.start_worker("bare", {"PATH": str(tools)})
    outcome, notes, crew = run_on(cluster.address, path)
    assert not outcome.complete
    assert crew.left_out == {"shell": "bare: the program 'bash' is not installed"}
    assert "worker bare cannot play shell: the program 'bash' is not installed" in notes
    records = played(path)
    assert records == {key: value for key, value in run_alone(path).items() if "shell" not in key}
    assert len(records) == 20


def shell_bot(folder: Path) -> None:
    """A bot in bash: the first legal move."""
    answers = 'game) echo ready;; legal) set -- $rest;; go) echo "$1";;'
    text = f"while read -r word rest; do case $word in {answers} esac; done\n"
    (folder / "shell.sh").write_text(text, encoding="utf-8")
