"""The states of the dialog, and what leads from one to another; no face is needed to see it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

import clue_solver
from clue_solver.conversation.changes import Change, Outside
from clue_solver.conversation.commands import said_in
from clue_solver.conversation.dialog import (
    Asking,
    Asks,
    EntryDialog,
    NotTaken,
    Outcome,
    Refused,
    Taken,
    Unanswered,
    Writing,
    in_place,
)
from clue_solver.conversation.doubts import Place
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, NotationError
from clue_solver.inference.sat import Solver
from clue_solver.notation import Reading, format_line
from clue_solver.notation.reader import Line
from clue_solver.record import load_record, parse_record
from clue_solver.record.files import RecordFile
from tests.conversation.test_session import SHOWN, START, begun
from tests.counting import counted

FOUR = """\
edition: clue-classic
players: Ann, Ben, Cat, Dan
viewer: Ann
Ann holds Scarlett, Green, Rope, Hall, Study
Ann suggests White, Knife, Kitchen: Ben passes, Cat passes, Dan shows Knife
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
ASKED = "ann mus wr lou: cat"
SKIPPED = "cat sc can kit: ben"


def opened(*lines: str, asks: Asks = "everything") -> EntryDialog:
    return EntryDialog(begun(None, *lines), asks=asks)


def said(dialog: EntryDialog, text: str) -> str:
    """What comes of a text, in short: `asks card seen`, `takes 2`, `leaves`."""
    return "; ".join(map(short, dialog.say(text)))


def short(outcome: Outcome) -> str:
    match outcome:
        case Taken(entry=entry, clashes=clashes, warning=warning):
            doubt = f", {warning.kind}?" if warning else ""
            return f"takes {entry}{' !' if clashes else ''}{doubt}"
        case Asking(doubt=doubt):
            return f"asks {doubt.kind}"
        case Refused(late=late):
            return f"refuses{f', late {late.entry}' if late else ''}"
        case Unanswered(fitting=fitting):
            return f"waits{f', {len(fitting)} fit' if fitting else ''}"
        case NotTaken(waits=waits):
            return "puts off" if waits else "leaves"
        case Change(kind=kind, entry=entry):
            return f"{kind} {entry}"
    return "outside"


DIALOGS = {
    "a doubtful line waits for its answer": """
        ann mus wr lou: cat > asks card seen
        plum > waits
        > waits
        lou > takes 2
    """,
    "an answer may be a number, a word, or what stands behind the colon": """
        ben sc le ki > asks no answers
        2 > takes 2
        cat pea can lib > asks no answers
        n > takes 3
        ann mus wr lou > asks no answers
        ben lou > takes 4
    """,
    "two answers fit": """
        ann mus wr lou: cat mus > takes 2
        ben skips > takes 3
        cat sc can kit: ben > takes 4
        ben pea le lib: cat > asks turn
        ann > waits, 2 fit
        it was > asks card seen
        3 > takes 5
    """,
    "a card that can be one alone is filled in": """
        ann mus wr lou: cat mus > takes 2
        ben pea knife kit: ann > takes 3
        cat mus knife hall: ann > asks card shown
        hall > takes 4
        ann plum rope bal: ben > takes 5
    """,
    "skips are assumed once two were told so": """
        ann mus wr lou: cat mus > takes 2
        cat sc can kit: ben > asks turn
        y > takes 3; takes 4
        ben sc le kit: cat > asks turn
        y > takes 5; takes 6
        ann pea can lib: - > takes 7; takes 8
    """,
    "what is told twice is asked about before who skipped": """
        ann mus wr lou: cat mus > takes 2
        ben sc le kit: cat > takes 3
        ben sc le kit: cat > asks turn
        y > leaves
        ben sc le kit: cat > asks turn
        2 > asks rule
        n > leaves
        ben sc le kit: cat > asks turn
        2 > asks rule
        y > takes 4; takes 5; takes 6
    """,
    "yes takes the line as it stands, no leaves it": """
        ann mus wr lou: ben > asks card seen
        y > takes 2
        ben mus wr lou: cat mus > asks not seen
        no > leaves
        ben mus wr lou: cat mus > asks not seen
        y > takes 3
    """,
    "what contradicts the log is asked about first, then the rest of it": """
        ann mus wr lou: cat mus > takes 2
        cat mus wr lou: ben mus > asks clash
        y > asks turn
        as > takes 3 !
    """,
    "what is lacking has no yes": """
        ann mus wr: cat? > asks lacking
        y > waits
        lou > takes 2
        ben accuses mus wr lou > asks lacking
        n > leaves
    """,
    "another line puts the one off that is asked about": """
        ann mus wr lou: cat > asks card seen
        ben sc can kit: cat > puts off; takes 2
        sc can kit: ann > refuses
    """,
    "whose turn it is is asked once a line was put off": """
        ann mus wr lou: cat mus > takes 2
        ben mus wr lou: - > asks clash
        skip > puts off; asks turn
        y > takes 3
        skip > takes 4
    """,
    "whose turn it is is asked once a line that names who asks was not taken": """
        ann mus wr lou: cat mus > takes 2
        cat plmu rope hall: ben > refuses
        sc can kit: cat > asks turn
        n > leaves
        cat sc can kit: ben > asks turn
        y > takes 3; takes 4
        plmu rope hall: ben > refuses
        sc can kit: ? > takes 5
        ben mus wr > asks lacking
        n > leaves
        ben mus wr kit: cat > takes 6
        pea knife hall: ? > takes 7
    """,
    "a late answer goes to the entry that lacks it": """
        ann mus wr lou: ? > takes 2
        cat shows > asks late
        n > leaves
        cat shows > asks late
        y > asks card seen
        mus > takes 2
        zz > refuses
    """,
    "who skipped is told before the line, and what else is doubtful is asked": """
        ann mus wr lou: cat mus > takes 2
        cat sc can kit > asks no answers
        ? > asks turn
        1 > takes 3; takes 4
    """,
}


