"""
The values of a review: what each seat could know, its questions and accusations, what mattered.

Entries are numbered from 1 in file order; entry 0 stands for the moment before the log. All bits
are information about the solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from clue_solver.answers.display import AnswerValue, Written, draw
from clue_solver.answers.report import TableAnswer
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.notation.lexicon import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from pandas import DataFrame

AccusationVerdict = Literal["right", "rash", "unlucky", "unknown"]

Label = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
"""The grade of a suggestion, in words used in chess."""

LABELS: dict[Label, float] = {"best": 0.02, "good": 0.2, "inaccuracy": 0.5, "mistake": 1.0}
"""
For each grade, the largest loss that gets it; with a larger loss, a suggestion is a blunder.

The loss is how many bits less a suggestion was expected to tell than the best one.
"""

HighlightKind = Literal[
    "proof",
    "swing",
    "lead",
    "out",
    "rash",
    "missed win",
    "unused proof",
    "wasted question",
    "lucky",
    "unlucky",
]

WASTED: frozenset[Label] = frozenset(("mistake", "blunder"))
"""The grades with which a question counts as wasted."""

MISTAKES: frozenset[HighlightKind] = frozenset(
    ("rash", "missed win", "unused proof", "wasted question")
)
"""The kinds of highlights in which a player could have done better."""

TURNING: tuple[HighlightKind, ...] = ("proof", "lead", "swing")
"""
The kinds of highlights that can be turning points. If a seat has several at one entry, only the one
whose kind comes first here counts.
"""

MOST_TURNING_POINTS = 7
"""The most entries that count as turning points."""


class Highlight(AnswerValue, frozen=True, kw_only=True):
    """
    Something that mattered in a game.

    Attributes:
        entry: The number of the entry; for a missed chance, of the last entry of the turn.
        seat: The player.
        kind: `proof`: the player can prove the solution from here on; `swing`: gets much closer to
            it; `lead`: takes a clear lead; `out`: accuses wrongly; `rash`: accuses wrongly although
            waiting was better; `missed win`: does not use a proof, and loses; `unused proof`: does
            not use a proof at once, but wins later; `wasted question`: another question would have
            revealed far more; `lucky`, `unlucky`: the answer revealed far more or less than
            expected.
        cards: The cards suggested, named in the accusation, or proved.
        before, after: The chance, from 0 to 1, that the player gives to the true solution
            before and after the entry; for an accusation, the chance that it is right, then 0.
        weight: The importance of the highlight, in bits.

    >>> from clue_solver import load
    >>> review = load("examples/evening.clue").review(sample=100)
    >>> next(each for each in review.highlights if each.kind == "proof").text
    'Ann solved it (chance before: 20%).'
    """

    entry: int
    seat: str
    kind: HighlightKind
    cards: tuple[str, ...] = ()
    before: float = 0.0
    after: float = 0.0
    weight: float = 0.0

    written: ClassVar[Written] = Written(also=("text",))

    @property
    def text(self) -> str:
        """The highlight as a sentence."""
        return str(draw(self, "sentence"))


class Moment(AnswerValue, frozen=True, kw_only=True):
    """
    What one seat knew after an entry.

    Attributes:
        entry: The last entry that counts; 0 before the log.
        deals: The number of deals that fit what the seat had seen.
        bits: The entropy in bits of what the seat knew about the solution.
        true_chance: The probability of the true solution, given what the seat knew; 1 only if that
            proves it.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Accusation
    >>> right = Accusation(by="Ann", cards=("Green", "Wrench", "Kitchen"), right=True)
    >>> game = Game(load("examples/evening.clue").record.upto(5).append(right))
    >>> moment = game.review(sample=100).seat("Ben").timeline[5]
    >>> moment.entry, moment.deals, round(moment.bits, 2), round(moment.true_chance, 3)
    (5, 7800660, 7.15, 0.007)
    """

    entry: int
    deals: int
    bits: float
    true_chance: float


class SuggestionReview(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion, judged by what the player knew just before it.

    Attributes:
        entry: The entry.
        seat: The player.
        cards: The cards named.
        gain: The expected information about the solution, in bits.
        error: The standard error of `gain`; 0 if it is exact.
        best: The suggestion with the highest expected gain.
        best_gain: The gain of `best`; never below `gain`.
        within: The rooms that were considered for `best`; empty if all were.
        accuracy: `gain / best_gain`; 1 if so little could be gained that any suggestion is `best`.
        luck: The bits that the answer revealed beyond `gain`; `None` if the record lacks part of
            the answer.
        label: The grade, by `best_gain - gain`; `None` if the record lacks what the player saw, or
            the error is too large.
        shower: For a mistake or a blunder, the seat that was almost certain to show a card; `None`
            if there was none.
        inside: For a mistake or a blunder, the probability that each of its cards, and each of
            `best`, is in the envelope.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Accusation
    >>> right = Accusation(by="Mia", cards=("Brains Mustard", "Brawn Orchid"), right=True)
    >>> game = Game(load("examples/diced.clue").record.upto(2).append(right))
    >>> asked = game.review(sample=100).suggestions[0]
    >>> round(asked.gain, 2), round(asked.best_gain, 2), asked.label
    (0.81, 0.92, 'good')
    """

    entry: int
    seat: str
    cards: tuple[str, ...]
    gain: float
    error: float
    best: tuple[str, ...]
    best_gain: float
    within: tuple[str, ...] = ()
    accuracy: float
    luck: float | None
    label: Label | None = None
    shower: str | None = None
    inside: Mapping[str, float] = {}


