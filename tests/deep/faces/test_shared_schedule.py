"""
Three phones log one game through a relay by chance, half of their messages late, lost or twice.

What was played is the one truth: in the end each phone has it, entry by entry, in one order, and
what its player saw besides; nothing else has left any of them.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

import clue_solver
from clue_solver.errors import ClueError
from clue_solver.faces.web.relay import Relay
from clue_solver.faces.web.seat_notes import public_of
from clue_solver.faces.web.shared_log import Operation
from clue_solver.faces.web.sharing import Relaying, Tampered
from clue_solver.notation import parse_line
from tests.faces.relayed import (
    SEATS,
    TABLE,
    Seal,
    SharedPhone,
    Twin,
    Way,
    asking,
    new_name,
)

EVENINGS, TURNS = 20, 100
CHANNEL = Path(clue_solver.__file__).parent / "faces" / "web" / "static" / "channel.js"
DRIVER = """
const made = {};
require("readline").createInterface({input: process.stdin}).on("line", async (line) => {
  const [number, relay, secret, method, ...given] = JSON.parse(line);
  try {
    const channel = await (made[secret] ??= Channel.open(relay, secret));
    let said = method === "address" ? channel.address : await channel[method](...given);
    if (said instanceof Uint8Array) said = Buffer.from(said).toString("base64");
    console.log(JSON.stringify([number, said, ""]));
  } catch (error) { console.log(JSON.stringify([number, null, String(error)])); }
});
"""


class Node:
    """Does what a phone's browser does: the very script, in node."""

    def __init__(self, relay: str, secret: str) -> None:
        self.relay, self.secret = relay, secret
        self.pending: dict[int, asyncio.Future[Any]] = {}
        self.process: asyncio.subprocess.Process | None = None
        self._number = 0

    async def begin(self) -> None:
        """Start it."""
        script = CHANNEL.read_text("utf-8") + DRIVER
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            "node", "-e", script, stdin=pipe, stdout=pipe, limit=1 << 24
        )
        self._reading = asyncio.create_task(self._read())

    async def end(self) -> None:
        """End it."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()
        await self._reading

    async def _read(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            number, said, error = json.loads(line)
            future = self.pending.pop(number)
            if future.done():
                continue
            if error:
                future.set_exception(OSError(error))
            else:
                future.set_result(said)

    async def call(self, method: str, *given: object) -> Any:
        """Call a method there."""
        assert self.process is not None
        assert self.process.stdin is not None
        self._number += 1
        future = asyncio.get_running_loop().create_future()
        self.pending[self._number] = future
        said = json.dumps([self._number, self.relay, self.secret, method, *given])
        self.process.stdin.write(f"{said}\n".encode())
        return await future

    async def seal(self, number: int, chain: str, line: str) -> bytes:
        return b64decode(await self.call("seal", number, chain, line))

    async def open(self, after: int, chain: str, records: Sequence[str]) -> list[str]:
        opened: list[str] = await self.call("open", after, chain, [*records])
        return opened


class Rough(Way):
    """A way on which half of all messages come late, or twice, or are answered too late."""

    evening: Evening

    async def asked(self, ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        evening, fate = self.evening, self.evening.random.random()
        if evening.calm:
            return await ask()
        await evening.gate()
        if fate < 0.2:  # it comes once its phone has given up
            evening.late.append(ask)
            raise OSError("no answer")
        answer = await ask()
        if fate < 0.35:  # it came, and its answer does not
            raise OSError("no answer")
        if fate < 0.5:  # the network sends it once more
            evening.late.append(ask)
        await evening.gate()
        return answer


class Player(SharedPhone):
    """A phone, and whoever looks at it."""

    def __init__(self, seat: str, way: Rough, evening: Evening) -> None:
        super().__init__(seat, way)
        self.relaying = Relaying(self.sharing, way, pause=lambda _: evening.gate())
        self.seat, self.evening = seat, evening
        self.hand = f"{seat} holds {', '.join(evening.sorted_hand(seat))}"
        self.rough = way

    def acts(self) -> bool:
        """Do what a player would who sees that something is lacking; return whether it was."""
        truth = self.evening.truth
        public = self.public
        if self.sharing.returned:
            self.sharing.dropped(self.sharing.returned[0])
            return True
        if self.hand not in self.lines:  # undone
            self.does(self.session.tell, self.hand)
            return True
        for number, (line, (told, _)) in enumerate(zip(public, truth, strict=False), 1):
            if line != told:
                entry = self.entry(number)
                if len(public) > len(truth):
                    self.does(self.session.delete, entry)
                else:
                    self.does(self.session.edit, entry, self.knows(number))
                return True
        if len(public) > len(truth):
            self.does(self.session.delete, self.entry(len(public)))
            return True
        if len(public) < len(truth):
            line = self.knows(len(public) + 1)
            if not self.evening.calm and self.evening.random.random() < 0.1:
                line = f"{SEATS[len(public) % 3]} skips"
            self.does(self.session.tell, line)
            return True
        for number in range(len(truth), 0, -1):
            if self.lines[self.entry(number) - 1] != self.knows(number):
                self.does(self.session.edit, self.entry(number), self.knows(number))
                return True
        return False

    def knows(self, number: int) -> str:
        """Return what was played, as this player saw it."""
        line, card = self.evening.truth[number - 1]
        asker, shower = line.split(" ")[0], line.split(" ")[-2]
        return f"{line} {card}" if card and self.seat in (asker, shower) else line

    def entry(self, number: int) -> int:
        """Return the number of a public entry in the own notes."""
        observations = self.session.record.observations
        noticed = [public_of(each, TABLE) is not None for each in observations]
        return [place for place, each in enumerate(noticed, 1) if each][number - 1]

    def does(self, change: Callable[..., object], *given: object) -> None:
        """Change the own notes, and let the others have it."""
        with suppress(ClueError):  # refused, as on a page
            change(*given)
            self.sharing.told()


class Evening:
    """The players' phones, what was played, and the messages that are on their way."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.late: list[Callable[[], Awaitable[httpx.Response]]] = []
        self.gates: list[asyncio.Future[None]] = []
        self.truth: list[tuple[str, str]] = []
        self.players: list[Player] = []
        self.calm = False
        self.kinds = [[card.name for card in kind.cards] for kind in TABLE.edition.category]
        hidden = {self.random.choice(cards) for cards in self.kinds}
        dealt = [card for cards in self.kinds for card in cards if card not in hidden]
        self.random.shuffle(dealt)
        self.hands = {seat: dealt[place::3] for place, seat in enumerate(SEATS)}

    def sorted_hand(self, seat: str) -> list[str]:
        """Return a player's hand in the order in which it is written."""
        return [card for card in TABLE.edition.names if card in self.hands[seat]]

    async def gate(self) -> None:
        """Wait until chance lets this go on."""
        if self.calm:
            await asyncio.sleep(0)
            return
        gate = asyncio.get_running_loop().create_future()
        self.gates.append(gate)
        await gate

    def happens(self) -> tuple[str, str]:
        """Return what is played next, and the card that is shown."""
        place = len(self.truth) % 3
        if self.random.random() < 0.2:
            return f"{SEATS[place]} skips", ""
        cards = [self.random.choice(kind) for kind in self.kinds]
        told = []
        for seat in (*SEATS[place + 1 :], *SEATS[:place]):
            could = [card for card in cards if card in self.hands[seat]]
            told.append(f"{seat} {'shows' if could else 'passes'}")
            if could:
                card = self.random.choice(could)
                break
        else:
            told, card = ["nobody shows"], ""
        return f"{SEATS[place]} suggests {', '.join(cards)}: {', '.join(told)}", card

    async def go_on(self, seal: Seal) -> None:
        """Let all go on that waits for nothing but the loop."""
        for _ in range(8):
            await asyncio.sleep(0)
            while getattr(seal, "pending", ()):
                await asyncio.sleep(0)

    async def played(self, seal: Seal) -> None:
        """Play until all turns are over and all messages have come."""
        running = [asyncio.create_task(each.relaying.run()) for each in self.players]
        while len(self.truth) < TURNS:
            told = any(len(each.public) == len(self.truth) for each in self.players)
            if told and self.random.random() < 0.2:  # the game goes on
                self.truth.append(self.happens())
            for _ in range(self.random.randrange(1, 8)):
                chance = self.random.random()
                if chance < 0.15:
                    self.random.choice(self.players).acts()
                elif chance < 0.17:
                    player = self.random.choice(self.players)
                    player.does(player.sharing.undo)
                elif chance < 0.3 and self.late:
                    await self.late.pop(self.random.randrange(len(self.late)))()
                elif self.gates:
                    self.gates.pop(self.random.randrange(len(self.gates))).set_result(None)
                await self.go_on(seal)
        for _ in range(3):  # what is still on its way comes in the end
            for each in self.late:
                await each()
            self.late.clear()
            self.calm = True
            for gate in self.gates:
                gate.set_result(None)
            self.gates.clear()
            await self.go_on(seal)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def settled(self) -> None:
        """Let the players look until nothing is lacking, one after the other."""
        for _ in range(300):
            acted = False
            for player in self.players:
                await player.step()
                acted |= player.acts()
                await player.step()
            if not acted and not any(each.sharing.log.waiting for each in self.players):
                return
        raise AssertionError("the phones do not come to rest")


