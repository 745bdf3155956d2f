"""What is asked about a line, and which answer a text is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from clue_solver.conversation.changes import Place
from clue_solver.conversation.meaning import EntryDraft
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

YES = ("yes", "y", "sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay", "yeah")
"""How people say yes."""

MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that", "skip", *YES)
"""How people say that they did not see, so that the line is taken as it is."""

LATER = ("", "n", "no", "later", "not now")
"""How people say that they do not tell a hand now: the line goes in without it."""


class DoubtChoice(Struct, frozen=True):
    """
    One answer to a question.

    Attributes:
        label: What a list calls it: `Plum`, `? (missed)`, `Cat skips`.
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
    def is_yes(self) -> bool:
        """Whether `yes` says it."""
        return "yes" in self.called

    def is_said(self, said: str) -> bool:
        """Return whether a text is all of its label, or of what else means it."""
        return said in (plain(self.label), *self.called)

    def begins(self, said: str) -> bool:
        """Return whether a text begins its label, or words of it; not if `yes` says it."""
        label = plain(self.label)
        if self.is_yes or label.startswith(said):
            return not self.is_yes
        own = [word for word in self.called if " " not in word]
        begun = [[word for word in label.split() if word.startswith(each)] for each in said.split()]
        return all(begun) and any(word in own for words in begun for word in words)


NO = DoubtChoice("no", called=("n",))
"""Leaves a line, to be written anew."""


class Doubt(Struct, frozen=True):
    """
    A question about a line.

    Attributes:
        draft: The line.
        kind: What the question is about.
        question: What is asked.
        choices: What may be answered.
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

    def stands(self, choice: DoubtChoice) -> bool:
        """Return whether a choice takes the line as it is."""
        return choice.then is not None and choice.then.reading is self.draft.reading

    def exactly(self, said: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that are said whole: by number, or in words, `yes` before them."""
        if said.isdecimal():
            return self.choices[int(said) - 1 : int(said)] if int(said) else ()
        if whole := tuple(choice for choice in self.choices if choice.is_said(said)):
            return whole
        if NO.is_said(said):  # `no` may be the next seat's answer alone
            return (NO,) if said == "n" or self.incomplete is None else ()
        word, _, rest = said.partition(" ")
        return tuple(
            choice
            for choice in self.choices
            if word == ("yes" if choice.is_yes else "no") and choice.is_said(rest)
        )

    def fitting(self, text: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that a text means, whole or by its beginning; `NO` is among them."""
        said = plain(text)
        if "passes" in PHRASES.get(said, ()):  # `p` is a pass, not Pat
            return ()
        found = self.exactly(said)
        if found or said in ("", "no"):  # `no` is no beginning of `nobody shows`
            return found
        return tuple(choice for choice in self.choices if choice.begins(said))


def choices_of(
    draft: EntryDraft, ways: Sequence[tuple[str, Reading]], late: Place | None = None
) -> list[DoubtChoice]:
    """
    Return a choice for each way that a line can mean, also called by the words that it alone has.

    Args:
        draft: The line.
        ways: What a list calls each way, and the way.
        late: Where those go that add to an entry.
    """
    words = [{*plain(label).split()} for label, _ in ways]
    having = Counter(word for each in words for word in each)
    choices = []
    for (label, way), each in zip(ways, words, strict=True):
        own = [word for word in each if having[word] == 1]
        called = (*own, plain(label).removesuffix(" shows"))  # a name alone is who shows
        choices.append(
            DoubtChoice(label, draft.with_reading(way, late if way.late else None), called)
        )
    return choices


def plain(text: str) -> str:
    """Return words in lower case, without commas."""
    return " ".join(text.casefold().replace(",", " ").split())