class AccusationReview(AnswerValue, frozen=True, kw_only=True):
    """
    An accusation, judged by what the player knew just before it.

    Attributes:
        entry: The entry.
        seat: The player.
        cards: The cards named.
        right: Whether it was right.
        chance: The probability that it was right, given what the player knew; 0 if unknown.
        verdict: `right`; `rash`: it was wrong, its chance was below one half, and accusing was no
            better than waiting; `unlucky`: it was wrong, but not rash; `unknown`: the record shows
            too little to tell.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Accusation
    >>> right = Accusation(by="Ann", cards=("Green", "Wrench", "Kitchen"), right=True)
    >>> game = Game(load("examples/evening.clue").record.upto(5).append(right))
    >>> accused = game.review(sample=100).accusations[0]
    >>> accused.verdict, round(accused.chance, 3)
    ('right', 0.008)
    """

    entry: int
    seat: str
    cards: tuple[str, ...]
    right: bool
    chance: float = 0.0
    verdict: AccusationVerdict = "unknown"


class SeatReview(AnswerValue, frozen=True, kw_only=True):
    """
    The game as one seat saw it.

    Attributes:
        seat: The player.
        held: Whether the record has the seat's hand. If not, the seat is not judged.
        whole: Whether the record has all that the seat saw. If not, only what it could prove is
            judged.
        proved: The first entry after which the seat could prove the solution; `None` if it never
            could before the right accusation, or if the record lacks the hand.
        timeline: What the seat knew before the log and after each entry. Entries after which too
            much was still unknown are left out.
        accuracy: The mean accuracy of its suggestions; `None` if none is judged.

    >>> from clue_solver import load
    >>> seat = load("examples/evening.clue").review(sample=100).seats[0]
    >>> seat.seat, seat.proved, len(seat.timeline)
    ('Ann', 21, 23)
    """

    seat: str
    held: bool = False
    whole: bool = False
    proved: int | None = None
    timeline: tuple[Moment, ...] = ()
    accuracy: float | None = None

    def after(self, entry: int) -> Moment | None:
        """Return what the seat knew after an entry; `None` if `timeline` lacks it."""
        place = entry - self.timeline[0].entry if self.timeline else -1
        return self.timeline[place] if 0 <= place < len(self.timeline) else None


