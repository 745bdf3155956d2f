"""
Advice as a page: what to do and why, what else to suggest, what to do after each answer.
"""

from collections.abc import Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from clue_solver.answers.advice import ALMOST, LEAST_CHANCE, Advice, FollowUp, RankedSuggestion
from clue_solver.answers.display import share, view
from clue_solver.errors import listed
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.headlines import LEAST, headline, waiting_reason
from clue_solver.views.reports import viewpoint
from clue_solver.views.sentences import a_chance

LEAST_TOLD = 0.03
"""By how much what the others did must change a chance for that to be told."""

ROWS = 3
"""How many suggestions are listed where nothing else is said."""

LEAST_REST = 0.01
"""How likely other answers must be to be named."""

ROUGH = 2.5
"""Beyond how many times the error of what is advised a chance to win is too rough to be listed."""

_COLUMNS = Rows(
    "What the numbers mean",
    (
        (
            "you win",
            "how often you win if you suggest that now, as if you were in its room, and then the "
            "most likely cards in each of your turns: in simulated games, from what you know",
        ),
        ("bits", "what the answer tells: one bit halves what can be in the envelope"),
        ("settles", "that you know all after the answer"),
        ("best after", "that your best guess is right then"),
        ("get there", "that the dice take you to the room"),
    ),
)


@view(Advice, "document")
def advice_document(
    advice: Advice, *, most: int | None = None, explain: bool = False
) -> Iterator[Block]:
    """
    Yield what to do and why, then the choices.

    Args:
        advice: What is told.
        most: How many suggestions to list, also such as no games were played on for.
        explain: Whether to tell all numbers, and what they mean.
    """
    told = headline(replace(advice, quick=True, opponents=()))  # the tables have the numbers
    yield Line(told.text, "bold")
    if told.remark:
        yield Line(told.remark)
    if advice.partial:
        yield Line(viewpoint(advice.viewer), "dim")
    if not advice.certain:
        shown = _listed(advice, most)
        if shown:
            yield _table(advice, shown, explain=explain)
            if shown[0].win is not None:
                yield Line("± is the margin of error, in percentage points.", "dim")
        if why := [*_why(advice, shown)]:
            yield Rows("Why", [("", line) for line in why])
        if advice.kind == "use":
            uses = ((f"{use.gain:.2f} bits" if explain else "", use.action) for use in advice.uses)
            yield Rows("The bonus die, best first", tuple(uses))
        if advice.replies:
            yield _after(advice)
        if advice.left_out and explain:
            yield Rows(f"{advice.left_out:,} more suggestions, with fewer open cards, left out.")
        if advice.opponents:
            yield _rivals(advice)
    if explain:
        yield _COLUMNS


@view(Advice, "line")
def advice_line(advice: Advice) -> str:
    """Return whose advice it is, and what to do, as one line."""
    return f"{advice.viewer or 'spectator'}: {headline(advice).text}"


def _listed(advice: Advice, most: int | None) -> Sequence[RankedSuggestion]:
    """Return the suggestions to list, the advised one first."""
    played = [each for each in advice.choices if each.win is not None]
    if most is not None or not played:
        return advice.choices[: most or ROWS]
    rough = ROUGH * (played[0].win_error or 0.0)
    return [each for each in played if (each.win_error or 0.0) <= rough][:ROWS]


def _table(advice: Advice, shown: Sequence[RankedSuggestion], *, explain: bool) -> Rows:
    """Return suggestions, what each wins, what it tells, and whether the dice lead to its room."""
    columns: dict[str, list[str]] = {}
    if any(each.win is not None for each in shown):
        columns["you win"] = ["" if each.win is None else _won(each) for each in shown]
    if explain:
        columns["bits"] = [
            f"{each.gain:.2f}" + (f" ±{each.error:.2f}" if each.error else "") for each in shown
        ]
        columns["settles"] = [share(each.settles) for each in shown]
        columns["best after"] = [share(each.best_after) for each in shown]
    if any(each.reach < 1 for each in shown):
        columns["get there"] = [share(each.reach) for each in shown]
    columns["suggestion"] = [", ".join(each.cards) for each in shown]
    title = "If you suggest instead" if advice.kind == "accuse" else "What to suggest"
    rows = [*zip(*columns.values(), strict=True)]
    return Rows(title, rows, tuple(columns), (len(columns) - 1,))


