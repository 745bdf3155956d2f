"""
Reads a typed line: matches its tokens with the patterns, in whatever order people put them.

`readings` takes the steps that the package describes, each a method of `LineReader`: `ways`
chooses a sense for each token, `_match` and `_match_clauses` try the patterns, `_judge` turns a
match into a reading or a fault, and `likeliest` selects the readings that are probably meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, product
from typing import Any

from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, printable
from clue_solver.notation.canonical import typed_and_whole
from clue_solver.notation.checks import InvalidObservation, answered_seats
from clue_solver.notation.lexicon import lexicon_of, split_comment
from clue_solver.notation.names import joined, words_of
from clue_solver.notation.patterns import lines, pattern
from clue_solver.notation.reading import (
    Answerable,
    Fault,
    Reading,
    end_column,
    require_reading,
    unknown_word,
)
from clue_solver.notation.scan import Part, Token, Way, scan, ways
from clue_solver.notation.suggestion import SpokenSuggestion
from clue_solver.notation.vocabulary import VERBS
from clue_solver.rules import observations as observed
from clue_solver.rules.forms import Bearers
from clue_solver.rules.observations import Answer, Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import OPENING, TurnState

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""
_ARTICLES = {"a": 2, "an": 2, "the": 2, "one": 2, "any": 2, "that": 2, "no": 3}
"""
Words that make the next word a noun, so that it does not abbreviate a name: `a ball`.

