"""One line, one observation."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError
from clue_solver.notation import (
    TurnState,
    card_names,
    format_line,
    lexicon_of,
    normalise,
    parse_line,
    split_comment,
)
from clue_solver.notation.reading import read_line, told_as
from clue_solver.record import Record, format_record, from_jsonl, parse_record, to_jsonl
from clue_solver.rules import observations as seen
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import Table
from tests.counting import counted
from tests.observing import (
    CLUE,
    DICED,
    EVERYONE,
    MASTER,
    ORCHID,
    ROOMS,
    SEATS,
    observations,
    tables,
)
from tests.rows import rows

TABLES = {
    "CLUE": CLUE,
    "DICED": DICED,
    "MASTER": MASTER,
    "ORCHID": ORCHID,
    "ROOMS": ROOMS,
    "EVERYONE": EVERYONE,
}
FIRST = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
PASS = {seat: Answer(seat=seat, answer="passes") for seat in (*SEATS, "Ann suggests")}
ASKED = ("Plum", "Rope", "Hall")
ANNS_TURN = TurnState(seat="Dan", done=frozenset({"suggests"}))
"""Ann is also the viewer."""

PAGE = """
CLUE | Ann holds Plum, Rope, Hall, Study, Knife
CLUE | Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
CLUE | Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows
CLUE | Cat suggests Plum, Knife, Kitchen: nobody shows
CLUE | Dan suggests Green, Knife, Study: Ann passes, ?
CLUE | Dan suggests Green, Knife, Study
CLUE | Dan suggests Green, Knife, Study: Ann passes, Ben ?, Cat shows
ORCHID | Ben rolls 5, glass
ORCHID | Ben rolls 2, glass, glass
ORCHID | Ann draws passage
ORCHID | Ann moves to H21
ORCHID | Ann stays
DICED | Ann rolls Plum, Plum, Green, blank
DICED | Ann asks Ben about Plum: shows Brawn Plum
DICED | Ben asks Cat about Plum: shows
DICED | Ann asks Ben about Plum: passes
CLUE | Ann asks Ben about Plum: passes
DICED | Ann looks at Ben: Brawn Scarlett
CLUE | Ben looks at Cat
ROOMS | Plum looks at Ballroom
ROOMS | Plum looks at Ballroom: Ballroom
DICED | Ann peeks: Plum
DICED | Ben peeks
CLUE | Cat reveals Rope
CLUE | Cat reveals Rope to Dan
CLUE | Cat reveals to Dan
CLUE | nobody reveals Plum
ROOMS | nobody reveals Rope
CLUE | Ben accuses Plum, Rope, Hall: wrong
CLUE | Ben accuses Plum, Rope, Hall: right
CLUE | Ann knows Ben has Rope
CLUE | Ann knows Ben lacks Rope
CLUE | Ann knows envelope lacks Hall
CLUE | Ann knows Ben has Rope or Hall
CLUE | Ann skips
CLUE | Ann rolls 7
DICED | Ann rolls Plum, Plum, Green, glass
CLUE | Ann moves to Hall
MASTER | Ann suggests Brains Plum, Driver Green: Ben shows Driver Green
ROOMS | Plum suggests Mustard, Rope, Hall: Green shows
MASTER | Ann points at Brains Plum, Brawn Green, Driver Orchid: Ben passes, Cat shows Brawn Green
"""
"""Every kind of line, with a table at which it can be told."""


@pytest.mark.parametrize(("table", "line"), rows(PAGE, " | "))
def test_a_line_of_the_page_prints_back_as_it_stands_and_is_read_in_any_case(
    table: str, line: str
) -> None:
    meaning = parse_line(line, TABLES[table])
    assert format_line(meaning, TABLES[table]) == line
    assert parse_line(line.upper(), TABLES[table]) == meaning


NOTATION = (Path(__file__).parents[2] / "docs" / "reference" / "notation.md").read_text("utf-8")


def examples(heading: str, *, column: int = 1) -> list[str]:
    """The code in a column of the table under a heading of the notation's page."""
    part = NOTATION.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [row.split("|")[column] for row in part.splitlines() if row.startswith("| `")]
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("line", examples("The lines"))
def test_a_line_of_the_page_is_written_back_as_it_stands_as_text_and_as_json(line: str) -> None:
    def written(table: Table) -> str:
        with suppress(NotationError):
            told = read_line(line, table)
            record = Record(table=table).append(told.observation)
            assert from_jsonl(to_jsonl(record)).observations == (told.observation,)
            return told_as(told.observation, table, left_out=told.left_out).line
        return ""

    assert line in map(written, TABLES.values())


