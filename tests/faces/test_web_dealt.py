"""Tables at which the program deals: what is asked of whom, and what a page can show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from starlette.types import Message, Receive, Scope, Send

from clue_solver import load_edition
from clue_solver.arena.chairs import PERSON, Chairs
from clue_solver.arena.dealing import Deal, deal
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee, decision_of
from clue_solver.errors import ArgumentError
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.games import game_file
from clue_solver.faces.web import tables
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.forms import DEALT, LOGGED
from clue_solver.faces.web.running import dealt_table
from clue_solver.faces.web.whole_log import public_of, seen_by
from clue_solver.knowledge.sight import seen
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table as Seated
from clue_solver.views.table_talk import observation_sentence
from tests.conversation.test_session import START
from tests.faces.phones import Phone
from tests.faces.serving import Dealt as Served
from tests.faces.serving import Served as Table
from tests.faces.serving import called, dealt
from tests.faces.test_web import SHARED

THREE = dict.fromkeys(("Ann", "Ben", "Cat"), PERSON)
EVENING = {"Mum": PERSON, "Watson": "medium", "Tim": PERSON, "Hastings": "easy"}


def begun(
    path: Path, edition: str = "clue-classic", players: Mapping[str, str] = EVENING, seed: int = 3
) -> DealtTable:
    return DealtTable(DealtGame.deal(load_edition(edition), players, path, seed=seed))


def played_by(table: DealtTable) -> object:
    """What somebody who plays as `likeliest` would choose now."""
    request = table.chairs.game.request
    assert request is not None
    return decision_of(find_player("likeliest"), table.chairs.game.views[request.seat], request)


def show_all(served: Served, seat: str | None) -> str:
    """All that a page of a seat, or the host's, can show."""
    tabs = ("", "?tab=sheet", "?tab=log", "?tab=table")
    return "".join(served.get(seat, tab) for tab in tabs)


class Overheard:
    """All that is sent to the pages of a table while the game is on, before it is packed."""

    def __init__(self, served: Table) -> None:
        self.served, self.app = served, served.server.app
        self.sent: dict[str | None, list[bytes]] = {}
        served.server.app = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []

        async def heard(message: Message) -> None:
            parts.append(repr(message.get("headers", ())).encode())
            parts.append(message.get("body", b""))
            await send(message)

        await self.app(scope, receive, heard)
        table = self.served.table
        if not (isinstance(table, DealtTable) and table.over):
            secret = scope["state"]["secret"]
            seat = next((e.seat for e in table.pages.values() if e.secret == secret), None)
            self.sent.setdefault(seat, []).extend(parts)

    def check(self) -> tuple[int, int]:
        """Hold what was sent since the last check to what a seat saw; count hidden and told."""
        assert isinstance(self.served.table, DealtTable)
        game = self.served.table.chairs.game
        table, hidden, told = game.dealt.table, 0, 0
        for seat, parts in self.sent.items():
            text = unescape(b"".join(parts).decode("utf-8"))
            assert "wins with" not in text
            for each in game.log:
                share = seen(each, table=table, viewer=seat)
                lines = {format_line(each, table), observation_sentence(each, table, viewer=None)}
                if share != each:
                    if share is not None:
                        lines -= {
                            format_line(share, table),
                            observation_sentence(share, table, viewer=None),
                        }
                    for line in lines:
                        assert line not in text
                    hidden += 1
                elif public_of(each, table) != each:
                    own = observation_sentence(each, table, viewer=seat)
                    told += any(line in text for line in (*lines, own))
        self.sent.clear()
        return hidden, told


def hidden_lines(path: Path, edition: str) -> int:
    """
    Play a game, and return how many lines some seat may not know.

    Every page after every decision of a person, those of machines too, and the host's, has none.
    """
    table = begun(path, edition)
    with dealt(table) as served:
        overheard, hidden = Overheard(served), 0
        served.settle()
        while table.chairs.person is not None:
            for seat in (None, *table.seats):
                show_all(served, seat)
            hidden += overheard.check()[0]
            phone = Phone(served, table.chairs.person)
            phone.sends(phone.chosen(played_by(table)))
            assert 'role="alert"' not in phone.text
            served.settle()
        assert table.over
        assert 'id="holding"' in served.get("Mum")
        return hidden


def test_no_page_has_a_line_that_its_seat_may_not_know(tmp_path: Path) -> None:
    assert hidden_lines(tmp_path / "game.clue", "clue-diced") > 100


