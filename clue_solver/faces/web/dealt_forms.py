"""What the forms of a page do where the program deals: answer what is asked, and change chairs."""

from typing import Any

from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.arena.view import View
from clue_solver.errors import ArgumentError, listed
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.forms import Forms, Said, number_in, one
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.notation import format_line
from clue_solver.rules.observations import Finger, Suggestion


class DealtForms(Forms):
    """What the pages of a table may do to it at which the program deals."""

    actions = frozenset(("answer", "sit", "renew"))

    def __init__(self, table: ServedTable) -> None:
        super().__init__(table)
        assert isinstance(table, DealtTable)
        self.dealt = table

    def do_answer(self, book: Notebook, said: Said) -> None:
        """Answer what the game asks of a seat; nothing if that was done already."""
        chairs, request = self.dealt.chairs, self.dealt.asked(book)
        number = number_in(said, "number")
        if number != chairs.number or request is None:
            return
        self.dealt.take_seat(book)
        what = one(said, "what")
        choice = _choice(chairs.game.views[request.seat], what, said)
        self.dealt.decide(book, number, choice, accuses=what == "accuse")

    def do_sit(self, book: Notebook, said: Said) -> None:
        """Let a machine or a person play a seat: one's own, or any for the host."""
        seat, player = one(said, "seat"), one(said, "player")
        if book.seat not in (None, seat):
            raise ArgumentError(f"only {seat} and the host say who plays there")
        if player not in (PERSON, *MACHINES):
            raise ArgumentError(f"expected one of {', '.join(MACHINES)}", argument="player")
        self.dealt.sit(seat, player)


def _choice(view: View, what: str, said: Said) -> Any:
    """
    Return what a form of a dealt table has chosen, as `Referee.choices` has it.

    Raises:
        ArgumentError: If it names too few cards, or what is offered no more.
    """
    if what == "nothing":
        return None
    chosen = one(said, "choice") or one(said, "line")
    if chosen:
        if what != "ask":
            return chosen
        extras = {format_line(extra, view.table): extra for extra in view.state.extras()}
        if chosen not in extras:
            raise ArgumentError("that is offered no more: look again")
        return extras[chosen]
    named = {card for name, cards in said.items() if name.startswith("card-") for card in cards}
    cards = tuple(card for card in view.cards if card in named)
    kinds = view.edition.category
    least = view.edition.named if what == "ask" else len(kinds)
    if len(cards) != least:
        each = listed([kind.name for kind in kinds])
        raise ArgumentError(
            f"choose {least} cards of different kinds"
            if least < len(kinds)
            else f"choose one of each: {each}"
        )
    if what == "ask":
        if view.state.dice and cards not in view.state.suggestions():
            raise ArgumentError(f"the dice show {listed(view.state.dice)}: choose by them")
        return Suggestion(by=view.seat, cards=cards)
    return Finger(by=view.seat, cards=cards) if what == "point" else cards