class Review(TableAnswer, frozen=True, kw_only=True):
    """
    A finished game, turn by turn.

    Attributes:
        entries: How many entries the record has.
        solution: The cards in the envelope.
        winner: The seat that made the right accusation; `None` if none did.
        lines: The entries as canonical lines, in file order.
        seats: The reviews of all seats, in table order.
        suggestions: The suggestions that were judged, in order.
        accusations: All accusations, in order.
        highlights: Everything that mattered, in order.
        open_upto: The last entry that could not be judged for every seat, or only without regard to
            how people ask, because too much was still unknown; 0 if there is none.

    >>> from clue_solver import load
    >>> review = load("examples/evening.clue").review(sample=100)
    >>> review.winner, review.solution, len(review.suggestions)
    ('Ann', ('Green', 'Wrench', 'Kitchen'), 16)
    """

    entries: int
    solution: tuple[str, ...]
    winner: str | None = None
    lines: tuple[str, ...]
    seats: tuple[SeatReview, ...]
    suggestions: tuple[SuggestionReview, ...]
    accusations: tuple[AccusationReview, ...]
    highlights: tuple[Highlight, ...] = ()
    open_upto: int = 0

    written: ClassVar[Written] = Written(
        schema=1,
        also=("edition", "shows", "asks", "story", "unjudged"),
        without=("table", "lines", "open_upto"),
    )

    @property
    def story(self) -> str:
        """The game in a few sentences."""
        return str(draw(self, "sentence"))

    @property
    def unjudged(self) -> str:
        """A sentence on what cannot be judged, and why; empty if everything can be."""
        return str(draw(self, "sentence", "unjudged"))

    @property
    def over(self) -> int:
        """
        The number of the entry with the right accusation.

        If there is none, it is one more than the number of entries.
        """
        return next((each.entry for each in self.accusations if each.right), self.entries + 1)

    @property
    def turning_points(self) -> tuple[Highlight, ...]:
        """
        The highlights that changed the game most, at most one for each seat and entry.

        Only seats count of which the record has all that they saw.
        """
        strongest = sorted(self.of(*TURNING), key=lambda each: -TURNING.index(each.kind))
        chosen = {(each.entry, each.seat): each for each in strongest}
        may = [
            each
            for each in self.of(*TURNING)
            if chosen[each.entry, each.seat] is each and each.seat in self._whole
        ]
        heaviest = sorted(may, key=lambda each: (-sort_key(each.weight), each.entry))
        entries = [*dict.fromkeys(each.entry for each in heaviest)][:MOST_TURNING_POINTS]
        return tuple(each for each in may if each.entry in entries)

    @property
    def graded(self) -> tuple[SuggestionReview, ...]:
        """The suggestions of the seats of which the record has all that they saw."""
        return tuple(each for each in self.suggestions if each.seat in self._whole)

    @property
    def _whole(self) -> frozenset[str]:
        """The seats of which the record has all that they saw; only their play is graded."""
        return frozenset(seat.seat for seat in self.seats if seat.whole)

    def of(self, *kinds: HighlightKind, seat: str | None = None) -> Iterator[Highlight]:
        """
        Yield the highlights of the given kinds, in order: of all seats or of one.

        Args:
            kinds: The kinds, such as `lucky`.
            seat: The seat, whose name may be abbreviated; all seats if left out.

        Raises:
            NotationError: If there is no such seat.
        """
        name = None if seat is None else self.seat(seat).seat
        for each in self.highlights:
            if each.kind in kinds and name in (None, each.seat):
                yield each

    def mistakes(self, seat: str) -> tuple[Highlight, ...]:
        """
        Return the highlights in which a seat could have done better.

        Raises:
            NotationError: If there is no such seat.
        """
        return tuple(self.of(*MISTAKES, seat=seat))

    def seat(self, name: str) -> SeatReview:
        """
        Return the review of one seat; the name may be abbreviated.

        Raises:
            NotationError: If there is no such seat.
        """
        full = lexicon_of(self.table).seats.find(name)
        return self.seats[self.table.seats.index(full)]

    def to_frame(
        self, what: Literal["timeline", "suggestions", "highlights"] = "timeline"
    ) -> DataFrame:
        """
        Return a pandas table: a row for each seat and entry, each suggestion, or each highlight.

        The columns are the attributes of `Moment`, of `SuggestionReview` (without `inside`) or of
        `Highlight`. The index is the entry; in the timeline, the seat and the entry.

        Raises:
            ArgumentError: If there is no such table.
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """
        Draw each player's chance of the true solution after each entry.

        A dot marks a proof, a triangle a right accusation, a cross a wrong one.

        Args:
            ax: Where to draw; a new figure of pyplot if left out.

        Raises:
            MissingExtra: If matplotlib is not installed.
        """
        axes: Axes = draw(self, "plot", ax)
        return axes


def label_of(lost: float, error: float = 0.0) -> Label | None:
    """
    Return the grade of a suggestion that was expected to tell `lost` bits less than the best one.

    `error` is the standard error of `lost`. If it is so large that grades two or more steps apart
    are possible, the result is `None`.

    >>> label_of(0.1), label_of(0.7), label_of(0.1, error=0.6)
    ('good', 'mistake', None)
    """
    order: tuple[Label, ...] = (*LABELS, "blunder")
    least, likeliest, most = (
        sum(bits > limit + ROUNDING for limit in LABELS.values())
        for bits in (lost - error, lost, lost + error)
    )
    return order[likeliest] if most - least < 2 else None
