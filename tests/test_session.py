"""A game in progress: nothing lost, everything can be taken back."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, Game, NotationError, RecordError, SetupError, parse_record
from clue_solver.doubts import Doubt
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Numbers
from clue_solver.notation import format_line
from clue_solver.record import Record, format_record, load_record
from clue_solver.record.files import Keeper
from clue_solver.rules.observations import Answer, Hand, Suggestion
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


def asked(session: Session, line: str, *, editing: int | None = None) -> dict[str, list[str]]:
    """What is doubtful about a line, by kind, and what may be chosen instead."""
    doubts = session.doubts(line, editing=editing)
    return {doubt.kind: [choice.label for choice in doubt.choices] for doubt in doubts}


def test_a_card_that_the_viewer_must_have_seen_is_asked_for() -> None:
    session = begun()
    session.tell("ben mus wr lou: cat pass, ann pass")
    session.tell("cat mus wr lou: ?")
    expected = {"card seen": ["Candlestick", "Kitchen", "shows ?"]}
    assert expected == asked(session, "ann must can kit: ben pass, cat shows")
    (doubt,) = session.doubts("ann must can kit: cat")
    assert ("Which card did Cat show you?", True) == (doubt.question, doubt.serious)
    line = "Ann suggests Mustard, Candlestick, Kitchen: Ben passes, Cat shows"
    assert (f"{line} Candlestick",) == doubt.choices[0].lines
    assert (f"{line} ?",) == doubt.choices[-1].lines
    assert {} == asked(session, f"{line} ?") == asked(session, "ann must can kit: cat ?")
    assert (
        {} == asked(session, "ann must can kit cat?") == asked(session, "ann must can kit: cat can")
    )
    shown = "ben plum rope hall: cat pass, ann shows"
    assert ["Plum", "Rope", "Hall", "shows ?"] == asked(session, shown)["card shown"]


def test_where_all_show_the_rest_may_be_unheard_and_the_card_is_asked_for() -> None:
    session = Session(parse_record(START.replace("viewer", "answers: all\nviewer")))
    expected = {"card seen": ["Mustard", "Wrench", "Lounge", "shows ?"]}
    for rest in ("", ", ?", ", ben ?"):
        assert expected == asked(session, f"ann mus wr lou: cat shows{rest}")
        assert {} == asked(session, f"ann mus wr lou: cat shows ?{rest}")


def test_one_asked_or_looked_at_has_shown_the_viewer_a_card() -> None:
    text = "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann\n"
    session = Session(parse_record(text))
    expected = {"card seen": ["Brains Plum", "Brawn Plum", "shows ?"]}
    assert expected == asked(session, "ann asks ben about plum: shows")
    assert {} == asked(session, "ann asks ben about plum: shows ?")
    assert ["shows", "passes", "?"] == asked(session, "ann asks ben about plum")["no answers"]
    looked = asked(session, "ann looks at ben")["card seen"]
    assert {"Brawn Plum", "?"} < set(looked)
    assert {} == asked(session, "ann looks at ben: ?") == asked(session, "cat looks at ben")
    assert "Plum" in asked(session, "ann peeks")["card seen"]


def test_a_card_at_the_end_asks_who_showed_it() -> None:
    session = begun()
    for line, labels in (
        ("ann mus wr lou: mus", ["Ben shows Mustard", "Cat shows Mustard"]),
        ("ann mus wr lou mus", ["Ben shows Mustard", "Cat shows Mustard"]),
        ("ben plum wr hall : hall", ["Ann shows Hall"]),
    ):
        with pytest.raises(NotationError) as found:
            session.doubts(line)
        doubt = session.lacking(found.value)
        assert doubt is not None
        assert f"Who shows {labels[0].split()[-1]}?" == doubt.question
        assert labels == [each.label for each in doubt.choices]
    with pytest.raises(NotationError) as found:
        session.doubts("ben mus wr lou: zz")
    assert session.lacking(found.value) is None


def test_an_own_suggestion_after_a_turn_that_was_forgotten_is_no_others() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    (doubt,) = session.doubts("sc le kit: cat kit")  # as Ben's, the next in turn
    assert "It is Ben's turn, and only Ben and Cat see that card: was it Ann?" == doubt.question
    assert ["it was Ann", "shows", "as it stands"] == [each.label for each in doubt.choices]
    assert ("Ann suggests Scarlett, Lead Pipe, Kitchen: Ben passes, Cat shows Kitchen",) == (
        doubt.choices[0].lines
    )
    (named,) = session.doubts("ben sc le kit: cat kit")
    assert ["shows", "as it stands"] == [each.label for each in named.choices]


def test_who_passes_follows_anew_where_another_asked() -> None:
    session = begun()
    session.tell("cat mus wr lou: ben")
    for typed, told in (("ben", "Ben shows"), ("-", "nobody shows")):
        (doubt,) = session.doubts(f"cat sc can kit: {typed}")  # it is Ann's turn
        (choice,) = (each for each in doubt.choices if each.label == "it was Ann")
        assert (f"Ann suggests Scarlett, Candlestick, Kitchen: {told}",) == choice.lines


def test_a_turn_that_was_told_as_a_skip_is_put_in_its_place() -> None:
    session = begun()
    for line in ("ann mus wr lou: cat mus", "ben skips", "cat sc can kit: -"):
        session.tell(line)
    (doubt,) = session.doubts("ben pea le lib: cat")
    assert "in place of entry 3, Ben skips" in [each.label for each in doubt.choices]
    (choice,) = (each for each in doubt.choices if each.entry)
    assert 3 == choice.entry
    assert () == session.doubts(*choice.lines, editing=3)
    (doubt,) = session.doubts("ben skips")
    assert not any(each.entry for each in doubt.choices)
    (doubt,) = session.doubts("ben pea le lib: cat", editing=3, insert=True)
    assert "Entry 3 says that Ben skips: in its place?" == doubt.question
    assert [3, None] == [each.entry for each in doubt.choices]


def test_an_entry_without_answers_is_asked_about_once() -> None:
    session = begun()
    (doubt,) = session.doubts("ben mus wr lou")
    assert ("no answers", False) == (doubt.kind, doubt.serious)
    assert ["Cat shows", "nobody shows", "?"] == [choice.label for choice in doubt.choices]
    for choice in doubt.choices:
        assert () == session.doubts(*choice.lines)
    (doubt,) = session.doubts("ben pl wr hall")  # of these Ann, whose notes they are, holds two
    labels = ["Cat shows", "Ann shows Plum", "Ann shows Hall", "?"]
    assert labels == [choice.label for choice in doubt.choices]
    assert "Ben suggests Plum, Wrench, Hall: Ann shows h" == doubt.answered("2 h")
    assert () == session.doubts("ben mus wr lou: ?") == session.doubts("ben mus wr lou ?")


def test_a_line_that_clashes_is_doubted_and_so_is_an_edit_unless_the_rest_clashes_already() -> None:
    session = begun()
    session.tell("ann mus wr lou: ben mus")
    doubt, turn = session.doubts("cat mus wr kit: ann pass, ben pass")
    assert "turn" == turn.kind
    assert ("clash", True) == (doubt.kind, doubt.serious)
    assert "entry 2" in doubt.question
    session.tell("cat sc can kit: ben")
    assert "entry 2" in session.doubts("cat mus wr kit: ann pass, ben pass", editing=3)[0].question
    assert {} == asked(session, "cat sc wr kit: ben", editing=3)
    session.tell("ann mus wr lou: -")
    assert {} == asked(session, "cat mus wr kit: ann pass, ben pass", editing=3)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ben mus rope lou: cat pass, ann mus", "you do not hold Mustard: expected Rope"),
        ("ben mus wr lou: cat pass, ann shows", "you hold none of these cards"),
        ("ben plum wr lou: -", "you hold Plum: expected Ann shows Plum"),
        ("ann reveals white", "you do not hold White"),
        ("cat looks at ann: white", "you do not hold White"),
        ("ben asks ann about plum: passes", "you hold Plum"),
    ],
)
def test_what_the_viewer_cannot_have_done_with_the_hand_is_refused(line: str, told: str) -> None:
    session = begun()
    before = session.record
    for attempt in (session.tell, session.doubts):
        with pytest.raises(NotationError, match=told):
            attempt(line)
    session.tell("ben mus wr lou: cat")
    with pytest.raises(NotationError, match=told):
        session.edit(2, line)
    assert session.undo()
    assert before == session.record


def slips(told: Suggestion, own: frozenset[str], viewer: str) -> Iterator[Suggestion]:
    """Yield what leaves out or misplaces a card that the viewer must have seen."""
    for place, answer in enumerate(told.answers):
        others: list[Answer] = []
        if answer.card is not None and viewer in (told.by, answer.seat):
            others.append(replace(answer, card=None))
        if answer.seat == viewer:
            others += (replace(answer, answer="shows", card=c) for c in told.cards if c not in own)
            if answer.answer == "shows":
                others.append(Answer(seat=viewer, answer="passes"))
        elif answer.answer == "shows":
            others += (replace(answer, card=c) for c in told.cards if c in own)
        for other in others:
            yield replace(told, answers=(*told.answers[:place], other))


@pytest.mark.parametrize("name", ["textbook", "streamed", "everyone_shows"])
def test_every_slip_about_what_the_viewer_has_seen_is_stopped(name: str) -> None:
    whole = load_record(Path(__file__).parent / "games" / f"{name}.clue")
    viewer = whole.table.viewer
    assert viewer is not None
    own = next(each.cards for each in whole.observations if isinstance(each, Hand))
    session, tried = Session(whole.upto(0)), 0
    for told in whole.observations:
        for slip in slips(told, frozenset(own), viewer) if isinstance(told, Suggestion) else ():
            tried += 1
            line = format_line(slip, whole.table)
            try:
                stopped = any(doubt.serious for doubt in session.doubts(line))
            except NotationError:
                stopped = True
            assert stopped, line
        session.append(told)
    assert tried > 10


def ways(doubt: Doubt) -> list[tuple[str, tuple[str, ...]]]:
    """What may be told instead of a doubtful line."""
    return [(each.label, each.lines) for each in doubt.choices]


def late(session: Session, line: str) -> tuple[int | None, str] | None:
    """The entry that a line that cannot be read is asked to be added to, and what it becomes."""
    with pytest.raises(NotationError) as refused:
        session.read(line)
    doubt = session.late(refused.value)
    return doubt and (doubt.choices[0].entry, doubt.choices[0].lines[0])


def test_a_late_answer_belongs_to_the_last_entry_of_the_round_that_lacks_it() -> None:
    session = begun()
    session.tell("ann mus wr lou")
    told = "Ann suggests Mustard, Wrench, Lounge: "
    assert (2, f"{told}Ben shows") == late(session, "ben shows")
    assert (2, f"{told}Ben passes, Cat shows") == late(session, "cat shows # at last")
    assert (2, f"{told}nobody shows") == late(session, "no")
    assert late(session, "ann shows") is None
    assert late(session, "cat knife") is None
    session.tell("ben sc can kit: cat pass, ?")
    asked = "Ben suggests Scarlett, Candlestick, Kitchen: Cat passes, "
    assert (3, f"{asked}Ann shows") == late(session, "ann shows")
    assert (2, f"{told}Ben passes, Cat shows Lounge") == late(session, "cat lou")
    for line in (
        "cat pea can din: -",
        "ann skips",
        "ben pea can din: -",
        "cat pea can din: -",
    ):
        session.tell(line)
    assert late(session, "cat lou") is None


def test_a_suggestion_by_another_seat_than_the_next_asks_who_skipped() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    (doubt,) = session.doubts("ann sc can kit: ben sc")
    assert "It is Ben's turn: did Ben and Cat skip?" == doubt.question
    (doubt,) = session.doubts("cat sc can kit: ben")
    line = "Cat suggests Scarlett, Candlestick, Kitchen: Ann passes, Ben shows"
    assert [
        ("Ben skips", ("Ben skips", line)),
        ("as it stands, turn missing", (line,)),
    ] == ways(doubt)
    assert [False, True] == [each.stands for each in doubt.choices]
    assert "It is Ben's turn: did Ben skip?" == session.doubts("cat skips")[0].question
    assert {} == asked(session, "ben sc can kit: cat")


def test_a_roll_and_a_move_out_of_turn_are_doubted_too_and_a_bonus_die_is_not() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    (doubt,) = session.doubts("cat rolls 7")
    assert ("Ben skips", "Cat rolls 7") == doubt.choices[0].lines
    session.tell("ben rolls 7")
    assert () == session.doubts("ben moves to hall")
    diced = "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
    diced += "Ann suggests Brains Plum, Brawn Green: nobody shows\n"
    session = Session(parse_record(diced))
    assert () == session.doubts("ann points at brains plum, brawn plum: ben no, cat no")
    assert () == session.doubts("ann looks at ben: brains scarlett")
    assert "turn" in {each.kind for each in session.doubts("cat looks at ben")}


def test_a_card_that_the_viewer_cannot_have_seen_is_asked_about() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    (doubt,) = session.doubts("ben sc can kit: cat can")
    asked = "Ben suggests Scarlett, Candlestick, Kitchen: Cat shows"
    whole = "Ben suggests Scarlett, Candlestick, Kitchen: Cat shows Candlestick"
    assert "not seen" == doubt.kind
    assert [("shows", (asked,)), ("as it stands", (whole,))] == ways(doubt)
    assert "what all have seen is 'Cat reveals Candlestick'" in doubt.question
    assert () == session.doubts("ben sc can kit: cat")


def test_a_line_with_two_readings_asks_which_is_meant() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    for line in ("ben sc can kit - cat", "ben sc can kit no ann"):
        with pytest.raises(NotationError, match="this can be") as refused:
            session.read(line)
        doubt = session.lacking(refused.value)
        assert doubt is not None
        asked = "Ben suggests Scarlett, Candlestick, Kitchen: "
        assert "Which is meant?" == doubt.question
        assert [(asked + each.label,) for each in doubt.choices] == [
            each.lines for each in doubt.choices
        ]
        assert len(doubt.choices) == 2


def test_who_accuses_right_after_a_question_is_asked_where_the_line_does_not_say() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    (doubt,) = session.doubts("accuses sc can kit wrong")
    accused = "accuses Scarlett, Candlestick, Kitchen: wrong"
    assert ("lacking", "Who accuses?") == (doubt.kind, doubt.question)
    assert [("Ann", (f"Ann {accused}",)), ("Ben", (f"Ben {accused}",))] == ways(doubt)
    assert () == session.doubts("ben accuses sc can kit wrong")
    session.tell("ben skips")
    assert () == session.doubts("accuses sc can kit wrong")


def test_an_accusation_out_of_turn_is_doubted_and_one_after_the_own_question_is_not() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    assert {} == asked(session, "ann accuses sc can kit: wrong")
    (doubt,) = session.doubts("cat accuses sc can kit: wrong")
    assert ("turn", "It is Ben's turn: did Ben skip?") == (doubt.kind, doubt.question)
    assert ("Ben skips", "Cat accuses Scarlett, Candlestick, Kitchen: wrong") == (
        doubt.choices[0].lines
    )
    session.tell("cat accuses sc can kit: wrong")
    assert "Ann" == session.turn


def test_who_is_out_and_a_game_that_is_over_are_told_with_the_entry_since_when() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    session.tell("ben accuses white wr lou: wrong")
    assert {} == asked(session, "cat sc can kit: ben")  # who is out still answers
    for line in ("ben sc can kit: cat", "ben accuses sc can kit: wrong"):
        (doubt,) = session.doubts(line)
        assert "Ben is out since entry 3: is it right all the same?" == doubt.question
        assert ("turn", (), False) == (doubt.kind, doubt.choices, doubt.serious)
    session.tell("cat accuses sc wr kit: wrong")
    for line in ("cat skips", "ann sc can kit: ben sc", "ben accuses sc can kit: wrong"):
        (doubt,) = session.doubts(line)
        assert "The game is over since entry 4: is it right all the same?" == doubt.question
    assert () == session.doubts("ann knows ben has peacock")
    session.tell("ben skips")
    assert () == session.doubts("cat skips")  # once is enough
    session = begun()
    session.tell("ben accuses green wr lou: right")
    assert "since entry 2" in session.doubts("cat skips")[0].question


def test_a_turn_that_a_line_leaves_out_is_a_guess() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat mus")
    assert "Ben" == session.guessed("sc can kit: cat")
    assert session.guessed("ben sc can kit: cat") is None
    assert session.guessed("nonsense") is None
    assert session.guessed("mus wr lou: cat", editing=2) is None


def test_undo_and_redo_say_what_they_did_and_give_the_line_back() -> None:
    session = begun()
    session.tell("ann mus wr lou : cat mus # quickly")
    line = session.lines[-1]
    undone = session.undo()
    assert undone is not None
    assert (2, f"{line} # quickly", f"taken back: 2  {line}") == undone
    redone = session.redo()
    assert redone is not None
    assert (2, "", f"there again: 2  {line}") == redone
    session.edit(2, "ann mus wr lou : cat wr")
    changed = session.lines[-1]
    assert (2, f"{changed} # quickly", f"again: 2  {line}") == session.undo()
    session.set_hands("6, 6, 6")
    assert (None, "", "hand sizes are again: not recorded") == session.undo()


def test_what_another_program_writes_to_the_file_is_taken_in_before_the_next_entry(
    tmp_path: Path,
) -> None:
    session = begun(tmp_path)
    path = tmp_path / "game.clue"
    with path.open("a", encoding="utf-8") as file:
        file.write("Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard\n")
    assert 3 == session.tell("sc can kit: cat")
    assert "read again" in session.outside
    assert session.lines[2].startswith("Ben suggests")
    assert session.record.observations == load_record(path).observations
    session.tell("cat mus wr kit: ?")
    assert "" == session.outside


def test_a_change_by_number_is_not_made_in_a_file_that_has_changed(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.tell("ann mus wr lou: cat mus")
    path = tmp_path / "game.clue"
    path.write_text(START + "Ben suggests Scarlett, Rope, Hall: Cat passes, Ann shows Rope\n")
    with pytest.raises(RecordError, match="read again"):
        session.undo()
    assert session.lines[-1].startswith("Ben suggests")
    assert session.undo()
    assert session.lines[-1].startswith("Ann suggests Mustard")
    path.write_text(START)
    assert "read again" in session.poll()
    assert 1 == len(session.record.entries)
    assert "" == session.poll()


def test_what_another_program_wrote_and_cannot_be_read_is_kept_beside(tmp_path: Path) -> None:
    session = begun(tmp_path)
    path = tmp_path / "game.clue"
    path.write_text("half a li")
    assert "cannot be read" in session.poll()
    assert 2 == session.tell("ann mus wr lou: cat mus")
    assert "game.clue.outside" in session.outside
    assert "half a li" == (tmp_path / "game.clue.outside").read_text()
    assert 2 == len(load_record(path).entries)


def test_what_killed_processes_left_is_removed_and_what_lives_is_not(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    other = Keeper(tmp_path / "other.clue")
    left = [tmp_path / f".game.clue.{dead.pid}-00ff00ff.part", tmp_path / ".old.clue.lock"]
    kept = [tmp_path / f".game.clue.{os.getpid()}-00ff00ff.part", tmp_path / ".a.lock"]
    for file in (*left, *kept):
        file.write_text("")
    keeper = Keeper(tmp_path / "game.clue")
    locks = [tmp_path / ".game.clue.lock", tmp_path / ".other.clue.lock"]
    assert sorted([*kept, *locks]) == sorted(tmp_path.iterdir())
    keeper.close()
    other.close()
    assert sorted(kept) == sorted(tmp_path.iterdir())


def test_a_clash_has_a_provisional_report_under_the_likeliest_correction() -> None:
    session = begun()
    assert session.provisional() is None
    session.tell("ann mus wr lou: ben")
    session.tell("ann mus wr lou: -")
    found = session.provisional(session.check())
    assert found is not None
    report, correction = found
    assert report.consistent
    assert session.check().corrections[0] == correction
    assert not session.check().consistent


def test_what_to_do_now_is_one_line() -> None:
    session = begun()
    decision = session.game.decision()
    assert not decision.accuse
    assert re.fullmatch(r"Ask .+, .+, .+; do not accuse yet \((<1|\d+) %\)", decision.text)
    assert re.match(r"Likeliest: .+ \((<1|\d+) %\)", session.game.decision(viewer="spec").text)
    for fact in ("mustard", "wrench", "lounge"):
        session.tell(f"ann knows envelope has {fact}")
    decision = session.game.decision()
    assert decision.accuse
    assert decision.certain
    assert "Accuse now: Mustard, Wrench, Lounge (certain)" == decision.text
    session.tell("ann accuses mus wr lou: right")
    assert "The game is over: Mustard, Wrench, Lounge" == session.game.decision().text


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


def test_an_answer_list_that_breaks_off_asks_how_it_went_on() -> None:
    session = begun()
    (doubt,) = session.doubts("ann mus wr lou: ben passes")
    assert "What did the others answer?" == doubt.question
    told = "Ann suggests Mustard, Wrench, Lounge: Ben passes"
    assert [
        ("Cat shows", (f"{told}, Cat shows",)),
        ("nobody shows", ("Ann suggests Mustard, Wrench, Lounge: nobody shows",)),
        ("?", (f"{told}, ?",)),
    ] == ways(doubt)
    assert () == session.doubts("ann mus wr lou: ben passes, ?")
