"""The same work by one process, by several and by a cluster gives the same results, in order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import joblib
import pytest

from clue_solver import play, save
from clue_solver.arena.tournament import Tournament
from clue_solver.errors import ArgumentError
from clue_solver.game.games import season
from clue_solver.workers import spread

dask = pytest.importorskip("distributed")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PLAYERS = ("likeliest", "random", "random")


def _squared(number: int) -> int:
    if number == 4:
        raise ArgumentError("not 4")
    return number * number


def test_work_comes_in_order_and_an_error_is_raised() -> None:
    assert list(spread(_squared, (1, 2, 3), jobs=1)) == [1, 4, 9]
    assert list(spread(_squared, (1, 2, 3), jobs=2)) == [1, 4, 9]
    with pytest.raises(ArgumentError, match="not 4"):
        list(spread(_squared, (3, 4), jobs=2))


KILLED = """
import os, signal
from clue_solver.errors import ClueError
from clue_solver.workers import spread

def killed(number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number

try:
    list(spread(killed, range(5), jobs=2))
except ClueError as error:
    print(error)
print(list(spread(abs, (-1, -2), jobs=2)))
"""


def test_a_killed_process_is_said_in_a_sentence_and_others_work_afterwards() -> None:
    told = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, check=True, text=True
    )
    assert told.stdout == (
        "a worker process was killed, perhaps because memory ran out; try fewer processes at "
        "once\n[1, 2]\n"
    )


LEFT = """
import os, signal
from clue_solver.workers import persistent_processes

print(persistent_processes(1).submit(abs, -1).result(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_end_with_the_one_that_started_them_however_that_ends() -> None:
    # What they write to is closed once the last of them has ended.
    told = subprocess.run(
        [sys.executable, "-c", LEFT], stdout=subprocess.PIPE, timeout=60, check=False
    )
    assert (told.stdout, told.returncode) == (b"1\n", -signal.SIGKILL)


def test_processes_and_clusters_play_the_same_games_and_review_the_same_files() -> None:
    tournament = Tournament(edition="clue-diced", players=PLAYERS, games=12, seed=4)
    alone = [game.record for game in tournament.results(jobs=1)]
    assert alone == [game.record for game in tournament.results(jobs=2)]
    files = [EXAMPLES / "diced.clue", EXAMPLES / "absent.clue"]
    expected = season(files, jobs=1).to_dict()
    with (
        dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        dask.Client(local),
        joblib.parallel_config("dask"),
    ):
        assert alone == [game.record for game in tournament.results()]
        assert season(files).to_dict() == expected


STOPPED = r"stopped after (\d+) of \d+ games\n(?:\S+ written: (\d+) games?\n)?"
"""What is said of an interrupt, and what the arena has written by then."""

COMMANDS = {
    "arena": ("arena", "--players", "advice,likeliest,random", "--games", "60", "--out", "games"),
    "season": ("season", "records"),
}


def interrupted(command: list[str], folder: Path, moment: float) -> tuple[int, str, str]:
    """Run something, press Ctrl+C after so many seconds as a terminal does, and hear it end."""
    run = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(moment)
    os.killpg(run.pid, signal.SIGINT)
    told, said = run.communicate(timeout=60)
    return run.returncode, told, said


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no groups of processes")
@pytest.mark.parametrize("name", COMMANDS)
def test_whenever_the_interrupt_comes_what_is_finished_is_kept_and_no_traceback_shown(
    name: str, tmp_path: Path, seed: str
) -> None:
    random, records = Random(f"{seed} {name}"), tmp_path / "records"
    played = play(["likeliest", "likeliest", "random"], games=12, seed=4, jobs=1)
    records.mkdir()
    for number, game in enumerate(played):
        save(game.record, records / f"{number}.clue")
    for draw in range(4):
        folder = tmp_path / str(draw)
        folder.mkdir()
        (folder / "records").symlink_to(records)
        moment = random.uniform(0.2, 2.5)  # before that Python itself is starting
        command = [sys.executable, "-m", "clue_solver", *COMMANDS[name]]
        status, told, said = interrupted(command, folder, moment)
        where = f"after {moment} s: {said}"
        assert "Traceback" not in said, where
        stopped = re.fullmatch(STOPPED, said)
        assert status == (1 if said else 0), where
        assert said.strip() in ("", "Aborted!") or stopped, where
        if stopped and name == "arena":
            kept = len([*(folder / "games").glob("*.clue")])
            assert kept in (int(stopped[1]), int(stopped[1]) + 1)
            assert stopped[2] == stopped[1]
        elif stopped and name == "season":
            assert f"{stopped[1]} game" in told
