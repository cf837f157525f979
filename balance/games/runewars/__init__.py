"""Runewars: dice times the shape of a formation, surges, the damage pool; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from balance.game.armies.armies import ArmyKind, army_of
from balance.game.game import Column, Game, PolicyKind, QuestionKind
from balance.game.kit import TURN_ORDERS, WINNER, each_side, per_side
from balance.game.setup import EntrantKind, StepUnits
from balance.games.runewars.fights import duel_kind_processes, duel_law_processes, duel_setup
from balance.games.runewars.lineup.setup import lineup_arena, lineup_processes, lineup_setup, scales_of
from balance.games.runewars.setup import attack_law_processes, attack_processes, attack_setup
from balance.games.runewars.sides import (
    ENTRANT_FORMAT,
    cards_of,
    entrant_names,
    parse_entrant,
    ranks_in_steps,
    read_side,
)
from balance.games.runewars.situation import (
    AdvanceSituation,
    AttackSituation,
    DuellistStance,
    DuelSituation,
    LineUpSituation,
    Stance,
    WalkerStance,
)
from balance.games.runewars.table.policies import APPROACH
from balance.games.runewars.table.setup import (
    CANNOT_SEE,
    COLUMNS,
    PLAY_TEXT,
    approach_kind_processes,
    approach_setup,
)
from balance.games.runewars.table.situation import ApproachSituation, ApproachStance
from balance.games.runewars.table.solve import solve_approach
from balance.games.runewars.table.story import tell
from balance.games.runewars.tables import SPEC

__all__ = ["GAME"]

UNIT = EntrantKind(
    "unit",
    ids=entrant_names,
    label=lambda catalogue, entrant: parse_entrant(catalogue, entrant).name,
    cost_points=lambda catalogue, entrant: parse_entrant(catalogue, entrant).cost_points,
    read=read_side,
    written=ENTRANT_FORMAT,
    joined_by="+",
    cards=cards_of,
)
STEPS = StepUnits(
    ranks_in_steps,
    {
        "attacker": {name: name for name in ("red", "blue", "white", "lethal")},
        "defender": {name: name for name in ("protected", "mortal_ward", "defence")},
    },
    {"attacker": {}, "defender": {}},
)
ATTACK_COLUMNS: Mapping[str, Column] = {
    "hits": Column("hit icons spent, added and bought ones included", says="hits"),
    "surges": Column("surges rolled"),
    "accuracy": Column("accuracy icons"),
    "mortal_strikes": Column("mortal strikes, less those warded off"),
    "morale": Column("morale icons"),
    "damage": Column("damage in the pool when it is suffered"),
    "wounds": Column("wounds that figures of the target suffer", "effect"),
    "figures_lost": Column("figures the target loses"),
    "trays_lost": Column("trays the target loses"),
    "upgrade_wounds": Column("wounds that its figure upgrade suffers"),
    "destroyed": Column("1 if nothing of the target is left", says="destroys"),
}
DUEL_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun", "duration"),
    **per_side("figures", "figures side {me} has left"),
    **per_side("trays", "trays side {me} has left"),
}
LINEUP_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun", "duration"),
    **per_side("units", "units side {me} has left"),
    **per_side("figures", "figures side {me} has left"),
    **per_side("points", "printed points of units that side {me} has left"),
}
ARMY = army_of(UNIT)
IRRELEVANT_FIELDS = (
    *("ranged_red", "ranged_blue", "ranged_white", "ranged_surges", "steadfast", "not_played"),
    *("faction", "type: hero", "type: siege"),
)
"""What of the cards makes no difference in a line-up."""
REROLLS = PolicyKind(
    "Which dice the attacker rolls again.",
    {
        "no_hit": "all without hit and mortal strike (RW-Q12)",
        "none": "none",
        "best": "those that raise the expected wounds of this attack most",
    },
)
SURGES = PolicyKind(
    "What the attacker's surges buy.",
    {
        "listed": "abilities in the order listed, each as often as it can be paid (RW-Q13)",
        "best": "what wounds most in this attack",
        "none": "nothing",
    },
)
ACCURACY = PolicyKind(
    "Whom accuracy is for.",
    {"unit": "nobody in particular: damage goes to ordinary figures", "upgrade": "the figure upgrade (RW-FIG.1)"},
)
DIAL = PolicyKind(
    "What a side sets on its command dial each round; both set one, or neither.",
    {
        "none": "nothing: sides strike in the turn order, as their cards print",
        "quickest": "the attack that acts first",
        "strongest": "the attack that adds most icons",
        "defend": "what defends",
        "random": "any setting, all equally likely",
    },
)
TARGET = PolicyKind(
    "Whom a unit attacks, of the enemies still standing; of equals the nearest in line.",
    {
        "opposite": "the one opposite, or the nearest",
        "weakest": "whose figures can take the fewest wounds",
        "dearest": "who costs most",
    },
)
WALK = PolicyKind(
    "How units of a side walk.",
    {
        "shoot": "whoever has an enemy in range shoots, others charge as soon as they can reach, and march till then",
        "close": "nobody shoots: they charge as soon as they can reach, and march till then",
        "hold": "they shoot, or charge who is in reach, and never march",
    },
)
DECISIONS = {"rerolls": REROLLS, "surges": SURGES, "accuracy": ACCURACY}

LINEUP = QuestionKind(
    "lineup",
    ("a", "b"),
    (ARMY, ARMY),
    lineup_processes,
    LINEUP_COLUMNS,
    lineup_setup,
    asks="who wins when two armies meet front to front",
    unbounded=True,
    turn_orders=TURN_ORDERS,
    policies=each_side("target", TARGET),
    played=(
        "Two armies stand in line and in contact. Each round all units of one side attack once, in the order "
        "written, then those of the other; a destroyed unit is out. A side without units has lost; at the "
        "round limit, eight unless set, nobody wins."
    ),
    cannot_see=(
        "Manoeuvre: nobody moves, every unit attacks front to front, and reaches whom it is told to attack.",
        "Range: archers fight hand to hand; who lends is always near enough; a hero who attacks every enemy "
        "in contact attacks all there are, which makes him worth more than on a table.",
        "Play: dice without hit and mortal strike are rolled again, surges buy in the order listed, and nobody "
        "aims at a figure upgrade.",
        "Rules left out: morale, command dials, and trays that are added.",
    ),
    situation=LineUpSituation,
    stances=(DuellistStance, DuellistStance),
    block_trials=2**15,
    armies=ArmyKind(UNIT, lineup_arena, scales_of, IRRELEVANT_FIELDS, ("budget_points",)),
)
ADVANCE = replace(
    LINEUP,
    name="advance",
    asks="who wins when two armies walk towards each other",
    policies={**LINEUP.policies, **each_side("walk", WALK)},
    played=(
        "Two armies stand in line, six bands apart unless set. Each round every unit sets its dial, and all act by "
        "initiative: they shoot, march, or charge an enemy and strike at once, and fight on where they stand. A side "
        "without units has lost; at the round limit, twelve unless set, nobody wins."
    ),
    cannot_see=(
        "Manoeuvre: units walk straight ahead, front to front, and past each other; nobody turns, or is in the way.",
        "Sight and terrain: who is in range can be shot.",
        *LINEUP.cannot_see[2:3],
        "Rules left out: morale, icons and defences of dials, heroes who attack all enemies in contact, and trays that "
        "are added.",
    ),
    situation=AdvanceSituation,
    stances=(WalkerStance, WalkerStance),
    armies=ArmyKind(
        UNIT,
        lineup_arena,
        scales_of,
        ("steadfast", "not_played", "faction", "type: hero", "type: siege"),
        ("budget_points",),
    ),
)

GAME = Game(
    name="runewars",
    title="Runewars",
    spec=SPEC,
    steps=STEPS,
    kinds={
        "attack": QuestionKind(
            "attack",
            ("attacker", "defender"),
            (UNIT, UNIT),
            attack_processes,
            ATTACK_COLUMNS,
            attack_setup,
            asks="what one attack does",
            policies={k: v for of, kind in DECISIONS.items() for k, v in each_side(of, kind, ("attacker",)).items()},
            played="One unit at full strength attacks another with its front edge, unless set; nobody strikes back.",
            cannot_see=(
                "Movement: who touches whom, and where, is set, not earned.",
                "What follows an attack: morale tests, tokens, and the enemy's turn.",
            ),
            situation=AttackSituation,
            stances=(Stance, Stance),
            narrowed=attack_law_processes,
        ),
        "duel": QuestionKind(
            "duel",
            ("a", "b"),
            (UNIT, UNIT),
            duel_kind_processes,
            DUEL_COLUMNS,
            duel_setup,
            asks="who wins a duel",
            narrowed=duel_law_processes,
            unbounded=True,
            turn_orders=TURN_ORDERS,
            policies={k: v for of, kind in {**DECISIONS, "dial": DIAL}.items() for k, v in each_side(of, kind).items()},
            played=(
                "Two units at full strength stand in contact and strike in the same order every round, eight rounds "
                "unless set; a destroyed unit does not strike back. If one is destroyed, the other wins."
            ),
            cannot_see=(
                "Movement: nobody charges, turns a flank or gets away; edges in contact are set, and kept.",
                "Friends: nobody stands beside, and no hero helps.",
                "Fallen figure upgrades: what their cards add holds on, as the FAQ says nothing else.",
            ),
            situation=DuelSituation,
            stances=(DuellistStance, DuellistStance),
        ),
        "approach": QuestionKind(
            "approach",
            ("a", "b"),
            (UNIT, UNIT),
            approach_kind_processes,
            COLUMNS,
            approach_setup,
            asks="who wins when two units approach each other",
            turn_orders=TURN_ORDERS,
            policies={
                **each_side("policy", APPROACH, name="{of}_{side}"),
                **{k: v for of, kind in DECISIONS.items() for k, v in each_side(of, kind).items()},
            },
            has_distribution=False,
            played=PLAY_TEXT,
            cannot_see=CANNOT_SEE,
            situation=ApproachSituation,
            stances=(ApproachStance, ApproachStance),
            block_trials=2**14,
            usual_trials=2**14,
            tell=tell,
            solve=solve_approach,
            reads=("grounds", "terrain"),
        ),
        "lineup": LINEUP,
        "advance": ADVANCE,
    },
    priced_in="advance",
)
