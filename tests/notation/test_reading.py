"""One line, one observation."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver.errors import NotationError
from clue_solver.notation import TurnState, format_line, normalise, parse_line, split_comment
from clue_solver.notation.reading import Reader
from clue_solver.record import load_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import (
    Accusation,
    Answer,
    Hand,
    Knowing,
    Look,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.rules.table import Table
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS, SEATS, observations, tables

GAMES = Path(__file__).parents[1] / "games"

FIRST = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"


PASS = {seat: Answer(seat=seat, answer="passes") for seat in (*SEATS, "Ann suggests")}
SHOW = {seat: Answer(seat=seat, answer="shows") for seat in SEATS}
UNHEARD = Answer(answer="unheard")
ASKED = ("Plum", "Rope", "Hall")


PAGE = [
    (CLUE, "Ann holds Plum, Rope, Hall, Study, Knife"),
    (CLUE, FIRST),
    (CLUE, "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows"),
    (CLUE, "Cat suggests Plum, Knife, Kitchen: nobody shows"),
    (CLUE, "Dan suggests Green, Knife, Study: Ann passes, ?"),
    (CLUE, "Dan suggests Green, Knife, Study"),
    (DICED, "Ann asks Ben about Plum: shows Brawn Plum"),
    (DICED, "Ben asks Cat about Plum: shows"),
    (DICED, "Ann asks Ben about Plum: passes"),
    (CLUE, "Ann asks Ben about Plum: passes"),
    (DICED, "Ann looks at Ben: Brawn Scarlett"),
    (CLUE, "Ben looks at Cat"),
    (ROOMS, "Plum looks at Ballroom"),
    (DICED, "Ann peeks: Plum"),
    (DICED, "Ben peeks"),
    (CLUE, "Cat reveals Rope"),
    (CLUE, "Cat reveals Rope to Dan"),
    (CLUE, "Cat reveals to Dan"),
    (CLUE, "nobody reveals Plum"),
    (CLUE, "Ben accuses Plum, Rope, Hall: wrong"),
    (CLUE, "Ben accuses Plum, Rope, Hall: right"),
    (CLUE, "Ann knows Ben has Rope"),
    (CLUE, "Ann knows Ben lacks Rope"),
    (CLUE, "Ann knows envelope lacks Hall"),
    (CLUE, "Ann knows Ben has Rope or Hall"),
    (CLUE, "Ann skips"),
    (CLUE, "Ann rolls 7"),
    (DICED, "Ann rolls Plum, Plum, Green, glass"),
    (CLUE, "Ann moves to Hall"),
    (
        MASTER,
        "Ann points at Brains Plum, Brawn Green, Driver Orchid: Ben passes, Cat shows Brawn Green",
    ),
]
"""Every line of notation.md, with a table at which it can be told."""


@pytest.mark.parametrize(("table", "line"), PAGE)
def test_a_line_of_the_page_prints_back_as_it_stands(table: Table, line: str) -> None:
    assert line == format_line(parse_line(line, table), table)


@pytest.mark.parametrize(("table", "line"), PAGE)
def test_a_canonical_line_is_read_in_any_case(table: Table, line: str) -> None:
    assert parse_line(line, table) == parse_line(line.upper(), table)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (
            FIRST,
            Suggestion(
                by="Ann",
                cards=("Mustard", "Wrench", "Lounge"),
                answers=(PASS["Ben"], Answer(seat="Cat", answer="shows", card="Mustard")),
            ),
        ),
        (
            "Dan suggests Green, Knife, Study: Ann passes, ?",
            Suggestion(
                by="Dan",
                cards=("Green", "Knife", "Study"),
                answers=(PASS["Ann"], UNHEARD),
            ),
        ),
        ("Ben looks at Cat", Look(by="Ben", holder="Cat")),
        ("Cat reveals to Dan", Reveal(seat="Cat", to="Dan")),
        ("nobody reveals Plum", Nobody(card="Plum")),
        ("Ann holds Plum, Rope, Hall, Study, Knife",
         Hand(seat="Ann", cards=("Plum", "Rope", "Hall", "Study", "Knife"))),
        ("Ben accuses Plum, Rope, Hall: wrong",
         Accusation(by="Ben", cards=("Plum", "Rope", "Hall"), right=False)),
        ("Ann asks Ben about Plum", Question(by="Ann", seat="Ben", about=("Plum",))),
        ("Ann knows Ben has Rope or Hall",
         Knowing(by="Ann", holder="Ben", has=("Rope", "Hall"))),
        ("Ann knows Ben lacks Rope", Knowing(by="Ann", holder="Ben", lacks=("Rope",))),
    ],
)  # fmt: skip
def test_a_line_means_one_observation(line: str, meaning: Observation) -> None:
    assert meaning == parse_line(line, CLUE)


def test_a_peek_sees_a_colour_and_a_question_about_it_shows_a_card() -> None:
    assert parse_line("Ann peeks: Plum", DICED) == Peek(by="Ann", feature="Plum")
    asked = parse_line("Ann asks Ben about Plum: shows Brawn Plum", DICED)
    assert asked == Question(
        by="Ann", seat="Ben", about=("Plum",), answer="shows", card="Brawn Plum"
    )


@pytest.mark.parametrize(
    "typed",
    [
        "ann must wrench lou : cat mus",
        "ann must wrench lou > cat mus",
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


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("cat pl kn ki:-", "Cat suggests Plum, Knife, Kitchen: nobody shows"),
        ("cat pl kn ki: nobody", "Cat suggests Plum, Knife, Kitchen: nobody shows"),
        (
            "cat pl kn ki: dan pass, ann passes, ben pa",
            "Cat suggests Plum, Knife, Kitchen: nobody shows",
        ),
        ("ben sc ro ha: dan", "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows"),
        ("ben sc ro ha: dan shows ?", "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows"),
        ("dan gr kn st: ann p", "Dan suggests Green, Knife, Study: Ann passes, ?"),
        ("dan gr kn st: ann p, ben ?", "Dan suggests Green, Knife, Study: Ann passes, Ben shows"),
        ("dan gr kn st: ?", "Dan suggests Green, Knife, Study"),
        ("dan gr kn st:", "Dan suggests Green, Knife, Study"),
        ("ann lead pipe hall plum", "Ann suggests Lead Pipe, Hall, Plum"),
        ("ann pipe bill prof plum", "Ann suggests Lead Pipe, Billiard Room, Plum"),
        ("ann mus k st", "Ann suggests Mustard, Knife, Study"),
        ("ann holds dining room lead pipe hall study col mustard",
         "Ann holds Dining Room, Lead Pipe, Hall, Study, Mustard"),
        ("ann looks ben: plum", "Ann looks at Ben: Plum"),
        ("ann looks at ben: ?", "Ann looks at Ben"),
        ("ben accuse plum rope hall: w", "Ben accuses Plum, Rope, Hall: wrong"),
        ("ann ask ben about plum: pass", "Ann asks Ben about Plum: passes"),
        ("ann asks ben about plum, rope: ben rope", "Ann asks Ben about Plum, Rope: shows Rope"),
        ("ann asks ben about plum: -", "Ann asks Ben about Plum: passes"),
        ("nobody reveals prof plum", "nobody reveals Plum"),
        ("ann knows env lacks hall, rope", "Ann knows envelope lacks Hall or Rope"),
    ],
)  # fmt: skip
def test_a_short_form_and_its_canonical_line(typed: str, line: str) -> None:
    assert line == format_line(parse_line(typed, CLUE), CLUE)


def test_a_feature_is_asked_about_by_its_beginning_and_any_card_of_it_shown() -> None:
    line = format_line(parse_line("ann asks ben about pl: brai", DICED), DICED)
    assert line == "Ann asks Ben about Plum: shows Brains Plum"


def test_a_suggestion_names_as_many_cards_as_the_edition_asks_for() -> None:
    line = "Ann suggests Brains Plum, Driver Green: Ben shows Driver Green"
    assert format_line(parse_line(line, MASTER), MASTER) == line
    with pytest.raises(NotationError, match="expected 2 cards of different categories"):
        parse_line("Ann suggests Brains Plum, Driver Green, Brawn Plum", MASTER)
    with pytest.raises(NotationError, match=r"two of one category \(brains\)"):
        parse_line("Ann suggests Brains Plum, Brains Green", MASTER)


def test_a_seat_and_a_slot_may_bear_the_name_of_a_card() -> None:
    line = "Plum looks at Ballroom: Ballroom"
    assert format_line(parse_line(line, ROOMS), ROOMS) == line
    typed = parse_line("plum plum knife hall: green", ROOMS)
    assert format_line(typed, ROOMS) == "Plum suggests Plum, Knife, Hall: Green shows"


def test_under_right_hand_answering_the_passes_go_the_other_way() -> None:
    table = Table(edition=load_edition("clue-classic"), seats=SEATS, order="right")
    typed = parse_line("ann must wrench lou: cat mus", table)
    expected = "Ann suggests Mustard, Wrench, Lounge: Dan passes, Cat shows Mustard"
    assert format_line(typed, table) == expected


class TestEveryoneShows:
    @pytest.mark.parametrize(
        ("typed", "answers"),
        [
            ("Dan shows Mustard, Ben passes", ": Dan shows Mustard, Ben passes"),
            ("ben w, cat p, dan m", ": Ben shows Wrench, Cat passes, Dan shows Mustard"),
            ("dan p, ?", ": Dan passes"),
            ("dan ?", ": Dan shows"),
            ("dan?, cat-", ": Dan shows, Cat passes"),
            ("dan p, cat p, ben p", ": nobody shows"),
            ("-", ": nobody shows"),
            ("cat", ": Cat shows"),
            ("?", ""),
        ],
    )
    def test_answers_keep_their_order_and_nothing_is_filled_in(
        self, typed: str, answers: str
    ) -> None:
        line = "Ann suggests Mustard, Wrench, Lounge"
        observation = parse_line(f"{line}: {typed}", EVERYONE)
        assert f"{line}{answers}" == format_line(observation, EVERYONE)
        assert observation == parse_line(f"{line}{answers}", EVERYONE)

    def test_passes_of_all_stand_in_answering_order(self) -> None:
        typed = parse_line("ann must wrench lou: dan p, cat p, ben p", EVERYONE)
        assert isinstance(typed, Suggestion)
        assert [one.seat for one in typed.answers] == ["Ben", "Cat", "Dan"]

    def test_nobody_answers_twice(self) -> None:
        with pytest.raises(NotationError, match="Ben answers twice"):
            parse_line("ann must wrench lou: ben p, cat p, ben m", EVERYONE)


class TestCourse:
    def after(self, *lines: str, table: Table = CLUE) -> TurnState:
        course = TurnState()
        for line in lines:
            course = course.after(parse_line(line, table, course))
        return course

    def test_before_the_first_turn_nobody_is_on_turn(self) -> None:
        assert TurnState().turn(CLUE) is None
        with pytest.raises(NotationError, match="expected who suggests"):
            parse_line("mus wrench lounge", CLUE)

    def test_the_next_seat_follows_a_suggestion(self) -> None:
        course = self.after(FIRST)
        typed = parse_line("sc ro ha: dan", CLUE, course)
        expected = "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows"
        assert format_line(typed, CLUE) == expected
        assert typed == parse_line("suggests sc ro ha: dan", CLUE, course)

    def test_what_is_no_turn_changes_nothing(self) -> None:
        lines = ("Dan reveals Rope", "nobody reveals Plum", "Ann knows Ben has Rope")
        assert self.after(FIRST, *lines) == self.after(FIRST)

    def test_a_look_a_peek_and_a_question_begin_a_turn(self) -> None:
        for line in ("Cat looks at Dan", "Cat asks Dan about Plum", "Cat peeks"):
            assert self.after("Ann peeks", line, table=DICED).turn(DICED) == "Cat"

    def test_a_look_after_the_seats_own_suggestion_is_in_the_same_turn(self) -> None:
        assert self.after(FIRST, "Ann looks at Ben").turn(CLUE) == "Ben"

    def test_seats_that_are_out_are_skipped_and_still_answer(self) -> None:
        course = self.after("Ben accuses Plum, Rope, Hall: wrong", FIRST)
        assert course.out == {"Ben"}
        assert course.turn(CLUE) == "Cat"

    def test_turns_pass_as_the_edition_says(self) -> None:
        table = Table(edition=load_edition("clue-1996"), seats=SEATS)
        line = "Ann suggests Mustard, Wrench, Lounge: Dan shows"
        assert self.after(line, table=table).turn(table) == "Ben"

    def test_a_right_accusation_leaves_nobody_out(self) -> None:
        assert self.after("Ben accuses Plum, Rope, Hall: right").out == frozenset()

    def test_a_seat_that_is_out_may_have_a_turn(self) -> None:
        course = self.after("Ben accuses Plum, Rope, Hall: wrong")
        line = "Ben suggests Plum, Rope, Hall: nobody shows"
        assert format_line(parse_line(line, CLUE, course), CLUE) == line

    def test_an_earlier_course_stays_as_it_was(self) -> None:
        before = self.after(FIRST)
        before.after(parse_line("Ben accuses Plum, Rope, Hall: wrong", CLUE))
        assert before == self.after(FIRST)

    def test_sizes_are_learned_from_whole_hands(self) -> None:
        table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat", "Dan"))
        course = self.after(
            "Ann holds Plum, Rope, Hall, Study, Knife", "Ben holds White, Green, Wrench, Lounge, "
            "Library", table=table,
        )  # fmt: skip
        assert course.sizes == {"Ann": 5, "Ben": 5}
        with pytest.raises(NotationError, match="expected 4 for Cat; found 5"):
            parse_line("Cat holds Mustard, Kitchen, Ballroom, Peacock, Scarlett", table, course)


def test_what_lies_face_up_may_be_asked_about_and_accused_of() -> None:
    for line in ("Plum suggests Mustard, Rope, Hall: Green shows", "nobody reveals Rope"):
        assert format_line(parse_line(line, ROOMS), ROOMS) == line
    assert parse_line("green accuses plum rope hall: wrong", ROOMS)


def test_what_has_a_meaning_is_accepted_whether_or_not_the_edition_lists_it() -> None:
    assert "looks" not in CLUE.edition.observes
    assert parse_line("Ben looks at Cat", CLUE) == Look(by="Ben", holder="Cat")


def test_an_unheard_answer_may_bear_a_seat_and_loses_it() -> None:
    unheard = Answer(seat="Cat", answer="unheard")
    settled = normalise(Suggestion(by="Ann", cards=ASKED, answers=(PASS["Ben"], unheard)), CLUE)
    assert format_line(settled, CLUE) == "Ann suggests Plum, Rope, Hall: Ben passes, ?"


def test_two_ways_to_read_a_line_are_an_error_unless_it_is_canonical() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ann suggests", "Ben"))
    line = "Ann suggests Plum, Rope, Hall: Ben shows"
    assert parse_line(line, table) == normalise(
        Suggestion(by="Ann", cards=ASKED, answers=(PASS["Ann suggests"], SHOW["Ben"])), table
    )
    with pytest.raises(NotationError, match="'p' can be passes or Plum"):
        parse_line("Ben suggests Plum, Rope, Hall: Ann p", table)


def test_a_comment_is_split_from_its_line() -> None:
    assert split_comment("Ben peeks   #  at last ") == ("Ben peeks", " at last")
    assert split_comment("Ben peeks") == ("Ben peeks", "")


@given(st.data())
def test_an_observation_survives_being_written_and_read(data: st.DataObject) -> None:
    table = data.draw(tables())
    observation = data.draw(observations(table))
    assert observation == normalise(observation, table)
    assert observation == parse_line(format_line(observation, table), table)


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_read_or_refused_in_one_printable_line(typed: str) -> None:
    try:
        observation = parse_line(typed, CLUE)
    except NotationError as error:
        refused = error.reason
    else:
        assert observation == parse_line(format_line(observation, CLUE), CLUE)
        refused = ""
    assert refused == "" or refused.isprintable()


def shortest(suggestion: Suggestion, table: Table, state: TurnState) -> str:
    """The shortest line that says it: initials of seats and the beginnings of cards, together."""
    asker = "" if state.turn(table) == suggestion.by else suggestion.by[0]
    heard = suggestion.answers if table.everyone_shows else suggestion.answers[-1:]
    nobody = all(one.answer == "passes" for one in suggestion.answers)
    lines: set[str] = set()
    for space, passes, size in product(("", " "), ("p", "pa"), (1, 2, 3)):
        said = (space and ",").join(
            space.join(
                ((one.seat or "?")[:1], *([passes] if one.answer == "passes" else []),
                 *([one.card[:size]] if one.card else []))
            )
            for one in heard
        )  # fmt: skip
        for tail, sizes in product(
            {said, "-"} if nobody else {said},
            product((1, 2, 3, 5), repeat=len(suggestion.cards)),
        ):
            cards = (card[:size] for card, size in zip(suggestion.cards, sizes, strict=True))
            lines.add(space.join((*filter(None, (asker,)), *cards, tail)).casefold())
    reader = Reader(table, state)
    return next(
        line for line in sorted(lines, key=lambda line: (len(line), line))
        if reader.meaning(line) == suggestion
    )  # fmt: skip


def test_a_suggestion_with_its_answer_takes_9_keystrokes_on_average() -> None:
    typed: list[str] = []
    for path in sorted(GAMES.glob("*.clue")):
        record = load_record(path)
        state = TurnState()
        for observation in record.observations:
            if isinstance(observation, Suggestion):
                line = shortest(observation, record.table, state)
                assert observation == parse_line(line, record.table, state)
                typed.append(line)
            state = state.after(observation)
    assert len(typed) > 60
    assert 9 >= sum(len(line) + 1 for line in typed) / len(typed)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ann plum rope hall -", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("Ann suggests Plum, Rope, Hall, -", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall nobody shows", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall: no one", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall ?", "Ann suggests Plum, Rope, Hall"),
        ("ann accuses plum rope hall wrong", "Ann accuses Plum, Rope, Hall: wrong"),
    ],
)
def test_the_end_of_a_line_that_names_no_player_needs_no_colon(typed: str, line: str) -> None:
    assert line == format_line(parse_line(typed, CLUE), CLUE)


def test_a_lone_dash_after_the_cards_needs_neither_asker_nor_colon() -> None:
    course = TurnState.of((parse_line("ann plum rope hall: -", CLUE),))
    assert parse_line("mus rope hall -", CLUE, course) == parse_line("ben mus rope hall: -", CLUE)
    told = parse_line("ann brain plum driver green -", MASTER)
    assert format_line(told, MASTER) == "Ann suggests Brains Plum, Driver Green: nobody shows"


@pytest.mark.parametrize(
    "typed",
    ["ben passes cat passes dan passes", "ben p cat p, dan p", "b p c p d p"],
)
def test_commas_between_answers_may_be_left_out(typed: str) -> None:
    told = parse_line(f"ann mus rope hall: {typed}", CLUE)
    assert format_line(told, CLUE) == "Ann suggests Mustard, Rope, Hall: nobody shows"


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("ben passes cat shows rope", "Ben passes, Cat shows Rope"),
        ("ben passes cat rope", "Ben passes, Cat shows Rope"),
        ("ben passes ?", "Ben passes, ?"),
    ],
)
def test_an_answer_after_one_that_passes_needs_no_comma(typed: str, answers: str) -> None:
    told = parse_line(f"ann plum rope hall: {typed}", CLUE)
    assert format_line(told, CLUE) == f"Ann suggests Plum, Rope, Hall: {answers}"


def test_a_player_called_like_the_mark_for_unheard_answers_without_a_comma() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ben", "?"))
    told = parse_line("Ann suggests Plum, Rope, Hall: ben passes ? passes", table)
    assert format_line(told, table) == "Ann suggests Plum, Rope, Hall: nobody shows"
    table = Table(edition=CLUE.edition, seats=("Ann", "Ben-", "Cat"))
    told = parse_line("ann plum rope hall: ben- hall", table)
    assert format_line(told, table) == "Ann suggests Plum, Rope, Hall: Ben- shows Hall"


CLUE_TURN = TurnState(seat="Dan", ended=True)
"""It is Ann's turn, who is also the viewer."""


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ann gr rope ha cat ha", "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall"),
        ("ann gr, rope, ha, cat ha", "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall"),
        ("ann gr rope ha ben passes", "Ann suggests Green, Rope, Hall: Ben passes, ?"),
        ("gr rope ha; cat ha", "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall"),
        ("me gr rope ha: cat", "Ann suggests Green, Rope, Hall: Ben passes, Cat shows"),
        ("i gr rope ha: cat", "Ann suggests Green, Rope, Hall: Ben passes, Cat shows"),
        ("dan gr rope ha: me rope", "Dan suggests Green, Rope, Hall: Ann shows Rope"),
        ("ann suggests plum with the rope in the hall: no",
         "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum in hall with rope and cat passed", "Ann suggests Plum, Hall, Rope: Ben passes, "
         "Cat passes, ?"),
        ("ann plum rope hall: ben passes and cat showed rope",
         "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope"),
        ("ann plum rope hall: no one showed", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall: cat saw rope", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat shows Rope"),
        ("ann plum rope hall: cat, saw rope", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat shows Rope"),
        ("ann plum rope hall: cat shows ?", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"),
        ("ann plum rope hall: ben no, cat", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"),
        ("ann plum rope hall ben no cat nope dan", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat passes, Dan shows"),
        ("ann plum rope hall: ben doesn't, cat doesn't have, dan no",
         "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall: ben has none, cat -, dan can't show",
         "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall: nope", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann asks ben about plum: doesn't have", "Ann asks Ben about Plum: passes"),
        ("ann asks ben about plum: shows ?", "Ann asks Ben about Plum: shows"),
        ("ann asks ben about plum shows", "Ann asks Ben about Plum: shows"),
        ("ann looks at ben plum", "Ann looks at Ben: Plum"),
        ("ann saw cat plum", "Ann knows Cat has Plum"),
        ("cat has plum", "Ann knows Cat has Plum"),
        ("cat has plum or rope", "Ann knows Cat has Plum or Rope"),
        ("envelope hasn't plum", "Ann knows envelope lacks Plum"),
        ("skip", "Ann skips"),
        ("rolls 7", "Ann rolls 7"),
        ("move to hall", "Ann moves to Hall"),
        ("accuse plum rope hall wrong", "Ann accuses Plum, Rope, Hall: wrong"),
        ("ben acc plum rope hall wrong", "Ben accuses Plum, Rope, Hall: wrong"),
        ("acc plum rope hall right", "Ann accuses Plum, Rope, Hall: right"),
        ("acc plum rope hall: correct!", "Ann accuses Plum, Rope, Hall: right"),
        ("acc plum rope hall no", "Ann accuses Plum, Rope, Hall: wrong"),
        ("ben sugg plum rope hall: cat", "Ben suggests Plum, Rope, Hall: Cat shows"),
        ("ben rev plum hall: cat", "Ben suggests Revolver, Plum, Hall: Cat shows"),
        ("ann plum rope hall: ben-, cat- dan hall", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat passes, Dan shows Hall"),
        ("ann plum rope hall-", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall -ben -cat dan", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat passes, Dan shows"),
        ("ann plum rope hall no ben", "Ann suggests Plum, Rope, Hall: Ben passes, ?"),
        ("ann plum rope hall: no no dan hall", "Ann suggests Plum, Rope, Hall: Ben passes, "
         "Cat passes, Dan shows Hall"),
        ("ann plum rope hall: - - -", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("ann plum rope hall: cat ?", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"),
        ("ann plum rope hall cat?", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"),
        ("ann plum rope hall: no, ?", "Ann suggests Plum, Rope, Hall: Ben passes, ?"),
        ("plknlic", "Ann suggests Plum, Knife, Library: Ben passes, Cat shows"),
        ("plroha", "Ann suggests Plum, Rope, Hall"),
        ("plroha-", "Ann suggests Plum, Rope, Hall: nobody shows"),
        ("plrohacr", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Rope"),
        ("plroha: cat", "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"),
        ("cat plknlia", "Cat suggests Plum, Knife, Library: Dan passes, Ann shows"),
        ("ann accuses plroha wrong", "Ann accuses Plum, Rope, Hall: wrong"),
        ("a m c c", "Ann suggests Mustard, Candlestick, Conservatory"),
        ("a m k k b", "Ann suggests Mustard, Knife, Kitchen: Ben shows"),
    ],
)  # fmt: skip
def test_what_players_write_is_understood(typed: str, line: str) -> None:
    assert line == format_line(parse_line(typed, CLUE, CLUE_TURN), CLUE)


NOAH = Table(edition=CLUE.edition, seats=("Ann", "Noah", "Cat"), viewer="Ann")


@pytest.mark.parametrize(
    ("table", "typed", "reason"),
    [
        (CLUE, "prohac", "'p' can be Peacock or Plum"),
        (CLUE, "plroc", "'c' can be Conservatory or Cat"),
        (CLUE, "plropl", "'l' can be Library or Lounge"),
        (EVERYONE, "ann mus cand con: b c", "'c' can be Candlestick, Conservatory or Cat"),
        (
            NOAH,
            "ann mus wr lou: no",
            "this can be 'Ann suggests Mustard, Wrench, Lounge: nobody shows' or "
            "'Ann suggests Mustard, Wrench, Lounge: Noah shows'",
        ),
        (
            replace(NOAH, seats=("Ann", "Noah", "Cat", "Dan")),
            "dan mus wr lou ann pass no",
            "'no' says that somebody passes; expected who shows, or Noah in full",
        ),
        (CLUE, "ann p c c", "'p' can be Peacock or Plum"),
        (
            CLUE,
            "ann plum rope hall: -cat",
            "this can be 'Ann suggests Plum, Rope, Hall: Ben "
            "passes, Cat passes, ?' or 'Ann suggests Plum, Rope, Hall: Ben passes, Cat shows'",
        ),
        (
            CLUE,
            "ann plum rope hall: ben no no dan",
            "this can be 'Ann suggests Plum, Rope, Hall: "
            "nobody shows' or 'Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows'",
        ),
        (DICED, "ann saw cat plum", "'plum' can be Brains Plum or Brawn Plum"),
    ],
)
def test_a_doubtful_line_is_never_taken_silently(table: Table, typed: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(typed, table, CLUE_TURN if table is CLUE else None)
    assert reason == caught.value.reason


def test_words_of_ones_own_are_names_where_a_name_begins_so() -> None:
    table = Table(edition=CLUE.edition, seats=("Ann", "Ida", "Meg", "Andy"), viewer="Ann")
    told = parse_line("i mus wr lou: me", table)
    assert "Ida suggests Mustard, Wrench, Lounge: Meg shows" == format_line(told, table)
    told = parse_line("ida mus wr lou: and passes", table)
    assert "Andy" in format_line(told, table)


def test_answers_without_a_suggestion_are_told_whose_turn_it_is() -> None:
    with pytest.raises(NotationError, match="it is Ann's turn, then Ben, Cat and Dan answer"):
        parse_line("cat pass dan pass eve", CLUE, CLUE_TURN)
    with pytest.raises(NotationError, match="after Cat it is Dan who answers"):
        parse_line("ann plum rope hall: cat p, ben p", CLUE)
