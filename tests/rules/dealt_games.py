"""
What holds in games that the arena deals and plays: each function is a sentence of a transcript.

The enforcer allows every action of every game, and whatever a sentence looks for is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import load_edition
from clue_solver.arena.dealing import deal
from clue_solver.arena.players import LikeliestAsker, find_player
from clue_solver.arena.referee import Referee, play
from clue_solver.arena.tournament import Tournament
from clue_solver.arena.view import View
from clue_solver.errors import SetupError
from clue_solver.faces.setup import piece_order_warning
from clue_solver.rules.observations import Accusation, Event, Move, Roll, Suggestion
from tests.arena.arena_games import illegal


class Games(NamedTuple):
    """The first games of an edition with so many seats."""

    edition: str
    seats: int

    def each(self, *rash: str, last: int = 4, player: str = "likeliest") -> Iterator[Referee]:
        """Yield the games; whoever is rash accuses wrongly as soon as possible."""
        for number in range(1, last + 1):
            yield _played(self.edition, self.seats, number, rash, player)

    def past(self, kind: type[Event], player: str = "likeliest") -> Iterator[tuple[Referee, Any]]:
        """Yield each of a kind that happened, with its game."""
        for game in self.each(player=player):
            yield from ((game, each) for each in game.log if isinstance(each, kind))


@cache
def _played(edition: str, seats: int, number: int, rash: tuple[str, ...], player: str) -> Referee:
    game = Tournament(edition=edition, players=("likeliest",) * seats, seed=8).begin(number)
    play(game, {seat: Rash() if seat in rash else find_player(player) for seat in game.views})
    assert illegal(game) == []
    return game


class Rash(LikeliestAsker):
    """Accuses cards of which it holds one."""

    def accuse(self, view: View) -> tuple[str, ...]:
        held = next(card for kind in view.kinds for card in kind if card in view.hand)
        return tuple(held if held in kind else kind[0] for kind in view.kinds)


def the_enforcer_allows_every_game_in_which_one(games: Games, *verbs: str) -> None:
    for verb in verbs:
        assert any(each.form.verb == verb for _, each in games.past(Event)), verb


def cards(games: Games, *names: str) -> None:
    assert all({*names} <= {*game.dealt.table.cards} for game in games.each())


def no_cards(games: Games, *names: str) -> None:
    assert all({*names}.isdisjoint(game.dealt.table.cards) for game in games.each())


def hands_of(games: Games, *sizes: str) -> None:
    hands = [game.dealt.hands.values() for game in games.each()]
    assert all(sorted(map(len, each)) == sorted(map(int, sizes)) for each in hands)


def cards_lie_in(games: Games, *rooms: str) -> None:
    slots = [game.dealt.table.slots for game in games.each()]
    assert all({slot.name for slot in each} == {*rooms} for each in slots)


def no_two_play_one_piece(games: Games) -> None:
    assert all(len({*game.dealt.table.pieces}) == games.seats for game in games.each())


def as_many_play_as(games: Games, low: str, high: str) -> None:
    for seats in (int(low), int(high)):
        (game,) = games._replace(seats=seats).each(last=1)
        assert game.state.turns.winner in game.dealt.table.seats
    for seats in (int(low) - 1, int(high) + 1):
        with pytest.raises(SetupError):
            deal(load_edition(games.edition), seats, np.random.default_rng(1))


def who_has_more_cards_is_drawn(games: Games) -> None:
    assert len({game.dealt.table.hands for game in games.each()}) > 1


def who_begins_is_drawn(games: Games) -> None:
    assert len({game.dealt.table.begins for game in games.each()}) > 1


def who_plays_the_first_suspect_begins(games: Games) -> None:
    for game in games.each():
        table = game.dealt.table
        first = min(table.pieces, key=table.edition.suspects.index)
        assert game.dealt.table.begins == table.seats[table.pieces.index(first)]


def turns_go_round_as_the_pieces_do(games: Games) -> None:
    for table in (game.dealt.table for game in games.each()):
        assert [*table.pieces] == sorted(table.pieces, key=table.edition.suspects.index)
        assert piece_order_warning(table) == ""


def everybody_notes_the_own_cards(games: Games) -> None:
    for view in (view for game in games.each() for view in game.views.values()):
        marks = dict(zip(view.cards, view.sheet.verdicts, strict=True))
        own = view.table.seats.index(view.seat)
        assert {marks[card][own] for card in view.hand} == {1}


def every_roll_is_from(games: Games, low: str, high: str) -> None:
    assert {each.total for _, each in games.past(Roll)} == {*range(int(low), int(high) + 1)}


def every_face_is_rolled_and_a_third_are_blank(games: Games) -> None:
    rolls = (each for game in games.each(last=8) for each in game.log if isinstance(each, Roll))
    faces = Counter(each.dice[-1] for each in rolls)
    assert {*faces} == {"glass", "question", "eye", "finger", "blank"}
    assert faces["blank"] == pytest.approx(faces.total() / 3, rel=0.4)


def clue_cards_may_lie_in_the_box(games: Games) -> None:
    (game,) = games.each(last=1)
    dealt = game.dealt._replace(table=replace(game.dealt.table, clue_cards="none"))
    rngs = np.random.default_rng(3).spawn(4)
    game = Referee(dealt, rng=rngs[0], rngs=rngs[1:])
    play(game, {seat: LikeliestAsker() for seat in dealt.table.seats})
    assert game.state.over
    assert any(isinstance(each, Roll) and each.icons for each in game.log)
    assert not {"draws", "reveals"} & {each.form.verb for each in game.log}


def somebody_stops_on_a_square(games: Games) -> None:
    assert any(each.to not in game.dealt.table.edition.rooms for game, each in games.past(Move))


def all_pass_until_one_shows_from_the(games: Games, side: str) -> None:
    several = 0
    for game, each in games.past(Suggestion):
        seats = game.dealt.table.seats if side == "left" else game.dealt.table.seats[::-1]
        begin = seats.index(each.by)
        order = [*seats[begin + 1 :], *seats[:begin]]
        *passed, last = each.answers
        assert [answer.seat for answer in each.answers] == order[: len(each.answers)]
        assert all((answer.answer, answer.card) == ("passes", None) for answer in passed)
        assert (last.answer == "shows") == (last.card in each.cards)
        several += bool(passed)
    assert several


def somebody_names_an_own_card(games: Games) -> None:
    past = games.past(Suggestion, player="likeliest:bluff=0.9")
    assert any({*each.cards} & game.dealt.hands[each.by] for game, each in past)


def so_many_roles_are_named_by_who(games: Games, roles: str, *verbs: str) -> None:
    for verb in verbs:
        named = [each for _, each in games.past(Event) if each.form.verb == verb]
        cards = [getattr(each, "cards", ()) for each in named]
        assert {len(each) for each in cards} == {int(roles)}
        assert {len({card.split()[0] for card in each}) for each in cards} == {int(roles)}


def a_suggestion_becomes_an_accusation(games: Games) -> None:
    ends = [game.log[-2:] for game in games.each()]
    assert {type(last) for _, last in ends} == {Accusation}
    assert any(isinstance(asked, Suggestion) for asked, _ in ends)


def these_are_wrong_and_answer_while_others_play(games: Games, *wrong: str) -> None:
    (game,) = games.each(*wrong, last=1)
    left = [seat for seat in game.dealt.table.seats if seat not in wrong]
    assert game.state.over
    assert game.state.turns.out == {*wrong}
    assert (game.state.turns.winner in left) == bool(left)
    for seat in wrong:
        past = [getattr(each, "by", None) == seat for each in game.log]
        last = len(past) - past[::-1].index(True)
        answers = [getattr(each, "answers", ()) for each in game.log[last:]]
        assert getattr(game.log[last - 1], "right", None) is False
        assert not left or seat in {answer.seat for each in answers for answer in each}
