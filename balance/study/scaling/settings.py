"""What a game's `report.toml` may say of groups of several sizes, such as parties of two to five heroes.

[[scaling]]
id = "parties"
title = "Does it scale from two to five heroes?"
rung = "encounter"
sizes = [2, 3, 4, 5]
cases = [{ label = "Ambush", other = "ambush" }]
changes = [{ says = "one enemy less", sizes = [4], easier = true, set = { "encounter.enemies_many" = "" } }]

Every legal group of each size plays every case. In the first case it is searched for the smallest of `changes` after
which all sizes win about as often, within `band`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from balance.base.errors import BalanceError, Fault
from balance.game.loaded import LoadedGame
from balance.game.words import Text
from balance.study.settings.table_ids import Id
from balance.study.settings.tables import ReportQuestion, Variation

Size = Annotated[int, Field(ge=1, le=12)]


class ScalingCase(Variation):
    """A situation that groups of every size are in."""

    id: Id
    label: Text


class ScalingChange(Variation):
    """What could be changed for groups of some sizes.

    `says`: what is changed, as in "one Green Gremlin less at the start". `sizes`: for which sizes it can be chosen.
    `easier`: whether it is meant to help the groups.
    """

    says: Text
    sizes: Annotated[list[Size], Field(min_length=1)]
    easier: bool


class ReportScaling(ReportQuestion):
    """All groups of several sizes, and what would make the sizes alike.

    * `sizes`: how many members the groups have.
    * `cases`: what they are set, the first being what may be changed.
    * `changes`: from the smallest to the largest.
    * `band`: how far apart the medians of the sizes may lie: a share.
    * `member`, `members`, `group`, `groups`: what they are called.
    * `axis`: what is drawn of the first case, with its unit.
    * `trials` and `panel`: trials of each group; and groups of each size that a change is tried with, before all of
      them confirm it.
    * `also`: other ways of playing, each as choices, in which a panel of each size plays the first case today and
      changed.
    * `cannot_see`: what none of this can see, as the end of a sentence.
    """

    sizes: Annotated[list[Size], Field(min_length=2, max_length=8)]
    cases: Annotated[list[ScalingCase], Field(min_length=1, max_length=8)]
    changes: Annotated[list[ScalingChange], Field(max_length=40)] = Field(default=[])
    band: Annotated[float, Field(gt=0, lt=1)] = 0.10
    trials: Annotated[int, Field(ge=64, le=10**6)] = 512
    panel: Annotated[int, Field(ge=1, le=100)] = 6
    also: Annotated[list[dict[str, str]], Field(max_length=8)] = Field(default=[])
    member: Text = "member"
    members: Text = "members"
    group: Text = "group"
    groups: Text = "groups"
    axis: Text = "chance to win, in per cent"
    cannot_see: str = ""

    def steps(self, size: int) -> list[ScalingChange]:
        """Return the changes that can be made for a size, the smallest first."""
        return [change for change in self.changes if size in change.sizes]

    def asked(self, variation: Variation, group: str) -> Variation:
        """Return the variation of a group: this one's settings, a case (with a change, if any), and the group's id."""
        question = Variation(**{name: getattr(self, name) for name in Variation.model_fields})
        return question.changed_by(variation).changed_by(Variation(one=group))


def scaling_faults(scaling: ReportScaling, game: LoadedGame, changes: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Yield a fault for whatever cannot be asked; `changes` are assignments in every question."""
    kind = game.definition.kinds.get(scaling.rung)
    if kind is None or kind.takes[0].groups is None or not kind.winner:
        yield Fault("is not a kind of question in which groups win", field="rung", found=scaling.rung)
        return
    for size in scaling.sizes:
        if not (groups := kind.takes[0].groups.of_size(game.catalogue, size)):
            yield Fault("is the size of no group", field="sizes", found=str(size))
            continue
        others = [*scaling.steps(size), *(Variation(choices=choices) for choices in scaling.also)]
        cases = [*scaling.cases, *map(scaling.cases[0].changed_by, others)]
        for variation in cases:
            try:
                scaling.asked(variation, groups[0]).ask(scaling.rung, changes).to(game)
            except BalanceError as error:
                yield from error.faults
