"""Adventures of the engine that the game runs, told decision by decision, for the second engine to play along.

An `Encounter` is one batch: an adventure, cards and rules, which may be such as no catalogue has, so that rare meetings
of rules come about, and who plays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from balance.catalogue.patching import patch_catalogue
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import load
from balance.games.battlelore.adventure.map.adventure import Adventure, Blazon, Council, Force
from balance.games.battlelore.adventure.map.field import field_of
from balance.games.battlelore.adventure.play import PLAYERS, battle_process, luck_of
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.battle import Terms as FastTerms
from balance.games.battlelore.adventure.terms.deck import CommandDeck
from balance.games.battlelore.adventure.terms.lore_deck import LoreDeck
from balance.games.battlelore.adventure.terms.muster import Muster
from balance.games.battlelore.building import Referee
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import CommandCard, LoreCard, Terrain, constants_of, rules_of
from balance.games.battlelore.tables import Unit as FighterUnit
from tests.games.battlelore.adventure.reference_board import CELLS, Board
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_play import deal, take_turn
from tests.games.battlelore.adventure.reference_terms import Decision, DifferenceError, Terms, Unit

SHIPPED = load("battlelore").catalogue
UNITS = ("cell", "figures", "webbed", "poisoned", "stored")
ORDERED = ("ordered", "moved", "may_battle", "charged", "battles", "bonus", "melee_bonus")
CARDS = ("hand", "deck", "discard")
REST = ("last_card", "tokens", "pool", "banners", "earned", "turn", "winner", "moments")
COLUMNS = (*UNITS, *ORDERED, *CARDS, *REST)
HANDS = ("lore_hand", "lore_deck", "lore_discard")
SPELLS = ("played", "card", "unit", "value", "paid", "kept")
LANDMARKS = ("kind", "ground", "owner", "den_exit", "stronghold", "fallen", "lost_card")
LORE_COLUMNS = (*COLUMNS, *HANDS, *(f"lore_{name}" for name in SPELLS), "speed")
APART = {"order": ORDERED, "landmark": ORDERED, "lore_start": (*ORDERED, *HANDS)}
"""What the other engine writes only when all is decided."""
Force_ = Sequence[tuple[Fighter, int]]


@dataclass(kw_only=True)
class Encounter:
    """A batch of one adventure.

    `units` are (fighter, cell) by side, `rules` changes such as `trample: all_adjacent`, `counts` copies of each card;
    `hands` and `banners` are those of both sides.
    """

    terrain: Mapping[int, Sequence[str]]
    units: tuple[Force_, Force_]
    owners: Mapping[int, int] = field(default_factory=dict)
    blazons: tuple[Blazon, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] | None = None
    banners: tuple[int, int] = (4, 4)
    hands: tuple[int, int] = (4, 4)
    first: int = 0
    turn_limit: int = 30
    lore: bool = False
    councils: tuple[Council, Council] = (Council(), Council())
    tokens: tuple[int | None, int | None] = (None, None)
    lore_counts: Mapping[str, int] | None = None
    masters_landmarks: bool = False
    policies: tuple[str, str] = ("random", "random")
    n: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        texts = {
            name if "." in name else f"rules.{name}": str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in self.rules.items()
        }
        self.catalogue = patch_catalogue(SHIPPED, texts)
        self.read: BattleLoreRules = rules_of(self.catalogue)
        self.constants = constants_of(self.catalogue)
        cards = self.catalogue.entries(CommandCard).values()
        counts = {card.id: card.count for card in cards} if self.counts is None else self.counts
        self.cards = [card.model_copy(update={"count": counts.get(card.id, 0)}) for card in cards]
        lore_cards = self.catalogue.entries(LoreCard).values() if self.lore else ()
        copies = {card.id: card.count for card in lore_cards} if self.lore_counts is None else self.lore_counts
        self.lore_cards = [
            card.model_copy(
                update={"count": copies.get(card.id, 0)} | ({"target": "any_unit"} if card.id == "wizard_10" else {})
            )
            for card in lore_cards
        ]

    def adventure(self) -> Adventure:
        """Return what a file would tell of it; who the units are is said beside it."""
        names = [tuple(self.terrain.get(cell, ("countryside",))) if cell in CELLS else () for cell in range(144)]
        sides = zip("ab", ("standard", "pennant"), self.banners, self.hands, self.councils, self.tokens, strict=True)
        forces = [
            Force(name, camp, banners, cards, (), council, tokens)
            for name, camp, banners, cards, council, tokens in sides
        ]
        return Adventure(
            "twin",
            "Twin",
            self.lore,
            (forces[0], forces[1]),
            self.first,
            tuple(names),
            tuple(self.owners.items()),
            self.blazons,
            self.masters_landmarks,
        )

    @cached_property
    def promotions(self) -> dict[Fighter, Fighter]:
        """Return what units turn into by training: the same in the next colour, as the catalogue has it (BL-LMK-09)."""
        units = list(self.catalogue.entries(FighterUnit).values())
        higher = {"green": "blue", "blue": "red"}
        made = {}
        for fighter in dict.fromkeys(fighter for force in self.units for fighter, _ in force):
            wanted = fighter.unit.kind, higher.get(fighter.unit.colour)
            unit = next((unit for unit in units if (unit.kind, unit.colour) == wanted), None)
            if self.lore and unit is not None and not fighter.is_creature:
                made[fighter] = replace(fighter, unit=unit)
        return made | {
            fighter: replace(fighter, unit=unit)
            for fighter in list(made.values())
            for unit in units
            if (unit.kind, unit.colour) == (fighter.unit.kind, higher.get(fighter.unit.colour))
        }

    def battle(self) -> Battle:
        """Return it for the engine that the game runs."""
        adventure, rules, constants = self.adventure(), self.read, self.constants
        referee = Referee(rules, constants, self.lore)
        fighters = [fighter for force in self.units for fighter, _ in force]
        muster = Muster.of((*self.promotions.values(), *fighters), referee)
        members = [tuple((muster.number_of(fighter), cell) for fighter, cell in force) for force in self.units]
        terms = FastTerms(
            rules=rules, constants=constants, banners=self.banners, cards=self.hands, turn_limit=self.turn_limit
        )
        field_of_battle = field_of(adventure, self.catalogue, rules)
        lore_deck = LoreDeck(self.lore_cards, self.councils, rules, constants)
        deck = CommandDeck(self.cards, max(map(len, self.units)) if self.lore else 0)
        return Battle(adventure, field_of_battle, muster, deck, terms, (members[0], members[1]), lore_deck)

    def terms(self) -> Terms:
        """Return it for the second engine."""
        terrains = self.catalogue.entries(Terrain)
        right, left = self.constants.board.section_lines
        board = Board(
            {cell: [terrains[name] for name in self.terrain.get(cell, ("countryside",))] for cell in CELLS},
            dict(self.owners),
            (right, left),
            same_edge=self.read.edge_sight == "same_edge",
            over_adjacent=self.read.hill_sight == "over_adjacent",
        )
        return Terms(
            board=board,
            units=self.units,
            cards=self.cards,
            rules=self.read,
            constants=self.constants,
            banners=self.banners,
            hands=self.hands,
            blazons=self.blazons,
            first=self.first,
            turn_limit=self.turn_limit,
            lore=self.lore,
            lore_cards=self.lore_cards,
            councils=self.councils,
            tokens=self.tokens,
            masters_landmarks=self.masters_landmarks,
            terrains=tuple(terrains.values()),
            promotions=self.promotions,
        )


@dataclass
class Trace:
    """Takes down what each trial of a batch decided, and the state at the end of each turn; by the trial's luck."""

    decisions: dict[int, list[Decision]] = field(default_factory=lambda: defaultdict(list))
    turns: dict[int, list[Mapping[str, Any]]] = field(default_factory=lambda: defaultdict(list))

    def __call__(self, what: str, side: int, rows: Any, fields: Mapping[str, Any], state: State) -> None:
        if what == "turn":
            for luck, after in zip(state["luck"][rows].tolist(), _rows(state, rows), strict=True):
                self.turns[luck].append(after)
        elif what == "choice":
            self._decide(side, rows, fields, state)

    def _decide(self, side: int, rows: Any, fields: Mapping[str, Any], state: State) -> None:
        choice = fields["choice"]
        places: list[list[int]] = [[] for _ in rows]
        for row, place in zip(choice.row.tolist(), choice.place.tolist(), strict=True):
            places[row].append(place)
        taken = choice.place[fields["option"]].tolist()
        luck, turns = state["luck"][rows].tolist(), state["turn"][rows].tolist()
        for i, before in enumerate(_rows(state, rows)):
            if len(places[i]) > 1:
                assert len(set(places[i])) == len(places[i]), f"{choice.name}: a place occurs twice"
                what = f"{choice.name} of side {side} in turn {turns[i]}"
                self.decisions[luck[i]].append(Decision(what, frozenset(places[i]), taken[i], before))