Each has the number of letters up to which the next word may still abbreviate a name: `no gre` means
Green.
"""

_ONE_CARD = "one card in each line, or 'holds' and a whole hand"


def readings(
    line: str,
    table: Table,
    state: TurnState | None = None,
    *,
    open: Answerable | None = None,
) -> tuple[Reading, ...]:
    """
    Return the meanings of a line, likeliest first.

    They are those that are complete; if there are none, those that lack a single thing.

    Args:
        line: What a person typed; a comment is ignored.
        table: The table at which it was typed.
        state: Whose turn it is and who has left, from the earlier lines; if left out, that of a
            game that has not begun.
        open: The suggestion or the question that still waits for answers, if there is one.

    Raises:
        NotationError: If the line has no meaning. It describes the `Fault` that counts most, or
            an unknown word.
    """
    try:
        return LineReader(line, table, state, open=open).readings()
    except NotationError as error:
        error.line = line
        raise


def parse_line(line: str, table: Table, state: TurnState | None = None) -> Observation:
    """
    Return the only observation that a line can mean, in canonical form.

    Args:
        line: What a person typed; a comment is ignored.
        table: The table at which it was typed.
        state: Whose turn it is and who has left, from the earlier lines; if left out, that of a
            game that has not begun.

    Raises:
        NotationError: If the line cannot be read, is incomplete, or has several meanings; its
            `column` says where.
    """
    return require_reading(readings(line, table, state), line).whole


def _whole_line_patterns(way: Way) -> Iterator[tuple[type[Event], str]]:
    """
    Yield the patterns of whole lines that a way of reading might match.

    Each comes after the kind of observation that it recognises.
    """
    for role in dict.fromkeys([part.role for part in way.parts]):
        yield from lines().get(role, ())


class LineReader:
    """
    Reads one line, step by step (`readings`).

    Attributes:
        body, comment: The line without its comment, and the comment; empty if there is none.
        table: The table at which it was typed.
        state: The state of the turns before the line.
        turn: The player whose turn it is; `None` if that is unknown.
        lexicon: The names that may stand in lines of the table.
        open: The suggestion or the question that still waits for answers; `None` if none does.
        end: The column after the last word.
    """

    def __init__(
        self,
        line: str,
        table: Table,
        state: TurnState | None = None,
        *,
        open: Answerable | None = None,
    ) -> None:
        """
        Prepare to read a line.

        Args:
            line: What a person typed; a comment is ignored.
            table: The table at which it was typed.
            state: Whose turn it is and who has left, from the earlier lines; if left out, that of a
                game that has not begun.
            open: The suggestion or the question that still waits for answers; `None` if none does.

        Raises:
            NotationError: If the line is empty or too long.
        """
        self.body, self.comment = split_comment(line)
        if not self.body.strip():
            before = " before its comment, as in 'Ann skips # late'" if self.comment else ""
            raise NotationError(f"expected an observation{before}; found nothing")
        size, words = len(self.body), len(self.body.split())
        if size > LONGEST or words > MOST_WORDS:
            most = f"{LONGEST} characters and {MOST_WORDS} words in a line"
            raise NotationError(f"expected at most {most}; found {size} and {words}")
        self.table = table
        self.state = state or TurnState()
        self.turn = self.state.turn(table)
        self.lexicon = lexicon_of(table)
        self.open = open
        self.end = end_column(self.body)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """
        The tokens of the line, without punctuation at its end, except the `!` after a lone name.
        """
        tokens = scan(self.body.rstrip(" !,").removesuffix("."), self.lexicon)
        called = self.body.endswith("!") and len(tokens) == 1 and "seat" in tokens[0].roles
        return scan(self.body, self.lexicon) if called or not tokens else tokens

    def readings(self) -> tuple[Reading, ...]:
        """
        Return the meanings of the line, likeliest first.

        They are those that are complete; if there are none, those that lack a single thing.

        Raises:
            NotationError: If the line has no meaning.
        """
        found = [*self.interpretations()]
        near = [one for one in found if isinstance(one, Reading) and len(one.gaps) < 2]
        if near:
            meant = self.likeliest(near)
            # A first word that begins the names of a player and of a card is the card only as a
            # whole name: `k plum rope` may be Kate's suggestion in which the room was forgotten.
            first = self.tokens[0] if all(one.guessed is not None for one in meant) else None
            either = first is not None and {"seat", "card"} <= first.roles
            if first is not None and either and not self.lexicon.cards.exact(first.text):
                reason = f"'{printable(first.text)}' could mean {joined(first.names)}"
                raise NotationError(reason, column=first.column, nearest=first.names)
            return meant
        faults = [one for one in found if isinstance(one, Fault)]
        faults += [one for way in self.ways() for one in self._misfits(way)]
        nothing = Fault(False, 0, "expected an observation; found nothing")
        raise max(faults, key=lambda fault: (fault.fits, fault.column), default=nothing)

    def interpretations(self) -> Iterator[Reading | Fault]:
        """
        Yield the reading or the fault of each interpretation of the line.

        Raises:
            NotationError: If a word is unknown, or there are too many ways to read the line.
        """
        if self.open is None and any(verb in self.body for verb in VERBS):
            both = typed_and_whole(self.body, self.table, self.state)
            if both is not None:
                told, whole = both
                explicit = answered_seats(told)
                fields = asdict(whole)
                yield self._reading(type(whole), fields, observation=whole, explicit=explicit)
                return
        for way in self.ways():
            for kind, text in _whole_line_patterns(way):
                yield from self._match(kind, text, way)
            yield from self._match_clauses(way, None)
            if self.open is not None:
                yield from self._match_clauses(way, self.open)

    # The roles that words can play.

    def ways(self) -> Iterator[Way]:
        """
        Return all ways to give every word a role.

        Raises:
            NotationError: If a word is unknown, or there are too many ways.
        """
        unknown = next((token for token in self.tokens if not token.senses), None)
        if unknown is not None:
            raise unknown_word(unknown, self.table)
        return ways(self.tokens)

    # Lines of one verb.

    def _match(self, kind: type[Event], text: str, way: Way) -> Iterator[Reading | Fault]:
        """
        Yield what the line says if it is one kind of observation.

        Args:
            kind: The kind of observation.
            text: A pattern of this kind's lines; if it does not fit, nothing is yielded.
            way: The way in which the line is read.
        """
        found = pattern(text).fullmatch(way.letters)
        if found is None:
            return
        # The words of each group of the pattern: who acts, and the fields.
        groups = {
            group: way.parts[slice(*found.span(group))]
            for group, letters in found.groupdict().items()
            if letters is not None
        }
        if self._means_another_kind(kind, groups, way.parts):
            cards = [part for part in groups.get("cards", ()) if part.names]
            if cards[1:]:
                yield self._unsaid_hand(groups["seat"][0].names[0], cards)
            return
        subject = kind.form.subject
        who = groups.pop(subject, ()) if subject else ()
        fields: dict[str, Any] = {}
        if kind is observed.Hand:
            fields["cards"] = ()  # a hand is told card by card, too
        # Who acts: as the line says, else the viewer for what only they see, else whose turn it is.
        guessed = None
        if subject:
            by = who[0].names[0] if who and who[0].role != "he" else None
            if who and by is None and self._actor(kind) == self.table.viewer:
                return  # `he` is somebody else
            if by is None and (kind.sight.owner or (not who and self._is_own(kind, groups))):
                by = self.table.viewer
            elif by is None:
                by = self._actor(kind)
                guessed = by if kind.turn else None
            fields[subject] = by
        # What each word can mean for its field.
        choices: dict[str, list[Any]] = {}
        for group, words in groups.items():
            if group in ("right", "wrong") and words:
                fields["right"] = group == "right"
            elif group in kind.__struct_fields__:
                choices[group] = self._field_values(kind, group, words)
                if not choices[group]:
                    names = self.lexicon.of(kind.form.bearers[group])
                    text, column, _ = next(part.token for part in words if part.names)
                    error = names.error_for(text)
                    yield Fault(True, column, error.reason, error.nearest, text)
                    return
        # Each choice of meanings is one reading.
        in_roles = kind is observed.Accusation and len(choices.get("cards", ())) > 1
        for chosen in product(*choices.values()):
            fields_of = {**fields, **dict(zip(choices, chosen, strict=True))}
            by_order = in_roles and self._is_by_order(fields_of["cards"])
            reading = self._reading(kind, fields_of, guessed=guessed, by_order=by_order)
            yield from self._judge(reading, way.parts)

    def _means_another_kind(
        self, kind: type[Event], groups: Mapping[str, Sequence[Part]], parts: Sequence[Part]
    ) -> bool:
        """
        Return whether a line matches the pattern of one kind but rather means another kind.

        Args:
            kind: The kind of observation.
            groups: The tokens of each group of the pattern, by group.
            parts: All tokens of the line.
        """
        who = groups.get(kind.form.subject, ())
        viewer = (self.table.viewer,)
        if kind is observed.Knowing:  # `i have plum` is a hand
            holder = groups.get("holder", ())
            return not who and bool(holder) and holder[0].names == viewer
        # `ben has plum` is something known; only `ben holds` begins another player's hand.
        holds = any(part.role == "holds" for part in parts)
        return kind is observed.Hand and bool(who) and who[0].names != viewer and not holds

    def _unsaid_hand(self, seat: str, cards: Sequence[Part]) -> Fault:
        """
        Return the fault of a line that says `has` of another player and several cards.

        The message suggests the nearest correct line.

        Args:
            seat: The player.
            cards: The tokens of the cards, at least two.
        """
        names = tuple([part.names[0] for part in cards])
        hand = self._reading(observed.Hand, {"seat": seat, "cards": names})
        judged = [*self._judge(hand, cards)]
        first, second = cards[0].token, cards[1].token
        near = f"{seat} has {first.text}"
        if any(isinstance(one, Reading) and not one.gaps for one in judged):
            near = f"{seat} holds {self.body[first.column :]}"
        found = f"found '{printable(second.text)}'; did you mean '{printable(near)}'?"
        return Fault(True, second.column, f"expected {_ONE_CARD}; {found}", (near,))

    def _is_own(self, kind: type[Event], groups: Mapping[str, Sequence[Part]]) -> bool:
        """
        Return whether only the viewer can have written this line.

        That is so if it says what nobody but the acting player can have seen: the viewer is that
        player.

        Args:
            kind: The kind of observation.
            groups: The tokens of each group of the pattern, by group.
        """
        sight, viewer = kind.sight, self.table.viewer
        is_told = any(viewer in part.names for part in groups.get(sight.told, ()))
        alone = sight.by == (kind.form.subject,)
        return alone and viewer is not None and not is_told and bool(groups.get(sight.hidden))

    def _actor(self, kind: type[Event]) -> str | None:
        """
        Return who acts in a line of this kind that names nobody; `None` if that is unknown.

        The last player's turn goes on, unless the verb begins a new turn.
        """
        last, own = self.state.seat, self.table.viewer
        if last is None or not self.state.goes_on(last) or kind.form.verb in OPENING:
            return self.turn
        if kind is observed.Look and self.state.ended and not self.table.edition.bonus:
            return self.turn  # face-down cards are looked at before a suggestion
        if kind is observed.Accusation:  # where it follows a suggestion it is that seat's
            follows = self.table.edition.accuse_when != "turn" and self.state.ended
            return last if follows or last == own else self.turn
        return last

    def _field_values(self, kind: type[Event], field: str, words: Sequence[Part]) -> list[Any]:
        """Return the values (names, numbers or tuples) that some tokens can give to a field."""
        bearers = kind.form.bearers[field]
        if field == "total":
            return [int(name) for name in self._names_meant(words[0], bearers)]
        if field not in ("cards", "about", "has", "lacks", "icons", "dice"):
            return list(self._names_meant(words[0], bearers))
        listed = [part for part in words if part.names]
        if kind is observed.Accusation:
            return self._card_sets(listed, len(self.table.edition.category))
        every = list(product(*[self._names_meant(part, bearers) for part in listed]))
        distinct = [names for names in every if len({*names}) == len(names)]
        return every if field in ("icons", "dice") else distinct or every[:1]

    def _names_meant(self, part: Part, bearers: Bearers) -> tuple[str, ...]:
        """Return the names of a kind, such as `cards`, that a token can mean."""
        names = self.lexicon.of(bearers)
        here = tuple([name for name in part.names if name in names.forms])
        if bearers == "cards" or (here and part.role != "card"):
            return here
        return names.candidates(part.token.text) or here

    def _card_sets(self, words: Sequence[Part], size: int) -> list[tuple[str, ...]]:
        """
        Return the sets of cards that some tokens can mean, with at most one card of each category.

        If the edition has two categories, sets whose cards stand in the order of the categories
        come first. If there is no such set, an impossible one is returned, so that `checks` can say
        what is wrong.

        Args:
            words: The tokens of the cards.
            size: The largest number of cards.
        """
        every = [self._names_meant(part, "cards") for part in words]
        category_of = self.lexicon.category_of
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for names in product(*every) if len(every) <= size else ():
            if len({category_of[name] for name in names}) == len(names):
                found.setdefault(frozenset(names), names)
        if not found and all(every):  # for `checks` to say what is wrong
            return [tuple([names[0] for names in every])]
        return sorted(found.values(), key=self._is_by_order, reverse=True)

    def _is_by_order(self, cards: Sequence[str]) -> bool:
        """Return whether the edition has two categories and the cards are in their order."""
        order = [category.name for category in self.table.edition.category]
        return len(order) == 2 and [self.lexicon.category_of.get(card) for card in cards] == order

    def _misfits(self, way: Way) -> Iterator[Fault]:
        """
        Yield the faults of a line that begins like a known one but goes on after its end.

        There is one for each pattern that fits the beginning of the line; it is at the next word.
        """
        parts = way.parts
        for kind, text in _whole_line_patterns(way):
            for size in range(len(parts) - 1, 0, -1):
                rest = [part for part in parts[size - 1 :] if part.role != "comma"]
                before, *left = rest or parts
                ended = left and before is parts[size - 1] and before.role != "and"
                if not ended or not pattern(text).fullmatch(way.letters, 0, size):
                    continue
                named = any(part.role == "card" for part in parts[:size])
                expected = f"nothing after '{printable(before.token.text)}'"
                if kind.form.expects and not named:
                    expected = kind.form.expects
                another = any(part.role == "card" for part in left)
                if another and kind in (observed.Hand, observed.Knowing):
                    expected = _ONE_CARD
                reason = f"expected {expected}; found '{printable(left[0].token.text)}'"
                yield Fault(False, left[0].token.column, reason)
                break

    # Suggestions and their answers.

    def _match_clauses(self, way: Way, asked: Answerable | None) -> Iterator[Reading | Fault]:
        """
        Yield what the line says if it is a suggestion or a question, or answers to an earlier one.

        Args:
            way: The way in which the line is read.
            asked: The earlier suggestion or question; `None` to read a new one.
        """
        # Read the clauses; a word that does not fit refuses the line.
        spoken = SpokenSuggestion(way, self.table, self.state, asked)
        stuck = spoken.read()
        waiting = self.open if asked is None else None
        open_suggestion = isinstance(waiting, observed.Inquiry)
        if stuck and open_suggestion and not spoken.cards:
            return  # it is rather an answer that breaks off
        kind = spoken.kind
        by = spoken.by or self._actor(kind)
        fault = spoken.fault(stuck) or self._asking_fault(spoken, by, waiting)
        if fault is not None:
            yield fault
            return
        # Find who may answer, and which cards may be meant.
        order = self.table.answering(by, left=self.state.left) if by is not None else ()
        every = self._card_sets(spoken.cards, spoken.size)
        if spoken.is_question:
            order = tuple(spoken.asked)
            every = self._field_values(kind, "about", spoken.cards)
        if asked is not None:
            every = [asked.about if isinstance(asked, observed.Question) else asked.cards]
        # Each choice of cards, with each way to read the answers, is one reading.
        for cards in every:
            by_order = len(every) > 1 and self._is_by_order(cards)
            try:
                for fields in self._contents(spoken, order, cards):
                    reading = self._reading(
                        kind,
                        {"by": by, **fields},
                        guessed=by if spoken.by is None and kind.turn else None,
                        unseen=frozenset(spoken.unseen),
                        late=asked,
                        by_order=by_order,
                    )
                    yield from self._judge(reading, way.parts)
            except Fault as wrong:
                yield wrong

    def _asking_fault(
        self, spoken: SpokenSuggestion, by: str | None, waiting: Answerable | None
    ) -> Fault | None:
        """
        Return the fault of a suggestion that names a wrong asker or repeats a waiting one.

        Args:
            spoken: The suggestion or question as the line gives it.
            by: Who asks; `None` if that is unknown.
            waiting: The earlier suggestion or question that waits for answers; `None` if none does.
        """
        # `him` is not the viewer.
        him = [token for token in self.tokens if "him" in token.roles]
        words = [token.text.casefold() for token in self.tokens]
        if him and by is not None and by == self.table.viewer and by.casefold() not in words:
            return Fault(True, him[0].column, f"expected a player; found '{him[0].text}'")
        # The line may repeat the waiting suggestion, or give the answers that it waits for.
        if isinstance(waiting, observed.Inquiry):
            parts = spoken.parts
            named = {name for part in spoken.cards for name in part.names}
            shared = len(named & {*waiting.cards})
            nobody_named = not any(part.role == "seat" for part in parts) or spoken.by is None
            again = nobody_named and (shared >= spoken.size - 1 or parts[0].role == "he")
            if again or spoken.answered_first:
                whose = printable(waiting.by)
                return Fault(False, 0, f"expected only the answers to {whose}'s suggestion")
        return None

    def _contents(
        self, spoken: SpokenSuggestion, order: Sequence[str], cards: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        """
        Yield the fields of a suggestion or question, for each way to read its answers.

        Args:
            spoken: The suggestion or question as the line gives it.
            order: The seats that may answer, in order.
            cards: The cards, or what a question is about.

        Raises:
            Fault: If the players cannot have answered so.
        """
        for answers in spoken.answers(order, self.lexicon.marked_by(cards)):
            if spoken.is_question:
                yield from self._questions(order[0], cards, answers)
            else:
                yield {"cards": cards, "answers": answers}

    def _questions(
        self, seat: str, about: Sequence[str], answers: Sequence[Answer]
    ) -> Iterator[dict[str, Any]]:
        """
        Yield the fields of a question and its answer.

        If no answer is given, the last of several cards may be the card that was shown.

        Args:
            seat: The player who is asked.
            about: What the question is about.
            answers: The answer; empty if the line gives none.
        """
        said = answers[0] if answers else Answer(answer="unheard")
        fields = {"seat": seat, "answer": said.answer, "card": said.card}
        yield {**fields, "about": about} if about else fields
        *others, last = about or ("",)
        if not answers and last in self.lexicon.marked_by(others):
            yield {"seat": seat, "about": (*others,), "answer": "shows", "card": last}

    # Judging a reading.

    def _reading(self, kind: type[Event], fields: Mapping[str, Any], **more: Any) -> Reading:
        """Return a reading with these fields, not checked yet; `more` has its other attributes."""
        line, table, state, comment = self.body, self.table, self.state, self.comment
        unheard = line.endswith("?")
        return Reading(kind, fields, line, table, state, comment, unheard=unheard, **more)

    def _judge(self, reading: Reading, parts: Sequence[Part]) -> Iterator[Reading | Fault]:
        """
        Yield a reading if it makes sense, complete or with what it lacks; otherwise its fault.

        Args:
            reading: A reading with the fields that the line gives.
            parts: The words that give them.
        """
        try:
            reading = reading.with_fields(reading.fields)
        except InvalidObservation as error:
            fits = reading.late is None  # else it is rather no answer
            column = self._column(error.path, reading.fields, parts)
            yield Fault(fits, column, error.reason, error.nearest)
            return
        if reading.gaps:
            yield from self._judge_gaps(reading)
            return
        if (noun := self._short_noun(parts)) is not None:
            reason = f"unknown card '{printable(noun.text)}'; did you mean {joined(noun.names)}?"
            yield Fault(True, noun.column, reason, noun.names, noun.text)
            return
        yield reading

    def _short_noun(self, parts: Sequence[Part]) -> Token | None:
        """
        Return the first noun after an article that is only the beginning of a card's name.

        Such a word need not mean the card: `ball` in `a ball` may be no Ballroom. `None` if there
        is none. `parts` are the tokens in the senses in which they are read.
        """
        seats = [part.token for part in parts if part.role == "seat"]
        for before, token in pairwise(self.tokens):
            article = before.text.casefold().split()[-1]
            is_noun = article in _ARTICLES and before not in seats
            if is_noun and len(token.text) > _ARTICLES[article] and self._only_begins(token):
                return token
        return None

    def _only_begins(self, token: Token) -> bool:
        """
        Return whether a token is only the beginning of a card's name, as `ball` or `lead` is.

        False if the token is a whole name or alias of the card, or a last word that can stand
        alone.
        """
        word, *more = words_of(token.text) or ("",)
        if "card" not in token.roles or token.roles & {"seat", "passes"} or more:
            return False
        for own, *others in filter(None, map(self.lexicon.things.forms.get, token.names)):
            whole = [form for form in others if form[-1] in (own[-1], word)]
            if word not in own[:-1] and any(word in form for form in (own, *whole)):
                return False
        return True

    def _column(
        self, path: Sequence[str | int], fields: Mapping[str, Any], parts: Sequence[Part]
    ) -> int:
        """
        Return the column where the line last mentions a name; the line's end if it does not.

        Args:
            path: Where the name is in the observation, as fields and indexes: `answers`, 0, `card`.
            fields: The observation's fields.
            parts: The tokens of the line.
        """
        name = fields.get(str(path[0]))
        if isinstance(name, tuple) and path[1:]:
            name = name[int(path[1])]
        if isinstance(name, Answer):
            name = name.card if path[2:] == ("card",) else name.seat
        columns = [part.token.column for part in parts if str(name) in part.names]
        return columns[-1] if columns else self.end

    def _judge_gaps(self, reading: Reading) -> Iterator[Reading | Fault]:
        """
        Yield an incomplete reading, and its faults.

        If it has one gap, only the names that make sense stay in the gap, and each other name is a
        fault; if no name makes sense, the reading is not yielded. If it has several gaps, the
        reading and one fault are yielded; only completions can use such a reading.
        """
        gap, *more = reading.gaps
        if more or not gap.names:
            yield Fault(False, self.end, f"expected {gap.expected}; found nothing")
        if more:
            yield reading
            return
        filled = {}
        for name in gap.names:
            try:
                filled[name] = reading.with_fields({**reading.fields, **gap.options[name]})
            except InvalidObservation as error:
                yield Fault(True, self.end, error.reason, error.nearest)
        if filled:
            options = {name: gap.options[name] for name in filled}
            yield replace(reading, gaps=(replace(gap, options=options),), filled=filled)

    def likeliest(self, found: Sequence[Reading]) -> tuple[Reading, ...]:
        """
        Return those of some readings of the line that are probably meant.

        They are the complete ones; if there are none, those with gaps. Of equal ones, one is kept.
        """
        # Of equal readings one is enough, rather one that does not guess who acts.
        whole: dict[Observation, Reading] = {}
        gaps: dict[tuple[str, str], Reading] = {}
        for one in found:
            if one.gaps:
                gaps.setdefault((one.text, one.gaps[0].field), one)
            elif one.whole not in whole or whole[one.whole].guessed is not None:
                whole[one.whole] = one
        # A last word that names a player and a card may mean either: who shows, or which card.
        for one in gaps.values() if whole else ():
            name = self.tokens[-1].text
            both = self.lexicon.seats.exact(name) and self.lexicon.cards.exact(name)
            if both and one.gaps[0].field == "answers":
                for filled in one.filled.values():
                    whole.setdefault(filled.whole, filled)
        # In the viewer's turn, `i` is the viewer rather than a player whose name begins with it.
        if len(whole) > 1:
            own = [one for told, one in whole.items() if told.actor == self.table.viewer]
            either = len(self.tokens[0].senses) > 1 and self.turn == self.table.viewer
            return tuple(own) if len(own) == 1 and either else tuple(whole.values())
        # Complete readings come first; beside a late answer the cards may also begin a hand.
        hands = [one for one in gaps.values() if one.kind is observed.Hand]
        late = [one for one in whole.values() if one.late is not None]
        return (*whole.values(), *(hands if late else ())) or tuple(gaps.values())
