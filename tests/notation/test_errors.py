"""Lines and observations that are refused: why, and where in the line."""

from __future__ import annotations

import pytest

from clue_solver.errors import NotationError
from clue_solver.notation import InvalidObservation, normalise, parse_line
from clue_solver.rules.observations import (
    Answer,
    Hand,
    Knowing,
    Look,
    Nobody,
    Observation,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.rules.table import Table
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS

ASKED = ("Plum", "Rope", "Hall")

ERRORS = [
    (CLUE, "", 0, "expected an observation; found nothing"),
    (CLUE, " , ", 0, "expected an observation; found nothing"),
    (CLUE, "of", 0, "expected an observation; found nothing"),
    (CLUE, "# a remark", 0, "expected an observation before its comment, as in 'Ann skips # late'; "
     "found nothing"),
    (CLUE, ": cat", 0, "expected an observation before ':'; found nothing"),
    (
        CLUE,
        "ann suggests plmu, wrench, lounge",
        13,
        "unknown card 'plmu'; did you mean 'Professor Plum'?",
    ),
    (CLUE, "bne plum rope hall", 0, "unknown name 'bne'; did you mean 'Ben'?"),
    (CLUE, "bne suggests plum rope hall", 0, "unknown player 'bne'; did you mean 'Ben'?"),
    (CLUE, "ann sugests plum rope hall", 4, "unknown word 'sugests'; did you mean 'suggests'?"),
    (CLUE, "ann skp", 4, "unknown word 'skp'; did you mean 'skips'?"),
    (CLUE, "ann skp # tired", 4, "unknown word 'skp'; did you mean 'skips'?"),
    (CLUE, "ann plu rop bil r s t u", 18, "expected ':' and the answers; found 's'"),
    (CLUE, "ann accuses plu rop hal s t u", 24, "expected ':' and right or wrong; found 's'"),
    (CLUE, "ann knows ben has plum or rope or hall or x", 42, "unknown card 'x'; expected a card "
     "such as Scarlett, Rope or Study"),
    (
        CLUE,
        "xyzzy",
        0,
        "unknown name 'xyzzy'; expected a player, Ann, Ben, Cat or Dan, or a card",
    ),
    (CLUE, "ann p rope hall: cat", 4, "'p' can be Peacock or Plum"),
    (CLUE, "ann looks at ben: p", 18, "'p' can be Peacock or Plum"),
    (CLUE, "ann mus wrench lou: ann m", 20, "Ann cannot answer their own suggestion"),
    (
        CLUE,
        "ann mus wrench lou: dan p, ben m",
        27,
        "an answer out of order: Ben comes before Dan; expected Ben, Cat, Dan",
    ),
    (CLUE, "ann mus wrench lou: ben p, ben m", 27, "Ben answers twice"),
    (CLUE, "ann mus wrench lou: ben m, cat", 27,
     "expected no answer after Ben has shown; found Cat"),
    (CLUE, "ann mus wrench lou: ben p, ?, cat", 30, "expected no answer after '?'; found Cat"),
    (CLUE, "ann mus wrench lou: cat plum", 24,
     "Plum was not asked for: expected Mustard, Wrench or Lounge"),
    (CLUE, "ann mus wrench lou: cta m", 20, "unknown player 'cta'; did you mean 'Cat'?"),
    (CLUE, "ann mus wrench lou: cat wernch", 24, "unknown card 'wernch'; did you mean 'Wrench'?"),
    (CLUE, "ann mus revv lou: ben", 8, "unknown card 'revv'; did you mean 'Revolver'?"),
    (CLUE, "ann mus wrench lou: cat ot", 24,
     "expected passes, shows, a card that was asked for, or ?; found 'ot'"),
    (CLUE, "ann mus wrench lou: ben pases", 24, "unknown word 'pases'; did you mean 'passes'?"),
    (CLUE, "ann mus wrench lou: ben yes", 24,
     "expected passes, shows, a card that was asked for, or ?; found 'yes'"),
    (CLUE, "ann mus wrench lou: ben passes then cat passes", 31,
     "unknown player 'then'; expected Ann, Ben, Cat or Dan"),
    (CLUE, "ann mus wrench lou is", 19,
     "expected ':' and the answers; found 'is'"),
    (CLUE, "dan is out", 4,
     "expected a verb such as suggests, accuses or skips, or a card; found 'is'"),
    (CLUE, "ann mus wrench lou: cat p dan p, ben p", 33,
     "an answer out of order: Ben comes before Dan; expected Ben, Cat, Dan"),
    (CLUE, "ann: suggests mus wrench lou", 3,
     "expected one suspect, one weapon and one room; found no suspect, no weapon and no room"),
    (CLUE, "ann suggests suspect, rope, hall", 13,
     "expected a card such as Scarlett, Rope or Study, or ':' and the answers; found 'suspect'"),
    (CLUE, "ann holds suspect", 10,
     "unknown card 'suspect'; expected a card such as Scarlett, Rope or Study"),
    (CLUE, "plum rope hall -", 0,
     "expected who suggests: whose turn it is does not follow from the lines before"),
    (CLUE, "ann has plum", 4, "unknown word 'has'; did you mean 'holds'?"),
    (CLUE, "ben passes", 4, "expected the suggestion before its answers; found 'passes'; "
     "a turn without one: 'skips'; a card shown to all: 'reveals'"),
    (CLUE, "nobody shows", 0, "expected the suggestion before its answers; found 'nobody'"),
    (CLUE, "ann reveals plum ben", 17, "expected 'to' and a player; found the player Ben"),
    (CLUE, "ann accuses plum rope hall wrnog", 27,
     "unknown word 'wrnog'; did you mean 'wrong'?"),
    (CLUE, "ann mus wrench lou: ben p, -", 28,
     "expected who passes, or who answers after Cat, Dan; found nothing"),
    (CLUE, "ann mus wrench lou: no no ben", 26,
     "expected who answers after Cat, Dan; found the player Ben"),
    (CLUE, "ann mus wrench lou no no no dan", 28,
     "expected nothing more, as all have passed; found the player Dan"),
    (CLUE, "ann mus wrench lou ben cat lou", 23,
     "expected passes, shows, a card that was asked for, or ?; found the player Cat; "
     "did you mean 'Ben passes'?"),
    (CLUE, "ann mus wrench lou: ben, cat lou", 25,
     "expected no answer after Ben has shown; found Cat; did you mean 'Ben passes'?"),
    (CLUE, "ann mus wrench lou: lou-", 20,
     "unknown player 'lou'; expected Ann, Ben, Cat or Dan"),
    (CLUE, "ann mus plum lou", 8,
     "two of one category (suspect): expected one suspect, one weapon and one room; "
     "found Mustard and Plum, no weapon"),
    (CLUE, "ann mus lou", 8, "expected one suspect, one weapon and one room; found no weapon"),
    (CLUE, "ann", 3,
     "expected one suspect, one weapon and one room; found no suspect, no weapon and no room"),
    (CLUE, "ann mus wrench lou mus", 19, "Mustard is named twice in the line"),
    (CLUE, "ann holds plum rope hall study knife plum", 37, "Plum is named twice in the line"),
    (CLUE, "ann holds plum rope hall study", 25,
     "fewer cards than the hand holds: expected 5 for Ann; found 4"),
    (CLUE, "ann holds plum rope hall study knife green", 37,
     "more cards than the hand holds: expected 5 for Ann; found 6"),
    (EVERYONE, "ann holds plum rope", 15,
     "fewer cards than the hand holds: expected 4 or 5 for Ann; found 2; "
     "a `hands:` line in the header can say otherwise"),
    (CLUE, "ann holds", 9, "expected the cards that Ann holds; found none"),
    (CLUE, "ann holds plum: rope", 10,
     "fewer cards than the hand holds: expected 5 for Ann; found 1"),
    (CLUE, "ann holds plum, rope, hall, study, knife: green", 40,
     "expected nothing after 'knife'; found ':'"),
    (CLUE, "ann peeks", 4, "edition clue-classic has no notch: there is nothing to peek at"),
    (CLUE, "ann peeks: plum", 4, "edition clue-classic has no notch: there is nothing to peek at"),
    (DICED, "ann peeks: rope", 11,
     "unknown colour 'rope'; expected Scarlett, Mustard, Orchid, Green, Peacock or Plum"),
    (CLUE, "ann looks at ann", 13,
     "nobody looks at themselves: expected Ben, Cat or Dan; found Ann"),
    (CLUE, "ann asks ann about plum", 9,
     "nobody asks themselves: expected Ben, Cat or Dan; found Ann"),
    (CLUE, "cat reveals rope to cat", 20,
     "nobody reveals to themselves: expected Ann, Ben or Dan; found Cat"),
    (CLUE, "cat reveals", 11, "expected the card that is revealed; found nothing"),
    (CLUE, "cat reveals rope, hall", 18, "expected 'to' and a player; found 'hall'"),
    (CLUE, "ann asks ben plum", 13,
     "expected 'about' and the card that is asked about; found 'plum'"),
    (CLUE, "ann asks ben about plum: rope", 25, "Rope was not asked for: expected Plum"),
    (DICED, "ann asks ben about plum: brawn green", 25,
     "Brawn Green was not asked for: expected Brains Plum or Brawn Plum"),
    (CLUE, "looks at ben", 0, "expected who looks before 'looks'; found nothing"),
    (CLUE, "ann looks at", 12, "expected who or what is looked at; found nothing"),
    (CLUE, "ben accuses plum rope hall", 26, "expected ':' and right or wrong; found nothing"),
    (CLUE, "ben plum rope hall: !cat", 20, "unknown player '!cat'; did you mean 'Cat'?"),
    (CLUE, "ben accuses plum rope hall: so", 28, "expected ':' and right or wrong; found 'so'"),
    (CLUE, "ben accuses plum rope: wrong", 17,
     "expected one suspect, one weapon and one room; found no room"),
    (CLUE, "ann knows ben has rope, hall", 24,
     "expected 'or' before it (what is certain has a line for each card); found 'hall'"),
    (CLUE, "ann knows ben", 13, "expected a holder, 'has' or 'lacks', and a card; found nothing"),
    (CLUE, "ann knows ben has", 17, "expected a card after 'has'; found nothing"),
    (ROOMS, "plum reveals rope", 13, "Rope is face-up on the table: nobody holds it"),
    (ROOMS, "plum looks at green: rope", 21, "Rope is face-up on the table: nobody holds it"),
    (ROOMS, "plum holds rope", 11, "Rope is face-up on the table: nobody holds it"),
    (ROOMS, "plum knows green has rope", 21, "Rope is face-up on the table: nobody holds it"),
    (ROOMS, "plum must rope hall: green rope", 27,
     "Rope is face-up on the table: nobody holds it"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "line", "column", "reason"), ERRORS)
def test_a_line_that_cannot_be_read_says_why_and_where(
    table: Table, line: str, column: int, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(line, table)
    assert (reason, column) == (caught.value.reason, caught.value.column)
    assert line == caught.value.line


def test_a_misfit_knows_the_part_of_the_observation() -> None:
    with pytest.raises(InvalidObservation) as caught:
        normalise(Look(by="Ann", holder="Ann"), CLUE)
    assert caught.value.path == ("holder",)


@pytest.mark.parametrize(
    "observation",
    [
        Look(by="ann", holder="Ben"),
        Look(by="Ann", holder="Ben", card="plum"),
        Suggestion(by="Ann", cards=ASKED, answers=(Answer(answer="shows"),)),
        Suggestion(
            by="Ann", cards=ASKED, answers=(Answer(seat="Ben", answer="passes", card="Rope"),)
        ),
        Question(by="Ann", seat="Ben", about=()),
        Question(by="Ann", seat="Ben", about=("Plum", "Plum")),
        Question(by="Ann", seat="Ben", about=("Plum",), answer="passes", card="Plum"),
        Knowing(by="Ann", holder="Ben"),
        Knowing(by="Ann", holder="Ben", has=("Plum",), lacks=("Rope",)),
        Hand(seat="Ann", cards=()),
        Reveal(seat="Ann"),
        Nobody(card="Plmu"),
    ],
)
def test_an_observation_without_meaning_is_refused(observation: Observation) -> None:
    with pytest.raises(InvalidObservation):
        normalise(observation, CLUE)


@pytest.mark.parametrize("line", ["brain plum, driver", "brain plum, driver -"])
def test_a_beginning_of_several_cards_is_ambiguous_not_unknown(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(f"ann {line}", MASTER)
    assert caught.value.reason.startswith("'driver' can be Driver Scarlett, Driver ")


@pytest.mark.parametrize(
    "line",
    ["a " * 40_000, "ann " + "p " * 40_000, "ann holds " + "p " * 40, "ann holds " + "plum " * 5000,
     "x" * 1_000_000, "ann suggests " + "b " * 20_000, "ann knows ben has " + "p or " * 9000,
     "ann mus wr lo: " + "cat, " * 9000, "ann mus wr lo: " + "c m " * 9000,
     "ann mus wr lo: " + "c p " * 2000],
    ids=lambda line: str(line)[:20],
)  # fmt: skip
def test_noise_is_refused_soon_and_briefly(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(line, CLUE)
    assert len(caught.value.reason) < 300
