"""The package's distributions against a second telling of the rules in plain Python, by every way the dice can fall."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from balance.games.battlelore.rules.combat import COMBAT_COLUMNS
from tests.games.battlelore import reference
from tests.games.battlelore.asking import BATTLELORE, Case, ask, name_of, our_distribution, twin_distribution
from tests.games.battlelore.reference import Unit, distribution_of, unit


def u(name: str, **changes: Any) -> Unit:
    return unit(name, **changes)


CASES: dict[str, Case] = {
    "no bonus on the first target": (
        u("green mounted long_sword"),
        u("green foot short_sword", figures=3),
        {"pursues": True, "readings": {"BL-Q16"}},
    ),
    "a bonus on another enemy": (
        u("green mounted long_sword"),
        u("green foot short_sword", figures=2),
        {"pursues": True, "backs": False, "readings": {"BL-Q16"}, "u": u("green foot short_sword", figures=1)},
    ),
    "battling back out of a forest with all dice": (
        u("green foot short_sword", terrain="hill"),
        u("blue foot short_sword", race="dwarf", terrain="forest", figures=2),
        {"readings": {"BL-Q53"}},
    ),
    "short sword against foot": (u("blue foot short_sword"), u("green foot common_bow"), {}),
    "short sword against mounted": (u("blue foot short_sword"), u("blue mounted long_sword", figures=2), {}),
    "bow after a move": (u("green foot common_bow", moved=True, extra=1), u("red foot short_sword"), {"melee": False}),
    "crossbow at range": (u("green foot crossbow"), u("blue mounted long_sword", supported=True), {"melee": False}),
    "crossbow point blank": (u("green foot crossbow"), u("blue mounted long_sword", supported=True), {}),
    "no way back": (u("blue foot short_sword"), u("blue foot short_sword", free=0, figures=2), {}),
    "one hex back": (u("red mounted long_sword"), u("blue foot short_sword", free=1), {}),
    "uphill": (u("red mounted long_sword", free=1), u("red foot short_sword", terrain="hill", supported=True), {}),
    "from hill to hill": (u("blue foot short_sword", terrain="hill"), u("blue foot short_sword", terrain="hill"), {}),
    "out of a forest": (u("red foot short_sword", terrain="forest"), u("green foot short_sword", supported=True), {}),
    "a bridge battles back": (u("green foot short_sword"), u("green foot short_sword", terrain="bridge"), {}),
    "a bow battles back": (u("green foot short_sword"), u("green foot common_bow", supported=True), {}),
    "into a rampart": (u("red foot long_sword"), u("green foot short_sword", terrain="rampart", supported=True), {}),
    "dwarves": (u("green foot short_sword"), u("green foot crossbow", race="dwarf"), {}),
    "supported dwarves": (u("green mounted long_sword"), u("green foot short_sword", race="dwarf", supported=True), {}),
    "goblins flee": (u("green foot short_sword"), u("green foot short_sword", race="goblin"), {}),
    "goblins cornered": (u("green foot short_sword"), u("green foot short_sword", race="goblin", free=3), {}),
    "goblins driven off": (
        u("green foot short_sword", race="goblin", figures=2),
        u("green foot short_sword", race="dwarf"),
        {},
    ),
    "no battle back wished": (u("green foot short_sword"), u("green foot crossbow", race="dwarf"), {"backs": False}),
    "pursuit": (u("green mounted long_sword"), u("green foot short_sword", figures=3), {"pursues": True}),
    "pursuit of dwarves": (
        u("green mounted long_sword"),
        u("green foot short_sword", race="dwarf", figures=2, free=1),
        {"pursues": True},
    ),
    "pursuit with a bow, after a move": (
        u("green mounted common_bow", moved=True, extra=2, free=0),
        u("green foot short_sword", race="dwarf", figures=3, free=2),
        {"pursues": True},
    ),
    "nobody pursues on foot": (u("green foot short_sword"), u("green foot short_sword"), {"pursues": True}),
    "a spider attacked": (u("green foot short_sword"), u("green creature bite"), {}),
    "a spider with its back to a wall": (
        u("green foot short_sword", extra=1),
        u("green creature bite", free=0),
        {"backs": False},
    ),
    "a spider tramples": (
        u("green foot short_sword", extra=1),
        u("green creature bite", free=0, blockers=2, blocker_figures=2),
        {"backs": False},
    ),
    "a spider does not trample enough": (
        u("green foot short_sword", extra=1),
        u("green creature bite", free=0, blockers=1, blocker_figures=3),
        {"backs": False},
    ),
    "a spider shot": (u("green foot crossbow"), u("green creature bite"), {"melee": False}),
    "a spider webs": (u("green creature bite", power="web"), u("green foot short_sword", supported=True), {}),
    "a spider with two Lore": (
        u("green creature bite", power="poison", stored=2),
        u("blue foot short_sword", supported=True, figures=2),
        {},
    ),
    "a spider webs who stands firm": (
        u("green creature bite", power="firm web poison", stored=2),
        u("blue foot short_sword", race="dwarf", supported=True),
        {},
    ),
    "a spider does not web who runs": (
        u("green creature bite", power="firm web poison", stored=2),
        u("green foot short_sword", race="dwarf"),
        {},
    ),
    "a spider does what it can": (
        u("green creature bite", power="poison web", stored=1, extra=1),
        u("blue foot short_sword"),
        {},
    ),
    "a spider poisons what it caught": (
        u("green creature bite", power="poison", stored=1),
        u("blue foot short_sword", webbed=True, figures=2),
        {},
    ),
    "a poisoned unit": (u("blue foot short_sword"), u("blue foot short_sword", poisoned=True), {}),
    "a webbed unit": (u("blue foot short_sword"), u("blue foot short_sword", webbed=True, supported=True), {}),
    "a poisoned spider": (u("green foot common_bow"), u("green creature bite", poisoned=True), {}),
    "webbed in an ambush": (
        u("green foot short_sword", free=0),
        u("green creature bite", power="web", stored=1),
        {"ambush": True},
    ),
    "poisoned in an ambush": (
        u("green foot long_sword", free=1),
        u("green creature bite", power="poison", stored=1),
        {"ambush": True, "backs": False},
    ),
    "cavalry in ambush": (u("green foot short_sword", free=1), u("green mounted long_sword"), {"ambush": True}),
    "a spider trampled before": (
        u("green mounted long_sword"),
        u("green creature bite", free=1, blockers=1, blocker_figures=2),
        {"pursues": True, "backs": False},
    ),
    "a spider tramples its way out": (
        u("green mounted long_sword"),
        u("green creature bite", free=0, blockers=2, blocker_figures=1),
        {"pursues": True, "backs": False},
    ),
    "a spider tramples its pursuer": (
        u("green mounted long_sword", figures=1),
        u("green creature bite", free=1, blockers=1, blocker_figures=3),
        {"pursues": True, "backs": False, "readings": {"BL-Q32"}},
    ),
    "a spider that stays where it tramples": (
        u("green mounted long_sword"),
        u("green creature bite", free=1, blockers=1, blocker_figures=1),
        {"pursues": True, "backs": False, "readings": {"BL-Q33"}},
    ),
    "another enemy": (
        u("green mounted long_sword"),
        u("green foot short_sword", figures=2, terrain="forest"),
        {"pursues": True, "u": u("green foot short_sword", race="dwarf", figures=1)},
    ),
    "spider against spider": (u("green creature bite", power="web"), u("green creature bite"), {}),
}


@pytest.mark.rule(
    "BL-DIE-01", "BL-DIE-03", "BL-DICE-01", "BL-DICE-02", "BL-DICE-03", "BL-DICE-05", "BL-HIT-01", "BL-HIT-02",
    "BL-HIT-03", "BL-HIT-04", "BL-HIT-05", "BL-WPN-01", "BL-WPN-02", "BL-WPN-03", "BL-WPN-04", "BL-FLAG-01",
    "BL-FLAG-06", "BL-MOR-01", "BL-MOR-02", "BL-MOR-03", "BL-MOR-05", "BL-MOR-10", "BL-POST-01", "BL-POST-03",
    "BL-POST-07", "BL-POST-08", "BL-POST-10", "BL-POST-11", "BL-POST-13", "BL-PANIC-01", "BL-PANIC-02", "BL-PANIC-03",
    "BL-PANIC-04", "BL-DWF-01", "BL-DWF-02", "BL-GOB-03", "BL-CRE-03", "BL-CRE-04", "BL-CRE-05", "BL-CRE-07",
    "BL-CRE-08", "BL-CRE-09", "BL-CRE-10", "BL-CRE-11", "BL-CRE-12", "BL-CRE-14", "BL-CRE-15", "BL-WIN-02",
)  # fmt: skip
@pytest.mark.parametrize("name", list(CASES))
def test_a_whole_combat_is_the_rulebooks(name: str) -> None:
    assert ask(CASES[name]).distribution.columns == tuple(COMBAT_COLUMNS)
    assert our_distribution(CASES[name]) == twin_distribution(CASES[name])


def test_the_twin_can_disagree() -> None:
    """A rule told otherwise is found: here a bow whose swords hit."""
    a, t = u("green foot crossbow"), u("blue foot short_sword")
    twin = distribution_of(lambda die: reference.combat(dict(a), dict(t), die, melee=False))
    bow = ask((u("green foot common_bow"), t, {"melee": False})).distribution
    hits = {h: sum(p for row, p in twin.items() if row[0] == h) for h in (0, 1, 2)}
    assert hits[0] != bow.fraction(lambda hits: hits == 0)


@pytest.mark.rule("BL-POST-11", "BL-MOR-07", "BL-DWF-01", "BL-CRE-03")
@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (u("green foot short_sword", figures=2), u("green foot short_sword", figures=2)),
        (u("green foot short_sword", race="dwarf", figures=2), u("green mounted long_sword", figures=1)),
        (u("green foot short_sword", supported=True, figures=1), u("green foot long_sword", race="dwarf", figures=2)),
        (u("green creature bite"), u("green foot short_sword", race="dwarf", figures=2, terrain="hill")),
    ],
)
def test_a_duel_is_the_rulebooks(one: Unit, other: Unit, first: str) -> None:
    changes = {
        f"{side}.{name}": value[name] for side, value in (("a", one), ("b", other)) for name in ("figures", "supported")
    }
    changes |= {"situation.a_terrain": one["terrain"], "situation.b_terrain": other["terrain"]}
    chalice = {"a_powers": "chalice", "b_powers": "chalice"}  # the reference buys no powers in a duel
    ours = BATTLELORE.ask("duel", name_of(one), name_of(other), changes, first=first, **chalice).p_win()
    assert ours["a"] == pytest.approx(float(reference.duel(one, other, first)), abs=1e-12)
    assert ours["draw"] == pytest.approx(0.0, abs=1e-12)


def test_every_way_tries_each_roll_once() -> None:
    ways = list(reference.every_way(lambda die: {"six": int(die() == "L" and die() == "L")}))
    assert len(ways) == 5 + 6
    assert sum(p for _, p in ways) == 1
    assert partial(sum, (p for out, p in ways if out["six"]))() == Fraction(1, 36)
