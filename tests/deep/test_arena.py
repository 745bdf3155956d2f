"""Games of the arena in every edition, and in machine code; its environment for PettingZoo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import load_edition, shipped_editions
from clue_solver.answers.turns import odd_turns
from clue_solver.errors import ArgumentError
from clue_solver.rules.observations import Skip, Suggestion
from tests.arena.arena_games import faults, illegal, played
from tests.arena.test_referee import tournament

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test

from clue_solver.arena.environment import KINDS, ClueEnvironment

ROLLING = {"rolls", "draws", "moves", "stays"}
"""The verbs of dice and board, which a record may leave out."""


def tables() -> Iterator[tuple[str, int, bool]]:
    """Every shipped edition and number of seats; without its board where that is another game."""
    for name in shipped_editions():
        edition = load_edition(name)
        least, most = edition.players
        for seats in sorted({least, 3, min(most, 6)}):
            yield name, seats, True
        if edition.board is not None:
            yield name, least, False


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(("edition", "seats", "board"), [*tables()])
def test_every_action_is_legal_and_nothing_false_is_ever_certain(
    edition: str, seats: int, board: bool
) -> None:
    assert faults(tournament(edition, seats, board), 1) == []


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(("edition", "seats", "board"), [*tables()])
def test_no_turn_is_odd_in_a_game_that_was_told_whole(
    edition: str, seats: int, board: bool
) -> None:
    record = played(tournament(edition, seats, board), 1).record
    table, log = record.table, record.observations
    assert odd_turns(table, log) == ()
    bare = [told for told in log if not told.turn or told.form.verb not in ROLLING]
    assert odd_turns(table, bare) == ()
    for seat in table.seats:
        own = [told for told in bare if told.turn and told.actor == seat]
        if sum(isinstance(told, Suggestion | Skip) for told in own) > 2:
            assert odd_turns(table, own) is None


@pytest.mark.parametrize(
    ("edition", "seats", "board"),
    [("clue-classic", 4, False), ("clue-2015", 2, True), ("clue-diced", 3, True)],
)
def test_machine_code_plays_the_same_games(edition: str, seats: int, board: bool) -> None:
    pytest.importorskip("numba")
    fast = tournament(edition, seats, board)
    with_it, without = (played(each, 1) for each in (fast, replace(fast, compiled=False)))
    assert with_it.log == without.log


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("edition", "seats", "board"),
    [("clue-classic", 3, True), ("clue-2015", 2, False), ("clue-diced", 3, True)],
)
def test_it_passes_the_librarys_own_test(edition: str, seats: int, board: bool) -> None:
    api_test(ClueEnvironment(edition, seats=seats, board=board), num_cycles=40)


def acted(env: ClueEnvironment, seed: int, most: int) -> list[tuple[str, int]]:
    """Act by lot, accusing seldom; return what was done."""
    rng, done = np.random.default_rng(seed), []
    env.reset(seed=seed)
    for agent in env.agent_iter(most):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        allowed = np.flatnonzero(seen["action_mask"])
        kinds = {env.actions[each][0] for each in allowed}
        action = 0 if "accuse" in kinds and rng.random() < 0.95 else int(rng.choice(allowed))
        done.append((agent, action))
        env.step(action)
    return done


@pytest.mark.parametrize(("edition", "seats"), [("clue-classic", 3), ("clue-2015", 2)])
def test_what_the_mask_allows_is_legal_and_the_same_seed_the_same_game(
    edition: str, seats: int
) -> None:
    env = ClueEnvironment(edition, seats=seats, most_turns=30)
    done = acted(env, 5, 400)
    assert len(done) > 30
    assert done == acted(env, 5, 400)
    assert illegal(env.referee) == []


def test_whoever_is_right_gets_the_reward_and_what_is_not_allowed_is_refused() -> None:
    env = ClueEnvironment("clue-classic", seats=2, board=False)
    env.reset(seed=2)
    solution, agent = env.referee.solution, env.agent_selection
    seen: dict[str, Any] = env.observe(agent)
    other = next(each for each in env.agents if each != agent)
    assert env.observe(other)["action_mask"].sum() == 0
    with pytest.raises(ArgumentError, match="may not do"):
        env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    winning = next(
        number
        for number in np.flatnonzero(seen["action_mask"])
        if env.actions[number] == ("accuse", solution)
    )
    env.step(int(winning))
    assert env.rewards == {agent: 1.0, other: -1.0}
    assert all(env.terminations.values())


def test_an_observation_is_what_the_documentation_says() -> None:
    env = ClueEnvironment("clue-diced", seats=3)
    env.reset(seed=1)
    agent = env.agent_selection
    view = env.referee.views[agent]
    vector = env.observe(agent)["observation"]
    cards, holders = len(view.cards), 4
    assert np.allclose(view.sheet.marginals.ravel(), vector[: cards * holders])
    own = vector[cards * holders : cards * holders + 3]
    assert [float(seat == agent) for seat in env.possible_agents] == own.tolist()
    kind = cards * holders + 2 * 3 + 3 * (len(env.edition.rooms) + 1)
    allowed = np.flatnonzero(env.observe(agent)["action_mask"])
    asked = {env.actions[each][0] for each in allowed} - {"nothing"}
    assert asked == {each for each, on in zip(KINDS, vector[kind : kind + 4], strict=True) if on}
    kinds = Counter(kind for kind, _ in env.actions)
    assert kinds == {"nothing": 1, "ask": 36 + 3 + 18 + 1 + 36, "show": 12, "accuse": 36}
    assert env.action_space(agent).n == kinds.total()
