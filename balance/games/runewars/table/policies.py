"""Ways of playing an approach: each sets the row of a dial that is best by its own measure of what would come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.rolls import Rolls
from balance.game.game import PolicyKind
from balance.games.runewars.rules.dials import ADDS
from balance.games.runewars.table.boxes import FRONT
from balance.games.runewars.table.moves import ACTIONS, NOTHING, Deed, Pose, alike, is_engaged, shot_at
from balance.games.runewars.tables import Dial

if TYPE_CHECKING:
    from balance.games.runewars.table.walker import Approach, Walker

APPROACH = PolicyKind(
    "What a side sets on its dial each round, not knowing what the other sets.",
    {
        "charge": "the charge that strikes first, or what brings it nearer; then the attack that acts first",
        "advance": "marches as near as it can without a charge, and attacks whoever touches it",
        "hold": "stays, shoots, and charges or attacks whoever comes within reach",
        "stand_and_shoot": "shoots as soon as it can, and keeps out of reach of charges; who cannot shoot holds",
        "flank": "goes around the enemy, and charges only its sides and its rear",
        "random": "any setting, all equally likely",
    },
    quick=("charge", "advance", "hold", "stand_and_shoot", "flank", "random"),
)


@dataclass(frozen=True, eq=False)
class Outlook:
    """What comes of each row of a side's dial if it is carried out as things stand: `[n, settings]`."""

    approach: Approach
    walker: Walker
    me: Pose
    foe: Pose

    @property
    def n(self) -> int:
        """How many trials there are."""
        return len(self.me.x)

    @cached_property
    def _cases(self) -> tuple[IntArray, Pose, Pose, IntArray]:
        """The place of each trial among trials that stand differently, both poses of those by setting, and settings."""
        first, place = alike(*self.me.columns, *self.foe.columns)
        m = len(self.walker.settings)
        rows = np.repeat(first, m)
        return place, self.me.take(rows), self.foe.take(rows), np.tile(np.arange(m), len(first))

    def _spread(self, values: Array) -> IntArray:
        return np.asarray(values, np.int64).reshape(-1, len(self.walker.settings))[self._cases[0]]

    @cached_property
    def _deed(self) -> Deed:
        _, me, foe, setting = self._cases
        return self.walker.deed(self.approach.table, setting, me, foe)

    @cached_property
    def strikes(self) -> IntArray:
        """Which settings end in a melee attack."""
        _, _, foe, setting = self._cases
        touches = self.approach.touches(self._deed.pose, foe)
        return self._spread(self.walker.strikes(setting, self._deed, touches))

    @cached_property
    def strikes_front(self) -> IntArray:
        """Which settings collide with the enemy at its front."""
        return self._spread(self._deed.meets & (self._deed.edge == FRONT))

    @cached_property
    def gap(self) -> IntArray:
        """The distance from the enemy after it."""
        table, foe = self.approach.table, self._cases[2]
        return self._spread(np.rint(self._deed.pose.on(table).distance(foe.on(table))).astype(np.int64))

    @cached_property
    def goal(self) -> IntArray:
        """The distance from the point to which it goes first, or the gap; more where something cuts its move short."""
        (table, (_, me, foe, setting)), deed = (self.approach.table, self._cases), self._deed
        point, is_far = self.walker.waypoint(table, me, foe)
        away = np.rint(np.hypot(deed.pose.x - point[0], deed.pose.y - point[1]))
        short = self.walker.of_settings("distance_bands")[setting] * table.band - np.rint(deed.distance)
        is_cut = (deed.stopped_by != NOTHING) & ~deed.meets & ~deed.enters
        gap = np.rint(deed.pose.on(table).distance(foe.on(table)))
        return self._spread(np.where(is_far, away, gap) + short * is_cut)

    def can_shoot(self, *, after: bool) -> IntArray:
        """Return whether it can shoot, now or after each setting."""
        _, me, foe, _ = self._cases
        return self._spread(can_shoot(self.approach, self.walker, self._deed.pose if after else me, foe))

    def of_settings(self, values: IntArray) -> IntArray:
        """Return a value of each setting for all trials."""
        return np.broadcast_to(values, (self.n, len(self.walker.settings)))


