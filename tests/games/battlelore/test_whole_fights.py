"""Duels and skirmishes against a second telling in plain Python: every column of every outcome, with its chance."""

from __future__ import annotations

from typing import Any

import pytest

from balance.pmf import Pmf
from tests.games.battlelore.asking import BATTLELORE, POWERS, READINGS, name_of
from tests.games.battlelore.reference import DEFAULT, Unit, unit
from tests.games.battlelore.reference_fights import Outcomes, duel_outcomes, skirmish_outcomes

Fight = tuple[Unit, Unit, dict[str, Any]]


def u(name: str, **changes: Any) -> Unit:
    return unit(name, **changes)


SPIDER, FOOT, BOW = "green creature bite", "green foot short_sword", "green foot common_bow"
DUELS: dict[str, Fight] = {
    "of equals": (u(FOOT, figures=2), u(FOOT, figures=3), {}),
    "with one figure": (u(FOOT, figures=1), u(FOOT, figures=1), {"turns": 3}),
    "Bold against Bold": (u(FOOT, race="dwarf", figures=2), u(BOW, supported=True, figures=2), {"turns": 3}),
    "Bold against not": (u(FOOT, race="dwarf", figures=2), u("green mounted long_sword", figures=2), {"turns": 3}),
    "nobody battles back": (u(FOOT, race="dwarf", figures=2), u(FOOT, race="dwarf"), {"backs": False}),
    "a battle back needs a flag": (u(FOOT, race="dwarf"), u(FOOT, race="dwarf"), {"readings": {"BL-Q12"}}),
    "cornered": (u(FOOT, free=0, figures=3), u(FOOT, race="dwarf", free=1, supported=True), {}),
    "goblins panic": (u(FOOT, race="goblin", figures=3), u(FOOT, race="goblin", free=1, figures=2), {}),
    "on a hill, with dice from cards": (u(FOOT, terrain="hill", extra=1), u(BOW, terrain="bridge", extra=-1), {}),
    "a spider": (u(SPIDER), u(FOOT, figures=2), {"turns": 3}),
    "a spider webs": (u(SPIDER, power="web", stored=1), u(FOOT, race="dwarf", extra=-1, figures=2), {"turns": 3}),
    "a spider saves for poison": (u(SPIDER, power="poison", stored=1), u(FOOT, figures=2, extra=-1), {"turns": 3}),
    "spiders do what they can": (u(SPIDER, power="poison web", stored=2), u(SPIDER, power="web", free=0, extra=-1), {}),
    "webbed at the start": (u(FOOT, webbed=True), u(FOOT, race="dwarf", webbed=True, poisoned=True), {"turns": 3}),
    "poisoned at the start": (u(FOOT, poisoned=True), u(SPIDER, power="web", poisoned=True, extra=-1), {}),
    "flags that webs do not turn": (u(FOOT, race="dwarf"), u(SPIDER, power="web"), {"readings": {"BL-Q38"}}),
    "one flag is taken": (u(FOOT, race="dwarf", supported=True, ignores=1), u(FOOT, race="dwarf", ignores=0), {}),
}  # fmt: skip


def changes_of(a: Unit, b: Unit, how: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for side, one in (("a", a), ("b", b)):
        changes |= {f"{side}.{name}": one[name] for name in ("figures", "supported", "webbed", "poisoned")}
        changes[f"{side}.stored_lore"] = one["stored"]
        fields = {"terrain": one["terrain"], "free_hexes": one["free"], "extra_dice": one["extra"]}
        changes |= {f"situation.{side}_{name}": value for name, value in fields.items()}
    readings = map(READINGS.__getitem__, how.get("readings", DEFAULT))
    return changes | {f"rules.{name}": value for name, value in readings}


def choices_of(a: Unit, b: Unit, how: dict[str, Any]) -> dict[str, str]:
    sides = zip("ab", (a, b), strict=True)
    flags = {f"{side}_flags": "most" if one["ignores"] == 99 else str(one["ignores"]) for side, one in sides}
    return {"battle_back": "yes" if how.get("backs", True) else "no", **flags}


def found(distribution: Pmf) -> dict[tuple[int, ...], float]:
    return dict(zip(map(tuple, distribution.outcomes.tolist()), distribution.p.tolist(), strict=True))


def expected(outcomes: Outcomes) -> Any:
    return pytest.approx({key: float(p) for key, p in outcomes.items()}, rel=1e-11)


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("name", list(DUELS))
def test_a_duel_ends_as_often_in_each_way_as_the_rulebook_says(name: str, first: str) -> None:
    a, b, how = DUELS[name]
    turns = how.get("turns", 2)
    choices = choices_of(a, b, how) | {"a_powers": POWERS[a["power"]], "b_powers": POWERS[b["power"]]}
    asked = BATTLELORE.ask(
        "duel", name_of(a), name_of(b), {**changes_of(a, b, how), "situation.turn_limit": turns}, first, **choices
    )
    outcomes = duel_outcomes(a, b, first, turns, how.get("backs", True), frozenset(how.get("readings", DEFAULT)))
    assert asked.distribution.columns == ("winner", "turns", "a_figures", "b_figures", "a_left", "b_left")
    assert found(asked.distribution) == expected(outcomes)


SKIRMISHES: dict[str, Fight] = {
    "two against two": (u(FOOT, figures=2), u(FOOT, figures=2), {}),
    "three against two": (u(FOOT, figures=1), u(BOW, race="dwarf", figures=2), {"sizes": (3, 2)}),
    "three against three": (u(FOOT, figures=1), u(FOOT, figures=1), {"sizes": (3, 3), "turns": 3}),
    "one against three": (u(FOOT, race="dwarf"), u(FOOT, figures=2), {"sizes": (1, 3)}),
    "nobody battles back": (u(FOOT, race="dwarf", figures=1), u(FOOT, figures=1), {"sizes": (2, 3), "backs": False}),
    "a battle back needs a flag": (
        u(FOOT, race="dwarf", figures=1), u(FOOT, race="dwarf", figures=2), {"sizes": (2, 2), "readings": {"BL-Q12"}},
    ),
    "goblins before a wall": (u(FOOT, race="goblin", free=1, figures=2), u(FOOT, free=0), {"sizes": (2, 1)}),
    "spiders": (u(SPIDER), u(FOOT, figures=1), {"sizes": (2, 2)}),
    "for four rounds": (u(FOOT, figures=1), u(FOOT, figures=1), {"turns": 8}),
}  # fmt: skip


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("name", list(SKIRMISHES))
def test_a_skirmish_ends_as_often_in_each_way_as_the_rulebook_says(name: str, first: str) -> None:
    a, b, how = SKIRMISHES[name]
    sizes, turns = how.get("sizes", (2, 2)), how.get("turns", 2)
    changes = changes_of(a, b, how) | {"situation.turn_limit": turns}
    changes |= {"situation.a_units": sizes[0], "situation.b_units": sizes[1]}
    asked = BATTLELORE.ask("skirmish", name_of(a), name_of(b), changes, first, **choices_of(a, b, how))
    rounds, readings = (turns + 1) // 2, frozenset(how.get("readings", DEFAULT))
    outcomes = skirmish_outcomes(a, b, sizes, first, rounds, how.get("backs", True), readings)
    assert asked.distribution.columns == ("winner", "rounds", "a_units", "b_units", "a_banners", "b_banners")
    assert found(asked.distribution) == expected(outcomes)
