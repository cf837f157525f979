"""The tables of an encounter: enemy powers, scrolls, encounter cards, events, maps of areas, and what stands where."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field

from balance.base.errors import comma_list, suggestion
from balance.base.text import slug
from balance.catalogue import EntryId, Header, Record
from balance.catalogue.tables.cells import BadCell
from balance.games.immortal_souls.rules.effects import AttackEffects, Modifiers, Result
from balance.games.immortal_souls.tables.cards import CardId, CardName
from balance.games.immortal_souls.tables.ground import FiresLaid, GatesOpen, ShadowsLaid, StoriesLaid, WallsLaid

Distance = Literal["0", "1", "2", "3", "4", "5", "+"]
STEPS = ("engage", "move_1", "move_2", "move_3", "attack", "attack_off", "shoot_2", "retreat")
"""What a sentence of a rule is made of: `engage` moves into the victim's area, `move_N` so many areas towards it,
`attack` is with the primary and `attack_off` with the secondary weapon, `shoot_2` with the secondary one at the nearest
hero in sight who is at most 2 areas away."""
EnemyGroup = Literal[
    "none", "any", "green", "blue", "red", "purple", "highest_rank",
    "dexterity", "faith", "magic", "strength", "engaged", "wounded",
]  # fmt: skip

Count = Annotated[int, Field(ge=0, le=20)]
Change = Annotated[int, Field(ge=-9, le=9)]
Copies = Annotated[Count, Field(description="Cards in the deck."), Header(("copie",))]
HowMany = Annotated[int | None, Field(ge=1, le=9, description="How many of them; empty for all.")]
Spawn = Annotated[
    int | None,
    Field(ge=-9, le=9, description="What is added to heroes less enemies in play; empty spawns none."),
    Header(unit="enemies"),
]


class EnemyPower(Record):
    """What an enemy can do beside its rules: a power of scrolls, or an Enemy Power card (IS-ENE.4, IS-ENE.9)."""

    id: CardId
    name: CardName
    group: Annotated[EntryId, Field(description="An enemy has one card of a group at most."), Header(("gruppo",))]
    level: Annotated[int, Field(ge=1, le=3, description="The act it is for, or its number.")]
    trigger: Annotated[
        Literal["always", "attack", "wounds_dealt", "wounded", "dominating", "hero_enters", "special"],
        Field(description="When it is used: always, with each attack, after one that wounds, when wounded, ..."),
    ]
    charged: Annotated[bool, Field(description="Whether it takes a charge.")]
    save: Annotated[bool, Field(description="Whether a save of the hero stops it.")]
    hits: Annotated[Change, Field(description="What it adds to its attacks."), Header(unit="hits")]
    armour: Annotated[Change, Field(description="What it adds to its armour."), Header(unit="hits")]
    shields: Annotated[Count, Field(description="Magic shields it adds."), Header(unit="hits")]
    defence_dice: Annotated[Change, Field(description="Blue dice it adds to the defence."), Header(unit="dice")]
    effects: Annotated[AttackEffects, Field(description="What it adds to what is bought with its attacks.")]
    modifiers: Annotated[Modifiers, Field(description="Weaknesses and resistances it adds.")]
    heals: Annotated[Count, Field(description="Wounds it heals."), Header(unit="wounds")]
    hero_hits: Annotated[Change, Field(description="What it changes the victim's attacks by."), Header(unit="hits")]
    extra_attack: Annotated[
        Literal["none", "primary", "secondary"], Field(description="The weapon it attacks with once more.")
    ]
    copies: Copies


def parse_sentence(text: str) -> tuple[str, ...]:
    """Read a sentence of a rule: its steps, joined by +; raise BadCell if one is none of `STEPS`.

    >>> parse_sentence("Engage + attack")
    ('engage', 'attack')
    """
    steps = tuple(slug(step) for step in text.split("+"))
    for step in steps:
        if step not in STEPS:
            raise BadCell(
                f"has the unknown step {step!r}", suggestion(step, STEPS), allowed=f"{comma_list(STEPS)}, joined by +"
            )
    return steps


def _not_empty(value: object) -> object:
    if value == ():
        raise BadCell("is empty")
    return value


class Scroll(Record):
    """A rule of a scroll (IS-ENE.3, IS-AI.7)."""

    id: CardId
    scroll: Annotated[EntryId, Field(description="The scroll it is of."), Header(("pergamena",))]
    order: Annotated[int, Field(ge=1, le=9, description="Rules are tried in this order."), Header(("ordine",))]
    distances: Annotated[
        tuple[Distance, ...],
        BeforeValidator(_not_empty),
        Field(description="How far the victim may be; + is the rule of last resort."),
        Header(("distanze",), unit="areas"),
    ]
    do: Annotated[
        tuple[Annotated[str, AfterValidator(lambda text: "+".join(parse_sentence(text)))], ...],
        BeforeValidator(_not_empty),
        Field(description="Its sentences, each of steps joined by +; a slowed enemy does the first."),
        Header(("fa",)),
    ]


class EncounterCard(Record):
    """Which enemies act in an Enemy Turn (IS-AI.2, IS-AI.5, IS-AI.6)."""

    id: CardId
    name: CardName
    who: Annotated[EnemyGroup, Field(description="Which enemies act; engaged ones have a hero in their area.")]
    number: HowMany
    otherwise: Annotated[EnemyGroup, Field(description="Which act if none of those is in play.")]
    otherwise_number: HowMany
    reshuffle: Annotated[bool, Field(description="Whether the deck is shuffled with its discards after it.")]
    copies: Copies


class Shadow(Record):
    """A kind of Shadow token (IS-ENE.13)."""

    id: CardId
    name: CardName
    what: Annotated[
        Literal["citizen", "enemy", "champion", "two_enemies", "quest_enemy", "quest_moment"],
        Field(description="What it is; a champion is an enemy with one more power."),
    ]
    copies: Annotated[Count, Field(description="Tokens in the pool."), Header(("copie",))]


class Event(Record):
    """An event card (IS-EVT, IS-SPAWN.1)."""

    id: CardId
    name: CardName
    kind: Annotated[
        Literal["standard", "night", "day", "story"],
        Field(description="Night and day last until the other comes."),
        Header(("tipo",)),
    ]
    spawn_few: Spawn
    spawn_many: Spawn
    hero_hits: Annotated[Change, Field(description="What heroes' attacks change by meanwhile."), Header(unit="hits")]
    enemy_hits: Annotated[Change, Field(description="What enemies' attacks change by meanwhile."), Header(unit="hits")]
    powers_turned: Annotated[
        int,
        Field(ge=-4, le=4, description="Steps that heroes' cooling powers turn at once; below 0 they turn back."),
        Header(unit="rounds"),
    ]
    spawns: Annotated[Count, Field(description="Enemies that appear beside those by formula."), Header(unit="enemies")]
    activates: Annotated[Count, Field(description="Enemies that act at once."), Header(unit="enemies")]
    rekindles: Annotated[bool, Field(description="Whether areas burn again as they did at the start.")]
    shadows: Annotated[Count, Field(description="Shadows that are laid anew where none lies."), Header(unit="tokens")]


def parse_line(text: str) -> tuple[str, ...]:
    """Read a straight line of sight: the areas it crosses and the one it reaches, joined by >.

    >>> parse_line("crypt_2 > crypt_3")
    ('crypt_2', 'crypt_3')
    """
    areas = tuple(slug(area) for area in text.split(">"))
    if not all(areas) or len(set(areas)) < len(areas):
        raise BadCell("is not a line of sight", allowed="areas joined by >, each once, such as crypt_2>crypt_3")
    return areas


class Area(Record):
    """An area of a map (IS-TERR, IS-LOS, IS-SPAWN.3)."""

    id: CardId
    map: Annotated[EntryId, Field(description="The map it is on."), Header(("mappa",))]
    neighbours: Annotated[
        tuple[EntryId, ...], Field(description="Areas it shares an open side with."), Header(("vicine",))
    ]
    barriers: Annotated[
        tuple[EntryId, ...],
        Field(description="Neighbours that nobody on foot crosses to from here."),
        Header(("barriere",)),
    ]
    difficult: Annotated[bool, Field(description="Whether heroes pay more to enter."), Header(("difficile",))]
    deadly: Annotated[bool, Field(description="Whether heroes are wounded entering."), Header(("mortale",))]
    lines: Annotated[
        tuple[Annotated[str, AfterValidator(lambda text: ">".join(parse_line(text)))], ...],
        Field(description="Lines of sight beyond neighbours: areas crossed and the one seen, joined by >; either end."),
        Header(("sight", "linee")),
    ]
    gate: Annotated[Result | None, Field(description="The symbol of its spawn gate; empty for none.")]
    altar: Annotated[bool, Field(description="Whether heroes may be resurrected here."), Header(("altare",))]


class Placement(NamedTuple):
    """An enemy where it stands as an encounter begins."""

    enemy: str
    area: str


def parse_placed(text: str) -> Placement:
    """Read where an enemy stands as an encounter begins, written ENEMY@AREA.

    >>> parse_placed("Green Gremlin@crypt_5")
    Placement(enemy='green_gremlin', area='crypt_5')
    """
    enemy, area = (slug(part) for part in text.partition("@")[::2])
    if not enemy or not area:
        raise BadCell("does not say who stands where", allowed="ENEMY@AREA, such as green_gremlin@crypt_5")
    return Placement(enemy, area)


EnemiesPlaced = tuple[Annotated[str, AfterValidator(lambda text: "@".join(parse_placed(text)))], ...]


class Encounter(Record):
    """A fight: its map, who stands where, the decks, and when it is won."""

    id: CardId
    name: CardName
    map: Annotated[EntryId, Field(description="The map it is on."), Header(("mappa",))]
    start: Annotated[EntryId, Field(description="The area where the heroes start."), Header(("inizio",))]
    enemies: Annotated[EnemiesPlaced, Field(description="Enemies at the start, each ENEMY@AREA."), Header(("nemici",))]
    enemies_many: Annotated[EnemiesPlaced, Field(description="More of them where heroes are many.")]
    deck: Annotated[
        tuple[EntryId, ...], Field(description="Enemies that may be spawned, each as often as it has cards.")
    ]
    events: Annotated[tuple[EntryId, ...], Field(description="The event deck; it is shuffled."), Header(("eventi",))]
    goal: Annotated[
        Literal["kill_all", "kill_masters", "survive"], Field(description="What wins it."), Header(("obiettivo",))
    ]
    rounds: Annotated[
        int | None,
        Field(ge=1, le=99, description="Rounds to be survived; empty where something is to be killed."),
        Header(("round", "turni"), unit="rounds"),
    ]
    walls: Annotated[WallsLaid, Field(description="Wall tokens, each AREA/AREA: neighbours that it parts.")]
    fires: Annotated[
        FiresLaid, Field(description="Fire tokens of areas, each AREA:SIDE; each Time Phase burns them down.")
    ]
    gates: Annotated[
        GatesOpen,
        Field(description="When gates are open, each AREA@ROUND or AREA@FIRST-LAST; one not named always is."),
    ]
    stories: Annotated[
        StoriesLaid, Field(description="Story events on the map, each EVENT@AREA, for the first hero who comes there.")
    ]
    shadows: Annotated[
        ShadowsLaid, Field(description="Where Shadows lie, each AREA or AREA:HEROES, the least heroes for it.")
    ]
    quest_enemy: Annotated[
        EntryId | None, Field(description="The enemy of the deck that a Shadow may be; empty leaves it out.")
    ]
    quest_moment: Annotated[EntryId | None, Field(description="The story that a Shadow may be; empty leaves it out.")]