@pytest.mark.parametrize("text", DIALOGS.values(), ids=DIALOGS)
def test_what_comes_of_what_is_said(text: str) -> None:
    dialog = opened()
    lines = [line.strip().rpartition("> ") for line in text.strip().splitlines()]
    assert [said(dialog, typed) for typed, _, _ in lines] == [then for _, _, then in lines]


HAND_ASKED = {
    "before the first own suggestion, which is taken after it": """
        cat sc le ki: ? > takes 1
        ann mus wr lou: cat mus > asks hand
        plum, rope > waits
        i have plum, rope > asks hand
        hall > asks hand
        study, knife, green > takes 2; takes 3
    """,
    "before an own answer, and what is doubtful about that is asked after it": """
        ben plum rope kit: ann > asks hand
        my hand is plum, rope, hall, study, knife and green > takes 1; asks card shown
        rope > takes 2
    """,
    "it is told later by Enter alone, and never asked again": """
        ann mus wr lou: cat mus > asks hand
        > takes 1
        ben pea can lib: ann pea > takes 2
    """,
    "another line puts off the one before which it was asked": """
        ann mus wr lou: cat mus > asks hand
        ben sc le ki: cat > puts off; takes 1
        ann mus wr lou: cat mus > asks turn
    """,
    "a hand that contradicts the log is asked about, and the line waits": """
        cat has plum > takes 1
        ann mus wr lou: cat mus > asks hand
        i have plum, rope, hall, study, knife, green > asks clash
        n > leaves
    """,
    "a hand that is told is not asked for": """
        hand: plum, rope, hall, study, knife, green > takes 1
        ann mus wr lou: cat mus > takes 2
    """,
}


@pytest.mark.parametrize("text", HAND_ASKED.values(), ids=HAND_ASKED)
def test_a_hand_that_is_missing_is_asked_for_once_where_it_matters(text: str) -> None:
    session = begun()
    session.delete(1)
    dialog = EntryDialog(session, hand=True)
    lines = [f" {line.strip()}".rpartition(">") for line in text.strip().splitlines()]
    found = [(typed.strip(), said(dialog, typed)) for typed, _, _ in lines]
    assert found == [(typed.strip(), then.strip()) for typed, _, then in lines]


def test_of_a_line_that_speaks_of_an_entry_it_is_said_how_to_change_that() -> None:
    dialog = opened("ann mus wr lou: cat mus")
    (refused,) = dialog.say("wrong, entry 2 was ben showing")
    assert isinstance(refused, Refused)
    assert "to change entry 2: /edit 2" in str(refused.error)
    assert said_in("undo that", dialog) is None
    assert said(dialog, "undo that") == "removed 2"


