"""The rule options and the constants of the Immortal Souls rules, as records; their values live in `rules.toml`.

A rule option is one open question of the rulebook (the ledger's IS-Q ids); a constant is a number the rulebook states.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Header, Record, Rules

Small = Annotated[int, Field(ge=0, le=99)]
Crowns = Annotated[int, Field(ge=0, le=9999)]
_crowns = Header(unit="crowns")
_dice = Header(unit="dice")
_wounds = Header(unit="wounds")


class Switches(Rules):
    """The readings in force of every rule the rulebook leaves open; `rules.toml` explains each."""

    effects_need_a_hit: bool
    resistance_takes: Literal["lethal_first", "normal_first", "attackers_choice"]
    weakness_without_hits: bool
    lethal_effects: Literal["add", "greatest"]
    untyped_is_all_but: bool
    bonus_hits_are_hits: bool
    supremacy_of_area_attacks: Literal["primary", "each_area"]
    supremacy_over_knocked_out: bool
    focus_declared: Literal["after_roll", "before_roll"]
    knocked_out_hero_may_not: Literal["combat", "all"]
    push_direction: Literal["attackers_way", "defenders_way", "away"]
    knocked_out_enemies_react: bool
    blinded_enemies_react: bool
    horde_attacks: Literal["once", "each_mini"]
    own_turn_token_ends: Literal["next_turn", "this_turn"]
    knocked_out_again: Literal["wound", "nothing"]
    blinded_hero_saves: Literal["every_activity", "not_free_ones"]
    scroll_distances: Literal["movement", "attack"]
    enemy_turn_after_death: bool
    ghosts_hold_ranks_back: bool
    critical_tokens: Literal["each_defender", "primary"]
    repeated_condition_wounds: bool
    stunned_knocked_out_stands_up: bool
    lesser_critical: Literal["wound", "nothing"]
    failed_save_turns_power: bool


class AttackRule(Record):
    """Attacks without a weapon, and hits of focus and supremacy: IS-HIT.15, IS-ACT.14, IS-SUP.7."""

    unarmed_sure: Annotated[Small, Field(description="Sure hits of a hero without a weapon."), Header(unit="hits")]
    unarmed_red: Annotated[Small, Field(description="Red dice of a hero without a weapon."), _dice]
    unarmed_blue: Annotated[Small, Field(description="Blue dice of a hero without a weapon."), _dice]
    focus_hits: Annotated[Small, Field(description="What Focus adds."), Header(unit="hits")]
    supremacy_hits: Annotated[Small, Field(description="What supremacy adds."), Header(unit="hits")]


class DefenceRule(Record):
    """Defence dice without armour: IS-ITEM.8."""

    unarmoured_dice: Annotated[Small, Field(description="Defence dice of a hero without armour."), _dice]


class ConditionRule(Record):
    """Wounds and limits of conditions and fire: IS-COND.2, IS-COND.5, IS-COND.7, IS-FIRE.2."""

    repeated_wounds: Annotated[Small, Field(description="Wounds of a condition one already has."), _wounds]
    poison_1_wounds: Annotated[Small, Field(description="Wounds of Poison I in a Time Phase."), _wounds]
    poison_2_wounds: Annotated[Small, Field(description="Wounds of Poison II in a Time Phase."), _wounds]
    fire_wounds: Annotated[Small, Field(description="Wounds of each Fire token in a Time Phase."), _wounds]
    slowed_activities: Annotated[Small, Field(description="Activities of a slowed hero.")]


class PowerRule(Record):
    """The longest cooldown of a power: IS-POW.4."""

    longest_cooldown: Annotated[Small, Field(description="Most hourglasses of a power."), Header(unit="rounds")]


class BoardRule(Record):
    """Sight, terrain and Sprint: IS-TERR.3, IS-TERR.4, IS-LOS.3, IS-ACT.12."""

    sight_areas: Annotated[Small, Field(description="How far anybody sees."), Header(unit="areas")]
    difficult_cost: Annotated[Small, Field(description="What a difficult area costs to enter."), Header(unit="points")]
    deadly_wounds: Annotated[Small, Field(description="Wounds of entering a deadly area."), _wounds]
    sprint_points: Annotated[Small, Field(description="What Sprint adds to a Move."), Header(unit="points")]


class PartyRule(Record):
    """The size of a party, by the game's components, and ranks: IS-ECO.1, IS-HP.3."""

    fewest: Annotated[Small, Field(description="Fewest heroes."), Header(unit="heroes")]
    most: Annotated[Small, Field(description="Most heroes."), Header(unit="heroes")]
    many: Annotated[
        Small, Field(description="From how many on the second of two numbers holds."), Header(unit="heroes")
    ]
    rank_costs: Annotated[
        tuple[Small, ...],
        Field(min_length=7, max_length=7, description="What ranks I to VII cost, each from the one before."),
        Header(unit="Soul Points"),
    ]
    ranks_lost: Annotated[Small, Field(description="Ranks that a hero loses by dying."), Header(unit="ranks")]


class EnemyRule(Record):
    """Limits of Enemy Power cards: IS-ENE.9, IS-ENE.11."""

    most_power_cards: Annotated[Small, Field(description="Most Enemy Power cards of an enemy."), Header(unit="cards")]
    cards_for_a_kill: Annotated[
        Small, Field(description="Cards that a green or blue enemy draws for killing a hero."), Header(unit="cards")
    ]


class EconomyRule(Record):
    """IS-ECO: the emporium, the forge and the Rising Pony."""

    sale_per_act: Annotated[Crowns, Field(description="What an item sells for, times the act."), _crowns]
    forging: Annotated[Crowns, Field(description="What forging an item costs."), _crowns]
    pony_stake: Annotated[Crowns, Field(description="What a game at the Rising Pony costs."), _crowns]
    pony_results: Annotated[
        tuple[Literal["HIT", "ABI", "MAG", "SHD", "LEG", "MIS"], ...],
        Field(min_length=3, max_length=3, description="Results one may name, in the order of their prizes."),
    ]
    pony_prizes: Annotated[
        tuple[Crowns, ...], Field(min_length=3, max_length=3, description="What each of them pays."), _crowns
    ]
    pony_die: Annotated[Literal["blue", "red"], Field(description="The die that is rolled for it.")]


class Constants(Record):
    """The numbers that the rulebook states, by what they are about."""

    attack: AttackRule
    defence: DefenceRule
    conditions: ConditionRule
    powers: PowerRule
    board: BoardRule
    party: PartyRule
    enemies: EnemyRule
    economy: EconomyRule
