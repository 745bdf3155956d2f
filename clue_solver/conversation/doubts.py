"""What is asked about a line, and which answer a text is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.changes import Place
from clue_solver.conversation.meaning import EntryDraft
from clue_solver.notation import format_line
from clue_solver.notation.reading import Reading
from clue_solver.notation.vocabulary import PHRASES
from clue_solver.rules.observations import Observation

DoubtKind = Literal[
    "clash",  # the line contradicts the log
    "held",  # it tells that another showed a card of the viewer's own
    "card seen",  # it leaves out a card that the viewer was shown
    "card shown",  # it leaves out a card that the viewer has shown
    "not seen",  # it tells a card that the viewer cannot have seen
    "no answers",  # it has no answers, or none from somewhere on
    "turn",  # it is not that seat's turn, that seat is out, or the game is over
    "rule",  # it is against another rule of play
    "lacking",  # it leaves out a name or a word, or means several things
    "late",  # it is the answer that an entry lacks
    "hand",  # a hand is not recorded
]
"""What a question is about."""

_YES_OR_NO = ("not seen", "turn", "rule", "late")
"""The kinds whose first choice, if they have any, is what `yes` says."""

_SURE = ("sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay", "yeah", "yep")
"""How people say yes, besides by the word or its beginning."""

MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that", "skip")
"""How people say that they did not see."""


class DoubtChoice(Struct, frozen=True):
    """
    One answer to a question.

    Attributes:
        label: What a list calls it: `Plum`, `shows ?`, `Cat skips`.
        then: The line as it goes on with this answer; `None` if it is left out.
        called: Other texts that mean it, whole, in lower case.

    >>> from clue_solver import Session, load
    >>> from clue_solver.conversation.dialog import Dialog
    >>> dialog = Dialog(Session(load("examples/classic.clue").record.upto(4)))
    >>> doubt = dialog.say("dan suggests plum, rope, hall").asked
    >>> doubt.question, [choice.label for choice in doubt.choices]
    ('Who showed a card?', ['Ann shows Plum', '? (missed)'])
    """

    label: str
    then: EntryDraft | None = None
    called: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What it puts into the log: skips, and then the line."""
        if self.then is None or self.then.reading is None:
            return ()
        return (*self.then.skips, self.then.reading)

    @property
    def missed(self) -> bool:
        """Whether it says that what is asked for was not seen."""
        return self.called == MISSED

    def begins(self, said: str) -> bool:
        """
        Return whether it begins with what is said, in lower case.

        A player's name alone does not say what that player does, unless `called` has it. `p` is a
        pass, not Pat.
        """
        if self.missed:
            return False
        seats = [seat.casefold() for told in self.readings[-1:] for seat in told.table.seats]
        for word in self.called:
            passes = word in seats and "passes" in PHRASES.get(said, ())
            if word.startswith(said) and (" " not in word or word in seats) and not passes:
                return True
        label = plain(self.label)
        name = next((seat for seat in seats if label.startswith(f"{seat} ")), "")
        return label.startswith(said) and len(said) > len(name)


NO = DoubtChoice("no")
"""Leaves a line, to be written anew."""