@pytest.mark.parametrize("entry", ["cat mus wr lou: ben", "cat mus wr lou: ?", "ben sc le ki: -"])
@pytest.mark.parametrize(
    "sentence",
    [
        "ann has nothing to show",
        "no, it was ben",
        "no, nobody showed",
        "i meant the knife",
        "change lounge to hall",
        "rename ben to bob",
        "it is cat's turn",
    ],
)
def test_no_sentence_changes_an_entry_that_is_there(entry: str, sentence: str) -> None:
    dialog = opened(entry)
    before = dialog.session.record
    assert said(dialog, sentence) in ("refuses", "asks late")
    assert dialog.session.record == before


def test_skips_go_in_with_their_line_in_one_step_or_not_at_all() -> None:
    game = "edition: clue-diced\nplayers: Max, Anna, Lea\nviewer: Max\n\nMax skips\n"
    dialog = EntryDialog(Session(parse_record(game)))
    line, told = "lea asks anna about plum: shows", ("Max skips",)
    assert [said(dialog, text) for text in (line, "1")] == ["asks turn", "asks rule"]
    assert (said(dialog, "n"), dialog.session.lines) == ("leaves", told)
    answers = [said(dialog, text) for text in (line, "1", "y")]
    assert answers == ["asks turn", "asks rule", "takes 2; takes 3"]
    dialog.undo()
    assert dialog.session.lines == told


def test_the_hand_is_asked_for_before_advice_as_well() -> None:
    session = begun()
    assert EntryDialog(session, hand=True).ask_hand() is None
    session.delete(1)
    assert EntryDialog(session).ask_hand() is None
    assert EntryDialog(session, asks="nothing", hand=True).ask_hand() is None
    dialog = EntryDialog(session, hand=True)
    asking = dialog.ask_hand("/advise")
    assert asking is not None
    assert asking.doubt.question == "Which 6 cards do you hold?"
    assert said(dialog, "plum rope hall study knife green") == "takes 1"
    session.delete(1)
    assert dialog.ask_hand() is None
    dialog = EntryDialog(session, hand=True)
    dialog.ask_hand("/advise")
    assert said(dialog, "ben sc le ki: cat") == "puts off; takes 1"
    assert dialog.waiting == ()  # a command does not wait


PIPED = {
    "a doubtful line is taken, and the next may answer": """
        ann mus wr lou: cat > takes 2, card seen?
        wr > takes 2
        ben sc rope kit > takes 3, no answers?
        cat no > takes 3, no answers?
        ann rope > takes 3
        cat sc can kit: ? > takes 4
    """,
    "it is taken back, where it was not so": """
        ann mus wr lou: cat mus > takes 2
        cat sc can kit: ben > takes 3, turn?
        n > removed 3
        cat sc can kit: ben > takes 3, turn?
        y > takes 3; takes 4
        ben sc can kit: cat > takes 5, turn?
        in place > takes 3
    """,
    "another line, or none, leaves it as it is": """
        ann mus wr lou: cat > takes 2, card seen?
        >
        ben pea can lib: - > takes 3
        cat reveals plum > takes 4 !, clash?
        cat skips > takes 5
        ann mus wr > refuses
        late > refuses
        ann sc can kit: ? > takes 6
        cat shows > refuses, late 6
    """,
}


@pytest.mark.parametrize("text", PIPED.values(), ids=PIPED)
def test_where_nobody_is_there_lines_are_taken_with_a_warning(text: str) -> None:
    dialog = opened(asks="nothing")
    lines = [f" {line.strip()}".rpartition(">") for line in text.strip().splitlines()]
    found = [(typed.strip(), said(dialog, typed)) for typed, _, _ in lines]
    assert found == [(typed.strip(), then.strip()) for typed, _, then in lines]


def test_what_a_later_line_may_answer_is_only_warned_of_where_that_is_wanted() -> None:
    dialog = opened(asks="what matters")
    assert said(dialog, "ann mus wr lou: cat") == "asks card seen"
    assert said(dialog, "ben sc can kit") == "puts off; takes 2, no answers?"
    assert isinstance(dialog.state, Asking)
    assert dialog.state.entry is not None
    assert said(dialog, "cat") == "takes 2"


