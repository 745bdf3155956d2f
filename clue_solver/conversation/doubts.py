"""Doubts about a line: the kinds of questions, their choices, and which of these a text means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.changes import Place
from clue_solver.notation import format_line
from clue_solver.notation.reading import Reading
from clue_solver.notation.vocabulary import PHRASES
from clue_solver.rules.observations import Observation


class DoubtKind(NamedTuple):
    """
    A kind of question.

    Attributes:
        yes: Whether it asks for yes or no; its first choice, if it has any, says yes.
        stands: Whether the line can be taken as it stands, without an answer.
        serious: Whether the line as it stands is probably wrong, or lacks what the viewer saw.
        undoes: Whether no takes an entry back that is in the log already.
        again: Whether the answer may bring it up once more, about another seat.
    """

    yes: bool = False
    stands: bool = True
    serious: bool = True
    undoes: bool = False
    again: bool = False


KINDS = {
    # It contradicts the log.
    "clash": DoubtKind(undoes=True),
    # It leaves out a card that the viewer was shown, or has shown.
    "card seen": DoubtKind(again=True),
    "card shown": DoubtKind(again=True),
    # It tells a card that the viewer cannot have seen.
    "not seen": DoubtKind(yes=True),
    # It has no answers, or none from somewhere on.
    "no answers": DoubtKind(serious=False),
    # It is not that seat's turn, that seat is out, or the game is over.
    "turn": DoubtKind(yes=True, serious=False, undoes=True),
    # It is against another rule of play.
    "rule": DoubtKind(yes=True, serious=False),
    # It leaves out a name or a word, or means several things.
    "lacking": DoubtKind(stands=False),
    # It is the answer that an entry lacks.
    "late": DoubtKind(yes=True, stands=False),
    # A hand is not recorded.
    "hand": DoubtKind(),
}
"""The kinds of questions by their names."""

_SURE = ("sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay", "yeah", "yep")
"""How people say yes, besides by the word or its beginning."""

MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that")
"""How people say that they did not see."""


class DoubtChoice(Struct, frozen=True):
    """
    One answer to a question.

    Attributes:
        label: What a list calls it: `Plum`, `shows ?`, `Cat skips`.
        told: What it tells instead of the line, in order; if empty, the line is left out.
        place: Where the last of them goes, if not where the line was to go.
        stands: Whether it takes the line as it is.
        called: What else says it whole, in small letters.

    >>> from clue_solver import Session, load
    >>> from clue_solver.conversation.dialog import Dialog
    >>> dialog = Dialog(Session(load("examples/classic.clue").record.upto(4)))
    >>> doubt = dialog.say("dan suggests plum, rope, hall").asked.doubt
    >>> doubt.question, [choice.label for choice in doubt.choices]
    ('Who showed a card?', ['Ann shows Plum', '? (missed)'])
    """

    label: str
    told: tuple[Reading, ...] = ()
    place: Place | None = None
    stands: bool = False
    called: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines to tell instead."""
        return tuple(told.line for told in self.told)

    @property
    def missed(self) -> bool:
        """Whether it says that nobody saw what is asked for."""
        return self.called == MISSED

    def begins(self, said: str) -> bool:
        """
        Return whether it begins with what is said, in small letters.

        Of what a player does the name alone says nothing, unless it is called so, too. `p` is a
        pass, not Pat.
        """
        if self.missed:
            return False
        seats = [seat.casefold() for seat in self.told[-1].table.seats] if self.told else []
        for word in self.called:
            passes = word in seats and "passes" in PHRASES.get(said, ())
            if word.startswith(said) and (" " not in word or word in seats) and not passes:
                return True
        label = plain(self.label)
        name = next((seat for seat in seats if label.startswith(f"{seat} ")), "")
        return label.startswith(said) and len(said) > len(name)


DoubtAnswer = DoubtChoice | Literal["yes", "no"]
"""A choice, or that the line is taken as it stands, or not at all."""


class Doubt(Struct, frozen=True):
    """
    A question about a line.

    Attributes:
        kind: The name of its kind.
        question: What is asked.
        choices: What may be told instead; none where only the player can know.
        incomplete: What lacks its answers, or a hand that lacks cards, where these may be told
            instead of a choice.
        entries: The entries that it is about.
    """

    kind: str
    question: str
    choices: tuple[DoubtChoice, ...] = ()
    incomplete: Observation | None = None
    entries: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Doubt: {self.kind}: {self.question}>"

    @property
    def of(self) -> DoubtKind:
        """Its kind."""
        return KINDS[self.kind]

    def exactly(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that are said whole, in small letters: by number or in words."""
        for number, choice in enumerate(self.choices, 1):
            if said == str(number):
                return (choice,)
        words = plain(said)
        whole = tuple(choice for choice in self.choices if plain(choice.label) == words)
        return whole or tuple(choice for choice in self.choices if words in choice.called)

    def _with_yes_or_no(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return what is said whole behind a yes that it is, or a no that it is not."""
        word, _, rest = said.partition(" ")
        first = self.choices[:1] if self.of.yes else self.choices
        among = {"yes": first, "no": self.choices[1:] if self.of.yes else ()}
        meant = among.get(word.strip(","), ())
        return tuple(choice for choice in self.exactly(rest.strip()) if choice in meant)

    def mentioning(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that have a text as one of their words."""
        return tuple(choice for choice in self.choices if said in plain(choice.label).split())

    def fitting(self, said: str) -> tuple[DoubtAnswer, ...]:
        """
        Return the answers that a text in small letters means, whole or by its beginning.

        What is said whole, by number or in words, wins over what begins so. `yes` is the first
        choice of a yes-or-no question; of another it takes the line as it stands. `no` leaves the
        line. To a question that offers names, `n` is first the beginning of a name.
        """
        if whole := self.exactly(said) or self._with_yes_or_no(said):
            return whole
        if said.removeprefix("yes").strip(" ,") in _SURE:
            said = "yes"
        begun = [choice for choice in self.choices if choice.begins(plain(said))]
        others: list[DoubtAnswer] = ["no"] if "no".startswith(said) else []
        if "yes".startswith(said) and self.of.yes and self.choices:
            others.append(self.choices[0])
        elif "yes".startswith(said) and self.of.stands:
            others.append("yes")
        found: list[DoubtAnswer] = [*begun]
        if not begun or self.kind == "clash" or self.of.yes:
            found += [answer for answer in others if answer not in begun]
        mentioned = self.mentioning(said)
        return tuple(found) or (mentioned if len(mentioned) > 1 else ())


def named_choice(label: str, told: Reading, place: Place | None = None) -> DoubtChoice:
    """Return a choice that is known by each word of its label, or by the player alone who shows."""
    name, shows, _ = label.partition(" shows")
    words = [plain(name)] if shows else plain(label).split()
    return DoubtChoice(label, (told,), place, called=tuple(words))


def plain(text: str) -> str:
    """Return words in small letters, without commas."""
    return " ".join(text.casefold().replace(",", " ").split())


def in_full(way: Reading) -> Reading:
    """Return a whole reading with its line in full, so that it can be told anew."""
    return replace(way, line=format_line(way.whole, way.table))


def cards_in(observation: Observation) -> Iterator[str]:
    """Yield the cards and features that an observation names."""
    for field, bearers in observation.form.bearers().items():
        named = getattr(observation, field, None)
        if bearers in ("cards", "things") and named is not None:
            yield from (named,) if isinstance(named, str) else named
    yield from (answer.card for answer in getattr(observation, "answers", ()) if answer.card)