def _rows(state: State, rows: Any) -> list[dict[str, Any]]:
    names = [name for name in (*LORE_COLUMNS, *LANDMARKS) if name in state]
    columns = [state[name][rows].tolist() for name in names]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def snapshot(game: Game, side: int, slots: int) -> dict[str, Any]:
    """Return the state of the second engine as columns of the first, in the turn of a side."""

    def padded(units: Sequence[Unit], name: str, nobody: Any) -> list[Any]:
        return [getattr(unit, name) for unit in units] + [nobody] * (slots - len(units))

    columns: dict[str, Any] = {name: [padded(units, name, False) for units in game.units] for name in UNITS}
    columns["cell"] = [[-1 if c is None else c for c in padded(units, "cell", None)] for units in game.units]
    columns |= {name: padded(game.units[side], name, name in ("may_battle", "battles")) for name in ORDERED}
    columns |= {"hand": game.hands, "deck": game.deck, "discard": game.discard}
    columns |= {name: getattr(game, name) for name in REST}
    if game.terms.lore:
        columns |= {"lore_hand": game.lore_hands, "lore_deck": game.lore_deck, "lore_discard": game.lore_discard}
        columns |= {f"lore_{name}": [getattr(spell, name) for spell in game.spells] for name in SPELLS}
        columns["speed"] = padded(game.units[side], "speed", 0)
    return columns


