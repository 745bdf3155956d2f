"""What may be typed next, and what is typed so far."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from clue_solver.errors import NotationError
from clue_solver.notation import (
    Completion,
    Preview,
    TurnState,
    TypedLine,
    completions,
    format_line,
    parse_line,
    preview,
)
from clue_solver.notation.meanings import Reader
from clue_solver.notation.places import Places
from clue_solver.rules.edition import load_edition
from clue_solver.rules.table import Table
from tests.counting import counted
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS, SEATS, observations, tables
from tests.rows import rows

PLAIN = [CLUE, EVERYONE, DICED, MASTER, ROOMS]
ASKED = "ann mus wr lou: "
SHOWN = ["shows", "shows Mustard", "shows Wrench", "shows Lounge", "passes"]


def labels(line: str, table: Table = CLUE, course: TurnState | None = None) -> list[str]:
    """What a list would call everything that may stand next."""
    return [one.label for one in completions(line, table, course, most=100)]


def lines(line: str, table: Table = CLUE, course: TurnState | None = None) -> list[str]:
    return [one.line for one in completions(line, table, course, most=100)]


def of(category: str, table: Table = CLUE) -> list[str]:
    """The cards of a category."""
    kinds = {kind.name: kind.cards for kind in table.edition.category}
    return [card.name for card in kinds[category]]


def turn_of(seat: str) -> TurnState:
    before = SEATS[SEATS.index(seat) - 1]
    return TurnState(seat=before, done=frozenset({"suggests"}))


@pytest.mark.parametrize(
    ("edition", "verbs"),
    [
        ("clue-classic", "suggests accuses holds knows skips leaves rolls moves~to stays"),
        (
            "clue-2015",
            "suggests looks~at draws reveals accuses holds knows skips leaves rolls moves~to stays",
        ),
        (
            "clue-diced",
            "suggests asks looks~at peeks accuses holds knows skips leaves rolls points~at",
        ),
    ],
)
def test_what_the_rules_bring_about_is_offered_and_all_else_is_read(
    edition: str, verbs: str
) -> None:
    table = Table(edition=load_edition(edition), seats=SEATS)
    offered = {one.label for one in completions("ann ", table, most=100) if one.kind == "word"}
    assert offered == {verb.replace("~", " ") for verb in verbs.split()}
    assert ("nobody reveals" in labels("", table)) == (edition == "clue-2015")
    card = table.cards[0]
    assert format_line(parse_line(f"ann reveals {card}", table), table) == f"Ann reveals {card}"


@pytest.mark.parametrize(
    ("edition", "first", "last"),
    [("clue-classic", "2", "12"), ("clue-2015", "2", "12"), ("clue-diced", "Scarlett", "blank")],
)
def test_what_the_dice_can_show_is_offered(edition: str, first: str, last: str) -> None:
    offered = labels("ann rolls ", Table(edition=load_edition(edition), seats=SEATS))
    assert (offered[0], offered[-1], "13" in offered) == (first, last, False)


@pytest.mark.parametrize("begun", ["ann poi", "ann pointed", "ann pointed fin", "ann points f"])
def test_the_words_of_the_box_are_completed_to_those_of_the_line(begun: str) -> None:
    table = Table(edition=load_edition("clue-diced"), seats=SEATS)
    assert lines(begun, table)[0] == "ann points at "
    assert lines("ann rolls plum, plum, green, pointed f", table) == [
        "ann rolls plum, plum, green, finger, "
    ]


class TestTheBeginning:
    def test_before_the_first_turn_a_line_begins_with_a_player(self) -> None:
        assert labels("") == [*SEATS]

    def test_whose_turn_it_is_comes_first_and_the_cards_that_it_may_name_follow(self) -> None:
        offered = labels("", course=turn_of("Cat"))
        assert offered[:10] == ["Cat", "Dan", "Ann", "Ben", *of("suspect")]
        assert offered[-2:] == ["suggests", "skips"]

    def test_a_seat_that_is_out_comes_last(self) -> None:
        course = turn_of("Dan").after(parse_line("Ben accuses Plum, Rope, Hall: wrong", CLUE))
        assert labels("", course=course)[:4] == ["Cat", "Dan", "Ann", "Ben"]

    def test_no_more_than_asked_for(self) -> None:
        assert len(completions("", CLUE, turn_of("Cat"))) == 12
        assert labels("")[:2] == [one.label for one in completions("", CLUE, most=2)]
        assert completions("", CLUE, most=0) == ()


BEGUN = """
a -> Ann_
ann sug -> ann suggests_
ann acc -> ann accuses_
ann loo -> ann looks at_
ann looks  -> ann looks at_
nob -> nobody reveals_
nobody r -> nobody reveals_
ann m -> ann Mustard,_
ann prof -> ann Plum,_
ann professor p -> ann Plum,_
ann the wr -> ann Wrench,_
ann mus lead -> ann mus Lead Pipe,_
ann mus lead  -> ann mus Lead Pipe,_
ann mus lead p -> ann mus Lead Pipe,_
ann mus pip -> ann mus Lead Pipe,_
ann mus wr bill -> ann mus wr Billiard Room:_
Ann suggests Mustard, wr -> Ann suggests Mustard, Wrench,_
Ann suggests Mustard,wr -> Ann suggests Mustard,Wrench,_
ann mus wr lou  -> ann mus wr lou:_
ann mus wr lou>c -> ann mus wr lou>Cat shows_
ann mus wr lou: cat -> ann mus wr lou: Cat shows_
ann mus wr lou: cat m -> ann mus wr lou: cat shows Mustard
ann mus wr lou: cat shows m -> ann mus wr lou: cat shows Mustard
ann mus wr lou: cat pa -> ann mus wr lou: cat passes,_
ann mus wr lou: cat passes  -> ann mus wr lou: cat passes, Dan shows_
ann mus wr lou: dan pass -> ann mus wr lou: dan passes
ann mus wr lou: n -> ann mus wr lou: nobody shows
ann asks b -> ann asks Ben about_
ann asks ben  -> ann asks ben about_
ann asks ben about pl -> ann asks ben about Plum:_
ann asks ben about pl, ro -> ann asks ben about pl, Rope:_
ann asks ben about pl  -> ann asks ben about pl:_
ann looks at be -> ann looks at Ben:_
ann looks at ben: ro -> ann looks at ben: Rope
ann reveals rope  -> ann reveals rope to_
ann reveals rope to c -> ann reveals rope to Cat
ann accuses pl ro ha -> ann accuses pl ro Hall:_
ann accuses pl ro ha: r -> ann accuses pl ro ha: right
ann knows env -> ann knows envelope_
ann knows env la -> ann knows env lacks_
ann knows env lacks ha -> ann knows env lacks Hall_
ann knows env lacks hall  -> ann knows env lacks hall or_
ann knows env has hall or ro -> ann knows env has hall or Rope_
ann holds plum rope hall study kn -> ann holds plum rope hall study Knife
"""
"""At the end _ is a space."""


@pytest.mark.parametrize(("typed", "completed"), rows(BEGUN))
def test_what_was_begun_is_completed(typed: str, completed: str) -> None:
    assert lines(typed)[0] == completed.replace("_", " ")


WEAPONS = of("weapon")
OFFERED: list[tuple[str, Table, list[str]]] = [
    ("ann mus ", CLUE, WEAPONS + of("room")),
    ("ann mus wr ", CLUE, of("room")),
    ("Ann suggests Rope, Hall, ", CLUE, of("suspect")),
    ("ann mus wr", CLUE, ["Wrench", *of("room")]),  # what follows a clear word, after its ending
    ("ann p", CLUE, ["Peacock", "Plum", "points at", "Lead Pipe", "Revolver"]),
    ("ann p ", CLUE, ["Peacock", "Plum"]),
    (f"{ASKED}cat ", CLUE, SHOWN),
    (f"{ASKED}cat", CLUE, [f"Cat {answer}" for answer in SHOWN]),
    (ASKED, CLUE, ["Ben shows", "Ben passes", "Cat shows", "Dan shows", "nobody shows", "?"]),
    (f"{ASKED}ben passes, ", CLUE, ["Cat shows", "Cat passes", "Dan shows", "?"]),
    (f"{ASKED}ben p ", CLUE, ["Cat shows", "Cat passes", "Dan shows", "?"]),
    (f"{ASKED}ben shows mustard ", CLUE, []),
    (f"{ASKED}cat shows mustard, ", EVERYONE, ["Ben shows", "Ben passes", "Dan shows"]),
    (
        "plum suggests mustard rope hall: green ",  # the rope lies face-up
        ROOMS,
        ["shows", "shows Mustard", "shows Hall", "passes"],
    ),
    ("ann asks ", CLUE, ["Ben", "Cat", "Dan"]),
    ("ann asks ben about pl", DICED, ["Plum", "Brains Plum", "Brawn Plum"]),
    (
        "ann asks ben about plum: ",
        DICED,
        ["shows", "shows Brains Plum", "shows Brawn Plum", "passes", "?"],
    ),
    ("plum looks at ", ROOMS, ["Green", "Ballroom", "Kitchen", "Pool"]),
    ("ann peeks: ", DICED, [*DICED.edition.features, "?"]),
    ("ann reveals ", CLUE, [*CLUE.cards, "to"]),
    ("ann reveals to ", CLUE, ["Ben", "Cat", "Dan"]),
    ("ann accuses pl ro ha:", CLUE, ["wrong", "right"]),
    ("ann knows ", CLUE, ["Ben", "Cat", "Dan", "envelope", "Ann"]),
    ("ann knows ben ", CLUE, ["has", "lacks"]),
    ("ann holds plum rope hall study knife ", CLUE, []),
]


@pytest.mark.parametrize(("line", "table", "offered"), OFFERED)
def test_what_may_stand_next_is_offered_in_order(
    line: str, table: Table, offered: list[str]
) -> None:
    assert labels(line, table) == offered


def test_each_is_of_its_kind_and_says_whether_the_line_is_whole_with_it() -> None:
    assert {(one.kind, one.whole) for one in completions(ASKED, CLUE)} == {("answer", True)}
    asked = completions("ann asks ben about pl", DICED)
    assert [one.kind for one in asked] == ["feature", "card", "card"]
    looked = completions("plum looks at ", ROOMS)
    assert [one.kind for one in looked] == ["player", "word", "word", "word"]
    held = completions("ann holds plum rope hall study ", CLUE, most=100)
    assert [one.whole for one in held] == [True] * 17


def test_after_the_asker_stand_verbs_usual_ones_first_and_cards() -> None:
    offered = labels("ann ")
    assert offered[:4] == ["suggests", "accuses", "holds", "knows"]
    assert offered[4:25] == list(CLUE.edition.names)
    assert "peeks" in labels("ann ", DICED)
    assert "peeks" not in offered
    assert labels("mus wr ", course=turn_of("Cat")) == of("room")


def test_a_word_that_later_ones_make_clear_is_left_as_it_is() -> None:
    offered = completions("ann k hall ", CLUE, most=100)
    assert [one.label for one in offered if "k hall" in one.line] == of("suspect")


def test_after_as_many_cards_as_the_edition_asks_for_stands_the_colon() -> None:
    expected = Completion(line="ann mus wr lou: ", label=":", kind="word", whole=True)
    assert completions("ann mus wr lou ", CLUE) == (expected,)
    assert lines("ann Brains Plum, Driver G", MASTER) == ["ann Brains Plum, Driver Green: "]


def test_players_answer_in_the_order_of_the_edition() -> None:
    table = Table(edition=CLUE.edition, seats=SEATS, order="right")
    assert labels(ASKED, table)[:3] == ["Dan shows", "Dan passes", "Cat shows"]


@pytest.mark.parametrize(
    "line", ["zzz", "ann sx ", "ann p wr ", "ann peeks", ": ", "ann: ", "a # b", "ann asks ann "]
)
def test_what_cannot_be_ended_has_no_completions(line: str) -> None:
    assert completions(line, CLUE) == ()


ON_TURN = """
rol -> rolls_
ski -> skips
gr rope ha c -> gr rope ha Cat shows_
gr rope ha n -> gr rope ha nobody shows
env -> envelope_
ann plum with -> ann plum with Candlestick,_
ann plum with ro -> ann plum with Rope,_
ann moves to dining -> ann moves to Dining Room
"""


@pytest.mark.parametrize(("typed", "completed"), rows(ON_TURN))
def test_what_is_read_but_not_listed_is_completed_once_it_is_begun(
    typed: str, completed: str
) -> None:
    assert lines(typed, course=turn_of("Ann"))[0] == completed.replace("_", " ")


class TestPreview:
    def test_a_whole_line_with_the_passes_that_follow(self) -> None:
        text = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
        found = preview(f"{ASKED}cat m", CLUE)
        assert (found.observation, found.text) == (parse_line(text, CLUE), text)

    @pytest.mark.parametrize("line", ["", "  ", "# a remark"])
    def test_nothing_comes_to_nothing(self, line: str) -> None:
        assert Preview() == preview(line, CLUE)

    @pytest.mark.parametrize(
        "line",
        ["a", "ann p", "ann mus wr", "ann mus lead p", "ann asks ben", "ann holds plum rope"],
    )
    def test_a_beginning_is_unfinished(self, line: str) -> None:
        found = preview(line, CLUE)
        assert found.unfinished
        assert found.error is not None

    @pytest.mark.parametrize(
        "line", ["ann p wr ", "zzz", "ann suggests plmu, rope", "ann mus whi "]
    )
    def test_a_slip_is_no_beginning(self, line: str) -> None:
        found = preview(line, CLUE)
        assert not found.unfinished
        assert isinstance(found.error, NotationError)


@st.composite
def courses(draw: st.DrawFn, table: Table) -> TurnState:
    """No turn yet, or anybody's."""
    return TurnState(
        seat=draw(st.none() | st.sampled_from(table.seats)), done=frozenset({"suggests"})
    )


