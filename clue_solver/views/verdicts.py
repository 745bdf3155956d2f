"""
A finished game in sentences: verdicts on accusations, missed deductions, turning points, the story.
"""

from collections.abc import Sequence

from clue_solver.answers import review
from clue_solver.answers.display import percent, share, view
from clue_solver.errors import listed, named_entries, sentences
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.notation.names import joined


@view(review.AccusationReview, "sentence")
def accusation_text(accused: review.AccusationReview) -> str:
    """Return the verdict on an accusation, to follow its word or who made it."""
    if accused.verdict == "unknown":
        return "cannot be told from these notes"
    why = f"{'right' if accused.right else 'wrong'}, {_how_sure(accused)}"
    if accused.passed_up is not None:
        why += f", before their turn in entry {accused.passed_up}"
    elif accused.missed_turn:
        why += "; they could have accused a turn earlier"
    if accused.verdict == "rash" and accused.chance:
        why += ", where accusing was not clearly better than waiting"
    if accused.verdict == "unlucky":
        why += ": bad luck rather than haste"
    if accused.likelier is not None:
        cards, chance = accused.likelier
        why += f"; {', '.join(cards)} was likelier, at {percent(chance)} %"
    return why


def judged_text(accused: review.AccusationReview) -> str:
    """Return the verdict on an accusation and why, the word once."""
    why = accusation_text(accused)
    if accused.verdict == "right":
        return f"{why[0].upper()}{why[1:]}"
    return f"{accused.verdict.title()}: {why}"


@view(review.MissedDeduction, "sentence")
def missed_text(missed: review.MissedDeduction) -> str:
    """Return what a seat could prove and did not use, to follow its name."""
    cards = ", ".join(missed.cards)
    match missed.kind:
        case "solution":
            return f"could prove {cards} and did not accuse in {named_entries(missed.turns)}"
        case "question":
            return (
                f"asked for {cards} although every answer was certain; {', '.join(missed.best)} "
                f"was expected to bring {missed.best_gain:.2f} bits"
            )
        case "accusation":
            what = f"accused {cards}, which their own notes excluded"
            if 0 < len(missed.alone) < len(missed.cards):
                what += f", {joined(missed.alone, 'and')} above all"
            return what


@view(review.TurningPoint, "sentence")
def turning_text(point: review.TurningPoint) -> str:
    """Return what an entry changed."""
    swings = [
        f"{joined(moment.seats)}{'' if number else ' went'} from {share(moment.before)} to "
        f"{share(moment.after)}"
        for number, moment in enumerate(each for each in point.moments if each.kind == "swing")
    ]
    told = [f"{listed(swings)}."] if swings else []
    told += (_moment_text(moment) for moment in point.moments if moment.kind != "swing")
    return " ".join(told)


def _moment_text(moment: review.KeyMoment) -> str:
    who = joined(moment.seats, "and")
    match moment.kind:
        case "lead":
            leader, behind = (joined([seat]) for seat in moment.seats)
            return f"{leader} overtook {behind}."
        case "out":
            return f"{who} made a wrong accusation and was out."
        case _:
            if not moment.seats:
                return "Everybody could prove the solution at once."
            return f"{who} could prove the solution{' first' if moment.first else ''}."


@view(review.Unweighed, "sentence")
def unweighed_text(left: review.Unweighed) -> str:
    """Return what was too much to weigh."""
    match left.kind:
        case "behaviour":
            notes = joined(left.seats, "and")
            return f"How people ask is left out of the notes of {notes}: too much is open."
        case "notes":
            return (
                f"What {joined(left.seats)} knew after {named_entries(left.entries)} is not "
                "counted: too much is open. What was known before stands there."
            )
        case "questions":
            asked = named_entries(left.entries)
            return f"What was asked in {asked} is not weighed: too much is open."
        case "verdicts":
            judged = named_entries(left.entries)
            return f"Nothing more is said of {judged}: it would take too much to work out."


@view(review.Review, "sentence")
def story(reviewed: review.Review) -> str:
    """
    Return the game in at most five sentences, to be read aloud.

    How it ended; who accused wrongly; how near the closest of the others was, and what the winner
    did meanwhile; who asked best, and who had luck; what each player could have done better. A
    chance is the one that a player's own notes gave to the true solution, or to what was accused.
    """
    end = next((accusation for accusation in reviewed.accusations if accusation.right), None)
    how = "the record ends without a winner" if end is None else won_text(end)
    return sentences(
        f"{how}; the envelope held {joined(reviewed.solution, 'and')}",
        _wrong([accusation for accusation in reviewed.accusations if not accusation.right]),
        _decision(reviewed, end),
        "; ".join(filter(None, (_skill(reviewed), _luck(reviewed)))),
        _better(reviewed),
    )


def won_text(accused: review.AccusationReview) -> str:
    """Return who won, when, and how sure of it."""
    return f"{joined([accused.seat])} won in entry {accused.entry}, {_how_sure(accused)}"


def _how_sure(accused: review.AccusationReview) -> str:
    """Return how sure a player was of an accusation, to follow what became of it."""
    if accused.verdict == "unknown":
        return "how sure of it these notes cannot tell"
    if accused.excluded is not None:
        return f"though their own notes excluded it {since_when(accused.excluded)}"
    if accused.right and accused.proved is not None:
        return f"certain {since_when(accused.proved)}"
    if accused.right and accused.chance > 1 - ROUNDING:
        return "certain"
    return f"{'only ' if accused.chance < _HALF else ''}{share(accused.chance)} sure"


_HALF = 0.495
"""The chance from which a percentage is one half or more."""


