"""Games that the program deals: each is saved in a hidden file beside its public log."""

import json
from collections.abc import Mapping
from pathlib import Path
from secrets import randbelow

from clue_solver.arena.chairs import Chairs
from clue_solver.errors import RecordError
from clue_solver.faces.games import game_file, new_mark
from clue_solver.record import Record, format_record
from clue_solver.record.files import RecordFile, content_of, edition_from, relocated, write_whole
from clue_solver.rules.edition import Edition

REVIEWED = 500
"""How many sampled deals weigh each suggestion in the review after a dealt game."""


def deal_at(
    path: Path,
    edition: Edition,
    players: Mapping[str, str],
    *,
    board: bool,
    seed: int | None = None,
    beside: Path | None = None,
) -> Chairs:
    """
    Return a new dealt game.

    Args:
        path: The file of its log.
        edition: The edition.
        players: Who plays each seat, as for `Chairs.begin`.
        board: Whether pieces move on a board.
        seed: The seed of the deal and the dice; random if left out.
        beside: The folder to which the path of a user's own edition is relative; by default the
            working folder.

    Raises:
        SetupError, ArgumentError: As `Chairs.begin`.
    """
    own = edition_from(edition, path.parent, beside=beside)
    seed = randbelow(1 << 32) if seed is None else seed
    return Chairs.begin(own, players, seed=seed, board=board, mark=new_mark())


def deal_again(chairs: Chairs, path: Path) -> Chairs:
    """
    Return a new game with the same players, in another file of the folder of the last one.

    Raises:
        SetupError, ArgumentError: As `deal_at`.
    """
    board = chairs.game.state.rules.board is not None
    edition = chairs.game.dealt.table.edition
    return deal_at(path, edition, chairs.players, board=board, beside=path.parent)


def resume(path: Path) -> tuple[Chairs, RecordFile]:
    """
    Return the game that is saved beside a log, and the opened file of the log.

    Raises:
        RecordError: If the log is open elsewhere, or no game is saved beside it.
    """
    keeper = RecordFile(path)
    try:
        values = json.loads(content_of(game_file(path)))
        if not isinstance(values, dict):
            raise RecordError("expected a saved game", path=str(game_file(path)))
        return Chairs.resumed(values, beside=path.parent), keeper
    except BaseException as error:
        keeper.close()
        if isinstance(error, ValueError):
            reason = "expected a saved game"
            raise RecordError(reason, path=str(game_file(path))) from None
        raise


def save(chairs: Chairs, path: Path, *, beside: Path | None = None) -> str:
    """
    Save a game beside its log; return the error message, empty if all went well.

    Args:
        chairs: The game.
        path: The log.
        beside: The folder to which the path of its edition is relative; by default the log's.
    """
    values = chairs.saved()
    if beside is not None:
        record = relocated(Record(table=chairs.game.dealt.table), beside, path.parent)
        values |= {"table": format_record(record)}
    try:
        write_whole(json.dumps(values).encode(), game_file(path), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""
