"""All groups of several sizes played, and the smallest change by which the sizes win alike, as tables of a run.

* `scaling_groups`: a row for each group in each case, `wins` of `trials`; `chance` without what the dice add. `change`
  is empty today, else what is changed for its size;
* `scaling_sizes`: a row for each size in each case: the five numbers of its groups and who has them, an interval of
  the median (`low`, `high`: of the dice), `dice_share` (see `balance.analysis.scaling.spread`), and `choices`, how
  everybody plays;
* `scaling_changes`: a row for each size in the first case: today, and after the change chosen for it, on fresh dice.
  `sure_today` and `sure` are how often, by the dice, the medians of all sizes lie within the band;
* `scaling_ways`: a row for each size in each other way of playing: medians of a panel of its groups, today and changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.scaling.search import Choice, goal_of, smallest_steps
from balance.analysis.scaling.spread import Spread, spread_of
from balance.base.errors import BalanceError, Fault, UsageError
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.engine.query import digest
from balance.engine.runner import Runner
from balance.game.question.question import Question
from balance.game.setup import Groups
from balance.study.scaling.settings import ReportScaling, ScalingChange
from balance.study.settings.tables import Variation, leave_out

ENDS = ("worst", "lower", "median", "upper", "best")
GROUPS: Mapping[str, Any] = {
    **dict.fromkeys(("id", "case", "change"), pl.String), "size": pl.Int64,
    **dict.fromkeys(("group", "name"), pl.String),
    **dict.fromkeys(("wins", "trials"), pl.Int64), "chance": pl.Float64,
}  # fmt: skip
SIZES: Mapping[str, Any] = {
    **dict.fromkeys(("id", "case"), pl.String), **dict.fromkeys(("size", "n_groups"), pl.Int64),
    **dict.fromkeys(ENDS, pl.Float64), **{f"{end}_name": pl.String for end in ENDS},
    **dict.fromkeys(("low", "high", "dice_share"), pl.Float64), "choices": pl.List(pl.String),
}  # fmt: skip
CHANGES: Mapping[str, Any] = {
    "id": pl.String, **dict.fromkeys(("size", "n_groups"), pl.Int64), "change": pl.String, "tried": pl.Int64,
    **{f"{when}{end}": pl.Float64 for when in ("", "then_") for end in ("worst", "median", "best", "low", "high")},
    **dict.fromkeys(("goal_low", "goal_high", "sure_today", "sure"), pl.Float64),
}  # fmt: skip
WAYS: Mapping[str, Any] = {
    **dict.fromkeys(("id", "choices"), pl.String), **dict.fromkeys(("size", "n_groups"), pl.Int64),
    **dict.fromkeys(("median", "then_median"), pl.Float64),
}  # fmt: skip
SCHEMAS = {"groups": GROUPS, "sizes": SIZES, "changes": CHANGES, "ways": WAYS}
INTERVAL = (0.025, 0.975)
Rows = list[dict[str, Any]]
Assignments = Callable[[str], tuple[str, ...]]
"""Kind of question -> assignments that a study makes in every question of it."""


@dataclass(frozen=True)
class Wins:
    """A measure for `Runner`: question -> the trials that its group wins, on dice named by what the group is."""

    trials: int
    seed: int
    purpose: str

    def __call__(self, question: Question) -> int:
        """Return the trials won; the dice are named by the group, the game and the purpose, not by the case."""
        kind, groups = question.kind, question.kind.takes[0].groups
        who = groups.identity(question.game.catalogue, question.entrants[0]) if groups else question.task_id
        key = digest([question.game.definition.name, kind.name, self.purpose, who])
        counts = collect(question.task(key=key), FixedTrials(self.trials), seed=self.seed).counts
        won = kind.winners[kind.sides[0]]
        return int(counts.weight(lambda **columns: columns[kind.winner] == won))


def scaling_frames(
    runner: Runner,
    wanted: Sequence[ReportScaling],
    seed: int = 0,
    changes: Assignments = lambda kind: (),
    gaps: list[Fault] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables above; none if nothing is wanted.

    `changes` gives a study's assignments for a kind of question. What cannot be asked is added to `gaps`; without it
    `StudyError` is raised.
    """
    rows: dict[str, Rows] = {name: [] for name in SCHEMAS}
    for scaling in wanted:
        try:
            parts = Field(runner, scaling, seed, changes(scaling.rung)).tables()
        except BalanceError as error:
            leave_out(error.faults, f"scaling {scaling.id}", gaps)
            continue
        for name, part in parts.items():
            rows[name] += part
    return {f"scaling_{name}": pl.DataFrame(part, SCHEMAS[name]) for name, part in rows.items() if part}


