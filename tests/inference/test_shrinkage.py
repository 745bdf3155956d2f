"""Levels of several players: against all of them listed, and intervals that hold what they say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from clue_solver.inference.shrinkage import LEVELS, Floats, interval, posterior

POINTS = len(LEVELS) + 1
AT_RANDOM = np.append(LEVELS, 0.5)


def told(did: int, of: int) -> Floats:
    """The likelihood of doing something so often, one half at random."""
    likelihood: Floats = did * np.log(AT_RANDOM) + (of - did) * np.log1p(-AT_RANDOM)
    return likelihood


def test_players_are_told_by_all_ways_in_which_they_may_be_alike() -> None:
    likelihoods = [told(3, 4), told(9, 12), told(0, 5)]
    prior = np.append(np.full(len(LEVELS), 0.5 / len(LEVELS)), 0.5)
    likely = np.exp(likelihoods)
    expected = np.zeros((3, POINTS))
    for apart in product((False, True), repeat=3):
        usual = prior * np.prod(likely[[not each for each in apart]], axis=0)
        alone = (likely @ prior)[list(apart)]
        weight = usual.sum() * alone.prod()
        for player, own in enumerate(apart):
            found = prior * likely[player] if own else usual
            expected[player] += weight * found / found.sum()
    expected /= expected.sum(axis=1, keepdims=True)
    assert posterior(likelihoods) == pytest.approx(expected)
    assert posterior(likelihoods, random=False)[:, -1].tolist() == [0.0] * 3
    assert posterior([]).shape == (0, POINTS)


def test_an_interval_is_the_shortest_that_holds_enough() -> None:
    weights = LEVELS**8 * (1.0 - LEVELS) ** 2  # a beta distribution
    alone = np.append(weights / weights.sum(), 0.0)
    low, high = interval(alone, AT_RANDOM, missed=0.1)
    assert (low, high) == pytest.approx((0.5656, 0.9440), abs=2e-3)
    seldom = np.append(0.95 * alone[:-1], 0.05)
    assert interval(seldom, AT_RANDOM, missed=0.1) == (low, high)
    often = np.append(0.8 * alone[:-1], 0.2)
    assert interval(often, AT_RANDOM, missed=0.1)[0] == 0.5
    assert interval(often, np.append(LEVELS, 0.0), missed=0.1)[0] == 0.0
    flat = np.append(np.full(len(LEVELS), 1.0 / len(LEVELS)), 0.0)
    assert interval(flat, AT_RANDOM, missed=0.1) == pytest.approx((0.05, 0.95), abs=1e-3)


def test_what_is_at_random_is_seldom_told_as_a_habit() -> None:
    rng = np.random.default_rng(41)
    missed = 0.05 / 4
    false = 0
    for _ in range(400):
        likelihoods = [told(int(rng.binomial(cases, 0.5)), cases) for cases in (3, 8, 20, 60)]
        false += any(row[-1] < missed for row in posterior(likelihoods))
    assert false <= 0.05 * 400
