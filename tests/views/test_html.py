"""What the displays say: as a line, as a page of text, and as HTML for a notebook."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from clue_solver import Game, Record, Report, load, parse_record
from clue_solver.answers.display import percent
from clue_solver.views.charts import PIECES, UNICODE
from clue_solver.views.headlines import verdict
from clue_solver.views.text import plain, sheet
from tests.observing import records
from tests.outline import Outline
from tests.strategies import games
from tests.views.displays import CLASH, EVENING, EXAMPLES, HOSTILE, hostile

HARMLESS = {"div", "p", "strong", "small", "br", "table", "thead", "tbody", "tr", "th", "td"}
HARMLESS |= {"style", "details", "summary", "ol", "li"}


def marks(report: Report) -> list[str]:
    """What stands in the cells of a sheet, row by row."""
    signs = {"holds": UNICODE.holds, "lacks": UNICODE.lacks}
    return [
        signs.get(report.verdict(card, holder)) or percent(report.probability(card, holder))
        for card in report.cards
        for holder in report.holders
    ]


def cells(html: str, report: Report) -> list[str]:
    """The cells of the first sheet in HTML, row by row."""
    rows = html.partition("</thead>")[2].partition("</table>")[0]
    found = re.findall(r"<td[^>]*>(?:<strong>)?([^<]*)(?:</strong>)?</td>", rows)
    assert len(report.cards) * len(report.holders) == len(found)
    return [cell.replace("&lt;", "<").replace("&gt;", ">") for cell in found]


@settings(max_examples=25)
@given(games())
def test_a_sheet_in_html_holds_what_the_report_says(game: Game) -> None:
    report = game.report()
    html = report._repr_html_()
    assert set(Outline(html).tags) <= HARMLESS
    assert marks(report) == cells(html, report)
    assert str(report) == plain(sheet(report))
    assert "\n" not in repr(report)


def test_an_open_cell_is_the_fuller_the_likelier_the_card_lies_there() -> None:
    report = EVENING.report(upto=12)
    outline = Outline(report._repr_html_())
    shades = [
        float(found[1])
        for pairs, _ in outline.of("td")
        if (found := re.search(r"background:rgba\(\d+,\d+,\d+,([\d.]+)\)", pairs.get("style", "")))
    ]
    chances = [chance for chance in report.probabilities.ravel() if 0 < chance < 1]
    assert [pytest.approx(chance * 0.55, abs=0.005) for chance in chances] == shades


def test_what_is_told_besides_the_sheet() -> None:
    report = EVENING.report(upto=13, asks="any")
    text = Outline(report._repr_html_()).text
    for told in ("Suspects", "Weapons", "Rooms", "Likeliest solutions", "4.90 bits left"):
        assert told in text
    assert ", ".join(report.solutions[0].cards) in text
    done = Outline(EVENING.report()._repr_html_()).text
    assert "The solution100 %Green, Wrench, Kitchen" in done
    assert "Settled by the last entry" in Outline(EVENING.report(upto=21)._repr_html_()).text
    assert "seen by a spectator" in Outline(EVENING.report(viewer="spectator")._repr_html_()).text
    diced = load(EXAMPLES / "diced.clue").advice(upto=5, dice="Plum, Green, Mustard")
    assert "Then the bonus die (bits in all)" in Outline(diced._repr_html_()).text


def test_a_contradiction_shows_the_entries_and_no_sheet() -> None:
    report = CLASH.report()
    outline = Outline(report._repr_html_())
    assert "Entries 1 and 3 cannot all be true." in outline.text
    assert "table" not in outline.tags
    assert (
        repr(report)
        == "<Report: Clue, seen by Ann, after 3 entries; entries 1 and 3 cannot all be true>"
    )
    assert "Entries 1 and 3 cannot all be true." in str(report)
    alone = Outline(replace(report, conflict=())._repr_html_())
    assert "No deal fits the header: check its players, hand sizes and cards." in alone.text


def test_a_game_that_contradicts_itself_quotes_the_entries() -> None:
    text = Outline(CLASH._repr_html_()).text
    assert (
        "These entries cannot all be true1Ann suggests Plum, Rope, Hall: Ben shows Rope3Cat" in text
    )


def test_a_game_shows_its_log_and_the_report_of_its_viewer() -> None:
    outline = Outline(EVENING._repr_html_())
    assert list(EVENING.lines) == [text for _, text in outline.of("li")]
    assert "Ann, Ben, Cat, Dan" in outline.text
    assert "The solution" in outline.text


def test_a_supposition_that_cannot_be_is_told_and_not_raised() -> None:
    supposed = EVENING.suppose("Ben has Plum")
    assert "cannot be: entry 1 rules it out" in Outline(supposed._repr_html_()).text
    assert "supposing Ben has Plum" in repr(supposed)


def test_advice_shows_what_its_text_says() -> None:
    advice = EVENING.advice(upto=17)
    outline = Outline(advice._repr_html_())
    assert set(outline.tags) <= HARMLESS
    words = " ".join(str(advice).split())
    for title in ("What to ask", "Why not accuse", "Opponents who may already know the solution"):
        assert title in outline.text
        assert title in words
    assert [", ".join(each.cards) for each in advice.choices[:10]] == [
        text for pairs, text in outline.of("td") if pairs["class"] == "words"
    ][:10]
    told = verdict(advice).text
    assert told in outline.text
    assert told in words
    assert repr(advice) == f"<Advice: Ann: {told}>"


def test_names_that_are_markup_stay_names() -> None:
    game = hostile()
    reports = game.report(), game.report(upto=4)
    drawn = [game._repr_html_(), game.advice(upto=4)._repr_html_()]
    for html in (*drawn, *(report._repr_html_() for report in reports)):
        outline = Outline(html)
        assert set(outline.tags) <= HARMLESS
        assert not [name for name, _ in outline.attributes if name.startswith("on")]
        assert HOSTILE[0] in outline.text or "<scriptalert(1)</script" in outline.text


@settings(max_examples=15)
@given(records())
def test_any_record_that_can_be_read_shows_itself(record: Record) -> None:
    game = Game(record)
    report = game.report()
    for shown in (game, report):
        assert set(Outline(shown._repr_html_()).tags) <= HARMLESS
        assert repr(shown).isprintable()
    assert "\x1b" not in str(game) + str(report)


def test_no_text_has_a_colour_of_its_own() -> None:
    html = EVENING._repr_html_() + EVENING.advice(upto=17)._repr_html_()
    colours = re.findall(r"(?<![-\w])color:([^;}\"]+)", html)
    assert set(colours) == {"inherit"}
    grounds = re.findall(r"background:([^;!}\"]+)", html)
    assert {ground for ground in grounds if not ground.startswith("rgba(")} == {"none"}


def test_a_game_shown_as_text_sends_nothing_to_the_terminal_but_text() -> None:
    page = "edition: clue-classic\nplayers: Ann, Ben, Cat  # \x1b[31mred\n"
    game = Game(parse_record(page))
    assert page.replace("\x1b", "\\x1b").rstrip() == str(game)
    assert "\x1b" not in repr(game) + repr(game.report()) + str(game.report())
    assert "\x1b" not in game._repr_html_() + game.report()._repr_html_()


def test_a_page_of_text_is_one_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = str(EVENING.report())
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert str(EVENING.report()) == expected


def test_a_game_shown_as_text_is_its_record() -> None:
    assert (EXAMPLES / "evening.clue").read_text("utf-8").rstrip() == str(EVENING)
    assert repr(EVENING) == "<Game: Clue; Ann, Ben, Cat, Dan; entries: 22>"


def test_pieces_have_the_same_colours_on_every_face() -> None:
    text = (files("clue_solver.views") / "static" / "design.css").read_text("utf-8")
    light, dark = text.split("@media", 1)
    said = [dict(re.findall(r"--(\w+):(#[0-9a-f]{6})", ground)) for ground in (dark, light)]
    found = {piece: tuple(ground[piece] for ground in said) for piece in PIECES}
    assert found == PIECES
