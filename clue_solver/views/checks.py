"""A check in words: why a log is wrong, likely corrections, and turns out of order."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.display import chance_text, view
from clue_solver.answers.turns import OddTurn
from clue_solver.errors import listed
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.reasons import NOTABLE, STEPS, argument_rows
from clue_solver.views.reports import clash_title, quote, viewpoint
from clue_solver.views.sentences import clause

NO_CORRECTION = (
    "No usual slip in a single entry explains the contradiction: more than one may be wrong."
)
"""What to say if no correction of a contradictory log is found."""

_ODD_TURNS = {
    "again": "takes two turns in a row",
    "left out": "went",
    "out": "takes a turn, though already out of the game",
}

_MOST_CORRECTIONS = 8
"""The most corrections that are listed."""


@view(Check, "document")
def check_document(check: Check) -> Iterator[Block]:
    """Yield whether the log is consistent; if not, why not, and the likely corrections."""
    found = "is consistent" if check.consistent else "contradicts itself"
    yield Line(f"The log {found}.", "bold")
    if check.partial:
        yield Line(viewpoint(check.viewer), "dim")
    if check.consistent:
        yield from map(Line, turn_texts(check.turns, check.viewer))
        return
    if check.conflict:
        rows = [*quote(check.lines, check.conflict)]
        yield Rows(clash_title(check.conflict), rows)
    yield Rows(STEPS, [*argument_rows(check.steps)])
    yield _corrections(check)
    if odd := [("", text) for text in turn_texts(check.turns, check.viewer)]:
        yield Rows("Turn order", odd)


def _corrections(check: Check) -> Rows:
    """Return a table of likely corrections, likeliest first."""
    likely = [each for each in check.corrections if each.probability >= NOTABLE]
    best = likely[:_MOST_CORRECTIONS]
    if not best:
        return Rows(NO_CORRECTION)
    rows = [
        (chance_text(correction.probability), correction_text(correction)) for correction in best
    ]
    if len(check.corrections) > len(best):
        rest = max(0.0, 1.0 - sum(correction.probability for correction in best))
        rows.append((chance_text(rest), "all other fixes together"))
    wrong = listed(map(str, check.conflict), "or")
    rows.append(("", f"None of these? Correct {f'entry {wrong}' if wrong else 'it'} yourself."))
    order = "most likely" if best[0].weighed else "most common slips"
    return Rows(f"What you may have meant, if you made just one slip ({order} first)", rows)


def turn_texts(turns: Sequence[OddTurn] | None, viewer: str | None) -> Iterator[str]:
    """
    Yield a sentence for each turn of a log that is out of order.

    Args:
        turns: These turns; `None` if the order of turns could not be checked.
        viewer: The player who reads the text; `None` for a spectator.

    >>> odd = OddTurn(7, "again", "Ben", "Cat"), OddTurn(9, "left out", "Dan", "Cat")
    >>> print(*turn_texts(odd, "Cat"), sep="\\n")
    Entry 7: Ben takes two turns in a row.
    Entry 9: Dan went, but you were next.
    That's fine if the skipped players made no suggestion.
    """
    if turns is None:
        yield "Turn order isn't checked: too many turns are missing from this log."
        return
    for turn in turns:
        odd = clause([turn.seat], _ODD_TURNS[turn.kind], viewer)
        if turn.kind == "left out":
            odd += f", but {clause([str(turn.expected)], 'was', viewer)} next"
        yield f"Entry {turn.entry}: {odd}."
    if any(turn.kind == "left out" for turn in turns):
        yield "That's fine if the skipped players made no suggestion."


def correction_text(change: Correction, where: str = "") -> str:
    """
    Return what a correction changes; what stays the same is left out.

    Args:
        change: The correction.
        where: What the reader calls the entry; empty for its number in the log.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> correction_text(game.check().corrections[0])
    'entry 2: Ben shows Hall, not Cat'
    """
    where = where or (f"entry {change.entry}" if change.entry else "the header")
    before, after = (_PARTS.findall(line) for line in (change.before, change.after))
    # A show implies the passes before it: they are left out, unless only they are corrected.
    short = [[part for part in line if " passes" not in part] for line in (before, after)]
    if short[0] != short[1] and all(sum(" shows" in part for part in line) == 1 for line in short):
        before, after = short
    changes = Counter[str]()
    swaps: list[tuple[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = ", ".join(before[a:b]), ", ".join(after[c:d])
        match kind:
            case "replace" if b - a == d - c:
                for was, now in zip(before[a:b], after[c:d], strict=True):
                    # The same name may be wrong twice: the card asked for and shown.
                    swaps.append((was, now))
                    old, new = next(swap for swap in swaps if was.replace(*swap) == now)
                    changes[_instead(old, new)] += 1
            case "replace":
                changes[_instead(old, new)] += 1
            case "delete" if " shows" in old:
                passed = any(part.endswith(" passes") for part in _PARTS.findall(change.after))
                what = f'"{old}"' if passed else "all answers"
                changes[f"leave out {what}, if you aren't sure"] += 1
            case "delete":
                changes[f'leave out "{old}"'] += 1
            case "insert":
                changes[f'add "{new}"'] += 1
    texts = (f"{text}, both times" if times == 2 else text for text, times in changes.items())
    return f"{where}: {'; '.join(texts)}"


def _instead(old: str, new: str) -> str:
    """
    Return two versions of a part of a line as `new, not old`, without the words that both share.

    `Ben shows Hall` in place of `Cat shows Hall` gives `Ben shows Hall, not Cat`.
    """
    was, now = _DEED.fullmatch(old), _DEED.fullmatch(new)
    if was and now and was["does"] == now["does"]:
        if was["who"] == now["who"] and was["what"]:
            old = was["what"]
        elif now["what"].startswith(was["what"]):
            old = was["who"]
    return f"{new}, not {old}"


_DEED = re.compile(
    r"(?:.* knows )?(?P<who>.*?) "
    r"(?P<does>suggests|holds|shows|passes|reveals|has|lacks|looks at|points at)\b ?(?P<what>.*)"
)
"""The parts of a line that says who does or has what."""

_PARTS = re.compile(r"\w[^,:]*? (?:suggests|holds)\b|\w[^,:]*")
"""The parts of a line that can change by themselves: who does something, and each name."""
