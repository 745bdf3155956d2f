"""A table of suggestions, one a row, as entries of a record."""

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn, get_args

from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError, counted, printable
from clue_solver.exchange.columns import ROLES, Roles
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import (
    DOUBTS,
    WRITERS,
    Imported,
    ImportOptions,
    Unclear,
    Unsaid,
    table_lines,
    with_hand,
)
from clue_solver.exchange.marks import Marks, strange_marks
from clue_solver.exchange.naming import (
    NameFinder,
    edition_of,
    known_editions,
    without_piece,
)
from clue_solver.notation import (
    InvalidObservation,
    lexicon_of,
    normalise,
    parse_names,
    readings,
    the_one,
)
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Entry, Record
from clue_solver.rules.edition import Answering
from clue_solver.rules.observations import Accusation, Answer, Suggestion

_PARTED = re.compile(r"\s*(?:[,;/&+|]|\b(?:and|with|in|using)\b)\s*")
_NOBODY = {
    *("nobody", "none", "no one", "noone", "-", "\u2013", "\u2014"),
    *("niemand", "keiner", "personne", "nadie", "ninguno", "nessuno"),
}
_UNHEARD = {"", "?", "unknown", "unheard"}
_RIGHT = dict.fromkeys(
    ("right", "correct", "won", "true", "richtig", "juste", "correcto", "correcta"), True
) | dict.fromkeys(
    ("wrong", "incorrect", "lost", "false", "falsch", "faux", "incorrecto", "incorrecta"), False
)
_ACCUSES = re.compile(r"(?i)\b(?:accus|anklag|acus)")
_SURE = re.compile(r"(?i)\b(?:not|nobody|none)\b")
_ACCUSING = re.compile(rf"{_ACCUSES.pattern}\w*")
_MOST_FAULTS = 10


_SHOWN = {"shows", "showed", "show", "shown", "showing", "s", "card", "a card"}
_PASSED = {"pass", "passes", "passed", "p", "none", "nothing", "cannot", "cant"}
_NOT_ASKED = {"asks", "asked", "asker", "asking", "suggests", "n/a", "na"}


def read_turns(grid: Grid, roles: Roles, options: ImportOptions) -> Imported:
    """
    Return what a table of suggestions tells, in the order of its rows.

    Where several editions have the very same cards, the usual one is taken if the rows tell the
    same in all of them.

    Raises:
        Unclear: If rows cannot be read, all of them with their rows and columns; or if something is
            not said: the edition, the seating, what a mark or a column means.
    """
    reader = _TurnsReader(grid, roles, options)
    imported = reader.read()
    for edition in reader.others:
        try:
            other = _TurnsReader(grid, roles, replace(options, edition=edition)).read()
        except RecordError:
            continue  # it is not of that edition
        if other.record.observations != imported.record.observations:
            text = (
                f"say which edition it is, {reader.edition.name} or {edition.name}: who had to "
                f"answer differs ({reader.how})"
            )
            question = Unsaid("edition", text, (reader.edition.name, edition.name))
            raise Unclear((), [question], path=grid.name)
    return imported


