"""A game in progress: nothing lost, everything can be taken back, and what is doubtful is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import clue_solver
from clue_solver import Game, NotationError, RecordError, parse_record
from clue_solver.conversation.changes import END, LogPlace, OutsideChange
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.doubts import Doubt, find_doubts, meaning_doubt
from clue_solver.conversation.meaning import Candidate, meanings, place_of, read
from clue_solver.conversation.session import Session
from clue_solver.faces.asking import next_question
from clue_solver.faces.prompt import Prompt
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reading import reading_of, single_reading, why_not
from clue_solver.record.clue import format_record
from clue_solver.record.files import RecordFile, load_record
from clue_solver.rules.observations import Answer, Hand, Suggestion
from clue_solver.rules.turns import TurnState
from clue_solver.views.sentences import outside_text
from tests.counting import counted
from tests.rows import blocks
from tests.strategies import games

EXAMPLES = Path(__file__).parents[2] / "examples"

START = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""
SHOWN = "ann mus wr lou: cat mus"
"""Ann sees that Cat has Mustard."""


def begun_in(folder: Path) -> Path:
    """Return the file of such a game in a folder of its own."""
    folder.mkdir()
    path = folder / "game.clue"
    path.write_text(START, "utf-8")
    return path


def begun(folder: Path | None = None, *lines: str) -> Session:
    """Return a game with Ann's hand and these lines, in a file if a folder is given."""
    record = parse_record(START)
    keeper = RecordFile(folder / "game.clue") if folder else None
    if keeper:
        keeper.write(record)
    session = Session(record, keeper=keeper)
    for line in lines:
        session.tell(line)
    return session


TRANSCRIPTS = blocks(Path(__file__).with_name("doubts.txt"))
"""
What is asked about lines. `@` a header; `.` a line that is taken; `>` one that is asked about, in
the place of an entry (`>3`) or before it (`>+3`); with `>>` what each choice tells.
"""


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_what_is_doubtful_about_a_line_is_asked(text: str) -> None:
    session, found = begun(), list[str]()
    for line in text.splitlines():
        mark, _, said = line.partition(" ")
        if not mark:
            continue
        found.append(line)
        if mark == "@" and said.startswith("edition"):
            session = Session(parse_record(f"{said}\nplayers: Ann, Ben, Cat\nviewer: Ann\n"))
        elif mark == "@":
            session = Session(parse_record(START.replace("viewer", f"{said}\nviewer")))
        elif mark == ".":
            session.tell(said)
        else:
            found += asked(session, mark, said)
    assert "\n".join(found) == text.rstrip()


SLIGHT = ("no answers", "turn", "rule")
"""What is asked about a line that is right about the cards that the viewer saw."""


def ask_about(session: Session, line: str, place: LogPlace = END) -> list[Doubt]:
    """Return what is asked about a line that was typed."""
    ways = meanings(session.game, line, place, also_late=place.entry is None)
    told = single_reading(ways)
    if told is not None and not told.late:
        return find_doubts(Candidate(session.game, told, place))
    if (doubt := meaning_doubt(ways, session.record, edits=place != END)) is None:
        raise why_not(ways, line)
    return [doubt]