def test_a_warned_entry_that_moves_is_not_there_twice() -> None:
    dialog = opened(SHOWN, "ben skips", "cat sc can kit: -", asks="nothing")
    assert said(dialog, "ben pea le lib: cat") == "takes 5, turn?"
    assert said(dialog, "in place") == "takes 3"
    assert [line.partition(" ")[0] for line in dialog.session.lines] == ["Ann", "Ann", "Ben", "Cat"]
    dialog = opened(SHOWN, "cat sc can kit: ?", asks="nothing")
    assert said(dialog, "ben pea rope lib: cat") == "takes 4, turn?"
    assert said(dialog, "earlier") == "takes 3"
    assert dialog.session.lines[2].startswith("Ben suggests")
    assert len(dialog.session.lines) == 4


def test_an_edit_keeps_its_place_until_it_is_taken_or_left() -> None:
    dialog = opened(SHOWN, "ben pea can lib: cat")
    dialog.edit(3, draft="cat sc")
    assert dialog.state == Writing(Place(3))
    assert said(dialog, "cat sc can kit: ?") == "asks turn"
    assert said(dialog, "n") == "leaves"
    assert (dialog.place, dialog.draft) == (Place(3), "cat sc")
    assert said(dialog, "ben sc can kit: ?") == "takes 3"
    assert dialog.state == Writing()
    dialog.edit(3, insert=True, draft="cat sc")
    assert said(dialog, "ben plum") == "refuses"
    assert dialog.place == Place(3, insert=True)
    assert dialog.leave() == "cat sc"
    assert (dialog.state, dialog.draft) == (Writing(), "")
    with pytest.raises(ArgumentError, match="no entry 4: the log has 3"):
        dialog.edit(4)


def test_a_line_put_off_waits_with_its_place_until_it_is_said_or_put_right() -> None:
    dialog = opened(SHOWN, "ben sc can kit: cat")
    dialog.edit(2, draft="cat sc")
    assert said(dialog, ASKED) == "asks card seen"
    assert said(dialog, SKIPPED) == "puts off; takes 4"
    assert [*dialog.waiting] == ["cat sc", f"/edit 2 {ASKED}"]
    assert in_place("ann skips", Place(2, insert=True)) == "/insert 2 ann skips"
    dialog.edit(2)
    assert said(dialog, f"{ASKED} mus") == "takes 2"
    assert [*dialog.waiting] == ["cat sc"]


def test_what_may_be_done_follows_from_the_state() -> None:
    dialog = EntryDialog(begun())
    always = {"enter", "undo", "edit", "insert", "delete"}
    assert dialog.allowed == always
    [*dialog.say(ASKED)]
    assert dialog.allowed == always | {"answer", "escape"}
    assert dialog.undo() == NotTaken(line=ASKED, place=Place(), waits=False)
    undone = dialog.undo()
    assert isinstance(undone, Change)
    assert dialog.allowed == {"enter", "redo"}
    assert dialog.undo() is None
    dialog.session.redo()
    dialog.edit(1)
    assert dialog.allowed == always | {"escape"}
    assert dialog.escape() is None
    assert dialog.state == Writing()


def test_what_cannot_be_leaves_state_and_log_as_they_were() -> None:
    dialog = opened(SHOWN)
    before = dialog.session.record
    dialog.edit(2)
    (refused,) = dialog.say("ben plum wr lou: -")
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, NotationError)
    assert refused.error.reason == "you hold Plum, so you cannot pass: type 'Ann shows Plum'"
    assert (dialog.session.record, dialog.place) == (before, Place(2))


def test_comments_go_with_the_line_through_every_answer() -> None:
    dialog = opened(SHOWN)
    assert said(dialog, "cat sc can kit # late") == "asks no answers"
    assert said(dialog, "ben") == "asks turn"
    assert said(dialog, "y") == "takes 3; takes 4"
    assert [each.comment for each in dialog.session.record.entries[2:]] == ["", "late"]


