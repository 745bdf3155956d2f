"""
The review of a finished game: every seat entry by entry, every suggestion and accusation judged.

Frozen values with names. Entries are numbered from 1 in file order; entry 0 stands for the moment
before the log. All bits are of information about the solution.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.notation import lexicon_of
from clue_solver.rules.table import Shows, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

AccusationVerdict = Literal["right", "late", "rash", "unlucky", "unknown"]

Label = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
"""How good a suggestion was, as chess has it."""

LABELS: dict[Label, float] = {"best": 0.02, "good": 0.2, "inaccuracy": 0.5, "mistake": 1.0}
"""How many bits less than the best suggestion each label stands for at most; past all: blunder."""

EVEN = 0.5 - ROUNDING
"""The chance that counts as even odds."""

FORTUNE = 1.0
"""How many bits an answer must bring beyond those expected to be called lucky; less for unlucky."""

NEAR = 0.2
"""The chance of the true solution from which a player is near to it; a rise that counts."""

_IMPROVABLE = ("inaccuracy", "mistake", "blunder")

Interval = tuple[float, float]
"""A lower and an upper bound."""


class Moment(AnswerValue, frozen=True, kw_only=True):
    """
    What one seat knew after an entry.

    Attributes:
        entry: The last entry that counts; 0 before the log.
        deals: The exact number of deals that fitted what it had seen.
        bits: The entropy of its posterior over solutions.
        gained: The bits before the entry less those after; below 0 where the entry misled it.
        true_chance: The probability that it gave the true solution.

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
    gained: float
    true_chance: float


