"""What happened, chosen from lists: no notation to know. The answer is a line."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.table import ENVELOPE, Table


class Question(NamedTuple):
    """
    One question.

    Attributes:
        title: What is asked.
        choices: What can be answered: what the list shows, and what it stands for.
        line: The line so far.
    """

    title: str
    choices: tuple[tuple[str, str], ...]
    line: str


Asking = Generator[Question, str, str]
"""Asks questions, takes what each answer stands for, and returns the line."""

_KINDS = {
    "suggests": "makes a suggestion",
    "accuses": "makes an accusation",
    "asks": "asks one player about a card",
    "looks": "looks at a card of somebody's",
    "peeks": "peeks into the envelope",
    "reveals": "reveals a card",
    "nobody": "nobody reveals a card that was called for",
    "holds": "has this whole hand",
    "knows": "knows something else",
}


def asking(table: Table, turn: str | None) -> Asking:
    """Ask what happened at the table; `turn` comes first in the list of players."""
    kind = yield Question("What happened? Somebody ...", _kinds(table), "")
    if kind == "nobody":
        card = yield Question("Which card?", _cards(table), "nobody reveals")
        return f"nobody reveals {card}"
    first = turn if kind != "holds" else table.viewer
    seats = sorted(table.seats, key=lambda seat: seat != first)
    by = yield Question("Who?", _same(seats), "")
    line = f"{by} {kind}"
    match kind:
        case "suggests":
            cards = yield from _one_of_each(table, line, table.edition.named)
            return (yield from _answers(table, by, f"{line} {', '.join(cards)}", cards))
        case "accuses":
            cards = yield from _one_of_each(table, line, len(table.edition.category))
            line = f"{line} {', '.join(cards)}:"
            verdict = yield Question("Was it right?", _same(["wrong", "right"]), line)
            return f"{line} {verdict}"
        case "asks":
            return (yield from _question(table, by, line))
        case "looks":
            places = [seat for seat in table.holders if seat not in (by, ENVELOPE)]
            at = yield Question("At whose card?", _same(places), f"{line} at")
            card = yield Question("Which card?", _cards(table, unseen=True), f"{line} at {at}")
            return f"{line} at {at}: {card}" if card else f"{line} at {at}"
        case "peeks":
            features = (("I did not see it", ""), *_same(table.edition.features))
            feature = yield Question("What was seen?", features, line)
            return f"{line}: {feature}" if feature else line
        case "reveals":
            card = yield Question("Which card?", _cards(table, unseen=True), line)
            line = f"{line} {card}".rstrip()
            others = [(f"to {seat}", f" to {seat}") for seat in table.seats if seat != by]
            everyone = [("to everyone", "")] if card else []
            to = yield Question("To whom?", (*everyone, *others), line)
            return line + to
        case "holds":
            cards = yield from _several(table, line, "Which card? (end the hand with Done)")
            return f"{line} {', '.join(cards)}"
        case _:
            holder = yield Question("About whom?", _same(table.holders), line)
            verb = yield Question("What?", _same(["has", "lacks"]), f"{line} {holder}")
            line = f"{line} {holder} {verb}"
            cards = yield from _several(table, line, "Which card? (several: one of them)", " or ")
            return f"{line} {' or '.join(cards)}"


def _kinds(table: Table) -> tuple[tuple[str, str], ...]:
    """The kinds of observation, those of the edition first."""
    usual = [kind for kind in _KINDS if kind in table.edition.observes]
    others = [kind for kind in _KINDS if kind not in table.edition.observes]
    if not table.edition.features:
        others = [kind for kind in others if kind != "peeks"]
    return tuple((_KINDS[kind], kind) for kind in (*usual, *others))


def _same(names: Sequence[str] | dict[str, tuple[str, ...]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, name) for name in names)


def _cards(table: Table, *, unseen: bool = False) -> tuple[tuple[str, str], ...]:
    first = (("I did not see it", ""),) if unseen else ()
    return (*first, *_same(table.cards))


def _one_of_each(table: Table, line: str, count: int) -> Generator[Question, str, list[str]]:
    """Ask for one card of each category; of which ones where fewer are named than there are."""
    chosen: list[str] = []
    kinds = list(table.edition.category)
    while len(chosen) < count:
        if len(kinds) > count - len(chosen):
            names = [card.name for kind in kinds for card in kind.cards]
            title = "Which card?"
        else:
            names = [card.name for card in kinds[0].cards]
            title = f"Which {kinds[0].name}?"
        card = yield Question(title, _same(names), f"{line} {', '.join(chosen)}".rstrip())
        kinds = [kind for kind in kinds if all(card != each.name for each in kind.cards)]
        chosen.append(card)
    return chosen


def _several(
    table: Table, line: str, title: str, between: str = ", "
) -> Generator[Question, str, list[str]]:
    chosen: list[str] = []
    while True:
        done = (("Done", ""),) if chosen else ()
        rest = [card for card in table.cards if card not in chosen]
        so_far = f"{line} {between.join(chosen)}".rstrip()
        card = yield Question(title, (*done, *_same(rest)), so_far)
        if not card:
            return chosen
        chosen.append(card)


def _answers(table: Table, by: str, line: str, cards: list[str]) -> Asking:
    """Ask who answered what."""
    others = table.answering(by)
    said: list[str] = []
    if table.everyone_shows:
        for seat in others:
            so_far = f"{line}: {', '.join(said)}" if said else line
            choices = (("passes", "passes"), *_shown(table, by, seat, cards), ("not heard", ""))
            answer = yield Question(f"And {seat}?", choices, so_far)
            if answer:
                said.append(f"{seat} {answer}")
        return f"{line}: {', '.join(said)}" if said else line
    choices = (*((f"{seat} shows", seat) for seat in others), ("nobody shows", "-"),
               ("I did not hear", ""))  # fmt: skip
    who = yield Question("Who shows a card?", choices, line)
    if not who:
        return line
    if who == "-":
        return f"{line}: nobody shows"
    said = [f"{seat} passes" for seat in others[: others.index(who)]]
    so_far = f"{line}: {', '.join([*said, f'{who} shows'])}"
    answer = yield Question("Which card?", _shown(table, by, who, cards), so_far)
    return f"{line}: {', '.join([*said, f'{who} {answer}'])}"


def _shown(table: Table, by: str, seat: str, cards: list[str]) -> tuple[tuple[str, str], ...]:
    """The ways to show a card; one that the viewer sees is asked for first."""
    unseen = ("shows a card that I did not see", "shows")
    seen = [(f"shows {card}", f"shows {card}") for card in cards]
    return (*seen, unseen) if table.viewer in (by, seat) else (unseen, *seen)


def _question(table: Table, by: str, line: str) -> Asking:
    others = [seat for seat in table.seats if seat != by]
    seat = yield Question("Whom?", _same(others), line)
    things = [*table.edition.features, *table.cards]
    about = yield Question("About what?", _same(things), f"{line} {seat} about")
    line = f"{line} {seat} about {about}"
    cards = table.edition.features.get(about, (about,))
    choices = (("passes", ": passes"), ("shows a card that I did not see", ": shows"),
               *((f"shows {card}", f": shows {card}") for card in cards),
               ("I did not hear", ""))  # fmt: skip
    answer = yield Question("The answer?", choices, line)
    return line + answer


class Choosing(ModalScreen[str | None]):
    """One list after the other, until there is a line; Escape goes one question back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace,left", "back", "Back"),
    ]

    def __init__(self, table: Table, turn: str | None) -> None:
        super().__init__()
        self._table, self._turn = table, turn
        self._chosen: list[str] = []
        self._question: Question | None = None

    def compose(self) -> ComposeResult:
        """Lay out the line so far, the question and its list."""
        with Vertical(classes="dialog"):
            yield Static(id="line", markup=False)
            yield Static(id="asked", classes="dialog-title", markup=False)
            yield OptionList(id="choices", markup=False, compact=True)
            yield Static("Enter chooses, Esc goes back", classes="dialog-foot", markup=False)

    def on_mount(self) -> None:
        """Ask the first question."""
        self._ask()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take an answer and ask on."""
        event.stop()
        if self._question is not None:
            self._chosen.append(self._question.choices[event.option_index][1])
            self._ask()

    def action_back(self) -> None:
        """Take the last answer back; leave at the first question."""
        if not self._chosen:
            self.dismiss(None)
            return
        self._chosen.pop()
        self._ask()

    def on_key(self, event: events.Key) -> None:
        """Go to the next choice that begins with a typed letter."""
        mark = event.character
        if self._question is None or not mark or not mark.isalnum():
            return
        choices = self.query_one(OptionList)
        at = -1 if choices.highlighted is None else choices.highlighted
        labels = [label.casefold() for label, _ in self._question.choices]
        order = [*range(at + 1, len(labels)), *range(at + 1)]
        for place in order:
            if labels[place].startswith(mark.casefold()):
                choices.highlighted = place
                return

    def _ask(self) -> None:
        """Ask the question that follows from the answers so far."""
        asker = asking(self._table, self._turn)
        try:
            question = next(asker)
            for answer in self._chosen:
                question = asker.send(answer)
        except StopIteration as done:
            self.dismiss(str(done.value))
            return
        self._question = question
        self.query_one("#line", Static).update(Text(question.line, "dim"))
        self.query_one("#asked", Static).update(Text(question.title, "bold"))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options([Option(Text(label)) for label, _ in question.choices])
        choices.highlighted = 0
        choices.focus()