def everything(whole: Record, seat: str | None, **_: bool) -> Record:
    return seen_by(whole, seat, everything=True)


def told_to_all(table: DealtTable, _: object) -> tuple[Observation, ...]:
    return tuple(table.chairs.game.log[-12:])


@pytest.mark.parametrize("leak", ["the log", "what happened"])
def test_a_planted_leak_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    if leak == "the log":
        monkeypatch.setattr(tables, "seen_by", everything)
    else:
        monkeypatch.setattr(DealtTable, "recent_events", told_to_all)
    with pytest.raises(AssertionError, match="not in"):
        hidden_lines(tmp_path / "game.clue", "clue-classic")


def other_hands(dealt: Deal, seat: str) -> Deal:
    """The same deal for a seat, in which the others hold what the next of them held."""
    hands, (one, two) = dict(dealt.hands), [each for each in dealt.hands if each != seat]
    inside = dealt.solution
    kinds = dealt.table.edition.category_of
    mine = {card for card in hands[one] if kinds[card] == kinds[inside[0]]}
    hands[one], hands[two] = hands[two], hands[one]
    if mine:  # and another solution
        hands[two] = hands[two] - {min(mine)} | {inside[0]}
    return dealt._replace(hands=hands)


def test_where_a_seat_sees_the_same_its_pages_are_the_same(tmp_path: Path) -> None:
    """Two games differ in all that one seat cannot know, and each asks for that seat's cards."""
    edition = load_edition("clue-classic")
    deals = (deal(edition, 3, np.random.default_rng(seed), board=False) for seed in range(100))
    first = next(
        each
        for each in deals
        if len({edition.category_of[card] for card in each.hands["Ann"]}) == 3
    )
    assert other_hands(first, "Ann").solution != first.solution
    pages: list[list[str]] = []
    for number, each in enumerate((first, other_hands(first, "Ann"))):
        assert each.hands["Ann"] == first.hands["Ann"]
        rngs = [np.random.default_rng(seed) for seed in range(4)]
        game = Referee(each, rng=rngs[0], rngs=rngs[1:], compiled=False, each_shows=True)
        path = tmp_path / f"{number}.clue"
        table = DealtTable(DealtGame(Chairs(game, {}), RecordFile(path)))
        pages.append([])
        with dealt(table) as served:
            for _ in range(12):
                request = game.request
                assert request is not None
                for seat in ("Ann", None):
                    text = show_all(served, seat)
                    for book in (*table.every, table.joining):
                        text = text.replace(book.secret, "")
                    text = re.sub(
                        r'data-version="\d+"|<svg.*?</svg>|name="(at|once)" value="\S+"', "", text
                    )
                    pages[-1].append(text)
                own = sorted(first.hands["Ann"])
                asks = [
                    choice
                    for choice in game.choices()
                    if choice is None or {*getattr(choice, "cards", "?")} <= {*own}
                ]
                choice = request.cards[0] if request.kind == "show" else asks[-1]
                phone = Phone(served, request.seat)
                phone.sends(phone.chosen(None if request.kind == "accuse" else choice))
    assert len(pages[0]) == 24
    assert pages[0] == pages[1]


def test_an_error_in_a_job_is_reported_and_the_next_job_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path / "game.clue", "clue-diced")  # which ends soon
    heard: list[str] = []
    with dealt(table) as served:
        served.settle()
        served.server.shared.tell = table.tell = heard.append

        def fails(*_: object) -> None:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setattr(DealtTable, "decide", fails)
            seat = table.chairs.person
            served.post("sit", seat, seat=seat or "", player="easy")
            for _ in range(100):
                served.work()
        assert heard[0].startswith("something went wrong: ZeroDivisionError at ")
        served.server.play_on()
        served.settle()
        with monkeypatch.context() as patched:
            patched.setattr("clue_solver.views.reviews.review_page", fails)
            for each in ("Mum", "Tim"):
                served.post("sit", each, seat=each, player="easy")
            served.settle()
    assert heard[-1].startswith("the game cannot be reviewed: ZeroDivisionError at ")
    assert table.review is not None
    assert table.review.page == ""