def _why(advice: Advice, shown: Sequence[RankedSuggestion]) -> Iterator[str]:
    """Yield what is a toss-up, and why one accuses or waits, with numbers."""
    accuse, asked = advice.accuse, advice.ask
    if advice.kind == "ask" and asked is not None:
        close, ahead = ([*_by_wins(shown, asked, sign)] for sign in (0, 1))
        if close:
            are = "is" if len(close) == 1 else "are"
            yield f"{' and '.join(close)} {are} about as good: too small a difference to matter."
        if ahead:
            yield f"{' and '.join(ahead)} did better in these games, but not by enough to be sure."
        if advice.beaten:
            obvious = ", ".join(advice.beaten)
            yield f"The obvious suggestion: {obvious}, the likeliest cards that tell you anything."
    if accuse.win_now is None or accuse.win_wait is None or accuse.win_error is None:
        return
    accuses = advice.kind == "accuse"
    if not accuses and accuse.win_now < LEAST_CHANCE:
        return
    wait = _chance(accuse.win_wait, accuse.win_error)
    cards = ", ".join(accuse.cards)
    instead = "suggesting first" if advice.kind == "ask" else "waiting"
    now = f"Accusing {cards} now wins {share(accuse.win_now)} of the time; {instead} wins {wait}."
    yield now if accuses else f"Don't accuse yet. {now}"
    if not accuses and accuse.win_now > accuse.win_wait:
        yield waiting_reason(advice)
    rival = advice.rival
    if rival is not None and rival.knows >= LEAST_CHANCE:
        knows = share(rival.knows)
        yield f"Both figures allow for {rival.seat} having solved it already ({knows})."
    if abs(accuse.win_now - accuse.probability) > LEAST_TOLD:
        moves = "raises" if accuse.win_now > accuse.probability else "lowers"
        yield (
            f"Going by your notes alone, that accusation has {a_chance(share(accuse.probability))} "
            "of being right. What the others have suggested, and that they haven't accused, "
            f"{moves} it to {share(accuse.win_now)}."
        )


def _by_wins(
    shown: Sequence[RankedSuggestion], asked: RankedSuggestion, sign: int
) -> Iterator[str]:
    """Yield the suggestions that win as often as the advised one, by a sign of 1 those ahead."""
    for each in shown:
        if each.cards == asked.cards or each.win is None or asked.win is None:
            continue
        ahead = each.win - asked.win
        error = hypot(each.win_error or 0.0, asked.win_error or 0.0)
        if (ahead > error) - (ahead < -error) == sign:
            yield ", ".join(each.cards)


def _after(advice: Advice) -> Rows:
    """Return what to do after each of the likeliest answers, and how likely are others."""
    rows = [*map(_then, advice.replies)]
    rest = 1 - sum(reply.probability for reply in advice.replies)
    if rest >= LEAST_REST:
        rows.append((f"other answers ({share(rest)})", "ask for advice again"))
    return Rows("After that", rows, (), (0, 1))


def _then(reply: FollowUp) -> tuple[str, str]:
    """Return an answer, and what to do after it."""
    shows = listed(f"{seat} shows {card}" for seat, card in reply.shows) or "nobody shows a card"
    then = headline(reply.then).text.rstrip(".")
    then = f"suggest {', '.join(reply.cards)}" if reply.kind == "ask" else then
    return f"if {shows} ({share(reply.probability)})", f"{then[0].lower()}{then[1:]}"


def _rivals(advice: Advice) -> Rows:
    """Return how likely each other player who is still in has the solution."""
    still = [each for each in advice.opponents if not each.out]
    close = [(each.seat, share(each.knows)) for each in still if each.knows >= LEAST]
    if not close:
        return Rows("As far as you can tell, nobody else is likely to have solved it yet.")
    if len(close) < len(still):
        close.append(("the others", "very unlikely"))
    return Rows("Who may already have solved it, as far as you can tell", close, (), (0, 1))


def _won(suggestion: RankedSuggestion) -> str:
    return _chance(suggestion.win or 0.0, suggestion.win_error or 0.0)


def _chance(win: float, error: float) -> str:
    """Return a chance to win with its error."""
    return f"{share(min(win, ALMOST))} ± {max(round(100 * error), 1)}"