async def evening(seed: str, seal: Seal) -> Evening:
    """Play an evening, and return what became of it."""
    played, relay = Evening(seed), Relay(clock=iter(range(1 << 30)).__next__)
    async with asking(relay) as client:
        name = new_name()
        for seat in SEATS:
            way = Rough(client, name, seal)
            way.evening = played
            player = Player(seat, way, played)
            player.tell(player.hand)
            played.players.append(player)
        await played.played(seal)
        await played.settled()
        held = relay.tables[name].lines
        first = played.players[0].sharing.log
        assert len(held) == len(first.lines)
        told = [b64encode(line).decode() for line in held]
        assert await seal.open(0, "", told) == first.lines
        words = (*SEATS, *(card for kind in played.kinds for card in kind), "skips", "told")
        assert not [word for word in words for line in held if word.encode() in line]
    return played


def check(played: Evening) -> None:
    """Hold what became of an evening against what was played."""
    public = tuple(line for line, _ in played.truth)
    first = played.players[0].sharing.log
    for player in played.players:
        log = player.sharing.log
        assert log.lines == first.lines
        assert log.chains == first.chains
        assert log.unread == 0
        assert player.public == public
        own = [line for line in player.lines if line != player.hand]
        assert own == [player.knows(number) for number in range(1, len(public) + 1)]
        assert len(own) == len(player.lines) - 1
    for line in {line for player in played.players for line in player.rough.sent}:
        operation = Operation.read(line)
        if operation.kind in ("told", "changed"):
            told = parse_line(operation.line, TABLE)
            assert public_of(told, TABLE) == told
        else:
            assert operation.kind == "deleted" or operation.values.keys() <= {"edition", "players"}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", range(EVENINGS))
