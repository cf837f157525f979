"""Attacks that are drawn in two parts have the distributions of single attacks whose dice are all rolled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from balance.base.arrays import BoolArray, IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import Process, State, n_trials, start_state
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.game.kit.board.battle import copy_state
from balance.games.immortal_souls.encounter.attacks.blows import AttackPlan, circumstances_of, resolve_blow, roll_blow
from balance.games.immortal_souls.encounter.party.arms import Arms
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.rules.attack import attack_steps, start_of
from balance.games.immortal_souls.rules.meeting import marks_after
from balance.games.immortal_souls.rules.strike import Attack
from tests.games.immortal_souls.encounter.comparing import SOULS, TABLES

PARTY = "ecarus_black_rose,auriel_enchantress,laegon_archer"
LEFT = ("wounds", "ko", "slow", "blind", "poison", "weakened", "fire1")


def never(state: State) -> BoolArray:
    return np.zeros(n_trials(state), bool)


def single(attack: Attack, met: Mapping[str, int]) -> Pmf:
    """Return what one attack does, every die rolled."""

    def outcome(state: State, steps: IntArray) -> State:
        after = {**marks_after(attack, state), "wounds": state["wounds"]}
        zero = np.zeros(n_trials(state), np.int16)
        return {name: np.asarray(after.get(name, zero)) for name in LEFT}

    steps = attack_steps(attack)
    return exact_distribution(Process({**start_of(attack), **met}, steps, never, outcome, len(steps)))


def drawn(scene: Scene, arms: Arms, strike: int, foe: int, met: Mapping[str, int], side: str, damage: int) -> Pmf:
    """Return what the same attack does in an encounter: the roll and the defence drawn."""
    setup = start_state(Process(lambda rolls, n: _placed(scene, rolls, n, side, foe, met), (), never, _same, 0), 1,
                        RandomRolls(0, "start", 0, 1))  # fmt: skip

    place, number = (0, scene.kind_of[foe]) if side == "e" else (foe, foe)

    def made(state: State, rolls: Rolls) -> State:
        after, rows = copy_state(state), np.arange(n_trials(state))
        bonus = np.full(len(rows), met["bonus"])
        found = circumstances_of(scene, after, side, rows, place, "h" if side == "e" else "e", 0, bonus)
        plan = AttackPlan(rows, np.full(len(rows), strike), bonus, np.full(len(rows), damage))
        blow = roll_blow(scene, arms, plan, np.full(len(rows), number), found, rolls, "made")
        return {**after, "lost": resolve_blow(scene, arms, after, side, place, blow, rolls, "made").astype(np.int16)}

    def outcome(state: State, steps: IntArray) -> State:
        zero = np.zeros(n_trials(state), np.int16)
        told = {name: state[f"{side}_{name}"][:, place] if f"{side}_{name}" in state else zero for name in LEFT[1:]}
        return {"wounds": state["lost"], **told}

    start = {name: values[0] for name, values in setup.items()} | {"lost": 0}
    return exact_distribution(Process(start, (made,), never, outcome, 1))


def _same(state: State, steps: IntArray) -> State:
    return state


def _placed(scene: Scene, rolls: Rolls, n: int, side: str, foe: int, met: Mapping[str, int]) -> State:
    """Return a hero or an enemy with what it brings, healthy enough for any attack."""
    state: State = {}
    for one in ("h", "e"):
        wide = (n, 1 if one == "e" else scene.n_heroes)
        state |= {f"{one}_{name}": np.zeros(wide, np.int16) for name in (*scene.marks[one], "shields")}
        state[f"{one}_health"] = np.full(wide, 999, np.int16)
    state |= {"e_card": np.full((n, 1), foe if side == "e" else 0, np.int16), "e_powers": np.zeros((n, 1), np.int32)}
    brought = {f"{side}_{name}": value for name, value in met.items() if f"{side}_{name}" in state}  # health too
    return state | {name: np.full_like(state[name], value) for name, value in brought.items()}


def pairs(scene: Scene) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Yield every attack of heroes on every kind, in some circumstances."""
    circumstances = [{"bonus": 0, "shields": 0}, {"bonus": 2, "shields": 1, "ko": 1}, {"bonus": 1, "weakened": 1}]
    for strike in range(len(scene.hero_arms.strikes)):
        for foe in range(len(scene.bestiary.names)):
            yield strike, foe, {"shields": 0, **circumstances[(strike + foe) % 3]}


