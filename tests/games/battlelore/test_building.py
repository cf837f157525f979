"""How fights are built: which conditions can change in them, what they begin with, and when they end at the latest."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.games.battlelore import GAME as BATTLELORE
from balance.games.battlelore import UNIT
from balance.games.battlelore.rules.encounter import _distributions, strike_distribution
from balance.games.battlelore.rules.powers import Powers

GAME = balance.load(BATTLELORE)
SPIDER, FOOT, WEB = "giant_spider", "blue_foot", {"a_powers": "web", "b_powers": "chalice"}
IDLE = {"a_powers": "chalice", "b_powers": "chalice"}


@pytest.mark.parametrize(
    ("one", "other", "changes", "choices", "varies", "start"),
    [
        (FOOT, FOOT, {}, {}, (), {}),
        (SPIDER, FOOT, {}, IDLE, (), {}),
        (
            SPIDER, FOOT, {}, {},
            (("stored", 3), ("webbed", 2), ("poisoned", 2), ("figures", 5)),
            {"a_stored": 0, "b_webbed": 0, "b_poisoned": 0},
        ),
        (SPIDER, FOOT, {}, WEB, (("stored", 3), ("webbed", 2), ("figures", 5)), {"a_stored": 0, "b_webbed": 0}),
        (
            SPIDER, FOOT, {"a.stored_lore": 2, "b.figures": 1}, {"a_powers": "poison"},
            (("stored", 3), ("poisoned", 2), ("figures", 5)), {"a_stored": 2, "b_poisoned": 0, "b_figures": 1},
        ),
        (
            SPIDER, "blue_mounted", {"b.poisoned": True}, {"a_powers": "poison_or_web"},
            (("stored", 3), ("webbed", 2), ("poisoned", 2), ("figures", 4)),
            {"a_stored": 0, "b_webbed": 0, "b_poisoned": 1, "b_figures": 3},
        ),
        (SPIDER, FOOT, {}, {"a_powers": "store"}, (("stored", 3), ("figures", 5)), {"a_stored": 0}),
        (SPIDER, SPIDER, {}, WEB, (("stored", 3), ("webbed", 2)), {"a_stored": 0, "b_webbed": 0, "b_figures": 1}),
        (FOOT, FOOT, {"b.webbed": True}, {}, (("webbed", 2),), {"b_webbed": 1}),
        (FOOT, SPIDER, {"b.poisoned": True}, IDLE, (("poisoned", 2),), {"b_poisoned": 1, "b_figures": 1}),
        (SPIDER, FOOT, {"situation.adventure": "medieval", "b.webbed": True}, {}, (("webbed", 2),), {"b_webbed": 1}),
    ],
)  # fmt: skip
def test_a_strike_varies_by_what_can_change_in_its_fight(
    one: str, other: str, changes: dict[str, Any], choices: dict[str, str], varies: Any, start: dict[str, int]
) -> None:
    """Each condition with how many values it has, from 0; a column is there only where it can change."""
    duel = GAME.ask("duel", one, other, changes, **choices).setup.play
    assert duel.a.encounter.varies == varies
    assert duel.b.encounter.varies == ()
    assert duel.start == {"a_figures": 1 if one == SPIDER else 4, "b_figures": 4} | start


def test_what_a_creature_may_trample_varies_by_what_it_has_trampled() -> None:
    blocked = {"situation.blockers": 2, "situation.blocker_figures": 3}
    combat = GAME.ask("combat", FOOT, SPIDER, blocked).setup.play
    assert [clash.encounter.varies for clash in combat.clashes] == [(("trampled", 4),), ()]
    assert combat.start == {"a_figures": 4, "t_figures": 1, "t_trampled": 0}
    assert (combat.n_blockers, combat.blocker_figures, combat.follows_up) == (2, 3, True)
    free = GAME.ask("combat", FOOT, SPIDER, {"situation.free_hexes": 1, **blocked}).setup.play
    targets = [play.clashes[0].encounter.strike.target for play in (combat, free)]
    assert [(target.free_hexes, target.blocker_figures) for target in targets] == [(0, 3), (1, 3)]


def test_what_was_paid_and_stored_is_told_with_a_combat() -> None:
    freed = GAME.ask("combat", FOOT, FOOT, {"attacker.webbed": True, "attacker.freed": True}).setup.play
    stored = GAME.ask("combat", SPIDER, FOOT, {"attacker.stored_lore": 2}, follow_up="stay").setup.play
    assert (freed.paid_lore, freed.stored_lore, freed.follows_up, freed.n_blockers, freed.blocker_figures) == (
        1,
        0,
        True,
        0,
        0,
    )
    assert (stored.paid_lore, stored.stored_lore, stored.follows_up) == (0, 2, False)
    shot = GAME.ask("combat", "green_foot+crossbow", FOOT, {"situation.distance": 2}).setup.play
    assert not shot.follows_up


STILL = {"situation.a_extra_dice": -9, "situation.b_extra_dice": -9}


@pytest.mark.parametrize(
    ("kind", "other", "changes", "steps", "most"),
    [
        ("duel", FOOT, {}, 2, 20_000),
        ("duel", "dwarf_blue_foot", {}, 3, 30_000),
        ("duel", FOOT, STILL, 2, 2),
        ("duel", FOOT, {"situation.a_extra_dice": -9}, 2, 20_000),
        ("duel", "dwarf_blue_foot", {"situation.turn_limit": 4}, 3, 6),
        ("duel", "dwarf_blue_foot", {"situation.turn_limit": 5}, 3, 8),
        ("skirmish", FOOT, {}, 8, 80_000),
        ("skirmish", FOOT, STILL, 8, 8),
        ("skirmish", FOOT, {"situation.b_extra_dice": -9}, 8, 80_000),
        ("skirmish", FOOT, {"situation.turn_limit": 3, "situation.b_units": 3}, 10, 20),
        ("skirmish", FOOT, {"situation.turn_limit": 4, "situation.a_units": 1}, 6, 12),
    ],
)
def test_a_fight_ends_at_its_limit_or_when_nobody_would_wait_for_it(
    kind: str, other: str, changes: dict[str, Any], steps: int, most: int
) -> None:
    """A turn is one step, or two with a battle back; who cannot be hurt is not fought forever."""
    question = GAME.ask(kind, FOOT, other, changes, "a")
    (process,) = question.kind.processes(question.setup, "literal")
    assert (len(process.steps), process.max_steps) == (steps, most)


def test_a_fight_in_which_either_may_go_first_is_two() -> None:
    for kind in ("duel", "skirmish"):
        for first, n in (("a", 1), ("b", 1), ("random", 2)):
            question = GAME.ask(kind, FOOT, FOOT, {}, first)
            assert len(question.kind.processes(question.setup, "compiled")) == n


def test_a_distribution_of_a_strike_is_worked_out_once() -> None:
    encounter = GAME.ask("duel", SPIDER, FOOT, **WEB).setup.play.a.encounter
    strikes, varies = (encounter.strike,), encounter.varies
    assert _distributions(strikes, varies) is _distributions(strikes, varies)
    condition = (("stored", 1), ("webbed", 0), ("figures", 3))
    assert strike_distribution(encounter.strike, condition) is strike_distribution(encounter.strike, condition)
    assert len(_distributions(strikes, varies).distributions) == 3 * 2 * 5


@pytest.mark.parametrize(
    ("unit", "changes", "bold"),
    [
        ("giant_spider", {}, 1),
        ("giant_spider", {"defender.bold": 2}, 3),
        ("giant_spider", {"defender.bold": 2, "situation.target_terrain": "rampart"}, 3),
        ("blue_foot", {"defender.bold": 2}, 2),
        ("blue_foot", {"defender.bold": 2, "rules.bold_sources": "never"}, 2),
        ("blue_foot", {"defender.bold": 2, "defender.supported": True}, 3),
        ("dwarf_blue_foot", {"defender.bold": 2, "defender.supported": True}, 4),
        ("dwarf_blue_foot", {"defender.bold": 2, "defender.supported": True, "rules.bold_sources": "dwarves_only"}, 4),
        ("blue_foot", {"defender.bold": 2, "defender.supported": True, "rules.bold_sources": "dwarves_only"}, 2),
    ],
)
def test_flags_of_cards_come_on_top_as_the_rules_say(unit: str, changes: dict[str, Any], bold: int) -> None:
    target = GAME.ask("combat", FOOT, unit, changes).setup.play.clashes[0].encounter.strike.target
    assert target.bold == bold


@pytest.mark.parametrize(
    ("unit", "cards"),
    [
        ("blue_foot+short_sword", {"weapons": "short_sword", "races": "human", "troops": "human_infantry"}),
        ("dwarf_green_foot+crossbow", {"weapons": "crossbow", "races": "dwarf", "troops": "dwarf_crossbowmen"}),
        ("dwarf_blue_mounted+long_sword", {"weapons": "long_sword", "races": "dwarf"}),
        ("giant_spider", {"weapons": "bite"}),
    ],
)
def test_a_unit_plays_its_cards_and_the_last_row_that_names_it(unit: str, cards: dict[str, str]) -> None:
    assert UNIT.cards is not None
    played = list(UNIT.cards(GAME.catalogue, unit))
    kind = unit.partition("+")[0].removeprefix("dwarf_")
    assert played == [("units", kind), *cards.items()]


POWERS = ("chalice", "store", "web", "poison", "poison_or_web", "web_or_poison")
DUEL_POWERS = (POWERS[-1], *POWERS[:-1])
FLAGS = ("most", "0", "1", "2", "3")
WAYS = ("greedy", "rush", "hold", "flank", "focus", "careful", "random", "lookahead")
AIMS = ("opposite", "focus", "spread")
BACK = {"battle_back": ("yes", "no")}


def test_what_owners_may_choose_in_each_kind_of_question() -> None:
    both = {"a_flags": FLAGS, "b_flags": FLAGS, **BACK}
    found = {
        name: (
            {choice: tuple(options) for choice, options in kind.choices.items()},
            tuple(kind.turn_orders),
            kind.unbounded,
        )
        for name, kind in BATTLELORE.kinds.items()
    }
    assert found == {
        "attack": ({"attacker_powers": POWERS}, (), False),
        "combat": (
            {
                "defender_flags": FLAGS,
                "attacker_flags": FLAGS,
                **BACK,
                "follow_up": ("gain_ground", "bonus_same", "bonus_other", "stay"),
                "attacker_powers": POWERS,
                "defender_powers": POWERS,
            },
            (),
            False,
        ),
        "duel": (both | {"a_powers": DUEL_POWERS, "b_powers": DUEL_POWERS}, ("a", "b", "random"), True),
        "skirmish": (both, ("a", "b", "random"), True),
        "lineup": (both | {"policy_a": AIMS, "policy_b": AIMS}, ("a", "b", "random"), True),
        "battle": ({"policy_a": WAYS, "policy_b": WAYS}, ("adventure", "a", "b"), False),
    }


def test_a_unit_without_powers_spends_and_stores_nothing() -> None:
    assert Powers() == Powers("chalice", web=0, poison=0, most_stored=0)
