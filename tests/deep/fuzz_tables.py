"""The commands that are tried on a random record, and the files that they read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from msgspec.structs import replace

from clue_solver.knowledge import evidence
from clue_solver.record import Entry, Record, format_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import ENVELOPE, SPECTATOR
from tests.random_tables import EDITION_FILE, Fuzzed

GAME, PAD, ROWS, COPY = "game.clue", "pad.csv", "rows.csv", "copy.clue"
TYPED = "/log\n/best\n/sheet 1\n/undo\n/redo\n/quit\n"
"""What is typed into `play`."""


def commands(told: Fuzzed, random: Random) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command that is tried on a record."""
    table, record = told.record.table, told.record
    asked = [] if random.random() < 0.7 else ["--viewer", random.choice((*table.seats, SPECTATOR))]
    if record.entries and random.random() < 0.1:
        asked += ["--upto", str(random.randint(0, len(record.entries)))]
    if random.random() < 0.1:
        holder, card = random.choice(table.holders), random.choice(table.cards)
        asked += ["--suppose", f"{holder} {random.choice(('has', 'lacks'))} {card}"]
    yield "report", GAME, *asked
    yield "report", "--json", GAME
    yield "check", "--json", GAME, *asked
    yield "check", GAME
    for holder in (random.choice(table.seats), random.choice(table.holders), ENVELOPE):
        yield "why", GAME, random.choice(table.cards), holder, *asked
    yield "advise", "--json", GAME, *asked
    for form in ("clue", "jsonl", "dimacs"):
        yield "export", "--as", form, GAME
    yield "import", "one.clue", "two.clue"
    edition = ("--edition", (told.edition and EDITION_FILE) or table.edition.name)
    viewer = ("--viewer", table.viewer or table.seats[0])
    players = ("--players", ",".join(table.seats))
    yield "import", PAD, *edition, *viewer, *players, "--json"
    yield "import", ROWS, *edition, *players, "--json"
    yield "import", GAME, "--json"
    yield "play", "--plain", COPY
    if told.kind == "true" and random.random() < 0.2:
        yield "review", "--json", GAME, "--solution", ", ".join(told.solution)
        yield "season", GAME


def write_files(told: Fuzzed, folder: Path) -> None:
    """Write the record and all else that the commands read."""
    if told.edition is not None:
        (folder / EDITION_FILE).write_text(told.edition, "utf-8")
    text, table = format_record(told.record), told.record.table
    (folder / GAME).write_text(text, "utf-8")
    (folder / COPY).write_text(text, "utf-8")
    for name, seat in zip(("one.clue", "two.clue"), table.seats, strict=False):
        (folder / name).write_text(format_record(share(told.record, seat)), "utf-8")
    rows = [",".join(["asker", *(kind.name for kind in table.edition.category), "shower"])]
    for each in told.record.observations:
        if isinstance(each, Suggestion):
            kinds = table.edition.category_of
            named = {kinds[card]: card for card in each.cards}
            cards = [named.get(kind.name, "") for kind in table.edition.category]
            shown = [answer.seat or "" for answer in each.answers if answer.answer == "shows"]
            rows.append(",".join([each.by, *cards, *(shown[:1] or [""])]))
    (folder / ROWS).write_text("\n".join(rows) + "\n", "utf-8")


def share(record: Record, seat: str) -> Record:
    """Return what one seat noticed of a record."""
    seen = evidence.share(enumerate(record.observations, 1), table=record.table, viewer=seat)
    entries = tuple(
        Entry(observation=observation, before=() if place else ("",))
        for place, (_, observation) in enumerate(seen)
    )
    return Record(table=replace(record.table, viewer=seat), entries=entries)