@pytest.mark.parametrize("line", examples("The header"))
def test_a_header_line_of_the_page_is_written_back_as_it_stands(line: str) -> None:
    def written(edition: str, seats: str) -> str:
        head = {"edition": edition, "players": seats}
        key, _, value = line.partition(": ")
        told = "\n".join(f"{key}: {value}" for key, value in {**head, key: value}.items())
        with suppress(RecordError):
            record = parse_record(f"{told}\n")
            assert from_jsonl(to_jsonl(record)) == record
            return format_record(record)
        return ""

    tables = [("clue-classic", "Ann, Ben, Cat"), ("clue-2015", "Ann, Ben")]
    assert any(f"{line}\n" in written(*each) for each in tables)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (
            "Dan suggests Green, Knife, Study: Ann shows Knife",
            seen.Suggestion(
                by="Dan",
                cards=("Green", "Knife", "Study"),
                answers=(Answer(seat="Ann", answer="shows", card="Knife"),),
            ),
        ),
        (
            "Dan suggests Plum, Rope, Hall: Ann passes, ?",
            seen.Suggestion(by="Dan", cards=ASKED, answers=(PASS["Ann"], Answer(answer="unheard"))),
        ),
        ("Ben looks at Cat", seen.Look(by="Ben", holder="Cat")),
        ("Cat reveals to Dan", seen.Reveal(seat="Cat", to="Dan")),
        ("nobody reveals Plum", seen.Nobody(card="Plum")),
        (
            "Ann holds Plum, Rope, Hall, Study, Knife",
            seen.Hand(seat="Ann", cards=(*ASKED, "Study", "Knife")),
        ),
        (
            "Ben accuses Plum, Rope, Hall: wrong",
            seen.Accusation(by="Ben", cards=ASKED, right=False),
        ),
        (
            "Ann asks Ben about Plum: shows Plum",
            seen.Question(by="Ann", seat="Ben", about=("Plum",), answer="shows", card="Plum"),
        ),
        (
            "Ann knows Ben has Rope or Hall",
            seen.Knowing(by="Ann", holder="Ben", has=("Rope", "Hall")),
        ),
        ("Ann knows Ben lacks Rope", seen.Knowing(by="Ann", holder="Ben", lacks=("Rope",))),
    ],
)
def test_a_line_means_one_observation(line: str, meaning: Observation) -> None:
    assert parse_line(line, CLUE) == meaning


@pytest.mark.parametrize(
    "typed",
    [
        "ann must wrench lou : cat mus",
        "ann must wrench lou>cat m",
        "ANN SUGGESTS MUST WRENCH LOU: CAT MUS",
        "ann suggest mus, wre, lou: ben pass, cat show mus",
        "ann col. mustard, the wrench lounge: cat mustard",
        "a mus wr lou: b p, c mus",
        "Ann, Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard",
        "  ann\tmust  wrench lou:cat   mus  ",
        "ann must wrench lou: cat shows mus  # he blushed",
        "ann colonel mustard, spanner, the lounge: cat colonel",
    ],
)
def test_short_forms_of_the_first_suggestion(typed: str) -> None:
    assert format_line(parse_line(typed, CLUE), CLUE) == FIRST


