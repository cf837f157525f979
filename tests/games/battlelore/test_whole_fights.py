"""Duels, skirmishes and line-ups against a second telling in plain Python: every column, every outcome, its chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from balance import Question
from balance.chance.pmf import Pmf
from balance.chance.pmf.agreement import same_distribution_test
from balance.game.game import LANES
from tests.games.battlelore.asking import BATTLELORE, POWERS, READINGS, name_of
from tests.games.battlelore.reference import DEFAULT, Unit, unit
from tests.games.battlelore.reference_fights import (
    LineUp,
    Outcomes,
    Played,
    duel_outcomes,
    lineup_outcomes,
    skirmish_outcomes,
)

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
    "a spider webs who stands firm": (
        u(SPIDER, power="firm web poison", stored=1),
        u(FOOT, race="dwarf", figures=2, extra=-1),
        {"turns": 3},
    ),
    "poisoned at the start": (u(FOOT, poisoned=True), u(SPIDER, power="web", poisoned=True, extra=-1), {}),
    "battling back out of a forest": (
        u(FOOT, race="dwarf", terrain="hill"), u(FOOT, race="dwarf", terrain="forest"), {"readings": {"BL-Q53"}},
    ),
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
    "battling back out of a forest": (
        u(FOOT, figures=2), u(FOOT, race="dwarf", terrain="forest", figures=1), {"readings": {"BL-Q53"}},
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


KNIGHTS, GOBLINS, DWARVES = (
    u("green mounted long_sword", figures=2),
    u(FOOT, race="goblin", figures=2),
    u(FOOT, race="dwarf", figures=2),
)
LINEUPS: dict[str, tuple[list[Unit], list[Unit], dict[str, Any]]] = {
    "one against two": ([u("blue foot long_sword", figures=2)], [u(FOOT, figures=2), u(BOW, figures=1)], {"turns": 4}),
    "two against two": ([u(FOOT, figures=2), KNIGHTS], [u(BOW, figures=1), DWARVES], {}),
    "dwarves beside goblins": ([DWARVES, GOBLINS], [GOBLINS, KNIGHTS], {}),
    "a spider among them": ([u(SPIDER), u(FOOT, figures=2)], [KNIGHTS, u(SPIDER)], {"turns": 3}),
    "three against two": ([u(FOOT, figures=1), u(BOW, figures=1), u(FOOT, figures=1)], [DWARVES, KNIGHTS], {}),
    "the fewest figures first": ([DWARVES, u(BOW)], [u(FOOT, figures=3), KNIGHTS], {"aims": ("focus", "focus")}),
    "the largest share first": ([DWARVES, u(BOW)], [u(FOOT, figures=2), KNIGHTS], {"aims": ("spread", "focus")}),
    "nobody battles back": ([DWARVES, u(BOW)], [KNIGHTS, DWARVES], {"backs": False}),
    "a battle back needs a flag": ([DWARVES, u(BOW)], [KNIGHTS, DWARVES], {"readings": {"BL-Q12"}}),
    "one flag is taken, on a hill, before a wall": (
        [u(BOW, terrain="hill", ignores=1), u(FOOT, race="dwarf", terrain="hill", ignores=1)],
        [u(FOOT, free=0, extra=-1), u(FOOT, race="goblin", free=0, extra=-1)],
        {},
    ),
}  # fmt: skip
MOST = {name: how.pop("turns", 2) for name, (_, _, how) in LINEUPS.items()}


def lineup_question(a: list[Unit], b: list[Unit], how: dict[str, Any], first: str, turns: int) -> Question:
    """Ask about lines whose units differ in their cards, race and figures; all else is that of a side's first unit."""
    changes = {path: value for path, value in changes_of(a[0], b[0], how).items() if path.startswith(("sit", "rules"))}
    for side, line in (("a", a), ("b", b)):
        changes |= {f"{side}.{place}.figures": one["figures"] for place, one in enumerate(line, start=1)}
    aims = dict(zip(("policy_a", "policy_b"), how.get("aims", ("opposite", "opposite")), strict=True))
    one, other = (",".join(map(name_of, line)) for line in (a, b))
    choices = choices_of(a[0], b[0], how) | aims
    return BATTLELORE.ask("lineup", one, other, {**changes, "situation.turn_limit": turns}, first, **choices)


def told_again(a: list[Unit], b: list[Unit], how: dict[str, Any], first: str) -> LineUp:
    """Return the same for the second telling."""
    aims, readings = how.get("aims", ("opposite", "opposite")), frozenset(how.get("readings", DEFAULT))
    return LineUp(a, b, first, aims, how.get("backs", True), readings)


@pytest.mark.rule("BL-MOR-07", "BL-POST-10", "BL-WIN-02")
@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("name", list(LINEUPS))
def test_a_line_up_ends_as_often_in_each_way_as_the_rulebook_says(name: str, first: str) -> None:
    """Each unit has its own strike on each unit of the other line; whom it attacks follows from the policies."""
    asked = lineup_question(*LINEUPS[name], first, MOST[name])
    outcomes = lineup_outcomes(told_again(*LINEUPS[name], first), (MOST[name] + 1) // 2)
    assert asked.distribution.columns == ("winner", "rounds", "a_units", "b_units", "a_banners", "b_banners")
    assert found(asked.distribution) == expected(outcomes)


FOURS: tuple[list[Unit], list[Unit], dict[str, Any]] = (
    [u(FOOT), u("red foot long_sword", race="dwarf"), KNIGHTS, u(BOW)],
    [u(SPIDER), u(FOOT, race="goblin"), u("blue foot short_sword"), KNIGHTS],
    {"aims": ("focus", "spread")},
)


@pytest.mark.rule("BL-MOR-07", "BL-POST-10")
@pytest.mark.slow("test_a_line_up_ends_as_often_in_each_way_as_the_rulebook_says")
def test_a_line_up_of_four_against_four_ends_as_it_does_die_by_die() -> None:
    """In both lanes; where one friend is enough for support, or all attack opposite, it ends otherwise."""
    asked, told, chance = lineup_question(*FOURS, "a", 0), told_again(*FOURS, "a"), Random(4)

    def distribution_of(lineup: LineUp) -> Pmf:
        played = Played(**vars(lineup), chance=chance)
        return Pmf.of(Counter(played.ended() for _ in range(3000)), tuple(asked.kind.columns))

    right, *wrong = map(distribution_of, (told, replace(told, friends=1), replace(told, aims=("opposite", "opposite"))))
    for lane in LANES:
        seen = asked.simulate(20_000, seed=7, lane=lane).distribution
        assert same_distribution_test(seen, right).p_value > 1e-3
        assert all(same_distribution_test(seen, other).p_value < 1e-6 for other in wrong)
