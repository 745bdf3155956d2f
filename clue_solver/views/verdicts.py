"""
A finished game in sentences: verdicts on accusations, missed deductions, turning points, the story.
"""

from clue_solver.answers import review
from clue_solver.answers.display import percent, share, view
from clue_solver.errors import counted, named_entries
from clue_solver.inference.diagram import sort_key
from clue_solver.notation.names import joined

MOST_IN_STORY = 3
"""The most turning points that the story tells."""


@view(review.AccusationReview, "sentence")
def accusation_text(accused: review.AccusationReview) -> str:
    """Return the verdict on an accusation, to follow its word or who made it."""
    outcome = "right" if accused.right else "wrong"
    if accused.verdict == "unknown":
        return "cannot be told from these notes"
    if accused.drawn:
        return f"{outcome}, at a chance of {share(accused.chance)} by what they may have known"
    at = f"at a chance of {percent(accused.chance)} %"
    if accused.verdict == "rash" and accused.chance:
        at += ", where accusing was not clearly better than waiting"
    if accused.excluded is not None:
        why = f"wrong, and their own notes excluded it {since_when(accused.excluded)}"
    elif _by_luck(accused):
        why = f"right by luck, {at}"
    elif accused.right and accused.proved is not None:
        why = f"right, and certain since entry {accused.proved}"
        if accused.passed_up is not None:
            why += f", before their turn in entry {accused.passed_up}"
        elif accused.missed_turn:
            why += "; they could have accused a turn earlier"
    else:
        why = f"{outcome}, {at}"
        if accused.verdict == "unlucky":
            why += ": bad luck rather than haste"
    if accused.likelier is not None:
        cards, chance = accused.likelier
        why += f"; {', '.join(cards)} was likelier, at {percent(chance)} %"
    return why


def judged_text(accused: review.AccusationReview) -> str:
    """Return the verdict on an accusation and why, the word once."""
    why = accusation_text(accused)
    if accused.verdict == "right" and not _by_luck(accused):
        return f"{why[0].upper()}{why[1:]}"
    return f"{accused.verdict.title()}: {why}"


def _by_luck(accused: review.AccusationReview) -> bool:
    return accused.right and not accused.drawn and accused.chance < review.EVEN


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
    return " ".join(map(_moment_text, point.moments))


def _moment_text(moment: review.KeyMoment) -> str:
    before, after = share(moment.before), share(moment.after)
    who = joined(moment.seats, "and")
    match moment.kind:
        case "swing":
            source = "this" if moment.by is None else f"{joined([moment.by])}'s turn"
            if moment.by in moment.seats:
                source = "their own turn"
            return f"{who} went from {before} to {after} with {source}."
        case "lead":
            leader, behind = (joined([seat]) for seat in moment.seats)
            return f"{leader} overtook {behind}: {after} against {before}."
        case "proof":
            if not moment.seats:
                return "Everybody could prove the solution at once."
            first = " first" if moment.first else ""
            return f"{who} could prove the solution{first}."
        case "out":
            return f"{who} made a wrong accusation and was out."


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
        case "chances":
            untold = named_entries(left.entries)
            return f"How likely they were to win in {untold} is not told: too much is open."


@view(review.Review, "sentence")
def story(reviewed: review.Review) -> str:
    """
    Return the game in a paragraph: who played, its turning points, how it ended.

    A chance is the one that a player's own notes gave to the true solution.
    """
    seats = reviewed.seats
    end = next((accusation for accusation in reviewed.accusations if accusation.right), None)
    over = review.end_of_game(reviewed.accusations, reviewed.entries)

    # who played, and what turned the game
    played = counted(reviewed.entries, "entry")
    sentences = [f"{joined([seat.seat for seat in seats], 'and')} played {played}."]
    turning = review.weightiest(reviewed.turning)[:MOST_IN_STORY]
    turning.sort(key=lambda point: point.entry)
    sentences += [f"Entry {point.entry}: {point.text}" for point in turning]

    # how it ended, and how far everybody was
    if end:
        how = {"late": ", later than they could have", "rash": ", by luck"}.get(end.verdict, "")
        sentences.append(
            f"{joined([end.seat])} made the right accusation in entry {end.entry}{how}."
        )
    else:
        sentences.append("The record has no right accusation.")
    sentences.append(f"The envelope held {joined(reviewed.solution, 'and')}.")
    stood = [
        f"{seat.seat} at {share(seat.timeline[over - 1].true_chance)}"
        for seat in seats
        if seat.whole
    ]
    if stood:
        sentences.append(f"Before the end the chance to name it stood, for {joined(stood, 'and')}.")

    # who could have won, or proved it
    sentences += [
        f"{joined([win.seat])} could have won in entry {win.entry}." for win in reviewed.missed_wins
    ]
    sure = sorted((seat.proved, seat.seat) for seat in seats if (seat.proved or over) < over)
    could = [f"{joined([seat])} after entry {proved}" for proved, seat in sure]
    if not could:
        sentences.append("Nobody could prove it before." if end else "Nobody could prove it.")
    elif len(could) > 1:
        sentences.append(f"It could be proved by {', by '.join(could)}.")

    # who asked best, and who was lucky
    judged = [seat for seat in seats if seat.whole and seat.accuracy is not None]
    if len(judged) > 1:
        sharp = max(judged, key=lambda seat: sort_key(seat.accuracy or 0.0))
        lucky = max(judged, key=lambda seat: sort_key(seat.luck or 0.0))
        mean = f"a mean accuracy of {share(sharp.accuracy or 0.0)}"
        luck = lucky.luck or 0.0
        sentences.append(
            f"{joined([sharp.seat])} asked best ({mean}), {joined([lucky.seat])} had the "
            f"{'most' if luck > 0 else 'least bad'} luck ({luck:+.2f} bits)."
        )
    return " ".join(sentences)


def since_when(entry: int) -> str:
    """Return since which entry something is so; before the first one there is only the table."""
    return f"since entry {entry}" if entry else "from the start"
