"""A game in progress: nothing lost, everything can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver import ArgumentError, Game, NotationError, RecordError, SetupError, parse_record
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Numbers
from clue_solver.record import Record, format_record, load_record
from clue_solver.record.files import Keeper
from clue_solver.session import Session
from clue_solver.testing import games
from tests.counting import counted

START = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""


def begun(folder: Path | None = None) -> Session:
    record = parse_record(START)
    if folder is None:
        return Session(record)
    keeper = Keeper(folder / "game.clue")
    keeper.write(record)
    return Session(record, keeper=keeper)


def test_an_entry_is_in_the_file_before_it_is_reported(tmp_path: Path) -> None:
    session = begun(tmp_path)
    assert 2 == session.tell("ann mus wr lou : cat mus")
    on_disk = load_record(tmp_path / "game.clue")
    assert session.record.observations == on_disk.observations
    assert session.game.lines[-1].endswith("Ben passes, Cat shows Mustard")


def test_a_line_that_cannot_be_read_changes_nothing() -> None:
    session = begun()
    before = session.record
    with pytest.raises(NotationError):
        session.tell("ann must wrnch")
    assert before == session.record
    assert not session.redo()


def test_undo_and_redo_go_back_and_forth_without_limit() -> None:
    session = begun()
    states = [session.record]
    for line in ("ann mus wr lou: cat", "ben mus wr lou: cat", "cat mus wr kit: -"):
        session.tell(line)
        states.append(session.record)
    for expected in states[-2::-1]:
        assert session.undo()
        assert expected == session.record
    for expected in states[1:]:
        assert session.redo()
        assert expected == session.record
    assert not session.redo()


def test_a_game_from_a_file_can_be_undone_entry_by_entry(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.tell("ann mus wr lou: cat")
    first.close()
    again = Session(load_record(tmp_path / "game.clue"), keeper=Keeper(tmp_path / "game.clue"))
    assert again.undo()
    assert 1 == len(again.record.entries)
    assert 1 == len(load_record(tmp_path / "game.clue").entries)
    assert again.redo()
    assert 2 == len(load_record(tmp_path / "game.clue").entries)


def test_an_earlier_entry_can_be_edited_and_deleted() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat")
    session.tell("ben sc can kit: cat")
    session.edit(2, "ann mus wr lou: ben")
    assert session.game.lines[1] == "Ann suggests Mustard, Wrench, Lounge: Ben shows"
    session.delete(2)
    assert 2 == len(session.record.entries)
    assert session.undo()
    assert 3 == len(session.record.entries)
    with pytest.raises(ArgumentError, match="no entry 9"):
        session.delete(9)


def test_hand_sizes_can_be_mended_later() -> None:
    session = begun()
    session.set_hands("6, 5, 7")
    assert (6, 5, 7) == session.record.table.hands
    with pytest.raises(SetupError, match="add up"):
        session.set_hands("6, 6, 7")
    with pytest.raises(NotationError, match="entry 1"):
        session.set_hands("5, 6, 7")
    session.set_hands("")
    assert () == tuple(session.record.table.hands)


def test_a_contradiction_is_checked_and_a_correction_mends_it() -> None:
    session = begun()
    session.tell("ann mus wr lou: ben")
    assert session.clashes("ann mus wr lou: -")
    assert not session.clashes("ann mus wr lou: ben")
    session.tell("ben mus wr lou: -")
    session.tell("ann mus wr lou: -")
    check = session.check()
    assert check.corrections
    session.correct(check.corrections[0])
    assert session.check().consistent
    assert session.undo()
    assert not session.check().consistent


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    session = begun(tmp_path)
    with pytest.raises(RecordError, match="open in another window"):
        Keeper(tmp_path / "game.clue")
    session.close()
    Keeper(tmp_path / "game.clue").close()


def test_where_nothing_can_be_written_the_game_goes_on_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    session = Session(parse_record(START), keeper=Keeper(tmp_path / "file" / "game.clue"))
    assert 2 == session.tell("ann mus wr lou: cat")
    assert session.trouble is not None
    assert 2 == len(session.record.entries)


def test_cards_to_show_are_told_with_what_they_give_away() -> None:
    session = begun()
    session.tell("ben plum rope lou: ann plum")
    choices = session.showings("ben plum rope hall")
    assert "Plum" == choices[0].card
    assert {"Plum", "Rope", "Hall"} == {choice.card for choice in choices}
    assert 2 == choices[0].known
    assert abs(choices[0].bits) <= min(choice.bits for choice in choices[1:])
    with pytest.raises(NotationError):
        session.showings("ann plum rope hall")


@given(games(), st.data())
def test_any_walk_of_changes_ends_in_a_record_that_reads_back(
    game: Game, data: st.DataObject
) -> None:
    record: Record = game.record
    session = Session(record)
    for _ in range(data.draw(st.integers(0, 6))):
        entries = len(session.record.entries)
        match data.draw(st.sampled_from(("undo", "redo", "delete", "repeat"))):
            case "undo":
                session.undo()
            case "redo":
                session.redo()
            case "delete" if entries:
                session.delete(data.draw(st.integers(1, entries)))
            case "repeat" if entries:
                number = data.draw(st.integers(1, entries))
                session.edit(number, session.game.lines[number - 1])
            case _:
                pass
    assert record.table == session.record.table
    assert all(line for line in format_record(session.record).splitlines()[:1])
    while session.undo():
        pass
    assert () == session.record.entries


@given(st.data(), games(most=8))
def test_a_session_knows_what_a_game_begun_anew_knows(data: st.DataObject, game: Game) -> None:
    session = Session(game.record.upto(0))
    lines = list(game.lines)
    for _ in range(data.draw(st.integers(1, 12))):
        told = len(session.record.entries)
        match data.draw(
            st.sampled_from(("tell", "tell", "tell", "undo", "redo", "edit", "delete"))
        ):
            case "tell" if lines:
                session.tell(data.draw(st.sampled_from(lines)))
            case "undo":
                session.undo()
            case "redo":
                session.redo()
            case "edit" if told and lines:
                entry = data.draw(st.integers(1, told))
                session.edit(entry, data.draw(st.sampled_from(lines)))
            case "delete" if told:
                session.delete(data.draw(st.integers(1, told)))
            case _:
                pass
        for viewer in (game.table.viewer or "spectator", game.table.seats[-1]):
            anew = Game(session.record).report(viewer=viewer)
            carried = session.game.report(viewer=viewer)
            assert anew.consistent == carried.consistent
            assert len(anew.conflict) == len(carried.conflict)
            assert anew.deals == carried.deals
            assert anew.verdicts.tolist() == carried.verdicts.tolist()
            assert anew.probabilities == pytest.approx(carried.probabilities, nan_ok=True)
            assert dict(anew.solutions) == pytest.approx(dict(carried.solutions))
            assert anew.new == carried.new


def test_an_entry_told_goes_on_from_the_solver_and_the_knowledge_before() -> None:
    session = begun()
    session.report()
    with counted(Solver.__init__, Numbers.__init__) as calls:
        for line in ("ann mus wr lou : cat mus", "ben mus wr lou: cat", "cat mus wr kit: -"):
            session.tell(line)
            session.report()
        for _ in range(3):
            assert session.undo()
            session.report()
        while session.redo():
            session.report()
        assert not calls
