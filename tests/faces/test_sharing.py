"""Phones share what everybody noticed, in one order, and nothing of a hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from clue_solver import load
from clue_solver.errors import ArgumentError, ClueError, NotationError, SetupError
from clue_solver.faces.web.relay import DAY, Relay
from clue_solver.faces.web.seat_notes import public_record
from clue_solver.faces.web.shared_log import SharedLog, checked
from clue_solver.faces.web.sharing import Tampered, pasted, seat_of
from clue_solver.record import format_record
from tests.faces.relayed import SharedPhone, Twin, Way, asking, new_name

HAND = "Ann holds Plum, Rope, Hall, Study, Knife, Green"
ASKED = "Ann suggests Scarlett, Wrench, Lounge: Ben shows Wrench"
SEEN = "Ann suggests Scarlett, Wrench, Lounge: Ben shows"


def passed(one: SharedPhone, other: SharedPhone) -> None:
    """Let one phone paste what another has copied."""
    other.sharing.paste(one.sharing.copied())


def test_what_everybody_noticed_comes_over_and_what_one_saw_stays() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell(HAND, f"{ASKED} # he was slow", "Ben skips")
    passed(ann, ben)
    assert ben.lines == (SEEN, "Ben skips")
    ben.edit(1, ASKED)
    passed(ben, ann)
    assert (ann.lines, ben.lines) == ((HAND, ASKED, "Ben skips"), (ASKED, "Ben skips"))
    assert ann.session.entry(2).comment == "he was slow"
    for phone in (ann, ben):
        assert "slow" not in phone.sharing.copied()
        assert "shows Wrench" not in phone.sharing.copied()


def test_entries_are_put_in_changed_and_taken_out_and_the_header_too() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips", "Ben skips", "Cat skips")
    passed(ann, ben)
    ben.edit(2, "Ben suggests Plum, Rope, Hall: Cat passes, Ann shows")
    ben.session.delete(3)
    ben.sharing.told()
    ben.session.set_header("hands", "6, 6, 6")
    ben.sharing.told()
    passed(ben, ann)
    assert ann.lines == ("Ann skips", "Ben suggests Plum, Rope, Hall: Cat passes, Ann shows")
    assert ann.session.record.table.hands == (6, 6, 6)


def test_undo_takes_back_what_was_told_here_and_nothing_of_others() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    assert ann.sharing.undoing is None
    ann.tell(HAND, ASKED)
    passed(ann, ben)
    ben.tell("Ben skips")
    passed(ben, ann)
    change = ann.sharing.undoing
    assert change is not None
    assert (change.kind, change.entry) == ("removed", 2)
    ann.sharing.undo()
    assert ann.lines == (HAND, "Ben skips")
    passed(ann, ben)
    assert ben.lines == ("Ben skips",)
    ann.sharing.undo()
    assert ann.lines == ("Ben skips",)
    assert ann.sharing.undoing is None
    ann.session.delete(1)
    ann.sharing.told()
    ann.session.set_header("first", "Ben")
    ann.sharing.told()
    for _ in range(2):
        ann.sharing.undo()
    assert ann.lines == ("Ben skips",)
    assert ann.session.record.table.first is None
    ann.edit(1, "Ben suggests Plum, Rope, Hall: ?")
    passed(ann, ben)
    ben.edit(1, "Ben suggests Plum, Knife, Hall: ?")
    passed(ben, ann)
    assert ann.sharing.undoing is None  # others have changed it since
    ann.sharing.undo()
    assert ann.public == ben.public


def test_what_two_phones_tell_at_once_is_one_entry() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell(ASKED)
    ben.tell("Ann suggests Scarlett, Wrench, Lounge: Ben shows Wrench")
    passed(ann, ben)
    passed(ben, ann)
    assert ann.public == ben.public == (SEEN,)
    assert not ben.sharing.log.waiting
    assert ben.lines == (ASKED,)


def test_what_did_not_fit_is_asked_about_also_where_the_same_was_told_a_round_before() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips", "Ben skips", "Cat skips")
    passed(ann, ben)
    ben.tell("Ann skips")
    ann.tell("Ann suggests Scarlett, Wrench, Lounge: Ben shows")
    passed(ann, ben)
    assert [*ben.sharing.returned] == ["Ann skips"]
    ben.tell("Ben skips")
    assert [*ben.sharing.returned] == ["Ann skips"]


def test_whoever_was_first_is_first_and_what_is_doubtful_then_is_asked() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips")
    ben.tell("Ann suggests Scarlett, Wrench, Lounge: Ben shows Lounge")
    passed(ann, ben)
    assert ben.lines == ("Ann skips",)
    assert (*ben.sharing.returned,) == ("Ann suggests Scarlett, Wrench, Lounge: Ben shows Lounge",)
    assert ben.kept.returned == ben.sharing.returned
    ben.sharing.dropped(ben.sharing.returned[0])
    assert not ben.kept.returned
    ben.tell("Ben skips")
    ann.tell("Ben skips", "Cat skips")
    passed(ann, ben)
    assert ben.public == ("Ann skips", "Ben skips", "Cat skips")
    assert not ben.sharing.returned


def test_an_entry_that_others_changed_or_took_out_is_not_changed_unseen() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips", "Ben skips", "Cat skips")
    passed(ann, ben)
    ann.edit(1, "Ann suggests Plum, Rope, Hall: Ben shows")
    ben.edit(1, "Ann suggests Plum, Rope, Hall: Cat shows")
    passed(ann, ben)
    assert ben.public == ann.public
    assert (*ben.sharing.returned,) == ("Ann suggests Plum, Rope, Hall: Ben passes, Cat shows",)
    for phone in (ann, ben):
        phone.session.delete(3)
        phone.sharing.told()
    passed(ann, ben)
    assert ben.public == ann.public == ("Ann suggests Plum, Rope, Hall: Ben shows", "Ben skips")
    assert len(ben.sharing.returned) == 1
    ann.edit(2, "Ben suggests Plum, Rope, Hall: ?")
    ben.session.delete(2)
    ben.sharing.told()
    passed(ann, ben)
    assert ben.public == ann.public
    assert [*ben.sharing.returned][1:] == ["take out: Ben suggests Plum, Rope, Hall"]
    ann.session.set_header("first", "Cat")
    ann.sharing.told()
    ben.session.set_header("first", "Ben")
    ben.sharing.told()
    passed(ann, ben)
    assert ben.session.record.table.first == "Cat"
    assert [*ben.sharing.returned][2:] == ["first: Ben"]


def test_a_header_that_the_own_notes_do_not_fit_asks_about_them() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell(HAND, "Ann skips")
    passed(ann, ben)
    ben.session.set_header("hands", "7, 6, 5")
    ben.sharing.told()
    passed(ben, ann)
    assert ann.session.record.table.hands == (7, 6, 5)
    assert ann.lines == ("Ann skips",)
    assert [*ann.sharing.returned] == [HAND]


def test_lines_that_come_twice_late_or_in_another_order_leave_one_log() -> None:
    lines = SharedLog()
    lines.tell(load("examples/evening.clue").record)
    told = [str(each) for each in lines.waiting]
    log = SharedLog()
    for after, until in ((0, 6), (0, 6), (3, 9), (0, 4), (6, len(told)), (0, len(told))):
        assert log.came(after, told[after:until]) == []
    assert log.lines == told
    assert log.agreed.record == lines.laid.record
    assert log.came(len(told), [told[4]]) == []
    assert log.agreed.record == lines.laid.record
    with pytest.raises(ArgumentError, match="expected what follows line"):
        log.came(99, told[:1])


def test_two_orders_of_the_same_lines_become_one() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips")
    passed(ann, ben)
    ann.tell("Ben skips")
    ben.tell("Ben suggests Plum, Rope, Hall: ?")
    one, other = ann.sharing.copied(), ben.sharing.copied()
    ann.sharing.paste(other)
    ben.sharing.paste(one)
    for _ in range(2):
        passed(ann, ben)
        passed(ben, ann)
    assert ann.sharing.log.lines == ben.sharing.log.lines
    assert ann.public == ben.public


def test_nothing_goes_out_but_what_everybody_noticed() -> None:
    ann = SharedPhone("Ann")
    ann.tell("Ann skips")
    log = ann.sharing.log
    log.came(0, [str(each) for each in log.waiting])
    refused = (
        "told: Ann holds Plum, Rope, Hall, Study, Knife, Green",
        "told: Ann knows Ben has Rope",
        "told: Ben suggests Plum, Rope, Hall: Cat shows Rope",
        "told: Ben suggests Plum, Rope, Hall: Cat shows # she has Rope",
        "told: ben plum rope hall: cat",
        "told: Ben looks at Cat: Rope",
        'header: {"viewer":"Ann"}',
        'header: {"hands":"6, 6, 6","shows":"sticky"}',
        'header: {"edition":"own.toml"}',
        'header: {"hands": "6, 6, 6"}',
        "told: ",
        "shown: Rope",
    )
    for line in refused:
        with pytest.raises(ClueError):
            checked(f"0123456789 {line}", log.agreed)
    fine = "0123456789 told: Ben suggests Plum, Rope, Hall: Cat shows"
    assert checked(fine, log.agreed) == fine


@pytest.mark.parametrize("name", ["classic", "diced", "master", "evening", "two_players"])
def test_no_hand_is_in_what_is_sent_of_a_whole_game(name: str) -> None:
    record = load(f"examples/{name}.clue").record
    log = SharedLog()
    log.tell(record)
    told = "\n".join(map(str, log.waiting))
    public = format_record(public_record(record))
    for observation, line in zip(
        record.observations, load(f"examples/{name}.clue").lines, strict=True
    ):
        if line not in public:  # what only some saw
            assert line not in told
            assert observation not in log.laid.record.observations
    other = SharedLog()
    other.came(0, told.splitlines())
    assert other.agreed.record.observations == public_record(record).observations


def test_a_hand_that_is_never_asked_for_is_nowhere_in_what_is_sent() -> None:
    ann = SharedPhone("Ann")
    hand = ("Plum", "Rope", "Hall", "Study", "Knife", "Green")
    ann.tell(HAND)
    for by, other in (("Ann", "Ben"), ("Ben", "Cat"), ("Cat", "Ann")) * 4:
        ann.tell(f"{by} suggests Scarlett, Wrench, Lounge: ?", f"Ann knows {other} lacks Plum")
    table = replace(ann.session.record.table, shows="sticky")
    ann.session.rewrite(ann.session.record.entries, table)
    ann.sharing.told()
    said = ann.sharing.copied()
    assert not [card for card in (*hand, "sticky", "holds", "knows", "viewer") if card in said]


def test_what_is_pasted_is_a_whole_log_or_refused() -> None:
    ann = SharedPhone("Ann")
    ann.tell("Ann skips", "Ben skips")
    copied = ann.sharing.copied()
    assert pasted(f"Look:\n\n  {copied}") == pasted(copied)
    for text in ("", "Ben skips", copied.rpartition("\n")[0].rpartition("\n")[0], f"{copied}hello"):
        with pytest.raises(NotationError, match="expected"):
            pasted(text)


def test_a_player_joins_with_a_seat_and_what_everybody_noticed() -> None:
    ann = SharedPhone("Ann")
    ann.tell(HAND, ASKED)
    lines = pasted(ann.sharing.copied())
    record = seat_of(lines, "Ben")
    assert record.table.viewer == "Ben"
    assert len(record.entries) == 1
    with pytest.raises(ArgumentError, match="Ann, Ben, Cat"):
        seat_of(lines, "Dan")
    with pytest.raises(SetupError):
        seat_of([], "Ann")


def test_the_seats_of_a_shared_table_stay() -> None:
    ann = SharedPhone("Ann")
    ann.tell("Ann skips")
    passed(ann, ann)
    ann.session.set_header("seats", "Eve, Ben, Cat")
    with pytest.raises(SetupError, match="stay as they are"):
        ann.sharing.told()


def test_a_phone_that_dies_between_its_two_files_loses_nothing() -> None:
    ann, ben = SharedPhone("Ann"), SharedPhone("Ben")
    ann.tell("Ann skips", "Ben skips")
    before = ben.kept
    passed(ann, ben)
    again = SharedPhone("Ben", kept=before)  # the record was written, the lines were not
    again.session.rewrite(ben.session.record.entries)
    again.sharing.told()
    passed(ann, again)
    assert again.public == ("Ann skips", "Ben skips")
    assert not again.sharing.log.waiting


@pytest.mark.asyncio
async def test_phones_are_in_step_through_a_relay_and_it_can_read_nothing() -> None:
    relay = Relay()
    async with asking(relay) as client:
        name, seal = new_name(), Twin("secret")
        ann, ben = (SharedPhone(seat, Way(client, name, seal)) for seat in ("Ann", "Ben"))
        ann.tell(HAND, ASKED)
        ben.tell("Ann suggests Scarlett, Wrench, Lounge: Ben shows Wrench", "Ben skips")
        for _ in range(2):
            await ann.step()
            await ben.step()
        await ann.step()
        assert ann.public == ben.public == (SEEN, "Ben skips")
        assert ann.sharing.log.lines == ben.sharing.log.lines
        held = b"".join(relay.tables[name].lines)
        assert not [word for word in (b"Wrench", b"Ann", b"skips", b"told") if word in held]


@pytest.mark.asyncio
async def test_a_relay_that_forgot_is_told_again_by_whoever_has_something_to_tell() -> None:
    now = [0.0]
    relay = Relay(clock=lambda: now[0])
    async with asking(relay) as client:
        name, seal = new_name(), Twin("secret")
        ann, ben = (SharedPhone(seat, Way(client, name, seal)) for seat in ("Ann", "Ben"))
        ann.tell("Ann skips")
        await ann.step()
        await ben.step()
        now[0] += DAY
        await ann.step()
        assert not relay.tables
        ben.tell("Ben skips")
        await ben.step()
        await ann.step()
        assert len(relay.tables[name].lines) == len(ann.sharing.log.lines) == 3
        assert ann.public == ("Ann skips", "Ben skips")


@pytest.mark.asyncio
@pytest.mark.parametrize("harm", ["swapped", "repeated", "left out", "replaced"])
async def test_lines_that_a_relay_moves_repeats_leaves_out_or_replaces_are_noticed(
    harm: str,
) -> None:
    relay = Relay()
    async with asking(relay) as client:
        name, seal = new_name(), Twin("secret")
        ann, ben = (SharedPhone(seat, Way(client, name, seal)) for seat in ("Ann", "Ben"))
        ann.tell("Ann skips", "Ben skips", "Cat skips")
        await ann.step()
        lines = relay.tables[name].lines
        match harm:
            case "swapped":
                lines[1], lines[2] = lines[2], lines[1]
            case "repeated":
                lines.insert(2, lines[1])
            case "left out":
                del lines[2]
            case "replaced":
                lines[2] = await Twin("another").seal(3, ann.sharing.log.chain(2), "told")
        before = ben.public
        with pytest.raises(Tampered):
            await ben.step()
        assert ben.public == before
