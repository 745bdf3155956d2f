"""The files of a user's games: where they are, what each contains, and which can be continued."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime
from itertools import chain, count, islice
from pathlib import Path

from msgspec.structs import replace

from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError, counted, system_reason
from clue_solver.record.files import RecordFile, hidden_file, load_record
from clue_solver.rules.edition_files import shipped_editions
from clue_solver.rules.table import Table

MOST_OFFERED = 16
"""How many of the latest games are read to find those that are offered to continue."""


class KeptGame:
    """
    A game in a file.

    Attributes:
        path: The file.
        record: The game's record.
    """

    def __init__(self, path: Path) -> None:
        """Read the file; raise a `RecordError` if it contains no record."""
        self.path = path
        self.record = load_record(path)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.record.finished

    @property
    def dealt(self) -> bool:
        """Whether the program deals the game, so that its file contains no player's own notes."""
        return game_file(self.path).exists()

    @property
    def people(self) -> int:
        """How many people play, if the program deals the game; 0 if that cannot be read."""
        return [*players_in(self.path).values()].count("")

    @property
    def next_table(self) -> Table:
        """
        The table for another game of the same players: without the solution and the game's mark.

        If this game has face-up cards, they and the hand sizes are left out, too.
        """
        table, edition = self.record.table, self.record.table.edition
        if edition.name not in shipped_editions():
            edition = replace(edition, name=os.path.realpath(self.path.parent / edition.name))
        hands = () if table.face_up else table.hands
        return replace(table, edition=edition, face_up=(), hands=hands, solution=(), game=None)

    @property
    def facts(self) -> tuple[str, str, str, str]:
        """The players, the edition, when the file last changed, and whose turn it is or who won."""
        table, entries = self.record.table, len(self.record.entries)
        kept = self.path.exists()
        at = datetime.fromtimestamp(self.path.stat().st_mtime) if kept else datetime.now()
        turns = self.record.turn_state
        turn = turns.turn(table) if entries or self.dealt else None
        stands = f"{turn}'s turn" if turn else "started" if entries else "not started"
        if self.over:
            stands = f"{turns.winner} won" if turns.winner else "over, nobody won"
        elif self.dealt:
            stands += ", against the computer" if self.people == 1 else ", dealt"
        elif entries:
            stands += f", {counted(entries, 'entry')}"
        when = f"{at:%a} {at.day} {at:%b}, {at:%H:%M}"
        return ", ".join(table.seats), table.edition.title, when, stands

    @property
    def summary(self) -> str:
        """
        The players, the edition, when the file last changed, and how the game stands, in one line.
        """
        return "; ".join(self.facts)

    @property
    def line(self) -> str:
        """The name of the file, then the `summary` of the game, for a list of games."""
        return f"{self.path.name}: {self.summary}"


def open_session(path: Path) -> Session:
    """Return the logged game in a file; raise a `RecordError` if it is open elsewhere or broken."""
    keeper = RecordFile(path)
    try:
        return Session(keeper.read(), keeper=keeper)
    except BaseException:
        keeper.close()
        raise


def games_folder() -> Path:
    """Return the folder for the user's games on this system."""
    from platformdirs import user_data_path

    return user_data_path("clue-solver", appauthor=False) / "games"


def fresh_path(folder: Path | None = None) -> Path:
    """
    Return an unused path for a new game, named after today; its folder is made if possible.

    Args:
        folder: The folder for the path; by default that of the user's games.
    """
    path = (folder or games_folder()) / f"{date.today().isoformat()}.clue"
    with suppress(RecordError):
        return free_path(path)
    return path  # if nothing can be written there, the keeper of the game says so


def free_path(path: Path) -> Path:
    """
    Return `path`, or the same with a number added if there is a file already.

    The folder is made if necessary.

    Raises:
        RecordError: If the folder cannot be made or read.
    """
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        numbered = (folder / f"{path.stem}-{number}{path.suffix}" for number in count(2))
        return next(free for free in chain([path], numbered) if not free.exists())
    except OSError as error:
        reason = f"cannot create the games folder: {system_reason(error)}"
        raise RecordError(reason, path=str(folder)) from None


def game_file(log: Path) -> Path:
    """Return the path of the hidden file in which a dealt game is saved, beside its log."""
    return hidden_file(log, "game")


def players_in(log: Path) -> dict[str, str]:
    """
    Return who plays each seat of a dealt game: a machine's name, or `''` for a person.

    The result is empty if that cannot be read.
    """
    with suppress(OSError, ValueError, LookupError, TypeError):
        return {**json.loads(game_file(log).read_bytes())["players"]}
    return {}


def delete_game(path: Path) -> None:
    """Delete a game and its hidden files; raise a `RecordError` if the game is open."""
    RecordFile(path).close()
    for file in (path, *path.parent.glob(f".{path.name}.*")):
        file.unlink(missing_ok=True)


def new_mark() -> str:
    """Return a random mark for a new game. Files with the same mark belong to that game."""
    return os.urandom(4).hex()


def games_by_time(folder: Path) -> Iterator[Path]:
    """Yield the paths of the games in a folder, the most recently changed first."""
    changed: dict[Path, float] = {}
    for file in folder.glob("*.clue"):
        with suppress(OSError):  # it may be gone by now
            if file.is_file():
                changed[file] = file.stat().st_mtime
    yield from sorted(changed, key=lambda file: -changed[file])


def kept_games(folder: Path) -> Iterator[KeptGame]:
    """Yield the readable games in a folder, the most recently changed first."""
    for file in games_by_time(folder):
        with suppress(ClueError):
            yield KeptGame(file)


def offered_games(folder: Path) -> tuple[KeptGame, ...]:
    """
    Return the latest games that a single person can open.

    Unfinished games come first, then the last game without entries, then finished games.
    """
    late = [game for game in islice(kept_games(folder), MOST_OFFERED) if game.people < 2]
    begun = [game for game in late if game.record.entries]
    empty = [game for game in late if not game.record.entries]
    return (
        *(game for game in begun if not game.over),
        *empty[:1],
        *(game for game in begun if game.over),
    )


def last_game() -> Path:
    """
    Return the path of the user's most recently changed game.

    A game without entries is returned only if there is no other. A game that the program deals is
    left out until it is over.

    Raises:
        RecordError: If there is no game that can be read.
    """
    folder = games_folder()
    games = (KeptGame(file) for file in games_by_time(folder))
    last = _first_begun(game for game in games if game.over or not game.dealt)
    if last is None:
        reason = "no games here yet: give a game's file, or start one with 'clue-solver play'"
        raise RecordError(reason, path=str(folder))
    return last.path


def last_played(folder: Path | None = None, *, dealt: bool = False) -> KeptGame | None:
    """
    Return the most recently changed game; `None` if there is none that can be read.

    A game without entries is returned only if there is no other.

    Args:
        folder: Where to look; by default in the folder of the user's games.
        dealt: Whether games that the program deals are included.
    """
    every = kept_games(folder or games_folder())
    return _first_begun(game for game in every if dealt or not game.dealt)


def last_table(folder: Path | None = None) -> Table | None:
    """
    Return the table of the last logged game, for another game of the same players.

    `None` if there is no such game. `folder` is where to look; by default the folder of the user's
    games.
    """
    last = last_played(folder)
    return None if last is None else last.next_table


def _first_begun(games: Iterable[KeptGame]) -> KeptGame | None:
    """Return the first game with entries, or else the first game; `None` if there is no game."""
    first: KeptGame | None = None
    for game in games:
        if game.record.entries:
            return game
        first = first or game
    return first