def test_a_machine_that_fails_does_nothing_and_the_host_hears_of_it(tmp_path: Path) -> None:
    players = {"Ann": PERSON, "Ben": "tests.faces.test_web_dealt:Broken", "Cat": PERSON}
    table = begun(tmp_path / "game.clue", players=players)
    heard: list[str] = []
    with dealt(table) as served:
        table.tell = heard.append
        served.settle()
        game_file(tmp_path / "game.clue").unlink()
        game_file(tmp_path / "game.clue").mkdir()  # where nothing can be written
        for _ in range(12):
            served.settle()
            phone = Phone(served, table.chairs.person)
            phone.sends(phone.chosen(played_by(table)))
    assert "Ben cannot decide, and does nothing: ZeroDivisionError" in heard
    assert any(each.startswith("the game cannot be saved: ") for each in heard)


def test_a_game_goes_on_with_its_players_or_others_in_their_chairs(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"

    def again(seats: dict[str, str]) -> DealtTable:
        table = dealt_table(path, seats, edition=None)
        assert isinstance(table, DealtTable)
        return table

    again(EVENING).close()
    table = again({})
    assert table.chairs.players == EVENING
    table.close()
    others = EVENING | {"Watson": PERSON, "Tim": "hard"}
    again(others).close()
    with pytest.raises(ArgumentError, match="expected Mum, Watson, Tim, Hastings in this game"):
        again({"Ann": PERSON, "Ben": PERSON})
    table = again({"Watson": "medium"})
    assert table.chairs.players == others | {"Watson": "medium"}
    table.close()


def test_a_deck_of_ones_own_is_dealt_again(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "ours.toml").write_bytes(Path("examples/tiny.toml").read_bytes())
    edition = load_edition(str(folder / "ours.toml"))
    table = DealtTable(DealtGame.deal(edition, THREE, folder / "game.clue", board=False))
    table.again().close()
    again = DealtTable(DealtGame.resume(folder / "game-2.clue"))
    assert again.chairs.game.dealt.table.edition.name == "ours.toml"
    again.close()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ben asks Ann about Plum: passes", "Ben asks you about Plum. You have none."),
        (
            "Ann asks Ben about Plum: shows Brawn Plum",
            "You ask Ben about Plum. Ben shows you Brawn Plum.",
        ),
        ("Ben looks at Ann", "Ben looks at one of your cards."),
        ("Ann looks at Ben: Brawn Plum", "You look at one of Ben's cards: Brawn Plum."),
        ("Ben peeks", "Ben peeks into the envelope."),
        ("Ann peeks: Plum", "You peek into the envelope: Plum."),
    ],
)
def test_what_the_dice_allow_is_told_as_at_a_table(line: str, told: str) -> None:
    table = Seated(edition=load_edition("clue-diced"), seats=("Ann", "Ben", "Cat"))
    assert observation_sentence(parse_line(line, table), table, viewer="Ann") == told


class Broken:
    """A player that never gets to decide."""

    def move(self, *_: object) -> None:
        """Fail."""
        raise ZeroDivisionError

    ask = show = accuse = move


@pytest.mark.parametrize("kind", ["alone", "shared", "over", "dealt"])
def test_whatever_form_comes_to_whatever_page_there_is_an_answer(tmp_path: Path, kind: str) -> None:
    odd = {"entry": "9", "number": "0", "edit": "7", "seat": "Nobody", "card": "Plum", "what": "x"}
    with ExitStack() as stack:
        if kind == "dealt":
            served: Table = stack.enter_context(dealt(begun(tmp_path / "game.clue")))
        else:
            path = tmp_path / "game.clue"
            path.write_text(START if kind == "alone" else SHARED, "utf-8")
            served = stack.enter_context(called(path, public=kind != "alone"))
            if kind == "over":
                served.post("tell", line="Cat accuses White, Rope, Hall: right", settled="turn")
        for seat in (None, *served.table.seats)[:2]:
            for action in (*LOGGED, *DEALT, "setup", "nothing"):
                for said in ({}, odd, odd | {"line": "ann has plum", "rest": "?", "seat": "Ann"}):
                    assert served.post(action, seat, **said).status_code in (200, 404)


def test_no_machine_waits_for_a_review(tmp_path: Path) -> None:
    table = begun(tmp_path / "game.clue")
    with dealt(table) as served:
        served.settle()
        release = Event()
        served.server.shared.reviews.give(release.wait)
        number = table.chairs.decision_count
        phone = Phone(served, table.chairs.person)
        phone.sends(phone.chosen(played_by(table)))
        for _ in range(100):
            if table.chairs.person is not None and table.chairs.decision_count > number:
                break
            served.server.shared.second.give(lambda: None).result(60)
            served.in_turn(lambda: None)
        assert table.chairs.person is not None
        release.set()
