"""From what was asked about an approach to one that is ready to be played, and the kind of question that it is."""

from __future__ import annotations

from typing import cast

import numpy as np

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.game.game import Column
from balance.game.kit import WINNER, per_side
from balance.game.setup import Asked, Setup
from balance.games.runewars.duellist import Duellist
from balance.games.runewars.fights import duel_of
from balance.games.runewars.rules.dials import Settings
from balance.games.runewars.rules.exchange import RESOLVERS
from balance.games.runewars.rules.formation import Contact, ranks_of
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.setup import Workshop
from balance.games.runewars.sides import Side
from balance.games.runewars.table.boxes import DEGREE, MM, Box
from balance.games.runewars.table.ground import half_of, table_of
from balance.games.runewars.table.play import approach_processes
from balance.games.runewars.table.policies import SetsDial
from balance.games.runewars.table.situation import ApproachSituation, ApproachStance
from balance.games.runewars.table.walker import WHERE, Approach, Walker
from balance.games.runewars.tables import Dial, Ground, TerrainPiece, constants_of

COLUMNS = {
    "winner": WINNER,
    "rounds": Column("rounds begun", "duration"),
    "approach_rounds": Column("rounds that began before the units had touched"),
    "first_charge": Column("who was first to charge", names={0: "nobody", 1: "a", 2: "b"}),
    "edge_struck": Column(
        "edge that the first melee attack struck", names={0: "none", 1: "front", 2: "side", 3: "rear"}
    ),
    **per_side("shot_wounds", "wounds by shots of side {me}"),
    **per_side("figures", "figures side {me} has left"),
    **per_side("trays", "trays side {me} has left"),
}
PLAY_TEXT = (
    "Two units at full strength begin six bands apart, unless set. Each round both set a dial in secret; the lower "
    "initiative acts first: it marches, shoots, charges or fights. If one is destroyed within eight rounds, the other "
    "wins."
)
CANNOT_SEE = (
    "Friends: units of an army do not act together; pieces of the kinds unit_a and unit_b only stand in the way.",
    "Objectives and Overgrowth: tokens are placed, and do nothing.",
    "Skills and stun: what a dial orders beside walking, shooting and fighting.",
    "Photographs of the rulebook: lengths, arcs of fire, most dials and what terrain does are assumed.",
)


def approach_setup(question: Asked[Switches, ApproachSituation, Side]) -> Setup[Approach]:
    """Prepare an approach (ledger level C); raise RulesError if the ground is unknown, or units do not fit on it."""
    situation, catalogue = question.situation, question.catalogue
    ground = cast("Ground", catalogue.find("grounds", situation.ground, "§set situation.ground"))
    lengths = constants_of(catalogue).lengths
    dials = {name: _dial(question, name) for name in question.sides}
    most = {name: max(side.formation.columns, side.formation.most_ranks) for name, side in question.sides.items()}
    shooters = frozenset(name for name, side in question.sides.items() if side.shoots)
    shop = Workshop.of(catalogue, question.rules)
    contacts = {name: Contact(()) for name in question.sides}
    duel = duel_of(question, shop, dict(dials), contacts, shooters, situation.morale == "deck", most)
    boxes = {name: _box(question, name, lengths.tray_mm, lengths.band_mm) for name in question.sides}
    half, gap = half_of(ground), str(situation.gap_bands)
    faults = [
        Fault("does not fit on the table", name, None, "gap_bands", gap, "fewer, or a larger ground")
        for name, box in boxes.items()
        if not box.within(half).all()
    ]
    if boxes["a"].overlaps(boxes["b"]).any():
        faults.append(
            Fault("has units overlap at the start, as they are turned", "a, b", None, "gap_bands", gap, "more")
        )
    if faults:
        raise RulesError(faults)
    pieces = [piece for piece in catalogue.entries(TerrainPiece).values() if piece.ground == ground.id]
    overgrowth = [(name, _stance(question, name).overgrowth) for name in ("ba" if question.first == "b" else "ab")]
    arc, tokens = situation.arc_degrees, situation.objective_tokens
    table = table_of(ground, pieces, lengths, [*boxes.values()], tokens, overgrowth, arc)
    walkers = {name: _walker(question, name, duel.sides[name]) for name in question.sides}
    places = {
        f"{name}_{of}": np.int32(getattr(box, of)[0] if of != "terrain" else 0)
        for name, box in boxes.items()
        for of in WHERE
    }
    return Setup(Approach(duel, table, walkers, places, situation.gap_bands), question.inputs())


def _stance(question: Asked[Switches, ApproachSituation, Side], name: str) -> ApproachStance:
    return cast("ApproachStance", question.sides[name].stance)


def _dial(question: Asked[Switches, ApproachSituation, Side], name: str) -> Settings:
    """Return the dial of a side, its rows changed by what was set; raise RulesError if its unit has none."""
    unit, stance = question.sides[name].entrant.unit.id, _stance(question, name)
    rows = [row for row in question.catalogue.entries(Dial).values() if row.unit == unit]
    if not rows:
        raise RulesError(Fault("has no command dial in dials", name, found=unit, tip="add rows for it to dials"))
    settings = tuple(_as_set(row, question.sides[name].pace, stance) for row in rows)
    return Settings(SetsDial(question.choices[f"policy_{name}"], settings))


def _as_set(row: Dial, pace: tuple[int, int, int], stance: ApproachStance) -> Dial:
    """RW-MOV.3 and RW-CARD.3: return a row of a dial with what cards and changes add to it."""
    more = stance.wheel_degrees if row.turn_degrees and not row.charge else 0
    changes = {
        "initiative": row.initiative + pace[0],
        "distance_bands": row.goes(pace[1]),
        "turn_degrees": min(row.turn_degrees + more, 180),
        "charge": row.charge or (stance.aggressive and row.turn_degrees > 0),
    }
    return row.model_copy(update=changes)


def _walker(question: Asked[Switches, ApproachSituation, Side], name: str, duellist: Duellist) -> Walker:
    side, stance = question.sides[name], _stance(question, name)
    is_amended = question.rules.partial_rank_threat == "amended"
    return Walker(duellist, stance, question.choices[f"policy_{name}"], side.pace[2], is_amended)


def _box(question: Asked[Switches, ApproachSituation, Side], name: str, tray: int, band: int) -> Box:
    """Return where a unit stands at the start, `[1]`."""
    side, situation = question.sides[name], question.situation
    width, full, partial = ranks_of(side.formation.columns, np.array([side.trays]))
    halves = (width * tray * MM // 2, (full + (partial > 0)) * tray * MM // 2)
    sign, turn = (-1, 0) if name == "a" else (1, 180)
    heading = (_stance(question, name).heading_degrees + turn) % 360 * DEGREE
    y = sign * (situation.gap_bands * band * MM // 2 + halves[1])
    return Box(np.array([sign * situation.offset_mm * MM // 2]), y, *halves, np.array([heading]))


def approach_kind_processes(setup: Setup[Approach], lane: str = "literal") -> tuple[Process, ...]:
    """Return an approach's processes: in the lane "literal" attacks are rolled in full, in "compiled" drawn whole."""
    return approach_processes(setup.play, RESOLVERS[lane])
