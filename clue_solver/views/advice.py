"""Advice as a document: what to do and why, other suggestions, what to do after each answer."""

from collections.abc import Iterator, Sequence
from math import hypot

from clue_solver.answers.advice import LEAST_CHANCE, Advice, FollowUp, RankedSuggestion
from clue_solver.answers.display import chance_text, share, view
from clue_solver.errors import listed
from clue_solver.rules.edition import Edition
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.headlines import LEAST, bonus_text, headline, right_text, waiting_reason
from clue_solver.views.reports import viewpoint
from clue_solver.views.sentences import card_list

ROWS = 3
"""How many suggestions are listed by default."""

LEAST_REST = 0.01
"""The least chance of all other answers together for which they get a row."""

_COLUMNS = Rows(
    "What the numbers mean",
    (
        (
            "in simulated games",
            "whether you win more or less often than with the first suggestion, if you suggest "
            "that now, and then the likeliest cards in each of your turns",
        ),
        ("bits", "how much the answer tells: one bit halves the number of possible solutions"),
        ("settles", "the chance that you know the solution after the answer"),
        ("best after", "the chance that your best guess is right after the answer"),
        ("getting there", "the chance that the dice take you to the room"),
    ),
)


@view(Advice, "document")
def advice_document(
    advice: Advice, *, most: int | None = None, explain: bool = False
) -> Iterator[Block]:
    """
    Yield what to do and why, then tables of the choices.

    Args:
        advice: The advice.
        most: How many suggestions to list, even if no games were simulated for them; by default
            the best three, and only simulated ones if there are any.
        explain: Whether to show all numbers, and to explain them.
    """
    to_do = headline(advice, rivals=False)  # a table has them all
    yield Line(to_do.text, "bold")
    if to_do.remark:
        yield Line(to_do.remark)
    if advice.partial:
        yield Line(viewpoint(advice.viewer), "dim")
    if not advice.certain:
        shown = _suggestions(advice, most)
        if shown:
            yield _suggestion_rows(advice, shown, explain=explain)
        accuse = advice.accuse
        promising = accuse.win_wait is not None and (accuse.win_now or 0.0) >= LEAST_CHANCE
        if promising and advice.kind in ("ask", "go"):
            best = f"Your best accusation ({', '.join(accuse.cards)})"
            reason = f"Not yet. {right_text(accuse, best)} {waiting_reason(advice)}"
            yield Rows("Should you accuse?", [("", reason)])
        if advice.kind == "use":
            uses = (
                (f"{use.gain:.2f} bits" if explain else "", bonus_text(use)) for use in advice.uses
            )
            yield Rows("The bonus die, best first", tuple(uses))
        if advice.replies:
            yield _reply_rows(advice)
        if advice.left_out and explain:
            yield Rows(f"{advice.left_out:,} more suggestions, with fewer open cards, left out.")
        if advice.opponents:
            yield _rival_rows(advice)
    if explain:
        yield _COLUMNS


def _suggestions(advice: Advice, most: int | None) -> Sequence[RankedSuggestion]:
    """
    Return the suggestions to list, the advised one first.

    Args:
        advice: The advice.
        most: How many to list; `None` for the best three, of those for which games were simulated
            if there are any.
    """
    played = [each for each in advice.choices if each.win is not None]
    if most is None and played:
        return played[:ROWS]
    return advice.choices[: most or ROWS]


def _suggestion_rows(advice: Advice, shown: Sequence[RankedSuggestion], *, explain: bool) -> Rows:
    """
    Return a table of suggestions.

    Args:
        advice: The advice.
        shown: The suggestions to list.
        explain: Whether to show the figures of each suggestion besides the words.
    """
    columns: dict[str, list[str]] = {}
    if explain:
        columns["bits"] = [
            f"{each.gain:.2f}" + (f" ±{each.error:.2f}" if each.error else "") for each in shown
        ]
        columns["settles"] = [chance_text(each.settles) for each in shown]
        columns["best after"] = [chance_text(each.best_after) for each in shown]
    if any(each.reach < 1 for each in shown):
        columns["getting there"] = [share(each.reach) for each in shown]
    columns["suggestion"] = [", ".join(each.cards) for each in shown]
    words = len(columns) - 1
    asked = advice.ask
    if asked is not None and asked.win is not None and len(shown) > 1:
        columns["in simulated games"] = [_comparison(each, asked) for each in shown]
    title = "If you suggest instead" if advice.kind == "accuse" else "What to suggest"
    rows = [*zip(*columns.values(), strict=True)]
    return Rows(title, rows, tuple(columns), (*range(words, len(columns)),))


def _comparison(each: RankedSuggestion, asked: RankedSuggestion) -> str:
    """Return, in words, how often a suggestion wins compared with `asked`, the advised one."""
    if each.cards == asked.cards:
        return "first choice"
    if each.win is None or asked.win is None:
        return ""
    ahead = each.win - asked.win
    error = hypot(each.win_error or 0.0, asked.win_error or 0.0)
    if ahead < -error:
        return "wins less often than the first"
    if ahead >= error and each.reach < asked.reach:
        return "better, if you reach it"
    return "about as good as the first"


def _reply_rows(advice: Advice) -> Rows:
    """Return a table of what to do after each likely answer, with the chance of each."""
    rows = [_reply_row(reply, advice.edition) for reply in advice.replies]
    rest = 1 - sum(reply.probability for reply in advice.replies)
    if rest >= LEAST_REST:
        rows.append((f"any other answer ({chance_text(rest)})", "ask for advice again"))
    return Rows("After the answer (chances from your sheet)", rows, (), (0, 1))


def _reply_row(reply: FollowUp, edition: Edition | None) -> tuple[str, str]:
    """
    Return a row for an answer: the answer with its chance, and what to do after it.

    `edition` is used for articles before the names of cards; `None` for none.
    """
    shown = (f"{seat} shows {card_list([card], edition)}" for seat, card in reply.shows)
    shows = listed(shown) or "nobody shows a card"
    then = headline(reply.then).text.rstrip(".")
    then = f"suggest {', '.join(reply.cards)}" if reply.kind == "ask" else then
    return f"if {shows} ({chance_text(reply.probability)})", f"{then[0].lower()}{then[1:]}"


def _rival_rows(advice: Advice) -> Rows:
    """Return a table of the chance that each remaining rival has solved the game."""
    still = [each for each in advice.opponents if not each.out]
    close = [(each.seat, chance_text(each.knows)) for each in still if each.knows >= LEAST]
    if not close:
        return Rows("It's unlikely that anybody else has solved it yet.")
    if len(close) < len(still):
        close.append(("the others", "very unlikely"))
    return Rows("Who may already have solved it, going by what you've seen", close, (), (0, 1))
