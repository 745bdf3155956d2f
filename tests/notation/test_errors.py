"""Lines and observations that are refused: why, and where in the line."""

from __future__ import annotations

import pytest

from clue_solver.errors import NotationError
from clue_solver.notation import InvalidObservation, normalise, parse_line
from clue_solver.rules import observations as seen
from clue_solver.rules.observations import Answer, Observation
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS
from tests.rows import rows

ASKED = ("Plum", "Rope", "Hall")
TABLES = {"CLUE": CLUE, "DICED": DICED, "EVERYONE": EVERYONE, "MASTER": MASTER, "ROOMS": ROOMS}

ERRORS = """
CLUE 0 |  | expected an observation; found nothing
CLUE 0 |  ,  | expected who suggests; found nothing
CLUE 0 | of | expected an observation; found nothing
CLUE 0 | # a remark | expected an observation before its comment, as in 'Ann skips # late'; found nothing
CLUE 2 | : cat | expected who does what; found 'cat'
CLUE 13 | ann suggests plmu, wrench, lounge | unknown card 'plmu'; did you mean 'Professor Plum'?
CLUE 0 | bne plum rope hall | unknown player 'bne'; did you mean 'Ben'?
CLUE 0 | bne suggests plum rope hall | unknown player 'bne'; did you mean 'Ben'?
CLUE 13 | ann moves to u17 | unknown word 'u17'; expected a player, a card, or a word such as shows
CLUE 4 | ann skp | unknown word 'skp'; did you mean 'skips'?
CLUE 4 | ann skp # tired | unknown word 'skp'; did you mean 'skips'?
CLUE 20 | ann plu rop bil r s t u | unknown word 't'; expected a player, a card, or a word such as shows
CLUE 26 | ann accuses plu rop hal s t u | unknown word 't'; expected a player, a card, or a word such as shows
CLUE 39 | ann knows ben has plum or rope or hall or x | expected a holder, 'has' or 'lacks', and a card; found 'or'
CLUE 0 | xyzzy | unknown word 'xyzzy'; expected a player, a card, or a word such as shows
CLUE 4 | ann p rope hall: cat | 'p' can be Peacock or Plum
CLUE 18 | ann looks at ben: p | 'p' can be Peacock or Plum
CLUE 20 | ann mus wrench lou: ann m | Ann cannot answer their own suggestion
CLUE 20 | ann mus wrench lou: dan p, ben m | expected no answer after Ben has shown; found Dan
CLUE 27 | ann mus wrench lou: ben p, ben m | Ben answers twice
CLUE 27 | ann mus wrench lou: ben m, cat | expected no answer after Ben has shown; found Cat
CLUE 30 | ann mus wrench lou: ben p, ?, cat | expected who answers, and what; found 'cat'
CLUE 24 | ann mus wrench lou: cat plum | Plum was not asked for: expected Mustard, Wrench or Lounge
CLUE 20 | ann mus wrench lou: cta m | unknown player 'cta'; did you mean 'Cat'?
CLUE 8 | ann mus revv lou: ben | unknown card 'revv'; did you mean 'Revolver'?
CLUE 24 | ann mus wrench lou: cat ot | unknown word 'ot'; expected a player, a card, or a word such as shows
CLUE 31 | ann mus wrench lou: ben passes wrongly, cat | a pass by mistake is written as not heard, `Ben ?`, with a comment behind the line
CLUE 7 | dan is out | expected a card, or a verb such as suggests or skips; found 'out'
CLUE 13 | ann suggests suspect, rope, hall | unknown word 'suspect'; expected a player, a card, or a word such as shows
CLUE 10 | ann holds suspect | unknown word 'suspect'; expected a player, a card, or a word such as shows
CLUE 16 | plum rope hall - | expected who suggests; found nothing
CLUE 12 | ann has plum | expected 4 more cards; found nothing
CLUE 0 | ben passes | expected the suggestion before its answers; found 'ben'
CLUE 12 | nobody shows | expected who suggests; found nothing
CLUE 17 | ann reveals plum ben | expected 'to' and a player; found 'ben'
CLUE 27 | ann accuses plum rope hall wrnog | unknown word 'wrnog'; did you mean 'wrong'?
CLUE 0 | ann mus wrench lou: ben p, - | this can be 'Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat passes, ?' or 'Ann suggests Mustard, Wrench, Lounge: nobody shows'
CLUE 26 | ann mus wrench lou: no no ben | Ben answers twice
CLUE 23 | ann mus wrench lou ben cat lou | expected no answer after Ben has shown; found Cat; did you mean 'Ben passes'?
CLUE 25 | ann mus wrench lou: ben, cat lou | expected no answer after Ben has shown; found Cat; did you mean 'Ben passes'?
CLUE 20 | ann mus wrench lou: lou- | expected who answers, and what; found 'lou'
CLUE 8 | ann mus plum lou | two of one category (suspect): expected one suspect, one weapon and one room; found Mustard and Plum, no weapon
CLUE 11 | ann mus lou | expected a weapon; found nothing
CLUE 3 | ann | expected a card, or a verb such as suggests or skips; found nothing
CLUE 22 | ann mus wrench lou mus | expected who shows; found nothing
CLUE 37 | ann holds plum rope hall study knife plum | Plum is named twice in the line
CLUE 30 | ann holds plum rope hall study | expected one more card; found nothing
CLUE 37 | ann holds plum rope hall study knife green | more cards than the hand holds: expected 5 for Ann; found 6
EVERYONE 19 | ann holds plum rope | expected 2 more cards; found nothing
CLUE 9 | ann holds | expected the cards; found nothing
CLUE 20 | ann holds plum: rope | expected 3 more cards; found nothing
CLUE 42 | ann holds plum, rope, hall, study, knife: green | more cards than the hand holds: expected 5 for Ann; found 6
CLUE 9 | ann peeks | edition clue-classic has no notch: there is nothing to peek at
CLUE 11 | ann peeks: plum | unknown colour 'plum'
DICED 11 | ann peeks: rope | unknown word 'rope'; expected a player, a card, or a word such as shows
CLUE 13 | ann looks at ann | nobody looks at themselves: expected Ben, Cat or Dan; found Ann
CLUE 23 | ann asks ann about plum | expected what Ann answers
CLUE 20 | cat reveals rope to cat | nobody reveals to themselves: expected Ann, Ben or Dan; found Cat
CLUE 11 | cat reveals | expected the card revealed; found nothing
CLUE 18 | cat reveals rope, hall | expected 'to' and a player; found 'hall'
CLUE 29 | ann asks ben about plum: rope | expected a room; found nothing
DICED 25 | ann asks ben about plum: brawn green | Brawn Green was not asked for: expected Brains Plum or Brawn Plum
CLUE 12 | looks at ben | expected who looks; found nothing
CLUE 12 | ann looks at | expected whom or what to look at; found nothing
CLUE 26 | ben accuses plum rope hall | expected right or wrong; found nothing
CLUE 20 | ben plum rope hall: !cat | unknown word '!'; expected a player, a card, or a word such as shows
CLUE 30 | ben accuses plum rope hall: so | expected right or wrong; found nothing
CLUE 28 | ben accuses plum rope: wrong | expected a room; found nothing
CLUE 24 | ann knows ben has rope, hall | expected a holder, 'has' or 'lacks', and a card; found 'hall'
CLUE 13 | ann knows ben | expected a card; found nothing
CLUE 17 | ann knows ben has | expected a card; found nothing
ROOMS 13 | plum reveals rope | Rope is face-up on the table: nobody holds it
ROOMS 21 | plum looks at green: rope | Rope is face-up on the table: nobody holds it
ROOMS 15 | plum holds rope | expected 5 more cards; found nothing
ROOMS 21 | plum knows green has rope | Rope is face-up on the table: nobody holds it
ROOMS 21 | plum must rope hall: green rope | Rope is face-up on the table: nobody holds it
"""  # noqa: E501
"""At which table and column, the line, why."""


