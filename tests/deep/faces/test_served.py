"""The page over the network: each change is sent at once, verdicts are thought of meanwhile."""

from __future__ import annotations

import itertools
from pathlib import Path
from queue import SimpleQueue

from clue_solver.faces.web.tables import Notebook, Thought
from clue_solver.faces.web.thinking import Thinking
from tests.conversation.test_session import START
from tests.faces.serving import called, served
from tests.faces.test_web import HANDS, SHARED, pages_of_two_games


def test_a_page_comes_with_each_change_and_none_once_its_link_has_ended(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    with served(path) as page, page.client.stream("GET", f"{page.url}/events?tab=log") as stream:
        lines = stream.iter_lines()
        assert [next(lines) for _ in range(4)] == ["retry: 1000", "id: 2", "data: -", ""]
        page.post("tell", line="ben skips", settled="turn")
        assert next(lines) == "id: 3"
        shown = "\n".join(itertools.takewhile(lambda line: line.startswith("data: "), lines))
        assert 'data-version="3"' in shown
        assert "Take entry 2 out" in shown
        thought = "\n".join(itertools.islice(lines, 5))  # nobody asks: it is sent by itself
        assert thought.startswith("id: 4\n")
        with path.open("a", encoding="utf-8") as file:
            file.write("Cat skips\n")
        assert any("Take entry 3 out" in line for line in lines)
        page.post("renew")
        assert [line for line in lines if page.table.recorder.secret in line] == []


def test_nobodys_private_facts_reach_another_page_by_what_is_advised(
    tmp_path: Path,
) -> None:
    (ann, recorder, ben), (ann_too, recorder_too, ben_too) = pages_of_two_games(
        tmp_path, thought=True
    )
    assert b"do not accuse yet" in ann[0]
    assert ann == ann_too
    assert recorder == recorder_too
    assert ben != ben_too


def test_closer_looks_of_several_seats_are_taken_in_other_processes(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    path.write_text(SHARED, "utf-8")
    with called(path, public=True) as shared:
        for seat in ("Ann", "Ben"):
            shared.post("hand", seat, card=HANDS[seat])
        books = [shared.book(seat) for seat in ("Ann", "Ben")]
        found: SimpleQueue[tuple[Notebook, Thought]] = SimpleQueue()
        thinking = Thinking(shared.table, lambda book, verdict: found.put((book, verdict)))
        for book in books:
            assert thinking.look(book)
            thinking.look_closer(book, book.game.record)
        told = dict(found.get(timeout=120) for _ in books)
        thinking.end()
        for book in books:
            assert told[book] == book.think(book.game.record)
            assert told[book].record is book.game.record
