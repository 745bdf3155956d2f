"""The commands of a session: which text is one, and what each that changes something changes."""

from __future__ import annotations

import pytest

from clue_solver.conversation.commands import COMMAND, COMMANDS, TypedCommand, change, parse_command
from clue_solver.conversation.dialog import Dialog
from clue_solver.errors import ArgumentError
from tests.conversation.test_session import SHOWN, begun


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("undo", TypedCommand("undo")),
        (" Undo ", TypedCommand("undo")),
        ("/edit 7  ben skips", TypedCommand("edit", "7  ben skips")),
        ("why plum ben", TypedCommand("why", "plum ben")),
        ("/nonsense", TypedCommand("nonsense")),
        ("  /log", TypedCommand("log")),
        ("no, scratch that!", TypedCommand("undo")),
        ("pane", TypedCommand("pane")),
        ("pane 7", None),
        ("skip", None),  # a word of the screen as well, but it is a line
        ("ben skips", None),
        ("undoo", None),
        ("", None),
    ],
)
def test_a_command_is_behind_a_slash_or_begins_no_line(
    text: str, said: TypedCommand | None
) -> None:
    assert parse_command(text, Dialog(begun(None, SHOWN)), COMMAND) == said


def test_what_follows_a_word_is_a_number_and_a_line_or_nothing() -> None:
    said = TypedCommand("edit", "7  ben skips")
    assert (said.number, said.line) == (7, "ben skips")
    with pytest.raises(ArgumentError, match=r"as in /delete 7; found 'x'"):
        _ = TypedCommand("delete", "x").number
    with pytest.raises(ArgumentError, match="nothing after /undo; found '2'"):
        TypedCommand("undo", "2").check()


def test_only_what_changes_the_game_is_a_change() -> None:
    session = begun(None, SHOWN)
    before = session.record
    for word in ("edit", "insert", *(each.word for each in COMMANDS if each.kind != "changes")):
        with pytest.raises(ArgumentError, match="changes nothing"):
            change(session, TypedCommand(word))
    assert session.record is before
