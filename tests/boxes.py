"""
The rules of the boxes one by one: the table of what is known of each, and a way to prove it.

`rules/boxes.toml` has a row for each rule and says in six columns where it holds. The test of a row
plays a short game through a `Box`, which notes the columns that it was asked about; `proves` holds
the row to just these.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, wraps
from pathlib import Path
from typing import NamedTuple

from clue_solver import Game, parse_record
from clue_solver.answers.advice import Advice
from clue_solver.answers.decision import decide
from clue_solver.arena.players import Likeliest
from clue_solver.arena.referee import Referee, play
from clue_solver.arena.seat_view import View
from clue_solver.arena.tournament import Tournament
from clue_solver.conversation.session import Session
from clue_solver.notation import Told
from clue_solver.record import Record, format_record, from_jsonl, to_jsonl
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.play import PlayState
from tests.enforcer import Referee as Enforcer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
from arena_games import illegal, played

OUTSIDE = {"W16": "special squares and cards are yet to come: the box announces them only"}
"""Rules that may be unknown, and why."""


class Rule(NamedTuple):
    """A rule of a box: its code, the rule in a sentence, and a cell for each column."""

    code: str
    rule: str
    cells: dict[str, str]

    @property
    def held(self) -> set[str]:
        """The columns in which it holds, if only in part."""
        return {
            name for name, cell in self.cells.items() if cell.split(":")[0] in ("yes", "partly")
        }


@cache
def rules() -> dict[str, Rule]:
    """Return every rule of the table by its code."""
    path = Path(__file__).with_name("rules").joinpath("boxes.toml")
    table = tomllib.loads(path.read_text("utf-8"))
    found = {}
    for box in table["box"]:
        for code, (rule, *cells) in box["rules"].items():
            found[code] = Rule(code, rule, dict(zip(table["columns"], cells, strict=True)))
    return found


PROOFS: dict[str, Callable[[], None]] = {}
_asked_about: set[str] = set()


def proves(code: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Make a test the proof of a rule: it has to look at each column in which the rule holds."""

    def proof(test: Callable[[], None]) -> Callable[[], None]:
        @wraps(test)
        def run() -> None:
            _asked_about.clear()
            test()
            assert _asked_about == rules()[code].held, "what the table says, and what is tested"

        assert code not in PROOFS, f"{code} has two tests"
        PROOFS[code] = run
        return run

    return proof


def asked_about(column: str) -> None:
    """Note that a test looks at a column otherwise than through a box."""
    _asked_about.add(column)


def asked(session: Session, said: str | Told) -> list[str]:
    """The questions about rules of play, or about a contradiction, before a line is taken."""
    doubts = session.doubts(said)
    return [doubt.question for doubt in doubts if doubt.kind in ("rule", "turn", "clash")]


class Box(NamedTuple):
    """A table at which the game of a box is played, by the values of its header."""

    edition: str
    players: str = "Ann, Ben, Cat"
    first: str = "Ann"
    pieces: str = ""
    more: str = ""

    def begun(self, *lines: str) -> Record:
        header = {"edition": self.edition, "players": self.players, "viewer": "Ann"}
        header |= {"first": self.first, "pieces": self.pieces}
        head = "".join(f"{key}: {value}\n" for key, value in header.items() if value)
        return parse_record(head + self.more + "\n" + "".join(f"{line}\n" for line in lines))

    def game(self, *lines: str) -> Game:
        return Game(self.begun(*lines))

    # Each of these looks at one column.

    def keeps(self, *lines: str) -> bool:
        """Whether a record has these lines as they stand, and loses nothing in either form."""
        _asked_about.add("record")
        record = self.begun(*lines)
        whole = parse_record(format_record(record)) == record == from_jsonl(to_jsonl(record))
        return whole and Game(record).lines == lines

    def reads(self, typed: str, *before: str) -> str:
        """The line that is written for one that is typed."""
        _asked_about.add("record")
        session = Session(self.begun(*before))
        session.tell(typed)
        return session.lines[-1]

    def verdict(self, card: str, holder: str, *lines: str) -> str:
        """Whether the holder holds or lacks the card, or that is open."""
        _asked_about.add("deduction")
        return str(self.game(*lines).report().verdict(card, holder))

    def state(self, *lines: str, exact: bool = False) -> PlayState:
        """The state of play after some lines."""
        _asked_about.add("play")
        record = self.begun(*lines)
        return PlayState.of(record.table, record.observations, exact=exact)

    def broken(self, *lines: str, exact: bool = False) -> list[str]:
        """Which rules the last of some lines breaks."""
        *before, last = self.begun(*lines).observations
        state = self.state(exact=exact)
        for each in before:
            state = state.after(each)
        return [each.rule for each in state.doubts(last)]

    def asked(self, *lines: str) -> str:
        """What is asked about the rules before the last of some lines is taken."""
        _asked_about.add("doubt")
        return " ".join(asked(Session(self.begun(*lines[:-1])), lines[-1]))

    def told(self, *lines: str) -> str:
        """What the line says that tells what to do now."""
        _asked_about.add("advice")
        view = self.game(*lines).seen()
        return (view._decided() or decide(view.adviser().advice())).text

    def advice(self, *lines: str) -> Advice:
        """All that is advised."""
        _asked_about.add("advice")
        return self.game(*lines).seen().adviser().advice()

    def arena(self, number: int = 1, *kinds: str) -> Referee:
        """A game of the arena, each action of which the enforcer allows."""
        _asked_about.add("arena")
        players = kinds or ("likeliest",) * len(self.players.split(","))
        return _played(self.edition, players, number)

    def names_own(self, numbers: Iterable[int], *kinds: str) -> bool:
        """Whether somebody asks for an own card in games of the arena."""
        return any(
            {*action.cards} & referee.dealt.hands[action.by]
            for referee in (self.arena(number, *kinds) for number in numbers)
            for action in referee.past
            if isinstance(action, Suggestion)
        )

    def rash(self, *seats: str, number: int = 1) -> Referee:
        """A game of the arena in which some accuse wrongly as soon as they may."""
        _asked_about.add("arena")
        referee = Tournament(
            edition=self.edition, players=("likeliest",) * len(self.players.split(",")), seed=8
        ).begin(number)
        table = referee.dealt.table
        play(referee, {seat: Rash() if seat in seats else Likeliest() for seat in table.seats})
        assert illegal(referee) == []
        return referee

    def enforcer(self, *lines: str) -> Enforcer:
        """The judge of the arena's games after some lines."""
        _asked_about.add("arena")
        record = self.begun(*lines)
        enforcer = Enforcer(record.table)
        for each in record.observations:
            enforcer.tell(each)
        return enforcer


class Rash(Likeliest):
    """Accuses cards of which it holds one."""

    def accuse(self, view: View) -> tuple[str, ...]:
        """Return cards that are wrong for certain."""
        own = [next((card for card in kind if card in view.hand), None) for kind in view.kinds]
        held = next(place for place, card in enumerate(own) if card)
        cards = zip(own, view.kinds, strict=True)
        return tuple(
            str(card) if place == held else kind[0] for place, (card, kind) in enumerate(cards)
        )


@cache
def _played(edition: str, players: tuple[str, ...], number: int) -> Referee:
    referee = played(Tournament(edition=edition, players=players, seed=8), number)
    assert illegal(referee) == []
    return referee