class _TurnsReader:
    """Reads one table, row by row."""

    def __init__(self, grid: Grid, roles: Roles, options: ImportOptions) -> None:
        self.roles = roles
        self.accusing: set[int] = set()
        self.grid = grid = self._without_accusing(grid)
        self.options = options
        self.marks = Marks(options.marks)
        below = [row for row in range(roles.header + 1, len(grid.rows)) if not grid.blank(row)]
        self.talk = [row for row in below if _is_talk(grid.rows[row]) or self._asks_nothing(row)]
        self.rows = [row for row in below if row not in self.talk]
        if not self.rows:
            grid.refuse("expected suggestions below the header; found none")
        self.finding = NameFinder(grid, mend=options.mend)
        self.strange: dict[str, list[str]] = {}
        if roles.cards:
            texts = [grid.cell(row, column) for row in self.rows for column in roles.cards]
        else:
            texts = [part for row in self.rows for part in _parts(self._said("cards", row))]
        fit = edition_of(list(dict.fromkeys(filter(None, texts))), options)
        self.edition = fit.edition
        self.how = fit.how
        self.others = fit.others
        self.cards = options.names(self.edition)
        self.questions = [fit.question] if fit.question else []
        self.silent: list[int] = []
        self.filled: list[int] = []
        self.several: list[int] = []
        self._ask_for_columns()
        players = options.players or tuple(roles.players)
        if not players:
            asked = (self._said("asker", row) for row in self.rows)
            text = (
                "the players who ask, in this order, are "
                f"{joined(dict.fromkeys(filter(None, asked)), 'and')}; the table does not say who "
                "sits where"
            )
            text = f"{text}: give the players clockwise"
            self.questions.append(Unsaid("players", text))
        self._ask_whose(players)
        if self.questions:
            self._spelling()
            raise Unclear(
                self.finding.faults, [*self.questions, *self.finding.questions()], path=grid.name
            )
        self.table = options.table(self.edition, players)
        self.lexicon = lexicon_of(self.table)

    def _without_accusing(self, grid: Grid) -> Grid:
        """Return the grid without `accuses` beside askers and cards; the rows of it are kept."""
        places = [self.roles.place.get("asker"), self.roles.place.get("cards")]
        rows = [list(cells) for cells in grid.rows]
        for row, cells in enumerate(rows):
            for column in places if row > self.roles.header else ():
                if column is not None and column < len(cells) and _ACCUSES.search(cells[column]):
                    self.accusing.add(row)
                    cells[column] = _ACCUSING.sub(" ", cells[column]).strip(" :,-")
        return replace(grid, rows=tuple(map(tuple, rows)))

    def _asks_nothing(self, row: int) -> bool:
        """Whether a row names no card where its suggestion stands, and no answer."""
        if any(self._said(role, row) for role in ("shower", "shown", "passes", "answers")):
            return False
        words = words_of(self._said("cards", row))
        names = [self.options.names(edition) for edition in known_editions(self.options)]
        long = [word for word in words if len(word) > 2]
        named = any(len(cards.readings(word)) == 1 for cards in names for word in long)
        return bool(words) and not named

    def _ask_whose(self, players: Sequence[str]) -> None:
        """Ask whose notes these are, where the writer goes by no player's name."""
        names = {name.casefold() for name in players}
        if self.options.viewer is not None or not names:
            return
        for role in ("asker", "shower"):
            for row in self.rows:
                said = self._said(role, row)
                if said.casefold() in WRITERS - names:
                    where = self.grid.where(row, self.roles.place[role])
                    text = f"{where}, '{printable(said)}': say whose notes these are"
                    self.questions.append(Unsaid("viewer", text, tuple(players)))
                    return

    def _ask_for_columns(self) -> None:
        for column in self.roles.strange:
            title = self.grid.cell(self.roles.header, column)
            known = Names("column", (name for name, role in ROLES.items() if role != "aside"))
            near = known.nearest(title)
            hint = f", '{near[0]}' perhaps" if near else ""
            cells = sum(bool(self.grid.cell(row, column)) for row in self.rows)
            text = (
                f"{printable(self.grid.name, most=200)}: {self._title(column)}, with text in "
                f"{counted(cells, 'cell')}: what is it{hint}? Call it asker, cards, shower, shown "
                "card, passes, answers or comment, or leave it aside"
            )
            self.questions.append(Unsaid("leave", text, column=title))

    def _spelling(self) -> None:
        """Look every card up, where nothing else can be read yet."""
        if any(question.argument in ("names", "edition") for question in self.questions):
            return
        for row in self.rows:
            for column in self.roles.cards:
                text = self.grid.cell(row, column)
                try:
                    if text:
                        self.finding.find(self.cards, text, row, column)
                except RecordError as error:
                    self.finding.note(error)

    def read(self) -> Imported:
        record = with_hand(Record(table=self.table), self.options.hand)
        entries = list(record.entries)
        course = record.turn_state
        faults = self.finding.faults
        for row in self.rows:
            try:
                written = self._observation(row)
                if self._several_show(written):
                    self.several.append(row)
                    continue
                observation = normalise(written, self.table, course)
                if isinstance(written, Suggestion) and observation != written:
                    self.filled.append(row)
                comment = self._said("comment", row)
                above = () if entries else ("",)
                entries.append(Entry(observation=observation, comment=comment, before=above))
                course = course.after(observation)
            except RecordError as error:
                self.finding.note(error)
            except NotationError as error:
                where = self.grid.where(row, self._column(error))
                faults.append(f"{printable(self.grid.name)}: {where}: {error.reason}")
        if self.strange:
            self.questions.append(strange_marks(self.grid, self.strange))
        if self.several:
            rows = joined((str(row + 1) for row in self.several), "and")
            text = f"more than one player showed in row {rows}: say who shows"
            self.questions.append(Unsaid("answers", text, get_args(Answering)))
        if not self.options.players and (self.filled or faults):
            self._ask_for_seating()
        questions = [*self.questions, *self.finding.questions()]
        if faults or questions:
            more = len(faults) - _MOST_FAULTS
            rest = [f"and {more} more rows"] if more > 0 else []
            raise Unclear([*faults[:_MOST_FAULTS], *rest], questions, path=self.grid.name)
        record = replace(record, entries=tuple(entries))
        return Imported(
            record=record,
            kind="suggestions",
            understood=tuple(self._understood()),
            aside=tuple(self._aside()),
        )

    def _several_show(self, written: Suggestion | Accusation) -> bool:
        """Whether more showed than the edition has show, and nobody said who shows."""
        if self.options.answers or self.table.everyone_shows:
            return False
        answers = written.answers if isinstance(written, Suggestion) else ()
        return sum(answer.answer == "shows" for answer in answers) > 1

    def _ask_for_seating(self) -> None:
        """Ask who sits where: it would tell who passed, and columns stand in any order."""
        rows = joined((str(row + 1) for row in self.filled), "and")
        several = "rows" if len(self.filled) > 1 else "row"
        left_out = f"; who passed in {several} {rows} would follow from it" if rows else ""
        text = f"the columns of {joined(self.roles.players, 'and')} need be no seating{left_out}"
        self.questions.append(Unsaid("players", f"{text}: give the players clockwise"))

    def _column(self, error: NotationError) -> int | None:
        """Return the column at fault in an observation that has no meaning at the table."""
        path = error.path if isinstance(error, InvalidObservation) else ()
        if path[:1] != ("answers",):
            return None
        return self.roles.place.get("shown" if path[-1] == "card" else "shower")

    def _said(self, role: str, row: int) -> str:
        column = self.roles.place.get(role)
        return "" if column is None else self.grid.cell(row, column)

    def _observation(self, row: int) -> Suggestion | Accusation:
        cells = self.grid.rows[row]
        width = len(self.grid.rows[self.roles.header])
        if len(cells) < width:
            self.grid.refuse(f"expected {width} cells, as in the header; found {len(cells)}", row)
        if any(cells[width:]):
            self.grid.refuse("expected no cell beyond the header's last", row)
        by = self._seat(self._said("asker", row), "asker", row)
        cards = self._cards(row)
        right = self._verdict(row)
        if right is not None:
            self._no_answers(row)
            return Accusation(by=by, cards=cards, right=right)
        said = self._said("answers", row)
        if said:
            if self._said("shower", row) or self._said("passes", row) or self.roles.players:
                self._refuse("expected the answers in one place only", "answers", row)
            return self._told(Suggestion(by=by, cards=cards), said)
        answers = self._answers(by, cards, row)
        others = self._answered(by, cards, row)
        return Suggestion(by=by, cards=cards, answers=self._together(answers, others, row))

    def _verdict(self, row: int) -> bool | None:
        """Whether the accusation of a row was right; `None` for a suggestion."""
        kind = self._said("kind", row)
        verdict = self._said("accusation", row)
        if kind and not re.match(r"(?i)acc|sugg|guess|ask", kind):
            self._refuse(
                f"expected suggestion or accusation; found '{printable(kind)}'", "kind", row
            )
        accused = _ACCUSES.match(kind) is not None or row in self.accusing
        if row in self.accusing and not verdict:
            told = {_RIGHT[word] for word in self._verdicts(row)}
            if len(told) == 1:
                return told.pop()
            self._refuse("expected right or wrong of the accusation; found neither", "asker", row)
        if kind and not accused and verdict.casefold() in ("wrong", "incorrect", "false"):
            return None
        if verdict and verdict.casefold() not in ("no", "-"):
            if verdict.casefold() not in _RIGHT:
                self._refuse(
                    f"expected right or wrong; found '{printable(verdict)}'", "accusation", row
                )
            return _RIGHT[verdict.casefold()]
        comment = self._said("comment", row)
        if not accused and not _ACCUSES.search(comment):
            return None
        said = [word for word in words_of(comment) if not _ACCUSES.match(word)]
        if len(said) == 1 and said[0] in _RIGHT:
            return _RIGHT[said[0]]
        if accused:
            self._refuse("expected right or wrong of the accusation; found neither", "kind", row)
        title = self.grid.cell(self.roles.header, self.roles.place["comment"])
        text = (
            f"{self.grid.where(row)}, '{printable(comment)}': an accusation? Write right or wrong "
            f"in a column 'accusation', or leave '{printable(title)}' aside"
        )
        self.questions.append(Unsaid("leave", text, column=title))
        return None

    def _verdicts(self, row: int) -> list[str]:
        """Return the words for right and wrong in the answers of a row."""
        roles = ("shower", "passes", "shown", "answers", "comment")
        words = (word for role in roles for word in words_of(self._said(role, row)))
        return [word for word in words if word in _RIGHT]

    def _no_answers(self, row: int) -> None:
        """Refuse an answer beside an accusation, which nobody answers."""
        for role in ("shower", "passes", "shown", "answers"):
            text = self._said(role, row)
            verdict = row in self.accusing and set(words_of(text)) & set(_RIGHT)
            if not verdict and text.casefold() not in _UNHEARD | _NOBODY:
                self._refuse("expected no answer to an accusation", role, row)
        for seat, column in self.roles.players.items():
            if self.grid.cell(row, column).casefold() not in _UNHEARD | _NOBODY | _NOT_ASKED:
                self.grid.refuse(f"expected no answer of {seat} to an accusation", row, column)

    def _cards(self, row: int) -> tuple[str, ...]:
        if self.roles.cards:
            cards = [
                self.finding.find(self.cards, text, row, column)
                for column in self.roles.cards
                if (text := self.grid.cell(row, column))
            ]
            kinds = [kind.name for kind in self.edition.category]
            return tuple(
                sorted(cards, key=lambda card: kinds.index(self.edition.category_of[card]))
            )
        parts = _parts(self._said("cards", row))
        if not parts:
            self._refuse("expected the cards that were asked for; found nothing", "cards", row)
        if len(parts) > 1:
            column = self.roles.place["cards"]
            parts = [self.finding.find(self.cards, part, row, column) for part in parts]
        try:
            return parse_names(", ".join(parts), self.cards)
        except NotationError as error:
            self._refuse(error.reason, "cards", row)

    def _answers(self, by: str, cards: tuple[str, ...], row: int) -> tuple[Answer, ...]:
        shower, seen = self._said("shower", row).rstrip("!. "), self._said("shown", row)
        order = self.table.answering(by)
        names = [
            name
            for part in _parts(self._said("passes", row))
            for name in self._names(part)
            if name.casefold() not in _NOBODY
        ]
        passes = [self._passed(name, row) for name in names]
        if any(answer.seat not in order for answer in passes):
            self._refuse(f"{by} cannot answer their own suggestion", "passes", row)
        if shower.casefold() in _NOBODY:
            if seen.casefold() not in _UNHEARD | _NOBODY:
                self._refuse("expected no card where nobody shows", "shown", row)
            return tuple(Answer(seat=seat, answer="passes") for seat in order)
        if shower.casefold() in _UNHEARD:
            if seen.casefold() not in _UNHEARD | _NOBODY and not self.roles.players:
                self._refuse("expected who showed this card as well", "shown", row)
            if not passes and not shower and not self.roles.players:
                self.silent.append(row)
            return tuple(passes)
        if not passes and (told := self._sentence(by, cards, shower)) is not None:
            shows = [answer for answer in told if answer.answer == "shows"]
            if len(shows) == 1 and shows[0].card is None:
                others = (answer for answer in told if answer is not shows[0])
                return (*others, *self._showing(shows[0].seat or "", seen, cards, row))
            if not (seen and len(shows) > 1):
                return told
        return (*passes, *self._showing(shower, seen, cards, row))

    def _told(self, asked: Suggestion, words: str) -> Suggestion:
        """Return a suggestion with the answers that words tell, or raise a `NotationError`."""
        told = the_one(readings(words, self.table, open=asked), words)
        if not isinstance(told, Suggestion):
            raise NotationError(f"expected answers; found '{printable(words)}'")
        return told

    def _sentence(self, by: str, cards: tuple[str, ...], words: str) -> tuple[Answer, ...] | None:
        """Return the answers of words as somebody says them: `Ned (Grandpa and May no)`."""
        seats = self.lexicon.seats
        if DOUBTS.search(_SURE.sub("", words)) or not re.search(r"\w\W+\w", words):
            return None
        if len(seats.readings(words)) == 1:
            return None
        first, *rest = (part.strip() for part in re.split(r"[(),]", words.replace("+", " and ")))
        if len(seats.readings(first)) == 1:
            first = f"{first} showed"
        try:
            asked = Suggestion(by=by, cards=cards)
            return self._told(asked, ", ".join(filter(None, [first, *rest]))).answers
        except NotationError:
            return None

    def _names(self, text: str) -> list[str]:
        """Return the players of a text: one, or several with nothing but spaces between."""
        seats = self.lexicon.seats
        words = text.split()
        several = len(words) > 1 and all(len(seats.readings(word)) == 1 for word in words)
        return words if several and not seats.readings(text) else [text]

    def _passed(self, name: str, row: int) -> Answer:
        """Return how one answered who showed nothing: `Ben`, or unheard `Ben ?`."""
        seat = self._seat(name.removesuffix("?").strip(), "passes", row)
        return Answer(seat=seat, answer="unheard" if name.endswith("?") else "passes")

    def _answered(self, by: str, cards: Sequence[str], row: int) -> tuple[Answer, ...]:
        """Return what the players' own columns say of their answers."""
        answers: list[Answer] = []
        for seat in self.table.answering(by):
            column = self.roles.players.get(seat)
            text = "" if column is None else self.grid.cell(row, column)
            if column is not None and text.casefold() not in _NOT_ASKED:
                answer = self._answer(seat, text, cards, row, column)
                answers += [answer] if answer else []
        mine = self.roles.players.get(by)
        text = "" if mine is None else self.grid.cell(row, mine)
        words = self.marks.read(text) if text else None
        if (
            words
            and text.casefold() not in _NOT_ASKED | _NOBODY
            and (words.meanings - {"maybe"} or text.casefold() in _SHOWN | _PASSED)
        ):
            self.grid.refuse(f"{by} cannot answer their own suggestion", row, mine)
        shows = [answer for answer in answers if answer.answer == "shows"]
        seen = self._said("shown", row)
        if seen.casefold() not in _UNHEARD | _NOBODY and "shower" not in self.roles.place:
            if len(shows) != 1:
                self._refuse("expected one player who showed this card", "shown", row)
            card = self._seen(seen, cards, row, self.roles.place["shown"])
            answers[answers.index(shows[0])] = replace(shows[0], card=card)
        if not answers and self.roles.players and "shower" not in self.roles.place:
            self.silent.append(row)
        return tuple(answers)

    def _answer(
        self, seat: str, text: str, cards: Sequence[str], row: int, column: int
    ) -> Answer | None:
        """Return what a player's own cell says; `None` if it says nothing."""
        folded = text.casefold()
        if not text:
            return None
        if folded in _SHOWN:
            return Answer(seat=seat, answer="shows")
        if folded in _PASSED:
            return Answer(seat=seat, answer="passes")
        cell = self.marks.read(text)
        if cell.meanings and not cell.strange and not cell.numbers and len(cell.meanings) == 1:
            (meaning,) = cell.meanings
            if meaning == "maybe":
                return None
            return Answer(seat=seat, answer="shows" if meaning == "has" else "passes")
        first, _, rest = text.partition(" ")
        shown = first.casefold() in _SHOWN or "has" in self.marks.read(first).meanings
        name = rest.strip(" :-()") if shown and rest else text
        among = [card for card in self.cards.readings(name) if card in cards]
        if len(among) == 1:
            return Answer(seat=seat, answer="shows", card=among[0])
        if self.cards.readings(name):
            self.grid.refuse(f"'{printable(name)}' was not asked for", row, column)
        self.strange.setdefault(text if len(text) < 20 else first, []).append(
            self.grid.where(row, column)
        )
        return None

    def _together(
        self, answers: tuple[Answer, ...], others: tuple[Answer, ...], row: int
    ) -> tuple[Answer, ...]:
        """Return what both places say of the answers; refuse the row if they differ."""
        by_seat = {answer.seat: answer for answer in answers}
        for other in others:
            known = by_seat.get(other.seat)
            if known and (known.answer != other.answer or None not in (known.card, other.card)):
                if known != other:
                    column = self.roles.players.get(other.seat or "")
                    reason = f"{other.seat} {other.answer} here, and {known.answer} in the row"
                    self.grid.refuse(reason, row, column)
            elif known is None or known.card is None:
                by_seat[other.seat] = other
        shows = [answer for answer in by_seat.values() if answer.answer == "shows"]
        passes = [answer for answer in by_seat.values() if answer.answer != "shows"]
        return (*passes, *shows)

    def _showing(self, shower: str, seen: str, cards: Sequence[str], row: int) -> Iterator[Answer]:
        """Yield who showed; several names where everyone shows, with the cards in their order."""
        whole = self.lexicon.seats.readings(shower)
        names = [shower] if len(whole) == 1 else _parts(shower)
        shown_cards = [seen] if len(names) == 1 else _PARTED.split(seen)
        if seen and len(shown_cards) != len(names):
            wanted = f"{len(names)} cards or ?, one for each who showed"
            self._refuse(f"expected {wanted}; found '{printable(seen)}'", "shown", row)
        for name, text in zip(names, shown_cards if seen else [""] * len(names), strict=True):
            if "?" in name:
                where = self.grid.where(row, self.roles.place["shower"])
                self.finding.unknown[name] = f"{where}: '{printable(name)}' is not certain"
                self.grid.refuse(f"'{printable(name)}' is not certain", row, argument="called")
            seat = self._seat(name, "shower", row)
            if text.casefold() in _UNHEARD | _NOBODY:
                yield Answer(seat=seat, answer="shows")
                continue
            card = self._seen(text, cards, row, self.roles.place["shown"])
            yield Answer(seat=seat, answer="shows", card=card)

    def _seen(self, text: str, cards: Sequence[str], row: int, column: int) -> str:
        """Return the card that was seen: one of those asked for where the text may be one."""
        asked = [card for card in self.cards.readings(text) if card in cards]
        meant = asked[0] if len(asked) == 1 else text
        return self.finding.find(self.cards, meant, row, column)

    def _seat(self, text: str, role: str, row: int) -> str:
        if text.casefold() in WRITERS and self.table.viewer and not self.lexicon.seats.exact(text):
            return self.table.viewer
        name = text if self.lexicon.seats.exact(text) else without_piece(text, [self.edition])
        return self.finding.find(self.lexicon.seats, name, row, self.roles.place.get(role))

    def _refuse(self, reason: str, role: str, row: int) -> NoReturn:
        self.grid.refuse(reason, row, self.roles.place.get(role))

    def _understood(self) -> Iterator[str]:
        yield f"a table of {len(self.rows)} suggestions ({self.grid.told})"
        players = self.options.players_how
        yield from table_lines(self.table, edition=self.how, players=players)
        for row in range(self.roles.header):
            for column, cell in enumerate(self.grid.rows[row]):
                if cell:
                    yield f"{self.grid.where(row, column)}, '{printable(cell)}': a title"
        for role, column in self.roles.place.items():
            yield f"{self._title(column)}: {role}"
        for column in self.roles.cards:
            yield f"{self._title(column)}: a card that was asked for"
        for seat, column in self.roles.players.items():
            yield f"{self._title(column)}: what {printable(seat)} answered"
        yield from self.finding.understood()

    def _aside(self) -> Iterator[str]:
        yield from self.grid.aside
        for column in self.roles.aside:
            if self.grid.cell(self.roles.header, column):
                yield self._title(column)
        for row in self.talk:
            said = printable(" ".join(filter(None, self.grid.rows[row])))
            yield f"{self.grid.where(row)}, '{said}': not read"
        if self.silent:
            rows = joined((str(row + 1) for row in self.silent), "and")
            have = "rows {} have" if len(self.silent) > 1 else "row {} has"
            yield (
                f"{have.format(rows)} no answer: taken as not heard; write 'nobody' where nobody "
                "showed"
            )

    def _title(self, column: int) -> str:
        title = printable(self.grid.cell(self.roles.header, column))
        return f"{self.grid.where(None, column)}, '{title}'"


def _is_talk(cells: Sequence[str]) -> bool:
    """Whether a row is a sentence beside the table: several words in one cell, and no other."""
    return len(cells) > 0 and not any(cells[1:]) and len(words_of(cells[0])) > 1


def _parts(text: str) -> list[str]:
    return [part for part in _PARTED.split(text) if part]
