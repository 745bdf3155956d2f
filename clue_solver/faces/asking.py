"""
What happened at the table, asked for question by question: the walk that lists and buttons follow,
along the forms that observations declare.
"""

from collections.abc import Collection, Generator, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from clue_solver.errors import ArgumentError, printable
from clue_solver.notation import TurnState, lexicon_of, normalise
from clue_solver.notation.canonical import format_beginning
from clue_solver.notation.places import Places, passes
from clue_solver.rules.forms import (
    AnswerList,
    Dice,
    Name,
    Seen,
    Several,
    SingleAnswer,
    Verdict,
    Word,
)
from clue_solver.rules.observations import Answer, Event, Observation, kinds
from clue_solver.rules.table import Table


class Prompt(NamedTuple):
    """
    One question.

    Attributes:
        title: What is asked.
        choices: The answers: what the list shows, and what it stands for.
        line: The line so far.
        seat: Whose answer to a suggestion it is, where each seat is asked for.
    """

    title: str
    choices: tuple[tuple[str, str], ...]
    line: str
    seat: str = ""


Fields = dict[str, Any]
Asking = Generator[Prompt, str, Observation]
"""Asks questions, takes what each answer stands for, and returns what happened."""
Telling = Generator[Prompt, str, Fields]
"""The same, and returns fields of it."""


def asking(table: Table, state: TurnState, own: Collection[str] | None = None) -> Asking:
    """
    Ask what happened at the table, by the forms that observations declare.

    Args:
        table, state: The table, and what the earlier entries mean for the next one.
        own: The viewer's whole hand, where it is known: then it answers by that alone.
    """
    offered = {kind.__name__: kind for kind in kinds()}
    choices = _offered(table)
    chosen = yield Prompt("What happened? Somebody …", choices, "")
    fields = yield from _Asker(offered[chosen], table, state, own).all()
    return normalise(cast(Observation, offered[chosen](**fields)), table, state)


def asked_after(
    table: Table, state: TurnState, chosen: Iterable[str], own: Collection[str] | None = None
) -> Prompt | Observation:
    """
    Return the question that follows from the answers so far, or what they tell once that is clear.

    Args:
        table, state, own: As of `asking`.
        chosen: What each answer stands for, in order.

    Raises:
        ArgumentError: If an answer is none of the choices.
        NotationError: If what they tell has no meaning at this table.
    """
    asker = asking(table, state, own)
    try:
        question = next(asker)
        for answer in chosen:
            if answer not in (value for _, value in question.choices):
                raise ArgumentError(f"{question.title} no such answer: '{printable(answer)}'")
            question = asker.send(answer)
    except StopIteration as done:
        return cast(Observation, done.value)
    return question


@lru_cache(maxsize=32)
def _offered(table: Table) -> tuple[tuple[str, str], ...]:
    """Return what may have happened by the edition's rules: what ends a turn comes first."""
    places = Places(table, TurnState())
    offered = sorted(kinds(), key=lambda kind: kind.turn != "ends")
    return tuple((k.form.doing, k.__name__) for k in offered if places.offered(k.form))