SHORT = """
cat pl kn ki:- -> Cat suggests Plum, Knife, Kitchen: nobody shows
cat pl kn ki: nobody -> Cat suggests Plum, Knife, Kitchen: nobody shows
cat pl kn ki: dan pass, ann passes, ben pa -> Cat suggests Plum, Knife, Kitchen: nobody shows
ben sc ro ha: dan -> Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows
ben sc ro ha: dan shows ? -> Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows
dan gr kn st: ann p -> Dan suggests Green, Knife, Study: Ann passes, ?
dan gr kn st: ann p, ben ? -> Dan suggests Green, Knife, Study: Ann passes, ?
dan gr kn st: ann p, ben?, cat -> Dan suggests Green, Knife, Study: Ann passes, Ben ?, Cat shows
dan gr kn st: cat, ann - -> Dan suggests Green, Knife, Study: Ann passes, Ben passes, Cat shows
dan gr kn st: ann no, ben no, cat no, ? -> Dan suggests Green, Knife, Study: nobody shows
dan gr kn st: ? -> Dan suggests Green, Knife, Study
dan gr kn st: -> Dan suggests Green, Knife, Study
ann lead pipe hall plum -> Ann suggests Lead Pipe, Hall, Plum
ann pipe bill prof plum -> Ann suggests Lead Pipe, Billiard Room, Plum
ann mus k st -> Ann suggests Mustard, Knife, Study
ann holds dining room lead pipe hall study col mustard -> Ann holds Dining Room, Lead Pipe, Hall, Study, Mustard
ann looks ben: plum -> Ann looks at Ben: Plum
ann looks at ben: ? -> Ann looks at Ben
ben accuse plum rope hall: w -> Ben accuses Plum, Rope, Hall: wrong
ann ask ben about plum: pass -> Ann asks Ben about Plum: passes
ann asks ben about plum, rope: ben rope -> Ann asks Ben about Plum, Rope: shows Rope
ann asks ben about plum: - -> Ann asks Ben about Plum: passes
nobody reveals prof plum -> nobody reveals Plum
ann knows env lacks hall, rope -> Ann knows envelope lacks Hall, Rope
ann plum rope hall - -> Ann suggests Plum, Rope, Hall: nobody shows
Ann suggests Plum, Rope, Hall, - -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall nobody shows -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall: no one -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall ? -> Ann suggests Plum, Rope, Hall
ann accuses plum rope hall wrong -> Ann accuses Plum, Rope, Hall: wrong
ann plum rope hall: ben passes cat shows rope -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope
ann plum rope hall: ben passes cat rope -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope
ann plum rope hall: ben passes ? -> Ann suggests Plum, Rope, Hall: Ben passes, ?
ann mus rope hall: ben passes cat passes dan passes -> Ann suggests Mustard, Rope, Hall: nobody shows
ann mus rope hall: ben p cat p, dan p -> Ann suggests Mustard, Rope, Hall: nobody shows
ann mus rope hall: b p c p d p -> Ann suggests Mustard, Rope, Hall: nobody shows
"""  # noqa: E501


@pytest.mark.parametrize(("typed", "line"), rows(SHORT))
def test_a_short_form_and_its_canonical_line(typed: str, line: str) -> None:
    assert format_line(parse_line(typed, CLUE), CLUE) == line


def test_a_feature_is_asked_about_by_its_beginning_and_any_card_of_it_shown() -> None:
    line = format_line(parse_line("ann asks ben about pl: brai", DICED), DICED)
    assert line == "Ann asks Ben about Plum: shows Brains Plum"


def test_a_suggestion_names_as_many_cards_as_the_edition_asks_for() -> None:
    with pytest.raises(NotationError, match="expected 2 cards of different categories"):
        parse_line("Ann suggests Brains Plum, Driver Green, Brawn Plum", MASTER)
    with pytest.raises(NotationError, match=r"two of one category \(brains\)"):
        parse_line("Ann suggests Brains Plum, Brains Green", MASTER)


def test_a_seat_and_a_slot_may_bear_the_name_of_a_card() -> None:
    typed = parse_line("plum plum knife hall: green", ROOMS)
    assert format_line(typed, ROOMS) == "Plum suggests Plum, Knife, Hall: Green shows"
    assert parse_line("green accuses plum rope hall: wrong", ROOMS)


def test_under_right_hand_answering_the_passes_go_the_other_way() -> None:
    table = replace(CLUE, order="right")
    typed = parse_line("ann must wrench lou: cat mus", table)
    expected = "Ann suggests Mustard, Wrench, Lounge: Dan passes, Cat shows Mustard"
    assert format_line(typed, table) == expected


EVERYONES = """
Dan shows Mustard, Ben passes -> : Dan shows Mustard, Ben passes
ben w, cat p, dan m -> : Ben shows Wrench, Cat passes, Dan shows Mustard
dan p, ? -> : Dan passes
dan ?, cat shows -> : Cat shows
dan?, cat- -> : Cat passes
dan p, cat p, ben p -> : nobody shows
- -> : nobody shows
cat -> : Cat shows
? -> _
"""


@pytest.mark.parametrize(("typed", "answers"), rows(EVERYONES))
def test_where_everyone_shows_answers_keep_their_order_and_nothing_is_filled_in(
    typed: str, answers: str
) -> None:
    line = "Ann suggests Mustard, Wrench, Lounge"
    observation = parse_line(f"{line}: {typed}", EVERYONE)
    told = f"{line}{answers}".rstrip("_")
    assert format_line(observation, EVERYONE) == told
    assert parse_line(told, EVERYONE) == observation