def asked(session: Session, mark: str, line: str) -> Iterator[str]:
    """Yield what is asked about a line, or why it is refused."""
    entry = int(mark.strip(">+") or 0) or None
    before = session.record
    try:
        found = ask_about(session, line, LogPlace(entry, "+" in mark))
    except NotationError as error:
        found = []
        yield f"  refused: {error.reason}"
        with pytest.raises(NotationError, match=re.escape(error.reason)):
            session.tell(line)
    for doubt in found:
        yield f"  {doubt.kind} {doubt.text}"
        if mark.startswith(">>"):
            for each in doubt.choices:
                told = each.reading
                moved = f" @{place_of(told, before).entry}" if told and told.late else ""
                line = "" if told is None else told.text if doubt.keeps_line(each) else told.line
                lines = "; ".join((*(skip.line for skip in each.earlier), line))
                yield f"    {each.label}{moved}: {lines}".rstrip(": ")
        elif doubt.choices:
            yield f"    {' | '.join(each.label for each in doubt.choices)}"
    assert session.record is before


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
    whole = load_record(Path(__file__).parents[1] / "games" / f"{name}.clue")
    viewer = whole.table.viewer
    assert viewer is not None
    own = next(each.cards for each in whole.observations if isinstance(each, Hand))
    session, tried = Session(whole.upto(0)), 0
    for told in whole.observations:
        for slip in slips(told, frozenset(own), viewer) if isinstance(told, Suggestion) else ():
            tried += 1
            line = format_line(slip, whole.table)
            try:
                stopped = any(doubt.kind not in SLIGHT for doubt in ask_about(session, line))
            except NotationError:
                stopped = True
            assert stopped, line
        session.tell(told)
    assert tried > 10


@pytest.mark.parametrize(
    ("lines", "typed", "first", "never"),
    [
        ((), "ann plum ro lou : ben p", "passes, ", "shows Plum"),
        ((), "ben mus wr lou : cat no, ann ", "passes", "shows Mustard"),
        ((), "ben plum wr lou : cat no, ann s", "shows ", "passes"),
        ((SHOWN,), "ann mus ro kit : ben ", "shows ", "shows Rope"),
    ],
)
def test_what_is_offered_first_is_possible(
    lines: tuple[str, ...], typed: str, first: str, never: str
) -> None:
    session = begun(None, *lines)
    found = Dialog(session).completions(typed)
    assert found[0].line.casefold() == (typed[: typed.rindex(" ") + 1] + first).casefold()
    assert never not in [each.label for each in found]


@pytest.mark.parametrize(
    ("own", "who", "labels"),
    [
        (None, (), ["Ben shows", "Cat shows", "Dan shows", "nobody shows", "no idea"]),
        (("Rope", "Hall"), (), ["Ben shows", "Cat shows", "no idea"]),
        (("Knife",), (), ["Ben shows", "Dan shows", "nobody shows", "no idea"]),
        (("Rope", "Hall"), ("Cat",), ["shows Rope", "shows Hall", "shows a card that I forgot"]),
    ],
)
def test_lists_offer_the_viewer_only_what_it_holds(
    own: tuple[str, ...] | None, who: tuple[str, ...], labels: list[str]
) -> None:
    table = parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Cat\n").table
    chosen = ("Suggestion", "Ann", "Plum", "Rope", "Hall", *who)
    question = next_question(table, TurnState(), chosen, own)
    assert isinstance(question, Prompt)
    assert [label for label, _ in question.choices] == labels


def test_an_entry_is_in_the_file_before_it_is_reported(tmp_path: Path) -> None:
    session, path = begun(tmp_path), tmp_path / "game.clue"
    assert session.tell("ann mus wr lou : cat mus") == 2
    assert load_record(path).observations == session.record.observations
    assert (
        session.lines[-1] == "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
    )
    with pytest.raises(RecordError, match="open in another window"):
        RecordFile(path)
    session.close()
    again = Session(load_record(path), keeper=RecordFile(path))  # undone entry by entry
    for step, entries in ((again.undo, 1), (again.undo, 0), (again.redo, 1), (again.redo, 2)):
        assert step()
        assert len(again.record.entries) == len(load_record(path).entries) == entries
    assert again.redo() is None
    again.close()


def test_an_entry_before_the_first_stands_under_the_comments_of_the_header() -> None:
    session = Session(parse_record(START.replace("\nAnn holds", "\n# evening\nAnn holds")))
    session.commit(read(session.game, "ben skips"), LogPlace(1, insert=True))
    assert format_record(session.record).splitlines()[4:6] == ["# evening", "Ben skips"]


