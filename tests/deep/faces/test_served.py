"""The page over the network: each change is sent at once, verdicts are thought of meanwhile."""

from __future__ import annotations

from functools import partialmethod
from pathlib import Path

import pytest

from clue_solver import Game
from tests.conversation.test_session import START
from tests.faces.serving import served
from tests.faces.test_web import pages_of_two_games


def test_a_page_comes_with_each_change_and_none_once_its_link_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "decision", partialmethod(Game.decision, by="bits"))
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    with served(path) as page, page.client.stream("GET", f"{page.url}/events") as stream:
        lines = stream.iter_lines()

        def version() -> int:
            told = [next(lines) for _ in range(3)]
            assert told[1:] == ["data: -", ""]
            return int(told[0].removeprefix("id: "))

        assert next(lines) == "retry: 1000"
        assert version() == page.book().version
        page.post("tell", line="ben skips", settled="turn")
        assert version() == 3
        assert "Take entry 2 out" in page.get(query="?tab=log")
        assert version() == 4  # the verdict, which nobody asked for again
        with path.open("a", encoding="utf-8") as file:
            file.write("Cat skips\n")
        assert version() == 5
        assert "Take entry 3 out" in page.get(query="?tab=log")
        new = page.post("renew").headers["location"]
        assert page.client.get(page.origin + new).status_code == 200
        assert [line for line in lines if line.startswith("id: ")][-1] == "id: ended"


def test_nobodys_private_facts_reach_another_page_by_what_is_advised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "decision", partialmethod(Game.decision, by="bits"))
    (ann, recorder, ben), (ann_too, recorder_too, ben_too) = pages_of_two_games(
        tmp_path, thought=True
    )
    assert b"do not accuse yet" in ann[0]
    assert ann == ann_too
    assert recorder == recorder_too
    assert ben != ben_too