def landmarks_of(game: Game, battle: Battle) -> dict[str, Any]:
    """Return what may change on the map of a Lore adventure as columns of the first engine."""
    numbers = [[battle.muster.number_of(unit.fighter) for unit in units] for units in game.units]
    codes = {cell: battle.field.code_of(t.id for t in terrains) for cell, terrains in game.board.terrain.items()}
    return {
        "kind": [kinds + [battle.muster.nobody] * (battle.n_slots - len(kinds)) for kinds in numbers],
        "ground": [0, *(codes.get(cell, 0) for cell in range(144))],
        "owner": [-1, *(game.board.owners.get(cell, -1) for cell in range(144))],
        "den_exit": game.den_exits,
    }


def keeps_of(game: Game) -> dict[str, Any]:
    """Return strongholds as columns of the first engine."""
    return {
        "stronghold": [keep.cell for keep in game.keeps],
        "fallen": [keep.fallen for keep in game.keeps],
        "lost_card": [keep.lost_card for keep in game.keeps],
    }


def differences(
    game: Game, battle: Battle, side: int, theirs: Mapping[str, Any], apart: Sequence[str] = ()
) -> list[str]:
    """Return the columns that differ, with what each engine says; but for some that are apart."""
    ours = snapshot(game, side, battle.n_slots) | (landmarks_of(game, battle) if "ground" in theirs else {})
    ours |= keeps_of(game) if "stronghold" in theirs else {}
    names = [name for name in ours if name not in apart and ours[name] != theirs[name]]
    return [f"{name}: here {ours[name]}, there {theirs[name]}" for name in names]


def traced(encounter: Encounter, battle: Battle | None = None) -> tuple[Trace, Mapping[str, Any]]:
    """Play a batch in the engine that the game runs; return what happened, and the outcome columns in that order."""
    trace = Trace()
    players = (PLAYERS[encounter.policies[0]], PLAYERS[encounter.policies[1]])
    process = battle_process(battle or encounter.battle(), players, encounter.first, trace)
    return trace, simulate(process, RandomRolls(encounter.seed, "twins", 0, encounter.n), in_order=True)


def compared(encounter: Encounter) -> Counter[str]:
    """Play a batch in both engines and return what happened in it; fail with what differs first."""
    battle = encounter.battle()
    trace, outcome = traced(encounter, battle)
    terms, happened = encounter.terms(), Counter[str]()
    keys = luck_of(battle, RandomRolls(encounter.seed, "twins", 0, encounter.n))
    for trial, luck in enumerate(keys.tolist()):
        turns = trace.turns.get(luck, [])  # some are won before the first turn
        final = {name: int(values[trial]) for name, values in outcome.items()}
        try:
            happened += follow(terms, battle, luck, trace.decisions.get(luck, []), turns, encounter.policies, final)
        except DifferenceError as error:
            raise AssertionError(f"trial {trial} of {encounter}: {error}") from error
        happened["adventure"] += 1
    return happened


def follow(
    terms: Terms,
    battle: Battle,
    luck: int,
    decisions: Sequence[Decision],
    turns: Sequence[Mapping[str, Any]],
    policies: tuple[str, str],
    final: Mapping[str, int],
) -> Counter[str]:
    """Play one trial as the other engine did, and return what happened; fail where it did otherwise."""

    def look(game: Game, step: Decision) -> None:
        apart = APART.get(step.what.split()[0], ())
        if wrong := differences(game, battle, game.side, step.state, apart):
            raise DifferenceError(f"before {step.what}: {'; '.join(wrong)}")

    script = iter(decisions)
    game = Game(terms, luck, script, (policies[0] == "random", policies[1] == "random"), look)
    deal(game)
    for number, after in enumerate(turns, 1):
        side = game.side
        take_turn(game)
        if wrong := differences(game, battle, side, after):
            raise DifferenceError(f"after turn {number}: {'; '.join(wrong)}")
    if next(script, None) is not None or not game.winner:
        raise DifferenceError("the other engine plays another number of turns")
    ours = {"winner": game.winner % 3, "turns": game.turn, "ended": 2 if game.winner == 3 else 1}
    for side, letter in enumerate("ab"):
        army = game.army(side)
        ours |= {f"{letter}_banners": game.banners[side], f"{letter}_units": len(army)}
        ours[f"{letter}_figures"] = sum(unit.figures for unit in army)
    if wrong := [f"{name}: here {value}, there {final[name]}" for name, value in ours.items() if value != final[name]]:
        raise DifferenceError(f"in the end {'; '.join(wrong)}")
    return game.happened
