"""
Finished games in words: the story of one, what mattered, how each player did; a season, standings.

All that is said of a game is said of its highlights, once: the page and the screen use the same.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from clue_solver.answers.display import share, view
from clue_solver.answers.review import (
    MISTAKES,
    AccusationReview,
    Highlight,
    Kind,
    Review,
    SeatReview,
    SuggestionReview,
)
from clue_solver.answers.season import Season
from clue_solver.answers.standings import Standings
from clue_solver.errors import counted, listed, sentences
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.views.charts import accuracies, chances
from clue_solver.views.document import STYLE, Block, Line, Rows, as_html, document

_HIGHLIGHTS: dict[Kind, str] = {
    "proof": "{seat} could prove the solution",
    "swing": "{seat}'s chance rose from {before} to {after}",
    "lead": "{seat} took the lead, {after} to {before}",
    "out": "{seat} accused wrongly and was out",
    "rash": "{seat} accused wrongly, too early, and was out",
    "missed win": "{seat} could prove the solution but did not accuse",
    "unused proof": "{seat} could prove the solution but did not accuse yet",
    "wasted question": "{seat} asked for {cards}; another question would have told far more",
    "lucky": "{seat} was lucky: the answer told far more than could be expected",
    "unlucky": "{seat} was unlucky: the answer told far less than could be expected",
}
"""What each kind of highlight says."""

LEGEND = (
    "Questions, in %: how much they could tell the asker, compared with the best question in the "
    "same room; the further behind, the worse the verdict (best, good, inaccuracy, mistake, "
    "blunder). "
    "Lucky or unlucky: the answer told far more than expected, or far less."
)
"""What the words of a review mean."""


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
    outcome = "right" if accused.right else "wrong"
    match accused.verdict:
        case "unknown":
            return f"{outcome}; how sure, these notes cannot tell"
        case "late":
            return f"right, but late: {_how_sure(accused)}"
        case "rash" if accused.chance:
            return f"wrong, {_how_sure(accused)}: waiting would have been better"
        case "unlucky":
            return f"wrong, {_how_sure(accused)}: bad luck rather than haste"
        case _:
            return f"{outcome}, {_how_sure(accused)}"


def _how_sure(accused: AccusationReview) -> str:
    """Return how sure a player could be of an accusation."""
    if accused.right and accused.proved is not None:
        return f"certain since entry {accused.proved}" if accused.proved else "certain all along"
    if accused.right and accused.chance > 1 - ROUNDING:
        return "certain"
    if not accused.chance:
        return "though their own notes ruled it out"
    return f"{share(accused.chance)} sure"


@view(Review, "sentence")
def review_sentence(review: Review, which: str = "story") -> str:
    """Return the story of a game, or what of it is `unjudged`."""
    return sentences(*(_unjudged(review) if which == "unjudged" else _story(review)))


def _story(review: Review) -> Iterator[str]:
    """
    Yield the sentences of a game, to be read aloud.

    A chance is the one that a player's own notes gave to what was so, or was accused.
    """
    # How it ended, and who accused wrongly before.
    yield _ending(review)
    for each in review.accusations:
        if not each.right:
            sure = "" if each.verdict == "unknown" else f", {_how_sure(each)}"
            yield f"{each.seat} accused wrongly in entry {each.entry}{sure}"

    # What decided it: wins that were missed, else the winner's greatest step.
    missed = [f"{each.seat} in entry {each.entry}" for each in review.of("missed win")]
    steps = review.of("swing", seat=review.winner) if review.winner else ()
    step = max(steps, key=lambda each: sort_key(each.after - each.before), default=None)
    if missed:
        yield f"before that, {listed(missed)} could have proved it but did not accuse"
    elif step is not None:
        rise = f"of naming the solution from {share(step.before)} to {share(step.after)}"
        asked = _suggestion_in(review, step.entry)
        if asked is not None and asked.seat == step.seat:
            yield f"{step.seat}'s question in entry {step.entry} raised the chance {rise}"
        else:
            yield f"entry {step.entry} raised {step.seat}'s chance {rise}"

    # Who got the luckiest answer and who the unluckiest.
    kinds: tuple[Kind, ...] = ("lucky", "unlucky")
    for kind in kinds:
        found = max(review.of(kind), key=lambda each: sort_key(each.weight), default=None)
        if found is not None:
            yield f"the {kind[:-1]}iest answer was {found.seat}'s, in entry {found.entry}"

    # What each player who is judged could have done better: what cost most.
    well: list[str] = []
    for seat in review.seats:
        asked_by = [each for each in review.suggestions if each.seat == seat.seat]
        if mistakes := review.mistakes(seat.seat):
            worst = max(mistakes, key=lambda each: (sort_key(each.weight), -each.entry))
            yield f"{seat.seat} could have {_instead(review, worst)} in entry {worst.entry}"
        elif seat.whole and asked_by and all(each.label for each in asked_by):
            well.append(seat.seat)
    if well and len(well) == len(review.seats):
        yield "nobody made a mistake worth mentioning"
    elif well:
        yield f"{listed(well)} made no mistake worth mentioning"


def _ending(review: Review) -> str:
    """Return who won, when, and how sure of it."""
    solution = listed(review.solution)
    won = next((each for each in review.accusations if each.right), None)
    if won is None:
        return f"nobody won: it was {solution}"
    sure = "" if won.verdict == "unknown" else f", {_how_sure(won)}"
    return f"{won.seat} won with {solution} in entry {won.entry}{sure}"


def _suggestion_in(review: Review, entry: int) -> SuggestionReview | None:
    return next((each for each in review.suggestions if each.entry == entry), None)


def _instead(review: Review, mistake: Highlight) -> str:
    """Return what somebody could have done in place of a mistake."""
    asked = _suggestion_in(review, mistake.entry)
    if mistake.kind == "wasted question" and asked is not None:
        other = [card for card in asked.best if card not in mistake.cards]
        return f"asked for {listed(other)} instead"
    if mistake.kind == "rash":
        return "waited" if mistake.before else "checked their own notes"
    return "accused"


def _unjudged(review: Review) -> Iterator[str]:
    """Yield what cannot be judged, and why."""
    unheld = [seat.seat for seat in review.seats if not seat.held]
    part = [seat.seat for seat in review.seats if seat.timeline and not seat.whole]
    if unheld:
        yield f"these notes do not say what {listed(unheld)} held, so their play is not judged"
    if part:
        yield f"{listed(part)} saw more than these notes tell, so only what is certain is judged"
    if review.open_before:
        yield f"before entry {review.open_before} too much was open to judge anything"
    elif review.plain_before:
        yield f"before entry {review.plain_before} the chances go by the rules alone"


@view(Review, "line")
def review_line(review: Review) -> str:
    """Return which game it was, and how it ended, as one line."""
    return f"{review.table.edition.title}; {_ending(review)}"


def review_page(review: Review) -> str:
    """Return the review as an HTML file of its own."""
    from clue_solver.views.html import page  # only pages need its templates

    title, *blocks = document(review)
    log = Rows("The log", [(str(number), line) for number, line in enumerate(review.lines, 1)])
    return page(title.text, STYLE, as_html([*blocks, log]))  # type: ignore[union-attr]


@view(Review, "document")
def review_document(review: Review) -> Iterator[Block]:
    """Yield the whole review."""
    yield Line(f"{review.table.edition.title}: {', '.join(review.solution)}", "bold")
    yield Line(review.story)
    if players := [_player(review, seat) for seat in review.seats if seat.timeline]:
        yield chances(review)
        yield Rows(
            "The players",
            players,
            ("player", "could prove it", "at 50%", "at the end", "questions", "luck", "mistakes"),
            (0,),
        )
    if review.unjudged:
        yield Line(review.unjudged, "dim")
    turning = [
        (str(entry), " ".join(each.text for each in points))
        for entry, points in groupby(review.turning, key=lambda each: each.entry)
    ]
    accused = [
        (str(each.entry), f"{each.seat}: {', '.join(each.cards)}. {sentences(each.why)}")
        for each in review.accusations
    ]
    mistakes = [(str(each.entry), each.text) for each in review.of(*MISTAKES)]
    lists = {"Turning points": turning, "Accusations": accused, "Mistakes": mistakes}
    yield from (Rows(title, rows) for title, rows in lists.items() if rows)
    if review.suggestions:
        yield accuracies(review)
        heads = ("entry", "player", "asked", "verdict", "better")
        asked = [_suggestion(review, each) for each in review.suggestions]
        yield Rows("The questions", asked, heads, (1, 2, 3, 4))
        yield Line(LEGEND, "dim")


def _player(review: Review, seat: SeatReview) -> Sequence[str]:
    """Return a row of the players: what each knew, how each asked."""
    proved, even = (
        "never" if entry is None or entry >= review.over else f"entry {entry}"
        for entry in (seat.proved, seat.even)
    )
    last = seat.after(review.over - 1)
    kinds: tuple[Kind, ...] = ("lucky", "unlucky")
    answers = [(len([*review.of(kind, seat=seat.seat)]), kind) for kind in kinds]
    mistakes = len(review.mistakes(seat.seat))
    return (
        seat.seat,
        proved,
        even,
        "" if last is None else share(last.true_chance),
        "" if seat.accuracy is None or not seat.whole else share(seat.accuracy),
        ", ".join(f"{many} {kind}" for many, kind in answers if many),
        str(mistakes) if seat.whole or mistakes else "",
    )


def _suggestion(review: Review, asked: SuggestionReview) -> Sequence[str]:
    """Return a row of the questions."""
    luck = [each.kind for each in review.of("lucky", "unlucky") if each.entry == asked.entry]
    return (
        str(asked.entry),
        asked.seat,
        ", ".join(asked.cards),
        ", ".join(filter(None, (asked.label, *luck))),
        "" if asked.label == "best" else ", ".join(asked.best),
    )


@view(Season, "line")
def season_line(season: Season) -> str:
    """Return how many games and players it is about."""
    line = f"{counted(season.games, 'game')}, {counted(len(season.players), 'player')}"
    if season.unfinished:
        line += f"; {counted(season.unfinished, 'unfinished game')} skipped"
    return line


@view(Season, "document")
def season_document(season: Season) -> Iterator[Block]:
    """Yield a season: its players, and how to read the columns."""
    rows = [
        (
            player.seat,
            f"{player.wins} of {player.games}",
            "" if player.accuracy is None else share(player.accuracy),
            f"{player.luck:+d}" if player.luck else "0",
            str(player.mistakes),
            f"{player.rating:.0f}",
        )
        for player in season.players
    ]
    heads = ("player", "won", "questions", "luck", "mistakes", "rating")
    yield Rows(season_line(season), rows, heads, (0,))
    yield Line(
        "questions: how much they could tell, compared with the best ones; luck: lucky answers "
        "minus unlucky ones; mistakes: wasted questions, rash accusations, proofs not used",
        "dim",
    )


@view(Standings, "line")
def standings_line(standings: Standings) -> str:
    """Return what was played, and how often."""
    return f"{', '.join(standings.editions)}: {counted(standings.games, 'game')}"


@view(Standings, "document")
def standings_document(standings: Standings) -> Iterator[Block]:
    """Yield who won how often, and what moving first was worth."""
    rows = []
    for player in standings.players:
        low, high = player.interval
        rate, interval = f"{100 * player.rate:.1f}%", f"{100 * low:.1f} to {100 * high:.1f}%"
        counts = (str(player.games), str(player.wins), rate, interval)
        rows.append((player.player, *counts, str(player.wrong_accusations)))
    heads = ("player", "games", "wins", "rate", "95% interval", "wrong")
    yield Rows(standings_line(standings), rows, heads, (0,))
    yield Line(f"whoever moved first won {100 * standings.first:.1f}% of the games")
    yield Line(f"games without a winner: {standings.unsolved}")
