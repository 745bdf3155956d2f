"""
What is kept of a tournament: a line of JSON for each game, or a folder with a record for each.

A file is written game by game, so whatever ended it, the games before are there; going on with it
reads them and plays the rest.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from clue_solver.answers.standings import SCHEMA
from clue_solver.arena.tournament import GamePlayed, Tournament
from clue_solver.errors import ArgumentError, RecordError
from clue_solver.record import format_record, save
from clue_solver.record.files import placed

LINES = "games.jsonl"
"""What a folder of records has besides them: how each game went."""


def line_of(tournament: Tournament, game: GamePlayed, *, record: str | None = None) -> str:
    """Return a game as one line of JSON, which says what tournament it is of."""
    fields = {"schema": SCHEMA, **_names(tournament), **game.to_dict()}
    if record is not None:
        fields["record"] = record
    return json.dumps(fields, ensure_ascii=False)


def _names(tournament: Tournament) -> dict[str, Any]:
    """Return what tells a tournament from another."""
    return {"edition": tournament.edition, "seed": tournament.seed, "board": tournament.board}


def game_in(tournament: Tournament, line: str) -> GamePlayed:
    """
    Return the game that a line of JSON tells.

    Raises:
        ArgumentError: If it is none, or of another tournament.
    """
    try:
        fields = msgspec.json.decode(line)
        game = GamePlayed.from_dict(fields)
    except (msgspec.MsgspecError, TypeError):
        raise ArgumentError("expected a game of a tournament", argument="out") from None
    for key, value in _names(tournament).items():
        if fields.get(key) != value:
            difference = f"{key}: expected {value}; found {fields.get(key)}"
            raise ArgumentError(f"a game of another tournament: {difference}", argument="out")
    seated = tournament.seated(game.game)
    if (game.deal, game.players) != seated:
        difference = f"expected {', '.join(seated[1])}; found {', '.join(game.players)}"
        raise ArgumentError(f"a game of another tournament: players: {difference}", argument="out")
    return game


class GameStore:
    """
    The games of a tournament on disk.

    Args:
        tournament: The tournament.
        path: A file whose name ends in `.jsonl`, which gets one game a line; else a folder, made
            if missing, which gets a full record a game, `0001.clue` and so on.
        resume: Whether to go on with what is there.

    Raises:
        RecordError: If there is something already and it is not to be gone on with, or it cannot be
            read or written.
        ArgumentError: If what is there is of another tournament.
    """

    def __init__(self, tournament: Tournament, path: Path, *, resume: bool = False) -> None:
        self.tournament = tournament
        self.path = path
        self.folder = path if path.suffix != ".jsonl" else None
        self.lines = path / LINES if self.folder is not None else path
        try:
            if self.folder is not None:
                self.folder.mkdir(parents=True, exist_ok=True)
            there = self.lines.exists()
            if there and not resume:
                reason = "there are games here already: go on with them, or name another place"
                raise RecordError(reason, path=str(path), argument="resume")
            self.games = list(self.read()) if there else []
            self._file = self.lines.open("a", encoding="utf-8")
        except OSError as error:
            reason = f"cannot write games there: {error.strerror or error}"
            raise RecordError(reason, path=str(path)) from None

    def read(self) -> Iterator[GamePlayed]:
        """Yield the games in the file; cut off a last line that was not finished."""
        text = self.lines.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            os.truncate(self.lines, len(whole))
        for number, line in enumerate(whole.decode("utf-8").splitlines(), 1):
            try:
                game = game_in(self.tournament, line)
            except ArgumentError as error:
                raise RecordError(str(error), path=str(self.lines), number=number) from None
            if game.game <= self.tournament.games:
                yield game

    def add(self, game: GamePlayed) -> None:
        """Write one game, with its record."""
        assert game.record is not None
        if self.folder is not None:
            record = placed(game.record, Path(), self.folder)
            save(record, self.folder / f"{game.game:04}.clue", form="clue")
            text = None
        else:
            text = format_record(placed(game.record, Path(), self.path.parent))
        self._file.write(line_of(self.tournament, game, record=text) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
