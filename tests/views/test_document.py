"""
What answers say: `shown.txt` has their text; HTML says the same, and nothing in it is markup.

What to do now as a headline, and half a why and the odds beneath it.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, Record, Report, load, load_edition, parse_record
from clue_solver.answers.advice import (
    AccuseAdvice,
    Advice,
    BonusUse,
    Opponent,
    RankedSuggestion,
    RoomAdvice,
)
from clue_solver.answers.display import draw, percent
from clue_solver.rules.edition import ClueCard
from clue_solver.rules.observations import Hand, Look
from clue_solver.views import charts
from clue_solver.views.charts import PIECES, UNICODE
from clue_solver.views.headlines import headline, odds
from clue_solver.views.reviews import review_page, story_for
from clue_solver.views.table_talk import CLUE_CARDS
from tests.observing import records
from tests.rows import blocks, held, rows
from tests.strategies import games
from tests.views.displays import CLASH, EVENING, EXAMPLES, HOSTILE, Outline, hostile

SHOWN = Path(__file__).with_name("shown.txt")
"""Answers as text."""

CLASSIC = load(EXAMPLES / "classic.clue")
PLAYED = Path(__file__).parents[1] / "yardstick/games/arena_01_clue_classic_3_whole.clue"
ASKED: dict[str, Any] = {
    "report of classic after 9": lambda: CLASSIC.report(upto=9),
    "report of classic": CLASSIC.report,
    "report of evening": EVENING.report,
    "report of what is supposed": lambda: CLASSIC.suppose("Ben has Wrench").report(),
    "report of a clash": CLASH.report,
    "why a card is not there": lambda: CLASSIC.why("hall", "env"),
    "why a card may be there": lambda: CLASSIC.why("rope", "cat", upto=9),
    "why by what is supposed": lambda: CLASSIC.suppose("Ben has Wrench").why(
        "wrench", "cat", upto=2
    ),
    "why before the log": lambda: CLASSIC.why("rope", "cat", upto=0),
    "check of classic": CLASSIC.check,
    "check of a clash": CLASH.check,
    "review of classic": CLASSIC.review,
    "review of evening": EVENING.review,
    "review of rooms not gone to": lambda: load(PLAYED).review(),
}
"""What is asked, by its heading."""


@pytest.mark.parametrize("asked", ASKED)
def test_an_answer_says_what_it_said_in_text_and_in_html(asked: str) -> None:
    answer = ASKED[asked]()
    held(SHOWN, asked, str(answer).splitlines())
    html = Outline(answer._repr_html_()).text.replace(" ", "")
    for line in str(answer).splitlines():
        for part in re.split(r"\s{2,}", line):
            if "─" not in part:
                assert part.replace(" ", "") in html
    assert repr(answer).isprintable()


def test_a_step_by_cases_says_what_follows_in_each() -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n"
    told = ("Ben has Plum or Rope", "Cat has Plum or Hall", "Cat has Rope or Hall")
    game = Game(parse_record("\nAnn knows ".join((head, *told)) + "\n"))
    (step,) = game.why("Hall", "Cat").steps
    text = draw(replace(step, cases=step.cases * 2), "sentence")
    assert text.startswith("suppose Cat doesn't have the Hall; Cat has Plum: ")
    assert "; or suppose Cat doesn't have the Hall; " in text


def test_no_answer_speaks_of_bits_unasked() -> None:
    text = SHOWN.read_text("utf-8")
    for word in ("bits", "settle", "leak", "deals fit", "deals that fit", "solution changed"):
        assert not re.search(rf"\b{word}", text)


def outlined(answer: Any) -> Outline:
    """The tags and the text of an answer in a notebook."""
    outline = Outline(answer._repr_html_())
    allowed = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "style"}
    drawing = {
        "figure",
        "svg",
        "path",
        "text",
        "title",
        "circle",
        "g",
        "rect",
        "figcaption",
        "span",
    }
    assert set(outline.tags) <= allowed | drawing
    assert not [name for name, _ in outline.attributes if name.startswith("on")]
    return outline


@settings(max_examples=25)
@given(games(), st.data())
def test_a_sheet_in_html_holds_what_the_report_says(game: Game, data: st.DataObject) -> None:
    report = replace(game.report(), hands=())
    outlined(report)
    rows = report._repr_html_().partition("</thead>")[2].partition("</table>")[0]
    cells = re.findall(r"<td[^>]*>(?:<strong>)?([^<]*)(?:</strong>)?</td>", rows)
    assert marks(report) == [each.replace("&lt;", "<").replace("&gt;", ">") for each in cells]
    card, holder = (data.draw(st.sampled_from(each)) for each in (report.cards, report.holders))
    outlined(game.why(card, holder))


@pytest.mark.parametrize(("opened", "signs"), [("Ben", "·✓?"), ("Ben, Cat", "·✓")])
def test_beside_hands_that_lie_open_stands_no_chance_from_before(opened: str, signs: str) -> None:
    hands = [each for each in EVENING.record.entries if isinstance(each.observation, Hand)]
    seats = ("Ann", *opened.split(", "))
    told = [entry for entry in hands if getattr(entry.observation, "seat", "") in seats]
    told.append(EVENING.record.entries[-1])
    report = Game(replace(EVENING.record, entries=tuple(told))).report()
    cells = [
        cell.text for _, cards in charts.sheet_rows(report) for row in cards for cell in row.cells
    ]
    assert {*cells} == {*signs}


def marks(report: Report) -> list[str]:
    """What stands in the cells of a sheet, row by row."""
    signs = {"holds": UNICODE.holds, "lacks": UNICODE.lacks}
    return [
        signs.get(report.verdict(card, holder)) or percent(report.probability(card, holder))
        for card in report.cards
        for holder in report.holders
    ]


def test_a_game_shows_its_log_and_the_report_of_its_viewer() -> None:
    text = outlined(EVENING).text
    assert all(line in text for line in EVENING.lines)
    assert "It was Green, Wrench, Kitchen" in text
    assert (EXAMPLES / "evening.clue").read_text("utf-8").rstrip() == str(EVENING)
    supposed = EVENING.suppose("Ben has Plum")
    assert "cannot be true: entry 1 rules it out" in outlined(supposed).text
    assert "These two entries can't both be true1Ann suggests Plum" in outlined(CLASH).text


def test_names_that_are_markup_stay_names() -> None:
    game = hostile()
    seat = game.table.seats[0]
    answers = [game, game.report(), game.report(upto=4), game.check(), game.review()]
    answers += [game.advice(upto=4), *(game.why(card, seat) for card in game.table.cards)]
    text = "".join(outlined(answer).text for answer in answers)
    assert HOSTILE[0] in text
    assert not {"script", "img"} & set(Outline(review_page(game.review())).tags)


@settings(max_examples=15)
@given(records())
def test_any_record_that_can_be_read_shows_itself(record: Record) -> None:
    game = Game(record)
    for answer in (game, game.report()):
        outlined(answer)
        assert "\x1b" not in str(answer)


def test_nothing_is_sent_to_a_terminal_but_text(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat  # \x1b[31mred\n"))
    assert "\x1b" not in repr(game) + str(game) + str(game.report()) + game._repr_html_()
    expected = str(EVENING.report())
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(EVENING.report()) == expected


def test_sentences_about_a_player_called_you_are_not_told_first_to_others() -> None:
    text = (EXAMPLES / "evening.clue").read_text("utf-8").replace("Ben", "You")
    told = story_for(Game(parse_record(text)).review(sample=100), "Dan")
    assert told[0] == "You made 1 mistake, at entry 17."
    assert told[1].startswith("At entry 17 you accused too early")
    assert told[2] == "Ann solved it at entry 21 and won at entry 22."


def test_a_review_is_one_page_that_fetches_nothing() -> None:
    review = EVENING.review(sample=100)
    outline = Outline(review_page(review))
    assert review.story in outline.text
    assert all(line in outline.text for line in review.lines)
    assert not {"script", "link", "img", "iframe", "use", "base", "a"} & set(outline.tags)
    assert not {"src", "href", "srcset"} & {name for name, _ in outline.attributes}
    pictures = [pairs for pairs, _ in outline.of("svg") if pairs.get("role") == "img"]
    assert len(pictures) == 2
    drawn = [line[0] for line in charts.chance_chart(review).lines]
    assert drawn == [each.seat for each in review.seats]
    heights = [float(pairs["height"]) for pairs, _ in outline.of("rect")]
    scale = heights[0] / review.suggestions[0].accuracy
    assert heights == pytest.approx(
        [each.accuracy * scale for each in review.suggestions], rel=1e-4
    )


def test_pieces_have_the_same_colours_on_every_face() -> None:
    text = (files("clue_solver.views") / "static" / "design.css").read_text("utf-8")
    light, dark = text.split("@media", 1)
    said = [dict(re.findall(r"--(\w+):(#[0-9a-f]{6})", ground)) for ground in (dark, light)]
    found = {piece: tuple(ground[piece] for ground in said) for piece in PIECES}
    assert found == PIECES


def test_every_clue_card_has_its_words() -> None:
    assert CLUE_CARDS.keys() == {*get_args(ClueCard)}


EDITION = load_edition("clue-classic")
CARDS = ("Plum", "Rope", "Hall")
USE = Look(by="Ann", holder="Ben")
FILE = Path(__file__).with_name("headlines.txt")
"""
Advice, and its headline and remark.

