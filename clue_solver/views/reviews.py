"""
A finished game and a season in words: the story, what mattered, how each player did.

All that is said of a game is said of its highlights, once: the page and the screen use the same.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from clue_solver.answers.display import share, view
from clue_solver.answers.review import (
    AccusationReview,
    Highlight,
    Kind,
    Review,
    SeatReview,
    SuggestionReview,
)
from clue_solver.answers.season import PlayerSeason, Season
from clue_solver.errors import counted, listed, sentences
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.notation.names import joined
from clue_solver.views.charts import accuracies, chances
from clue_solver.views.document import STYLE, Block, Line, Rows, as_html, document

_HIGHLIGHTS = {
    "proof": "{seat} could prove the solution",
    "swing": "{seat} went from {before} to {after}",
    "lead": "{seat} took the lead, {after} to {before}",
    "out": "{seat} accused wrongly and was out",
    "rash": "{seat} accused wrongly, too early, and was out",
    "missed win": "{seat} could prove the solution and did not accuse",
    "unused proof": "{seat} could prove the solution and did not accuse yet",
    "wasted question": "{seat} asked for {cards}: another question would have told far more",
    "lucky": "{seat} was lucky: the answer told far more than was to be expected",
    "unlucky": "{seat} was unlucky: the answer told far less than was to be expected",
}
"""What each kind of highlight says."""


@view(Highlight, "sentence")
def highlight_text(highlight: Highlight) -> str:
    """Return what mattered, in a sentence."""
    text = _HIGHLIGHTS[highlight.kind].format(
        seat=highlight.seat,
        cards=", ".join(highlight.cards),
        before=share(highlight.before),
        after=share(highlight.after),
    )
    return sentences(text)


@view(AccusationReview, "sentence")
def accusation_text(accused: AccusationReview) -> str:
    """Return the verdict on an accusation, to follow who made it."""
    if accused.verdict == "unknown":
        return f"{_outcome(accused)}; how sure of it these notes cannot tell"
    text = f"{_outcome(accused)}, {_how_sure(accused)}"
    if accused.verdict == "late":
        text = f"right, but late: {_how_sure(accused)}"
    if accused.verdict == "rash" and accused.chance:
        text += ": waiting was better"
    if accused.verdict == "unlucky":
        text += ": bad luck rather than haste"
    return text


def _outcome(accused: AccusationReview) -> str:
    return "right" if accused.right else "wrong"


def _how_sure(accused: AccusationReview) -> str:
    """Return how sure a player could be of an accusation."""
    if accused.right and accused.proved is not None:
        return f"certain {since_when(accused.proved)}"
    if accused.right and accused.chance > 1 - ROUNDING:
        return "certain"
    if not accused.chance:
        return "though their own notes ruled it out"
    return f"{share(accused.chance)} sure"


def since_when(entry: int) -> str:
    """Return since which entry something is so; before the first one there is only the table."""
    return f"since entry {entry}" if entry else "from the start"


@view(Review, "sentence")
def review_sentence(review: Review, which: str = "story") -> str:
    """Return the story of a game, or what of it is `unjudged`."""
    return _unjudged(review) if which == "unjudged" else _story(review)


def _story(review: Review) -> str:
    """
    Return the game in a few sentences, to be read aloud.

    How it ended, who accused wrongly, what decided it, who was lucky, what each player could have
    done better. A chance is the one that a player's own notes gave to what was so, or was accused.
    """
    wrong = [
        f"{each.seat}{'' if number else ' accused wrongly'} in entry {each.entry}"
        + ("" if each.verdict == "unknown" else f", {_how_sure(each)}")
        for number, each in enumerate(a for a in review.accusations if not a.right)
    ]
    return sentences(
        f"{_ending(review)}: it was {listed(review.solution)}",
        "; ".join(wrong),
        _decision(review),
        _luck(review),
        _better(review),
    )


def _ending(review: Review) -> str:
    """Return who won, when, and how sure of it."""
    won = next((each for each in review.accusations if each.right), None)
    if won is None:
        return "nobody won"
    sure = "" if won.verdict == "unknown" else f", {_how_sure(won)}"
    return f"{won.seat} won in entry {won.entry}{sure}"


def _decision(review: Review) -> str:
    """Return what decided the game: wins that were missed, else the winner's greatest step."""
    missed = [f"{each.seat} in entry {each.entry}" for each in review.of("missed win")]
    if missed:
        return f"Before that {listed(missed)} could prove it and did not accuse"
    steps = review.of("swing", seat=review.winner) if review.winner else ()
    step = max(steps, key=lambda each: sort_key(each.after - each.before), default=None)
    if step is None:
        return ""
    asked = any(each.entry == step.entry and each.seat == step.seat for each in review.suggestions)
    rise = f"brought {step.seat} from {share(step.before)} to {share(step.after)}"
    what = f"{step.seat}'s own question in entry" if asked else "entry"
    return f"{what} {step.entry} {rise}"