class Doubt(Struct, frozen=True):
    """
    A question about a line.

    Attributes:
        draft: The line.
        kind: What the question is about.
        question: What is asked.
        choices: What may be told instead; none where only the player can know.
        incomplete: What lacks its answers, or a hand that lacks cards, where these may be told
            instead of a choice.
        entries: The entries that it is about.
        waits: Whether the line waits for the answer; otherwise it is in the log already.
    """

    draft: EntryDraft
    kind: DoubtKind
    question: str
    choices: tuple[DoubtChoice, ...] = ()
    incomplete: Observation | None = None
    entries: tuple[int, ...] = ()
    waits: bool = True

    def __repr__(self) -> str:
        return f"<Doubt: {self.kind}: {self.question}>"

    @property
    def yes(self) -> DoubtChoice | None:
        """What `yes` says; `None` if the line cannot be taken as it stands."""
        if self.kind == "lacking":
            return None
        if self.kind in _YES_OR_NO and self.choices:
            return self.choices[0]
        as_it_stands = DoubtChoice("yes, as it stands", self.draft)
        return next((choice for choice in self.choices if choice.missed), as_it_stands)

    @property
    def offered(self) -> tuple[DoubtChoice, ...]:
        """All that a list offers: the choices, and `yes` if none of them says it."""
        if self.yes is None or self.yes in self.choices or self.kind == "hand":
            return self.choices
        return (*self.choices, self.yes)

    def stands(self, choice: DoubtChoice) -> bool:
        """Return whether a choice takes the line as it is."""
        return choice.then is not None and choice.then.reading is self.draft.reading

    @property
    def asks_again(self) -> bool:
        """Whether the same kind may be asked again after the answer, about another seat."""
        return self.yes is not None and self.yes.missed

    @property
    def undoes(self) -> bool:
        """Whether `no` takes back an entry that is in the log already."""
        return self.kind in ("clash", "held", "turn")

    def exactly(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that are said whole, in lower case: by number or in words."""
        for number, choice in enumerate(self.choices, 1):
            if said == str(number):
                return (choice,)
        words = plain(said)
        whole = tuple(choice for choice in self.offered if plain(choice.label) == words)
        return whole or tuple(choice for choice in self.choices if words in choice.called)

    def _with_yes_or_no(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that are named in full behind `yes` or `no`."""
        word, _, rest = said.partition(" ")
        among = {"yes": self.choices}
        if self.kind in _YES_OR_NO:
            among = {"yes": self.choices[:1], "no": self.choices[1:]}
        meant = among.get(word.strip(","), ())
        return tuple(choice for choice in self.exactly(rest.strip()) if choice in meant)

    def mentioning(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that have a text as one of their words."""
        return tuple(choice for choice in self.choices if said in plain(choice.label).split())

    def fitting(self, said: str) -> tuple[DoubtChoice, ...]:
        """
        Return the choices that a text in lower case means, whole or by its beginning.

        What is said whole, by number or in words, wins over what begins so; `NO` is among them. To
        a question that offers names, `n` is first the beginning of a name.
        """
        if not said or (said == "no" and self.incomplete is not None):
            return ()  # `no` may be the next seat's answer alone, and not begin `nobody shows`
        if whole := self.exactly(said) or self._with_yes_or_no(said):
            return whole
        if said.removeprefix("yes").strip(" ,") in _SURE:
            said = "yes"
        found = [choice for choice in self.choices if choice.begins(plain(said))]
        if said == "n":  # a letter is too little for what is said of all: it may mean `no`
            found = [choice for choice in found if not choice.label.startswith("nobody")]
        if not found or self.kind in _YES_OR_NO:
            found += [NO] if "no".startswith(said) else []
            if self.yes is not None and self.yes not in found and "yes".startswith(said):
                found.append(self.yes)
        mentioned = self.mentioning(said)
        return tuple(found) or (mentioned if len(mentioned) > 1 else ())


def choices_of(
    draft: EntryDraft, ways: Sequence[tuple[str, Reading]], late: Place | None = None
) -> list[DoubtChoice]:
    """
    Return a choice for each way that a line can mean, by what a list calls it.

    It is called by what it alone has: by its words, or its parts where there are commas. Who shows
    is called so by the name alone.

    Args:
        draft: The line.
        ways: What it can mean.
        late: Where those go that add to an entry.
    """
    comma = any("," in label for label, _ in ways)
    said = [[plain(each) for each in label.split(", " if comma else " ")] for label, _ in ways]
    having = Counter(part for parts in said for part in {*parts})
    choices = []
    for (label, way), parts in zip(ways, said, strict=True):
        own = [part for part in parts if having[part] == 1]
        called = (*own, *(part.removesuffix(" shows") for part in own))
        choices.append(DoubtChoice(label, draft.retold(way, late if way.late else None), called))
    return choices


def plain(text: str) -> str:
    """Return words in lower case, without commas."""
    return " ".join(text.casefold().replace(",", " ").split())


def in_full(way: Reading) -> Reading:
    """Return a whole reading with its canonical line, to be told anew."""
    return replace(way, line=format_line(way.whole, way.table))


def cards_in(observation: Observation) -> Iterator[str]:
    """Yield the cards and features that an observation names."""
    for field, bearers in observation.form.bearers().items():
        named = getattr(observation, field, None)
        if bearers in ("cards", "things") and named is not None:
            yield from (named,) if isinstance(named, str) else named
    yield from (answer.card for answer in getattr(observation, "answers", ()) if answer.card)
