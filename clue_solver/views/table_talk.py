"""What happens at a table, said by whoever sits beside it to one of the players."""

from collections.abc import Iterator

from clue_solver.errors import listed
from clue_solver.notation import format_line
from clue_solver.rules.observations import Accusation, Answer, Finger, Observation, Suggestion
from clue_solver.rules.table import Table


def said(observation: Observation, table: Table, *, viewer: str | None) -> str:
    """
    Return what happened as a sentence for a player, or for everybody.

    Args:
        observation: What the player has seen of it.
        table: The table.
        viewer: The player, who is called you; `None` for everybody.

    >>> from clue_solver.notation import parse_line
    >>> from clue_solver.rules.edition import load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Watson"))
    >>> told = parse_line("watson plum rope hall: ann no, ben shows", table)
    >>> said(told, table, viewer="Ann")
    'Watson suggests Plum, Rope and Hall. You have none of them; Ben shows a card.'
    """
    match observation:
        case Suggestion(by=by, cards=cards, answers=answers):
            asked = f"{_who(by, viewer, 'suggest', 'suggests')} {listed(cards)}"
        case Finger(by=by, cards=cards, answers=answers):
            asked = f"{_who(by, viewer, 'point', 'points')} at {listed(cards)}"
        case Accusation(by=by, cards=cards, right=right):
            whose = _who(by, viewer, "accuse", "accuses")
            return f"{whose} {listed(cards)}, and {'is' if by != viewer else 'are'} " + (
                "right." if right else "wrong."
            )
        case _:
            return f"{format_line(observation, table)}."
    heard = "; ".join(_answered(answers, by, viewer)) or "nobody shows a card"
    return f"{asked}. {heard[0].upper()}{heard[1:]}."


def _answered(answers: tuple[Answer, ...], by: str, viewer: str | None) -> Iterator[str]:
    """Yield what each seat answers."""
    for answer in answers:
        seat = str(answer.seat)
        if answer.answer == "passes":
            yield f"{_who(seat, viewer, 'have', 'has')} none of them"
        elif answer.answer == "shows":
            to = " you" if by == viewer else f" {by}" if seat == viewer else ""
            card = answer.card or "a card"
            yield f"{_who(seat, viewer, 'show', 'shows')}{to} {card}"


def _who(seat: str, viewer: str | None, you: str, other: str) -> str:
    return f"you {you}" if seat == viewer else f"{seat} {other}"
