"""
What comes of what is said in a dialog; no face is needed to see it.

None of it is taken for what it does not mean; which text is a command, and what that changes.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

import clue_solver
from clue_solver.conversation.changes import END, LogPlace, OutsideChange
from clue_solver.conversation.commands import COMMAND, COMMANDS, TypedCommand, change, parse_command
from clue_solver.conversation.dialog import Dialog, Outcome
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, RecordError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.notation.reading import Reading
from clue_solver.record.clue import format_record
from clue_solver.record.files import RecordFile, parse_record
from clue_solver.views.sentences import change_text, ending_text
from tests.conversation.test_session import SHOWN, START, begun
from tests.rows import blocks
from tests.transcripts import in_dialog, judge, transcripts

FOUR = """\
edition: clue-classic
players: Ann, Ben, Cat, Dan
viewer: Ann
Ann holds Scarlett, Green, Rope, Hall, Study
Ann suggests White, Knife, Kitchen: Ben passes, Cat passes, Dan shows Knife
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
EXPRESS = "edition: clue-express; players: Ann, Ben, Cat; viewer: Ann; hands: 4, 3, 3; first: Ben"
HEADERS = {
    "hand": START.partition("Ann holds")[0].strip().replace("\n", "; "),
    "answers: all": START.replace("viewer", "answers: all\nviewer").replace("\n", "; "),
    "express": EXPRESS,
    "colours": f"{EXPRESS}; ; Ann holds Brains Plum, Brawn Green, Brawn White, Brains Peacock",
}
"""What stands behind `@` for a whole header."""
DIALOGS = blocks(Path(__file__).with_name("dialogs.txt"))
"""What is said and what comes of it, as the file says."""


def said(dialog: Dialog, text: str) -> str:
    """What comes of a text, in short: `asks card seen`, `takes 2`, `leaves`."""
    word, number, line = [*text.split(maxsplit=2), "", "", ""][:3]
    place = END
    if word in ("/edit", "/insert"):
        place, text = LogPlace(int(number), insert=word == "/insert"), line
    elif text.startswith("/"):
        table = dialog.session.record.table
        command = TypedCommand(word[1:], text.partition(" ")[2])
        try:
            return change_text(change(dialog.session, command), table)
        except ClueError as error:
            return f"refused: {error}"
    doubt = dialog.doubt
    outcome = dialog.say(text, place)
    told = [*short(outcome)]
    if outcome.doubt is not None and outcome.doubt is doubt:
        fitting = doubt.matching_choices(text) if text else ()
        told = [f"waits, {len(fitting)} fit" if len(fitting) > 1 else "waits"]
        told += ["it follows"] if outcome.later is not None else []
    elif outcome.later is not None:
        told.append(f"{outcome.later.line} follows")
    place = outcome.left.place if outcome.left is not None else outcome.place
    if place.entry is not None and not outcome.entries:
        told[-1] += f", {'insert' if place.insert else 'edit'} {place.entry}"
    return "; ".join(told)


def short(outcome: Outcome) -> list[str]:
    """What came of a line or an answer, step by step."""
    doubt, warning = outcome.doubt, outcome.warning
    steps = [f"takes {entry}" for entry in outcome.entries]
    if outcome.left is not None:
        steps.insert(0, "puts off" if outcome.line else "leaves")
    if outcome.clashes:
        steps[-1] += " !"
    if warning is not None:
        steps[-1] += f", {warning.kind}?"
    if doubt is not None:
        steps.append(f"asks {doubt.kind}")
    elif outcome.error is not None:
        steps.append(f"refuses: {getattr(outcome.error, 'reason', outcome.error)}")
    return steps


def logged(dialog: Dialog) -> list[tuple[int, str]]:
    """The entries that were told, with their comments."""
    session, lines = dialog.session, list[tuple[int, str]]()
    for number, line in enumerate(session.lines, 1):
        comment = session.entry(number).comment
        if not line.startswith("Ann holds"):
            lines.append((number, f"{line}  # {comment}" if comment else line))
    return lines


@pytest.mark.parametrize("text", DIALOGS.values(), ids=DIALOGS)
def test_what_comes_of_what_is_said(text: str) -> None:
    dialog, found = Dialog(begun()), list[str]()
    for line in text.splitlines():
        mark, _, typed = line.partition(" ")
        if not mark:
            continue
        found.append(line)
        if mark == "@" and (header := HEADERS.get(typed, typed)).startswith("edition"):
            record = parse_record("\n".join((*header.split("; "), "")))
            dialog = Dialog(Session(record), hand=typed == "hand")
        elif mark == "@":
            dialog.careful = typed == "careful"
        elif typed == "log":
            found += (f"  {number} {line}" for number, line in logged(dialog))
        elif typed == "header":
            header, _, _ = format_record(dialog.session.record).partition("\n\n")
            found += (f"  {line}" for line in header.splitlines()[1:])
        elif typed == "turn":
            over = dialog.session.record.ended
            found.append(f"  {ending_text(over) if over else dialog.session.turn}")
        elif typed == "asked":
            doubt = dialog.doubt
            assert doubt is not None
            labels = " | ".join(each.label for each in doubt.choices)
            found.append(f"  {doubt.text} {labels}".rstrip())
        elif came := said(dialog, typed):
            found.append(f"  {came}")
    assert "\n".join(found) == text.rstrip()


