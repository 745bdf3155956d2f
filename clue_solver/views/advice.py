"""
Advice as a page: what to do and why, what else could be asked, what to do after each answer.
"""

from collections.abc import Iterator

from clue_solver.answers.advice import ALMOST, LEAST_CHANCE, Advice, FollowUp, RankedSuggestion
from clue_solver.answers.display import share, view
from clue_solver.errors import listed
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.headlines import headline, odds, waiting_reason

LEAST_TOLD = 0.03
"""By how much what the others did must change a chance for that to be told."""

ROWS = 3
"""How many suggestions are listed where nothing else is said."""

ROUGH = 2.5
"""Beyond how many times the error of what is advised a chance to win is too rough to be listed."""


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
    told = headline(advice)
    yield Line(told.text, "bold")
    yield Line(told.remark)
    heads, rows = ranking(advice, most=most, explain=explain)
    if rows:
        yield Rows(choices_title(advice), rows, heads, (len(heads) - 1,))
    yield from advice_sections(advice, explain=explain)
    if explain:
        yield _COLUMNS


_COLUMNS = Rows(
    "What the numbers mean",
    (
        (
            "you win",
            "how often you win if you ask that now, as if you were in its room, and then for the "
            "likeliest cards in each of your turns: by simulated games, from what you know",
        ),
        ("bits", "what the answer tells: one bit halves what can be in the envelope"),
        ("settles", "that you know all after the answer"),
        ("best after", "that your best guess is right then"),
        ("reach", "that the dice take you there"),
    ),
)


@view(Advice, "line")
def advice_line(advice: Advice) -> str:
    """Return whose advice it is, and what to do, as one line."""
    return f"{advice.viewer or 'spectator'}: {headline(advice).text}"


def advice_sections(advice: Advice, *, explain: bool = False) -> Iterator[Block]:
    """Yield what stands under the choices."""
    if advice.certain:
        return
    if why := [*_why(advice)]:
        yield Rows("Why", tuple(("", line) for line in why))
    if advice.kind == "use":
        uses = ((f"{use.gain:.2f} bits" if explain else "", use.action) for use in advice.uses)
        yield Rows("The bonus die, best first", tuple(uses))
    if advice.replies:
        yield Rows("And then", tuple(_then(reply) for reply in advice.replies))
    if advice.left_out and explain:
        unweighed = f"{advice.left_out:,} more suggestions, with fewer open cards, were left out."
        yield Rows(unweighed, ())
    if advice.opponents:
        close = [
            (opponent.seat, "out" if opponent.out else odds(opponent.knows))
            for opponent in advice.opponents
        ]
        told = [(seat, words) for seat, words in close if words]
        others = "nobody" if not told else "the others"
        if len(told) < len(close):
            told.append((others, "hardly yet" if told else "is close yet"))
        yield Rows("Who else may know it", tuple(told))


def _why(advice: Advice) -> Iterator[str]:
    """Yield why that is asked, and why one accuses or waits, with numbers."""
    accuse, asked = advice.accuse, advice.ask
    if advice.kind == "ask" and asked is not None and asked.win is not None:
        better = any((each.win or 0.0) > asked.win for each in advice.suggestions)
        if advice.clearly:
            yield "In simulated games it wins clearly more than asking for the likeliest cards."
        elif better:
            yield "Nothing clearly wins more: differences as small as these can be chance."
    if accuse.win_now is None or accuse.win_wait is None or accuse.win_error is None:
        return
    cards, wait = ", ".join(accuse.cards), won(accuse.win_wait, accuse.win_error)
    now = f"accuse {cards} now and you win {share(accuse.win_now)}; wait and you win {wait}."
    if advice.kind == "accuse":
        yield f"{now[0].upper()}{now[1:]}"
    elif accuse.win_now >= LEAST_CHANCE:
        yield f"Do not accuse yet: {now}"
        if accuse.win_now > accuse.win_wait:
            yield waiting_reason(advice)
    likely = max(accuse.win_now, accuse.probability) >= LEAST_CHANCE
    if likely and abs(accuse.win_now - accuse.probability) > LEAST_TOLD:
        yield (
            f"By your notes alone it is right {share(accuse.probability)}; the rest is what the "
            "others ask for, and do not accuse."
        )


def _then(reply: FollowUp) -> tuple[str, str]:
    """Return an answer, and what to do after it."""
    shows = listed(f"{seat} shows {card}" for seat, card in reply.shows) or "nobody shows"
    then = headline(reply.then).text.rstrip(".")
    then = f"next ask {', '.join(reply.cards)}" if reply.kind == "ask" else then
    return f"{shows} ({share(reply.probability)})", f"{then[0].lower()}{then[1:]}"


def won(win: float, error: float) -> str:
    """Return a chance to win with its error."""
    return f"{share(min(win, ALMOST))} ± {max(round(100 * error), 1)}"


def choices_title(advice: Advice) -> str:
    """Return what stands over the suggestions."""
    return "If you ask instead" if advice.kind == "accuse" else "What to ask"


def ranking(
    advice: Advice, *, most: int | None = None, explain: bool = False
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """
    Return what can be asked as a table: its headings, and a row for each, the verdict's first.

    There is no row where nothing is left to ask. Arguments are those of `advice_document`.
    """
    choices = () if advice.certain else advice.choices
    played = [each for each in choices if each.win is not None]
    board = any(suggestion.reach < 1 for suggestion in choices)
    chosen = choices[: most or ROWS]
    if played and most is None:
        rough = ROUGH * (played[0].win_error or 0.0)
        chosen = tuple(each for each in played if (each.win_error or 0.0) <= rough)[:ROWS]
    heads = (
        *(("you win",) if played else ()),
        *(("bits", "settles", "best after") if explain else ()),
        *(("reach",) if board else ()),
        "suggestion",
    )
    return heads, [
        tuple(_cells(each, played=bool(played), board=board, explain=explain)) for each in chosen
    ]


def _cells(
    suggestion: RankedSuggestion, *, played: bool, board: bool, explain: bool
) -> Iterator[str]:
    if played:
        win, error = suggestion.win, suggestion.win_error
        yield "" if win is None or error is None else won(win, error)
    if explain:
        error = suggestion.error
        yield f"{suggestion.gain:.2f}" + (f" ±{error:.2f}" if error else "")
        yield share(suggestion.settles)
        yield share(suggestion.best_after)
    if board:
        yield share(suggestion.reach)
    yield ", ".join(suggestion.cards)
