"""The cards of fighters: dice, criticals, heroes and their gems, what they carry and can do, and enemies."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from balance.base.errors import comma_list, suggestion
from balance.catalogue import Better, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.cells import BadCell
from balance.games.immortal_souls.rules.effects import (
    RESULTS,
    AttackEffects,
    DamageType,
    DefenceEffects,
    Modifiers,
    Result,
)

Style = Literal["dexterity", "faith", "magic", "strength"]
Victim = Literal["most_wounded", "nearest", "richest", "dexterity", "faith", "magic", "strength"]
Condition = Literal["none", "ko", "stun", "slow", "blind", "poison1", "poison2"]

CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name for people."), Header(("nome",))]
Count = Annotated[int, Field(ge=0, le=20)]
Penalty = Annotated[int, Field(ge=-20, le=0)]
Areas = Annotated[int, Field(ge=0, le=9)]
Rank = Annotated[int, Field(ge=1, le=7, description="Soul rank, I to VII."), Header(("grado", "soulrank"))]
Health = Annotated[
    int, Field(ge=1, le=999, description="Wounds that kill."), Header(("vita", "pv"), unit="wounds"), Better("more")
]
Sure = Annotated[
    Count, Field(description="Hits without a roll."), Header(("colpi_sicuri",), unit="hits"), Better("more")
]
Red = Annotated[Count, Field(description="Red dice."), Header(("rossi",), unit="dice")]
Blue = Annotated[Count, Field(description="Blue dice."), Header(("blu",), unit="dice")]
ArmourValue = Annotated[
    Count, Field(description="Hits it takes off every attack."), Header(("armatura",), unit="hits"), Better("more")
]
Shields = Annotated[
    Count,
    Field(description="Magic shields: hits cancelled in a round."),
    Header(("scudi",), unit="hits"),
    Better("more"),
]
DefenceDice = Annotated[
    Count, Field(description="Most blue dice in defence."), Header(("dadi_difesa",), unit="dice"), Better("more")
]
RangeAreas = Annotated[
    Areas, Field(description="How far it reaches; 0 is melee."), Header(("range", "gittata"), unit="areas")
]
Price = Annotated[
    int, Field(ge=0, le=9999, description="What it costs."), Header(("prezzo",), unit="crowns"), Better("less")
]
Styles = Annotated[
    tuple[Style, ...], SortedSet, Field(description="Styles that may use it; none for anybody."), Header(("stili",))
]
OnAttack = Annotated[AttackEffects, Field(description="What an attacker may buy."), Header(("effetti",))]
OnDefence = Annotated[DefenceEffects, Field(description="What a defender may buy.")]
Charges = Annotated[
    Count, Field(description="Charges when it is new, which are also the most."), Header(("cariche",)), Better("more")
]


def _results(value: object) -> object:
    if isinstance(value, tuple) and not 1 <= len(value) <= 2:
        message = f"are {len(value)} results on one face" if value else "is empty"
        raise BadCell(message, allowed=f"1 or 2 of {comma_list(RESULTS)}")
    return value


DICE = ("sure", "red", "blue")
BY_RANK = {f"{field}:{rank}" for field in (*DICE, "heals") for rank in ("R", "R/2")}


def _by_rank(value: object) -> object:
    for text in value if isinstance(value, tuple) else ():
        if text not in BY_RANK:
            tip = suggestion(str(text), BY_RANK)
            raise BadCell("is not what a soul rank adds", tip, allowed="FIELD:R or FIELD:R/2, such as heals:R/2")
    return value


class Face(Record):
    """A face of a die (IS-DIE.1 to IS-DIE.3)."""

    id: CardId
    die: Annotated[Literal["red", "blue"], Field(description="The die it is on."), Header(("dado",))]
    results: Annotated[
        tuple[Result, ...], BeforeValidator(_results), Field(description="What it shows."), Header(("risultati",))
    ]


class Critical(Record):
    """A kind of critical token, and how many are in the bag (IS-CRIT.1, IS-CRIT.4 to IS-CRIT.8)."""

    id: CardId
    name: CardName
    colour: Annotated[
        Literal["green", "blue", "red"],
        Field(description="Green is instant, blue a condition, red stays."),
        Header(("color", "colore")),
    ]
    tokens: Annotated[Count, Field(description="Tokens in the bag."), Header(("segnalini",))]
    wounds: Annotated[Count, Field(description="Wounds at once."), Header(("ferite",), unit="wounds")]
    armour: Annotated[Penalty, Field(description="What it changes armour by."), Header(("armatura",), unit="hits")]
    hits: Annotated[Penalty, Field(description="What it changes every attack by."), Header(unit="hits")]
    max_health: Annotated[Penalty, Field(description="What it changes health by."), Header(unit="wounds")]
    condition: Annotated[Condition, Field(description="The condition it gives."), Header(("condizione",))]
    silences: Annotated[bool, Field(description="Whether effects of items and powers are no longer to be used.")]

    @model_validator(mode="after")
    def _is_what_its_colour_says(self) -> Self:
        if self.colour != "red" and (self.armour or self.hits or self.max_health or self.silences):
            raise BadCell("changes what only a red token can change")
        if (self.condition != "none") and self.colour != "blue":
            raise BadCell("gives a condition, which only a blue token does")
        return self


class Hero(Record):
    """A class of a hero (IS-ITEM.2, IS-SAVE.1, section 4 of the ledger)."""

    id: CardId
    name: CardName
    person: Annotated[EntryId, Field(description="Who it is; a party has each person once."), Header(("persona",))]
    alignment: Annotated[
        Literal["lawful", "neutral", "chaos"],
        Field(description="Lawful and chaos are never in one party."),
        Header(("allineamento",)),
    ]
    style: Annotated[Style, Field(description="How it fights; decides what it may use."), Header(("stile",))]
    save: Annotated[Result, Field(description="The result that makes a save."), Header(("tiro_salvezza",))]
    movement: Annotated[
        Count, Field(description="Movement points of a Move."), Header(("movimento",), unit="areas"), Better("more")
    ]
    carry: Annotated[
        Count, Field(description="Unequipped items it carries."), Header(("trasporto",), unit="items"), Better("more")
    ]
    weapon: Annotated[EntryId | None, Field(description="Primary weapon; none is unarmed."), Header(("arma",))]
    off_hand: Annotated[EntryId | None, Field(description="Secondary weapon.")]
    armour: Annotated[EntryId | None, Field(description="Armour it wears."), Header(("armatura",))]
    artefacts: Annotated[tuple[EntryId, ...], Field(description="Artefacts it carries."), Header(("artefatti",))]
    powers: Annotated[
        tuple[EntryId, ...],
        Field(description="Powers it takes, in this order, as its gem allows; the innate ones come first."),
        Header(("poteri",)),
    ]


class Gem(Record):
    """What a hero has at a soul rank (IS-HP.9)."""

    id: CardId
    hero: Annotated[EntryId, Field(description="Whose gem it is."), Header(("eroe",))]
    rank: Rank
    health: Health
    powers: Annotated[
        Count, Field(description="Powers it may have beside innate ones."), Header(("poteri",)), Better("more")
    ]
    talents: Annotated[Count, Field(description="Talents it may have."), Header(("talenti",)), Better("more")]
    combat_activities: Annotated[Count, Field(description="Attacks or combat powers in a turn."), Better("more")]
    actions: Annotated[Count, Field(description="Actions in a turn."), Header(("azioni",)), Better("more")]


class Power(Record):
    """A printed level of a power (IS-POW.1 to IS-POW.4)."""

    id: CardId
    name: CardName
    power: Annotated[EntryId, Field(description="The power whose level it is."), Header(("potere",))]
    hero: Annotated[
        tuple[EntryId, ...], Field(description="Who may take it; nobody named: a talent of all."), Header(("eroe",))
    ]
    rank: Rank
    activation: Annotated[
        Literal["passive", "move", "combat", "action", "free", "reaction"],
        Field(description="The activity it takes."),
        Header(("attivazione",)),
    ]
    innate: Annotated[bool, Field(description="Whether it is printed on the hero's card."), Header(("innato",))]
    cooldown: Annotated[
        int, Field(ge=0, le=4, description="Hourglasses after its use; 0 never cools."), Header(unit="rounds")
    ]
    damage_type: Annotated[DamageType, Field(description="What resistances look at."), Header(("danno",))]
    range_areas: RangeAreas
    sure: Sure
    red: Red
    blue: Blue
    effects: OnAttack
    targets: Annotated[Count, Field(description="Enemies that the next attack hits; 0 changes nothing.")]
    extra_attacks: Annotated[Count, Field(description="Attacks it gives with the secondary weapon.")]
    heals: Annotated[Count, Field(description="Wounds it heals."), Header(("cura",), unit="wounds")]
    shields: Shields
    saves_dice: Annotated[Count, Field(description="Dice of a save, the best counts; 0 changes nothing.")]
    taunts: Annotated[bool, Field(description="Whether it takes the threat of a Master.")]
    companion: Annotated[EntryId | None, Field(description="The companion that it calls."), Header(("compagno",))]
    by_rank: Annotated[
        tuple[str, ...], BeforeValidator(_by_rank), Field(description="What the soul rank adds: FIELD:R or FIELD:R/2.")
    ]

    @model_validator(mode="after")
    def _has_effects_for_an_attack(self) -> Self:
        area = len(self.effects) == 1 and self.effects[0].startswith("area") and self.effects[0].endswith("@")
        if self.effects and not self.is_attack and not area:
            raise BadCell("has effects that no attack buys", allowed="for healing area0@, area1@ or area2@ (IS-AOE.3)")
        return self

    @property
    def is_attack(self) -> bool:
        """Whether it makes an attack of its own, rather than changing others."""
        return self.sure + self.red + self.blue > 0 or any(text.startswith(DICE) for text in self.by_rank)


class Companion(Record):
    """An ally that a power of a hero calls, with all that it fights with (IS-POW.11, IS-POW.12)."""

    id: CardId
    name: CardName
    style: Annotated[Style, Field(description="How it fights; some enemies prefer a style."), Header(("stile",))]
    movement: Annotated[
        Count, Field(description="Movement points of a Move."), Header(("movimento",), unit="areas"), Better("more")
    ]
    health: Health
    armour: ArmourValue
    shields: Shields
    defence_dice: DefenceDice
    defence_effects: OnDefence
    weapon: Annotated[EntryId, Field(description="What it attacks with."), Header(("arma",))]
    innate: Annotated[
        EntryId | None,
        Field(description="The attack that its innate power makes after that with its weapon, as a weapon."),
        Header(("innato",)),
    ]


class Enemy(Record):
    """A kind of enemy at a rank: its card, and what its scroll says of its attacks (IS-ENE.1 to IS-ENE.7)."""

    id: CardId
    name: CardName
    kind: Annotated[EntryId, Field(description="Its race and trade."), Header(("tipo", "razza"))]
    rank: Annotated[
        Literal["green", "blue", "red", "purple"],
        Field(description="From the weakest to a Master."),
        Header(("grado", "rango")),
    ]
    style: Annotated[
        Literal["dexterity", "faith", "magic", "strength", "jolly"],
        Field(description="What encounter cards look for; jolly is all."),
        Header(("stile",)),
    ]
    victim: Annotated[Victim, Field(description="Whom it prefers."), Header(("vittima",))]
    copies: Annotated[Count, Field(description="Cards in the deck of enemies."), Header(("copie",))]
    health: Health
    health_many: Annotated[
        int,
        Field(ge=1, le=999, description="Wounds that kill it where heroes are many."),
        Header(unit="wounds"),
        Better("more"),
    ]
    armour: ArmourValue
    shields: Shields
    defence_dice: DefenceDice
    modifiers: Annotated[Modifiers, Field(description="Weaknesses and resistances."), Header(("debolezze",))]
    defence_effects: OnDefence
    weapon: Annotated[EntryId, Field(description="Its primary weapon."), Header(("arma",))]
    off_weapon: Annotated[EntryId | None, Field(description="Its secondary weapon.")]
    attacks: Annotated[Count, Field(description="Attacks in an activation."), Header(("attacchi",))]
    slowed_attacks: Annotated[Count, Field(description="Attacks in the first sentence of its rules.")]
    scroll: Annotated[EntryId, Field(description="The rules it acts by."), Header(("pergamena",))]
    powers: Annotated[tuple[EntryId, ...], Field(description="Enemy powers its scroll names."), Header(("poteri",))]
    power_icons: Annotated[Count, Field(description="Enemy Power cards it enters with.")]
    charges: Charges
    minis: Annotated[int, Field(ge=1, le=9, description="Miniatures; a horde has several."), Header(("miniature",))]
    soul_points: Annotated[Count, Field(description="Soul Points for killing it."), Header(("punti_anima",))]
    crowns: Annotated[int, Field(ge=0, le=999, description="Crowns it drops."), Header(("corone",), unit="crowns")]
    flying: Annotated[bool, Field(description="Whether it flies: ignores K.O. and terrain."), Header(("volante",))]
    stun_immune: Annotated[bool, Field(description="Whether it ignores Stun.")]
    vindictive: Annotated[bool, Field(description="Whether it hunts who threatens it."), Header(("vendicativo",))]
    other_side: Annotated[
        EntryId | None, Field(description="The other side of a Master's card, once it is turned over.")
    ]
    flips_at_health: Annotated[
        int | None,
        Field(ge=1, le=999, description="With so much health left its card is turned over."),
        Header(unit="wounds"),
    ]
