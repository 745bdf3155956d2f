"""
The grammar of a line: the declared forms as nodes, made while a line is read.

A name that cannot stand at a node for what came before, such as a second card of one category, does
not lead on from there. The `lenient` grammar reads such names and lists of any length as well, so
that what is wrong with a line can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from clue_solver.errors import NotationError
from clue_solver.notation import nodes
from clue_solver.notation.answering import AnswerGrammar, Answering
from clue_solver.notation.checks import TurnState
from clue_solver.notation.nodes import Choice, Edge, Join, Keyword, Kind, Node, Offer, Path
from clue_solver.notation.places import Places
from clue_solver.notation.words import beginnings_of
from clue_solver.rules import forms
from clue_solver.rules.observations import Event, Knowing, kinds
from clue_solver.rules.table import Table

VERDICTS = {True: ("correct", "yes", "true"), False: ("incorrect", "no", "false")}
"""What else tells that an accusation was right, and that it was not."""
_MOST_NAMES = 250
_KINDS: Mapping[str, Kind] = {
    "cards": "card",
    "features": "feature",
    "clues": "word",
    "things": "card",
    "spots": "card",
}


class _Line(NamedTuple):
    """The beginning of a line: its kind, what it tells so far, and the parts that follow."""

    kind: type[Event]
    fields: Mapping[str, Any]
    parts: tuple[forms.Part, ...]

    def told(self, **more: Any) -> Event:
        """Return what it tells with some more."""
        if self.kind.form.subject and not self.subject:
            raise NotationError(
                "expected who suggests: the lines before do not say whose turn it is"
            )
        return self.kind(**{**self.fields, **more})

    def on(self, **more: Any) -> _Line:
        """Return the line once its next part is there."""
        return _Line(self.kind, {**self.fields, **more}, self.parts[1:])

    @property
    def subject(self) -> str:
        """The seat that does it; empty for nobody."""
        return str(self.fields.get(self.kind.form.subject, ""))


class Grammar:
    """
    The grammar of lines at one table, in one state of its turns.

    Attributes:
        table, state: The table, and what the earlier lines mean.
        lenient: Whether names and lists that make no sense are read as well.
        lexicon: The table's names.
        longest: The most words between two nodes.
    """

    def __init__(self, table: Table, state: TurnState, *, lenient: bool = False) -> None:
        self.table = table
        self.state = state
        self.lenient = lenient
        self.places = Places(table, state, lenient=lenient)
        self.lexicon = self.places.lexicon
        self.answers = AnswerGrammar(self.places)
        names = self.lexicon
        self.longest = max(names.things.longest, names.cards.longest, names.holders.longest, 3)
        self._after_verbs: dict[tuple[type[Event], str], Node | None] = {}

    def start(self) -> Node:
        """Return the node where a line begins."""
        by = self.table.seats[0]
        return Node(
            self._beginnings,
            *(nodes.NOTHING, lambda: f"{by} {self._subject(by).end()}"),
            silent=self._unsaid,
        )

    def _unsaid(self) -> Iterator[Edge]:
        """Yield what is read and not offered: lines that leave out who, and against the rules."""
        yield from self._nobody(offered=False)
        viewer = self.table.viewer
        for kind in kinds():
            by = _doing(kind, self.state, self.table)
            told = kind.form.parts or kind.form.tail or kind.turn != "ends"
            if kind.turn and by is not None and told:
                node = None if kind.form.bare else self.after_verb(kind, by)
                if node is not None:
                    yield self._verb(kind, node)
            if kind.form.fact and viewer is not None:
                node = self.after_verb(kind, viewer)
                for edge in node.edges if node is not None else ():
                    others = tuple(name for name in edge.all() if name != viewer)
                    yield edge._replace(choice=others) if isinstance(edge, Choice) else edge

    def _beginnings(self) -> Iterator[Edge]:
        turn = self.state.turn(self.table)
        seats = self.table.seats
        first = 0 if turn is None else seats.index(turn)
        askers = (*seats[first:], *seats[:first])
        askers = tuple(sorted(askers, key=lambda seat: seat in self.state.gone))
        yield Choice(self.lexicon.seats, askers, self._subject, kind="player", path=("subject",))
        for kind in kinds() if turn is not None or self.lenient else ():
            if kind.form.bare and (node := self.after_verb(kind, turn or "")) is not None:
                yield from node.edges
                yield self._verb(kind, node)
        for kind in kinds() if turn is not None else ():
            if kind.turn == "ends" and not kind.form.parts:
                node = self.after_verb(kind, turn or "")
                yield from (self._verb(kind, node),) if node else ()
        yield from self._nobody(offered=True)

    def _nobody(self, *, offered: bool) -> Iterator[Edge]:
        """Yield the beginnings of lines about nobody: those that are offered, or the others."""
        for kind in kinds():
            if kind.form.subject or self.places.offered(kind.form) != offered:
                continue
            if (node := self.after_verb(kind, "")) is not None:
                yield _keyword(f"nobody {kind.form.verb}", node, path=("event",))

    def _verb(self, kind: type[Event], then: Node) -> Keyword:
        """Return the verb of a kind, read with its particle or without, and by its beginnings."""
        form = kind.form
        verb = _keyword(form.verb, then, form.particle, path=("event",))
        whole = (f"{word} {form.particle}" for word in form.also)
        read = (*verb.forms, *form.also, *whole, *beginnings_of(self.lexicon, form.verb))
        return verb._replace(forms=read, also=form.also)

    def _subject(self, by: str) -> Node:
        """Return the node after who does it, where a verb stands or may be left out."""
        own = {kind.form.verb: kind for kind in kinds() if kind.form.subject}
        common = sorted(own, key=lambda verb: bool(own[verb].sight.owner))
        following = ((verb, self.after_verb(own[verb], by)) for verb in common)
        places = {verb: node for verb, node in following if node is not None}
        bare = [verb for verb in places if own[verb].form.bare]

        def edges() -> Iterator[Edge]:
            usual = dict.fromkeys((*bare, *self.table.edition.observes))
            if by in self.state.gone:  # who is out answers, and takes no turn
                usual = dict.fromkeys(
                    verb for verb in usual if verb in places and not own[verb].turn
                )
            for verb in (*usual, "", *(verb for verb in common if verb not in usual)):
                if verb in places and self.places.offered(own[verb].form):
                    yield self._verb(own[verb], places[verb])
                for other in bare if not verb else ():  # cards come before rarer verbs
                    yield from places[other].edges

        def silent() -> Iterator[Edge]:
            for verb, node in places.items():
                if not self.places.offered(own[verb].form):
                    yield self._verb(own[verb], node)
            yield from self._saw(by, places.get("looks"))

        whole = places[bare[0]].whole if self.lenient else None
        return Node(
            *(edges, nodes.WORD, lambda: f"reveals {self.places.cards[0]}", whole),
            expected="a verb such as suggests, accuses or skips, or a card",
            silent=silent,
        )

    def _saw(self, by: str, looks: Node | None) -> Iterator[Edge]:
        """Yield `saw`: a look where the edition has such, else something that was learned."""
        if "looks" in self.table.edition.observes and looks is not None:
            yield Keyword("saw", looks, ("sees",), path=("event",))
            return
        names = tuple(name for name in self.lexicon.holders.names if name != by)

        def card(holder: str) -> Node:
            def then(name: str) -> Node:
                return Node(whole=partial(Knowing, by=by, holder=holder, has=(name,)))

            choice = Choice(self.lexicon.cards, self.places.cards, then, path=("has",))
            return Node(lambda: (choice,), nodes.WORD, expected="the card seen")

        choice = Choice(self.lexicon.holders, names, card, kind="player", path=("holder",))
        after = Node(lambda: (choice,), nodes.WORD, expected="whose card it was")
        yield Keyword("saw", after, ("sees",), path=("event",))

    def after_verb(self, kind: type[Event], by: str) -> Node | None:
        """Return the node after the verb; `None` where no line can end from there."""
        if (kind, by) not in self._after_verbs:
            self._after_verbs[kind, by] = self._after_verb(kind, by)
        return self._after_verbs[kind, by]

    def _after_verb(self, kind: type[Event], by: str) -> Node | None:
        form = kind.form
        line = _Line(kind, {form.subject: by} if form.subject else {}, form.parts)
        if not self.lenient and not self.places.possible_for(form, by):
            return None
        return self._next(line)

    def _next(self, line: _Line, said: str = "") -> Node:
        """Return the node before the next part of a line; `said` is the word before it."""
        match line.parts:
            case [forms.Name() as part, *_]:
                return self._name(line, part)
            case [forms.Word() as word, *_]:
                return self._word(line, word)
            case [forms.Dice() as dice, *_]:
                return self._dice(line, dice, ())
            case [forms.Several() as part, *_]:
                return self._several(line, part, (), said)
        return self._tail(line)

    def _name(self, line: _Line, part: forms.Name) -> Node:
        """Return the node before a name."""
        choice = self.places.choice(part, line.subject)
        following = line.parts[1] if len(line.parts) > 1 else None

        def then(name: str) -> Node:
            return self._next(line.on(**{part.field: name}))

        def phrased(name: str, _: bool) -> Iterator[Offer]:
            """Yield a name together with the word that must follow it."""
            (word,) = then(name).edges
            for offer in word.offers(name, typed=False):
                yield Offer(f"{name} {offer.text}", name, "player", offer.then)

        def edges() -> Iterator[Edge]:
            kinds_of: dict[str, Kind] = {}
            if part.of in ("places", "holders"):
                others = (name for name in choice if name not in self.table.seats)
                kinds_of = dict.fromkeys(others, "word")
            fixed = (
                isinstance(following, forms.Word) and len(following.texts) == 1 and not part.unseen
            )
            yield Choice(
                *(self.places.names_of(part.of), choice),
                then,
                kind=_KINDS.get(part.of, "player"),
                path=(part.field,),
                kinds=kinds_of,
                phrased=phrased if fixed else None,
            )
            if isinstance(following, forms.Word) and part.unseen:
                yield from self._word(line.on(), following).edges

        def squares() -> Iterator[Edge]:
            """Yield the squares of the board, which are too many to be offered."""
            names = self.lexicon.squares
            yield Choice(names, names.names, then, kind="word", path=(part.field,), last=True)

        if not choice:
            return Node(expected=f"{part.wanted}, but {self.table.edition.name} has none")
        first = choice[0]
        return Node(
            edges,
            nodes.WORD,
            lambda: _shortest(first, then(first)),
            expected=part.wanted or "a name",
            silent=squares if part.of == "spots" else tuple,
        )

    def _dice(self, line: _Line, part: forms.Dice, faces: tuple[str, ...]) -> Node:
        """Return the node before a roll, or after the faces of some dice."""
        totals, every = self.lexicon.totals, self.lexicon.faces
        board = self.table.edition.board
        most = board.dice if board is not None and self.lexicon.icons.names else 0

        def total(name: str, icons: tuple[str, ...] = ()) -> Node:
            """Return the node after a total and the icons that count in it."""
            whole = partial(line.told, **{part.total: int(name), part.icons: icons})
            if len(icons) == most:
                return Node(whole=whole)
            choice = Choice(
                *(self.lexicon.icons, self.lexicon.icons.names),
                *(lambda icon: total(name, (*icons, icon)), nodes.ITEM),
                kind="word",
                path=(part.icons, len(icons)),
            )
            return Node(lambda: (choice,), nodes.NOTHING, str, whole)

        def edges() -> Iterator[Edge]:
            path = (part.dice, len(faces))
            if not faces and self.places.totals:
                yield Choice(totals, self.places.totals, total, kind="word", path=(part.total,))
            if every.names and len(faces) < part.most:
                then: Callable[[str], Node] = lambda face: self._dice(line, part, (*faces, face))  # noqa: E731
                join = nodes.ITEM if faces else nodes.WORD
                yield Choice(every, every.names, then, join, kind="word", path=path)

        def others() -> Iterator[Edge]:
            """Yield the totals that no dice of the board show."""
            left = tuple(name for name in totals.names if name not in self.places.totals)
            if not faces and left:
                yield Choice(totals, left, total, kind="word", path=(part.total,))

        whole = partial(line.told, **{part.dice: faces}) if faces else None
        wanted = "a total or the faces of the dice" if every.names else "a total"
        after = nodes.ITEM if faces and len(faces) < part.most else nodes.WORD
        return Node(edges, after, lambda: "7", whole, expected=wanted, silent=others)

    def _word(self, line: _Line, word: forms.Word) -> Node:
        """Return the node before a word of the notation."""
        text, *_ = word.texts
        words = [
            _keyword(text, self._next(line.on(), text), spelt=spelt)
            for text, spelt in word.texts.items()
        ]
        return Node(
            lambda: (keyword for keyword in words if " " not in keyword.text),
            nodes.WORD,
            lambda: _shortest(text, self._next(line.on(), text)),
            line.told if word.optional else None,
            expected=word.wanted,
            silent=lambda: (keyword for keyword in words if " " in keyword.text),
        )

    def _several(self, line: _Line, part: forms.Several, names: tuple[str, ...], said: str) -> Node:
        """Return the node before a list, or after some of its names."""
        field = said.split(maxsplit=1)[0] if len(part.fields) > 1 else part.fields[0]
        on = line.on(**{field: names})
        least, most = self.places.sizes(part, line.subject)
        full = len(names) == most
        if self.lenient:
            least = int(len(part.fields) > 1)
            most = _MOST_NAMES
        choice = self.places.left(part, names)
        enough = len(names) >= least
        if len(names) == most or not choice:
            return self._tail(on)
        join = nodes.ITEM if names else nodes.WORD
        features: dict[str, Kind] = dict.fromkeys(self.lexicon.marked, "feature")
        pick = Choice(
            *(self.lexicon.of(part.of), choice),
            lambda name: self._several(line, part, (*names, name), said),
            join,
            path=(field, len(names)),
            kinds=features if part.of == "things" else MappingProxyType({}),
            apart=self.lexicon.seats if self.lenient else None,
        )

        def end() -> str:
            more = self.places.examples(part, names, max(least - len(names), 1))
            whole = self._tail(line.on(**{field: (*names, *more)}))
            return _shortest(", ".join(more), whole)

        wanted = pick.names.expected
        if colon := line.kind.form.colon:
            wanted = colon if full else f"{wanted}, or {colon}"
        if part.between and names:
            wanted = f"'{part.between}' before it (what is certain has a line for each card)"
            after = Node(
                lambda: (pick._replace(join=nodes.WORD),), nodes.WORD, end, expected=wanted
            )
            other = Keyword(part.between, after)
            return Node(
                lambda: (other,) if part.each == said else (other, pick),
                *(nodes.WORD, lambda: _shortest(part.between, after), on.told),
                expected=wanted,
            )
        if not names and len(part.fields) > 1:
            wanted = f"a card after '{said}'"
        tail = self._tail(on) if enough else Node()
        if self.lenient and isinstance(line.kind.form.tail, forms.AnswerList) and not full:
            tail = Node(whole=on.told)
        if enough and line.kind.form.tail is not None:
            return Node(
                lambda: (*tail.edges, pick),
                *(tail.after, tail.end, tail.whole),
                expected=wanted,
                silent=lambda: tail.silent,
            )
        after_list = nodes.WORD if part.between else join
        return Node(lambda: (pick,), after_list, end, on.told if enough else None, expected=wanted)

    def _tail(self, line: _Line) -> Node:
        """Return the node after the parts, where the line ends or a colon stands."""
        form = line.kind.form
        silent: Callable[[], Iterable[Edge]] = tuple
        match form.tail:
            case forms.AnswerList() as tail:
                others = self.table.seats
                if line.subject:
                    others = self.table.answering(line.subject, left=self.state.left)
                if self.lenient and line.subject:
                    others = (*others, line.subject)
                after = self.answers.after(
                    Answering(
                        tell=lambda answers: line.told(**{tail.field: answers}),
                        field=tail.field,
                        by=line.subject,
                        asked=line.fields[tail.asked],
                        left=others,
                    )
                )
                after.end = lambda: "nobody shows"
                silent = partial(_bare_answers, after)
            case forms.SingleAnswer(field=field, card=card, asked=asked, seat=seat):
                after = self.answers.alone(
                    line.fields[seat],
                    line.fields[asked],
                    lambda reply, shown: line.told(**{field: reply, card: shown}),
                )
                silent = partial(_bare, after, names=False)
            case forms.Seen(name=name):
                after = self._seen(line, name)
                silent = partial(_bare, after, names=True)
                if not self.lexicon.of(name.of).names:
                    return Node(whole=line.told)
            case forms.Verdict(field=field, words=words):
                says = tuple(
                    Keyword(
                        word, then, (*_beginnings(word), *VERDICTS[right]), nodes.SAME, "answer"
                    )
                    for word, right in words.items()
                    for then in (Node(whole=partial(line.told, **{field: right})),)
                )
                after = Node(lambda: says, nodes.WORD, lambda: says[0].text, expected=form.colon)
                silent = partial(_bare, after, names=False)
            case None:
                return Node(whole=line.told)
        after.after = nodes.WORD
        colon = Keyword(":", after, join=Join("", firm=True, comma=False))
        return Node(
            lambda: (colon,),
            *(nodes.COLON, after.end, after.whole),
            expected=form.colon or "':'",
            silent=silent,
        )

    def _seen(self, line: _Line, name: forms.Name) -> Node:
        """Return the node after which the writer may say what was seen."""
        choice = self.places.choice(name, "")

        def then(seen: str) -> Node:
            return Node(whole=partial(line.told, **{name.field: seen}))

        names = self.lexicon.of(name.of)
        pick = Choice(names, choice, then, nodes.SAME, _KINDS.get(name.of, "card"), (name.field,))
        unseen = Keyword("?", Node(whole=line.told), (), nodes.SAME, "answer")
        return Node(
            lambda: (pick, unseen), nodes.WORD, lambda: choice[0], line.told, expected=name.wanted
        )


def _bare(node: Node, *, names: bool) -> Iterator[Edge]:
    """Yield the edges after a colon that are read without it, too."""
    for edge in (*node.edges, *node.silent):
        if names or isinstance(edge, Keyword):
            yield edge._replace(join=nodes.WORD)


def _bare_answers(after: Node) -> Iterator[Edge]:
    """Yield what stands after a colon that is read without it, or after `-` in its place."""
    yield from _bare(after, names=True)
    dash = Node(lambda: after.edges, expected=after.expected, silent=lambda: after.silent)
    yield Keyword("-", dash)


def _beginnings(word: str) -> tuple[str, ...]:
    return tuple(word[:size] for size in range(1, len(word)))


def _shortest(text: str, node: Node) -> str:
    """Return the shortest end of a line with a text that leads to a node."""
    return text if node.whole is not None else f"{text}{node.after.text}{node.end()}"


def _keyword(
    text: str, then: Node, particle: str = "", *, spelt: tuple[str, ...] = (), path: Path = ()
) -> Keyword:
    """Return a verb or a word, read without its last `s`, too."""
    short = text.removesuffix("s")
    if particle:
        return Keyword(f"{text} {particle}", then, (text, short, f"{short} {particle}"), path=path)
    return Keyword(text, then, spelt or (short,), path=path)


def _doing(kind: type[Event], state: TurnState, table: Table) -> str | None:
    """
    Return who does what leaves out who: whoever's turn it is.

    The bonus die is used, and an accusation made that follows a suggestion, by who suggested.
    """
    edition = table.edition
    follows = ("accuses",) if edition.accuse_when != "turn" else ()
    later = kind.form.verb in (*edition.bonus.values(), *follows)
    if later and state.ended and state.seat in table.seats and state.seat not in state.gone:
        return state.seat
    return state.turn(table)
