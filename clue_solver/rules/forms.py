"""
What a declaration of an observation is made of: the form of its line and who sees what of it.

Data only. `observations` declares each observation with it; `notation` reads, completes, writes and
normalises lines by it, the full screen asks by it, `knowledge.evidence` and `merging` go by who
sees what.
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
What bears a name: seats; cards; cards and features (`things`); seats and face-down slots
(`places`); these and the envelope (`holders`); features; rooms and squares of the board (`spots`);
totals of dice and the icons in them; faces of dice; kinds of clue cards.
"""

Size = Literal["suggestion", "accusation", "hand", "any"]
"""
How many names a list has: as many different categories as a suggestion names, one of each category,
as many as the subject's hand holds, or one and more.
"""


class Name(NamedTuple):
    """
    A place in the line for one name.

    Attributes:
        field: The field of the observation that it fills.
        of: What bears the name.
        wanted: What messages call it: `whom to ask`.
        question: How a list of choices asks for it.
        before: What stands before it in the line, if not a space alone; not after the colon.
        nobody: The verb in `nobody asks themselves`, where the subject cannot stand here.
        held: Whether it is a card that somebody has, so that one that lies face-up cannot be it.
        unseen: Whether the writer may not have seen it, and it is left out then.
        optional: Whether the line may end before it.
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
    A place in the line for a list of different names.

    Attributes:
        fields: The field that it fills; of several the one that is named before it.
        of: What bears the names.
        size: How many there are.
        between: The word between two names in the field `each`; elsewhere a comma is.
        each: The field in which that word may not be left out; in others it may stand as well.
        question: How a list of choices asks for each.
        before: What stands before it in the line, if it fills one field.
        held: Whether somebody has the cards, so that none of them lies face-up.
    """

    fields: tuple[str, ...]
    of: Bearers
    size: Size
    between: str = ""
    each: str = ""
    question: str = "Which card?"
    before: str = " "
    held: bool = False


class Dice(NamedTuple):
    """
    A place in the line for a roll: the total of the dice with the icons on them, or each face.

    Attributes:
        total, icons, dice: The fields of the total, of its icons, and of the faces.
        most: The most dice.
        question: How a list of choices asks for it.
        before: What stands before it in the line.
    """

    total: str = "total"
    icons: str = "icons"
    dice: str = "dice"
    most: int = 6
    question: str = "What was rolled?"
    before: str = " "


class AnswerList(NamedTuple):
    """After the colon: the answers of all who were asked, in the order in which they answer."""

    field: str = "answers"
    asked: str = "cards"


class SingleAnswer(NamedTuple):
    """After the colon: the answer of the one who was asked."""

    field: str = "answer"
    card: str = "card"
    asked: str = "about"
    seat: str = "seat"


class Verdict(NamedTuple):
    """After the colon: one of two words, which cannot be left out."""

    field: str
    words: Mapping[str, bool]
    question: str


Part = Name | Several | Dice
Tail = AnswerList | SingleAnswer | Name | Verdict
"""After the colon a name is what the writer saw, left out where it was not seen."""


class Form(Struct, frozen=True, dict=True):
    """
    The form of a line: subject, verb, parts and what stands after the colon.

    Attributes:
        verb: The verb.
        doing: What a list of choices calls it, after `Somebody ...`.
        subject: The field of the seat that does it; empty for `nobody`.
        parts: What stands after the verb.
        tail: What stands after the colon; `None` if nothing can.
        particle: A word after the verb that is read with it or without: `at`.
        expects: What messages call what follows: `'about' and a card`; of most it goes unsaid.
        needs: What the table must have names of, where no part of the line has them.
    """

    verb: str
    doing: str
    subject: str = "by"
    parts: tuple[Part, ...] = ()
    tail: Tail | None = None
    particle: str = ""
    expects: str = ""
    needs: Bearers | None = None

    @cached_property
    def bearers(self) -> Mapping[str, Bearers]:
        """What bears the name in each field that holds names; in answers, too."""
        bearers: dict[str, Bearers] = {self.subject: "seats"} if self.subject else {}
        for part in (*self.parts, self.tail):
            match part:
                case Name(field=field, of=of):
                    bearers[field] = of
                case Several(fields=fields, of=of):
                    bearers.update(dict.fromkeys(fields, of))
                case Dice(total=total, icons=icons, dice=dice):
                    bearers.update({total: "totals", icons: "icons", dice: "faces"})
                case AnswerList():
                    bearers.update(seat="seats", card="cards")
                case SingleAnswer(card=card, seat=seat):
                    bearers.update({card: "cards", seat: "seats"})
        return bearers


class Sight(NamedTuple):
    """
    Who sees what of an observation.

    Attributes:
        owner: The field of the only seat that notices it at all; empty if everybody does.
        hidden: The field whose content not everybody sees; empty if there is none. Of answers it
            is the card of each.
        by: The fields of the seats that see it. One of them that is left out lets everybody see
            it: a card revealed to nobody in particular is revealed to all.
        told: The field of the seat that sees it where the edition says that a looker tells.
    """

    owner: str = ""
    hidden: str = ""
    by: tuple[str, ...] = ()
    told: str = ""


PUBLIC = Sight()
"""Everybody sees all of it."""

Turn = Literal["", "within", "ends"]
"""What an observation means for whose turn it is: nothing, it is in the subject's, or ends it."""
