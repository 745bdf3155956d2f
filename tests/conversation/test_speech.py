"""Lines as people say them: none is taken for what it does not mean, few are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.conversation.dialog import EntryDialog
from clue_solver.conversation.session import Session
from clue_solver.errors import NotationError
from clue_solver.record import parse_record
from tests.conversation.test_session import START
from tests.transcripts import in_dialog, judged, transcripts

HERE = Path(__file__).parent
SAID = (HERE.parent / "notation" / "said.txt", HERE / "said.txt")


def test_lines_of_speech_are_not_misread_and_few_of_them_are_refused() -> None:
    told = [typed for path in SAID for typed in transcripts(path)]
    verdicts = [(typed, judged(typed, in_dialog(typed))) for typed in told]
    misread = [typed for typed, verdict in verdicts if verdict in ("misread", "asked amiss")]
    assert misread == []
    meant = [verdict for typed, verdict in verdicts if not typed.due.startswith("!")]
    assert len(meant) > 400
    assert meant.count("refused") < 0.06 * len(meant)


def test_numbers_beside_a_card_are_no_hand() -> None:
    session = Session(parse_record(START))
    with pytest.raises(NotationError):
        session.read("ha 5, 5, 4, 4, 3")


MAX = "edition: clue-classic\nplayers: Max, Anna, Lea\nviewer: Max\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("max white rope ballrom: anna", "Max suggests White, Rope, Ballroom: Anna shows"),
        ("max white knfie hall, lea", "Max suggests White, Knife, Hall: Anna passes, Lea shows"),
        (
            "max white candlestik conservatry lea",
            "Max suggests White, Candlestick, Conservatory: Anna passes, Lea shows",
        ),
        (
            "max plum rope study, not anna, lea",
            "Max suggests Plum, Rope, Study: Anna passes, Lea shows",
        ),
    ],
)
def test_the_short_form_takes_slips_and_words_of_speech_as_well(line: str, wanted: str) -> None:
    assert EntryDialog(Session(parse_record(MAX))).typed(line).preview.text == wanted


def test_a_card_that_was_not_asked_for_may_be_a_slip_on_either_side() -> None:
    ways = Session(parse_record(MAX)).heard("i asked white revolver hall, lea showed rope")
    assert [way[0].line.partition("suggests ")[2] for way in ways] == [
        "White, Rope, Hall: Lea shows Rope",
        "White, Revolver, Hall: Lea shows Revolver",
        "White, Revolver, Hall: Lea shows",
    ]


@pytest.mark.parametrize("line", ["max plum rope study anna lea", "max plum rope lea"])
def test_a_player_in_full_is_no_card_that_begins_so(line: str) -> None:
    with pytest.raises(NotationError, match="found the player Lea"):
        Session(parse_record(MAX)).read(line)
