"""
What can be observed at a table: a frozen class for each kind of line in a record.

Each is declared here once: its fields, the form of its line, who sees what of it, and what it means
for the turn. All code that reads, writes, completes, asks for, hides or merges observations uses
this declaration. What an observation says about the cards is in `knowledge.encoder`. CONTRIBUTING
shows how to add one.

`Observation` stands for any of them, in annotations and for `isinstance`; the class says which one
it is:

>>> asked = Suggestion(by="Ann", cards=("Plum", "Rope", "Hall"))
>>> isinstance(asked, Observation), isinstance(asked, Roll)
(True, False)

The tags are those of the JSON Lines form. Cards, seats and features are given by their canonical
names; what the writer did not see is `None`.
"""

from typing import ClassVar, Literal, get_args

from msgspec import Struct

from clue_solver.rules import forms

Reply = Literal["passes", "shows", "unheard"]


class Event(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="event",
    gc=False,
):
    """
    The base class of observations: what one line of a record says.

    Attributes:
        form: The form of its line.
        sight: Who sees what of it.
        same: The fields by which entries of two notebooks are recognised as the same event: they
            agree in these, and may differ in all others. If empty, they must agree in all fields.
        nearly: The field, one of `same`, with a list of names of which one may be another; empty if
            there is none.
        turn: What it means for the turn: nothing if it is empty; `within` if it belongs to the
            actor's turn, `ends` if it also ends that turn.
    """

    form: ClassVar[forms.Form]
    sight: ClassVar[forms.Sight] = forms.PUBLIC
    same: ClassVar[tuple[str, ...]] = ()
    nearly: ClassVar[str] = ""
    turn: ClassVar[forms.Turn] = ""

    @property
    def actor(self) -> str:
        """The seat that acts in the observation; empty if none does."""
        seat: str = getattr(self, self.form.subject, "")
        return seat