def test_where_everyone_shows_passes_of_all_are_in_order_and_nobody_answers_twice() -> None:
    typed = parse_line("ann must wrench lou: dan p, cat p, ben p", EVERYONE)
    assert isinstance(typed, seen.Suggestion)
    assert [one.seat for one in typed.answers] == ["Ben", "Cat", "Dan"]
    with pytest.raises(NotationError, match="Ben answers twice"):
        parse_line("ann must wrench lou: ben p, cat p, ben m", EVERYONE)


def after(*lines: str, table: Table = CLUE) -> TurnState:
    course = TurnState()
    for line in lines:
        course = course.after(parse_line(line, table, course))
    return course


WRONG = "Ben accuses Plum, Rope, Hall: wrong"


def test_before_the_first_turn_nobody_is_on_turn_and_then_the_next_seat_is() -> None:
    assert TurnState().turn(CLUE) is None
    with pytest.raises(NotationError, match="expected who suggests"):
        parse_line("mus wrench lounge", CLUE)
    typed = parse_line("sc ro ha: dan", CLUE, after(FIRST))
    expected = "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows"
    assert format_line(typed, CLUE) == expected
    assert parse_line("suggests sc ro ha: dan", CLUE, after(FIRST)) == typed


def test_a_look_a_peek_and_a_question_begin_a_turn_and_what_is_no_turn_changes_nothing() -> None:
    for line in ("Cat looks at Dan", "Cat asks Dan about Plum", "Cat peeks"):
        assert after("Ann peeks", line, table=DICED).turn(DICED) == "Cat"
    assert after(FIRST, "Ann looks at Ben").turn(CLUE) == "Ben"  # in the same turn
    lines = ("Dan reveals Rope", "nobody reveals Plum", "Ann knows Ben has Rope")
    assert after(FIRST, *lines) == after(FIRST)


def test_seats_that_are_out_are_skipped_still_answer_and_may_have_a_turn() -> None:
    course = after(WRONG, FIRST)
    assert (course.out, course.turn(CLUE)) == (frozenset({"Ben"}), "Cat")
    line = "Ben suggests Plum, Rope, Hall: nobody shows"
    assert format_line(parse_line(line, CLUE, after(WRONG)), CLUE) == line
    assert after("Ben accuses Plum, Rope, Hall: right").out == frozenset()


def test_turns_pass_as_the_edition_says() -> None:
    table = Table(edition=load_edition("clue-1996"), seats=SEATS)
    line = "Ann suggests Mustard, Wrench, Lounge: Dan shows"
    assert after(line, table=table).turn(table) == "Ben"


def test_an_earlier_course_stays_as_it_was() -> None:
    before = after(FIRST)
    before.after(parse_line(WRONG, CLUE))
    assert before == after(FIRST)


def test_sizes_are_learned_from_whole_hands() -> None:
    table = Table(edition=CLUE.edition, seats=SEATS)
    hands = (
        "Ann holds Plum, Rope, Hall, Study, Knife",
        "Ben holds White, Green, Wrench, Lounge, Library",
    )
    course = after(*hands, table=table)
    assert course.sizes == {"Ann": 5, "Ben": 5}
    with pytest.raises(NotationError, match="expected 4 for Cat; found 5"):
        parse_line("Cat holds Mustard, Kitchen, Ballroom, Peacock, Scarlett", table, course)


def test_an_unheard_answer_may_bear_a_seat_and_loses_it() -> None:
    unheard = Answer(seat="Cat", answer="unheard")
    told = seen.Suggestion(by="Ann", cards=ASKED, answers=(PASS["Ben"], unheard))
    assert format_line(normalise(told, CLUE), CLUE).endswith("Hall: Ben passes, ?")


def test_two_ways_to_read_a_line_are_an_error_unless_it_is_canonical() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ann suggests", "Ben"))
    shows = Answer(seat="Ben", answer="shows")
    told = seen.Suggestion(by="Ann", cards=ASKED, answers=(PASS["Ann suggests"], shows))
    assert parse_line("Ann suggests Plum, Rope, Hall: Ben shows", table) == normalise(told, table)
    with pytest.raises(NotationError, match="'p' can be passes or Plum"):
        parse_line("Ben suggests Plum, Rope, Hall: Ann p", table)


def test_a_comment_is_split_from_its_line() -> None:
    assert split_comment("Ben peeks   #  at last ") == ("Ben peeks", " at last")
    assert split_comment("Ben peeks") == ("Ben peeks", "")


