"""What each kind of player chooses, told again option by option: tastes, losses, swaps, answers to what was seen."""

from __future__ import annotations

import shutil
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.errors import CatalogueError
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, RandomRolls
from balance.games.edadh.cards.player_cards import Mix
from balance.games.edadh.cards.records import LEVELS, Troop
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.policies import adaptive
from balance.games.edadh.policies.adaptive import Adaptive, payoff
from balance.games.edadh.policies.players import PLAYERS, player
from balance.games.edadh.policies.policy import CardMix, Uniform, any_option
from balance.games.edadh.policies.preference import TastePolicy, best_of, worth
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.unit import (
    COMBINE_ALL,
    COMBINE_ONE,
    LOSSES,
    MOST_PLAYS,
    N_LOSSES,
    N_OTHERS,
    NO_COLUMN,
    PLAYS,
    plays_of,
)
from balance.games.edadh.rules.view import View

GAME = balance.load("edadh")
DATA = Path(__file__).parents[4] / "data" / "edadh"
TROOPS = GAME.catalogue.entries(Troop)
SIDES = ("archers+clanmaidens+shieldsmen/shieldmaidens:2/archers", "gunners+swords+spears/blunderbuss:3")
N = 90


def duel_of(*changes: str) -> Duel:
    duel: Duel = GAME.ask("duel", *SIDES, list(changes), policy_b="adaptive").setup.duel
    return duel


def tables(duel: Duel, seed: int = 4) -> State:
    """Return states with any arrangement and anything up, at any Period, with cards seen."""
    rng = np.random.default_rng(seed)
    state = start_state(duel_process(duel, literally(duel.arena)), N)
    for side, force in zip("ab", duel.arena.forces, strict=True):
        alive = np.flatnonzero(force.unit.n_cards > 0)
        state[f"{side}_unit"] = rng.choice(alive, N).astype(np.int16)
        up = force.unit.front_mask[state[f"{side}_unit"]] & rng.integers(1, 8, N)
        state[f"{side}_up"] = np.where(up > 0, up, force.unit.front_mask[state[f"{side}_unit"]]).astype(np.int16)
        state[f"{side}_mp"] = rng.integers(1, 40, N).astype(np.int16)
    state["period"] = rng.integers(1, 6, N).astype(np.int16)
    for value in range(1, 13):
        state[f"a_played_{value}"] = rng.integers(0, 5, N).astype(np.int16)
    return state


def troop_view(duel: Duel, me: int, state: State, role: Any = 1) -> tuple[View, Any]:
    """Return what a side sees that is to select a troop, and how many options it has."""
    rng = np.random.default_rng(8)
    side, foe = "ab"[me], "ba"[me]
    right = rng.integers(0, 3, N)
    place = (right * 8 + state[f"{side}_up"]) * 4 + NO_COLUMN
    foe_play = [next(c for c in range(3) if up & (1, 2, 4)[c]) for up in state[f"{foe}_up"].tolist()]
    seen = {
        "place": place, "right": right, "card": rng.integers(1, 13, N), "foe_card": rng.integers(1, 13, N),
        "role": np.full(N, role), "foe_play": np.array(foe_play),
    }  # fmt: skip
    return duel.view(me, state, duel.level(state)).with_facts(**seen), N_OTHERS[place] + 1


def level_at(duel: Duel, state: State, i: int) -> int:
    return int(duel.levels[min(int(state["period"][i]), len(duel.levels)) - 1])


def stats(troop: Troop, level: int) -> dict[str, int]:
    names = ("ml", "mp_bonus", "protection", "piercing", "att", "def", "od", "dd")
    values = {name: getattr(troop, f"{LEVELS[level]}_{name}") for name in names}
    return {name: -1 if value is None else value for name, value in values.items()}


def liking(duel: Duel, me: int, state: State, i: int, play: int, taste: str) -> float:
    """Return how much a taste likes a play: the first difference on the cards decides."""
    force, level = duel.arena.forces[me], level_at(duel, state, i)
    cards = force.unit.arrangements[int(state[f"{'ab'[me]}_unit"][i])]
    if play & 3 == 3 or not cards[play & 3]:
        return 0.0
    own = stats(force.troops[cards[play & 3][0]], level)
    helpers = [c for c in range(3) if play >> 2 & (1, 2, 4)[c]]
    att = own["att"] + sum(max(0, stats(force.troops[cards[c][0]], level)["att"]) for c in helpers)
    guard = own["ml"] * 10_000 + own["protection"] * 100 + own["def"]
    strike = att * 10_000 + own["piercing"] * 100 + own["od"]
    return float({"guard": guard, "strike": strike, "all": guard + strike}[taste])


