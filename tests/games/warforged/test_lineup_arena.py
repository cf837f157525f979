"""The arena: armies that differ by trial fight as they would alone, whoever else fights beside them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.pmf.agreement import agreement_of, same_distribution_test
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.tally import count_rows
from balance.game.armies.armies import Arena
from balance.game.game import Lane
from balance.games.warforged import GAME as WARFORGED
from balance.games.warforged.lineup.blasts import blasts_reaching
from balance.games.warforged.lineup.play import Batch
from balance.games.warforged.lineup.tables import tables_of

GAME = balance.load("warforged")
MEMBERS = ("nexus+assault_rifle", "aegis+laser_carbine", "detonator+emp_projector", "colossus+rocket_battery")


def arena(changes: dict[str, Any] | None = None, members: tuple[str, ...] = MEMBERS, **choices: str) -> Arena:
    return GAME.arena("lineup", members, changes, **choices)


def played(where: Arena, a: Any, b: Any, limits: Any = None, seed: int = 1) -> dict[str, Any]:
    process = where.process(np.array(a, np.int16), np.array(b, np.int16), limits)
    return simulate(process, RandomRolls(seed, "arena", 0, len(a)), in_order=True)


@pytest.mark.parametrize(
    "changes",
    [{}, {"situation.actions": "per_unit"}, {"situation.neighbours": 1, "rules.slim_vs_splash": True}],
    ids=["pool", "per_unit", "blasts"],
)
def test_each_trial_is_the_line_up_of_its_own_armies(changes: dict[str, Any]) -> None:
    n, where = 3000, arena(changes)
    meetings = [([0, -1], [1, 2]), ([2, 1], [0, -1]), ([3, -1], [2, 0])]
    rows = [(a, b) for a, b in meetings for _ in range(n)]
    found = played(where, [a for a, _ in rows], [b for _, b in rows])
    for place, (a, b) in enumerate(meetings):
        one, other = (",".join(MEMBERS[member] for member in army if member >= 0) for army in (a, b))
        alone = GAME.ask("lineup", one, other, changes, "a")
        here = count_rows({name: values[place * n : (place + 1) * n] for name, values in found.items()})
        assert agreement_of(alone.distribution, here).p_value > 1e-3, (one, other)


def test_dice_of_blasts_are_drawn_only_for_waves_in_which_something_explodes() -> None:
    """Six detonators may explode in six waves: all of these are rolled after every attack where dice are listed."""
    asked = Counter[str]()

    class Noting(RandomRolls):
        def answer(self, request: Request[Any]) -> Any:
            asked[request.name] += 1
            return super().answer(request)

    where = arena({"rules.slim_vs_splash": True}, ("detonator+sidearm", "spectre+sidearm"))
    army = np.array([[0, 0, 0, 1]] * 50, np.int16)
    simulate(where.process(army, army), Noting(1, "arena", 0, 50))
    assert 0 < asked["a blast slim"] < asked["a attack"]


def test_in_order_or_beside_others_a_trial_is_its_own_row() -> None:
    where = arena()
    a, b = [[0, 1], [3, -1]] * 500, [[2, -1], [0, 0]] * 500
    found = played(where, a, b)
    assert set(found["a_units"][1::2].tolist()) <= {0, 1}
    assert set(found["b_units"][::2].tolist()) <= {0, 1}
    assert found["a_units"][::2].max() == 2
    health = [GAME.catalogue.find("units", one.split("+")[0]).model_dump()["health"] for one in MEMBERS]
    assert found["a_health"][1::2].max() <= health[3] < found["a_health"][::2].max() + health[3]


def test_the_unit_limit_may_differ_by_trial() -> None:
    n = 4000
    a, b = [[0, 2]] * (2 * n), [[1, -1]] * (2 * n)
    found = played(arena(), a, b, np.repeat([1, 3], n).astype(np.int16))
    for part, limit in ((slice(n), 1), (slice(n, None), 3)):
        alone = GAME.ask("lineup", f"{MEMBERS[0]},{MEMBERS[2]}", MEMBERS[1], {"situation.unit_limit": limit}, "a")
        here = count_rows({name: values[part] for name, values in found.items()})
        assert agreement_of(alone.distribution, here).p_value > 1e-3, limit


def test_without_a_limit_the_larger_army_of_each_trial_sets_it() -> None:
    n = 4000
    a, b = [[0, -1]] * n + [[0, 0]] * n, [[1, -1]] * (2 * n)
    found = played(arena(), a, b)
    for part, army in ((slice(n), MEMBERS[0]), (slice(n, None), f"{MEMBERS[0]}:2")):
        alone = GAME.ask("lineup", army, MEMBERS[1], first="a")
        here = count_rows({name: values[part] for name, values in found.items()})
        assert agreement_of(alone.distribution, here).p_value > 1e-3, army


def winners(where: Arena, a: Any, b: Any) -> Pmf:
    return count_rows({"winner": played(where, a, b)["winner"]})


def test_sixty_four_units_may_stand_on_a_side_and_arms_may_be_many() -> None:
    ids = GAME.entrants
    where = arena(members=tuple(ids))
    cheap = [[ids.index("whisper+sidearm")] * 64] * 20
    dear = [[ids.index("bulwark+rail_lance")] * 2 + [-1] * 62] * 20
    found = played(where, cheap, dear)
    assert found["winner"].tolist() == [1] * 20
    assert set(found["rounds"].tolist()) == {1}


def test_many_kinds_of_arms_fight_as_few_do() -> None:
    few, n = arena(), 6000
    guns = tuple(f"nexus+{one}" for one in GAME.catalogue.tables["weapons"] if one not in {"rotary_cannon"})
    legal = tuple(one for one in guns if one in GAME.entrants)
    twos = tuple(f"bulwark+{one}+sidearm" for one in ("shotgun", "smg_pistol", "assault_rifle", "laser_carbine"))
    many = arena(members=(*MEMBERS, *legal, *twos, "sentinel+rail_lance", "whisper+emp_projector"))
    rows = [[0, 1, 2]] * n, [[3, 0, -1]] * n
    assert same_distribution_test(winners(few, *rows), winners(many, *rows)).p_value > 1e-3


def test_members_that_play_alike_have_one_mark() -> None:
    def marks(changes: dict[str, Any] | None, *members: str) -> tuple[str, ...]:
        return arena(changes, members).marks

    one, other = marks(None, "nexus+smg_pistol", "nexus+sidearm")
    assert one != other
    assert marks(None, *MEMBERS) == tuple(reversed(marks(None, *reversed(MEMBERS))))
    assert len(set(marks(None, "trooper+shotgun", "sentinel+shotgun"))) == 1, "heavy and slow make no difference"
    assert len(set(marks(None, *GAME.entrants))) == len(GAME.entrants) - 9, "nine that troopers can carry too"
    launchers = [marks({"situation.neighbours": n}, "bulwark+grenade_launcher", "bulwark+smg_pistol") for n in (0, 1)]
    assert [len(set(pair)) for pair in launchers] == [2, 2]
    near, far = ({"situation.distance_cells": cells} for cells in (3, 4))
    pistols = ("bulwark+smg_pistol", "bulwark+smg_pistol+sidearm")
    assert len(set(marks(near, *pistols))) == 2
    assert len(set(marks(far, *pistols))) == 1, "a weapon out of reach makes no difference"
    blast = "(14, 4, [], 'none', [(6, 3, ('high_explosive',))])"
    assert launchers[0][0] == blast.replace("'high_explosive',", "")
    assert launchers[1][0] == blast
    bombs = ("detonator+sidearm", "trooper+sidearm")
    apart = {"situation.distance": 3}
    assert [mark.count("overload") for mark in marks(None, *bombs)] == [1, 0]
    assert [mark.count("overload") for mark in marks(apart, *bombs)] == [0, 0], "nobody is within its radius"
    crowded = {**apart, "situation.neighbours": 1}
    assert marks(crowded, *bombs)[0].count("overload") == 1
    assert marks({**crowded, "rules.friendly_fire": False}, *bombs)[0].count("overload") == 0
    assert marks(None, "bulwark+sidearm+smg_pistol") == marks(None, "bulwark+smg_pistol+sidearm")


def test_budgets_come_with_their_unit_limits_and_what_is_unseen_is_said() -> None:
    armies = WARFORGED.kinds["lineup"].armies
    assert armies is not None
    assert armies.scales(GAME.catalogue) == ((150, 4.0), (250, 7.0), (350, 10.5))
    assert armies.irrelevant_fields == (
        "speed_cells",
        "range_cells",
        "handling",
        "copies",
        "abilities: jump",
        "abilities: heavy",
        "effects: high_explosive",
    )
    assert armies.member is WARFORGED.kinds["duel"].takes[0]


def test_what_armies_bring_along_cannot_be_set_of_an_arena() -> None:
    told = "cannot be set of armies that are drawn; their budget and unit limit say it: budget=, limit=, or budgets "
    with pytest.raises(UsageError) as error:
        GAME.arena("lineup", MEMBERS[:1], {"situation.unit_limit": 3, "situation.budget": 50, "situation.legal": True})
    assert str(error.value).splitlines() == [
        f"set situation, {name}: '{value}' {told}in a study"
        for name, value in (("unit_limit", 3), ("budget_points", 50), ("legal", "true"))
    ]
    usual = GAME.arena("lineup", MEMBERS[:1], {"situation.unit_limit": 0, "situation.legal": False})
    assert usual.marks == GAME.arena("lineup", MEMBERS[:1]).marks


def test_an_arena_refuses_members_without_weapons() -> None:
    with pytest.raises(UsageError) as error:
        arena(members=("nexus", "nexus+shotgun", "trooper"))
    assert str(error.value) == "nexus, trooper: no weapon to fight with; such as nexus+smg_pistol"


@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_the_same_dice_give_the_same_battles(lane: Lane) -> None:
    question = GAME.ask("lineup", f"{MEMBERS[0]}:2,{MEMBERS[3]}", f"{MEMBERS[1]},{MEMBERS[2]}:2")
    assert (
        question.simulate(500, seed=4, lane=lane).distribution == question.simulate(500, seed=4, lane=lane).distribution
    )


@pytest.mark.parametrize("gun", ["shotgun", "laser_carbine"])
def test_every_die_of_an_armoured_army_is_rolled(gun: str) -> None:
    question = GAME.ask("lineup", f"bulwark+{gun}", "nexus+shotgun:2,aegis+shotgun", first="a")
    assert question.simulate(6000, seed=2, lane="literal").agreement.p_value > 1e-3
    assert question.simulate(6000, seed=2, lane="compiled").agreement.p_value > 1e-3


def test_constants_of_the_rules_say_how_often_rapid_fire_attacks_and_how_long_burns_last() -> None:
    play = GAME.ask("lineup", "nexus+assault_rifle", "nexus+laser_carbine").setup.play
    terms = replace(play.terms, read=replace(play.terms.read, rapid_attacks=3, burn_attacks=4))
    tables = tables_of(play.roster, terms, play.policies)
    start = Batch.of(tables, np.array([[0]], np.int16), np.array([[1]], np.int16), None).start
    assert tables["a"].n_attacks.tolist() == [3, 1, 1]
    assert [name for name in start if "burn" in name] == [f"a_burn_{n}" for n in (1, 2, 3, 4)]
    assert "b_burn_1" not in start


def test_a_threat_is_what_a_unit_deals_on_average_however_many_stand_there() -> None:
    play = GAME.ask("lineup", "nexus+shotgun", "trooper+smg_pistol").setup.play
    tables = tables_of(play.roster, play.terms, play.policies)
    foes = np.array([[1, -1], [1, 1]], np.int16)
    start = Batch.of(tables, np.array([[0], [0]], np.int16), foes, None).start
    mean = GAME.attack("nexus+shotgun", "trooper").distribution.mean("damage")
    assert start["a_threat"].tolist() == [[round(4096 * math.log2(mean)) * 64]] * 2


# -- small parts -------------------------------------------------------------------------------------------------------


def test_a_blast_reaches_the_nearest_that_live_and_of_two_as_near_the_first() -> None:
    alive = np.array([[True, False, True, True, True]])
    at_middle = np.array([[0, 0, 1, 0, 0]])
    assert blasts_reaching(at_middle, alive, 0).tolist() == [[0, 0, 0, 0, 0]]
    assert blasts_reaching(at_middle, alive, 1).tolist() == [[0, 0, 0, 1, 0]]
    assert blasts_reaching(at_middle, alive, 2).tolist() == [[1, 0, 0, 1, 0]]
    assert blasts_reaching(at_middle, alive, 9).tolist() == [[1, 0, 0, 1, 1]]
    assert blasts_reaching(np.array([[2, 0, 0, 1, 0]]), alive, 1).tolist() == [[0, 0, 3, 0, 0]]


def test_an_arena_knows_how_many_of_each_card_there_are_and_who_takes_them() -> None:
    found = arena(members=("nexus+sidearm+sidearm", "whisper+sidearm", "whisper+smg_pistol")).copies
    assert found is not None
    assert found.available.tolist() == [2, 6, 3, 4]
    assert found.per_unit.tolist() == [[1, 2, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