@pytest.mark.parametrize("held", ["Brains Plum", "Brains Scarlett"])
def test_a_line_is_taken_for_what_was_told_of_it_while_it_was_typed(held: str) -> None:
    header = "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann\nhouse: all\n"
    dialog = Dialog(Session(parse_record(f"{header}\nCat has {held}\n")))
    line = "ben acc sc gr: right"
    ahead, outcome = dialog.typed_line(line).reading, dialog.say(line)
    if held == "Brains Scarlett":  # contradicts the roles in their order
        assert ahead is None
        assert outcome.doubt is not None
        assert len(outcome.doubt.choices) == 2
        return
    assert ahead is not None
    assert (ahead.text, ahead.by_order) == ("Ben accuses Brains Scarlett, Brawn Green: right", True)
    assert outcome.taken == ahead


def test_what_takes_too_long_to_prove_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TooLarge("too much is open")

    header = HEADERS["hand"].replace("; ", "\n")
    told, new = Dialog(begun()), Dialog(Session(parse_record(f"{header}\n")), hand=True)
    monkeypatch.setattr(Deduction, "possible", refuse)
    assert short(told.say("ben has rope")) == ["asks clash"]
    assert short(new.say("ann mus wr lou: -")) == ["takes 1", "asks hand"]


def test_a_line_goes_where_the_face_puts_it() -> None:
    taken: list[tuple[str, LogPlace, tuple[str, ...]]] = []

    def commit(told: Reading, place: LogPlace, skips: tuple[Reading, ...]) -> int:
        taken.append((told.line, place, tuple(skip.line for skip in skips)))
        return 9

    dialog = Dialog(begun(None, SHOWN), commit=commit)
    assert said(dialog, "ben pea can lib: -") == "takes 9"
    assert [said(dialog, text) for text in ("cat pea can lib: ben", "1")][-1] == "takes 8; takes 9"
    assert taken == [
        ("ben pea can lib: -", END, ()),
        ("Cat suggests Peacock, Candlestick, Library: Ben shows", END, ("Ben skips",)),
    ]


def test_what_another_program_wrote_comes_before_the_line(tmp_path: Path) -> None:
    session = begun(tmp_path)
    assert isinstance(session.keeper, RecordFile)
    (tmp_path / "game.clue").write_text(f"{START}Ann skips\n", "utf-8")
    outcome = Dialog(session).say("skip")
    assert (outcome.outside, outcome.entries) == (OutsideChange(entries=2), (3,))
    assert session.lines[1:] == ("Ann skips", "Ben skips")
    (tmp_path / "game.clue").write_text(f"{START}Ann skips\nBen skips\nCat skips\n", "utf-8")
    with pytest.raises(RecordError):  # what another program wrote is not taken back
        change(session, TypedCommand("undo"))
    assert len(session.lines) == 4


def test_a_late_answer_is_of_the_entry_that_it_was_asked_about(tmp_path: Path) -> None:
    session = begun(tmp_path)
    dialog = Dialog(session)
    dialog.say("ann green rope hall: ?")
    outcome = dialog.say("cat shows hall")
    assert outcome.doubt is not None
    asked, answered = "Ann suggests Green, Rope, Hall", "Ben passes, Cat shows Hall"
    others = f"{START}{asked}: {answered}\nBen suggests Green, Knife, Study\n"
    (tmp_path / "game.clue").write_text(others, "utf-8")
    outcome = dialog.say("1")
    assert outcome.error is not None
    assert session.lines[1:] == (f"{asked}: {answered}", "Ben suggests Green, Knife, Study")


@pytest.mark.parametrize(
    ("line", "most", "modules"),
    [("ben mus wr lou: cat pas, dan shows", 1_200, 7), ("ben plum rope", 2_400, 9)],
)
def test_a_typed_line_goes_a_short_way_into_the_record(line: str, most: int, modules: int) -> None:
    package = str(Path(clue_solver.__file__).parent)
    calls = Counter[str]()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(package):
            calls[frame.f_code.co_filename.removeprefix(package)] += 1

    for _ in range(2):  # first what is made once and kept for all games
        dialog = Dialog(Session(parse_record(FOUR)))
        dialog.session.game.report()
        assert dialog.session.turn == "Ben"  # as every face shows
        calls.clear()
        sys.setprofile(seen)
        dialog.say(line)
        sys.setprofile(None)
    assert calls.total() <= most
    assert len([name for name in calls if name.startswith("/notation/")]) <= modules
    assert len(calls) <= 27


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("undo", TypedCommand("undo")),
        (" Undo ", TypedCommand("undo")),
        ("/edit 7  ben skips", TypedCommand("edit", "7  ben skips")),
        ("why plum ben", TypedCommand("why", "plum ben")),
        ("why is the lounge in the envelope?", TypedCommand("why", "lounge envelope")),
        ("what if ben has plum?", TypedCommand("suppose", "ben has plum")),
        ("what a game", None),
        ("/nonsense", TypedCommand("nonsense")),
        ("  /log", TypedCommand("log")),
        ("no, scratch that!", None),
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


HERE = Path(__file__).parent
NOTATION = HERE.parent / "notation"


def test_what_is_said_is_not_misread_and_little_of_it_is_refused() -> None:
    told = [
        *transcripts(HERE / "said.txt"),
        *[*transcripts(NOTATION / "said.txt")][::5],
        *[*transcripts(NOTATION / "tempting.txt")][::5],
    ]
    verdicts = [(typed, judge(typed, in_dialog(typed))) for typed in told]
    assert [typed for typed, verdict in verdicts if verdict in ("misread", "asked amiss")] == []
    meant = [verdict for typed, verdict in verdicts if typed.due[0] not in "?!"]
    assert meant.count("refused") < 0.2 * len(meant)