@pytest.mark.parametrize(("taste", "me"), product(("guard", "strike"), (0, 1)))
def test_the_troop_a_taste_likes_best(taste: str, me: int) -> None:
    duel = duel_of("a.movement=standard")
    state = tables(duel)
    view, legal = troop_view(duel, me, state)
    for name in ("troop", "answer", "combine"):
        chosen = TastePolicy(taste=taste).choose(name, legal, view, FixedRolls({}))
        for i in range(N):
            place = int(view.facts["place"][i])
            plays = PLAYS[place * MOST_PLAYS : place * MOST_PLAYS + legal[i]].tolist()
            best = max(plays, key=lambda play: (liking(duel, me, state, i, play, taste), -play))
            assert plays[chosen[i]] == best


@pytest.mark.parametrize(("policy", "limit"), [(TastePolicy(), 0), (TastePolicy(retire_below=20), 20),
                                              (Adaptive(retire_below=15), 15), (Adaptive(), 0)])  # fmt: skip
def test_the_weakest_is_given_up(policy: Any, limit: int) -> None:
    """Where a card must go the weakest; where it may, only below the limit of MP."""
    duel = duel_of("a.movement=standard")
    state = tables(duel)
    force = duel.arena.forces[0]
    must = np.arange(N) % 3 == 0
    place = must * 8 + force.unit.fullest[state["a_unit"]]
    legal = N_LOSSES[place].astype(np.int64)
    rows = np.flatnonzero(np.arange(N) % 5 > 0)
    view = duel.view(0, state, duel.level(state)).only(rows).with_facts(place=place[rows])
    asked = np.ones(N, np.int64)
    asked[rows] = legal[rows]
    chosen = policy.choose("loss 2", asked, view, FixedRolls({}))
    for i in range(N):
        if i not in rows:
            assert chosen[i] == 0
            continue
        options = LOSSES[place[i] * 4 : place[i] * 4 + legal[i]].tolist()
        if not must[i] and state["a_mp"][i] >= limit:
            assert options[chosen[i]] == 3, "it stays"
            continue
        columns = [column for column in options if column != 3]
        assert options[chosen[i]] == min(columns, key=lambda c: (liking(duel, 0, state, i, c, "all"), c))


@pytest.mark.parametrize(("policy", "taste"), [
    (TastePolicy(taste="guard"), "guard"), (TastePolicy(taste="strike"), "strike"), (Adaptive(), "all"),
])  # fmt: skip
@pytest.mark.parametrize("column", range(3))
def test_the_card_that_is_swapped_to_the_front(policy: Any, taste: str, column: int) -> None:
    duel = duel_of("a.movement=standard")
    state = tables(duel)
    force = duel.arena.forces[0]
    place = state["a_unit"].astype(np.intp) * 4 + column
    choices, legal = force.unit.swaps.choices(place), force.unit.swaps.n[place]
    view = duel.view(0, state, duel.level(state)).with_facts(choices=choices)
    chosen = policy.choose(f"swap {column}", legal, view, FixedRolls({}))
    for i in range(N):
        likes = []
        for to in choices[i, : legal[i]].tolist():
            there = {**state, "a_unit": np.full(N, to)}
            likes.append(liking(duel, 0, there, i, column, taste))
        assert chosen[i] == int(np.argmax(likes)), "the first of equals, which is no change"


def test_the_best_of_equals_is_the_first_in_order() -> None:
    scores = [np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 2.0, 4.0, 5.0]), np.array([1.0, 9.0, 4.0, 5.0])]
    order = [np.array([7, 1, 1, 3]), np.array([5, 0, 2, 2]), np.array([6, 3, 1, 2])]
    assert best_of(scores, order, np.array([3, 2, 3, 3])).tolist() == [1, 1, 2, 1]
    assert best_of(scores, order, np.array([1, 3, 2, 0])).tolist() == [0, 2, 1, 0]


def test_what_a_taste_is() -> None:
    force = duel_of().arena.forces[0]
    guard, strike = worth(force, "guard"), worth(force, "strike")
    assert np.array_equal(worth(force, "all"), guard + strike)
    archers = force.fighter[0]
    assert (guard[2, archers], strike[2, archers]) == (2_00_04, 3_01_03), "ML 2, protection 0, def 4; att 3, 1, 3"


def earned(duel: Duel, me: int, level: int, cards: tuple[int, int], fighters: tuple[int, int], w: float) -> float:
    """Return damage dealt less taken, and w times the MP the opponent loses less those lost; own things first."""
    pair = cards if me == 0 else cards[::-1], fighters if me == 0 else fighters[::-1]
    turn = literally(duel.arena)(level, *pair)
    lost = [int(turn.cost[k]) - int(turn.bonus[k]) + int(turn.mp_loss[k]) for k in (0, 1)]
    return int(turn.damage[1 - me]) - int(turn.damage[me]) + w * (lost[1 - me] - lost[me])


