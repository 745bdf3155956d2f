"""
Several phones log one game by chance: taps lost, twice, late and wrong, old pages, restarts.

What was played is the one truth: at the end of each turn the log is that, entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from clue_solver.notation.canonical import format_line
from clue_solver.rules.edition_files import load_edition
from tests.faces.phones import Phone, Sent, tapped
from tests.faces.serving import called
from tests.random_games import random_cards, random_deal, suggestion

SEATS = ("Ann", "Ben", "Cat", "Dan")
TURNS, GAMES = 25, 84
MOST_STEPS = 200


class Evening:
    """A shared table, three recorders' phones and three of players, and what was played."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        self.path = folder / "game.clue"
        self.path.write_text(f"edition: clue-classic\nplayers: {', '.join(SEATS)}\n\n", "utf-8")
        self.stack = ExitStack()
        self.table = self.stack.enter_context(called(self.path, public=True))
        self.recorders = [Phone(self.table) for _ in range(3)]
        self.own = [Phone(self.table, "Ann"), Phone(self.table, "Ann"), Phone(self.table, "Ben")]
        self.late: list[tuple[Phone, Sent]] = []
        self.truth: list[str] = []
        self.shown: set[str] = set()
        self.dealt = random_deal(self.random, load_edition("clue-classic"), len(SEATS))

    @property
    def lines(self) -> list[str]:
        return [*self.table.lines()]

    def happens(self) -> str:
        """Play a turn, and return it as a line."""
        by = SEATS[len(self.truth) % len(SEATS)]
        if self.random.random() < 0.15:
            return f"{by} skips"
        table = self.dealt.table
        cards = random_cards(self.random, table.edition)
        self.dealt = self.dealt._replace(table=replace(table, viewer=by))
        seen = suggestion(self.dealt, by, cards, choose=lambda could, *_: self.random.choice(could))
        if seen.answers[-1].card:
            self.shown.add(format_line(seen, table))
        answers = tuple(replace(answer, card=None) for answer in seen.answers)
        return format_line(replace(seen, answers=answers), table)

    def deliver(self, *, over: bool) -> None:
        """Let a late request arrive; once its turn is over it changes nothing."""
        phone, sent = self.late.pop(self.random.randrange(len(self.late)))
        before = self.lines
        answer = phone.send(sent)
        assert answer.status_code == 200
        if over:
            assert self.lines == before
        if self.random.random() < 0.3:
            phone.hear(answer)

    def restart(self) -> None:
        """End the server and begin again with the same file; what is on its way then is lost."""
        self.late.clear()
        self.stack.close()
        self.table = self.stack.enter_context(called(self.path, public=True))
        for phone in (*self.recorders, *self.own):
            phone.served = self.table

    def log(self, phone: Phone, line: str) -> Iterator[None]:
        """Log a line on a phone, a step at a time, with what may go wrong."""
        by, _, cards = line.partition(":")[0].removesuffix(" skips").partition(" suggests ")
        phone.load("")
        yield
        if any(line in label for label in phone.buttons("undo")):
            return  # it is there already, as the page shows
        if line not in phone.buttons():
            phone.load(f"?by={by}")
            yield
        key = tapped(line)
        if cards and key not in phone.buttons():
            if "Who shows a card?" not in phone.buttons("ask"):
                return  # an answer came late: it is tapped anew
            asked = phone.naming("Who shows a card?", by, *cards.split(", "))
            yield from self.press(phone, asked)
            yield from self.settle(phone)
        buttons = phone.buttons()
        if self.random.random() < 0.2:  # the wrong key
            start = line.partition(":")[0]
            others = [each for each in buttons if each.startswith(start) and each != key]
            key = self.random.choice(others or [key])
        if key not in buttons:
            return
        yield from self.press(phone, buttons[key])
        yield from self.settle(phone)

    def press(self, phone: Phone, sent: Sent) -> Iterator[None]:
        """Send something over a bad network."""
        fate = self.random.random()
        if fate < 0.3:
            if fate < 0.15:  # it comes late
                self.late.append((phone, sent))
            else:  # its answer is lost
                phone.send(sent)
            yield
            if self.random.random() < 0.5:
                phone.hear(phone.send(sent))
            else:
                phone.load()
        else:
            answers = [phone.send(sent) for _ in range(3 if fate > 0.9 else 1)]
            phone.hear(answers[-1])
            if self.random.random() < 0.2:  # some network sends it once more
                self.late.append((phone, sent))
        yield

    def settle(self, phone: Phone) -> Iterator[None]:
        """Drop what is asked about because another entry came first; the last look finds it."""
        while phone.late:
            phone.taps("Drop mine")
            yield

    def put_right(self) -> None:
        """Let the last look at the log find what is wrong, as people do."""
        for _ in range(20):
            if self.lines == self.truth:
                return
            phone = self.random.choice(self.recorders)
            phone.load("")
            if self.lines != self.truth[: len(self.lines)]:
                if "Change" in phone.buttons("ask"):  # somebody is being asked
                    phone.taps("Change")
                undo = next(iter(phone.buttons("undo").values()))
                phone.hear(phone.send(undo))
                if self.random.random() < 0.5:
                    self.late.append((phone, undo))
                continue
            by, _, cards = self.truth[-1].partition(":")[0].partition(" suggests ")
            phone.picks(f"{by} asks {cards}" if cards else by.removesuffix(" skips"))
            if tapped(self.truth[-1]) in phone.buttons():
                phone.taps(tapped(self.truth[-1]))
        assert self.lines == self.truth

    def tell_own(self) -> None:
        """Let players tell what only they know, each on any phone of theirs."""
        phone = self.random.choice(self.own)
        seat = str(phone.seat)
        if self.random.random() < 0.7:
            phone.load("")
        hand = phone.buttons("hand").get("This is my hand")
        if hand is not None:
            sent = hand._replace(said={**hand.said, "card": sorted(self.dealt.hands[seat])})
            for _ in range(self.random.randint(1, 2)):
                answer = phone.send(sent)
            if self.random.random() < 0.7:
                phone.hear(answer)
        known = [line for line in phone.buttons() if line in {*map(tapped, self.shown)}]
        if known:
            phone.send(phone.buttons()[self.random.choice(known)])

    def play(self) -> None:
        """Play a game to its end."""
        for _ in range(TURNS):
            self.truth.append(self.happens())
            phones = self.random.sample(self.recorders, self.random.choice((1, 2, 2, 3)))
            going = [self.log(phone, self.truth[-1]) for phone in phones]
            steps = 0
            while going and steps < MOST_STEPS:
                steps += 1
                one = self.random.choice(going)
                if next(one, self) is self:
                    going.remove(one)
                if self.late and self.random.random() < 0.05:
                    self.deliver(over=False)
                if self.random.random() < 0.01:
                    self.restart()
                if self.random.random() < 0.1:
                    self.tell_own()
            assert not going
            self.put_right()
            if self.late and self.random.random() < 0.5:
                self.deliver(over=True)
        while self.late:
            self.deliver(over=True)
        assert self.lines == self.truth
        for seat in ("Ann", "Ben"):
            lines = self.table.lines(seat)
            own = [line for line in lines if " holds " in line]
            told = [sorted(line.partition(" holds ")[2].split(", ")) for line in own]
            assert told in ([], [sorted(self.dealt.hands[seat])])
            log = [line for line in lines if line not in own]
            assert len(log) == len(self.truth)
            for line, public in zip(log, self.truth, strict=True):
                assert line == public or line in self.shown


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("seed", range(GAMES))
def test_the_log_is_what_was_played(seed: int, tmp_path: Path) -> None:
    evening = Evening(tmp_path, seed)
    with evening.stack:
        evening.play()
