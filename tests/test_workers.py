"""The same work by one process, by several and by a cluster gives the same results, in order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clue_solver.arena.tournament import Tournament
from clue_solver.errors import ArgumentError
from clue_solver.game import review_all
from clue_solver.workers import Effort, spread
from tests.faces.test_cli import run

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PLAYERS = ("likeliest", "random", "random")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A local cluster of two processes."""
    dask = pytest.importorskip("distributed")
    with dask.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        yield cluster.scheduler_address


def test_work_comes_in_order_and_an_error_is_raised() -> None:
    assert [1, 4, 9] == list(spread(_squared, (1, 2, 3), jobs=1))
    assert [1, 4, 9] == list(spread(_squared, (1, 2, 3), jobs=2))
    with pytest.raises(ArgumentError, match="not 4"):
        list(spread(_squared, (3, 4), jobs=2))


def _squared(number: int) -> int:
    if number == 4:
        raise ArgumentError("not 4")
    return number * number


def test_any_number_of_processes_plays_the_same_games() -> None:
    tournament = Tournament(edition="clue-diced", players=PLAYERS, games=12, seed=4)
    alone = [*tournament.results(jobs=1)]
    assert alone == [*tournament.results(jobs=2)]
    assert alone[5:] == [*tournament.results(jobs=1, done=range(1, 6))]


def test_a_cluster_plays_the_same_games_and_reviews_the_same_files(scheduler: str) -> None:
    tournament = Tournament(edition="clue-diced", players=PLAYERS, games=12, seed=4)
    efforts: list[Effort] = []
    found = [*tournament.results(scheduler=scheduler, told=efforts.append)]
    assert [*tournament.results(jobs=1)] == found
    (effort,) = efforts
    assert 2 == effort.workers
    assert effort.worked > 0
    files = [EXAMPLES / "diced.clue", EXAMPLES / "absent.clue"]
    reviews = [each.to_dict() for each in review_all(files, sample=100, jobs=1)]
    assert reviews == [
        each.to_dict() for each in review_all(files, sample=100, scheduler=scheduler)
    ]


def test_the_command_takes_a_scheduler_and_tells_the_ratio(scheduler: str) -> None:
    words = ("arena", "--edition", "clue-diced", "--players", ",".join(PLAYERS), "--games", "6")
    alone = run(*words, "--jobs", "1", "--json")
    result = run(*words, "--scheduler", scheduler, "--json")
    assert json.loads(alone.stdout) == json.loads(result.stdout)
    assert "2 workers: " in result.stderr
    assert "times as fast as one" in result.stderr


def test_what_a_lost_worker_had_is_done_again_and_it_is_replaced() -> None:
    dask = pytest.importorskip("distributed")
    tournament = Tournament(edition="clue-diced", players=PLAYERS, games=40, seed=4)
    efforts: list[Effort] = []
    with dask.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        results = tournament.results(scheduler=cluster.scheduler_address, told=efforts.append)
        found = [next(results), next(results)]
        lost = next(iter(cluster.workers.values())).pid
        os.kill(lost, signal.SIGKILL)
        found += results
    assert [*tournament.results(jobs=1)] == found
    assert 2 == efforts[0].workers
    assert efforts[0].ratio > 0


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no groups of processes")
@pytest.mark.parametrize("name", ["kept.jsonl", "kept"])
def test_an_interrupt_of_two_processes_keeps_what_is_finished_and_resume_goes_on(
    name: str, tmp_path: Path
) -> None:
    path, games = tmp_path / name, 400
    words = ("arena", "--edition", "clue-diced", "--players", ",".join(PLAYERS), "--seed", "2",
             "--jobs", "2", "--json")  # fmt: skip
    keeping = ("--out", str(path), "--games", str(games))
    started = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", *words, *keeping],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    lines = path if name.endswith(".jsonl") else path / "games.jsonl"
    end = time.monotonic() + 120
    while time.monotonic() < end and not (lines.exists() and lines.read_bytes().count(b"\n") > 4):
        time.sleep(0.02)
    os.killpg(started.pid, signal.SIGINT)  # as the terminal does
    told, said = started.communicate(timeout=60)
    assert 1 == started.returncode, said
    kept = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert 4 < len(kept) < games
    assert f"stopped after {len(kept)} of {games} games" in said
    assert len(kept) == json.loads(told)["games"]
    more = str(len(kept) + 6)
    resumed = run(*words, "--out", str(path), "--games", more, "--resume")
    assert (0, "") == (resumed.exit_code, resumed.stderr)
    assert resumed.stdout == run(*words, "--games", more).stdout
    assert len(kept) + 6 == len(lines.read_text("utf-8").splitlines())


def test_where_nobody_answers_it_says_so() -> None:
    pytest.importorskip("distributed")
    result = run("arena", "--players", "random,random", "--scheduler", "nonsense://nowhere:1")
    assert 2 == result.exit_code
    assert "tcp://host:8786" in result.stderr