def test_a_line_goes_where_the_face_puts_it() -> None:
    dialog = opened()
    taken: list[tuple[str, Place]] = []

    def take(told: Reading, place: Place) -> int:
        taken.append((told.line, place))
        return 9

    dialog = EntryDialog(dialog.session, take=take)
    assert said(dialog, "ann mus wr lou: cat mus") == "takes 9"
    assert taken == [("ann mus wr lou: cat mus", Place())]


def test_what_another_program_wrote_comes_before_the_line(tmp_path: Path) -> None:
    session = begun(tmp_path)
    assert isinstance(session.keeper, RecordFile)
    (tmp_path / "game.clue").write_text(f"{START}Ann skips\n", "utf-8")
    outside, taken = EntryDialog(session).say("skip")
    assert outside == Outside(entries=2)
    assert isinstance(taken, Taken)
    assert session.lines[1:] == ("Ann skips", "Ben skips")


def typed_through(dialog: EntryDialog, line: str) -> tuple[int, int, bool]:
    """
    Type a line key by key, as a face does that marks what clashes.

    Returns the readers that were built, the solvers built, and whether any clashes.
    """
    clashing = False
    with counted(Line.__init__, Solver.__init__) as calls:
        for size in range(1, len(line) + 1):
            typed = dialog.typed(line[:size])
            assert typed.preview == dialog.typed(line[:size]).preview
            dialog.session.completions(typed)
            dialog.late(line[:size])
            for told in typed.whole.values():
                clashing |= dialog.clashes(told, dialog.place)
    readers, solvers = (calls[each.__qualname__] for each in (Line.__init__, Solver.__init__))
    return readers, solvers, clashing


@pytest.mark.parametrize(
    "line",
    [
        "ben mus wr lou: cat pas",
        "ann mus ro kit : ben mus",
        "ann pea can bal: -",
        "ben mus wr lou: cat ?",
        "cat shows ?",
        "ben accuses mus wr lou: wrong",
        "cat reveals mus",
        "ann knows cat lacks mus",
        "ben holds sc, wr, lou, pea, can, kit",
        "ben looks at cat",
    ],
)
def test_while_a_line_is_typed_little_is_built(line: str) -> None:
    dialog = opened(SHOWN)
    dialog.session.report()
    readers, solvers, clashing = typed_through(dialog, line)
    assert readers <= 30 * len(line)
    assert solvers <= 1
    assert clashing == ("mus" in line)


@pytest.mark.parametrize("name", ["master", "diced", "two_players", "evening"])
def test_so_it_is_with_every_kind_of_line(name: str) -> None:
    record = load_record(EXAMPLES / f"{name}.clue")
    last = {each.form.verb: number for number, each in enumerate(record.observations)}
    first = {each.form.verb: number for number, each in [*enumerate(record.observations)][::-1]}
    for number in sorted({*first.values(), *last.values()}):
        session = Session(record.upto(number))
        session.report()
        line = format_line(record.observations[number], record.table)
        readers, solvers, _ = typed_through(EntryDialog(session), line)
        assert (readers <= 30 * len(line), solvers <= 1) == (True, True), line


@pytest.mark.parametrize(
    ("line", "most", "modules"),
    [("ben mus wr lou: cat pas, dan shows", 1_200, 7), ("ben plum rope", 2_400, 8)],
)
def test_a_typed_line_goes_a_short_way_into_the_record(line: str, most: int, modules: int) -> None:
    package = str(Path(clue_solver.__file__).parent)
    calls = Counter[str]()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(package):
            calls[frame.f_code.co_filename.removeprefix(package)] += 1

    for _ in range(2):  # first what is made once and kept for all games
        dialog = EntryDialog(Session(parse_record(FOUR)))
        dialog.session.report()
        calls.clear()
        sys.setprofile(seen)
        list(dialog.say(line))
        sys.setprofile(None)
    assert calls.total() <= most
    assert len([name for name in calls if name.startswith("/notation/")]) <= modules


def test_a_card_that_can_be_one_alone_is_told_with_the_line() -> None:
    dialog = opened()
    (taken,) = dialog.enter("ann plum rope lou: ben")
    assert isinstance(taken, Taken)
    line = "Ann suggests Plum, Rope, Lounge: Ben shows Lounge"
    assert line == dialog.session.lines[-1] == taken.told.line
