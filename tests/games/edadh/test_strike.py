"""One strike, told again in plain Python for every case that can differ, under every option of the rules."""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from balance.game.loaded import load
from balance.games.edadh.cards.records import STAR
from balance.games.edadh.rules import strike as strike_module
from balance.games.edadh.rules.look_up import NO_BOOST, with_boost
from balance.games.edadh.rules.strike import (
    LEVEL_GROUND,
    NO_ATT,
    Boost,
    Ground,
    Profile,
    RuleOptions,
    strike,
    with_bonus,
)

ATTACKER = Profile(3, 1, 1, 2, 7, 5, 5, 2, 4)
DEFENDER = Profile(3, 1, 3, 1, 5, 6, 4, 1, 4)
SWITCHES = ("dd_from_defender", "star_protects_from_star", "noatt_protect", "terrain_on_total", "terrain_stops_star")


def literally(
    attacker: Profile[int], defender: Profile[int], gate: bool, extra: int, read: RuleOptions, won: bool,
    ground: Ground, helpers: int, champion: int,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """Return damage, its largest move, MP lost and whether the defender protected."""
    shield, wood = defender.protection, ground.protection
    assert isinstance(wood, int) and isinstance(ground.modifier, int)
    if attacker.piercing == STAR:
        shielded = read.star_protects_from_star and shield == STAR
        wooded = read.terrain_stops_star and wood > 0
    else:
        shielded, wooded = shield > attacker.piercing, wood > attacker.piercing
    protected = gate and (defender.ml > attacker.ml or shielded or wooded)
    has_att = attacker.att != NO_ATT
    if not has_att:
        protected = protected and read.noatt_protect
        return 0, 0, read.noatt_loss if won and not protected else 0, protected
    if protected:
        return 0, 0, 0, True
    if attacker.att + helpers > defender.defence:
        base = attacker.od
    else:
        base = defender.dd if read.dd_from_defender else attacker.dd
    first = max(0, base + ground.modifier)
    second = max(0, base + extra + ground.modifier) - first if read.terrain_on_total else extra
    return first + second + champion, max(first, second, champion), 0, False


@pytest.mark.parametrize("switches", product((False, True), repeat=5))
def test_every_strike_told_again(switches: tuple[bool, ...]) -> None:
    said: dict[str, Any] = dict(zip(SWITCHES, switches, strict=True))
    read = RuleOptions(**said, noatt_loss=4)
    numbers: dict[str, tuple[Any, ...]] = {
        "gate": (False, True),
        "won": (False, True),
        "ml": (2, 3, 4),
        "piercing": (0, 2, STAR),
        "shield": (0, 2, 3, STAR),
        "wood": (0, 2, 3),
        "att": (NO_ATT, 5, 6, 7),
        "rest": ((0, 0, 0, 0), (3, -1, 0, 0), (1, -4, 1, 2), (2, 2, 4, 9), (4, -6, 0, 0)),
    }
    cases = list(product(*numbers.values()))
    told, columns = [], []
    for gate, won, ml, piercing, shield, wood, att, (extra, modifier, helpers, champion) in cases:
        attacker = ATTACKER._replace(piercing=piercing, att=att)
        defender = DEFENDER._replace(ml=ml, protection=shield)
        ground = Ground(modifier, wood)
        told.append(literally(attacker, defender, gate, extra, read, won, ground, helpers, champion))
        columns.append((gate, won, ml, piercing, shield, wood, att, extra, modifier, helpers, champion))
    gate, won, ml, piercing, shield, wood, att, extra, modifier, helpers, champion = map(
        np.array, zip(*columns, strict=True)
    )
    one, other = cast("tuple[Profile[Any], Profile[Any]]", (ATTACKER, DEFENDER))
    blow = strike(
        one._replace(piercing=piercing, att=att), other._replace(ml=ml, protection=shield), gate, extra, read,
        has_initiative=won, ground=Ground(modifier, wood), helpers_att=helpers, champion_damage=champion,
    )  # fmt: skip
    for name, column, expected in zip(blow._fields, blow, zip(*told, strict=True), strict=True):
        assert np.broadcast_to(column, len(cases)).tolist() == list(expected), name


def test_a_strike_without_more_is_a_won_one_on_level_ground() -> None:
    assert (LEVEL_GROUND, Ground()) == (Ground(0, 0), Ground(0, 0))
    assert [int(x) for x in strike(ATTACKER, DEFENDER, False, 3, RuleOptions())] == [8, 5, 0, 0]
    unarmed = ATTACKER._replace(att=NO_ATT)
    assert [int(x) for x in strike(unarmed, DEFENDER, False, 3, RuleOptions())] == [0, 0, 5, 0]


def test_what_nothing_adds() -> None:
    assert [int(added) for boost in NO_BOOST for added in boost] == [0] * 16
    assert (Boost(), Boost()) == NO_BOOST
    assert (int(strike_module.ZERO), NO_ATT) == (0, -1)
    assert with_boost(ATTACKER, Boost()) == ATTACKER


def test_what_cards_behind_a_unit_add() -> None:
    more = dict(zip(Boost._fields, map(np.array, range(1, 9)), strict=True))
    assert [int(value) for value in with_boost(ATTACKER, Boost(**more))] == [4, 3, 4, 2, 11, 10, 5, 2, 4]
    starred = ATTACKER._replace(protection=STAR, att=NO_ATT)
    assert [int(value) for value in with_boost(starred, Boost(**more))] == [4, 3, STAR, 2, NO_ATT, 10, 5, 2, 4]
    assert int(with_bonus(ATTACKER._replace(protection=97), protection=1).protection) == 98
    assert int(with_bonus(ATTACKER._replace(protection=97), protection=2).protection) == 98, "which is no *"
    assert [int(value) for value in with_boost(ATTACKER, Boost(damage=more["damage"], relief=more["relief"]))] == list(
        ATTACKER
    )


def test_the_options_of_the_shipped_rules_are_those_that_nobody_says() -> None:
    setup = load("edadh").ask("duel", "spears", "swords").setup
    assert setup.duel.arena.read == RuleOptions()
    assert [(field.name, field.default) for field in fields(RuleOptions)] == [
        ("dd_from_defender", False),
        ("star_protects_from_star", False),
        ("tie_protect", "per_strike"),
        ("discard_on_each_move", False),
        ("noatt_protect", True),
        ("terrain_on_total", False),
        ("terrain_stops_star", False),
        ("noatt_loss", 5),
        ("mp_cap", 60),
    ]