def _luck(review: Review) -> str:
    """Return who got the luckiest answer and who the unluckiest."""
    told = []
    kinds: tuple[tuple[Kind, str], ...] = (("lucky", "luckiest"), ("unlucky", "unluckiest"))
    for kind, what in kinds:
        found = max(review.of(kind), key=lambda each: sort_key(each.weight), default=None)
        if found is not None:
            told.append(f"the {what} answer was {found.seat}'s, in entry {found.entry}")
    return "; ".join(told)


def _better(review: Review) -> str:
    """Return what each player who is judged could have done better; what cost most, for each."""
    told: list[str] = []
    well: list[str] = []
    for seat in review.seats:
        mistakes = review.mistakes(seat.seat)
        asked = [each for each in review.suggestions if each.seat == seat.seat]
        if mistakes:
            worst = max(mistakes, key=lambda each: (sort_key(each.weight), -each.entry))
            told.append(f"{seat.seat} {_instead(worst, asked)}")
        elif seat.whole and asked and all(each.label for each in asked):
            well.append(seat.seat)
    if well and not (told or len(well) < len(review.seats)):
        return "nobody made a mistake worth naming"
    if well:
        told.append(f"{listed(well)} made no mistake worth naming")
    return "; ".join(told)


def _instead(mistake: Highlight, asked: Sequence[SuggestionReview]) -> str:
    """Return what somebody could have done in place of a mistake."""
    at = f"in entry {mistake.entry}"
    match mistake.kind:
        case "missed win" | "unused proof":
            return f"could have accused {at}"
        case "rash" if not mistake.before:
            return f"could have looked at their own notes {at}"
        case "rash":
            return f"could have waited {at}"
        case _:
            best = next(each.best for each in asked if each.entry == mistake.entry)
            other = [card for card in best if card not in mistake.cards]
            return f"could have asked for {joined(other, 'and')} {at}"


def _unjudged(review: Review) -> str:
    """Return what cannot be judged, and why."""
    unheld = [seat.seat for seat in review.seats if not seat.held]
    part = [seat.seat for seat in review.seats if seat.timeline and not seat.whole]
    told = []
    if unheld:
        whose = "hand" if len(unheld) == 1 else "hands"
        told.append(
            f"these notes do not have the {whose} of {joined(unheld, 'and')}, so what they did is "
            "not judged"
        )
    if part:
        told.append(
            f"{joined(part, 'and')} saw more than these notes hold: only what is certain is judged"
        )
    if review.open_before:
        told.append(f"too much was open before entry {review.open_before} to weigh it")
    elif review.plain_before:
        told.append(f"how people ask does not count before entry {review.plain_before}")
    return sentences("; ".join(told))


@view(Review, "line")
def review_line(review: Review) -> str:
    """Return which game it was, and how it ended, as one line."""
    return f"{_title(review)}; {_ending(review)}"


def _title(review: Review) -> str:
    return f"{review.table.edition.title}: {', '.join(review.solution)}"


def review_page(review: Review) -> str:
    """Return the review as an HTML file of its own."""
    from clue_solver.views.html import page  # only pages need its templates

    _, *blocks = document(review)
    log = Rows("The log", [(str(number), line) for number, line in enumerate(review.lines, 1)])
    return page(_title(review), STYLE, as_html([*blocks, log]))