def test_phones_that_share_a_table_by_chance_have_one_log(number: int, seed: str) -> None:
    check(asyncio.run(evening(f"{seed} {number}", Twin("secret"))))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, whose cryptography it is")
def test_what_a_phone_s_script_seals_is_opened_in_its_place_alone(seed: str) -> None:
    async def played() -> None:
        node = Node("https://relay.example.org/", "a secret")
        await node.begin()
        check(await evening(seed, node))
        address = await node.call("address")
        assert len(address) == len("https://relay.example.org/") + 22
        sealed = [await node.seal(1, "", "one"), await node.seal(1, "", "two" * 40)]
        assert [len(each) for each in sealed] == [12 + 128 + 16, 12 + 128 + 16]
        one, two = (b64encode(each).decode() for each in sealed)
        assert await node.open(0, "", [two]) == ["two" * 40]
        for after, chain, records in ((1, "", [one]), (0, "x", [one]), (0, "", [one, two])):
            with pytest.raises(OSError, match="Error"):
                await node.open(after, chain, records)
        await node.end()

    asyncio.run(played())


def test_a_phone_says_that_lines_are_not_of_its_table(seed: str) -> None:
    async def heard() -> None:
        relay = Relay()
        async with asking(relay) as client:
            name = new_name()
            ann = SharedPhone("Ann", Way(client, name, Twin("one")))
            ann.tell("Ann skips")
            await ann.step()
            ben = SharedPhone("Ben", Way(client, name, Twin("other")))
            with pytest.raises(Tampered):
                await ben.step()

    asyncio.run(heard())
