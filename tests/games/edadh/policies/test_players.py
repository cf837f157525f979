"""The policies: published figures, what each is for, and that nobody sees what is hidden."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls, bound
from balance.game.question.question import Sample
from balance.games.edadh.duel.conflict import give_orders
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.policies.players import PLAYERS, player
from balance.games.edadh.policies.policy import CardMix
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.unit import COMBINE_ONE, MOST_PLAYS, N_OTHERS, NO_COLUMN, PLAYS, plays_of
from tests.games.edadh.at_random import AT_RANDOM

GAME = balance.load("edadh")
LEARNING = ("angueth_learning", "huaos_dzaa_learning")
LEVELS_OF_ERROR = 5.0
"""Standard errors allowed between two samples: one false alarm in some two million checks."""


def duel(policy_a: str, policy_b: str, trials: int = 50_000, changes: Any = None) -> Sample:
    asked = GAME.ask("duel", *LEARNING, changes, policy_a=policy_a, policy_b=policy_b)
    return asked.simulate(trials, seed=0, lane="compiled")


@pytest.mark.parametrize(
    ("policy", "a", "b", "draw", "periods"),
    [("random", 0.453, 0.449, 0.098, 3.83), ("random-noretire", 0.475, 0.482, 0.043, 4.21)],
)
def test_published_figures(policy: str, a: float, b: float, draw: float, periods: float) -> None:
    """Both figures come from 50,000 duels; they differ by less than five standard errors of the difference."""
    sample = duel(policy, policy)
    for name, told in {"a": a, "b": b, "draw": draw}.items():
        error = (2 * told * (1 - told) / 50_000) ** 0.5
        assert sample.p_win()[name] == pytest.approx(told, abs=LEVELS_OF_ERROR * error + 0.0005)
    spread = (2 * sample.distribution.variance("periods") / 50_000) ** 0.5
    assert sample.distribution.mean("periods") == pytest.approx(periods, abs=LEVELS_OF_ERROR * spread + 0.005)


def test_both_sides_of_random_are_the_same_player() -> None:
    """Mirrored armies: each side wins as often as the other; a stronger side does not."""
    even = GAME.ask("duel", LEARNING[0], LEARNING[0], **AT_RANDOM).simulate(50_000, seed=1, lane="compiled").p_win()
    assert abs(even["a"] - even["b"]) < 0.02
    stronger = {"a.shieldsmen.melee.att": 9}
    uneven = (
        GAME.ask("duel", LEARNING[0], LEARNING[0], stronger, **AT_RANDOM)
        .simulate(50_000, seed=1, lane="compiled")
        .p_win()
    )
    assert uneven["a"] - uneven["b"] > 0.05


def test_low_cards_beat_random_ones() -> None:
    assert duel("low", "random", 20_000).p_win()["a"] > 0.8
    assert duel("random", "low", 20_000).p_win()["b"] > 0.5


def test_the_adaptive_player_exploits_a_pattern() -> None:
    for pattern in ("high", "aggressive"):
        learns, plain = (duel(policy, pattern, 4_000).p_win()["a"] for policy in ("adaptive", "random"))
        assert learns > plain + 0.2


def test_every_player_has_a_row() -> None:
    assert tuple(GAME.catalogue.tables["players"]) == tuple(name.replace("-", "_") for name in PLAYERS)


def test_a_mix_by_name() -> None:
    assert player(GAME.catalogue, "mix", "bold") == player(GAME.catalogue, "mix", "bold")
    with pytest.raises(balance.base.errors.CatalogueError, match=r"did you mean bold"):
        player(GAME.catalogue, "mix", "bald")
    with pytest.raises(balance.base.errors.CatalogueError, match="only for the player mix"):
        player(GAME.catalogue, "low", "bold")


def test_a_mix_draws_cards_by_weight() -> None:
    mix = CardMix((0, 1, 0, 3) + (0,) * 8)
    assert [int(mix.option(FixedRolls({"card": [number]}))[0]) for number in range(4)] == [1, 3, 3, 3]


def test_options_are_the_legal_plays() -> None:
    for right, mask in product(range(3), range(1, 8)):
        place = (right * 8 + mask) * 4 + NO_COLUMN
        plays = PLAYS[place * MOST_PLAYS : (place + 1) * MOST_PLAYS].tolist()
        n = len(plays_of(mask, right))
        assert plays[:n] == plays_of(mask, right)
        assert N_OTHERS[place] == n - 1


def state_of(duel: Duel, n: int) -> State:
    return start_state(duel_process(duel, literally(duel.arena)), n)


def asked_of(duel: Duel, me: int, n: int = 1) -> Rolls:
    return bound(RandomRolls(3, "hidden", 0, n), dict(zip("ab", duel.policies, strict=True)))


@pytest.mark.rule("WE-INIT.1", "WE-TROOP.1")
@pytest.mark.parametrize("name", PLAYERS)
def test_nobody_sees_the_other_sides_card(name: str) -> None:
    """With another opponent, who plays otherwise, a side plays the same cards on the same dice."""
    cards = []
    for other in ("low", "adaptive", "high"):
        duel = GAME.ask("duel", *LEARNING, policy_a=name, policy_b=other).setup.duel
        cards.append(give_orders(duel, state_of(duel, 50), asked_of(duel, 0, 50)).cards[0].tolist())
    assert cards[0] == cards[1] == cards[2]


def test_what_is_hidden_cannot_be_asked_for() -> None:
    duel = GAME.ask("duel", *LEARNING, policy_b="adaptive").setup.duel
    view = duel.view(0, state_of(duel, 1), 2)
    assert view.foe_column("mp").tolist() == [50]
    for hidden in ("relief", "lost"):
        with pytest.raises(KeyError, match="cannot be seen"):
            view.foe_column(hidden)


@pytest.mark.rule("WE-FEW.2", "WE-FEW.3")
@pytest.mark.parametrize("name", PLAYERS)
def test_everybody_plays_what_is_legal(name: str) -> None:
    """Over all rights and masks, as Attacker and as Defender: the option is among those there are."""
    duel = GAME.ask("duel", *LEARNING, policy_a=name).setup.duel
    rights, masks = (part.ravel() for part in np.meshgrid(np.arange(3), np.arange(1, 8)))
    n, place = len(rights), (rights * 8 + masks) * 4 + NO_COLUMN
    view = duel.view(0, state_of(duel, n), 2).with_facts(
        place=place,
        role=np.ones(n, np.int8),
        card=np.full(n, 5),
        foe_card=np.full(n, 4),
        foe_play=np.full(n, NO_COLUMN),
    )
    for asked in ("troop", "answer"):
        chosen = asked_of(duel, 0, n).choose("a", asked, N_OTHERS[place] + 1, view)
        assert (chosen <= N_OTHERS[place]).all()
    assert COMBINE_ONE in rights


def test_retiring_below_a_limit() -> None:
    duel = GAME.ask("duel", *LEARNING, policy_a="cautious").setup.duel
    state = {**state_of(duel, 3), "a_mp": np.array([9, 10, 29], np.int16)}
    view = duel.view(0, state, 2).only(np.arange(3)).with_facts(place=np.full(3, 7))
    assert asked_of(duel, 0, 3).choose("a", "loss 1", np.full(3, 4), view).tolist() == [1, 0, 0]