def _wrong(accused: Sequence[review.AccusationReview]) -> str:
    """Return who accused wrongly, when, and how sure of it."""
    told = [
        f"{joined([one.seat])}{'' if number else ' accused wrongly'} in entry {one.entry}, "
        f"{_how_sure(one)}"
        for number, one in enumerate(accused)
    ]
    return "; ".join(told)


def _decision(reviewed: review.Review, end: review.AccusationReview | None) -> str:
    """Return what decided the game: what somebody let pass, and what brought the winner there."""
    told = []
    waited = review.closest_to_wait(reviewed)
    if reviewed.missed_wins:
        first, *later = reviewed.missed_wins
        also = f", nor did {joined((win.seat for win in later), 'or')} later" if later else ""
        could = f"{joined([first.seat])} could prove it in entry {first.entry}"
        told = [f"{could} and did not accuse{also}"]
    elif waited is not None and waited[1].true_chance >= review.NEAR:
        seat, moment = waited
        waits = " and waited" if end else ""
        at = f"{share(moment.true_chance)} after entry {moment.entry}"
        told = [f"{joined([seat])} stood at {at}{waits}"]
    if end is not None:
        told.append(_brought(reviewed, end, waited=bool(told)))
    return "; ".join(filter(None, told))


def _brought(reviewed: review.Review, end: review.AccusationReview, *, waited: bool) -> str:
    """Return what brought the winner there: a risk, or the entry that told most."""
    winner = joined([end.seat])
    if end.verdict == "unknown":
        return ""
    if end.proved is None:
        return f"{winner} took the risk" if waited else ""
    rise = review.steepest_rise(reviewed, end.seat)
    if rise is None:
        return ""
    before, after = rise
    asked = {suggestion.entry: suggestion.seat for suggestion in reviewed.suggestions}
    by = asked.get(after.entry, "")
    question = "their own question" if by == end.seat else f"{joined([by])}'s question"
    return (
        f"{winner} went from {share(before.true_chance)} to {share(after.true_chance)} with "
        f"{f'{question} in entry' if by else 'entry'} {after.entry}"
    )


def _skill(reviewed: review.Review) -> str:
    """Return who asked best, as far as the errors let it be told."""
    ranges = {seat.seat: seat.accuracy_range for seat in reviewed.seats if seat.accuracy_range}
    least = max((low for low, _ in ranges.values()), default=0.0)
    best = [seat for seat, (_, high) in ranges.items() if high >= least - ROUNDING]
    if len(ranges) < 2:
        return ""
    if len(best) > 2 or len(best) == len(ranges):
        return "nobody clearly asked better than the others"
    return f"{joined(best)} asked best"


def _luck(reviewed: review.Review) -> str:
    """Return whom the answers told far more than was to be expected, and whom far less."""
    known = [(seat.luck or 0.0, seat.seat) for seat in reviewed.seats if seat.luck_range]
    if not known:
        return ""
    most, lucky = max(known, key=lambda each: sort_key(each[0]))
    least, unlucky = min(known, key=lambda each: sort_key(each[0]))
    told = []
    usual = "that such questions usually leave"
    if most >= review.FORTUNE - ROUNDING:
        left = f"one solution for every {2**most:.0f}"
        told.append(f"{joined([lucky])} had luck: the answers left {left} {usual}")
    if least <= ROUNDING - review.FORTUNE:
        left = f"{2**-least:.0f} solutions for every one"
        told.append(f"{joined([unlucky])} had bad luck: {left} {usual}")
    names = joined((seat for _, seat in known), "and")
    who = "nobody had" if len(known) == len(reviewed.seats) else f"{names} did not have"
    return "; ".join(told) or f"{who} much luck, good or bad"


def _better(reviewed: review.Review) -> str:
    """Return what each player could have done better."""
    better: dict[str, dict[str, list[str]]] = {}
    well: list[str] = []
    untold: list[str] = []
    left = any(unweighed.kind == "questions" for unweighed in reviewed.unweighed)
    for seat in reviewed.seats:
        labels = [each.label for each in reviewed.suggestions if each.seat == seat.seat]
        if instead := _instead(reviewed, seat):
            verb, how = instead
            better.setdefault(verb, {}).setdefault(how, []).append(seat.seat)
        else:
            known = seat.whole and labels and None not in labels and not left
            (well if known else untold).append(seat.seat)
    told = [
        listed(
            f"{joined(seats, 'and')}{'' if number else f' could have {verb}'} {how}"
            for number, (how, seats) in enumerate(by_way.items())
        )
        for verb, by_way in better.items()
    ]
    if well and not (told or untold):
        return "nobody could have done much better"
    if untold and len(untold) < len(reviewed.seats):
        told.append(f"of {joined(untold, 'and')} these notes do not tell enough")
    if well:
        told.append(f"{joined(well, 'and')} could hardly have done better")
    return "; ".join(told)


def _instead(reviewed: review.Review, seat: review.SeatReview) -> tuple[str, str] | None:
    """Return what somebody could have done, the verb apart; what cost most comes first."""
    if any(win.seat == seat.seat for win in reviewed.missed_wins):
        return "accused", "at once"
    for accused in reviewed.accusations:
        if accused.seat != seat.seat:
            continue
        if accused.passed_up is not None:
            return "accused", f"in entry {accused.passed_up}"
        if accused.missed_turn:
            return "accused", "a turn earlier"
        if accused.excluded is not None:
            return "checked", f"their own notes before entry {accused.entry}"
        if accused.verdict == "rash":
            return "waited", f"in entry {accused.entry}"
    worst = review.worst_question(reviewed, seat)
    if worst is None:
        return None
    better = joined((card for card in worst.best if card not in worst.cards), "and")
    return "asked", f"for {better} in entry {worst.entry}"


def since_when(entry: int) -> str:
    """Return since which entry something is so; before the first one there is only the table."""
    return f"since entry {entry}" if entry else "from the start"
