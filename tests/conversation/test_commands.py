"""The commands of a session: which text is one, and what each that changes something changes."""

from __future__ import annotations

import pytest

from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import Change
from clue_solver.conversation.commands import COMMAND, COMMANDS, Said, change, said_in
from clue_solver.conversation.dialog import Dialog
from clue_solver.errors import ArgumentError
from tests.conversation.test_session import SHOWN, begun


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("undo", Said("undo")),
        (" Undo ", Said("undo")),
        ("/edit 7  ben skips", Said("edit", "7  ben skips")),
        ("why plum ben", Said("why", "plum ben")),
        ("/nonsense", Said("nonsense")),
        ("pane", Said("pane")),
        ("pane 7", None),
        ("skip", None),  # a word of the screen as well, but it is a line
        ("ben skips", None),
        ("undoo", None),
        ("", None),
    ],
)
def test_a_command_is_behind_a_stroke_or_begins_no_line(text: str, said: Said | None) -> None:
    assert said_in(text, Dialog(begun(None, SHOWN)), COMMAND) == said


def test_what_follows_a_word_is_a_number_and_a_line_or_nothing() -> None:
    said = Said("edit", "7  ben skips")
    assert (said.number, said.line) == (7, "ben skips")
    with pytest.raises(ArgumentError, match=r"as in /delete 7; found 'x'"):
        _ = Said("delete", "x").number
    with pytest.raises(ArgumentError, match="nothing after /undo; found '2'"):
        Said("undo", "2").check()


def test_a_change_is_returned_and_undone_as_it_was() -> None:
    session = begun(None, SHOWN, "ben skips")
    before, skipped = session.record, session.entry(3)
    assert change(session, Said("delete", "3")) == Change(kind="removed", entry=3, before=skipped)
    undone = change(session, Said("undo"))
    assert undone == Change(kind="added", entry=3, after=skipped)
    assert session.record == before
    rests = {"hands": "6,6,6", "seats": "Anna, Ben, Cat", "pieces": "plum", "first": "cat"}
    for word, rest in rests.items():
        done = change(session, Said(word, rest))
        assert done == Change(kind=word, before=before.table, after=session.record.table)  # type: ignore[arg-type]
        change(session, Said("undo"))
        assert session.record == before
    with pytest.raises(ArgumentError, match="nothing to redo"):
        change(begun(), Said("redo"))


def test_a_correction_is_made_by_its_number() -> None:
    session = begun(None, SHOWN, "ben mus wr lou: cat pass, ann pass")
    first = session.game.check().corrections[0]
    done = change(session, Said("fix", "1"))
    assert isinstance(done, Correction)
    assert done.changes == first.changes
    assert session.game.check().consistent
    with pytest.raises(ArgumentError, match="no correction 1: there are 0"):
        change(session, Said("fix", "1"))


def test_only_what_changes_the_game_is_a_change() -> None:
    session = begun(None, SHOWN)
    before = session.record
    for word in ("edit", "insert", *(each.word for each in COMMANDS if each.kind != "changes")):
        with pytest.raises(ArgumentError, match="changes nothing"):
            change(session, Said(word))
    assert session.record is before
