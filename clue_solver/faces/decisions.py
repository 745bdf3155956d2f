"""
What a person may decide in a game that the program deals: the question, and all its answers.

The full screen and the pages ask with these words; each draws them in its own way.
"""

from itertools import product
from typing import Any, NamedTuple

from clue_solver.arena.chairs import Chairs
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import Request
from clue_solver.arena.view import View
from clue_solver.errors import listed
from clue_solver.notation.canonical import format_line
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.views.sentences import card_list
from clue_solver.views.table_talk import observation_sentence

SUGGEST, POINT, ACCUSE = "Suggest", "Point the finger at cards", "Accuse"
"""The first words of those options for which the person then picks cards."""

RISK = "If it's wrong, you're out, but you still show cards."
"""What to say before an accusation."""

OUT = "You accused wrongly: you're out, but you still show cards."
"""What to say after a wrong accusation."""

ROLL_DICE = "Roll the dice"

_WAITING = {
    "move": "is moving",
    "ask": "is about to ask",
    "show": "is choosing a card to show",
    "accuse": "is thinking",
}
"""What the others read about a player who is deciding, by the kind of decision."""


class Option(NamedTuple):
    """
    One way to answer a question.

    Attributes:
        words: The texts of the menus or buttons that lead to it, in order: what it is, such as
            `Suggest`, then each card that is picked for it.
        line: Its line in the words of the log, such as `Ann moves to Hall`.
        choice: The decision that the referee gets; `None` for doing nothing.
        main: Whether it is the usual answer, which needs no confirmation.
        accuses: Whether it is an accusation.
        on_the_way: Whether it leads to a square on the way to a room.
    """

    words: tuple[str, ...]
    line: str
    choice: Any = None
    main: bool = False
    accuses: bool = False
    on_the_way: bool = False

    @property
    def is_grave(self) -> bool:
        """Whether choosing this option may cost the person the game or a turn."""
        return self.accuses or (self.choice is None and not self.main)

    @property
    def text(self) -> str:
        """
        What is typed to choose this option: its line, or the text of its button if it leads to a
        square.
        """
        return self.words[0] if self.on_the_way else self.line


class Decision(NamedTuple):
    """
    A question to a person.

    Attributes:
        question, remark: The question, and what to say about it.
        options: Every way to answer it; empty if the person has nothing to decide.
    """

    question: str = ""
    remark: str = ""
    options: tuple[Option, ...] = ()


def decision_due(chairs: Chairs, seat: str | None) -> Decision:
    """
    Return what the game asks the person in `seat` now.

    If it asks somebody else, the question says who is deciding, the remark says why, and there are
    no options. The result is empty once the game is over.
    """
    request = chairs.game.request
    if request is None:
        return Decision()
    view = chairs.game.views[request.seat]
    if chairs.person is None or request.seat != seat:
        why = asked_text(view) if request.kind == "show" else ""
        return Decision(f"{request.seat} {_WAITING[request.kind]}.", why)
    match request.kind:
        case "move":
            decision = _move(view)
        case "ask":
            decision = _question(view)
        case "show":
            decision = _card(view, request)
        case "accuse":
            decision = _accusation(view)
    if not chairs.may_accuse:
        return decision
    said = f"{view.seat} accuses"
    accusations = (
        Option((ACCUSE, *cards), f"{said} {', '.join(cards)}", cards, accuses=True)
        for cards in product(*view.kinds)
    )
    return decision._replace(options=(*decision.options, *accusations))


def _move(view: View) -> Decision:
    """
    Return the question where to go: rooms in reach, squares on the way to other rooms, or nowhere.
    """
    seat, state, rolls = view.seat, view.state, ROLL in view.places
    go = "Secret passage to" if rolls else "Go to"
    reach = [room for room in view.edition.rooms if room in view.places]
    labels = {room: f"{go} {card_list([room], view.edition)}" for room in reach}
    labels |= {
        place: f"Towards {card_list(far[:1], view.edition)}"
        for place, far in view.towards().items()
    }
    question, nothing = "Where do you go?", "Stay where you are"
    if state.rules.board is None:
        question, nothing = "Where do you look at the face-down card?", "Look at none"
    elif rolls:
        question = "Roll, or take the passage." if labels else "Roll the dice."
    only = not rolls and 1 in (len(reach), len(labels))
    options = [Option((ROLL_DICE,), f"{seat} rolls", ROLL, main=True)] if rolls else []
    for place, label in labels.items():
        line, usual = f"{seat} moves to {place}", only and not options
        on_the_way = place not in reach
        options.append(Option((label,), line, place, main=usual, on_the_way=on_the_way))
    remark = "" if state.total is None else f"You rolled {state.total}."
    return Decision(question, remark, (*options, Option((nothing,), f"{seat} stays")))


