"""
What can be observed at a table: frozen, tagged values, one for each kind of line in a record.

The tags are those of the JSON Lines form. Cards, seats and features stand by their canonical names;
what the writer did not see is `None`. Reading, checking and writing lines is `notation`'s work.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Reply = Literal["passes", "shows", "unheard"]


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """Anything that one line of a record tells."""


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    One seat's answer to a suggestion.

    `card` is the card shown, where it was seen. An `unheard` answer closes a list: from there on
    nobody's answer is known, and its seat is left out.
    """

    seat: str | None = None
    answer: Reply
    card: str | None = None


class Hand(Event, frozen=True, tag="hand"):
    """`Ann holds Plum, Rope, Hall`: the whole hand, private to that seat."""

    seat: str
    cards: tuple[str, ...]


class Suggestion(Event, frozen=True, tag="suggestion"):
    """
    `Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard`.

    Answers stand in the order in which they were given; an empty tuple means that none was heard.
    """

    by: str
    cards: tuple[str, ...]
    answers: tuple[Answer, ...] = ()


class Question(Event, frozen=True, tag="question"):
    """`Ann asks Ben about Plum: shows Brawn Plum`; `about` names cards or features."""

    by: str
    seat: str
    about: tuple[str, ...]
    answer: Reply = "unheard"
    card: str | None = None


class Look(Event, frozen=True, tag="look"):
    """`Ann looks at Ben: Brawn Scarlett`: a card drawn from a hand or turned up in a slot."""

    by: str
    holder: str
    card: str | None = None


class Peek(Event, frozen=True, tag="peek"):
    """`Ann peeks: Plum`: the feature seen in the envelope's notch."""

    by: str
    feature: str | None = None


class Reveal(Event, frozen=True, tag="reveal"):
    """`Cat reveals Rope` to everyone, or `Cat reveals Rope to Dan` (chosen from the whole hand)."""

    seat: str
    card: str | None = None
    to: str | None = None


class Nobody(Event, frozen=True, tag="nobody"):
    """`nobody reveals Plum`: no seat holds the card."""

    card: str


class Accusation(Event, frozen=True, tag="accusation"):
    """`Ben accuses Plum, Rope, Hall: wrong`."""

    by: str
    cards: tuple[str, ...]
    right: bool


class Knowing(Event, frozen=True, tag="knowledge"):
    """
    `Ann knows Ben has Rope or Hall`, `Ann knows envelope lacks Hall`: learned outside the rules.

    Exactly one of the two is given: `has` lists cards of which the holder has at least one, `lacks`
    cards of which it has none.
    """

    by: str
    holder: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


Observation = Hand | Suggestion | Question | Look | Peek | Reveal | Nobody | Accusation | Knowing