@pytest.mark.parametrize("encounter", ["crypt_of_bones", "captain"])
def test_an_attack_of_a_hero_is_that_of_a_single_attack(encounter: str) -> None:
    asked = SOULS.ask("encounter", PARTY, encounter)
    scene: Scene = asked.setup.play
    kinds = [scene.bestiary.names[kind] for kind in range(len(scene.bestiary.names))]
    ids = {enemy.name: enemy.id for enemy in TABLES["enemies"].values()}
    heroes = dict(zip(scene.party.weapon.tolist(), PARTY.split(","), strict=True))
    compared = 0
    for strike, foe, met in pairs(scene):
        if strike not in heroes:
            continue
        attack: Attack = SOULS.ask("attack", heroes[strike], ids[kinds[foe]]).setup.play
        own = {
            name: value for name, value in met.items() if f"e_{name}" in _columns(scene) or name in ("bonus", "shields")
        }
        card = scene.kind_of.tolist().index(foe)
        one, other = (
            single(attack, own),
            drawn(scene, scene.hero_arms, strike, card, own, "e", int(scene.party.damage_type[strike])),
        )
        assert_same(one, other)
        compared += 1
    assert compared == 3 * len(kinds)


def test_an_attack_of_an_enemy_is_that_of_a_single_attack() -> None:
    scene: Scene = SOULS.ask("encounter", PARTY, "captain").setup.play
    ids = {enemy.name: enemy.id for enemy in TABLES["enemies"].values()}
    for kind, name in enumerate(scene.bestiary.names):
        for hand, which in enumerate(("main", "off")):
            for foe, hero in enumerate(PARTY.split(",")):
                attack: Attack = SOULS.ask("attack", ids[name], hero, {"attacker.hand": which}).setup.play
                met = {"bonus": (kind + foe) % 2, "shields": foe % 2}
                strike = int(scene.bestiary.strike[kind, hand, 0])
                damage = int(scene.bestiary.damage_type[kind, hand])
                assert_same(single(attack, met), drawn(scene, scene.enemy_arms, strike, foe, met, "h", damage))


def _columns(scene: Scene) -> list[str]:
    return [f"e_{name}" for name in scene.marks["e"]]


def assert_same(one: Pmf, other: Pmf) -> None:
    """Fail unless two distributions agree, up to the rounding of floating point weights."""
    assert np.array_equal(one.outcomes, other.outcomes)
    assert np.allclose(np.asarray(one.p, float), np.asarray(other.p, float), atol=1e-12)


@pytest.mark.rule("IS-AOE.1", "IS-AOE.2")
def test_who_buys_an_area_effect_reckons_with_others_there() -> None:
    scene: Scene = SOULS.ask("encounter", "ecarus,shae", "captain").setup.play
    fan = scene.strike_names.index("Knife Fan I")
    names = scene.hero_arms.names
    worth = [
        float(scene.hero_arms.expected(np.array([fan]), np.array([1]),
                                       {name: np.array([others if name == "others" else 0]) for name in names})[0])
        for others in (0, 1, 2, 5)
    ]  # fmt: skip
    assert worth[0] < worth[1] < worth[2] == worth[3]
    pairs = [SOULS.ask("attack", "shae+knife_fan_1", ",".join(["green_bandit"] * n)).distribution for n in (1, 2, 3)]
    told = [one.mean("wounds") + one.mean("others_wounds") for one in pairs]
    assert np.allclose(worth[:3], told, atol=1e-9)


@pytest.mark.parametrize("health", [1, 2, 3, 5])
def test_who_spends_for_a_kill_kills_as_often_as_can_be(health: int) -> None:
    scene: Scene = SOULS.ask(
        "encounter", "ecarus_black_rose,shae_assassin", "captain", policy="spend_for_kill"
    ).setup.play
    for strike, hero in zip(scene.party.weapon.tolist(), ("ecarus_black_rose", "shae_assassin"), strict=True):
        sets = {"defender.health": str(health), "attacker.bonus_hits": "1"}
        asked = SOULS.ask("attack", hero, "green_bandit", sets, attacker_spending="most_kills")
        best = asked.distribution.fraction(lambda wounds: wounds >= health)
        met, damage = {"bonus": 1, "shields": 0, "health": health}, int(scene.party.damage_type[strike])
        card = scene.kind_of.tolist().index(scene.bestiary.names.index("Green Bandit"))
        found = drawn(scene, scene.hero_arms, strike, card, met, "e", damage)
        assert sum(p for row, p in zip(found.outcomes, found.p, strict=True) if row[0] == health) == pytest.approx(
            float(best)
        )
