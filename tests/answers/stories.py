"""Whether a review says the same everywhere: its story held against its own tables and values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clue_solver.answers.review import Review
from clue_solver.views.document import Rows, document


def contradictions(review: Review) -> Iterator[str]:
    """Yield what the story of a review says and its tables deny."""
    tables = {
        block.title.partition(":")[0]: block
        for block in document(review)
        if isinstance(block, Rows)
    }
    players = {row[0]: row[1:] for row in _rows(tables, "Players")}
    asked = {int(row[0]): row[1:] for row in _rows(tables, "Suggestions")}

    def seats(text: str) -> list[str]:
        you = re.sub(r"(?i)\byou\b", review.table.viewer or "", text)
        return [seat.seat for seat in review.seats if re.search(rf"\b{seat.seat}\b", you)]

    for claim in re.split(r"(?<=\.) ", review.story):
        entries = [int(entry) for entry in re.findall(r"entry (\d+)", claim)]
        if "made no mistakes" in claim or claim == "Nobody made a mistake.":
            for seat in seats(claim) or [*players]:
                labels = [row[2].split(" ")[0] for row in asked.values() if row[0] == seat]
                if players[seat][-1] != "0" or {"mistake", "blunder"} & {*labels}:
                    yield f"{claim}: {players[seat]}, {labels}"
        elif "lucky: the answer" in claim:
            word = "unlucky" if "unlucky" in claim else "lucky"
            player, _, grade, _ = asked[entries[0]]
            if f"({word})" not in grade or [player] != seats(claim):
                yield f"{claim}: {asked[entries[0]]}"
        elif "out of the game" in claim:
            wrong = [(each.seat, each.entry) for each in review.accusations if not each.right]
            if (*seats(claim), *entries) not in wrong:
                yield f"{claim}: {wrong}"
        elif "could have won" in claim:
            (seat,) = seats(claim)
            proved = review.seat(seat).proved
            if proved is None or proved > entries[0] or seat == review.winner:
                yield f"{claim}: {proved}"
            if any(each.seat == seat and each.entry <= entries[0] for each in review.accusations):
                yield f"{claim}: {review.accusations}"
        elif "suggestion solved it, though" in claim:
            player, _, grade, _ = asked[entries[0]]
            proved = review.seat(player).proved
            if grade.split(" ")[0] not in ("mistake", "blunder") or proved != entries[0]:
                yield f"{claim}: {asked[entries[0]]}, {proved}"
        elif "should have" in claim:
            steps, _, why = claim.partition(": ")
            (seat,) = seats(steps)
            if "already knew" in why and any(card in why for card in review.solution):
                yield f"{claim}: {review.solution}"
            if review.seat(seat).whole and players[seat][-1] == "0":
                yield f"{claim}: no mistake of {seat}"
            if "suggested" in steps and asked[entries[0]][2].split(" ")[0] not in (
                "mistake",
                "blunder",
            ):
                yield f"{claim}: {asked[entries[0]]}"
    yield from _values(review)


def _values(review: Review) -> Iterator[str]:
    """Yield what a highlight says and the values deny."""
    labels = {each.entry: each.label for each in review.suggestions}
    luck = {each.entry: each.luck for each in review.suggestions}
    verdicts = {each.entry: each.verdict for each in review.accusations}
    for each in review.highlights:
        seat = review.seat(each.seat)
        moment = seat.after(each.entry)
        holds = {
            "proof": moment is not None and moment.bits == 0 and seat.proved == each.entry,
            "swing": each.after - each.before >= 0.1 - 1e-9,
            "lead": each.after > each.before,
            "out": verdicts.get(each.entry) in ("unlucky", "unknown"),
            "rash": verdicts.get(each.entry) == "rash",
            "missed win": each.seat != review.winner and seat.proved is not None,
            "unused proof": each.seat == review.winner and seat.proved is not None,
            "wasted question": labels.get(each.entry) in ("mistake", "blunder"),
            "lucky": (luck.get(each.entry) or 0) >= 1 - 1e-9,
            "unlucky": (luck.get(each.entry) or 0) <= 1e-9 - 1,
        }
        if not holds[each.kind] or not 0 <= each.before <= 1 or each.weight < 0:
            yield repr(each)


def _rows(tables: dict[str, Rows], title: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in tables[title].rows] if title in tables else []
