"""Whole battles by themselves, with simple policies; and a check of another engine's battles, action by action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from balance.games.warforged.cards import Loadout
from tests.games.warforged.reference_attack import DOWN, UP, Gun, Piece, Readings
from tests.games.warforged.reference_battle import END, JUMP, MOVE, OVERLOAD, RAISE, Action, Battle, Legal
from tests.games.warforged.reference_luck import below, word

Policy = Callable[[Battle, int, Legal], Action]
"""Chooses among the legal actions of a side."""
Values = Callable[[str, str, int, int, bool, int], int]
"""Health that one Attack action takes on average, x 1024, by weapon, unit, armour left, cover dice, shield, health."""
NAMES = ("END", "ATTACK", "MOVE", "JUMP", "RAISE", "OVERLOAD")
FAR = 255


def play(battle: Battle, policies: tuple[Policy, Policy], limit: int = 100_000) -> Battle:
    """Play a battle to its end, and return it."""
    for _ in range(limit):
        if battle.winner:
            return battle
        if battle.turn_over:
            battle.end_turn()
        else:
            battle.act(policies[battle.side](battle, battle.side, Legal(battle)))
    raise AssertionError(f"a battle of {limit} actions has no end: {battle.state()}")


def random_policy(battle: Battle, side: int, legal: Legal) -> Action:
    """Choose among all legal actions alike."""
    actions = legal.listed()
    return actions[below(word(battle.key, battle.choices, "choice"), len(actions))]


class Greedy:
    """The greedy policy as its specification has it: shoot best, else move to where one can shoot, else approach."""

    def __init__(self, values: Values) -> None:
        self.values = cache(values)
        self._walks: dict[int, dict[int, dict[int, int]]] = {}

    def __call__(self, battle: Battle, side: int, legal: Legal) -> Action:
        ties = _Ties(battle)
        if battle.rapid is not None:
            return self._later_shot(legal, ties)
        able = list(battle.able())
        raising = [piece for piece in able if piece.raises and piece.shield == DOWN]
        if raising:
            return Action(RAISE, max(raising, key=lambda piece: ties(0, piece.cell)).place)
        return (
            self._fire(battle, able, legal, ties)
            or (self._move_to_hit(battle, able, ties) if battle.left >= 2 else None)
            or self._approach(battle, able, ties)
            or Action(END)
        )

    def _value(self, gun: Gun, target: Piece, cover: int) -> int:
        return self.values(
            gun.name, target.loadout.unit.id, target.armour_left(), cover, target.shield == UP, target.health
        )

    def _later_shot(self, legal: Legal, ties: _Ties) -> Action:
        best, chosen = (0, -1), Action(END)
        for action, _, gun, target, line in legal.attacks():
            value = self._value(gun, target, legal.battle.cover(gun, line))
            if value > 0 and (value, ties(1, target.cell)) > best:
                best, chosen = (value, ties(1, target.cell)), action
        return chosen

    def _fire(self, battle: Battle, able: list[Piece], legal: Legal, ties: _Ties) -> Action | None:
        """Return the best attack, or the Overload that is worth more."""
        best, chosen = (0, -1, -1, 0), None
        for action, piece, gun, target, line in legal.attacks():
            value = self._value(gun, target, battle.cover(gun, line))
            if value > 0 and value >= best[0]:
                score = (value, ties(0, piece.cell), ties(1, target.cell), -action.weapon)
                if score > best:
                    best, chosen = score, action
        blasts = [((self._net(battle, piece), ties(0, piece.cell)), piece) for piece in able if piece.overload]
        if blasts:
            (net, _), piece = max(blasts, key=lambda blast: blast[0])
            if net > max(0, best[0]):
                return Action(OVERLOAD, piece.place)
        return chosen

    def _net(self, battle: Battle, piece: Piece) -> int:
        read, taken = battle.read, 0
        for cell in battle.board.within(piece.cell, read.overload_radius, read.square_radius == "chebyshev"):
            other = battle.on.get(cell)
            if other is None or other is piece:
                continue
            if other.seat != piece.seat:
                taken += min(read.overload_damage, other.health)
            elif read.friendly_fire:
                taken -= min(read.overload_damage, other.health)
        return 1024 * (taken - piece.health)

    def _move_to_hit(self, battle: Battle, able: list[Piece], ties: _Ties) -> Action | None:
        """Return a move to where the most can be dealt next."""
        enemies = battle.enemies()
        best, chosen = (0, -1, -1, 0), None
        for piece in able:
            ends = battle.moves(piece)
            for slot, gun in enumerate(piece.guns) if ends else ():
                for enemy in enemies:
                    value = self._value(gun, enemy, 0)
                    if value <= 0 or value < best[0]:
                        continue
                    score = (value, ties(0, piece.cell), ties(1, enemy.cell), -slot)
                    if score > best and (cells := list(self._from_where(battle, gun, enemy, ends))):
                        best = score
                        cell = max(cells, key=lambda found: (found[1], ties(2, found[0])))[0]
                        chosen = Action(MOVE, piece.place, cell=cell)
        return chosen

    def _from_where(self, battle: Battle, gun: Gun, enemy: Piece, ends: list[int]) -> Iterator[tuple[int, bool]]:
        """Yield the cells from which a weapon hits an enemy, and whether no cover counts there."""
        for cell in ends:
            line = battle.board.lines[cell].get(enemy.cell)
            if line and battle.hits(gun, line):
                yield cell, gun.laser or not line.light

    def _approach(self, battle: Battle, able: list[Piece], ties: _Ties) -> Action | None:
        """Return a move, or else a jump, that comes nearer to an enemy."""
        walks, enemies = self._walks_on(battle), [enemy.cell for enemy in battle.enemies()]

        def left(cell: int) -> int:
            return min((walks[enemy].get(cell, FAR) for enemy in enemies), default=FAR)

        for what in (MOVE, JUMP):
            best, chosen = (0, -1), None
            for piece in able:
                if what == JUMP and piece.moves != battle.read.max_moves:
                    continue
                ends = battle.moves(piece) if what == MOVE else battle.jumps(piece)
                if not ends:
                    continue
                ways = [(left(cell), cell) for cell in ends]
                least = min(ways)[0]
                score = (left(piece.cell) - least, ties(0, piece.cell))
                if score[0] > 0 and score > best:
                    cell = max((cell for way, cell in ways if way == least), key=lambda cell: ties(2, cell))
                    best, chosen = score, Action(what, piece.place, cell=cell)
            if chosen:
                return chosen
        return None

    def _walks_on(self, battle: Battle) -> dict[int, dict[int, int]]:
        """Return the steps of a walk between any two cells of a map, units aside; worked out once for each map."""
        board = battle.board
        found = self._walks.get(id(board))
        if found is None:
            found = self._walks[id(board)] = {cell: walk(board.roads, cell) for cell in board.terrain}
        return found


class _Ties:
    """The luck that breaks the ties of one decision: the highest decides, by the cell as the side counts it."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.word: int | None = None

    def __call__(self, which: int, cell: int) -> int:
        if self.word is None:
            self.word = word(self.battle.key, self.battle.choices, "choice")
        part = (self.word >> (18 * which)) & 0x3FFFF
        return ((self.battle.board.seen_from(self.battle.side, cell) * ((part & 511) | 1)) ^ (part >> 9)) & 511


