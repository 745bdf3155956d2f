"""The PettingZoo environment keeps that library's contract and the arena's rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clue_solver.errors import ArgumentError

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test

from clue_solver.arena.environment import KINDS, ClueEnvironment
from tests.arena.arena_games import illegal


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
        kinds = {env.meaning(int(each))[0] for each in allowed}
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
        if env.meaning(int(number)) == ("accuse", solution)
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
    asked = {env.meaning(int(each))[0] for each in allowed} - {"nothing"}
    assert asked == {each for each, on in zip(KINDS, vector[kind : kind + 4], strict=True) if on}
    assert env.numbers == {"nothing": 1, "ask": 36 + 3 + 18 + 1 + 36, "show": 12, "accuse": 36}
    assert env.action_space(agent).n == sum(env.numbers.values())
