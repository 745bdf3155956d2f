"""What happens at a table, as sentences addressed to one of the players."""

from collections.abc import Iterator, Mapping

from clue_solver.errors import listed, sentences
from clue_solver.notation.canonical import format_line
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import Table
from clue_solver.views.sentences import card_list, clause, possessive, subject

CLUE_CARDS: Mapping[str, str] = {
    "suspect": "whoever has the suspect named on it reveals that card",
    "weapon": "whoever has the weapon named on it reveals that card",
    "room": "whoever has the room named on it reveals that card",
    "left": "everybody shows a card to the neighbour on the left",
    "all": "everybody shows everybody a card",
    "one": "a player of your choice shows you a card",
    "move": "move to any room",
    "passage": "move to any room with a secret passage",
}
"""What each kind of clue card tells players to do."""


def observation_sentence(observation: Observation, table: Table, *, viewer: str | None) -> str:
    """
    Return an observation as a sentence for a player, or for everybody.

    Args:
        observation: The observation as the player saw it.
        table: The table.
        viewer: The player, who is called `you`; `None` for everybody.

    >>> from clue_solver.notation.reader import parse_line
    >>> from clue_solver.rules.edition_files import load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Watson"))
    >>> told = parse_line("watson plum rope hall: ann no, ben shows", table)
    >>> observation_sentence(told, table, viewer="Ann")
    'Watson suggests Plum, the Rope and the Hall. You have none of them; Ben shows a card.'
    """
    none = "none of them"
    match observation:
        case observed.Inquiry(by=by, cards=cards, answers=answers, form=form):
            told = f"{clause([by], form.does, viewer)} {card_list(cards, table.edition)}"
        case observed.Question(by=by, seat=seat, about=about, answer=answer, card=card):
            told = f"{clause([by], 'asks', viewer)} {subject([seat], viewer)} about {listed(about)}"
            answers = (Answer(seat=seat, answer=answer, card=card),)
            none = "none"
        case observed.Look(by=by, holder=holder, card=card) if holder in table.seats:
            whose, found = possessive(holder, viewer), f": {card}" if card else ""
            return sentences(f"{clause([by], 'looks', viewer)} at one of {whose} cards{found}")
        case observed.Peek(by=by, feature=feature):
            found = f": {feature}" if feature else ""
            return sentences(f"{clause([by], 'peeks', viewer)} into the envelope{found}")
        case observed.Accusation(by=by, cards=cards, right=right):
            whose = f"{clause([by], 'accuses', viewer)} {card_list(cards, table.edition)}"
            return sentences(whose, "that is right" if right else "that is wrong")
        case observed.Draw(by=by, kind=kind):
            return sentences(f"{clause([by], 'draws', viewer)} a clue card: “{CLUE_CARDS[kind]}”")
        case observed.Reveal(seat=seat, card=card, to=to):
            whom = "everybody" if to is None else subject([to], viewer)
            return sentences(f"{clause([seat], 'shows', viewer)} {whom} {_card(card, table)}")
        case _:
            line = format_line(observation, table)
            if viewer is not None and line.startswith(f"{viewer} "):
                verb, space, rest = line.removeprefix(f"{viewer} ").partition(" ")
                line = f"{clause([viewer], verb, viewer)}{space}{rest}"
            return sentences(line)
    return sentences(
        told, "; ".join(_answer_clauses(answers, by, table, viewer, none)) or "nobody shows a card"
    )


def _card(card: str | None, table: Table) -> str:
    """Return a shown card as a sentence names it; `a card` if it was not seen."""
    return card_list([card], table.edition) if card else "a card"


def _answer_clauses(
    answers: tuple[Answer, ...], by: str, table: Table, viewer: str | None, none: str
) -> Iterator[str]:
    """
    Yield each seat's answer as a clause.

    Args:
        answers: The answers.
        by: The seat that asked.
        table: The table.
        viewer: The seat that is called `you`; `None` for none.
        none: What a seat that passes is said to have, such as `none of them`.
    """
    for answer in answers:
        seat = str(answer.seat)
        if answer.answer == "passes":
            yield f"{clause([seat], 'has', viewer)} {none}"
        elif answer.answer == "shows":
            to = " you" if by == viewer else f" {by}" if seat == viewer else ""
            yield f"{clause([seat], 'shows', viewer)}{to} {_card(answer.card, table)}"