class SuggestionReview(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion, by what its asker knew just before it, as far as the record holds that.

    Attributes:
        entry: Which one.
        seat: Whose.
        cards: What it named, in category order.
        gain: The information it was expected to bring, in bits.
        error: The standard error of the gain; 0 where all deals were counted.
        best: The suggestion with the highest expected gain among those that could be made.
        best_gain: What that one was expected to bring; never below `gain`.
        within: The rooms that `best` had to keep to, those asked for; empty where any could be.
        accuracy: `gain / best_gain`, from 0 to 1; 1 where nothing could be gained.
        accuracy_error: The most that the sampling of deals lets it be off, as a standard error; 0
            where all deals were counted.
        luck: The bits that the answer brought less those expected; `None` where the record does
            not hold all of the answer that the asker saw.
        label: How good it was: `best`, `good`, `inaccuracy`, `mistake` or `blunder`, by the bits
            that it could bring less than the best (`LABELS`); `None` where that cannot be told.

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
    accuracy_error: float = 0.0
    luck: float | None
    label: Label | None = None

    @property
    def fortune(self) -> Literal["lucky", "unlucky"] | None:
        """Whether the answer brought far more than was to be expected, or far less."""
        if self.luck is None or abs(self.luck) < FORTUNE - ROUNDING:
            return None
        return "lucky" if self.luck > 0 else "unlucky"


class AccusationReview(AnswerValue, frozen=True, kw_only=True):
    """
    An accusation, by what the accuser knew just before it, as far as the record holds that.

    Attributes:
        entry: Which one.
        seat: Whose.
        cards: What was accused, in category order.
        right: Whether it was so.
        chance: The probability that the accuser's own notes gave these cards; 0 where they cannot
            tell.
        verdict: `right` if right; `late` if right after an own turn that passed since the proof;
            `unlucky` if wrong at a chance of one half or more. At less a wrong one is `rash` unless
            accusing was clearly better than waiting, as advice weighs it: by what can be asked
            first, and by games played on; else `unlucky`, too. `unknown` where the notes cannot
            tell.
        proved: The entry since which that seat could prove the solution; `None` if never, or not
            by what the record holds.
        excluded: Of a wrong one the entry since which the accuser's own notes excluded it; `None`
            if they did not.
        passed_up: Of a certain one the last entry of the first own turn that passed between the
            proof and it; `None` if none did.
        missed_turn: Whether the proof came during the own turn before, in which one may accuse.
        likelier: Of a doubtful one the solution that was clearly likelier, and its probability.

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
    chance: float
    verdict: AccusationVerdict
    proved: int | None = None
    excluded: int | None = None
    passed_up: int | None = None
    missed_turn: bool = False
    likelier: tuple[tuple[str, ...], float] | None = None

    written: ClassVar[Written] = Written(
        also=("why",), without=("excluded", "passed_up", "missed_turn", "likelier")
    )

    @property
    def why(self) -> str:
        """The verdict in a sentence."""
        return str(draw(self, "sentence"))


class MissedWin(AnswerValue, frozen=True, kw_only=True):
    """
    A seat that could prove the solution at the end of an own turn, did not accuse and lost.

    Attributes:
        seat: Whose.
        entry: The last entry of the first such turn.

    >>> MissedWin(seat="Leo", entry=16).to_dict()
    {'seat': 'Leo', 'entry': 16}
    """

    seat: str
    entry: int


class MissedDeduction(AnswerValue, frozen=True, kw_only=True):
    """
    Something that a seat could prove and evidently did not use.

    Attributes:
        entry: The entry that shows it was not used.
        seat: Whose.
        since: The entry since which the seat could prove it.
        kind: What it was: the `solution`, that every answer to a `question` was certain, or that an
            `accusation` was wrong.
        cards: The solution, what was asked for, or what was accused.
        turns: The last entries of the own turns in which it did not accuse the solution.
        best, best_gain: What could be asked instead, and what that was expected to bring, in bits.
        alone: Those of the accused cards that were excluded each by itself.

    >>> cards = ("Plum", "Rope", "Hall")
    >>> MissedDeduction(entry=9, seat="Ann", since=7, kind="solution", cards=cards, turns=(8,)).what
    'could prove Plum, Rope, Hall and did not accuse in entry 8'
    """

    entry: int
    seat: str
    since: int
    kind: Literal["solution", "question", "accusation"]
    cards: tuple[str, ...]
    turns: tuple[int, ...] = ()
    best: tuple[str, ...] = ()
    best_gain: float = 0.0
    alone: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(
        also=("what",), without=("kind", "cards", "turns", "best", "best_gain", "alone")
    )

    @property
    def what(self) -> str:
        """What it was, in a sentence."""
        return str(draw(self, "sentence"))


class KeyMoment(NamedTuple):
    """
    What an entry changed.

    Attributes:
        entry: The entry.
        kind: `swing` (a player came much closer), `lead` (one overtook another), `proof` (somebody
            could prove the solution), `out` (a wrong accusation).
        weight: How much it counts, in bits; infinite for a proof and for who is out.
        seats: Whom it is about; of a lead who took it, then who lost it; none for everybody.
        before, after: The chances of the true solution: of a swing before and after it, of a lead
            with who lost it and with who took it.
        by: Whose turn a swing came with; `None` if with nobody's.
        first: Whether it is told that a proof was the first.

    >>> KeyMoment(entry=17, kind="out", weight=float("inf"), seats=("Dan",)).seats
    ('Dan',)
    """

    entry: int
    kind: Literal["swing", "lead", "proof", "out"]
    weight: float
    seats: tuple[str, ...] = ()
    before: float = 0.0
    after: float = 0.0
    by: str | None = None
    first: bool = True


class TurningPoint(AnswerValue, frozen=True, kw_only=True):
    """
    A turning point of the game.

    Attributes:
        entry: The entry.
        weight: How much it counts, in bits.
        moments: What it changed.

    >>> out = KeyMoment(entry=17, kind="out", weight=float("inf"), seats=("Dan",))
    >>> TurningPoint(entry=17, weight=out.weight, moments=(out,)).text
    'Dan made a wrong accusation and was out.'
    """

    entry: int
    weight: float
    moments: tuple[KeyMoment, ...]

    written: ClassVar[Written] = Written(also=("text",), without=("weight", "moments"))

    @property
    def text(self) -> str:
        """What it changed, in a sentence or more."""
        return str(draw(self, "sentence"))


class Unweighed(AnswerValue, frozen=True, kw_only=True):
    """
    Something that was too much to weigh.

    Attributes:
        kind: How people ask (`behaviour`), in some notes; what a seat knew (`notes`) after some
            entries; what was asked (`questions`), what an accusation was worth or whether somebody
            missed more (`verdicts`) in some entries.
        seats: Whose notes.
        entries: Which entries.

    >>> Unweighed(kind="notes", seats=("Ann",), entries=(1, 2)).to_dict()
    {'kind': 'notes', 'seats': ['Ann'], 'entries': [1, 2]}
    """

    kind: Literal["behaviour", "notes", "questions", "verdicts"]
    seats: tuple[str, ...] = ()
    entries: tuple[int, ...] = ()


class SeatReview(AnswerValue, frozen=True, kw_only=True):
    """
    The game as one seat saw it.

    Attributes:
        seat: Whose eyes.
        whole: Whether the record holds all that the seat saw, its hand before the first turn; if
            not, the timeline shows what follows from the part that it holds. What a wrong
            accusation let the seat see in the envelope is in no timeline.
        proved: The first entry after which the solution was certain; `None` if it never was.
        even: The first entry after which the true solution was the likeliest one and had at least
            even odds; `None` if there is none.
        timeline: One moment for each entry and one before them, in order.
        told: Whether it was only told the solution: by a right accusation, its own or another's,
            without having proved it before. `proved` is that entry then, in JSON `null`.
        accuracy, accuracy_error: The mean over its suggestions; `None` where it made none.
        accuracy_range: From where to where the accuracy lies, in 19 of 20 cases.
        luck: The sum over its suggestions whose luck is known, in bits; `None` if there is none.
        luck_range: From where to where its luck with all of its suggestions lies, in 19 of 20
            cases; `None` where that cannot be told.
        dealt: The bits that its own hand told beyond those that a hand of this size tells on
            average: its luck in the deal; `None` where the record does not hold its hand.
        others: The bits that it learned in the turns of the others.

    >>> from clue_solver import load
    >>> seat = load("examples/evening.clue").review(sample=100).seats[0]
    >>> seat.seat, seat.proved, len(seat.timeline)
    ('Ann', 21, 23)
    """

    seat: str
    whole: bool
    proved: int | None
    even: int | None
    timeline: tuple[Moment, ...]
    told: bool = False
    accuracy: float | None
    accuracy_error: float = 0.0
    accuracy_range: Interval | None = None
    luck: float | None
    luck_range: Interval | None = None
    dealt: float | None = None
    others: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes: `proved` only where it was not told."""
        return super().to_dict() | ({"proved": None} if self.told else {})


class Review(ShownValue, frozen=True, kw_only=True):
    """
    A finished game, turn by turn.

    Attributes:
        table: The table that the game was played at.
        entries: How many entries the record has.
        solution: The cards in the envelope, in category order.
        winner: Who made the right accusation; `None` if nobody did.
        lines: The entries as canonical lines, in file order.
        seats: Every seat, in table order.
        suggestions: Every suggestion, in the order of the entries.
        accusations: Every accusation, likewise.
        missed_wins: The wins that were missed, likewise.
        unused: What could be proved and was evidently not used, likewise.
        unweighed: What was too much to weigh.
        turning: The turning points, in the order of the entries.

    >>> from clue_solver import load
    >>> review = load("examples/evening.clue").review(sample=100)
    >>> review.winner, review.solution, len(review.suggestions)
    ('Ann', ('Green', 'Wrench', 'Kitchen'), 16)
    """

    table: Table
    entries: int
    solution: tuple[str, ...]
    winner: str | None = None
    lines: tuple[str, ...]
    seats: tuple[SeatReview, ...]
    suggestions: tuple[SuggestionReview, ...]
    accusations: tuple[AccusationReview, ...]
    missed_wins: tuple[MissedWin, ...] = ()
    unused: tuple[MissedDeduction, ...]
    unweighed: tuple[Unweighed, ...] = ()
    turning: tuple[TurningPoint, ...]

    written: ClassVar[Written] = Written(
        schema=1,
        also=("edition", "shows", "asks", "story", "left_out"),
        without=("table", "lines", "unweighed"),
    )

    @property
    def story(self) -> str:
        """The game in at most five sentences, to be read aloud."""
        return str(draw(self, "sentence"))

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was too much to weigh, in sentences."""
        return tuple(str(draw(limit, "sentence")) for limit in self.unweighed)

    @property
    def edition(self) -> str:
        """The edition, as a header names it."""
        return self.table.edition.name

    @property
    def shows(self) -> Shows:
        """The show policy assumed."""
        return self.table.policy

    @property
    def asks(self) -> str:
        """What is expected of how players ask, as a header says it."""
        return self.table.behaviour

    def seat(self, name: str) -> SeatReview:
        """
        Return the review of the seat of that name, in short as in a record.

        Raises:
            NotationError: If there is none.
        """
        full = lexicon_of(self.table).seats.find(name)
        return self.seats[self.table.seats.index(full)]

    def to_frame(self, what: Literal["timeline", "suggestions"] = "timeline") -> DataFrame:
        """Return the timeline or the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """
        Draw the course of the game: everybody's chance to name the true solution, by entries.

        A dot marks proof, a triangle a right accusation, a cross a wrong one; a star behind a name
        says that the record does not hold all that this player saw.

        Args:
            ax: Where to draw; a new figure of pyplot if left out.

        Raises:
            MissingExtra: If matplotlib is not installed.
        """
        axes: Axes = draw(self, "plot", ax)
        return axes


def mistakes(review: Review, seat: str) -> int:
    """
    Return how many mistakes a seat made.

    Those are suggestions labelled `mistake` or `blunder`, rash accusations, wins that it missed,
    and what it could have proved and evidently did not use besides, as whoever accused late.
    """
    asked = [suggestion.label for suggestion in review.suggestions if suggestion.seat == seat]
    accused = [accusation.verdict for accusation in review.accusations if accusation.seat == seat]
    counted = {
        suggestion.entry
        for suggestion in review.suggestions
        if suggestion.label in ("mistake", "blunder")
    }
    counted |= {accusation.entry for accusation in review.accusations}
    counted |= {win.entry for win in review.missed_wins}
    missed = [
        unused for unused in review.unused if unused.seat == seat and unused.entry not in counted
    ]
    return (
        sum(label in ("mistake", "blunder") for label in asked)
        + accused.count("rash")
        + sum(win.seat == seat for win in review.missed_wins)
        + len(missed)
    )


class ReviewedFile(AnswerValue, frozen=True, kw_only=True):
    """
    What became of one file of a batch.

    Attributes:
        path: The file, as it was named.
        review: Its review; `None` if it could not be reviewed.
        error: Why not, in a message that names the file; `None` if it could.

    >>> from clue_solver import review_all
    >>> (file,) = review_all("missing.clue", jobs=1)
    >>> file.review, file.error
    (None, 'missing.clue: cannot read the record: No such file or directory')
    """

    path: str
    review: Review | None = None
    error: str | None = None


def label_of(lost: float, error: float = 0.0) -> Label | None:
    """
    Return how good a suggestion was that could bring so many bits less than the best.

    An error beyond which it would be called otherwise leaves it without a label.

    >>> label_of(0.1), label_of(0.7), label_of(0.1, error=0.6)
    ('good', 'mistake', None)
    """
    order: tuple[Label, ...] = (*LABELS, "blunder")
    least, likeliest, most = (
        sum(bits > limit + ROUNDING for limit in LABELS.values())
        for bits in (lost - error, lost, lost + error)
    )
    return order[likeliest] if most - least < 2 else None


def closest_to_wait(review: Review) -> tuple[str, Moment] | None:
    """
    Return who of the losers stood highest when last able to accuse, and what was known there.

    `None` where nothing is known of anybody who never accused.
    """
    over = end_of_game(review.accusations, review.entries)
    accused = {accusation.seat for accusation in review.accusations}
    stood = []
    for seat in review.seats:
        asked = [one.entry for one in review.suggestions if one.seat == seat.seat]
        turns = [entry for entry in asked if entry < over]
        if seat.whole and seat.seat not in accused and turns:
            stood.append((seat.seat, seat.timeline[turns[-1]]))
    return max(stood, key=lambda one: sort_key(one[1].true_chance), default=None)


def steepest_rise(review: Review, seat: str) -> tuple[Moment, Moment] | None:
    """Return before and after the entry that told a seat most; `None` where none told much."""
    over = end_of_game(review.accusations, review.entries)
    timeline = next(each.timeline for each in review.seats if each.seat == seat)
    rise = max(
        pairwise(timeline[:over]),
        key=lambda pair: sort_key(pair[1].true_chance - pair[0].true_chance),
        default=None,
    )
    much = rise is not None and rise[1].true_chance - rise[0].true_chance >= NEAR
    return rise if much else None


def worst_question(review: Review, seat: SeatReview) -> SuggestionReview | None:
    """
    Return a seat's suggestion that lost most bits; `None` where all were good or notes are missing.

    One that brought the proof is none of them.
    """
    lost = [
        one
        for one in review.suggestions
        if one.seat == seat.seat
        and one.label in _IMPROVABLE
        and one.entry != seat.proved
        and seat.whole
    ]
    return max(lost, key=lambda one: sort_key(one.best_gain - one.gain), default=None)


def end_of_game(accused: Iterable[AccusationReview], entries: int) -> int:
    """Return the entry of the right accusation, or one past the last of so many entries."""
    return next((accusation.entry for accusation in accused if accusation.right), entries + 1)