def walk(roads: Mapping[int, list[int]], start: int) -> dict[int, int]:
    """Return the steps to every cell that one can walk to."""
    steps, edge, far = {start: 0}, [start], 0
    while edge:
        far += 1
        edge = list(dict.fromkeys(there for here in edge for there in roads[here] if there not in steps))
        steps |= dict.fromkeys(edge, far)
    return steps


def values_of(armies: Iterable[Iterable[Loadout]], read: Readings) -> Values:
    """Return values of attacks that look at each shot by itself: enough to play by when no engine gives its own."""
    loadouts = [one for army in armies for one in army]
    weapons = {weapon.id: weapon for one in loadouts for weapon in one.weapons}
    slim = {one.unit.id: "slim" in one.unit.abilities for one in loadouts}

    def value(weapon_id: str, unit_id: str, armour: int, cover: int, up: bool, health: int) -> int:
        weapon = weapons[weapon_id]
        dice = 0 if "piercing" in weapon.effects else armour + cover
        left = {health: Fraction(1)}
        for _ in range(read.rapid if "rapid_fire" in weapon.effects else 1):
            after: dict[int, Fraction] = {}
            for h, p in left.items():
                for damage, q in _damages(weapon.precision, weapon.damage, dice, slim[unit_id]).items():
                    after[max(0, h - damage)] = after.get(max(0, h - damage), Fraction(0)) + p * q
            left = after
        taken = int(1024 * (health - sum(h * p for h, p in left.items())))
        return min(1, taken) if up else taken

    return value


@cache
def _damages(precision: int, damage: int, dice: int, slim: bool) -> dict[int, Fraction]:
    """Return the chance of each damage of one shot, by the ledger's law of a normal hit."""
    hit = Fraction(5 if slim else 6, 6)
    found = {0: 1 - hit * precision / 10, damage: hit / 10}
    ways = [1]
    for _ in range(dice):
        ways = [a + b for a, b in zip([0, *ways], [*ways, 0], strict=True)]
    for blocked, n in enumerate(ways):
        taken = max(min(1, damage), damage - blocked)
        found[taken] = found.get(taken, Fraction(0)) + hit * Fraction(precision - 1, 10) * Fraction(n, 2**dice)
    return found


class Step(NamedTuple):
    """One action of another engine: the battle before and after, and which actions it took for legal, if it says."""

    side: int
    action: Action
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    again: bool = False
    legal: frozenset[Action] | None = None


