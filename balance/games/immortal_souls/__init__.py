"""Immortal Souls: heroes spend what their dice show, enemies act by the rules; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Mapping

from balance.catalogue import Record
from balance.game.armies.armies import army_of
from balance.game.game import Column, Game, QuestionKind
from balance.game.kit import WINNER, per_side
from balance.game.setup import EntrantKind, StepUnits
from balance.games.immortal_souls.encounter.kind import encounter_kind, party_of
from balance.games.immortal_souls.fights import duel_processes, duel_setup
from balance.games.immortal_souls.quest.gamble import GAMBLE_COLUMNS, WAGER, gamble_processes, gamble_setup
from balance.games.immortal_souls.quest.kind import quest_kind
from balance.games.immortal_souls.rules.harm import CONDITIONS
from balance.games.immortal_souls.rules.policies import ATTACK_POLICIES, DUEL_POLICIES
from balance.games.immortal_souls.setup import attack_processes, attack_setup
from balance.games.immortal_souls.sides import TYPES_IN_STEPS, enemies_in_steps, read_side
from balance.games.immortal_souls.situation import AttackSituation, DuelSituation
from balance.games.immortal_souls.stances import AttackStance, DefenceStance, DuelStance
from balance.games.immortal_souls.tables.cards import Enemy, Hero
from balance.games.immortal_souls.tables.characters import cards_of, character_of, soul_points_of
from balance.games.immortal_souls.tables.tables import SPEC

__all__ = ["GAME"]

HERO = EntrantKind(
    "hero",
    ids=lambda catalogue: list(catalogue.entries(Hero)),
    label=lambda catalogue, text: character_of(catalogue, text, 7).name,
    cost_points=soul_points_of,
    read=read_side,
    written="HERO[+ITEM...], or an enemy",
    joined_by="+",
    cards=cards_of,
)
ENEMY = EntrantKind(
    "enemy",
    ids=lambda catalogue: list(catalogue.entries(Enemy)),
    label=lambda catalogue, text: character_of(catalogue, text, 7).name,
    cost_points=soul_points_of,
    read=read_side,
    written="ENEMY[+WEAPON], or a hero",
    joined_by="+",
    cards=cards_of,
)
GROUP = army_of(ENEMY, "group")
"""Who is attacked: the target, then the others in its area."""

CONDITION_WORDS = {
    "ko": "1 if the target is knocked out afterwards",
    "stun": "1 if it is stunned",
    "slow": "1 if it is slowed",
    "blind": "1 if it is blinded",
    "poison": "1 or 2 if it is poisoned so",
}
ATTACK_COLUMNS: Mapping[str, Column] = {
    "hits": Column("hits of the attack, before the defence", says="hits"),
    "lethal": Column("of these, lethal hits"),
    "wounds": Column("wounds the target takes", "effect", per="attack"),
    "symbols_left": Column("results of the roll that nobody spent"),
    "effects_bought": Column("effects bought, free ones included"),
    **{name: Column(CONDITION_WORDS[name]) for name in CONDITIONS},
    "fire1": Column("Fire I tokens laid"),
    "fire2": Column("Fire II tokens laid"),
    "others_wounds": Column("wounds the others in the area take"),
}
DUEL_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun", "duration"),
    **per_side("health", "health {me} has left"),
}

ATTACK = QuestionKind(
    "attack",
    ("attacker", "defender"),
    (HERO, GROUP),
    attack_processes,
    ATTACK_COLUMNS,
    attack_setup,
    asks="what one attack does",
    policies=ATTACK_POLICIES,
    played=(
        "One attack: the dice, what their results buy, and the defence. The target is whole, has its shields, and "
        "nobody dominates its area, unless set; others of its faction stand in its area if they are named. Nobody wins."
    ),
    cannot_see=(
        "The board: sight, range and who dominates an area are what the situation says.",
        "Health: wounds count even beyond what is left.",
        "Other powers: those that change dice, and those of enemies that follow an attack.",
        "Charges and soul gems: what an artefact or a soul weapon can do costs nothing.",
    ),
    situation=AttackSituation,
    stances=(AttackStance, DefenceStance),
)
DUEL = QuestionKind(
    "duel",
    ("a", "b"),
    (HERO, ENEMY),
    duel_processes,
    DUEL_COLUMNS,
    duel_setup,
    asks="who wins a duel",
    unbounded=True,
    policies=DUEL_POLICIES,
    played=(
        "A hero and an enemy in one area, whole and with their shields unless set. Each round the hero attacks, with "
        "his power if it is ready and with focus if he has an action, then the enemy if its card lets it act. The one "
        "that is left has won; a hero who dies becomes a ghost and has lost."
    ),
    cannot_see=(
        "The party: a lone hero has nobody beside him, and dominates an area only over a foe that is knocked out.",
        "Movement: nobody evades, and range does not count.",
        "Other powers: a hero's that are no attack, and those of enemies.",
        "The bag of criticals: it is whole at each draw.",
        "Charges and soul gems: what an artefact or a soul weapon can do costs nothing.",
    ),
    situation=DuelSituation,
    stances=(DuelStance, DuelStance),
)
GAMBLE = QuestionKind(
    "gamble",
    ("hero", "wager"),
    (HERO, WAGER),
    gamble_processes,
    GAMBLE_COLUMNS,
    gamble_setup,
    asks="what a game at the Rising Pony pays",
    played="A hero pays the stake, names a result and rolls one die; if it shows what he named, he is paid its prize.",
    cannot_see=("Visits: each hero plays once, and crowns won have no use in a fight.",),
    stances=(AttackStance, Record),
)
PARTY = party_of(HERO)
KINDS = (ATTACK, DUEL, encounter_kind(PARTY), GAMBLE, quest_kind(PARTY))
STEPS = StepUnits(
    enemies_in_steps,
    {
        "attacker": {name: name for name in ("sure", "red", "blue")},
        "defender": {name: name for name in ("armour", "shields", "defence_dice")},
    },
    {"attacker": {"damage_type": TYPES_IN_STEPS}, "defender": {}},
    ("attacker.effects=none", "defender.defence_effects=none"),
)
GAME = Game(
    name="immortal_souls", title="Immortal Souls", spec=SPEC, kinds={kind.name: kind for kind in KINDS}, steps=STEPS
)
