"""What is wrong with a line: it cannot be read, or in more than one way."""

from __future__ import annotations

import re

from clue_solver.errors import NotationError, printable
from clue_solver.notation import checks
from clue_solver.notation import words as typed
from clue_solver.notation.answering import NO, NOBODY, PASSES, SHOWS
from clue_solver.notation.canonical import format_line
from clue_solver.notation.meanings import Meanings, Reader, Trail, Words
from clue_solver.notation.names import Names, Reach, joined, slips
from clue_solver.notation.nodes import Node, Path
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import Table

_LONGEST_NAME = 20
"""The most letters of a word that may be a slip of another."""

_SQUARE = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}")


class Faults:
    """Finds what is wrong with a line, at the furthest point that can be read."""

    def __init__(self, reader: Reader, words: Words, verb: str) -> None:
        self.reader = reader
        self.words = words
        self.lexicon = reader.lexicon
        self.verb = verb  # where the words have none
        last = next((word for word in words if word.text == ":"), None)
        self.end = last.column if last else words[-1].column + len(words[-1].text)
        self.found = NotationError("expected an observation", column=-1)

    def error(self, line: str) -> NotationError:
        """Return the error to raise."""
        self.reader.meanings(self.words, Reach.WORDS, self.refused)
        if self.found.column < 0:
            reached = self.reader.walk.trails(self.words, Reach.WORDS)
            reached = [[trail for trail in trails if self._left(trail) >= 0] for trails in reached]
            place = max(at for at, trails in enumerate(reached) if trails)
            for trail in reached[place]:
                if place == len(self.words):
                    end = self.words[-1].column + len(self.words[-1].text)
                    words = {keywords[0].text: None for keywords in trail.node.keywords.values()}
                    near = tuple(word for word in words if word != ":")
                    self.note(f"expected {trail.node.expected}; found nothing", end, near)
                else:
                    self.stuck(trail, place)
        fault = self.found
        return NotationError(fault.reason, line=line, column=fault.column, nearest=fault.nearest)

    def _left(self, trail: Trail) -> int:
        """Return how many more cards a suggestion or an accusation may name; else 1."""
        edition = self.reader.table.edition
        said = dict(trail.parts)
        verb = said[("event",)].name if ("event",) in said else self.verb
        listed = sum(path[:1] == ("cards",) for path, _ in trail.parts)
        most = {"suggests": edition.named, "accuses": len(edition.category)}
        return most.get(verb, listed + 1) - listed

    def note(self, reason: str, column: int, nearest: tuple[str, ...] = ()) -> None:
        """Note a fault and its column; the furthest one counts, the first of several there."""
        if column > self.found.column:
            self.found = NotationError(reason, column=column, nearest=nearest)

    def refused(self, error: NotationError, trail: Trail) -> None:
        """Note that a reading makes no sense, at the column of the part at fault or around it."""
        path: Path = getattr(error, "path", ("subject",))
        columns = [
            min(there)
            for size in range(len(path), 0, -1)
            if (there := [named.column for at, named in trail.parts if at[:size] == path[:size]])
        ]
        first = self.words[0].column if path == ("subject",) else self.end
        self.note(error.reason, columns[0] if columns else first, error.nearest)

    def stuck(self, trail: Trail, place: int) -> None:
        """Note that nothing after a trail can be read from the word at `place`."""
        node = trail.node
        word = self.words[place]
        if word.text == ":" and node.whole is not None:
            try:
                checks.normalise(node.whole(), self.reader.table, self.reader.state)
            except NotationError as error:
                self.refused(error, trail)
                return
        said = word.text.casefold()
        verbs = self._verbs(node)
        if verbs and said in (*PASSES, *SHOWS, *NOBODY):
            reason = f"expected the suggestion before its answers; found '{printable(word.text)}'"
            skips = "; a turn without one: 'skips'" if said in PASSES and place else ""
            self.note(f"{reason}{skips}{self._order() if place else ''}", word.column)
        elif any(choice.path == ("subject",) for choice in node.choices):
            self._beginning(word)
        else:
            forms = {
                form: keywords[0].text for form, keywords in node.keywords.items() if form != ":"
            }
            spelt = {form.split()[0]: text.split()[0] for form, text in forms.items()}
            slip_of = {form: slips(said, form) for form in spelt if len(said) <= _LONGEST_NAME}
            near = [form for form, slip in slip_of.items() if slip and slip[0] and not slip[1]]
            near = [] if self.lexicon.seats.exact(said) else near
            holds = bool(verbs) and said in ("has", "have")
            if near or holds:
                meant = "holds" if holds else spelt[min(near, key=lambda form: slip_of[form] or ())]
                reason = f"unknown word '{printable(word.text)}'; did you mean '{meant}'?"
                self.note(reason, word.column, (meant,))
            else:
                self._unknown(trail, place)

    def _verbs(self, node: Node) -> list[str]:
        every = (keyword for keywords in node.keywords.values() for keyword in keywords)
        return [keyword.text for keyword in every if keyword.path == ("event",)]

    def _order(self) -> str:
        """Return the end of a message: whose turn it is, and who answers in which order."""
        table = self.reader.table
        state = self.reader.state
        turn = state.turn(table)
        if turn is None:
            return "; a card shown to all: 'reveals'"
        order = table.answering(turn, left=state.left)
        return f"; it is {turn}'s turn, then {joined(order, 'and')} answer in order"

    def _beginning(self, word: typed.TypedWord) -> None:
        """Note that a line cannot begin with a word."""
        verbs = [kind.form.verb for kind in kinds() if kind.form.subject]
        seats, cards = self.lexicon.seats, self.lexicon.cards
        said = word.text.casefold()
        own = [verb for verb in verbs if said in (verb, verb.removesuffix("s"))]
        if word.text == ":":
            self.note("expected an observation before ':'; found nothing", 0)
        elif own:
            self.note(f"expected who {own[0]} before '{own[0]}'; found nothing", word.column)
        elif not {verb.removesuffix("s") for verb in verbs}.isdisjoint(
            other.text.casefold().removesuffix("s") for other in self.words[1:]
        ):
            error = seats.unknown(word.text)
            self.note(error.reason, word.column, error.nearest)
        else:
            error = Names("name", dict.fromkeys((*seats.names, *cards.names, *verbs))).unknown(
                word.text
            )
            wanted = f"a player, {joined(seats.names)}, or a card"
            unknown = f"unknown name '{printable(word.text)}'; expected {wanted}"
            self.note(error.reason if error.nearest else unknown, word.column, error.nearest)

    def _unknown(self, trail: Trail, place: int) -> None:
        """Note that a word is none of the names that may stand there."""
        node = trail.node
        word = self.words[place]
        spots = any(choice.path == ("to",) for choice in node.choices)
        if spots and self.lexicon.squares.names and _SQUARE.fullmatch(word.text):
            squares = "a room or a square, its column's letter and its row from the top"
            reason = f"the board has no square '{printable(word.text)}'; expected {squares}"
            self.note(reason, word.column)
            return
        opinion = typed.OPINION.match(" ".join(each.text for each in self.words[place:]).casefold())
        players = () if opinion else self.lexicon.seats.exact(word.text)
        instead = f"the player {printable(players[0])}" if players else f"'{printable(word.text)}'"
        choices = () if players or word.text == ":" else node.choices
        full = not self._left(trail)
        choices = tuple(
            choice for choice in choices if not (full and choice.path[:1] == ("cards",))
        )
        errors = [choice.names.unknown(word.text) for choice in choices]
        expected = node.expected
        if not (node.edges or node.expected) or (word.text == ":" and node.whole is not None):
            expected = f"nothing after '{printable(self.words[place - 1].text)}'"
        for error in errors:
            if error.nearest or not (":" in expected or ", or " in expected):
                self.note(error.reason, word.column, error.nearest)
        near: tuple[str, ...] = ()
        if players and trail.parts and trail.parts[-1][0][-1:] == ("seat",):
            near = (f"{trail.parts[-1][1].name} passes",)
            instead += f"; did you mean '{near[0]}'?"
        self.note(f"expected {expected}; found {instead}", word.column, near)