def test_an_entry_that_is_taken_out_or_comes_back_has_none_in_its_place() -> None:
    session = begun(None, "ann skips", "ben skips")
    cut = session.entry(2)
    session.delete(2)
    back = session.undo()
    assert back is not None
    assert (back.kind, back.entry, back.before, back.after) == ("added", 2, None, cut)
    again = session.redo()
    assert again is not None
    assert (again.kind, again.before, again.after) == ("removed", cut, None)


def test_a_change_by_number_is_not_made_in_a_file_that_has_changed(tmp_path: Path) -> None:
    session, path = begun(tmp_path, SHOWN), tmp_path / "game.clue"
    told = reading_of(session.record.observations[1], session.record.table)
    path.write_text(START + "Ben suggests Scarlett, Rope, Hall: Cat passes, Ann shows Rope\n")
    with pytest.raises(RecordError, match=r"read again.*nothing else was done"):
        session.undo()
    assert session.lines[-1].startswith("Ben suggests")
    assert session.undo()
    assert session.lines[-1].startswith("Ann suggests Mustard")
    for number, change in enumerate(
        (
            lambda: session.delete(1),
            lambda: session.commit(told, LogPlace(1)),
            lambda: session.commit(told, LogPlace(1, insert=True)),
            lambda: session.set_header("hands", ""),
            lambda: session.set_header("seats", "A, B, C"),
            session.redo,
        )
    ):
        path.write_text(f"{START}# {number}\n")
        with pytest.raises(RecordError, match="nothing else was done"):
            change()
    path.write_text(START)
    assert session.poll() == OutsideChange(entries=1)
    assert len(session.record.entries) == 1
    assert session.poll() is None


def test_what_another_program_wrote_and_cannot_be_read_is_kept_beside(tmp_path: Path) -> None:
    session, path = begun(tmp_path), tmp_path / "game.clue"
    path.write_text("half a li")
    outside = session.poll()
    assert outside is not None
    assert isinstance(outside.error, RecordError)
    assert "it cannot be read now" in outside_text(outside)
    assert session.tell(SHOWN) == 2
    aside = tmp_path / "game.clue.outside"
    assert session.outside == OutsideChange(aside=aside)
    assert "is kept in game.clue.outside" in outside_text(session.outside)
    assert aside.read_text() == "half a li"
    assert len(load_record(path).entries) == 2
    session.tell("ben mus wr kit: ?")
    assert session.outside is None


@given(st.data(), games(most=8))
def test_a_session_knows_what_a_game_begun_anew_knows(data: st.DataObject, game: Game) -> None:
    session, lines = Session(game.record.upto(0)), list(game.lines)
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
    viewer = data.draw(st.sampled_from((game.table.viewer or "spectator", game.table.seats[-1])))
    anew = Game(session.record).report(viewer=viewer)
    carried = session.game.report(viewer=viewer)
    assert carried.consistent == anew.consistent
    assert len(carried.conflict) == len(anew.conflict)
    assert carried.deals == anew.deals
    assert carried.verdicts.tolist() == anew.verdicts.tolist()
    assert carried.probabilities == pytest.approx(anew.probabilities, nan_ok=True)
    assert dict(carried.solutions) == pytest.approx(dict(anew.solutions))
    assert carried.new == anew.new
    while session.undo():
        pass
    assert session.record.entries == ()


def test_from_a_line_to_its_sheet_few_functions_are_called() -> None:
    for name in ("classic", "evening"):
        record = load_record(EXAMPLES / f"{name}.clue")
        for known in (False, True):  # first what is made once and kept for all games
            session = Session(record.upto(1))
            session.game.report()
            for line in Game(record).lines[1:]:
                with counted(within=str(Path(clue_solver.__file__).parent)) as calls:
                    session.tell(line)
                    session.game.report()
                assert not known or calls.total() <= 1_700, line
