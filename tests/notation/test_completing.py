"""What may be typed next, and what is typed so far."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, reject
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
from clue_solver.record import load_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS, SEATS, observations, tables

GAMES = Path(__file__).parents[1] / "games"
PLAIN = [CLUE, EVERYONE, DICED, MASTER, ROOMS]
ASKED = "ann mus wr lou: "


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
    return TurnState(seat=before, ended=True)


class TestTheBeginning:
    def test_before_the_first_turn_a_line_begins_with_a_player(self) -> None:
        assert [*SEATS, "nobody reveals"] == labels("")

    def test_whose_turn_it_is_comes_first_and_the_cards_that_it_may_name_follow(self) -> None:
        offered = labels("", course=turn_of("Cat"))
        assert ["Cat", "Dan", "Ann", "Ben", *of("suspect")] == offered[:10]
        assert offered[-3:] == ["suggests", "skips", "nobody reveals"]

    def test_a_seat_that_is_out_comes_last(self) -> None:
        course = turn_of("Dan").after(parse_line("Ben accuses Plum, Rope, Hall: wrong", CLUE))
        assert labels("", course=course)[:4] == ["Cat", "Dan", "Ann", "Ben"]

    def test_no_more_than_asked_for(self) -> None:
        assert len(completions("", CLUE, turn_of("Cat"))) == 12
        assert labels("")[:2] == [one.label for one in completions("", CLUE, most=2)]
        assert completions("", CLUE, most=0) == ()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("a", "Ann "),
        ("ann sug", "ann suggests "),
        ("ann acc", "ann accuses "),
        ("ann loo", "ann looks at "),
        ("ann looks ", "ann looks at "),
        ("nob", "nobody reveals "),
        ("nobody r", "nobody reveals "),
        ("ann m", "ann Mustard, "),
        ("ann prof", "ann Plum, "),
        ("ann professor p", "ann Plum, "),
        ("ann the wr", "ann Wrench, "),
        ("ann mus lead", "ann mus Lead Pipe, "),
        ("ann mus lead ", "ann mus Lead Pipe, "),
        ("ann mus lead p", "ann mus Lead Pipe, "),
        ("ann mus pip", "ann mus Lead Pipe, "),
        ("ann mus wr bill", "ann mus wr Billiard Room: "),
        ("Ann suggests Mustard, wr", "Ann suggests Mustard, Wrench, "),
        ("Ann suggests Mustard,wr", "Ann suggests Mustard,Wrench, "),
        ("ann mus wr lou ", "ann mus wr lou: "),
        ("ann mus wr lou>c", "ann mus wr lou>Cat shows "),
        (f"{ASKED}cat", f"{ASKED}Cat shows "),
        (f"{ASKED}cat m", f"{ASKED}cat shows Mustard"),
        (f"{ASKED}cat shows m", f"{ASKED}cat shows Mustard"),
        (f"{ASKED}cat pa", f"{ASKED}cat passes, "),
        (f"{ASKED}cat passes ", f"{ASKED}cat passes, Dan shows "),
        (f"{ASKED}dan pass", f"{ASKED}dan passes"),
        (f"{ASKED}n", f"{ASKED}nobody shows"),
        ("ann asks b", "ann asks Ben about "),
        ("ann asks ben ", "ann asks ben about "),
        ("ann asks ben about pl", "ann asks ben about Plum: "),
        ("ann asks ben about pl, ro", "ann asks ben about pl, Rope: "),
        ("ann asks ben about pl ", "ann asks ben about pl: "),
        ("ann looks at be", "ann looks at Ben: "),
        ("ann looks at ben: ro", "ann looks at ben: Rope"),
        ("ann reveals rope ", "ann reveals rope to "),
        ("ann reveals rope to c", "ann reveals rope to Cat"),
        ("ann accuses pl ro ha", "ann accuses pl ro Hall: "),
        ("ann accuses pl ro ha: r", "ann accuses pl ro ha: right"),
        ("ann knows env", "ann knows envelope "),
        ("ann knows env la", "ann knows env lacks "),
        ("ann knows env lacks ha", "ann knows env lacks Hall "),
        ("ann knows env lacks hall ", "ann knows env lacks hall or "),
        ("ann knows env has hall or ro", "ann knows env has hall or Rope "),
        ("ann holds plum rope hall study kn", "ann holds plum rope hall study Knife"),
    ],
)
def test_what_was_begun_is_completed(typed: str, completed: str) -> None:
    assert completed == lines(typed)[0]


class TestASuggestion:
    def test_after_the_asker_stand_verbs_usual_ones_first_and_cards(self) -> None:
        offered = labels("ann ")
        assert ["suggests", "accuses", "holds", "knows"] == offered[:4]
        assert list(CLUE.edition.names) == offered[4:25]

    def test_a_peek_is_offered_where_there_is_a_notch(self) -> None:
        assert "peeks" in labels("ann ", DICED)
        assert "peeks" not in labels("ann ")

    def test_only_cards_of_categories_not_named_yet(self) -> None:
        assert of("weapon") + of("room") == labels("ann mus ")
        assert of("room") == labels("ann mus wr ")
        assert of("room") == labels("mus wr ", course=turn_of("Cat"))
        assert of("suspect") == labels("Ann suggests Rope, Hall, ")

    def test_what_follows_a_clear_word_comes_after_its_ending(self) -> None:
        assert ["Wrench", *of("room")] == labels("ann mus wr")

    def test_what_follows_a_word_with_two_readings_is_not_offered(self) -> None:
        assert labels("ann p") == ["Peacock", "Plum", "points at", "Lead Pipe", "Revolver"]
        assert labels("ann p ") == ["Peacock", "Plum"]

    def test_a_word_that_later_ones_make_clear_is_left_as_it_is(self) -> None:
        offered = completions("ann k hall ", CLUE, most=100)
        assert of("suspect") == [one.label for one in offered if "k hall" in one.line]

    def test_after_all_cards_stands_the_colon(self) -> None:
        assert labels("ann mus wr lou ") == [":"]
        assert completions("ann mus wr lou ", CLUE) == (
            Completion(line="ann mus wr lou: ", label=":", kind="word", whole=True),
        )

    def test_as_many_cards_as_the_edition_asks_for(self) -> None:
        assert lines("ann Brains Plum, Driver G", MASTER) == ["ann Brains Plum, Driver Green: "]


class TestAnswers:
    def test_players_in_answering_order_the_next_may_pass(self) -> None:
        expected = ["Ben shows", "Ben passes", "Cat shows", "Dan shows", "nobody shows", "?"]
        assert expected == labels(ASKED)
        assert all(one.kind == "answer" and one.whole for one in completions(ASKED, CLUE))

    def test_in_the_order_of_the_edition(self) -> None:
        table = Table(edition=load_edition("clue-classic"), seats=SEATS, order="right")
        assert labels(ASKED, table)[:3] == ["Dan shows", "Dan passes", "Cat shows"]

    def test_a_player_shows_one_of_the_cards_asked_for_or_passes(self) -> None:
        shown = ["shows", "shows Mustard", "shows Wrench", "shows Lounge", "passes"]
        assert shown == labels(f"{ASKED}cat ")
        assert [f"Cat {answer}" for answer in shown] == labels(f"{ASKED}cat")

    def test_after_a_pass_the_next_player(self) -> None:
        expected = ["Cat shows", "Cat passes", "Dan shows", "?"]
        assert expected == labels(f"{ASKED}ben passes, ") == labels(f"{ASKED}ben p ")

    def test_after_who_shows_nothing(self) -> None:
        assert labels(f"{ASKED}ben shows mustard ") == []

    def test_where_everyone_shows_all_others_may_answer_still(self) -> None:
        expected = ["Ben shows", "Ben passes", "Dan shows"]
        assert expected == labels(f"{ASKED}cat shows mustard, ", EVERYONE)

    def test_what_lies_face_up_is_not_shown(self) -> None:
        offered = labels("plum suggests mustard rope hall: green ", ROOMS)
        assert offered == ["shows", "shows Mustard", "shows Hall", "passes"]


class TestOtherLines:
    def test_a_question_is_put_to_another_about_cards_and_features(self) -> None:
        assert labels("ann asks ") == ["Ben", "Cat", "Dan"]
        assert [(one.label, one.kind) for one in completions("ann asks ben about pl", DICED)] == [
            ("Plum", "feature"),
            ("Brains Plum", "card"),
            ("Brawn Plum", "card"),
        ]

    def test_a_question_about_a_feature_is_answered_with_a_card_of_it(self) -> None:
        expected = ["shows", "shows Brains Plum", "shows Brawn Plum", "passes", "?"]
        assert expected == labels("ann asks ben about plum: ", DICED)

    def test_one_looks_at_others_and_at_slots(self) -> None:
        assert [(one.label, one.kind) for one in completions("plum looks at ", ROOMS)] == [
            ("Green", "player"),
            ("Ballroom", "word"),
            ("Kitchen", "word"),
            ("Pool", "word"),
        ]

    def test_one_peeks_at_a_feature(self) -> None:
        assert labels("ann peeks: ", DICED) == [*DICED.edition.features, "?"]

    def test_one_reveals_a_card_to_all_or_to_another(self) -> None:
        assert labels("ann reveals ") == [*CLUE.cards, "to"]
        assert labels("ann reveals to ") == ["Ben", "Cat", "Dan"]

    def test_an_accusation_is_wrong_or_right(self) -> None:
        assert labels("ann accuses pl ro ha:") == ["wrong", "right"]

    def test_one_knows_about_every_holder(self) -> None:
        assert labels("ann knows ") == ["Ben", "Cat", "Dan", "envelope", "Ann"]
        assert labels("ann knows ben ") == ["has", "lacks"]

    def test_a_hand_has_as_many_cards_as_its_seat_holds(self) -> None:
        assert labels("ann holds plum rope hall study knife ") == []
        offered = completions("ann holds plum rope hall study ", CLUE, most=100)
        assert len(offered) == 17
        assert all(one.whole for one in offered)


@pytest.mark.parametrize(
    "line", ["zzz", "ann su ", "ann p wr ", "ann peeks", ": ", "ann: ", "a # b", "ann asks ann "]
)  # fmt: skip
def test_what_cannot_be_ended_has_no_completions(line: str) -> None:
    assert completions(line, CLUE) == ()


class TestCardsWithoutSpaces:
    @pytest.mark.parametrize(
        ("typed", "completed"),
        [
            ("plrol", "Plum, Rope, Library: "),
            ("plroha", "Plum, Rope, Hall: "),
            ("plrohac", "Plum, Rope, Hall: Cat shows "),
            ("cat plknli", "cat Plum, Knife, Library: "),
            ("ann mus wrl", "ann mus Wrench, Library: "),
        ],
    )
    def test_they_are_written_out(self, typed: str, completed: str) -> None:
        assert completed == lines(typed, course=turn_of("Ann"))[0]

    @pytest.mark.parametrize("typed", ["plr", "plro", "plrol"])
    def test_their_beginning_is_unfinished(self, typed: str) -> None:
        assert preview(typed, CLUE, turn_of("Ann")).unfinished
        assert not preview("xqplro", CLUE, turn_of("Ann")).unfinished


class TestWhatIsReadButNotListed:
    @pytest.mark.parametrize(
        ("typed", "completed"),
        [
            ("rol", "rolls "),
            ("ski", "skips"),
            ("gr rope ha c", "gr rope ha Cat shows "),
            ("gr rope ha n", "gr rope ha nobody shows"),
            ("env", "envelope "),
            ("ann plum with", "ann plum with Candlestick, "),
            ("ann plum with ro", "ann plum with Rope, "),
            ("ann moves to dining", "ann moves to Dining Room"),
        ],
    )
    def test_it_is_completed_once_it_is_begun(self, typed: str, completed: str) -> None:
        assert completed == lines(typed, course=turn_of("Ann"))[0]

    def test_a_part_of_a_hand_is_unfinished(self) -> None:
        assert preview("ann holds plum rope", CLUE).unfinished


class TestPreview:
    def test_a_whole_line_with_the_passes_that_follow(self) -> None:
        text = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
        expected = Preview(observation=parse_line(text, CLUE), text=text)
        assert expected == preview(f"{ASKED}cat m", CLUE)

    @pytest.mark.parametrize("line", ["", "  ", "# a remark"])
    def test_nothing_comes_to_nothing(self, line: str) -> None:
        assert Preview() == preview(line, CLUE)

    @pytest.mark.parametrize("line", ["a", "ann p", "ann mus wr", "ann mus lead p", "ann asks ben"])
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
    return TurnState(seat=draw(st.none() | st.sampled_from(table.seats)), ended=True)


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
    for word in re.finditer(r"\S+", line):
        before, expected = line[: word.start()], line[: word.end()].rstrip(",:")
        assert any(one.startswith(expected) for one in lines(before, table)), before


@given(st.data())
def test_every_beginning_of_a_line_is_unfinished_or_can_be_read(data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(PLAIN))
    line = data.draw(told(table))
    for size in data.draw(st.sets(st.integers(1, len(line)), max_size=12)):
        found = preview(line[:size], table)
        assert found.unfinished or found.observation is not None, line[:size]


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_completed_to_what_can_be_or_not_at_all(typed: str) -> None:
    for one in completions(typed, CLUE):
        assert one.line != typed
        assert one.whole or completions(one.line, CLUE)
    preview(typed, CLUE)


def target(suggestion: Suggestion, table: Table, course: TurnState) -> str:
    """What a person means to enter: no asker where the turn says it, no passes that follow."""
    asker = "" if course.turn(table) == suggestion.by else f"{suggestion.by} "
    head = asker + ", ".join(suggestion.cards)
    heard = suggestion.answers if table.everyone_shows else suggestion.answers[-1:]
    if all(one.answer == "passes" for one in suggestion.answers):
        return f"{head}: nobody shows"
    said = (f"{one.seat} {one.answer} {one.card or ''}".rstrip() for one in heard)
    return f"{head}: {', '.join(said)}"


def keystrokes(suggestion: Suggestion, table: Table, course: TurnState) -> int:
    """The keys that enter it: letters until the first completion is meant, Tab, at last Enter."""
    meant = target(suggestion, table, course)
    line, keys = "", 0
    while preview(line, table, course).observation != suggestion:
        first = next((one.line for one in completions(line, table, course, most=1)), "")
        accepted = first if meant.startswith(first) else first.rstrip(" ,:")
        onward = len(accepted) > len(line) and meant.startswith(accepted)
        line = accepted if onward else line + meant[len(line)]
        keys += 1
    return keys + 1


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("gren knf bill: cat shows", "Green knf bill: cat shows"),
        ("Ann gr lead pipr bill: cat shows", "Ann gr Lead Pipe bill: cat shows"),
        ("Ann gr led pipe bill: cat shows", "Ann gr Lead Pipe bill: cat shows"),
        ("Ann gr rope dinning rom: cat", "Ann gr rope Dining Room: cat"),
        ("Ann profesor plum rope hall: cat", "Ann Plum rope hall: cat"),
        ("Ann holds knfe hql", "Ann holds Knife hql"),  # nothing is left out
        ("Ann pl rope hall: cat pasess", "Ann pl rope hall: cat passes"),
        ("Ann pl rope balroom dan no cat", "Ann pl rope Ballroom dan no cat"),
        ("Ann pl rope hall: zz shows", None),  # nothing near
        ("Ann p rope hall: cat shows", None),  # Plum or Peacock: no slip
        ("Ann pl rope hall: cat shows", None),
        ("", None),
    ],
)
def test_the_word_that_is_near_a_name_is_replaced_by_it(line: str, mended: str | None) -> None:
    typed = TypedLine(line, CLUE)
    assert mended == typed.mended
    if mended is not None:
        was, now = typed.preview.error, TypedLine(mended, CLUE).preview.error
        assert was is not None
        assert now is None or was.column < now.column


def test_with_tab_and_enter_a_suggestion_takes_12_keys_on_average() -> None:
    keys: list[int] = []
    for path in sorted(GAMES.glob("*.clue")):
        record = load_record(path)
        course = TurnState()
        for observation in record.observations:
            if isinstance(observation, Suggestion):
                keys.append(keystrokes(observation, record.table, course))
            course = course.after(observation)
    assert len(keys) > 60
    assert 12 >= sum(keys) / len(keys)
