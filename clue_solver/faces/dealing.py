"""A game that the program deals, in its hidden file beside the log of what everybody sees."""

import json
from collections.abc import Mapping
from pathlib import Path
from secrets import randbelow

from clue_solver.arena.chairs import Chairs
from clue_solver.errors import RecordError
from clue_solver.faces.games import game_file, new_mark
from clue_solver.record import Record, format_record
from clue_solver.record.files import RecordFile, content_of, edition_from, placed, write_whole
from clue_solver.rules.edition import Edition

REVIEWED = 500
"""How many deals weigh a suggestion in the review of a game that was just played."""


def deal_at(
    path: Path,
    edition: Edition,
    players: Mapping[str, str],
    *,
    board: bool,
    seed: int | None = None,
) -> Chairs:
    """
    Return a new game whose log will be in a file; the other arguments as of `Chairs.begin`.

    Without a seed it is another deal each time.

    Raises:
        SetupError, ArgumentError: As of `Chairs.begin`.
    """
    own = edition_from(edition, path.parent)
    seed = randbelow(1 << 32) if seed is None else seed
    return Chairs.begin(own, players, seed=seed, board=board, mark=new_mark())


def deal_again(chairs: Chairs, path: Path) -> Chairs:
    """Return a new game of the same players in another file; raises as `deal_at`."""
    board = chairs.game.state.rules.board is not None
    return deal_at(path, chairs.game.dealt.table.edition, chairs.players, board=board)


def resume(path: Path) -> tuple[Chairs, RecordFile]:
    """
    Return the game that is saved beside a log, and the keeper of that log.

    Raises:
        RecordError: If the log is open elsewhere, or no game is saved there.
    """
    keeper = RecordFile(path)
    try:
        values = json.loads(content_of(game_file(path)))
        if not isinstance(values, dict):
            raise RecordError("expected a game that was saved", path=str(game_file(path)))
        return Chairs.resumed(values, beside=path.parent), keeper
    except BaseException as error:
        keeper.close()
        if isinstance(error, ValueError):
            reason = "expected a game that was saved"
            raise RecordError(reason, path=str(game_file(path))) from None
        raise


def save(chairs: Chairs, path: Path, *, beside: Path | None = None) -> str:
    """
    Save a game beside its log; return why it could not be, or nothing.

    Args:
        chairs: The game.
        path: The log.
        beside: The folder that the path of its edition starts from, if not that of the log.
    """
    values = chairs.saved()
    if beside is not None:
        record = placed(Record(table=chairs.game.dealt.table), beside, path.parent)
        values |= {"table": format_record(record)}
    try:
        write_whole(json.dumps(values).encode(), game_file(path), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""
