"""
A game against autonomous players, as lines: a person at a prompt is one of the players.

What happens is told as the lines of a record, as this seat saw it. The person's own sheet is kept
by the program, or by the person: then each mark is checked by what was seen, and explained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console

from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import Referee
from clue_solver.arena.view import View
from clue_solver.errors import ClueError
from clue_solver.notation import TurnState, format_line, lexicon_of, parse_line, readings, the_one
from clue_solver.rules.observations import Accusation, Observation, Suggestion
from clue_solver.views.board import board_text
from clue_solver.views.charts import ASCII, UNICODE
from clue_solver.views.document import render

Choice = TypeVar("Choice")

HELP = """\
When it is your turn, answer the question, or type:
  sheet             your sheet
  log, board        what happened; where the pieces stand
  why plum ben      why a card is where it is, or may be
  ben has plum      mark it (teach me: it is checked)
  ben lacks plum    the same
  hint              something certain that is not marked yet
  accuse mus wr lou        your accusation, in this turn
  quit              leave the game
Enter alone chooses nothing: stay, ask no more, do not accuse."""


REVIEWED = 500
"""How many deals weigh a suggestion in the review of a game that was just played."""


class Left(Exception):
    """The person has left the game."""


def outcome(referee: Referee) -> str:
    """Return how a game ended, and what the envelope held."""
    winner = referee.state.winner
    ended = referee.state.over or referee.turns == referee.most_turns
    said = f"{winner} won." if winner else "Nobody won." if ended else "You left the game."
    return f"{said} The envelope held {', '.join(referee.solution)}."


class Person:
    """
    A person at a prompt, as a player.

    Args:
        lines: Returns the next line for a prompt, `None` after the last.
        console: Where everything is printed.
        teach: Whether the person keeps the sheet.
    """

    def __init__(
        self, lines: Callable[[str], str | None], console: Console, *, teach: bool = False
    ) -> None:
        self.lines = lines
        self.console = console
        self.teach = teach
        self.marked: dict[tuple[str, str], bool] = {}
        self.choices: tuple[str, ...] = ()  # what answers the question that is asked
        self.refused = False  # whether the last line was
        self._told = 0
        self.accusing: tuple[str, ...] | None = None

    # What the referee asks.

    def move(self, view: View) -> str | None:
        """Ask where to go."""
        places, rooms = view.places, view.edition.rooms
        named = [place for place in places if place in rooms or place == ROLL]
        self.say(self.standing(view))
        rolled = "" if view.state.total is None else f"You rolled {view.state.total}. "

        def read(text: str) -> str:
            if ROLL in places and ROLL.startswith(text.casefold()):
                return ROLL
            if text.upper() in places:
                return text.upper()
            room = lexicon_of(view.table).cards.only("room", rooms).find(text)
            if room in places:
                return room
            nearer = view.state.towards(room)
            if nearer is None:
                raise ClueError(f"{room} is not in reach")
            self.say(f"towards {room}, to {nearer}")
            return nearer

        squares = len(places) - len(named)
        more = ", or any room to go towards it, or a square" if squares else ""
        prompt = f"{rolled}Where do you go? ({', '.join(named) or 'no room in reach'}{more}) "
        return self._asked(view, prompt, read, (*named, *rooms) if squares else named)

    def ask(self, view: View) -> Observation | None:
        """Ask what to suggest, or how to use the bonus."""
        if not view.state.may("suggests"):
            return self._extra(view)
        rooms, dice = view.rooms, view.state.dice
        here = rooms[0] if len(rooms) == 1 else None
        rolled = f"You rolled {', '.join(dice)}. " if dice else ""

        def read(text: str) -> Observation:
            found = readings(text, view.table, begun=(Suggestion, view.seat))
            gap = found[0].gap
            if here is not None and gap is not None and here in gap.names:
                found = (found[0].filled(here),)
            asked = the_one(found, text)
            if not isinstance(asked, Suggestion) or view.state.check(asked) is not None:
                where = f" You are in {here}." if here else ""
                raise ClueError(f"you cannot suggest that now.{where}")
            return Suggestion(by=view.seat, cards=asked.cards)

        prompt = f"{rolled}What do you suggest?{f' (in {here})' if here else ''} "
        return self._asked(view, prompt, read, self._named(view))

    def _named(self, view: View) -> Sequence[str]:
        """Return the cards that may be named in a suggestion now."""
        named = {card for cards in view.state.suggestions() for card in cards}
        return [card for card in view.cards if card in named]

    def _extra(self, view: View) -> Observation | None:
        options = {format_line(extra, view.table): extra for extra in view.state.extras()}
        if not options:
            return None
        few = list(options) if len(options) <= 12 else [next(iter(options)), "..."]
        for line in few:
            self.say(f"  {line}")

        def read(text: str) -> Observation:
            used = parse_line(text, view.table, TurnState(seat=view.seat))
            line = format_line(used, view.table)
            if line not in options:
                raise ClueError(f"expected one of these; found {line}")
            return options[line]

        uses = [line.removeprefix(f"{view.seat} ") for line in options]
        return self._asked(view, f"How do you use it? ({view.seat} ...) ", read, uses)

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:
        """Ask which card to show."""
        asker = f" to {to}" if to else ""

        def read(text: str) -> str:
            card = lexicon_of(view.table).cards.only("card", cards).find(text)
            return str(card)

        why = "" if view.asked is None else f"{format_line(view.asked, view.table)}. "
        prompt = f"{why}Which card do you show{asker}? ({', '.join(cards)}; Enter: the first) "
        return self._asked(view, prompt, read, cards) or cards[0]

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the accusation that was typed in this turn, or ask once something was asked."""
        if self.accusing is None and view.state.suggested(view.seat):
            self._asked(
                view, "Accuse? (accuse CARDS, or Enter) ", lambda text: self._accused(view, text)
            )
        cards = self.accusing
        self.accusing = None
        return cards

    def _accused(self, view: View, text: str) -> None:
        words = text.removeprefix("accuse").strip()
        found = readings(words, view.table, begun=(Accusation, view.seat))
        if found[0].gap is not None and found[0].gap.field == "right":  # that is not known yet
            found = (found[0].filled("wrong"),)
        accusation = the_one(found, words)
        assert isinstance(accusation, Accusation)
        self.accusing = accusation.cards

    # The prompt and its commands.

    def _asked(
        self, view: View, prompt: str, read: Callable[[str], Choice], choices: Sequence[str] = ()
    ) -> Choice | None:
        """Return what a line means; commands are obeyed before, and errors told."""
        self.choices = tuple(dict.fromkeys(choices))
        while True:
            line = self.lines(prompt)
            if line is None:
                raise Left
            text = line.strip()
            self.refused = False
            if not text:
                return None
            try:
                if text.startswith("accuse "):
                    self._accused(view, text)
                    return None
                if not self._obeyed(view, text):
                    return read(text)
            except ClueError as error:
                self.say(f"error: {error}")
                self.refused = True

    def _obeyed(self, view: View, text: str) -> bool:
        """Obey a command; return whether it was one."""
        word, _, rest = text.partition(" ")
        match word.casefold():
            case "quit" | "q" | "exit":
                raise Left
            case "help" | "?":
                self.say(HELP)
            case "sheet":
                self._sheet(view)
            case "log":
                for number, line in enumerate(view.game.lines, 1):
                    self.say(f"{number:>4}  {line}")
            case "board":
                self.console.print(self._board(view))
            case "hint":
                self._hint(view)
            case "why":
                card, _, holder = rest.rpartition(" ")
                self.console.print(render(view.game.why(card, holder)))
            case _:
                return self._mark(view, text)
        return True

    def say(self, text: str) -> None:
        """Print lines as they are."""
        for line in text.splitlines():
            self.console.print(line, soft_wrap=True)

    # The sheet.

    def _sheet(self, view: View) -> None:
        if not self.teach:
            marks = ASCII if self.console.options.ascii_only else UNICODE
            report, lines = view.game.report(), view.game.lines
            self.console.print(render(report, width=self.console.width, marks=marks, lines=lines))
            return
        self.say(f"Your hand: {', '.join(view.hand)}")
        for card in view.cards:
            notes = [
                f"{'' if has else 'not '}{holder}"
                for (holder, name), has in self.marked.items()
                if name == card
            ]
            if notes:
                self.say(f"  {card}: {', '.join(notes)}")

    def _mark(self, view: View, text: str) -> bool:
        """Mark a card by `ben has plum`, checked by what was seen; return whether it is a mark."""
        for verb, has in ((" has ", True), (" lacks ", False)):
            holder, separator, card = text.partition(verb)
            if separator:
                card, holder = lexicon_of(view.table).cell(card, holder)
                self._checked(view, card, holder, has=has)
                return True
        return False

    def _checked(self, view: View, card: str, holder: str, *, has: bool) -> None:
        reason = view.game.why(card, holder)
        verdict = view.game.report().verdict(card, holder)
        if verdict == ("holds" if has else "lacks"):
            self.marked[holder, card] = has
            self.say("Right.")
        elif verdict == "open":
            self.say("Not certain yet.")
        else:
            self.say("Wrong.")
        self.console.print(render(reason))

    def _hint(self, view: View) -> None:
        """Tell something certain about the cards of others that is not marked yet."""
        report = view.game.report()
        for card in (card for card in view.cards if card not in view.hand):
            for holder in view.table.holders:
                verdict = report.verdict(card, holder)
                if verdict == "holds" and (holder, card) not in self.marked:
                    self.say(f"You can know where {card} is. Mark it, or ask: why {card} {holder}")
                    return
        self.say("You have marked every card that is certain.")

    # The table.

    def watch(self, referee: Referee) -> None:
        """Print what happened since the last time, as this seat saw it."""
        view = next(iter(referee.views.values()))
        lines = view.game.lines
        for line in lines[self._told :]:
            self.say(line)
        self._told = len(lines)

    def standing(self, view: View) -> str:
        """Return where the pieces stand, a line for each seat."""
        pieces = view.table.pieces
        lines = []
        for place, seat in enumerate(view.table.seats):
            piece = f" ({pieces[place]})" if pieces else ""
            where = view.state.place(seat)
            if where is not None:
                lines.append(
                    f"{seat}{piece} in {where}"
                    if where in view.edition.rooms
                    else f"{seat}{piece} on {where}"
                )
        return "; ".join(lines)

    def _board(self, view: View) -> str:
        """Return where the pieces are, where the person may go and what to test there."""
        state = view.state
        reach = dict.fromkeys(view.edition.rooms, 0.0)
        if state.turn != view.seat or state.may("rolls"):
            reach = state.chances(view.seat)
        else:
            reach |= dict.fromkeys(view.places, 1.0)
        return board_text(state, reach=reach, report=None if self.teach else view.game.report())