def refuse_no(trail: Trail, seats: Names, line: str) -> None:
    """Refuse a `no` that was taken for the beginning of a player's name."""
    for path, named in trail.parts:
        no = named.text.casefold() in NO and not seats.exact(named.text)
        if no and path[-1:] == ("seat",) and named.name in seats:
            wanted = f"expected who shows, or {printable(named.name)} in full"
            reason = f"'{printable(named.text)}' says that somebody passes; {wanted}"
            raise NotationError(reason, line=line, column=named.column)


def misspelt_verb(
    reader: Reader, words: Words, meanings: Meanings, line: str
) -> NotationError | None:
    """Return the error for a misspelt verb that was read as several cards; `None` for none."""
    starts = {word.column: word for word in words}
    columns = {named.column for trail in meanings.values() for _, named in trail.parts}
    for inside in sorted(columns - starts.keys()):
        word = starts[max(column for column in starts if column < inside)]
        verbs = (kind.form.verb for kind in kinds())
        spelt = ((verb, slips(word.text.casefold(), verb.removesuffix("s"))) for verb in verbs)
        slip_of = {verb: slip for verb, slip in spelt if slip is not None}
        for verb in sorted(slip_of, key=slip_of.__getitem__):
            meant = line[: word.column] + verb + line[word.column + len(word.text) :]
            if reader.meaning(typed.split_comment(meant)[0]) is not None:
                reason = f"unknown word '{printable(word.text)}'; did you mean '{verb}'?"
                return NotationError(reason, line=line, column=word.column, nearest=(verb,))
    return None


def ambiguous(meanings: Meanings, line: str, table: Table) -> NotationError:
    """Say what can be read in several ways: one word where it is only that, else the line."""
    spots: dict[tuple[int, str], list[str]] = {}
    for trail in meanings.values():
        for _, named in trail.parts:
            if named.text.casefold() not in NO:  # who or what that is about, only the line says
                spots.setdefault((named.column, named.text), []).append(named.name)
    for (column, text), names in sorted(spots.items()):
        distinct = tuple(dict.fromkeys(names))
        if len(names) == len(meanings) and len(distinct) > 1:
            reason = f"'{printable(text)}' can be {joined(distinct)}"
            return NotationError(reason, line=line, column=column, nearest=distinct)
    lines = tuple(format_line(observation, table) for observation in meanings)
    reason = " or ".join(f"'{printable(text, most=120)}'" for text in lines[:3])
    return NotationError(f"this can be {reason}", line=line, nearest=lines)