def first_of(mask: int) -> int:
    return next((c for c in range(3) if mask & (1, 2, 4)[c]), NO_COLUMN)


def fighter_at(duel: Duel, me: int, state: State, i: int, play: int) -> int:
    return int(duel.arena.forces[me].fighter[int(state[f"{'ab'[me]}_unit"][i]) * 32 + play])


def card_drawn(weights: list[float], face: int) -> int:
    at, card = (face + 0.5) / 10_000 * sum(weights), 0
    while sum(weights[: card + 1]) < at:
        card += 1
    return card


@pytest.mark.parametrize("policy", [Adaptive(), Adaptive(1, 2.0, 1.5), Adaptive(temperature=0.002)])
def test_a_card_is_a_smoothed_answer_to_those_seen(policy: Adaptive) -> None:
    """Told for the last face of a card and the first of the next one."""
    duel = duel_of("a.movement=standard")
    state = tables(duel)
    state["a_up"][:3] = 0
    view = duel.view(1, state, duel.level(state))
    rows, faces, told = range(0, N, 4), np.zeros(N, np.int64), {}
    for i in rows:
        counts = [int(state[f"a_played_{value}"][i]) + policy.prior for value in range(1, 13)]
        level = level_at(duel, state, i)
        own = fighter_at(duel, 1, state, i, first_of(int(state["b_up"][i])))
        foe = fighter_at(duel, 0, state, i, first_of(int(state["a_up"][i])))
        worths = [
            sum(
                count / sum(counts) * earned(duel, 1, level, (mine, theirs), (own, foe), policy.mp_weight)
                for theirs, count in enumerate(counts, 1)
            )
            for mine in range(1, 13)
        ]
        weights = [exp((each - max(worths)) / policy.temperature) for each in worths]
        low, high = 0, 9_999
        if card_drawn(weights, low) < card_drawn(weights, high):
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if card_drawn(weights, middle) == card_drawn(weights, 0) else (low, middle)
        faces[i] = low if i % 8 else high
        told[i] = card_drawn(weights, int(faces[i]))
    dice = ProxyRolls(RandomRolls(1, "none", 0, N), lambda rolls, request: faces)
    chosen = policy.choose("card", np.array([12]), view, dice)
    assert {i: chosen[i] for i in rows} == told
    assert adaptive.FACES == 10_000


@pytest.mark.parametrize("me", [0, 1])
def test_a_troop_that_fares_best(me: int) -> None:
    """As Attacker in the worst case; as Defender, or who combines late, against the troop that was selected."""
    duel = duel_of("a.movement=standard")
    state = tables(duel)
    view, legal = troop_view(duel, me, state)
    policy, foe = Adaptive(), "ba"[me]
    first, answer, late = (policy.choose(name, legal, view, FixedRolls({})) for name in ("troop", "answer", "combine"))
    assert np.array_equal(answer, late)
    for i in range(0, N, 2):
        place, level = int(view.facts["place"][i]), level_at(duel, state, i)
        plays = PLAYS[place * MOST_PLAYS : place * MOST_PLAYS + legal[i]].tolist()
        cards = int(view.facts["card"][i]), int(view.facts["foe_card"][i])

        def fares(play: int, other: int, i: int = i, level: int = level, cards: tuple[int, int] = cards) -> float:
            fighters = fighter_at(duel, me, state, i, play), fighter_at(duel, 1 - me, state, i, other)
            return earned(duel, me, level, cards, fighters, 0.3)

        up = [c for c in range(3) if int(state[f"{foe}_up"][i]) & (1, 2, 4)[c]]
        worst = {play: min(fares(play, c) for c in up) for play in plays}
        assert plays[first[i]] == min(plays, key=lambda play: (-worst[play], play))
        known = {play: fares(play, int(view.facts["foe_play"][i])) for play in plays}
        assert plays[answer[i]] == min(plays, key=lambda play: (-known[play], play))


def test_what_turns_are_worth_to_either_side() -> None:
    duel = duel_of()
    values = np.arange(1, 13)
    for me in (0, 1):
        found = payoff(duel.arena, me, 2, (values[:, None], values[None, :]), (1, 2), 0.7)
        told = [[earned(duel, me, 2, (a, b), (1, 2), 0.7) for b in range(1, 13)] for a in range(1, 13)]
        assert found == pytest.approx(np.array(told))