@st.composite
def told(draw: st.DrawFn, table: Table) -> str:
    """The canonical line of anything that can be observed at the table."""
    try:
        return format_line(draw(observations(table)), table)
    except NotationError:
        reject()


def reads(line: str, table: Table, course: TurnState) -> bool:
    try:
        parse_line(line, table, course)
    except NotationError:
        return False
    return True


@given(st.data())
def test_accepting_what_is_offered_leads_to_a_whole_line(data: st.DataObject) -> None:
    table = data.draw(tables() | st.sampled_from(PLAIN))
    course = data.draw(courses(table))
    line, whole = "", False
    while not whole:
        offered = completions(line, table, course)
        assert offered, line
        one = data.draw(st.sampled_from(offered))
        assert one.line != line
        line, whole = one.line, one.whole
    assert reads(line.rstrip(), table, course)


@given(st.data())
def test_what_is_called_whole_can_be_read(data: st.DataObject) -> None:
    table = data.draw(tables() | st.sampled_from(PLAIN))
    course = data.draw(courses(table))
    line = data.draw(told(table))
    for one in completions(line[: data.draw(st.integers(0, len(line)))], table, course):
        assert reads(one.line.rstrip(), table, course) or not one.whole


@given(st.data())
def test_on_the_way_to_a_line_what_can_be_read_is_called_whole(data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(PLAIN))
    line = data.draw(told(table))
    for one in completions(line[: data.draw(st.integers(0, len(line)))], table, most=100):
        if line.startswith(one.line.rstrip(" ,:")):
            assert one.whole == reads(one.line.rstrip(), table, TurnState())