def compare_trace(
    battle: Battle,
    steps: Iterable[Step],
    final: Mapping[str, Any] | None = None,
    players: tuple[Policy | None, Policy | None] = (None, None),
) -> list[str]:
    """Play another engine's battle along from its start, and return what differs first, in words; empty if nothing.

    `battle` is the same battle at its start. Each step must come to the same state before and after, so that the
    beginnings and ends of turns and rounds are compared too, and its action must be legal; it must be that of the
    side's policy if `players` has one. `final` is what the other engine reports in the end (see `outcome`).
    """
    for i, step in enumerate(steps):
        where = f"action {i}, round {battle.round}, side {'ab'[step.side]}, {told(step.action)}"
        wrong = [] if step.again else _stopped(battle, players, where)
        _to_the_next_turn(battle)
        if battle.winner or battle.side != step.side:
            return [*wrong, f"{where}: the reference says winner {battle.winner}, side {'ab'[battle.side]} to act"]
        wrong += differences(battle, step.before, f"before {where}") + _legality(battle, step, where)
        if wrong := wrong or _chosen(battle, players, step.action, where):
            return wrong
        battle.act(step.action)
        if wrong := differences(battle, step.after, f"after {where}"):
            return wrong
    wrong = _stopped(battle, players, "after all actions")
    _to_the_next_turn(battle)
    if final is None:
        return wrong
    if not battle.winner:
        return [*wrong, "after all actions: the reference is not at an end"]
    ours = outcome(battle)
    return wrong + [
        f"at the end: {name} is {final[name]}, by the reference {value}"
        for name, value in ours.items()
        if final[name] != value
    ]


def _to_the_next_turn(battle: Battle) -> None:
    while battle.turn_over and not battle.winner:
        battle.end_turn()


def _stopped(battle: Battle, players: tuple[Policy | None, Policy | None], where: str) -> list[str]:
    """End the shots of Rapid Fire if there might be more, and return whether the policy would have had it so."""
    if battle.rapid is None:
        return []
    wrong = _chosen(battle, players, Action(END), f"before {where}, instead of another shot")
    battle.act(Action(END))
    return wrong


def _chosen(battle: Battle, players: tuple[Policy | None, Policy | None], action: Action, where: str) -> list[str]:
    policy = players[battle.side]
    wanted = policy(battle, battle.side, Legal(battle)) if policy else action
    return [] if wanted == action else [f"{where}: the reference's policy chooses {told(wanted)}"]


def outcome(battle: Battle) -> dict[str, int]:
    """Return what a battle reports when it is over."""
    healths = [[piece.health for piece in army] for army in battle.pieces]
    signs = [margin > 0 for margin in battle.leads if margin]
    ahead = {1: 1, 2: -1}.get(battle.winner, 0)
    found = {"winner": battle.winner % 3, "rounds": battle.round, "ended": battle.ended}
    for seat, side in enumerate("ab"):
        left = healths[seat]
        found |= {f"{side}_units": sum(health > 0 for health in left), f"{side}_health": sum(left)}
        found |= {f"{side}_points": battle.points()[seat], f"{side}_attacks": battle.attacks[seat]}
    found["lead_changes"] = sum(one != other for one, other in pairwise(signs))
    return found | {"comeback": max(0, *(-ahead * margin for margin in battle.leads), 0)}


def _legality(battle: Battle, step: Step, where: str) -> list[str]:
    legal = frozenset(Legal(battle).listed())
    if step.action not in legal:
        return [f"{where}: is not legal by the reference"]
    if step.legal is None:
        return []
    more, less = sorted(step.legal - legal), sorted(legal - step.legal)
    return [f"{where}: only the engine allows {', '.join(map(told, more))}"] * bool(more) + [
        f"{where}: only the reference allows {', '.join(map(told, less))}"
    ] * bool(less)


def told(action: Action) -> str:
    """Return an action in words."""
    parts = [f"{name} {value}" for name, value in zip(Action._fields[1:], action[1:], strict=True) if value >= 0]
    return " ".join([NAMES[action.what], *parts])


OF_A_UNIT = ("cell", "health", "shield", "emp", "burn", "moves", "done", "order")
OF_THE_FALLEN = ("cell", "health")


def differences(battle: Battle, theirs: Mapping[str, Any], where: str) -> list[str]:
    """Return how a state of another engine differs from the reference's, field by field."""
    ours = battle.state()
    wrong = [
        f"{where}: {name} is {theirs[name]}, by the reference {ours[name]}"
        for name in ours.keys() - set(OF_A_UNIT)
        if name in theirs and theirs[name] != ours[name]
    ]
    for seat, army in enumerate(battle.pieces):
        for i, piece in enumerate(army):
            wrong.extend(
                f"{where}: {name} of unit {i} of {'ab'[seat]} ({piece.loadout.id}) is "
                f"{theirs[name][seat][i]}, by the reference {ours[name][seat][i]}"
                for name in (OF_A_UNIT if piece.health else OF_THE_FALLEN)
                if name in theirs and theirs[name][seat][i] != ours[name][seat][i]
            )
    return wrong