@pytest.mark.parametrize("policy", [Uniform(), TastePolicy(), Adaptive()])
def test_what_a_player_has_no_taste_for_is_any_option(policy: Any) -> None:
    duel = duel_of()
    view = duel.view(0, tables(duel), 2)
    flags = np.tile([True, False, True, True], (N, 1))
    names: tuple[str, ...] = ("second", "bonus", "answer bonus", "standard", "resolve", "remove ambush", "stratagems")
    if isinstance(policy, Uniform):
        names = (*names, "troop", "answer", "combine", "swap 1")
    for name in names:
        for legal in (np.full(N, 3), flags):
            chosen, told = (
                make(RandomRolls(3, "any", 0, N))
                for make in (
                    lambda rolls, legal=legal, name=name: policy.choose(name, legal, view, rolls),
                    lambda rolls, legal=legal, name=name: any_option(name, legal, rolls),
                )
            )
            assert np.array_equal(chosen, told)
            assert set(chosen.tolist()) == ({0, 1, 2} if legal.ndim == 1 else {0, 2, 3})


def test_whoever_never_retires_loses_only_what_must_go() -> None:
    duel = duel_of()
    rows = np.arange(0, N, 2)
    place = np.where(np.arange(len(rows)) % 2 == 0, 7, 8 + 7)
    legal = np.ones(N, np.int64)
    legal[rows] = N_LOSSES[place]
    view = duel.view(0, tables(duel), 2).only(rows).with_facts(place=place)
    free = Uniform().choose("loss 1", legal, view, RandomRolls(1, "loss", 0, N))
    kept = Uniform(retires=False).choose("loss 1", legal, view, RandomRolls(1, "loss", 0, N))
    assert free[rows[0::2]].any()
    assert not kept[rows[0::2]].any(), "it need not"
    assert np.array_equal(kept[rows[1::2]], free[rows[1::2]])


def test_mixes_draw_their_cards() -> None:
    mix = CardMix((0, 2, 1) + (0,) * 9)
    assert [int(mix.option(FixedRolls({"card": [face]}))[0]) for face in range(3)] == [1, 1, 2]
    assert CardMix().weights == (1,) * 12
    assert repr(mix) == "CardMix(weights=(0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0))", "as it is told, not as it is drawn"
    assert [int(CardMix().option(FixedRolls({"card": [face]}))[0]) for face in (0, 11)] == [0, 11]
    shifted = CardMix((2, 0) + (1,) * 10)
    assert [int(shifted.option(FixedRolls({"card": [face]}))[0]) for face in (0, 1, 2, 11)] == [0, 0, 2, 11], (
        "though it has as many as there are cards"
    )
    with pytest.raises(balance.base.errors.RollsError):
        mix.option(FixedRolls({"card": [3]}))


def test_every_player_put_together() -> None:
    mixes = {name: CardMix(mix.weights) for name, mix in GAME.catalogue.entries(Mix).items()}
    assert mixes["guarded"].weights == (2, 2, 4, 4, 4, 3, 2, 1, 1, 1, 0, 0)
    told = {
        "random": Uniform(mixes["even"]),
        "random-noretire": Uniform(mixes["even"], retires=False),
        "low": Uniform(mixes["low"]),
        "high": Uniform(mixes["high"]),
        "mix": Uniform(mixes["even"]),
        "cautious": TastePolicy(mixes["guarded"], "guard", 10),
        "aggressive": TastePolicy(mixes["bold"], "strike", 0),
        "adaptive": Adaptive(prior=2, temperature=0.5, mp_weight=0.3, retire_below=10),
    }
    assert {name: player(GAME.catalogue, name) for name in PLAYERS} == told
    assert list(told) == list(PLAYERS)
    assert player(GAME.catalogue, "mix", "bold") == Uniform(mixes["bold"])
    assert (Adaptive().prior, Adaptive().temperature, Adaptive().mp_weight, Adaptive().retire_below) == (2, 0.5, 0.3, 0)
    assert Adaptive.counts_cards
    assert (TastePolicy().taste, TastePolicy().retire_below, Uniform().retires) == ("guard", 0, True)


def test_who_retires_below_no_limit_never_does(tmp_path: Path) -> None:
    folder = tmp_path / "edadh"
    shutil.copytree(DATA, folder)
    table = folder / "players.csv"
    table.write_text(table.read_text("utf-8").replace("weakest,below,10", "weakest,below,"), "utf-8")
    catalogue = balance.load("edadh", folder).catalogue
    assert player(catalogue, "adaptive") == Adaptive(retire_below=0)
    assert player(catalogue, "aggressive") == player(GAME.catalogue, "aggressive")


@pytest.mark.parametrize(("name", "mix"), [("low", "bold"), ("adaptive", "even")])
def test_a_mix_for_somebody_else(name: str, mix: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        player(GAME.catalogue, name, mix, "§set a")
    assert str(caught.value) == (
        f"set a, mix: '{mix}' is only for the player mix; choose the player mix, or leave the mix out"
    )


def test_rights_and_plays_agree() -> None:
    assert [len(plays_of(7, right)) for right in (0, COMBINE_ONE, COMBINE_ALL)] == [3, 9, 6]