Advice is its kind and what else is known of it: a word for what is true, `name=value` for the rest.
"""

ODDS = """
0.0 |
0.0031 |
0.0169 | about 1 in 50
0.034 | about 1 in 30
0.34 | about 1 in 3
0.5 | about 1 in 2
0.7 | about 2 in 3
0.88 | about 9 in 10
0.97 | almost certainly
0.9999 | almost certainly
1.0 | almost certainly
"""


@pytest.mark.parametrize(("chance", "said"), rows(ODDS, " |"))
def test_chances_are_told_as_people_tell_them(chance: str, said: str) -> None:
    assert odds(float(chance)) == said.strip()


def advice(text: str) -> Advice:
    """The advice of a heading."""
    kind, *words = text.split()
    known: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        known[name] = value.replace("_", " ") if value else True
    chances: dict[str, Any] = {
        name: float(known.pop(name)) for name in ("win_now", "win_wait") if name in known
    }
    right = float(known.pop("right", 0.3))
    after = tuple(filter(None, known.pop("after", "").split("+")))
    accuse = AccuseAdvice(
        cards=CARDS, probability=right, certain=right == 1.0, after=after, **chances
    )
    asked = RankedSuggestion(
        cards=("Green", "Rope", "Lounge"),
        gain=1.0,
        error=0.0,
        settles=0.1,
        best_after=0.3,
        reach=1.0,
        win=float(known.pop("wins")) if "wins" in known else None,
        look=known.pop("look", None),
        answers=(),
    )
    if "steps" in known:
        steps, look = int(known.pop("steps")), bool(known.pop("looks", False))
        known["heading"] = RoomAdvice(room="Hall", steps=steps, gain=0.3, look=look)
    if "knows" in known:
        rival = Opponent(seat="Ben", knows=float(known.pop("knows")), error=0.0)
        known["opponents"] = (rival, Opponent(seat="Cat", knows=1.0, error=0.0, out=True))
    given = {name: known.pop(name, "").split("+") for name in ("sure", "likely", "pointed")}
    sure, likely, pointed = given.values()
    inside = {card: 0.5 if card in likely else 0.1 for card in EDITION.names}
    inside |= {card: 1.0 for card in EDITION.names if card in sure}
    known["in_envelope"] = frozenset(sure)
    known["by_sheet"] = inside
    known["by_questions"] = inside | {card: 0.4 for card in EDITION.names if card in pointed}
    if kind == "use":
        known["uses"] = (BonusUse(use=USE, action="Ann looks at Ben", gain=1.0, error=0.0),)
    ask = asked if kind == "ask" else None
    return Advice(
        viewer="Ann",
        kind=kind,  # type: ignore[arg-type]
        bits=2.0,
        accuse=accuse,
        ask=ask,
        edition=EDITION,
        **known,
    )


@pytest.mark.parametrize("told", blocks(FILE))
def test_a_headline_says_what_to_do_and_its_remark_half_a_why(told: str) -> None:
    held(FILE, told, filter(None, headline(advice(told))))