def _question(view: View) -> Decision:
    """Return the question what to suggest, or what else to do of what the rules allow now."""
    state = view.state
    options = [_question_option(each, view) for each in view.questions()]
    question, nothing = "What else do you do?", "Do nothing"
    if state.may("suggests"):
        question, nothing = "What do you suggest?", "No suggestion"
    remark = f"You rolled {listed(state.dice)}." if view.edition.suspect_dice else ""
    if options and state.pending:
        nothing = "Do nothing and end your turn"
        remark = f"{remark} To accuse, do one of these first.".strip()
    skip = Option((nothing,), f"{view.seat} skips", main=not options)
    return Decision(question, remark, (*options, skip))


def _question_option(asked: Observation, view: View) -> Option:
    """Return the option for something that a player may ask, such as `Ask Ben about Plum`."""
    line = format_line(asked, view.table)
    match asked:
        case observed.Suggestion(cards=cards):
            words = (SUGGEST, *cards)
        case observed.Finger(cards=cards):
            words = (POINT, *cards)
        case observed.Look(holder=holder) if holder in view.table.seats:
            words = (f"Look at one of {holder}'s cards",)
        case observed.Peek():
            words = ("Peek into the envelope",)
        case _:
            verb, _, rest = line.removeprefix(f"{view.seat} ").partition(" ")
            words = (f"{verb.removesuffix('s').capitalize()} {rest}".strip(),)
    return Option(words, line, asked)


def _card(view: View, request: Request) -> Decision:
    """
    Return the question which card to show.

    A person with only one such card is asked too, so that a pause never betrays a choice.
    """
    only, to = len(request.cards) == 1, request.to or "everybody"
    question = f"You have one card to show {to}." if only else f"Which card do you show {to}?"
    options = (
        Option(
            (f"Show {card_list([card], view.edition)}",),
            f"{view.seat} shows {card}",
            card,
            main=only,
        )
        for card in request.cards
    )
    remark = f"{asked_text(view)} Only {to} sees it." if request.to else asked_text(view)
    return Decision(question, remark, tuple(options))


def _accusation(view: View) -> Decision:
    """
    Return the question, before the roll or at the end of a turn, whether to go on or to accuse.
    """
    if not view.state.done:
        option = Option((ROLL_DICE,), f"{view.seat} rolls", main=True)
        return Decision("It is your turn.", options=(option,))
    told = [each for each in view.game.observations if not isinstance(each, observed.Hand)]
    question = "It is your turn."
    if told:
        question = observation_sentence(told[-1], view.table, viewer=view.seat)
    if told and (shown := card_shown(told[-1], view.seat)):
        card, holder = shown
        passed = [each.seat for each in getattr(told[-1], "answers", ()) if each.answer == "passes"]
        none = f"{listed(passed)} {'have' if passed[1:] else 'has'} none; " if passed else ""
        question = f"{none}{holder} shows you {card_list([card], view.edition)}."
    option = Option(("End my turn",), f"{view.seat} skips", main=True)
    return Decision(question, "End your turn, or accuse.", (option,))


def asked_text(view: View) -> str:
    """Return a sentence that says why the seat that sees this view has to show a card."""
    asked = view.asked
    assert asked is not None
    if isinstance(asked, observed.Draw):
        return observation_sentence(asked, view.table, viewer=None)
    return f"{format_line(asked, view.table)}."


def card_shown(last: Observation | None, seat: str | None) -> tuple[str, str] | None:
    """
    Return the card that a seat was shown just now, and who showed it.

    Args:
        last: The last observation of the game, as the seat saw it; `None` if there is none.
        seat: The seat; `None` for no seat.

    Returns:
        The card and the seat that showed it; `None` if `last` showed the seat no card.
    """
    match last:
        case observed.Inquiry(by=by, answers=answers) if by == seat:
            shown = ((each.card, str(each.seat)) for each in answers if each.card is not None)
            return next(shown, None)
        case observed.Question(by=by, seat=holder, card=str(card)) if by == seat:
            return card, holder
    return None