@given(st.data())
def test_an_observation_survives_being_written_and_read(data: st.DataObject) -> None:
    table = data.draw(tables())
    observation = data.draw(observations(table))
    assert normalise(observation, table) == observation
    assert parse_line(format_line(observation, table), table) == observation


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_read_or_refused_in_one_printable_line(typed: str) -> None:
    try:
        observation = parse_line(typed, CLUE)
    except NotationError as error:
        refused = error.reason
    else:
        assert parse_line(format_line(observation, CLUE), CLUE) == observation
        refused = ""
    assert refused == "" or refused.isprintable()


def test_a_lone_dash_after_the_cards_needs_neither_asker_nor_colon() -> None:
    course = TurnState.of((parse_line("ann plum rope hall: -", CLUE),))
    assert parse_line("mus rope hall -", CLUE, course) == parse_line("ben mus rope hall: -", CLUE)
    told = parse_line("ann brain plum driver green -", MASTER)
    assert format_line(told, MASTER) == "Ann suggests Brains Plum, Driver Green: nobody shows"


def test_a_player_called_like_the_mark_for_unheard_answers_without_a_comma() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ben", "?"))
    told = parse_line("Ann suggests Plum, Rope, Hall: ben passes ? passes", table)
    assert format_line(told, table) == "Ann suggests Plum, Rope, Hall: nobody shows"
    table = Table(edition=CLUE.edition, seats=("Ann", "Ben-", "Cat"))
    told = parse_line("ann plum rope hall: ben- hall", table)
    assert format_line(told, table) == "Ann suggests Plum, Rope, Hall: Ben- shows Hall"


WRITTEN = """
ann gr rope ha cat ha -> Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall
ann gr, rope, ha, cat ha -> Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall
ann gr rope ha ben passes -> Ann suggests Green, Rope, Hall: Ben passes, ?
gr rope ha; cat ha -> Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall
me gr rope ha: cat -> Ann suggests Green, Rope, Hall: Ben passes, Cat shows
i gr rope ha: cat -> Ann suggests Green, Rope, Hall: Ben passes, Cat shows
dan gr rope ha: me rope -> Dan suggests Green, Rope, Hall: Ann shows Rope
ann suggests plum with the rope in the hall: no -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum in hall with rope and cat passed -> Ann suggests Plum, Hall, Rope: Ben passes, Cat passes, ?
ann plum rope hall: ben passes and cat showed rope -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope
ann plum rope hall: no one showed -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall: cat saw rope -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope
ann plum rope hall: cat, saw rope -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope
ann plum rope hall: cat shows ? -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows
ann plum rope hall: ben no, cat -> Ann suggests Plum, Rope, Hall: Ben passes, Cat shows
ann plum rope hall ben no cat nope dan -> Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows
ann plum rope hall: ben doesn't, cat doesn't have, dan no -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall: ben has none, cat -, dan can't show -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall: nope -> Ann suggests Plum, Rope, Hall: nobody shows
ann asks ben about plum: doesn't have -> Ann asks Ben about Plum: passes
ann asks ben about plum: shows ? -> Ann asks Ben about Plum: shows
ann asks ben about plum shows -> Ann asks Ben about Plum: shows
ann looks at ben plum -> Ann looks at Ben: Plum
ann saw cat plum -> Ann knows Cat has Plum
cat has plum -> Ann knows Cat has Plum
cat has plum or rope -> Ann knows Cat has Plum or Rope
envelope hasn't plum -> Ann knows envelope lacks Plum
skip -> Ann skips
rolls 7 -> Ann rolls 7
move to hall -> Ann moves to Hall
accuse plum rope hall wrong -> Ann accuses Plum, Rope, Hall: wrong
ben acc plum rope hall wrong -> Ben accuses Plum, Rope, Hall: wrong
ben ac plum rope hall wrong -> Ben accuses Plum, Rope, Hall: wrong
ben su plum rope hall: cat -> Ben suggests Plum, Rope, Hall: Cat shows
ben sk -> Ben skips
acc plum rope hall right -> Ann accuses Plum, Rope, Hall: right
acc plum rope hall: correct! -> Ann accuses Plum, Rope, Hall: right
acc plum rope hall no -> Ann accuses Plum, Rope, Hall: wrong
ben sugg plum rope hall: cat -> Ben suggests Plum, Rope, Hall: Cat shows
ben rev plum hall: cat -> Ben suggests Revolver, Plum, Hall: Cat shows
ann plum rope hall: ben-, cat- dan hall -> Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows Hall
ann plum rope hall- -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall -ben -cat dan -> Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows
ann plum rope hall no ben -> Ann suggests Plum, Rope, Hall: Ben passes, ?
ann plum rope hall: no no dan hall -> Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows Hall
ann plum rope hall: - - - -> Ann suggests Plum, Rope, Hall: nobody shows
ann plum rope hall: cat ? -> Ann suggests Plum, Rope, Hall
ann plum rope hall cat? -> Ann suggests Plum, Rope, Hall
ann plum rope hall: no, ? -> Ann suggests Plum, Rope, Hall: Ben passes, ?
a m c c -> Ann suggests Mustard, Candlestick, Conservatory
a m k k b -> Ann suggests Mustard, Knife, Kitchen: Ben shows
"""  # noqa: E501


