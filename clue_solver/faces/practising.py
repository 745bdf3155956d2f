"""
A game of one person against machines on the full screen: the choices, and what each one does.

The game is saved after every decision, in a hidden file beside its public log, and can be
continued from there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from clue_solver.arena.chairs import PERSON, free_names, machines
from clue_solver.arena.referee import Referee
from clue_solver.arena.view import View
from clue_solver.conversation.commands import COMMANDS, TypedCommand
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, RecordError, listed
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.decisions import OUT, RISK, Option, decision_due
from clue_solver.faces.feed import Account, Feed
from clue_solver.faces.games import fresh_path
from clue_solver.faces.leaving import Say, write_copy
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.setup import USUAL
from clue_solver.faces.thoughts import Thought
from clue_solver.game import Game
from clue_solver.notation.canonical import format_line
from clue_solver.notation.names import Names
from clue_solver.record.contents import Record
from clue_solver.record.files import relocated, save
from clue_solver.rules import observations as observed
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import SPECTATOR
from clue_solver.views.board import near_room

PLAYERS = {"Ann": PERSON, "Ben": "hard", "Cat": "medium"}
"""Who plays each seat by default."""

_MOST_NEWS = 5
"""How many lines about what has happened are shown below the input at most."""

_HOW = (
    "The computer deals, rolls and moves the pieces, and plays for the others. It asks you when "
    "you can do something: answer with a number, the arrows or a word, then press Enter. Enter "
    "alone rolls the dice or ends your turn. You can also type a room, the cards of a suggestion, "
    "or 'accuse' and its cards; anything abbreviated, and any accusation, is shown in full before "
    "it counts. The log and the sheet are kept for you. In 'log', R20 is a square of the board.\n"
)


_ONLY_LOGGED = ("show", "check", "as", "suppose")
"""The commands that a dealt game lacks. Those that change a log are missing, too."""

_ON_THE_WAY = observed.Roll | observed.Move | observed.Skip
"""The events that are not reported below the input, since the log shows them."""


class Practice(Feed):
    """
    A game of one person against machines.

    Attributes:
        dealt: The game, and the file of its log.
        chairs: The game, and who plays it.
        seat: The person's seat.
        due: What the person has to decide now.
        closed: Whether the game was closed; then machines decide nothing more.
    """

    words = tuple(
        command.word
        for command in COMMANDS
        if command.kind != "changes" and command.word not in _ONLY_LOGGED
    )
    deals = True

    def __init__(self, dealt: DealtGame) -> None:
        """Take over a dealt game; raise a `RecordError` unless exactly one person plays."""
        players = dealt.chairs.players
        people = [seat for seat, player in players.items() if player == PERSON]
        if len(people) != 1:
            dealt.keeper.close()
            reason = f"this game was dealt for {len(people)} people: use 'serve' to continue it"
            raise RecordError(reason, path=str(dealt.keeper.path))
        (self.seat,) = people
        self.dealt, self.chairs = dealt, dealt.chairs
        super().__init__(Session(self.view.game.record))
        self.hints = "sheet"
        self.closed = False
        self._decided_at = len(self.session.lines)
        self.due = decision_due(self.chairs, self.seat)
        self.save()

    @classmethod
    def begin(
        cls,
        edition: str = USUAL,
        players: Mapping[str, str] = PLAYERS,
        path: Path | None = None,
        *,
        seed: int | None = None,
    ) -> "Practice":
        """
        Return a new game.

        Args:
            edition: The name of the edition, or the path of its file.
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
            reason = f"only one person can play here, not {listed(people)}: use 'serve --deal'"
            raise ArgumentError(reason, argument="players")
        loaded = load_edition(edition)
        return cls(DealtGame.deal(loaded, players, path or fresh_path(), seed=seed))

    def again(self) -> "Practice":
        """
        Return a new game with the same players, in the same folder.

        Raises:
            RecordError: If no file can be made there.
        """
        return Practice(self.dealt.again())

    @property
    def how(self) -> str:
        """A text for the help: how to play, and how each machine plays."""
        does = machines(self.view.edition.name)
        return _HOW + "".join(
            f"{seat} is {how}: {does[how]}.\n" for seat, how in self.rivals if how in does
        )

    @property
    def rivals(self) -> list[tuple[str, str]]:
        """The seats of the machines, each with its strength, such as `hard`."""
        return [(seat, how) for seat, how in self.chairs.players.items() if seat != self.seat]

    @property
    def whose(self) -> str:
        """Who plays against the person, for the head of the screen."""
        return f"against {listed([f'{seat} ({how})' for seat, how in self.rivals])}"

    @property
    def referee(self) -> Referee:
        """The referee of the game."""
        return self.chairs.game

    @property
    def view(self) -> View:
        """What the person sees of the game."""
        return self.referee.views[self.seat]

    @property
    def is_asked(self) -> bool:
        """Whether the person has to make a decision now."""
        return self.chairs.person == self.seat

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; `None` if that is unknown."""
        return self.referee.state.turn

    @property
    def trouble(self) -> object:
        """Why the game could not be saved; empty if it was."""
        return self.dealt.trouble or self.dealt.keeper.trouble

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.referee.request is None

    @property
    def outcome(self) -> str:
        """How the game ended, and what was in the envelope."""
        winner = self.referee.state.turns.winner
        won = "You won!" if winner == self.seat else f"{winner} won." if winner else "Nobody won."
        out = "You were out. " if self.is_out else ""
        return f"{out}{won} The envelope held {', '.join(self.referee.solution)}."

    @property
    def is_out(self) -> bool:
        """Whether the person made a wrong accusation."""
        return self.seat in self.referee.state.turns.out

    # What is asked.

    @property
    def status(self) -> tuple[str, str]:
        """What the person is asked, or what happens meanwhile, and a remark about it."""
        request, state = self.referee.request, self.referee.state
        if request is None:
            return "The game is over.", self.outcome
        if not self.is_asked:
            return self.due.question, OUT if self.is_out else self.due.remark
        begins = request.kind in ("move", "accuse") and not state.done
        remark = f"{self.due.remark} {self._standing if begins else ''}"
        return self.due.question, remark.strip()

    @property
    def _standing(self) -> str:
        """A sentence with the person's piece and its place; empty if the place is unknown."""
        view, place = self.view, self.referee.state.place(self.seat)
        pieces = dict(zip(view.table.seats, view.table.pieces, strict=False))
        if self.referee.state.rules.board is None or place is None:
            return ""
        in_room = place in view.edition.rooms
        stands = f"in the {place}" if in_room else near_room(self.referee.state, place)
        return f"You are {pieces.get(self.seat) or 'a piece'}, {stands}."

    def read(self, text: str) -> tuple[Option, ...]:
        """
        Return the choices that a line may mean: those that contain all its words, also abbreviated.

        Raises:
            NotationError: If no choice contains them.
        """
        if not self.due.options:
            over = "the game is over: type 'review' or 'new', or press Enter for the list"
            reason = over if self.over else "wait: the others are playing"
            raise NotationError(reason, line=text)
        said = text.strip().casefold()
        for option in self.due.options:
            if said in (option.line.casefold(), " ".join(option.words).casefold()):
                return (option,)
        own = (self.seat.casefold(), "me", "i")
        words = [word for word in re.findall(r"\w+", said) if word not in own]
        accuses = any(word.startswith("acc") for word in words)
        options = [option for option in self.due.options if option.accuses == accuses]
        found = tuple(option for option in options if words and _has_all(option, words))
        if found:
            return found
        labels = dict.fromkeys(option.words[0] for option in self.due.options)
        raise Names("choice", labels).error_for(text)

    # What is typed.

    def prompt(self, text: str) -> tuple[str, str]:  # noqa: ARG002
        """Return what stands before the line, and what Enter does there."""
        if self.over:
            return ">", "the game is over: Enter lists what you can do next"
        return ">", "Enter lists what you may do" if self.is_asked else "the others are playing …"

    def handle_line(self, line: str) -> Account:
        """
        Play a choice that is typed in full; write an abbreviated one in full, and wait for Enter.

        If a line may mean several choices, the person is asked which.
        """
        try:
            options = self.read(line)
        except ClueError as error:
            return Account(line=line, refused=self.fault(error, line))
        if len(options) == 1:
            (option,) = options
            return self._play(option) if option.main or line == option.text else _propose(option)
        meant = {option.text: option for option in options}
        labels = tuple((text.removeprefix(f"{self.seat} "), text) for text in meant)
        prompt = Prompt("Which do you mean?", labels)
        return self.ask_for(prompt, lambda text: self._take_chosen(meant[text]))

    def _take_chosen(self, option: Option) -> Account:
        """
        Play a choice that was made in menus.

        If it may cost the person the game or a turn, its line is written into the input and waits
        for Enter instead.
        """
        return _propose(option) if option.is_grave else self._play(option)

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | Account:
        """
        Return the menu that follows the choices made in earlier menus.

        If only one of the person's options is left, it is played, and the account of that is
        returned.
        """
        known = len(chosen)
        options = [option for option in self.due.options if option.words[:known] == chosen]
        if not options:  # the others are playing
            return self.handle_line("")
        if known and (len(options) == 1 or len(options[0].words) == known):
            return self._take_chosen(options[0])
        words = dict.fromkeys(option.words[known] for option in options)
        question, remark = self.status
        choices = tuple((word, word) for word in words)
        if known:
            kind = self.session.record.table.edition.category_of.get(next(iter(words)), "card")
            return Prompt(f"Which {kind}?", choices, line=" ".join(chosen))
        usual = next((option.words[0] for option in options if option.main), None)
        return Prompt(question, choices, hint=remark, usual=usual)

    def _play(self, option: Option, *, forced: bool = False) -> Account:
        """
        Play a choice, and let the game go on.

        A choice that is `forced`, because there is no other, keeps the line that is being typed.
        """
        if not forced:
            self._decided_at = len(self.session.lines)
        try:
            self.decide(option)
        except ClueError as error:
            return Account(refused=self.fault(error, option.line))
        return self.news()._replace(line=None if forced else "", plays_on=True)

    # What is decided.

    def decide(self, option: Option) -> None:
        """Carry out the person's choice; raise an `ArgumentError` if it is not allowed now."""
        self.chairs.decide(option.choice, accuses=option.accuses)
        self._after_decision()

    @property
    def others_play(self) -> bool:
        """Whether a machine decides next."""
        return not (self.over or self.is_asked or self.closed)

    def let_machine_decide(self) -> None:
        """Let the machine whose turn it is think, and do what it decides. Called in a thread."""
        thought = self.chairs.machine_choice()
        if not self.closed:
            self.chairs.decide(thought)
            self._after_decision()

    def _after_decision(self) -> None:
        """Find out what the person is asked after a decision, and save the game."""
        self.due = decision_due(self.chairs, self.seat)
        self.save()

    def catch_up(self) -> tuple[str, ...]:
        """Bring the person's notes up to date with the game, and return their new lines."""
        before, lines = len(self.session.lines), self.view.game.lines
        told = self._record if self.over else self.view.game.record
        if lines[before:] or self.over:
            self.session.rewrite(replace(told, table=replace(told.table, viewer=self.seat)))
        return lines[before:]

    def news(self) -> Account:
        """Return what has been asked and shown since the person decided last."""
        changed, game = bool(self.catch_up()), self.view.game
        since = zip(
            game.lines[self._decided_at :], game.observations[self._decided_at :], strict=True
        )
        told = [line for line, each in since if not isinstance(each, _ON_THE_WAY)]
        return Account("\n".join(told[-_MOST_NEWS:]), changed=changed)

    def ask(self) -> Account:
        """Ask for the next decision, play it if only one is possible, or say how the game ended."""
        if self.over:
            return self._end()
        if not self.is_asked:
            return Account()
        if len(self.due.options) == 1:
            return self._play(self.due.options[0], forced=True)
        return self.lists()

    def _end(self) -> Account:
        """Say how the game ended and what everybody held, and ask what to do next."""
        game, record = self.referee, self.session.record
        accusations = (
            each for each in record.observations if isinstance(each, observed.Accusation)
        )
        accused = [format_line(each, record.table) for each in accusations]
        hands = [f"{seat} had {listed(view.hand)}." for seat, view in game.views.items()]
        choices = (("review it, turn by turn", "review"), ("another game", "new"))
        hint = "\n".join((*accused[:-1], *hands))
        look = ("look at the sheet and the log", "")
        prompt = Prompt(self.outcome, (*choices, look), "".join(accused[-1:]), hint=hint)
        return self.ask_for(
            prompt, lambda text: self.run(TypedCommand(text)) if text else Account()
        )

    # What is shown.

    @property
    def replacement_for_advice(self) -> tuple[str, str] | None:
        """
        What to show in place of advice: what the machines are doing, or how the game ended.

        It is a text and a remark. Both are empty while the person is asked something, because a
        menu then shows the question.
        """
        return ("", "") if self.is_asked else self.status

    def log(self) -> Iterator[str]:
        """Yield the entries, abbreviated; a square is told by how far the nearest room is."""
        for text, told in zip(super().log(), self.session.record.observations, strict=True):
            if isinstance(told, observed.Move) and told.to not in self.view.edition.rooms:
                near = near_room(self.referee.state, told.to)
                yield f"{text.removesuffix(told.to)}a square {near}"
            else:
                yield text

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield advice if the person has to decide."""
        if self.is_asked:
            yield from super().thoughts(game)

    def save(self) -> None:
        """Save the game and write its log."""
        self.dealt.keeper.write(self._record)
        self.dealt.save()

    @property
    def _record(self) -> Record:
        """The public record; once the game is over, the complete one, the others' hands last."""
        if self.over:
            return self.dealt.whole_record(self.seat)
        return Game(self.referee.record).notes_of(SPECTATOR).record

    def close(self, say: Say, typed: str = "") -> bool:  # noqa: ARG002
        """
        Save and close the game, and say where its file is.

        Args:
            say: Prints a message.
            typed: Not used: a typed choice that was not made is not kept.

        Returns:
            Whether all of the game is in its file.
        """
        self.closed = True
        self.save()
        keeper = self.dealt.keeper
        keeper.close()
        if self.trouble:
            copy = write_copy(keeper, self._copy)
            where = f"the game is in {copy} instead" if copy else "the game could not be saved"
            say(f"{self.trouble}; {where}")
        elif self.over:
            say(f"{self.outcome} The game is in {keeper.path}")
        else:
            say(f"the game is saved; to continue it: clue-solver practise {keeper.path}")
        return not self.trouble

    def _copy(self, path: Path) -> None:
        """Save the game and its log at another path."""
        folder = self.dealt.keeper.path.parent
        save(relocated(self._record, folder, path.parent), path)
        self.dealt.copy(path)


def _propose(option: Option) -> Account:
    """Return the account that writes the line of a choice into the input, for Enter to play it."""
    out = f" {RISK}" if option.accuses else ""
    return Account(
        f"{option.text}: Enter plays it, Esc goes back.{out}", line=option.text, waits=True
    )


def _has_all(option: Option, words: Sequence[str]) -> bool:
    """Return whether each of `words`, which are in lower case, begins some word of a choice."""
    known = re.findall(r"\w+", " ".join((*option.words, option.line)).casefold())
    return all(any(each.startswith(word) for each in known) for word in words)
