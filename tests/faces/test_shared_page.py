"""Phones without a server share a table: a link or the copied log, one log, each its own notes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from clue_solver.errors import ClueError, SetupError
from clue_solver.faces.browser.alone import GAMES, NEW, Alone
from clue_solver.faces.web.relay import Relay
from tests.faces.alone import BASE, Phone, played, text
from tests.faces.relayed import Twin, Way, asking, new_name

HAND = "Ann holds White, Plum, Rope, Library, Study, Hall"


def unanswered(_: bytes) -> None:
    """Take closer looks never: nothing is asked about them."""


class Joining(Phone):
    """A phone that has a relay."""

    def __init__(self, folder: Path, client: httpx.AsyncClient, tables: dict[str, str]) -> None:
        super().__init__(folder, unanswered)
        self.came = 0

        async def channel(secret: str) -> Way:
            return Way(client, tables.setdefault(secret, new_name()), Twin(secret))

        def changed() -> None:
            self.came += 1

        self.alone = Alone(
            folder, "https://clue.example.org", BASE, unanswered, channel=channel, changed=changed
        )

    async def shows(self, query: str, sign: str | Callable[[str], bool]) -> str:
        """Return a page of the game once it has a sign."""
        for _ in range(2_000):
            shown = text(await self.ask("GET", f"{BASE}/{NEW}{query}"))
            if sign(shown) if callable(sign) else sign in shown:
                return shown
            await asyncio.sleep(0.001)
        raise AssertionError(shown)

    def close(self) -> None:
        """Go on with nothing."""
        if self.alone._relaying is not None:
            self.alone._relaying[1].cancel()


def logged(shown: str) -> list[str]:
    """The entries that a page has, the last first."""
    return [line.strip() for line in re.findall(r'<span class="text">(.*?)</span>', shown, re.S)]


def test_a_link_leads_to_the_table_and_what_one_saw_stays_there(tmp_path: Path) -> None:
    async def evening() -> None:
        relay = Relay()
        async with asking(relay) as client:
            tables: dict[str, str] = {}
            ann, ben = (Joining(tmp_path / name, client, tables) for name in ("ann", "ben"))
            secret = await played(ann, "Ann suggests Mustard, Wrench, Lounge: Ben shows Wrench")
            await ann.post(secret, "share", tab="table")
            shown = text(await ann.ask("GET", f"{BASE}/{secret}?tab=table"))
            found = re.search(r'href="https://clue.example.org/clue/#share=([\w-]+)"', shown)
            assert found is not None
            link = found[1]
            assert link in tables
            await ann.shows("?tab=table", lambda page: "Not sent yet" not in page)
            way = await ben.alone.join(link)
            assert [*re.findall(r'value="(\w+)">', text(await ben.ask("GET", way)))][-3:] == [
                *("Ann", "Ben", "Cat")
            ]
            await ben.post(GAMES, "join", seat="Ben")
            asked = "Ann suggests Mustard, Wrench, Lounge: Ben shows"
            assert logged(await ben.shows("?tab=log", asked)) == [asked]
            await ben.post(
                NEW, "tell", line="Ben holds Wrench, Green, Knife, Scarlett, Revolver, Lounge"
            )
            await ben.post(NEW, "tell", line="Ben skips")
            shown = await ann.shows("?tab=log", lambda page: "Ben skips" in logged(page))
            lines = logged(shown)
            assert lines == ["Ben skips", f"{asked} Wrench", HAND]
            assert ann.came
            assert [name for name in ann.disk if name.endswith(".shared")]
            held = b"".join(line for each in relay.tables.values() for line in each.lines)
            assert b"Wrench" not in held
            assert (await ben.alone.join(link)).rpartition("/")[2] in text(
                await ben.ask("GET", f"{BASE}/{NEW}")
            )
            for phone in (ann, ben):
                phone.close()

    asyncio.run(evening())


def test_the_table_is_there_again_after_a_restart_and_its_players_stay(tmp_path: Path) -> None:
    async def evening() -> None:
        relay = Relay()
        async with asking(relay) as client:
            tables: dict[str, str] = {}
            ann = Joining(tmp_path / "ann", client, tables)
            secret = await played(ann, "Ann skips")
            await ann.post(secret, "share")
            await ann.shows("?tab=table", lambda page: "Not sent yet" not in page)
            ann.close()
            for name, content in ann.disk.items():
                (tmp_path / "again").mkdir(exist_ok=True)
                (tmp_path / "again" / name).write_bytes(content)
            again = Joining(tmp_path / "again", client, tables)
            assert "#share=" in await again.shows("?tab=table", "The shared table")
            await again.post(NEW, "tell", line="Ben skips")
            await again.shows("?tab=table", lambda page: "Not sent yet" not in page)
            assert [len(held.lines) for held in relay.tables.values()] == [3]
            refused = await again.post(NEW, "header", seats="Eve, Ben, Cat")
            assert "the seats of a shared table stay as they are" in text(refused)
            again.close()

    asyncio.run(evening())


def test_without_a_relay_the_log_is_copied_and_pasted(tmp_path: Path) -> None:
    async def evening() -> None:
        ann, ben = (Phone(tmp_path / name, unanswered) for name in ("ann", "ben"))

        async def copied(phone: Phone) -> str:
            shown = text(await phone.ask("GET", f"{BASE}/{NEW}?tab=table"))
            found = re.search(r'<textarea id="copied"[^>]*>(.*?)</textarea>', shown, re.S)
            assert found is not None
            assert "White" not in found[1]
            return found[1]

        secret = await played(ann, "Ann suggests Mustard, Wrench, Lounge: Ben shows Wrench")
        await ann.post(secret, "share")
        asked = text(await ben.post(GAMES, "paste", log=await copied(ann)))
        assert "Who are you at this table?" in asked
        assert "expected" in text(await ben.post(GAMES, "paste", log="Ben skips"))
        await ben.post(GAMES, "join", seat="Ben")
        await ben.post(NEW, "tell", line="Ben skips")
        await ann.post(NEW, "paste", log=await copied(ben))
        lines = logged(text(await ann.ask("GET", f"{BASE}/{NEW}?tab=log")))
        assert lines[:2] == [
            "Ben skips",
            "Ann suggests Mustard, Wrench, Lounge: Ben shows Wrench",
        ]
        assert "copy it whole" in text(await ann.post(NEW, "paste", log="clue-solver, 9 lines:"))
        # others were first
        await ann.post(NEW, "tell", line="Cat skips")
        await ben.post(
            NEW, "tell", line="Cat suggests Plum, Knife, Hall: Ann shows", settled="turn"
        )
        shown = text(await ben.post(NEW, "paste", log=await copied(ann)))
        shown = text(await ben.ask("GET", f"{BASE}/{NEW}"))
        assert "Others were first, so this is not logged:" in shown
        assert "Cat suggests Plum, Knife, Hall: Ann shows" in shown
        await ben.post(NEW, "drop", line="Cat suggests Plum, Knife, Hall: Ann shows")
        shown = text(await ben.ask("GET", f"{BASE}/{NEW}"))
        assert "Others were first" not in shown

    asyncio.run(evening())


def test_a_link_that_leads_nowhere_is_said(tmp_path: Path) -> None:
    async def evening() -> None:
        with pytest.raises(SetupError, match="no relay"):
            await Phone(tmp_path / "none", unanswered).alone.join(new_name())
        async with asking(Relay()) as client:
            phone = Joining(tmp_path / "one", client, {})
            with pytest.raises(SetupError, match="nothing is held"):
                await phone.alone.join(new_name())
        with pytest.raises(SetupError, match="cannot be reached"):
            await phone.alone.join(new_name())  # its client is closed
        assert "Your games" in text(await phone.ask("GET", f"{BASE}/{GAMES}/join"))
        assert "Your games" in text(await phone.post(GAMES, "join", seat="Ann"))

    asyncio.run(evening())


def test_a_game_of_an_own_deck_is_not_shared(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path, unanswered)
        phone.alone.take("tiny.toml", Path("examples/tiny.toml").read_bytes())
        record = "edition: tiny.toml\nplayers: Ann, Ben\n\n"
        way = phone.alone.take("game.clue", record.encode())
        answer = await phone.post(way.rpartition("/")[2], "share")
        assert "an edition that every phone has" in text(answer)
        with pytest.raises(ClueError):
            await phone.alone.join("x")

    asyncio.run(evening())
