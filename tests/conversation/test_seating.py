"""The order of the players put right late: filled-in passes follow it, what was said stays."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import NotationError, Record, parse_record
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.notation.checks import without_implied
from clue_solver.record.files import RecordFile, load_record
from clue_solver.rules.observations import Answer, Finger, Observation, Suggestion
from tests.strategies import Played, played, records

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\n{}viewer: Cat\n\n"

ASKED = "Ben suggests Plum, Knife, Hall"


def begun(*lines: str, more: str = "") -> Session:
    """Return a game of four with these lines."""
    session = Session(parse_record(HEADER.format(more)))
    for line in lines:
        session.tell(line)
    return session


def test_from_a_file_passes_before_a_shown_card_are_taken_for_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    entries = f"{ASKED}: Cat passes, Dan shows\n{ASKED}: Cat passes, Dan passes, ?\n"
    path.write_text(HEADER.format("") + entries + f"{ASKED}: Cat passes, ?\n", "utf-8")
    keeper = RecordFile(path)
    session = Session(keeper.read(), keeper=keeper)
    read = session.record
    session.set_header("seats", "Dan, Ben, Ann, Cat")
    assert session.lines == (
        f"{ASKED}: Ann passes, Cat passes, Dan shows",
        # the pass of Cat may have been filled in as Dan's was told: nothing new follows from it
        f"{ASKED}: Ann ?, Cat passes, Dan passes",
        f"{ASKED}: Ann passes, Cat passes, ?",
    )
    session.set_header("seats", "Ann, Ben, Cat, Dan")
    assert session.record == read
    assert load_record(path) == read


def test_equal_entries_keep_each_what_was_said_of_it() -> None:
    typed, implied = f"{ASKED}: Cat no, Dan", f"{ASKED}: Dan"
    for number, lines in enumerate(((typed, implied), (implied, typed)), 2):
        session = begun("Ann skips", *lines)
        assert session.lines[1:] == (f"{ASKED}: Cat passes, Dan shows",) * 2
        with pytest.raises(NotationError, match=f"entry {number}: expected no answer after Dan"):
            session.set_header("seats", "Ann, Ben, Dan, Cat")
        session.delete(number)
        session.set_header("seats", "Ann, Ben, Dan, Cat")
        assert session.lines[1:] == (f"{ASKED}: Dan shows",)


@pytest.mark.parametrize(
    ("texts", "after"),
    [
        ((f"{ASKED}: Cat passes, Dan shows",), ""),
        ((f"{ASKED}: Dan shows",), "Ann passes, Dan shows"),
        (("ben plum knife hall", "nobody shows"), "nobody shows"),
        (("cat plum knife hall: ben shows", "ben shows hall"), "Ben shows Hall"),
        ((f"{ASKED}: ?", "dan shows", "yes"), "Ann passes, Dan shows"),
        (("cat plum knife hall: ann no, ben shows", "?", "/edit"), ""),
        (("cat plum knife hall: ben shows", "?", "/edit"), "Ben shows"),
    ],
)
def test_only_what_was_said_stays_whichever_way_it_was_said(
    texts: tuple[str, ...], after: str
) -> None:
    session = begun("Ann skips", f"{ASKED}: ?") if texts[0].startswith("cat") else begun()
    dialog = Dialog(session)
    for text in texts:
        number = len(session.lines)
        if text == "/edit":  # one card is put right in the line as it stands
            session.edit(number, session.lines[-1].replace("Hall", "Study"))
        else:
            dialog.say(text)
    before = session.lines
    if after:
        session.set_header("seats", "Ben, Ann, Dan, Cat")
        assert session.lines[-1].partition(": ")[2] == after
    else:
        with pytest.raises(NotationError, match="has shown; found"):
            session.set_header("seats", "Ben, Ann, Dan, Cat")
        assert session.lines == before


def swapped(data: st.DataObject, record: Record) -> str:
    """Draw another order of the players, as it is typed."""
    return ", ".join(data.draw(st.permutations(record.table.seats)))


@given(records(), st.data())
def test_there_and_back_a_record_from_a_file_is_the_same(
    record: Record, data: st.DataObject
) -> None:
    table = replace(record.table, sizes=None)
    session = Session(replace(record, table=table))
    session.set_header("seats", swapped(data, record))
    session.set_header("seats", ", ".join(table.seats))
    assert session.record == replace(record, table=table)


@given(records(), st.data())
def test_who_shows_alone_said_under_a_wrong_order_means_the_same_as_under_the_right_one(
    record: Record, data: st.DataObject
) -> None:
    table = replace(record.table, sizes=None, viewer=None)
    wrong = Session(Record(table=table))
    wrong.set_header("seats", swapped(data, record))
    right = Session(Record(table=table))
    for told in record.observations:
        said = without_implied(told, record.table)
        if isinstance(said, Suggestion | Finger) and not table.everyone_shows:
            said = shower_alone(said)
        wrong.tell(said)
        right.tell(said)
    wrong.set_header("seats", ", ".join(table.seats))
    assert wrong.record == right.record


def shower_alone(told: Suggestion | Finger) -> Suggestion | Finger:
    """Return what is told with who shows alone; without a show, that one or nobody passes."""
    shows = tuple(answer for answer in told.answers if answer.answer == "shows")
    passes = tuple(answer for answer in told.answers if answer.answer == "passes")
    return replace(told, answers=shows or passes[-1:])


@given(played(), st.booleans(), st.data())
def test_no_order_makes_somebody_pass_who_can_show(
    game: Played, saved: bool, data: st.DataObject
) -> None:
    record = game.record
    table = replace(record.table, sizes=None, viewer=None)
    session = Session(Record(table=table))
    session.set_header("seats", swapped(data, record))
    for told in record.observations:
        with suppress(NotationError):  # the wrong order may not allow what was really so
            session.tell(partly_said(data, told))
    wrong = session.record
    session = Session(wrong) if saved else session
    session.set_header("seats", ", ".join(table.seats))
    for was, now in zip(wrong.observations, session.record.observations, strict=True):
        before = passing(was) if saved else set()  # what a file says is not doubted
        holders = {game.deal.get(card) for card in getattr(now, "cards", ())}
        assert not (passing(now) - before) & holders


def partly_said(data: st.DataObject, told: Observation) -> Observation:
    """Draw some of the answers that an observation tells; who shows is always told."""
    if not isinstance(told, Suggestion | Finger):
        return told
    kept = data.draw(st.sets(st.sampled_from(told.answers))) if told.answers else set()
    answers = (one for one in told.answers if one in kept or one.answer == "shows")
    return replace(told, answers=tuple(answers))


def passing(told: Observation) -> set[str | None]:
    """Return who passes in an observation."""
    answers: tuple[Answer, ...] = getattr(told, "answers", ())
    return {answer.seat for answer in answers if answer.answer == "passes"}