@view(Review, "document")
def review_document(review: Review) -> Iterator[Block]:
    """Yield the whole review."""
    yield Line(_title(review), "bold")
    yield Line(review.story)
    if any(seat.timeline for seat in review.seats):
        yield chances(review)
    heads = ("player", "could prove it", "at 50 %", "in the end", "questions", "luck", "mistakes")
    players = [(*_player(review, seat),) for seat in review.seats if seat.timeline]
    if players:
        yield Rows("The players", players, heads, (0,))
    if review.unjudged:
        yield Line(review.unjudged, "dim")
    turning = groupby(review.turning, key=lambda each: each.entry)
    rows = [(str(entry), " ".join(each.text for each in points)) for entry, points in turning]
    if rows:
        yield Rows("Turning points", rows)
    accused = [
        (str(each.entry), f"{each.seat}: {', '.join(each.cards)}. {sentences(each.why)}")
        for each in review.accusations
    ]
    if accused:
        yield Rows("Accusations", accused)
    mistakes = [
        (str(each.entry), each.text) for seat in review.seats for each in review.mistakes(seat.seat)
    ]
    if mistakes:
        yield Rows("Mistakes", sorted(mistakes, key=lambda row: int(row[0])))
    if review.suggestions:
        yield accuracies(review)
        asked = [(*_suggestion(review, each),) for each in review.suggestions]
        yield Rows(
            "The questions", asked, ("entry", "player", "asked", "verdict", "better"), (1, 2, 3, 4)
        )
        yield Line(LEGEND, "dim")


LEGEND = (
    "Questions in %: how much they could tell, by what the asker knew, of what the best in the "
    "same room could have told. How far one falls behind makes it best, good, an inaccuracy, a "
    "mistake or a blunder. Lucky or unlucky: the answer told far more than expected, or far less."
)
"""What the words of a review mean."""


def _player(review: Review, seat: SeatReview) -> Iterator[str]:
    """Yield a row of the players: what each knew, how each asked."""
    yield seat.seat
    for entry in (seat.proved, seat.even):
        yield "never" if entry is None or entry >= review.over else f"entry {entry}"
    last = seat.after(review.over - 1)
    yield "" if last is None else share(last.true_chance)
    yield "" if seat.accuracy is None or not seat.whole else share(seat.accuracy)
    kinds: tuple[Kind, ...] = ("lucky", "unlucky")
    answers = [(len([*review.of(kind, seat=seat.seat)]), kind) for kind in kinds]
    yield ", ".join(f"{many} {kind}" for many, kind in answers if many)
    mistakes = len(review.mistakes(seat.seat))
    yield str(mistakes) if seat.whole or mistakes else ""


def _suggestion(review: Review, asked: SuggestionReview) -> Iterator[str]:
    """Yield a row of the questions."""
    luck = [each.kind for each in review.of("lucky", "unlucky") if each.entry == asked.entry]
    yield str(asked.entry)
    yield asked.seat
    yield ", ".join(asked.cards)
    yield ", ".join(filter(None, (asked.label, *luck)))
    yield "" if asked.label == "best" else ", ".join(asked.best)


@view(Season, "line")
def season_line(season: Season) -> str:
    """Return how many games and players it is about."""
    line = f"{counted(season.games, 'game')} of {counted(len(season.players), 'player')}"
    if season.unfinished:
        line += f"; {counted(season.unfinished, 'unfinished game')} skipped"
    return line


@view(Season, "document")
def season_document(season: Season) -> Iterator[Block]:
    """Yield a season: its players, and how to read the columns."""
    heads = ("player", "won", "questions", "luck", "mistakes", "rating")
    rows = [_season_row(player) for player in season.players]
    yield Rows(season_line(season), rows, heads, (0,))
    yield Line(
        "questions: what they could tell, of what the best could have told; luck: lucky answers "
        "less unlucky ones; mistakes: wasted questions, rash accusations, proofs not used",
        "dim",
    )


def _season_row(player: PlayerSeason) -> tuple[str, ...]:
    return (
        player.seat,
        f"{player.wins} of {player.games}",
        "" if player.accuracy is None else share(player.accuracy),
        f"{player.luck:+d}" if player.luck else "0",
        str(player.mistakes),
        f"{player.rating:.0f}",
    )
