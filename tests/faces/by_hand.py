"""A game with a box, dice and cards, and the phones on which it is logged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from msgspec.structs import replace

from clue_solver import load_edition
from clue_solver.arena.by_notes import next_action, view_of
from clue_solver.arena.dealing import Dealt, deal, one
from clue_solver.arena.players import find_player
from clue_solver.conversation.doubts import answers_of
from clue_solver.faces.web.machines import SharedTable
from clue_solver.faces.web.shown_cards import Showing, card_of, showings, with_card
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.record import Entry, Record, save
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.play import PlayState
from clue_solver.views.table_talk import announced
from tests.faces.phones import Phone
from tests.faces.serving import Served, called

SEATS = ("Ann", "Watson", "Ben")


def dealt(edition: str = "clue-classic", seed: int = 1, seats: tuple[str, ...] = SEATS) -> Dealt:
    return deal(load_edition(edition), len(seats), np.random.default_rng(seed), names=seats)


@contextmanager
def table(
    path: Path, cards: Dealt, machines: str = "Watson", level: str = "expert"
) -> Iterator[Served]:
    """A table where a machine has its cards, and the others theirs on their pages."""
    save(Record(table=cards.table), path)
    with called(path, public=True) as served:
        served.table.rng = np.random.default_rng(2)  # type: ignore[attr-defined]
        for seat in machines.split():
            served.post("sit", None, seat=seat, player=level)
        for seat in cards.table.seats:
            hand = list(cards.hand(seat).cards)
            assert "wrong" not in served.post("hand", seat, card=hand).headers["location"]
        yield served


def settle(served: Served) -> SharedTable:
    """Wait until no machine thinks."""
    shared, at = served.server.shared, served.table
    assert isinstance(at, SharedTable)
    shared.quick.give(served.server.play_on).result()
    while at.thinking:
        for worker in (shared.thinkers.second, shared.quick):
            worker.give(lambda: None).result()
    return at


class ByHand:
    """
    A game that people play, and somebody logs.

    Attributes:
        dealt: Who has what: the truth.
        told: All that has happened, whole, after the hands.
    """

    def __init__(self, dealt: Dealt, seed: int, player: str = "likeliest") -> None:
        self.dealt = dealt
        self.table = dealt.table
        self.rng = np.random.default_rng([seed, 1])
        self.told: list[Observation] = []
        self.player = player
        self._feature: str | None = None

    def notes(self, seat: str | None) -> Record:
        """What a seat has seen, its hand first; what everybody has seen for `None`."""
        table = replace(self.table, viewer=seat)
        whole = [self.dealt.hand(seat), *self.told] if seat else self.told
        shares = (seen(each, table=table, viewer=seat) for each in whole)
        return Record(table=table, entries=tuple(Entry(observation=e) for e in shares if e))

    def next(self, seat: str) -> Observation | None:
        """What somebody does next in their turn; `None` for nothing more."""
        view = view_of(self.notes(seat), self.rng)
        if not view.state.suggested(seat):
            view.state = view.state.turn_of(seat)
        return next_action(find_player(self.player)(), view)

    def happened(self, action: Observation) -> Observation:
        """An action as it came out, by the cards and by chance; it is in the truth from now on."""
        self.told.append(self._whole(action))
        return self.told[-1]

    def _whole(self, action: Observation) -> Observation:
        edition = self.table.edition
        match action:
            case observed.Roll(by=by) if edition.suspect_dice:
                suspects, faces = tuple(edition.features), tuple(edition.faces)
                dice = [one(suspects, self.rng) for _ in range(edition.suspect_dice)]
                return observed.Roll(by=by, dice=(*dice, one(faces, self.rng)))
            case observed.Roll(by=by):
                assert edition.board is not None
                thrown = self.rng.integers(1, 7, edition.board.dice).tolist()
                icons = edition.faces[:1] * thrown.count(1) if edition.board.icon else ()
                return observed.Roll(by=by, total=sum(thrown), icons=tuple(icons))
            case observed.Draw(by=by):
                kinds = sorted(PlayState.of(self.table, self.told, exact=True).next_clues())
                return observed.Draw(by=by, kind=one(kinds, self.rng))
            case observed.Suggestion(by=by, cards=cards) | observed.Finger(by=by, cards=cards):
                return replace(action, answers=tuple(self._answers(by, cards)))
            case observed.Question(seat=seat, about=about):
                named = {card for name in about for card in edition.features.get(name, (name,))}
                could = sorted(named & self.dealt.hands[seat])
                card = one(could, self.rng) if could else None
                return replace(action, answer="shows" if could else "passes", card=card)
            case observed.Look(holder=holder):
                return replace(action, card=one(sorted(self.dealt.hands[holder]), self.rng))
            case observed.Peek():
                feature = {card.name: card.feature for card in edition.cards}
                card = one(self.dealt.solution, self.rng)
                self._feature = self._feature or feature[card]
                return replace(action, feature=self._feature)
            case observed.Accusation(cards=cards):
                return replace(action, right=cards == self.dealt.solution)
        return action

    def _answers(self, by: str, cards: Sequence[str]) -> Iterator[Answer]:
        for seat, could in self.dealt.able(by, cards):
            if could:
                yield Answer(seat=seat, answer="shows", card=one(could, self.rng))
            else:
                yield Answer(seat=seat, answer="passes")

    def revealed(self, drawn: observed.Draw) -> Iterator[Observation]:
        """What a clue card brings about, one after the other; a hand chooses what it shows."""
        seats, by = self.table.seats, drawn.by
        match drawn.kind:
            case "move" | "passage":
                return
            case "left" | "all":
                for giver, left in zip(seats, (*seats[1:], seats[0]), strict=True):
                    to = left if drawn.kind == "left" else None
                    yield observed.Reveal(seat=giver, to=to, card=self._any(giver))
            case "one":
                giver = one([seat for seat in seats if seat != by], self.rng)
                yield observed.Reveal(seat=giver, to=by, card=self._any(giver))
            case kind:
                known = self.table.edition.category_of
                cards = [c for c in self.table.cards if kind in ("called", known[c].casefold())]
                card = one(cards, self.rng)
                for giver in seats:
                    if card in self.dealt.hands[giver]:
                        yield observed.Reveal(seat=giver, card=card)
                        return
                yield observed.Nobody(card=card)

    def _any(self, seat: str) -> str:
        return one(sorted(self.dealt.hands[seat]), self.rng)

    def really(self, told: Observation) -> None:
        """Take the last that has happened as it was seen: which card a machine chose to show."""
        self.told[-1] = told

    def over(self) -> bool:
        """Whether somebody was right, or nobody is left."""
        return PlayState.of(self.table, self.told, exact=True).over


class Evening:
    """
    A game by hand, logged on phones without a browser, by what these show.

    Attributes:
        served, game: The table, and what happens there.
        recorder: The phone on which it is logged.
        said: What the machines have said.
    """

    def __init__(self, served: Served, game: ByHand) -> None:
        self.served, self.game = served, game
        self.recorder = self.phone(None)
        self.said: list[str] = []

    @property
    def machines(self) -> tuple[str, ...]:
        """The seats of machines."""
        return tuple(self.served.table.machines)

    def play(self, most: int = 1000) -> None:
        """Play until it is over, or so many things have happened."""
        while len(self.game.told) < most and not self.game.over():
            turns = settle(self.served).turns
            assert [turn.waits for turn in turns if turn.waits] == []
            acts = [turn for turn in turns if turn.action is not None]
            action = acts[0].action if acts else None
            if action is None:
                told = self.game.happened(self.by_person())
                self.log(told)
            else:
                text = announced(action, self.game.table, towards=acts[0].towards)
                self.said.append(text)
                told = self.game.happened(action)
                self.log_said(text, told)
            self.own(told)
            for each in self.game.revealed(told) if isinstance(told, observed.Draw) else ():
                self.game.told.append(each)
                self.log_revealed(each, str(getattr(told, "kind", "")))
                self.own(self.game.told[-1])

    def by_person(self) -> Observation:
        """What somebody does who is no machine."""
        played = self.served.table.recorder.game.play
        last = played.turns.seat
        going = [last] if last is not None and played.suggested(last) else []
        for seat in (*going, *filter(None, [played.due])):
            action = None if seat in self.machines else self.game.next(seat)
            if action is not None:
                return action
        raise AssertionError(played)

    def line(self, seat: str | None = None) -> str:
        """What a seat, or everybody, sees of what has happened last."""
        return format_line(self.game.notes(seat).observations[-1], self.game.table)

    # What is tapped.

    def phone(self, seat: str | None) -> Phone:
        """The phone of a seat, or a recorder's."""
        return Phone(self.served, seat)

    def tell(self, told: Observation) -> None:
        """Log what nobody answers."""
        before = len(self.served.lines())
        settled = ["turn", "no answers"]
        self.recorder.hear(self.served.post("tell", line=self.line(), settled=settled))
        assert len(self.served.lines()) == before + 1, (told, self.recorder.text)

    def lead(self, told: observed.Question | observed.Finger) -> None:
        """Tap what is asked besides a suggestion, as far as its answers."""
        asked = (told.seat, *told.about) if isinstance(told, observed.Question) else told.cards
        chosen = [("x", each) for each in (type(told).__name__, told.by, *asked)]
        self.recorder.load(f"?kind=other&{urlencode(chosen)}")

    def log(self, told: Observation) -> None:
        """Log what somebody did."""
        match told:
            case observed.Suggestion():
                self.recorder.choose(self.line())
            case observed.Finger() | observed.Question():
                self.lead(told)
            case _:
                self.tell(told)
        self.answers(told)

    def log_said(self, text: str, told: Observation) -> None:
        """Log what a machine says, by what is beside it."""
        self.recorder.load("")
        assert text in unescape(self.recorder.text)
        match told:
            case observed.Roll() | observed.Draw():
                self.tell(told)
            case observed.Suggestion() | observed.Finger():
                assert self.recorder.tap("Enter the answers")
            case observed.Question():
                assert self.recorder.tap("Enter the answer")
            case _:
                self.recorder.press(self.line())
        self.answers(told)

    def answers(self, told: Observation) -> None:
        """Tap what is answered, if anything; machines are asked."""
        answers = answers_of(told, self.game.table)
        for seat, answer, _ in answers:
            if seat in self.machines:
                self.recorder.press(f"Ask {seat}")
                if answer.answer == "passes" and not isinstance(told, observed.Question):
                    passed = re.findall("([^<>]*) ha(?:s|ve) none of them", self.recorder.text)
                    assert seat in passed[0].split(" and ")
                    continue
                assert self.served.lines()[-1] == self.line()
                return
        if answers:
            self.recorder.press(self.line())

    def log_revealed(self, told: Observation, kind: str) -> None:
        """Log a card that is shown because of a clue card; a machine says which."""
        to_all = isinstance(told, observed.Reveal) and told.to is None
        if not (isinstance(told, observed.Reveal) and to_all and told.seat in self.machines):
            self.tell(told)
            return
        self.recorder.load(f"?kind=other&x=Reveal&x={told.seat}")
        if kind != "all":
            self.recorder.press(f"Has it {told.card}?")
            return
        self.recorder.press(f"Ask {told.seat} for a card")
        card = self.served.lines()[-1].rpartition(" reveals ")[2]
        assert card in self.game.dealt.hands[told.seat]
        self.game.really(replace(told, card=card))

    def own(self, told: Observation) -> None:
        """Let who has shown a machine a card tell it, and who is shown one see it."""
        settle(self.served)
        public = self.game.notes(None).observations[-1]
        for showing in showings(told, self.game.table):
            if showing.giver in self.machines:
                self.shown(told, showing)
            elif showing.taker in self.machines and not showing.drawn:
                self.phone(showing.giver).press(self.line(showing.giver))
        for machine in self.machines:
            whole = self.game.notes(machine).observations[-1]
            known = self.served.table.seats[machine].game.record.observations[-1]
            if getattr(told, "by", None) == machine and whole not in (public, known):
                said = getattr(whole, "card", None) or getattr(whole, "feature", None)
                self.phone(machine).press(str(said), "owed")
                settle(self.served)

    def shown(self, told: Observation, showing: Showing) -> None:
        """Look which card a machine shows."""
        giver, taker = showing.giver, showing.taker
        if taker in self.machines:
            found = self.served.table.seats[taker].game.record.observations[-1]
            card = card_of(found, giver, self.game.table)
        else:
            card = re.findall(f"{giver} shows you ([^<]*)[.]<", self.phone(taker).text)[0]
        assert card in self.game.dealt.hands[giver] & {*(showing.cards or self.game.table.cards)}
        self.game.really(with_card(told, giver, card))

    def check(self) -> None:
        """Compare the log and everybody's notes with what has happened."""
        for book in self.served.table.notebooks:
            found = self.served.table.current(book).record.observations
            truths = self.game.notes(book.seat).observations
            assert len(found) == len(truths)
            for noted, truth in zip(found, truths, strict=True):
                givers = {each.giver for each in showings(truth, self.game.table)}
                if book.seat in (None, *self.machines) or givers & {*self.machines}:
                    assert noted == truth
