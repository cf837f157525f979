"""The two sides of a Warforged duel, and all that cards, readings and situation fix for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from balance.games.warforged.attack import Shot, best_damage


@dataclass(frozen=True)
class Fighter:
    """One side of a duel: all that its cards, and the enemy's, fix for the whole duel.

    * `shots` and `ranges`: one per equipped weapon: against this enemy, and how far it reaches in cells.
    * `shield`: "none", or the policy for the Supershield: "raise" (first action), "up" (active from the start) or
      "never".
    * `overload`: damage it deals to its killer when destroyed, 0 without the ability.
    * `slim`: whether splash and Overload may miss it, as the D6 of Slim says (only under that reading of WF-Q4).
    * `jump`: whether it can jump, which it does to close the distance once its moves are spent.
    * `lost_actions`: actions that it loses at the start.
    """

    shots: tuple[Shot, ...]
    ranges: tuple[int, ...]
    health: int
    speed: int
    shield: str = "none"
    overload: int = 0
    slim: bool = False
    jump: bool = False
    lost_actions: int = 0

    @property
    def can_hurt(self) -> bool:
        """Whether it can ever take health from the enemy."""
        return self.overload > 0 or any(best_damage(shot) > 0 for shot in self.shots)


NOBODY = Fighter((), (), 0, 0)
"""Stands for a fighter where none is looked at."""


@dataclass(frozen=True)
class Duel:
    """A duel between fighters a and b.

    * `first`: "a", "b" or "random".
    * `actions`: actions a turn.
    * `round_limit`: rounds to play, 0 for no limit.
    * `distance`: cells between the two at the start.
    * `overload_radius`, `splash_radius`, `max_moves`: rules' constants: cells, cells, moves a unit may make in a turn.
    * `jump_exact`: whether a jump must be exactly as long as the speed (WF-Q17).
    * `own_splash_hurts` and `own_splash_triggers`: whether High Explosive hurts its own shooter (WF-Q8), and whether
      dying of it triggers Overload (WF-Q12).
    * `dodge_faces`, `keep_faces`, `special_faces`: faces on which Slim avoids a blast and a Supershield survives one,
      of a die with how many.
    * `emp_turns` and `emp_adds_up`: own turns lost to an EMP token, and whether tokens add up (WF-Q13).
    * `blast_stopped_by_shield`: whether an active Supershield stops splash and Overload (WF-Q15).
    * `health_decides`: whether remaining health decides at the round limit (WF-Q18).
    """

    a: Fighter
    b: Fighter
    first: str
    actions: int
    dodge_faces: tuple[int, ...]
    keep_faces: tuple[int, ...]
    special_faces: int
    emp_turns: int
    emp_adds_up: bool
    round_limit: int
    distance: int
    overload_radius: int
    splash_radius: int
    max_moves: int
    jump_exact: bool
    own_splash_hurts: bool
    own_splash_triggers: bool
    blast_stopped_by_shield: bool
    health_decides: bool

    def with_readings_that_matter(self) -> Duel:
        """Return the same duel with every reading that cannot matter to these two as by default.

        Duels that differ only in what cannot matter are then equal, and their distribution is worked out once.
        """
        fighters = (self.a, self.b)
        effects = {effect for fighter in fighters for shot in fighter.shots for effect in shot.effects}
        splash = "high_explosive" in effects and self.distance_can_reach(self.splash_radius)
        blasts = splash or any(f.overload for f in fighters)
        return replace(
            self,
            a=replace(self.a, slim=self.a.slim and blasts),
            b=replace(self.b, slim=self.b.slim and blasts),
            emp_adds_up=self.emp_adds_up and "emp" in effects,
            own_splash_hurts=self.own_splash_hurts or not splash,
            own_splash_triggers=self.own_splash_triggers and splash and any(f.overload for f in fighters),
            blast_stopped_by_shield=self.blast_stopped_by_shield
            and blasts
            and any(f.shield != "none" for f in fighters),
            health_decides=self.health_decides or not self.round_limit,
            jump_exact=self.jump_exact and self.anyone_moves and any(f.jump for f in fighters),
        )

    def fighter(self, side: str) -> Fighter:
        """Return the fighter of side "a" or "b", which are the only names."""
        return self.a if side == "a" else self.b

    def distance_can_reach(self, cells: int) -> bool:
        """Whether the two can ever be at most `cells` apart."""
        nearest = (
            min(max(f.ranges, default=self.distance) for f in (self.a, self.b)) if self.anyone_moves else self.distance
        )
        return min(nearest, self.distance) <= cells

    @property
    def is_harmless(self) -> bool:
        """Whether neither can ever hurt the other."""
        return not (self.a.can_hurt or self.b.can_hurt)

    @property
    def anyone_moves(self) -> bool:
        """Whether the distance can change: someone starts out of range and can walk."""
        return any(f.speed > 0 and max(f.ranges, default=0) < self.distance for f in (self.a, self.b))