class _Asker:
    """Asks for one kind of observation, part by part."""

    def __init__(
        self, kind: type[Event], table: Table, state: TurnState, own: Collection[str] | None
    ) -> None:
        self.kind = kind
        self.form = kind.form
        self.table = table
        self.state = state
        self.own = own
        self.places = Places(table, state)
        self.fields: Fields = {}

    def all(self) -> Telling:
        form = self.form
        first = self.state.turn(self.table)
        if form.subject:
            first = self.table.viewer if self.kind.sight.owner else first
            seats = sorted(self.table.seats, key=lambda seat: seat != first)
            self.fields[form.subject] = yield Prompt("Who?", _same(seats), "")
        word = Word("")
        for part in form.parts:
            match part:
                case Word():
                    word = part
                case Name():
                    yield from self.name(part, word)
                case Dice():
                    yield from self.dice(part)
                case Several():
                    field = part.fields[0]
                    if len(part.fields) > 1:
                        field = yield self.asked("What?", _same(part.fields))
                    yield from self.several(part, field)
        match form.tail:
            case Seen(name=name):
                yield from self.name(name, Word(""))
            case Verdict(field=field, words=words, question=question):
                said = yield self.asked(question, _same(tuple(words)))
                self.fields[field] = words[said]
            case AnswerList() as tail:
                yield from self.answers(tail)
            case SingleAnswer() as tail:
                cards = lexicon_of(self.table).marked_by(self.fields[tail.asked])
                shows = self.replies(str(self.fields[tail.seat]), cards)
                answer = yield self.asked("The answer?", (*shows, _UNHEARD))
                self.fields |= {tail.field: answer or "unheard"}
                if answer in cards:
                    self.fields |= {tail.field: "shows", tail.card: answer}
        return self.fields

    @property
    def by(self) -> str:
        return str(self.fields.get(self.form.subject, ""))

    def asked(self, title: str, choices: Sequence[tuple[str, str]]) -> Prompt:
        return Prompt(title, tuple(choices), format_beginning(self.kind, self.fields, self.table))

    def name(self, part: Name, word: Word) -> Generator[Prompt, str, None]:
        """Ask for one name; behind a word that may be left out, for none as well."""
        choices = _same(self.places.choice(part, self.by))
        if word.optional:
            text = word.text
            choices = tuple((f"{text} {label}", name) for label, name in choices)
            if all(value is not None for value in self.fields.values()):
                choices = ((f"{text} everyone", ""), *choices)
        if part.unseen:
            choices = (("I did not see it", ""), *choices)
        self.fields[part.field] = (yield self.asked(part.question, choices)) or None

    def dice(self, part: Dice) -> Generator[Prompt, str, None]:
        """Ask for the total and its icons, or for the suspects and the face of the bonus die."""
        edition = self.table.edition
        faces = lexicon_of(self.table).faces.names
        if not self.places.totals:
            suspects = tuple(edition.features)
            suspect_dice = [suspects] * edition.suspect_dice
            for choice in (*suspect_dice, tuple(face for face in faces if face not in suspects)):
                if choice:
                    face = yield self.asked(part.question, _same(choice))
                    self.fields[part.dice] = (*self.fields.get(part.dice, ()), face)
            return
        total = int((yield self.asked(part.question, _same(self.places.totals))))
        self.fields[part.total] = total
        dice = 0 if edition.board is None else edition.board.dice
        icons = [
            count
            for count in range(dice + 1)  # an icon counts 1, any other face 2 to 6
            if 2 * (dice - count) <= total - count <= 6 * (dice - count)
        ]
        for icon in lexicon_of(self.table).icons.names if self.table.clues else ():
            shown = tuple(
                (", ".join([icon] * count) or f"no {icon}", str(count)) for count in icons
            )
            count = int((yield self.asked(f"With the {icon}?", shown)))
            self.fields[part.icons] = (icon,) * count

    def several(self, part: Several, field: str) -> Generator[Prompt, str, None]:
        least, most = self.places.sizes(part, self.by)
        more = part.size != "any" or bool(part.between)
        chosen: tuple[str, ...] = ()
        while len(chosen) < (most if more else 1):
            title = part.question
            choice = self.places.remaining(part, chosen)
            kinds_left = list(
                dict.fromkeys(self.table.edition.category_of.get(name) for name in choice)
            )
            if part.size in ("suggestion", "accusation") and len(kinds_left) == most - len(chosen):
                title = f"Which {kinds_left[0]}?"
                kind = self.table.edition.category_of
                choice = tuple(name for name in choice if kind[name] == kinds_left[0])
            done = (("Done", ""),) if least <= len(chosen) < most and chosen else ()
            card = yield self.asked(title, (*done, *_same(choice)))
            if not card:
                break
            chosen = (*chosen, card)
            self.fields[field] = chosen

    def answers(self, tail: AnswerList) -> Generator[Prompt, str, None]:
        others = self.table.answering(self.by, left=self.state.left)
        cards = self.fields[tail.asked]
        if self.table.everyone_shows:
            yield from self.each_answer(tail, others, cards)
            return
        may = [(f"{printable(seat)} shows", seat) for seat in others]
        viewer = self.table.viewer
        held = self.held(cards)
        if viewer in others and held is not None:  # it shows, and nobody behind it; or it passes
            at = others.index(viewer)
            may = may[: at + 1] if held else may[:at] + may[at + 1 :]
        nobody = () if held and viewer in others else (("nobody shows", "-"),)
        choices = (*may, *nobody, _UNHEARD)
        who = yield self.asked("Who shows a card?", choices)
        passing = others if who == "-" else others[: others.index(who)] if who else ()
        self.fields[tail.field] = passes(passing)
        if who and who != "-":
            answer = yield self.asked("Which card?", self.seen_or_not(who, cards))
            self.answered(tail, who, answer, cards)

    def each_answer(
        self, tail: AnswerList, others: Sequence[str], cards: Sequence[str]
    ) -> Generator[Prompt, str, None]:
        """Ask for every seat's answer."""
        for seat in others:
            choices = (*self.replies(seat, cards), ("no idea", ""))
            question = self.asked(f"And {printable(seat)}?", choices)
            reply = yield question._replace(seat=seat)
            self.answered(tail, seat, reply, cards)

    def answered(self, tail: AnswerList, seat: str, answer: str, cards: Sequence[str]) -> None:
        """Add one seat's answer; an empty one was not heard."""
        reply = Answer(seat=seat, answer="passes" if answer == "passes" else "unheard")
        if answer in (*cards, "shows"):
            reply = Answer(seat=seat, answer="shows", card=answer if answer in cards else None)
        self.fields[tail.field] = (*self.fields.get(tail.field, ()), reply)

    def held(self, cards: Sequence[str]) -> list[str] | None:
        """Return which of the cards the viewer holds; `None` where its hand is not known."""
        return None if self.own is None else [card for card in cards if card in self.own]

    def replies(self, seat: str, cards: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return how one seat may answer."""
        held = self.held(cards) if seat == self.table.viewer else None
        if held is not None:
            return self.seen_or_not(seat, cards) if held else (_PASSES,)
        return (_PASSES, *self.seen_or_not(seat, cards))

    def seen_or_not(self, seat: str, cards: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return the ways to show a card; one that the viewer sees is asked for first."""
        held = self.held(cards) if seat == self.table.viewer else None
        if held is not None:
            return (*self.escape(held), _FORGOTTEN)
        seen = self.escape(cards)
        return (*seen, _UNSEEN) if self.table.viewer in (self.by, seat) else (_UNSEEN, *seen)

    def escape(self, cards: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple((f"shows {printable(card)}", card) for card in self.places.hidden(cards))


_PASSES = ("passes", "passes")
_UNSEEN = ("shows a card that I did not see", "shows")
_FORGOTTEN = ("shows a card that I forgot", "shows")
_UNHEARD = ("no idea", "")


def _same(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((printable(name), name) for name in names)
