"""The part of a study file that says which match-ups to play, in which situations, and when to stop.

`[[situations]]` names circumstances one by one, `[grid]` gives several values to some of them, and every combination is
played; `[policies]` does the same for the choices a game offers. `[budget]` is one of three: a number of trials, a
half-width, or a verdict with the smallest imbalance worth caring about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, model_validator

from balance.catalogue.toml_model import Frozen

Value = bool | int | float | str
Name = Annotated[str, Field(min_length=1, max_length=80)]
Pairs = Annotated[int, Field(ge=1, le=10**12)]


V = TypeVar("V", bound=Value)


def _check_distinct(values: list[V]) -> list[V]:
    texts = [show_setting(value) for value in values]
    if duplicate := next((text for text, n in Counter(texts).items() if n > 1), None):
        raise ValueError(f"holds {duplicate[:80]!r} twice")
    return values


Options = Annotated[list[V], Field(min_length=1), AfterValidator(_check_distinct)]
"""Several values of one thing, each of which is tried."""


class CrossCheck(Frozen):
    """How many match-ups are simulated to check the exact distributions, with `trials` in each."""

    match_ups: Annotated[int, Field(ge=1, le=100_000)] = 400
    trials: Annotated[int, Field(ge=1, le=10**9)] = 4096


class Budget(Frozen):
    """When a match-up has been simulated enough; at most one of `trials`, `half_width` and `verdict` (the default).

    A trial is a mirrored pair of games. `cap` ends a match-up in any case, `total` the whole study.
    """

    trials: Pairs | None = None
    half_width: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    verdict: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    cap: Pairs = 1_048_576
    total: Pairs | None = None

    @model_validator(mode="after")
    def _one_rule(self) -> Budget:
        options = [name for name in ("trials", "half_width", "verdict") if getattr(self, name) is not None]
        if len(options) > 1:
            raise ValueError(f"holds {' and '.join(options)}: give one of trials, half_width and verdict")
        return self

    @property
    def imbalance(self) -> float:
        """The smallest imbalance worth caring about, as a share: a score within it of 1/2 is fair."""
        return self.verdict if self.verdict is not None else 0.02


class Situation(Frozen):
    """One named circumstance; `set` holds its values, such as `{distance_cells = 6}` (a bare name is a situation's)."""

    name: Name
    set: dict[str, Value] = Field(default={})


def _check_unique_names(situations: list[Situation]) -> list[Situation]:
    _check_distinct([situation.name for situation in situations])
    return situations


Situations = Annotated[list[Situation], AfterValidator(_check_unique_names)]


class Scene(Frozen):
    """One point of the grid of a study.

    `name`: what tells it apart from the others; empty where there is but one. `changes`: assignments such as
    `situation.distance_cells=6`. `choices`: (choice, what was chosen), such as policies.
    """

    name: str
    changes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


def show_setting(value: Value) -> str:
    """Return a value as text for an assignment.

    >>> show_setting(True), show_setting(6)
    ('true', '6')
    """
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def scenes(
    situations: Sequence[Situation], grid: Mapping[str, Sequence[Value]], policies: Mapping[str, Sequence[str]]
) -> tuple[Scene, ...]:
    """Return every combination of situations, values of the grid and policies, in the order of the file.

    No situation stands for the usual one; fields of the grid are paths, or bare names of a situation's fields.

    >>> [scene.name for scene in scenes([Situation(name="open")], {"distance_cells": [2, 6]}, {})]
    ['open, distance_cells 2', 'open, distance_cells 6']
    """
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    choices = [dict(zip(policies, choice, strict=True)) for choice in product(*policies.values())]
    axes = {name for settings in (grid, policies) for name, values in settings.items() if len(values) > 1}
    all_scenes = []
    for situation, point, choice in product(situations or [Situation(name="-")], points, choices):
        words = [situation.name] if situations else []
        words += [f"{name} {show_setting(value)}" for name, value in {**point, **choice}.items() if name in axes]
        changes = tuple(f"{_path(name)}={show_setting(value)}" for name, value in {**situation.set, **point}.items())
        all_scenes.append(Scene(name=", ".join(words), changes=changes, choices=tuple(choice.items())))
    return tuple(all_scenes)


def _path(name: str) -> str:
    return name if "." in name else f"situation.{name}"