class Answer(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """
    One seat's answer to a suggestion.

    Attributes:
        seat: The seat; `None` only in an `unheard` answer at the end of a list: all answers from
            there on are not known.
        answer: What it did.
        card: The card that it showed; `None` if it showed none, or the writer did not see the card.

    >>> Answer(seat="Cat", answer="shows", card="Rope").card
    'Rope'
    """

    seat: str | None = None
    answer: Reply
    card: str | None = None


class Hand(Event, frozen=True, tag="hand"):
    """
    `Ann holds Plum, Rope, Hall, Study, Knife`: the whole hand, private to that seat.

    >>> from clue_solver import load
    >>> load("examples/evening.clue").observations[2].cards
    ('Scarlett', 'White', 'Peacock', 'Candlestick')
    """

    seat: str
    cards: tuple[str, ...]

    form = forms.Form(
        verb="holds",
        subject="seat",
        doing="holds these cards, a whole hand",
        parts=(forms.Several("hand", question="Which card? (end the hand with Done)", held=True),),
    )
    sight = forms.Sight(owner="seat")


class Inquiry(Event, frozen=True):
    """
    What a seat asks all others: a `Suggestion`, or the pointed `Finger` of Clue Diced.

    Answers are in the order in which they were given; an empty tuple means that none was heard.
    """

    by: str
    cards: tuple[str, ...]
    answers: tuple[Answer, ...] = ()

    sight = forms.Sight(hidden="answers", by=("by",))
    same = ("by", "cards")
    nearly = "cards"


class Suggestion(Inquiry, frozen=True, tag="suggestion"):
    """
    `Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard`: she asks for these cards.

    >>> from clue_solver import load
    >>> asked = load("examples/classic.clue").observations[1]
    >>> asked.by, asked.cards, [(answer.seat, answer.card) for answer in asked.answers]
    ('Ann', ('Green', 'Rope', 'Hall'), [('Ben', None), ('Cat', 'Hall')])
    """

    form = forms.Form(
        verb="suggests",
        doing="makes a suggestion",
        parts=(forms.Several("suggestion"),),
        tail=forms.AnswerList(),
    )
    turn = "ends"


class Question(Event, frozen=True, tag="question"):
    """
    `Ann asks Ben about Plum: shows Brawn Plum`: a question to one seat, about cards or features.

    >>> Question(by="Ann", seat="Ben", about=("Plum",), answer="passes")
    Question(by='Ann', seat='Ben', about=('Plum',), answer='passes', card=None)
    """

    by: str
    seat: str
    about: tuple[str, ...]
    answer: Reply = "unheard"
    card: str | None = None

    form = forms.Form(
        verb="asks",
        doing="asks one player about a card",
        parts=(
            forms.Name("seat", "seats", "whom to ask", "Whom?", nobody="asks"),
            forms.Several("any", ("about",), "things", question="About what?", before=" about "),
        ),
        tail=forms.SingleAnswer(),
        expects="'about' and a card",
    )
    sight = forms.Sight(hidden="card", by=("by", "seat"))
    same = ("by", "seat", "about")
    turn = "within"


class Look(Event, frozen=True, tag="look"):
    """
    `Ann looks at Ben: Brawn Scarlett`: a card drawn from a hand, or one that lies face-down.

    >>> from clue_solver import load
    >>> game = load("examples/diced.clue")
    >>> game.lines[2], game.observations[2]
    ('Mia looks at Zoe: Brains Scarlett', Look(by='Mia', holder='Zoe', card='Brains Scarlett'))
    """

    by: str
    holder: str
    card: str | None = None

    form = forms.Form(
        verb="looks",
        doing="looks at somebody's card",
        parts=(
            forms.Name(
                field="holder",
                of="places",
                wanted="whom or what to look at",
                question="At whose card?",
                nobody="looks at",
            ),
        ),
        tail=forms.Name("card", "cards", "one card", held=True, unseen=True),
        particle="at",
    )
    sight = forms.Sight(hidden="card", by=("by",), told="holder")
    same = ("by", "holder")
    turn = "within"


class Peek(Event, frozen=True, tag="peek"):
    """
    `Ann peeks: Plum`: the feature seen in the envelope's notch.

    >>> from clue_solver import load
    >>> game = load("examples/diced.clue")
    >>> game.lines[8], game.observations[8]
    ('Mia peeks: Mustard', Peek(by='Mia', feature='Mustard'))
    """

    by: str
    feature: str | None = None

    form = forms.Form(
        verb="peeks",
        doing="peeks into the envelope",
        tail=forms.Name("feature", "features", "one colour", "Which colour?", unseen=True),
    )
    sight = forms.Sight(hidden="feature", by=("by",))
    same = ("by",)
    turn = "within"


class Reveal(Event, frozen=True, tag="reveal"):
    """
    `Cat reveals Rope`, to everyone, or `Cat reveals Rope to Dan`: a card from her hand.

    >>> from clue_solver import load
    >>> game = load("examples/two_players.clue")
    >>> game.lines[6], game.observations[6]
    ('Kim reveals Peacock', Reveal(seat='Kim', card='Peacock', to=None))
    """

    seat: str
    card: str | None = None
    to: str | None = None

    form = forms.Form(
        verb="reveals",
        subject="seat",
        doing="reveals a card",
        parts=(
            forms.Name("card", "cards", "the card revealed", held=True, unseen=True),
            forms.Name("to", "seats", "to whom", "To whom?", " to ", "reveals to", optional=True),
        ),
        expects="'to' and a player",
    )
    sight = forms.Sight(hidden="card", by=("seat", "to"))
    same = ("seat", "to")


class Nobody(Event, frozen=True, tag="nobody"):
    """
    `nobody reveals Plum`: no seat holds the card.

    >>> Nobody(card="Plum")
    Nobody(card='Plum')
    """

    card: str

    form = forms.Form(
        verb="reveals",
        subject="",
        doing="calls for a card that nobody has",
        parts=(forms.Name("card", "cards", "the card revealed"),),
    )


class Accusation(Event, frozen=True, tag="accusation"):
    """
    `Ben accuses Plum, Rope, Hall: wrong`: he claims that these cards are in the envelope.

    >>> Accusation(by="Ben", cards=("Plum", "Rope", "Hall"), right=False)
    Accusation(by='Ben', cards=('Plum', 'Rope', 'Hall'), right=False)
    """

    by: str
    cards: tuple[str, ...]
    right: bool

    form = forms.Form(
        verb="accuses",
        doing="makes an accusation",
        parts=(forms.Several("accusation"),),
        tail=forms.Verdict("right", {"wrong": False, "right": True}, "Wrong or right?"),
    )
    same = ("by",)
    turn = "ends"


class Knowing(Event, frozen=True, tag="knowledge"):
    """
    `Ann knows Ben has Rope or Hall`, `Ann knows envelope lacks Hall`: learned in another way.

    Exactly one of `has` and `lacks` is given: the holder has at least one of the cards in `has`, or
    none of the cards in `lacks`.

    >>> Knowing(by="Ann", holder="envelope", lacks=("Hall",))
    Knowing(by='Ann', holder='envelope', has=(), lacks=('Hall',))
    """

    by: str
    holder: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    form = forms.Form(
        verb="knows",
        doing="knows where a card is, or is not",
        parts=(
            forms.Name("holder", "holders", "the holder of a card", "About whom?"),
            forms.Several(
                size="any",
                fields=("has", "lacks"),
                between="or",
                each="has",
                question="Which card? (If you name several, it is one of them.)",
                held=True,
            ),
        ),
        expects="a holder, 'has' or 'lacks', and a card",
    )
    sight = forms.Sight(owner="by")


class Skip(Event, frozen=True, tag="skip"):
    """
    `Ann skips`: her turn ends without a suggestion.

    >>> from clue_solver import load
    >>> game = load("examples/two_players.clue")
    >>> game.lines[7], game.observations[7]
    ('Lee skips', Skip(by='Lee'))
    """

    by: str

    form = forms.Form(verb="skips", doing="makes no suggestion")
    turn = "ends"


class Leave(Event, frozen=True, tag="leave"):
    """
    `Ann leaves`: she has left the table; nobody asks her any more, and she takes no turn.

    >>> Leave(by="Ann")
    Leave(by='Ann')
    """

    by: str

    form = forms.Form(verb="leaves", doing="leaves the table")


class Roll(Event, frozen=True, tag="roll"):
    """
    `Ann rolls 7`; if the faces are not numbers, `Ann rolls Plum, Plum, Green, glass`.

    At most one of `total` and `dice` (the face of each die) is given. An icon in place of the 1
    counts as 1 in the total: `Ann rolls 5, glass`.

    >>> from clue_solver import load
    >>> game = load("examples/two_players.clue")
    >>> game.lines[1], game.observations[1]
    ('Kim rolls 12', Roll(by='Kim', total=12, icons=(), dice=()))
    """

    by: str
    total: int | None = None
    icons: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()

    form = forms.Form(verb="rolls", doing="rolls the dice", parts=(forms.Dice(),))
    same = ("by",)
    turn = "within"


class Draw(Event, frozen=True, tag="draw"):
    """
    `Ann draws passage`: a clue card of this kind; what follows from it has lines of its own.

    >>> Draw(by="Ann", kind="passage")
    Draw(by='Ann', kind='passage')
    """

    by: str
    kind: str

    form = forms.Form(
        verb="draws",
        doing="draws a clue card",
        parts=(forms.Name("kind", "clues", "a kind of clue card", "Which clue card?"),),
    )
    turn = "within"


class Move(Event, frozen=True, tag="move"):
    """
    `Ann moves to Hall`, `Ann moves to H21`: the room or the square where her piece is now.

    >>> from clue_solver import load
    >>> game = load("examples/two_players.clue")
    >>> game.lines[2], game.observations[2]
    ('Kim moves to Lounge', Move(by='Kim', to='Lounge'))
    """

    by: str
    to: str

    form = forms.Form(
        verb="moves",
        doing="moves",
        parts=(forms.Name("to", "spots", "a room or a square", "To which room?"),),
        particle="to",
    )
    turn = "within"


class Stay(Event, frozen=True, tag="stay"):
    """
    `Ann stays`: she stays in the room where her piece stands.

    >>> Stay(by="Ann")
    Stay(by='Ann')
    """

    by: str

    form = forms.Form(verb="stays", doing="stays in the room", needs="spots")
    turn = "within"


class Finger(Inquiry, frozen=True, tag="finger"):
    """
    `Ann points at Brains Plum, Brawn Green: Ben shows Brawn Green`: the pointed finger.

    An extra suggestion in the same turn. It names one card of each category and is answered as
    usual.

    >>> Finger(by="Ann", cards=("Brains Plum", "Brawn Green")).cards
    ('Brains Plum', 'Brawn Green')
    """

    form = forms.Form(
        verb="points",
        doing="points the finger",
        parts=(forms.Several("accusation"),),
        tail=forms.AnswerList(),
        particle="at",
    )
    turn = "within"


Observation = (
    Hand
    | Suggestion
    | Question
    | Look
    | Peek
    | Reveal
    | Nobody
    | Accusation
    | Knowing
    | Skip
    | Leave
    | Roll
    | Draw
    | Move
    | Stay
    | Finger
)


def kinds() -> tuple[type[Event], ...]:
    """Return every kind of observation, in the order in which they are declared."""
    return get_args(Observation)