@pytest.mark.parametrize(("typed", "line"), rows(WRITTEN))
def test_what_players_write_is_understood(typed: str, line: str) -> None:
    assert format_line(parse_line(typed, CLUE, ANNS_TURN), CLUE) == line


THIS = "this can be 'Ann suggests Plum, Rope, Hall:"
NOAH = Table(edition=CLUE.edition, seats=("Ann", "Noah", "Cat"), viewer="Ann")


@pytest.mark.parametrize(
    ("table", "typed", "reason"),
    [
        (EVERYONE, "ann mus cand con: b c", "'c' can be Candlestick, Conservatory or Cat"),
        (CLUE, "ann p c c", "'p' can be Peacock or Plum"),
        (DICED, "ann saw cat plum", "'plum' can be Brains Plum or Brawn Plum"),
        (
            NOAH,
            "ann plum rope hall: no",
            f"{THIS} nobody shows' or {THIS[12:]} Noah shows'",
        ),
        (
            replace(NOAH, seats=("Ann", "Noah", "Cat", "Dan")),
            "dan mus wr lou ann pass no",
            "'no' says that somebody passes; expected who shows, or Noah in full",
        ),
        (
            CLUE,
            "ann plum rope hall: -cat",
            f"{THIS} Ben passes, Cat passes, ?' or {THIS[12:]} Ben passes, Cat shows'",
        ),
        (
            CLUE,
            "ann plum rope hall: ben no no dan",
            f"{THIS} nobody shows' or {THIS[12:]} Ben passes, Cat passes, Dan shows'",
        ),
    ],
)
def test_a_doubtful_line_is_never_taken_silently(table: Table, typed: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(typed, table, ANNS_TURN if table is CLUE else None)
    assert caught.value.reason == reason


def test_words_of_ones_own_that_begin_a_name_can_be_either() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ida", "Meg", "Andy"), viewer="Ann")
    for line, word, other in (("i mus wr lou", "i", "Ida"), ("ida mus wr lou: me", "me", "Meg")):
        with pytest.raises(NotationError) as caught:
            parse_line(line, table)
        assert caught.value.reason == f"'{word}' can be Ann or {other}"
        assert caught.value.nearest == ("Ann", other)
    told = parse_line("ida mus wr lou: and passes", table)
    assert "Andy" in format_line(told, table)
    nobodys = Table(edition=CLUE.edition, seats=("Ann", "Ida", "Meg", "Andy"))
    told = parse_line("i mus wr lou: me", nobodys)
    assert format_line(told, nobodys) == "Ida suggests Mustard, Wrench, Lounge: Meg shows"


def test_answers_without_a_suggestion_are_told_whose_turn_it_is() -> None:
    with pytest.raises(NotationError, match="it is Ann's turn, then Ben, Cat and Dan answer"):
        parse_line("cat pass dan pass eve", CLUE, ANNS_TURN)
    with pytest.raises(NotationError, match="after Ben has shown; found Cat"):
        parse_line("ann mus rope hall: cat passes, ben shows", CLUE)


def test_the_names_of_an_edition_are_made_once_for_all_tables() -> None:
    text = format_record(Record(table=CLUE))
    parse_record(text)
    with counted(card_names.__wrapped__) as made:
        for name in ("Eve", "Fay"):
            lexicon = lexicon_of(parse_record(text.replace("Dan", name)).table)
            assert lexicon.seats.find(name[:2]) == name
            assert lexicon.cards.find("plum") == "Plum"
    assert made.total() == 0