@dataclass(frozen=True)
class Field:
    """All groups of all sizes of one scaling, ready to be played."""

    runner: Runner
    scaling: ReportScaling
    seed: int
    changes: tuple[str, ...]

    @property
    def listed(self) -> Groups:
        """The game's listing of groups; raises `UsageError` if the kind of question takes none."""
        groups = self.runner.game.definition.kinds[self.scaling.rung].takes[0].groups
        if groups is None:
            raise UsageError(f"{self.scaling.rung} asks of no groups")
        return groups

    def groups(self, size: int) -> Sequence[str]:
        """Return the ids of all legal groups with `size` members."""
        return self.listed.of_size(self.runner.game.catalogue, size)

    def tables(self) -> dict[str, Rows]:
        """Return the rows of the four tables, by the end of their name."""
        rows: dict[str, Rows] = {name: [] for name in SCHEMAS}
        today: dict[int, Spread] = {}
        for case in self.scaling.cases:
            for size in self.scaling.sizes:
                wins = self.play(self.groups(size), case, "today")
                spread = spread_of(wins, self.scaling.trials)
                rows["groups"] += self._group_rows(case.label, "", size, wins, spread)
                rows["sizes"].append(self._size_row(case.label, size, spread))
                if case is self.scaling.cases[0]:
                    today[size] = spread
        if self.scaling.changes:
            groups, rows["changes"] = self._changed(today)
            rows["groups"] += groups
            rows["ways"] = self._way_rows(today, {row["size"]: row["change"] for row in rows["changes"]})
        return rows

    def play(self, groups: Sequence[str], variation: Variation, purpose: str) -> list[int]:
        """Return how many trials each of some groups wins; `purpose` names the dice, together with the group."""
        queries = [self.scaling.asked(variation, group).ask(self.scaling.rung, self.changes) for group in groups]
        wins = self.runner(queries, Wins(self.scaling.trials, self.seed, purpose), "groups of all sizes", share=False)
        return [won or 0 for won in wins]

    def _name(self, group: str) -> str:
        return self.listed.name(self.runner.game.catalogue, group)

    def _group_rows(self, case: str, change: str, size: int, wins: Sequence[int], spread: Spread) -> Rows:
        columns = zip(self.groups(size), wins, spread.chances.tolist(), strict=True)
        return [
            {"id": self.scaling.id, "case": case, "change": change, "size": size, "group": group,
             "name": self._name(group), "wins": won, "trials": self.scaling.trials, "chance": chance}
            for group, won, chance in columns
        ]  # fmt: skip

    def _size_row(self, case: str, size: int, spread: Spread) -> dict[str, Any]:
        groups = self.groups(size)
        names = [self._name(groups[place]) for place in spread.places]
        return {
            "id": self.scaling.id, "case": case, "size": size, "n_groups": len(groups),
            **dict(zip(ENDS, spread.values, strict=True)),
            **{f"{end}_name": name for end, name in zip(ENDS, names, strict=True)},
            **self._interval(spread), "dice_share": spread.dice_share, "choices": self._choices(),
        }  # fmt: skip

    def _choices(self) -> list[str]:
        """Return the choices in force on both sides, `NAME=VALUE` each."""
        kind = self.runner.game.definition.kinds[self.scaling.rung]
        choices = {name: options[0] for name, options in kind.choices.items()} | self.scaling.choices
        return [f"{name}={value}" for name, value in choices.items()]

    def _interval(self, spread: Spread) -> dict[str, float]:
        low, high = np.quantile(spread.medians(np.random.default_rng(self.seed)), INTERVAL)
        return {"low": float(low), "high": float(high)}

    # -- what to change ----------------------------------------------------------------------------------------------

    def _changed(self, today: Mapping[int, Spread]) -> tuple[Rows, Rows]:
        """Return rows of the groups of changed sizes, played on fresh dice, and rows with the change for each size."""
        medians = {size: spread.median for size, spread in today.items()}
        goal = goal_of(medians, self.scaling.band)
        steps = {size: [change.easier for change in self.scaling.steps(size)] for size in today}
        choices = smallest_steps(medians, goal, steps, self._shifted(today))
        says, groups, after = dict.fromkeys(today, ""), list[dict[str, Any]](), dict(today)
        for size, change in ((size, self._change(size, choice)) for size, choice in choices.items()):
            if change is not None:
                wins = self.play(self.groups(size), self._case(change), "confirmation")
                says[size], after[size] = change.says, spread_of(wins, self.scaling.trials)
                groups += self._group_rows(self.scaling.cases[0].label, change.says, size, wins, after[size])
        sure = {f"sure{when}": share_within(spreads, self.scaling.band, self.seed)
                for when, spreads in (("_today", today), ("", after))}  # fmt: skip
        return groups, [
            {"id": self.scaling.id, "size": size, "n_groups": len(self.groups(size)), "change": says[size],
             "tried": choices[size].tried, **self._five("", today[size]), **self._five("then_", after[size]),
             "goal_low": goal.low, "goal_high": goal.high, **sure} for size in today
        ]  # fmt: skip

    def _change(self, size: int, choice: Choice) -> ScalingChange | None:
        return None if choice.step is None else self.scaling.steps(size)[choice.step]

    def _shifted(self, today: Mapping[int, Spread]) -> Callable[[int, int], float]:
        """Return (size, step) -> the median after a change: today's plus the mean shift of a panel of its groups."""

        def measure(size: int, step: int) -> float:
            panel, groups = self._panel(today[size]), self.groups(size)
            wins = self.play([groups[place] for place in panel], self._case(self.scaling.steps(size)[step]), "search")
            after = np.array(wins) / self.scaling.trials
            return float(today[size].median + (after - today[size].chances[panel]).mean())

        return measure

    def _panel(self, spread: Spread) -> list[int]:
        """Return the places of a few groups that stand for all of a size, at evenly spaced quantiles."""
        order = np.argsort(spread.chances, kind="stable")
        n = min(self.scaling.panel, len(order))
        return [int(place) for place in order[((np.arange(n) + 0.5) / n * len(order)).astype(int)]]

    def _way_rows(self, today: Mapping[int, Spread], says: Mapping[int, str]) -> Rows:
        """Return the medians of panels in other ways of playing, today and after the change `says` of each size."""
        rows: Rows = []
        for choices, size in ((choices, size) for choices in self.scaling.also for size in today):
            groups = [self.groups(size)[place] for place in self._panel(today[size])]
            change = next((change for change in self.scaling.steps(size) if change.says == says[size]), None)
            medians = [
                float(np.median(self.play(groups, case.changed_by(Variation(choices=choices)), "way")))
                / self.scaling.trials
                for case in ((self._case(None), self._case(change)) if change else (self._case(None),))
            ]
            way = ",".join(f"{name}={value}" for name, value in choices.items())
            rows.append({"id": self.scaling.id, "choices": way, "size": size, "n_groups": len(groups),
                         "median": medians[0], "then_median": medians[-1]})  # fmt: skip
        return rows

    def _case(self, change: ScalingChange | None) -> Variation:
        case = self.scaling.cases[0]
        return case.changed_by(change) if change else case

    def _five(self, when: str, spread: Spread) -> dict[str, float]:
        numbers = {"worst": spread.values[0], "median": spread.median, "best": spread.values[-1]}
        return {f"{when}{name}": value for name, value in (numbers | self._interval(spread)).items()}


def share_within(spreads: Mapping[int, Spread], band: float, seed: int) -> float:
    """Return the share of bootstrap draws in which the medians of all sizes lie within `band` of each other."""
    rng = np.random.default_rng(seed)
    medians = np.array([spread.medians(rng) for spread in spreads.values()])
    return float((np.ptp(medians, axis=0) <= band).mean())