@given(st.data())
def test_at_the_end_of_each_word_the_next_is_offered(data: st.DataObject) -> None:
    table = data.draw(tables() | st.sampled_from(PLAIN))
    line = data.draw(told(table))
    observation, places = parse_line(line, table), Places(table, TurnState())
    assume(places.offered(observation.form))
    assume(str(getattr(observation, "total", None) or "2") in (*places.totals, "2"))
    word = data.draw(st.sampled_from([*re.finditer(r"\S+", line)]))
    before, expected = line[: word.start()], line[: word.end()].rstrip(",:")
    assume(not RARE.search(expected))
    assert any(one.startswith(expected) for one in lines(before, table)), before


RARE = re.compile(r"([^,:] [?]| [A-Z]+[0-9]+)$")
"""What is read and not offered: who was not heard, squares."""


@given(st.data())
def test_every_beginning_of_a_line_is_unfinished_or_can_be_read(data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(PLAIN))
    line = data.draw(told(table))
    for size in data.draw(st.sets(st.integers(1, len(line)), max_size=5)):
        found = preview(line[:size], table)
        assert found.unfinished or found.observation is not None, line[:size]


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_completed_to_what_can_be_or_not_at_all(typed: str) -> None:
    for one in completions(typed, CLUE):
        assert one.line != typed
        assert one.whole or completions(one.line, CLUE)
    preview(typed, CLUE)


