"""Games that the program deals. Each is saved in a hidden file beside the file of its log."""

import json
from collections.abc import Mapping
from pathlib import Path
from secrets import randbelow
from typing import Any, Self

from msgspec.structs import replace

from clue_solver.arena.chairs import Chairs
from clue_solver.errors import RecordError
from clue_solver.faces.games import free_path, game_file, new_mark
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Entry, Record
from clue_solver.record.files import RecordFile, content_of, edition_from, relocated, write_hidden
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Hand, Observation

REVIEW_SAMPLE = 500
"""The number of sampled deals by which the review of a dealt game judges each suggestion."""


class DealtGame:
    """
    A game that the program dealt, and the file of its log.

    Attributes:
        chairs: The game, and who plays it.
        keeper: The file of the log.
        trouble: Why the game could not be saved; empty if it was.
    """

    def __init__(self, chairs: Chairs, keeper: RecordFile) -> None:
        self.chairs = chairs
        self.keeper = keeper
        self.trouble = ""

    @classmethod
    def deal(
        cls,
        edition: Edition,
        players: Mapping[str, str],
        path: Path,
        *,
        board: bool = True,
        seed: int | None = None,
        beside: Path | None = None,
    ) -> Self:
        """
        Return a new game.

        Args:
            edition: The edition.
            players: For each seat, who plays it: a machine, a player of the arena, or a person.
            path: The file of its log.
            board: Whether pieces move on a board.
            seed: The seed of the deal and the dice; random if left out.
            beside: The folder from which the path of a user's own edition starts; by default the
                working folder.

        Raises:
            SetupError, ArgumentError: As `Chairs.begin`.
            RecordError: If the file is open elsewhere.
        """
        own = edition_from(edition, path.parent, beside=beside)
        seed = randbelow(1 << 32) if seed is None else seed
        chairs = Chairs.begin(own, players, seed=seed, board=board, mark=new_mark())
        return cls(chairs, RecordFile(path))

    @classmethod
    def resume(cls, path: Path) -> Self:
        """
        Return the game that is saved beside a log.

        Raises:
            RecordError: If the log is open elsewhere, or no game is saved beside it.
        """
        keeper = RecordFile(path)
        try:
            values = json.loads(content_of(game_file(path)))
            if not isinstance(values, dict):
                raise RecordError("expected a saved game", path=str(game_file(path)))
            return cls(Chairs.resumed(values, beside=path.parent), keeper)
        except BaseException as error:
            keeper.close()
            if isinstance(error, ValueError):
                reason = "expected a saved game"
                raise RecordError(reason, path=str(game_file(path))) from None
            raise

    def again(self) -> Self:
        """
        Return a new game with the same players, in the same folder.

        Raises:
            RecordError: If no file can be made there.
        """
        path = free_path(self.keeper.path)
        board = self.chairs.game.state.rules.board is not None
        edition = self.chairs.game.dealt.table.edition
        return self.deal(edition, self.chairs.players, path, board=board, beside=path.parent)

    def whole_record(self, own: str | None = None) -> Record:
        """
        Return the game's complete record, with all hands.

        The hands that were hidden come last, so that the other entries keep their numbers.

        Args:
            own: A seat whose hand stays where it is, because the log that its player saw had that
                hand from the start.
        """

        def is_revealed(told: Observation) -> bool:
            """Return whether an observation is a hand that was hidden during the game."""
            return isinstance(told, Hand) and told.seat != own

        game = self.chairs.game
        first, *others = (Entry(observation=told) for told in sorted(game.log, key=is_revealed))
        return replace(game.record, entries=(replace(first, before=("",)), *others))

    def save(self) -> None:
        """Save the game beside its log; `trouble` says whether that failed."""
        self.trouble = self._write(self.chairs.saved(), self.keeper.path)

    def copy(self, path: Path) -> None:
        """
        Save the game beside another copy of its log.

        Args:
            path: The path of the copy.

        Raises:
            RecordError: If that fails.
        """
        table = Record(table=self.chairs.game.dealt.table)
        moved = format_record(relocated(table, self.keeper.path.parent, path.parent))
        if trouble := self._write(self.chairs.saved() | {"table": moved}, path):
            raise RecordError(trouble, path=str(path))

    def _write(self, values: Mapping[str, Any], path: Path) -> str:
        """
        Write the saved form of a game beside the log at `path`.

        Returns:
            The error message; empty if all went well.
        """
        return write_hidden(json.dumps(values).encode(), game_file(path))
