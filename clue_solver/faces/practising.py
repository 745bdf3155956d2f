"""
A game against machines on the full screen: the person's choices, and what each one does.

The game is saved after every decision, in a hidden file beside its public log, and can be
continued from there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.review import Review
from clue_solver.arena.chairs import PERSON, Chairs, free_names
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import Referee
from clue_solver.arena.view import View
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    ArgumentError,
    NotationError,
    RecordError,
    listed,
)
from clue_solver.faces import dealing
from clue_solver.faces.games import fresh_path
from clue_solver.faces.leaving import write_copy
from clue_solver.game import Game
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.notation.names import Names
from clue_solver.record import Entry, Record, save
from clue_solver.record.files import RecordFile, relocated
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Edition
from clue_solver.views.board import near_room

PLAYERS = {"Ann": PERSON, "Ben": "hard", "Cat": "medium"}
"""Who plays each seat by default."""

ROLL_DICE, END_TURN, ACCUSE = "roll the dice", "end the turn", "accuse"


class PracticeChoice(NamedTuple):
    """
    Something that the person may do now.

    Attributes:
        words: The steps that lead to it through the menus, each a word or a card.
        line: The line that chooses it.
        choice: The decision for the referee; `None` for none.
    """

    words: tuple[str, ...]
    line: str
    choice: Any = None

    @property
    def is_harmless(self) -> bool:
        """Whether it reveals nothing, so that it needs no confirmation by Enter."""
        return self.words[0] in (ROLL_DICE, END_TURN)

    @property
    def accuses(self) -> bool:
        """Whether it is an accusation, which an abbreviated line never chooses."""
        return self.words[0] == ACCUSE

    @property
    def every_word(self) -> list[str]:
        """All words by which it can be typed."""
        return re.findall(r"\w+", " ".join((*self.words, self.line)))


class Practice:
    """
    A game of one person against machines.

    Attributes:
        chairs: The game with its players.
        seat: The person's seat.
        session: The notes of that seat.
        ways: Everything that the person may do now.
        trouble: Why the game could not be saved; empty if it was.
        left: Whether the game was closed; then machines decide nothing more.
    """

    def __init__(self, chairs: Chairs, keeper: RecordFile) -> None:
        """Take over a dealt game; raise a `RecordError` unless exactly one person plays."""
        people = [seat for seat, player in chairs.players.items() if player == PERSON]
        if len(people) != 1:
            keeper.close()
            reason = f"this game was dealt for {len(people)} people: use 'serve' to continue it"
            raise RecordError(reason, path=str(keeper.path))
        (self.seat,) = people
        self.chairs = chairs
        self.session = Session(self.view.game.record)
        self.left = False
        self._followed = len(self.session.lines)
        self.trouble = ""
        self._keeper = keeper
        self.ways = tuple(self._choices())
        self.save()

    @classmethod
    def begin(
        cls,
        edition: Edition,
        players: Mapping[str, str] = PLAYERS,
        path: Path | None = None,
        *,
        seed: int | None = None,
    ) -> "Practice":
        """
        Return a new game.

        Args:
            edition: The edition.
            players: Who plays each seat, clockwise: one person, and machines. A person is added in
                front if all are machines.
            path: The file of its log; by default a new one in the folder of the user's games.
            seed: The seed of the deal and the dice; random if left out.

        Raises:
            SetupError, ArgumentError: If the number of players is wrong or a machine is unknown.
            RecordError: If the file is open elsewhere.
        """
        people = [seat for seat, player in players.items() if player == PERSON]
        if not people:
            players = {next(free_names(players)): PERSON, **players}
        if len(people) > 1:
            reason = f"{listed(people)} are none of the machines: 'serve --deal' is for several"
            raise ArgumentError(reason, argument="players")
        path = path or fresh_path()
        chairs = dealing.deal_at(path, edition, players, seed=seed, board=True)
        return cls(chairs, RecordFile(path))

    @classmethod
    def resume(cls, path: Path) -> "Practice":
        """Return the game that is saved beside a log; raise a `RecordError` if there is none."""
        return cls(*dealing.resume(path))

    def again(self) -> "Practice":
        """Return a new game with the same players; raises what `begin` raises."""
        path = fresh_path(self._keeper.path.parent)
        return Practice(dealing.deal_again(self.chairs, path), RecordFile(path))

    @property
    def game(self) -> Referee:
        """The referee of the game."""
        return self.chairs.game

    @property
    def view(self) -> View:
        """What the person sees of the game."""
        return self.game.views[self.seat]

    @property
    def is_asked(self) -> bool:
        """Whether the person has to make a decision now."""
        return self.chairs.person == self.seat

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.request is None

    @property
    def outcome(self) -> str:
        """How the game ended, and what was in the envelope."""
        winner = self.game.state.winner
        won = "You won!" if winner == self.seat else f"{winner} won." if winner else "Nobody won."
        out = "You were out. " if self.is_out else ""
        return f"{out}{won} The envelope held {', '.join(self.game.solution)}."

    @property
    def is_out(self) -> bool:
        """Whether the person made a wrong accusation."""
        return self.seat in self.game.state.turns.out

    # What is asked.

    @property
    def question(self) -> tuple[str, str]:
        """The question to the person, and a remark about it."""
        request, state = self.game.request, self.game.state
        if request is None:
            return "The game is over.", self.outcome
        if not self.is_asked and self.is_out:
            return "You are out: the accusation was wrong.", "The others play on …"
        if not self.is_asked:
            return "The others play …", ""
        match request.kind:
            case "move":
                rolled = "" if state.total is None else f"You rolled {state.total}."
                return "Where do you go?", f"{rolled} {self._standing}".strip()
            case "ask":
                dice = f"You rolled {listed(state.dice)}." if state.dice else ""
                return "What do you suggest?", dice
            case "show":
                asked = self.view.asked
                why = "" if asked is None else format_line(asked, self.view.table)
                return f"Which card do you show {request.to or 'everybody'}?", why
            case "accuse" if state.done:
                return "Do you accuse?", self.session.lines[-1]
            case "accuse":
                return "It is your turn.", self._standing

    @property
    def _standing(self) -> str:
        view, place = self.view, self.game.state.place(self.seat)
        pieces = dict(zip(view.table.seats, view.table.pieces, strict=False))
        if self.game.state.rules.board is None or place is None:
            return ""
        in_room = place in view.edition.rooms
        stands = f"in the {place}" if in_room else near_room(self.game.state, place)
        return f"You are {pieces.get(self.seat) or 'a piece'}, {stands}."

    def _choices(self) -> Iterator[PracticeChoice]:
        """Yield everything that the person may do now."""
        request, seat = self.game.request, self.seat
        if request is None or not self.is_asked:
            return
        match request.kind:
            case "move":
                yield from self._moves()
            case "ask":
                yield from self._questions()
            case "show":
                shown = ((f"show {card}", f"{seat} shows {card}", card) for card in request.cards)
                yield from (PracticeChoice((label,), line, card) for label, line, card in shown)
            case "accuse" if self.game.state.done:
                yield PracticeChoice((END_TURN,), f"{seat} skips")
            case "accuse":
                yield PracticeChoice((ROLL_DICE,), f"{seat} rolls")
        if self.chairs.may_accuse:
            for cards in product(*self.view.kinds):
                yield PracticeChoice((ACCUSE, *cards), f"{seat} accuses {', '.join(cards)}", cards)

    def _moves(self) -> Iterator[PracticeChoice]:
        """Yield the moves: rooms in reach, squares on the way to other rooms, and staying."""
        view, rooms = self.view, self.view.edition.rooms
        places = view.places
        if ROLL in places:
            yield PracticeChoice((ROLL_DICE,), f"{self.seat} rolls", ROLL)
        goals = {room: room for room in rooms if room in places}
        goals |= {
            square: f"towards {listed(others, 'or')}" for square, others in view.towards().items()
        }
        for place, words in goals.items():
            yield PracticeChoice((words,), f"{self.seat} moves to {place}", place)
        yield PracticeChoice(("stay",), f"{self.seat} stays")

    def _questions(self) -> Iterator[PracticeChoice]:
        """Yield the suggestions and questions that the person may make, then doing nothing."""
        for question in self.view.questions():
            line = format_line(question, self.view.table)
            words: tuple[str, ...] = (line.removeprefix(f"{self.seat} "),)
            if isinstance(question, observed.Suggestion | observed.Finger):
                words = (question.form.verb.removesuffix("s"), *question.cards)
            yield PracticeChoice(words, line, question)
        yield PracticeChoice(("nothing",), f"{self.seat} skips")

    def read(self, text: str) -> tuple[PracticeChoice, ...]:
        """
        Return what a line may mean: the choices that contain all its words or abbreviations.

        Raises:
            NotationError: If no choice does, or if a word is misspelt.
        """
        if not self.ways:
            raise NotationError("wait: the others play", line=text)
        said = text.strip().casefold()
        for way in self.ways:
            if said in (way.line.casefold(), " ".join(way.words).casefold()):
                return (way,)
        own = (self.seat.casefold(), "me", "i")
        words = [word for word in re.findall(r"\w+", said) if word not in own]
        accuses = any(word.startswith(ACCUSE[:3]) for word in words)
        ways = [way for way in self.ways if way.accuses == accuses]
        found = tuple(way for way in ways if words and _has_all(way, words))
        if found:
            return found
        known = {word.casefold(): word for way in ways for word in way.every_word}
        for word in words:
            if not any(each.startswith(word) for each in known):
                slip = Names("word", known.values()).error_for(word)
                if slip.nearest:
                    raise slip
        raise Names("choice", dict.fromkeys(way.words[0] for way in self.ways)).error_for(text)

    # What is decided.

    def decide(self, way: PracticeChoice) -> None:
        """Carry out the person's choice; raise an `ArgumentError` if it is not allowed now."""
        if way.accuses:
            self.chairs.accuse(way.choice)
        else:
            self.chairs.decide(way.choice)
        self._decided()

    def let_machine_decide(self) -> None:
        """Let the machine whose turn it is think, and carry out its decision."""
        thought = self.chairs.machine_choice()
        if not self.left:
            self.chairs.decide(thought)
            self._decided()

    def _decided(self) -> None:
        self.ways = tuple(self._choices())
        self.save()

    def follow(self) -> tuple[str, ...]:
        """Add what has happened to the notes, and return its lines."""
        before, lines = self._followed, self.view.game.lines
        self._followed = len(lines)
        told = self.game if self.over else self.view.game  # in the end as the review has it
        if lines[before:] or self.over:
            self.session.rewrite(replace(self.session.record, entries=told.record.entries))
        return lines[before:]

    def review(self) -> Review:
        """Return the review of the finished game."""
        return Game(self.game.record).review(sample=dealing.REVIEWED)

    def save(self) -> None:
        """Save the game and write its log."""
        self._keeper.write(self._record)
        unsaved = dealing.save(self.chairs, self._keeper.path)
        self.trouble = unsaved or str(self._keeper.trouble or "")

    @property
    def _record(self) -> Record:
        """The public record; once the game is over, the complete record."""
        if self.over:
            return self.game.record
        table = replace(self.game.dealt.table, viewer=None)
        shares = (seen(each, table=table, viewer=None) for each in self.game.log)
        return Record(
            table=table,
            entries=tuple(Entry(observation=share) for share in shares if share is not None),
        )

    def leave(self) -> str:
        """Close the game and return a message that says where it is."""
        self.left = True
        self.save()
        self._keeper.close()
        if self.trouble:
            copy = write_copy(self._keeper, self._copy)
            where = f"the game is in {copy} instead" if copy else "the game could not be saved"
            return f"{self.trouble}; {where}"
        if self.over:
            return f"{self.outcome} The game is in {self._keeper.path}"
        return f"the game is kept; to continue it: clue-solver practise {self._keeper.path}"

    def _copy(self, path: Path) -> None:
        """Save the game in another place."""
        folder = self._keeper.path.parent
        save(relocated(self._record, folder, path.parent), path)
        if unsaved := dealing.save(self.chairs, path, beside=folder):
            raise RecordError(unsaved, path=str(path))


def _has_all(way: PracticeChoice, words: Sequence[str]) -> bool:
    """Return whether each word, in lower case, begins one of the words of a choice."""
    known = [word.casefold() for word in way.every_word]
    return all(any(each.startswith(word) for each in known) for word in words)