MENDED = """
gren knf bill: cat shows -> Green knf bill: cat shows
Ann gr lead pipr bill: cat shows -> Ann gr Lead Pipe bill: cat shows
Ann gr led pipe bill: cat shows -> Ann gr Lead Pipe bill: cat shows
Ann gr rope dinning rom: cat -> Ann gr rope Dining Room: cat
Ann profesor plum rope hall: cat -> Ann Plum rope hall: cat
Ann holds knfe hql -> Ann holds Knife hql
Ann pl rope hall: cat pasess -> Ann pl rope hall: cat passes
Ann pl rope balroom dan no cat -> Ann pl rope Ballroom dan no cat
"""


@pytest.mark.parametrize(
    "line", ["Ann pl rope hall: zz shows", "Ann p rope hall: cat", "ann pl", ""]
)
def test_what_is_near_nothing_or_no_slip_is_left_as_it_is(line: str) -> None:
    assert TypedLine(line, CLUE).mended is None


@pytest.mark.parametrize(("line", "mended"), rows(MENDED))
def test_the_word_that_is_near_a_name_is_replaced_by_it(line: str, mended: str) -> None:
    typed = TypedLine(line, CLUE)
    assert typed.mended == mended
    was, now = typed.preview, TypedLine(mended, CLUE).preview
    if was.error is None:  # as speech it can be read
        assert was.observation == now.observation
    else:
        assert now.error is None or was.error.column < now.error.column


def test_what_a_line_can_become_is_worked_out_once_while_it_grows() -> None:
    line = "ben suggests plum, rope, hall: cat shows"
    with counted(Reader._meaning, Reader.meaning) as calls:
        for size in range(1, len(line) + 1):
            completions(line[:size], CLUE, TurnState(seat="Ann", done=frozenset({"suggests"})))
    assert calls["Reader._meaning"] <= 200
    assert calls["Reader.meaning"] >= 300