def can_shoot(approach: Approach, walker: Walker, me: Pose, foe: Pose) -> BoolArray:
    """Return who may shoot from where it stands, `bool[n]`."""
    rows, place = alike(*me.columns, *foe.columns)
    me, foe = me.take(rows), foe.take(rows)
    shot = shot_at(approach.table, me, foe, walker.range_bands, walker.foe)
    able = shot.in_range & shot.in_arc & (shot.sees | walker.stance.ignores_sight) & (walker.range_bands > 0)
    engaged = is_engaged(approach.table, me, foe, walker.foe)
    return np.asarray(able & (walker.stance.shoots_engaged | ~engaged))[place]


@dataclass(frozen=True)
class SetsDial:
    """Sets the row of a dial that comes first by the keys of a policy, smaller first."""

    policy: str
    settings: tuple[Dial, ...] = field(repr=False)

    def choose(self, name: str, legal: Legal, view: Outlook, rolls: Rolls) -> IntArray:
        """Return the number of a setting for every trial, `int64[n]`."""
        if self.policy == "random":
            return rolls.uniform(len(self.settings), "setting")
        policy = "hold" if self.policy == "stand_and_shoot" and not view.walker.range_bands else self.policy
        walker = view.walker
        icons = np.sum([walker.of_settings(field) for field in ADDS.values()], axis=0)
        keys = KEYS[policy](view, walker.of_settings("charge"))
        return _first([*keys, *map(view.of_settings, (walker.of_settings("initiative"), -icons))])


def _first(keys: Sequence[IntArray]) -> IntArray:
    """Return the option that comes first by keys `[n, options]`, of equals the first, `int64[n]`."""
    remains = np.ones(keys[0].shape, bool)
    for key in keys:
        values = np.where(remains, key, np.iinfo(np.int64).max)
        remains &= values == values.min(axis=1, keepdims=True)
    return np.asarray(remains.argmax(axis=1))


def _is_action(view: Outlook, *actions: str) -> IntArray:
    numbers = [ACTIONS.index(action) for action in actions]
    return view.of_settings(np.isin(view.walker.actions, numbers).astype(np.int64))


def _charge(view: Outlook, charges: IntArray) -> list[IntArray]:
    return [1 - view.strikes, view.goal, view.of_settings(1 - charges)]


def _advance(view: Outlook, charges: IntArray) -> list[IntArray]:
    return [view.of_settings(1 * charges), 1 - view.strikes, view.goal]


def _hold(view: Outlook, charges: IntArray) -> list[IntArray]:
    shoots = _is_action(view, "shoot") * view.can_shoot(after=False)
    defends = view.of_settings(np.array([setting.defend != "0" for setting in view.walker.settings]))
    walks, rallies = _is_action(view, "march", "shift"), _is_action(view, "rally")
    return [1 - np.maximum(view.strikes, shoots), walks, 1 - defends, 1 - rallies]


def _stand_and_shoot(view: Outlook, charges: IntArray) -> list[IntArray]:
    shoots = _is_action(view, "shoot") * view.can_shoot(after=False)
    fights, able = _is_action(view, "melee") * view.strikes, view.can_shoot(after=True)
    enemy = view.approach.walkers[view.walker.foe]
    reach = (enemy.of_settings("distance_bands") * enemy.of_settings("charge")).max() * view.approach.table.band
    walks = [view.gap <= reach, 1 - able, np.where(able, -view.gap, view.goal)]
    return [1 - shoots, 1 - fights, view.of_settings(1 * charges), *walks]


def _flank(view: Outlook, charges: IntArray) -> list[IntArray]:
    fights = view.strikes * np.maximum(_is_action(view, "melee"), 1 - view.strikes_front)
    return [1 - fights, view.goal, view.of_settings(1 * charges)]


KEYS: dict[str, Callable[[Outlook, IntArray], list[IntArray]]] = {
    "charge": _charge,
    "advance": _advance,
    "hold": _hold,
    "stand_and_shoot": _stand_and_shoot,
    "flank": _flank,
}
"""Policy -> its keys, `[n, settings]` each."""
