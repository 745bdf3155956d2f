"""
The parts of an observation's declaration: the form of its line, and who sees what of it.

`observations` declares each observation with these parts, which are data only. `notation` uses them
to read, complete, write and normalise lines; the interfaces use them to ask for an entry part by
part; `knowledge.sight` and `exchange.merging` use them to tell who sees what.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

Bearers = Literal[
    "seats",
    "cards",
    "things",
    "places",
    "holders",
    "features",
    "spots",
    "totals",
    "icons",
    "faces",
    "clues",
]
"""
The kinds of things that a name in a line can stand for:

`seats`; `cards`; `things`, that is, cards and features; `places`, that is, seats and face-down
slots; `holders`, that is, these and the envelope; `features`; `spots`, that is, rooms and squares
of the board; `totals` of dice and the `icons` in them; `faces` of dice; kinds of clue cards
(`clues`).
"""

Size = Literal["suggestion", "accusation", "hand", "any"]
"""
How many names a list in a line has:

as many as a `suggestion` names, each of another category; one of each category (`accusation`); as
many as the `hand` of the acting seat; one or more (`any`).
"""


class Name(NamedTuple):
    """
    The place of one name in a line.

    Attributes:
        field: The field of the observation that the name fills.
        of: What the name stands for.
        wanted: What messages call the name if it is missing: `whom to ask`.
        question: What a list of choices asks, if the line is put together step by step.
        before: The text before the name in the line, if not just a space; not used after the colon.
        nobody: If the name must not be that of the acting seat, the verb of the message about that,
            such as `asks` in `nobody asks themselves`. Else empty.
        held: Whether it names a card that somebody holds, so never a face-up card.
        unseen: Whether it may be left out because the writer did not see the card.
        optional: Whether the line may end before the name.
    """

    field: str
    of: Bearers
    wanted: str = ""
    question: str = "Which card?"
    before: str = " "
    nobody: str = ""
    held: bool = False
    unseen: bool = False
    optional: bool = False


class Several(NamedTuple):
    """
    The place of a list of different names in a line.

    Attributes:
        size: How many names there are.
        fields: The field that the list fills. If there are several, the line has the name of one
            before the list, as in `has Rope, Hall` or `lacks Hall`.
        of: What the names stand for.
        between: A word that joins two names, such as `or`; empty if only commas do.
        each: The one of the `fields` whose names must be joined by the word `between`. In other
            fields, names are written with commas, but may be typed with the word.
        question: What a list of choices asks for each name, if the line is put together step by
            step.
        before: The text before the list in the line, if it fills one field.
        held: Whether it names cards that somebody holds, so never a face-up card.
    """

    size: Size
    fields: tuple[str, ...] = ("cards",)
    of: Bearers = "cards"
    between: str = ""
    each: str = ""
    question: str = "Which card?"
    before: str = " "
    held: bool = False


class Dice(NamedTuple):
    """
    The place of a roll in a line: the `total` and the `icons` in it, or the faces of the `dice`.

    Attributes:
        question: What a list of choices asks for each part of the roll.
        before: The text before it in the line.
    """

    question: str = "What was rolled?"
    before: str = " "


class AnswerList(NamedTuple):
    """
    The part after a line's colon that lists the answers of all seats that were asked.

    They are in the order in which the seats answered: `Ben passes, Cat shows Rope`.
    """

    field: str = "answers"


class SingleAnswer(NamedTuple):
    """The part after a line's colon that has the answer of the only seat asked: `shows Rope`."""

    field: str = "answer"


class Verdict(NamedTuple):
    """
    The part after a line's colon that is one of two words and cannot be left out.

    Attributes:
        field: The field of the observation that the word fills.
        words: The two words, with the value of the field for each.
        question: What a list of choices asks, if the line is put together step by step.
    """

    field: str
    words: Mapping[str, bool]
    question: str


Part = Name | Several | Dice
Tail = AnswerList | SingleAnswer | Name | Verdict
"""
The parts that may come after a line's colon. A name there is what the writer saw; it is left out if
the writer saw nothing.
"""


class Form(Struct, frozen=True, dict=True):
    """
    The form of a line of a record: subject, verb, parts, and the part after the colon.

    Attributes:
        verb: The verb.
        doing: What a list of choices shows in place of the verb: `makes a suggestion`.
        subject: The observation's field with the acting seat; empty if the line begins with
            `nobody`.
        parts: The parts after the verb.
        tail: The part after the colon; `None` if there is none.
        particle: An optional word after the verb, such as `at`.
        expects: How messages describe the rest of the line, such as `'about' and a card`; empty if
            its parts say enough.
        needs: What the table must have although no part of the line names it: `spots`, for a line
            about a room that it does not name. `None` if there is nothing.
    """

    verb: str
    doing: str
    subject: str = "by"
    parts: tuple[Part, ...] = ()
    tail: Tail | None = None
    particle: str = ""
    expects: str = ""
    needs: Bearers | None = None

    @property
    def does(self) -> str:
        """The verb with its particle, if it has one: `looks at`."""
        return f"{self.verb} {self.particle}".rstrip()

    @cached_property
    def bearers(self) -> Mapping[str, Bearers]:
        """
        What the names in each field stand for, by field; the fields of an answer are included.
        """
        bearers: dict[str, Bearers] = {self.subject: "seats"} if self.subject else {}
        for part in (*self.parts, self.tail):
            match part:
                case Name(field=field, of=of):
                    bearers[field] = of
                case Several(fields=fields, of=of):
                    bearers.update(dict.fromkeys(fields, of))
                case Dice():
                    bearers.update(total="totals", icons="icons", dice="faces")
                case AnswerList() | SingleAnswer():
                    bearers.update(seat="seats", card="cards")
        return bearers


class Sight(NamedTuple):
    """
    Who sees what of an observation.

    Attributes:
        owner: The field of the only seat that notices it at all; empty if everybody does.
        hidden: The field that not everybody sees; empty if there is none. In answers, the card of
            each answer is hidden.
        by: The fields of the seats that see the hidden field. If one of them is empty, everybody
            sees it: a card revealed to nobody in particular is revealed to all.
        told: The field of the seat that also sees it if the edition says `looker_tells`.
    """

    owner: str = ""
    hidden: str = ""
    by: tuple[str, ...] = ()
    told: str = ""


PUBLIC = Sight()
"""Everybody sees the whole observation."""

Turn = Literal["", "within", "ends"]
"""
What an observation means for the turn: nothing (empty), it is `within` the turn of its subject, or
it `ends` that turn.
"""
