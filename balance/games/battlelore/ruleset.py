"""The rule options and the constants of the BattleLore rules, as records; their values live in `rules.toml`.

A rule option is one open question of the rulebook (the ledger's BL-Q ids); a constant is a number the rulebook states.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import Header, Record, Rules

Face = Literal["G", "B", "R", "S", "F", "L"]
Small = Annotated[int, Field(ge=0, le=99)]


class BattleLoreRules(Rules):
    """The readings in force of every rule the rulebook leaves open; `rules.toml` explains each."""

    bold_sources: Literal["add", "dwarves_only", "never"]
    short_sword_vs_creature: Literal["all", "all_but_one", "none"]
    crossbow_after_moving: Literal["one_fewer", "full"]
    bow_after_moving: Literal["one_fewer", "to_one"]
    battle_back_needs: Literal["bold", "ignored_flag"]
    battle_back_on_bonus: bool
    ford_pursuit: Literal["pass", "stop"]
    trample: Literal["in_path", "all_adjacent"]
    trample_clears_way: bool
    webbed_flags: Literal["all_hit", "taken_hit"]
    freed_unit: Literal["move_and_battle", "move_or_battle"]
    poison_lore: Literal["consumed", "collected"]
    edge_sight: Literal["both_sides", "same_edge"]
    hill_sight: Literal["over_adjacent", "target_only"]
    heavy_infantry_weapon: Literal["short_sword", "long_sword"]
    rampart_along: Literal["free", "stop"]
    bonus_target: Literal["any", "other"]
    battle_back_caps: Literal["swapped", "none"]
    lore_deck: Literal["as_read", "any"]
    income: Literal["before", "after"]

    @property
    def back_needs_flag(self) -> bool:
        """Whether only a unit that has ignored a flag may battle back (BL-Q12, the other reading)."""
        return self.battle_back_needs == "ignored_flag"


class DieRule(Record):
    """The faces of the battle die (BL-DIE-01)."""

    faces: Annotated[
        tuple[Face, ...],
        Field(
            min_length=1,
            max_length=20,
            description="The faces: green, blue, red helmet, sword on shield, flag, Lore, by letter.",
        ),
    ]


class MoraleRule(Record):
    """Support and the boldness that it and creatures have (BL-MOR-02, BL-MOR-07 and BL-CRE-05)."""

    friends_for_support: Annotated[
        Small, Field(description="Adjacent friends that support a unit."), Header(unit="units")
    ]
    support_bold: Annotated[Small, Field(description="Flags support lets a unit ignore."), Header(unit="flags")]
    creature_bold: Annotated[Small, Field(description="Flags a creature must ignore."), Header(unit="flags")]


class LoreRule(Record):
    """Prices and rewards in Lore (BL-CRE-04, BL-CRE-14, BL-CRE-15, BL-CRE-16, BL-LMK-07 and BL-LORE-02)."""

    creature_kill: Annotated[Small, Field(description="Reward for killing a creature."), Header(unit="Lore")]
    web: Annotated[Small, Field(description="What Web costs."), Header(unit="Lore")]
    poison: Annotated[Small, Field(description="What Poison costs, with a hit."), Header(unit="Lore")]
    free_from_web: Annotated[Small, Field(description="What freeing a webbed unit costs."), Header(unit="Lore")]
    out_of_section: Annotated[Small, Field(description="Ordering a creature out of section."), Header(unit="Lore")]
    out_of_character: Annotated[Small, Field(description="Surcharge of a foreign Lore card."), Header(unit="Lore")]
    passage: Annotated[Small, Field(description="Moving through a secret passage."), Header(unit="Lore")]
    tokens: Annotated[int, Field(ge=0, le=999, description="Lore tokens in the pool."), Header(unit="Lore")]


class Board(Record):
    """The board (BL-SETUP-01): a row of hexes is 26 half hexes long, and the centre of its first hex is at 0."""

    rows: Annotated[Small, Field(description="Rows of hexes."), Header(unit="hexes")]
    columns: Annotated[Small, Field(description="Hexes in a row."), Header(unit="hexes")]
    section_lines: Annotated[
        tuple[Small, ...],
        Field(
            min_length=2,
            max_length=2,
            description="Where the lines between the sections run, from the middle of a row's first hex.",
        ),
        Header(unit="half hexes"),
    ]


class Banners(Record):
    """The usual range of victory banners needed to win (BL-WIN-01)."""

    low: Annotated[Small, Field(description="The fewest that usually win.")]
    high: Annotated[Small, Field(description="The most that usually win.")]


class ByCommander(Record):
    """Command cards in hand by the level of the Commander (BL-WC-02)."""

    none: Annotated[Small, Field(description="Without a Commander."), Header(unit="cards")]
    level_1: Annotated[Small, Field(description="With a Commander of level 1."), Header(unit="cards")]
    level_2: Annotated[Small, Field(description="With a Commander of level 2."), Header(unit="cards")]
    level_3: Annotated[Small, Field(description="With a Commander of level 3."), Header(unit="cards")]


class ByLevel(Record):
    """Cards or tokens of a side by the highest level of its Lore Masters."""

    level_1: Annotated[Small, Field(description="Highest level 1.")]
    level_2: Annotated[Small, Field(description="Highest level 2.")]
    level_3: Annotated[Small, Field(description="Highest level 3.")]


class LoreDeck(Record):
    """Number of cards of a class in the Lore deck, by how many councils have its master (BL-WC-05)."""

    in_both: Annotated[Small, Field(description="The class sits in both councils."), Header(unit="cards")]
    in_one: Annotated[Small, Field(description="The class sits in one council."), Header(unit="cards")]
    in_none: Annotated[Small, Field(description="The class sits in neither council."), Header(unit="cards")]


class WarCouncil(Record):
    """What the levels of a war council give (BL-WC-01 to BL-WC-07)."""

    command_cards: ByCommander
    lore_cards: ByLevel
    lore_tokens: ByLevel
    lore_hand: ByLevel
    lore_deck: LoreDeck
    usual_levels: Annotated[Small, Field(description="Levels of a custom council, recommended.")]
    most_levels: Annotated[Small, Field(description="Levels of a custom council, at most.")]


class Constants(Record):
    """The numbers the rulebook states; `rules.toml` has their values."""

    die: DieRule
    morale: MoraleRule
    lore: LoreRule
    board: Board
    banners: Banners
    war_council: WarCouncil