@pytest.mark.parametrize(("place", "line", "reason"), rows(ERRORS, " | "))
def test_a_line_that_cannot_be_read_says_why_and_where(place: str, line: str, reason: str) -> None:
    table, column = place.split()
    with pytest.raises(NotationError) as caught:
        parse_line(line, TABLES[table])
    assert (caught.value.reason, caught.value.column) == (reason, int(column))
    assert caught.value.line == line


def test_a_misfit_knows_the_part_of_the_observation() -> None:
    with pytest.raises(InvalidObservation) as caught:
        normalise(seen.Look(by="Ann", holder="Ann"), CLUE)
    assert caught.value.path == ("holder",)


ODD_ANSWERS = (Answer(answer="shows"), Answer(seat="Ben", answer="passes", card="Rope"))


@pytest.mark.parametrize(
    "observation",
    [
        seen.Look(by="ann", holder="Ben"),
        seen.Look(by="Ann", holder="Ben", card="plum"),
        *(seen.Suggestion(by="Ann", cards=ASKED, answers=(odd,)) for odd in ODD_ANSWERS),
        seen.Question(by="Ann", seat="Ben", about=()),
        seen.Question(by="Ann", seat="Ben", about=("Plum", "Plum")),
        seen.Question(by="Ann", seat="Ben", about=("Plum",), answer="passes", card="Plum"),
        seen.Knowing(by="Ann", holder="Ben"),
        seen.Knowing(by="Ann", holder="Ben", has=("Plum",), lacks=("Rope",)),
        seen.Hand(seat="Ann", cards=()),
        seen.Reveal(seat="Ann"),
        seen.Nobody(card="Plmu"),
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


NOISE = {
    "": {"a ": 40_000, "x": 1_000_000},
    "ann ": {"p ": 40_000},
    "ann holds ": {"p ": 40, "plum ": 5000},
    "ann suggests ": {"b ": 20_000},
    "ann knows ben has ": {"p or ": 9000},
    "ann mus wr lo: ": {"cat, ": 9000, "c m ": 9000, "c p ": 2000},
}


@pytest.mark.parametrize(
    ("begins", "word", "times"),
    [(begins, *each) for begins, words in NOISE.items() for each in words.items()],
)
def test_noise_is_refused_soon_and_briefly(begins: str, word: str, times: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(begins + word * times, CLUE)
    assert len(caught.value.reason) < 300
