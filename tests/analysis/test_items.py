"""What an item is worth, asked by hand; and games in which the question cannot be asked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import balance
from balance.analysis.claims.items import ITEM_STATUSES, Item, find_items, item_summary, item_table, with_and_without
from balance.analysis.claims.rule_options import Panel
from balance.analysis.scores.equivalence import distribution_mark
from balance.base.errors import RulesError
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.game.registry import game_names
from tests.toy.game import GAME as TOY

NAMES = ["spectre+shotgun", "aegis+shotgun", "trooper+sidearm", "bulwark+rail_lance"]
CHANGES = ("situation.round_limit=3",)
"""With a limit of rounds, duels can be drawn."""


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


PANEL = Panel((NAMES[1], NAMES[2]), np.array([1, 2]), np.array([0.75, 0.25]))


def test_every_list_of_choices_of_every_card_is_looked_through(warforged: LoadedGame) -> None:
    found = find_items(warforged, ["spectre+shotgun", "bulwark+rail_lance", "nexus+pulse_pistol+emp_projector"])
    assert [(one.entrant, one.table, one.column, one.item, one.rest, one.of_first) for one in found] == [
        ("spectre+shotgun", "units", "abilities", "jump", ("slim",), True),
        ("spectre+shotgun", "units", "abilities", "slim", ("jump",), True),
        ("bulwark+rail_lance", "units", "abilities", "heavy", (), True),
        ("bulwark+rail_lance", "weapons", "effects", "piercing", (), False),
    ]
    assert [one.without("a") for one in found] == [
        "a.abilities=slim", "a.abilities=jump", "a.abilities=", "a.effects="
    ]  # fmt: skip


@pytest.mark.parametrize("name", game_names())
def test_every_item_of_every_shipped_card_can_be_taken_away_in_a_question(name: str) -> None:
    game = balance.load(name)
    kind = game.definition.kind_about("winner")
    assert kind is not None
    for item in find_items(game, game.entrants):
        for root, at in zip(kind.sides, (0, 1), strict=True):
            sides = [item.entrant, game.entrants[0]]
            with suppress(RulesError):  # what needs the item to exist
                one, other = sides if at == 0 else reversed(sides)
                game.ask(kind.name, one, other, [item.without(root)])


def test_a_part_that_is_no_card_hides_no_card_after_it(warforged: LoadedGame) -> None:
    found = find_items(warforged, ["ghost+rail_lance"])
    assert [(one.table, one.item, one.of_first) for one in found] == [("weapons", "piercing", False)]


def test_an_item_is_used_by_the_choices_of_its_own_side_alone() -> None:
    kind, item = TOY.kinds["duel"], Item("rat", "fighters", "tricks", "rage", (), of_first=True)
    uses = {"rage": {"effort": "bold", "nothing": "x"}, "other": {"effort": "steady"}}
    assert [item.use_choices(side, kind, uses) for side in "ab"] == [(("a_effort", "bold"),), (("b_effort", "bold"),)]
    assert item.use_choices("a", kind, {}) == ()


def test_a_gain_is_what_hand_asked_duels_say(warforged: LoadedGame) -> None:
    item = next(one for one in find_items(warforged, NAMES[:1]) if one.item == "slim")
    row = item_table(Runner(warforged), [item], PANEL, changes=CHANGES).row(0, named=True)

    def score(a: str, b: str, changes: tuple[str, ...]) -> float:
        chance = warforged.duel(a, b, [*CHANGES, *changes], first="a").p_win()
        assert chance["draw"] > 0
        return chance["a"] + chance["draw"] / 2

    means = []
    for taken in ((), ("abilities=jump",)):
        first = [score(NAMES[0], foe, tuple(f"a.{one}" for one in taken)) for foe in PANEL.names]
        second = [1 - score(foe, NAMES[0], tuple(f"b.{one}" for one in taken)) for foe in PANEL.names]
        means.append(sum(w * (x + y) / 2 for w, x, y in zip(PANEL.weights, first, second, strict=True)))
    assert row["score_gain"] == pytest.approx(means[0] - means[1], abs=1e-9)
    assert row["score_gain"] > 1e-3


def test_gains_of_attacks_are_what_hand_asked_attacks_say(warforged: LoadedGame) -> None:
    found = find_items(warforged, ["spectre+shotgun", "bulwark+rail_lance"])
    shooters = ["trooper+shotgun", "bulwark+rail_lance"]
    cover = ("situation.light_cover=true",)
    table = item_table(Runner(warforged), found, PANEL, shooters, attack_changes=cover)

    def damage(one: str, other: str, *changes: str) -> float:
        return warforged.attack(one, other, [*cover, *changes]).distribution.mean("damage")

    slim = [damage(one, "spectre") - damage(one, "spectre", "defender.abilities=jump") for one in shooters]
    assert table.filter(item="slim")["damage_taken_gain"].item() == pytest.approx(np.mean(slim))
    lance = "bulwark+rail_lance"
    pierced = [damage(lance, one) - damage(lance, one, "attacker.effects=") for one in warforged.targets]
    row = table.filter(item="piercing").row(0, named=True)
    assert row["damage_gain"] == pytest.approx(np.mean(pierced))
    assert row["damage_taken_gain"] is None  # no target carries a weapon


DICE = [
    Item("rat", "fighters", "dice", "one", ("2",), of_first=True),
    Item("ogre", "fighters", "dice", "four", ("3",), True),
]
"""Items of a game without lists: as if a number of dice were one."""


def toy_with(kind: str) -> LoadedGame:
    return balance.load(replace(TOY, kinds={kind: TOY.kinds[kind]}))


def test_a_game_without_duels_tells_what_attacks_show() -> None:
    """A rat with 1 die instead of 2 does half a health less, an ogre with 4 instead of 3 half one more."""
    found = item_table(Runner(toy_with("attack")), DICE, PANEL, ["knight"])
    assert found.select("item", "legal", "status", "score_gain", "damage_gain").rows() == [
        ("one", True, "not measurable", None, -0.5),
        ("four", True, "not measurable", None, 0.5),
    ]
    assert found["damage_taken_gain"].to_list() == [None, None]  # dice protect nobody


def test_a_game_without_attacks_tells_what_duels_show() -> None:
    game, against = toy_with("duel"), Panel(("knight",), np.array([1]), np.array([1.0]))
    found = item_table(Runner(game), DICE, against, ["knight"])
    assert found.select("item", "status", "damage_gain", "damage_taken_gain").rows() == [
        ("one", "measured", None, None),
        ("four", "measured", None, None),
    ]
    wins = [
        (game.duel("rat", "knight", a, "a").p_win()["a"] + game.duel("knight", "rat", b, "a").p_win()["b"]) / 2
        for a, b in (([], []), (["a.dice=2"], ["b.dice=2"]))
    ]
    assert found["score_gain"][0] == pytest.approx(wins[0] - wins[1], abs=1e-10)


def test_a_summary_of_nothing_has_its_columns(warforged: LoadedGame) -> None:
    table = item_table(Runner(warforged), [], PANEL)
    assert (table.height, item_summary(table).height) == (0, 0)
    assert item_summary(table).columns == [
        "table", "column", "item", "status", "n_entrants", "n_measured", "n_not_legal", "score_gain",
        "damage_gain", "damage_taken_gain",
    ]  # fmt: skip


def test_statuses_go_from_the_most_telling_to_the_least() -> None:
    assert ITEM_STATUSES == ("measured", "not measurable", "not legal")


def test_the_first_of_the_field_attacks_those_that_have_an_item(warforged: LoadedGame) -> None:
    """That is how `with_and_without` sees what protects."""
    found = (
        with_and_without(Runner(warforged), ["aegis+shotgun", "spectre+shotgun"]).filter(item="slim").row(0, named=True)
    )
    shots = [warforged.attack("aegis+shotgun", "spectre", change) for change in ([], ["defender.abilities=jump"])]
    with_it, without = (shot.distribution.mean("damage") for shot in shots)
    assert found["damage_taken_gain"] == pytest.approx(with_it - without)
    assert distribution_mark(shots[0].distribution) != distribution_mark(shots[1].distribution)
