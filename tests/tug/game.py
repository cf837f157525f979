"""The rules of tug of war."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.game import Column, Game, PolicyKind, Process, QuestionKind, Rolls, State, kit
from balance.game.armies.armies import Arena, ArmyKind, AskedArena, army_of
from balance.game.setup import AskedSide, EntrantKind

CHANCES = 2**30


class Part(kit.Named):
    """A body or a tool."""

    cost_points: Annotated[float, Field(ge=0, le=9999)]
    strength: Annotated[int, Field(ge=0, le=100_000)]


class Body(Part):
    """What pulls."""


class Tool(Part):
    """What it pulls with."""


class TugRules(kit.Rules):
    """The rule options."""

    steep: Literal["2", "5"]


class Constants(kit.Record):
    """None to speak of."""

    pulls: Annotated[int, Field(ge=1, le=9)]


class TugSituation(kit.Record):
    """What a pull depends on beside the teams."""

    mud: Annotated[bool, Field(description="In mud every team is as strong as any other.")] = False


@dataclass(frozen=True)
class Team:
    """A team as it was read."""

    name: str
    cost_points: float
    strength: float

    def inputs(self) -> dict[str, Any]:
        return {"id": self.name, "cost_points": self.cost_points}


def parts_of(catalogue: Any, text: str) -> tuple[Part, Part]:
    body, _, tool = text.partition("+")
    return catalogue.find("bodies", body), catalogue.find("tools", tool)


def read(side: AskedSide[Any, Any]) -> Team:
    body, tool = parts_of(side.catalogue, side.text)
    return Team(side.text, body.cost_points + tool.cost_points, body.strength * tool.strength / 100)


def cost_of(catalogue: Any, text: str) -> Any:
    """Costs are not whole here, so that errors of a few per cent can be planted."""
    return sum(part.cost_points for part in parts_of(catalogue, text))


def teams(catalogue: Any) -> list[str]:
    return [f"{body}+{tool}" for body, tool in product(catalogue.tables["bodies"], catalogue.tables["tools"])]


def pull(steep: float, state: State, rolls: Rolls) -> State:
    """TUG-1: the stronger army wins more often."""
    a, b = state["a"] ** steep, state["b"] ** steep
    return {**state, "won": (rolls.uniform(CHANCES, "pull") < CHANCES * (a / (a + b))).astype(np.int16)}


def outcome(state: State, steps: Any) -> State:
    return {"winner": np.where(state["won"] > 0, 1, 2), "pulls": steps}


def process_of(steep: float, start: Any) -> Process:
    return Process(start, (partial(pull, steep),), lambda state: np.ones(len(state["a"]), bool), outcome, 1)


def started(a: Any, b: Any, rolls: Rolls, n: int) -> State:
    return {"a": a, "b": b, "won": np.zeros(n, np.int16)}


def line_up(setup: Any, lane: str) -> tuple[Process, ...]:
    asked = setup.play
    a, b = (np.float64(sum(team.strength for team in asked.sides[side].units)) for side in "ab")
    return (process_of(float(asked.rules.steep), {"a": a, "b": b, "won": 0}),)


def arena(asked: AskedArena[Any, Any, Any]) -> Arena:
    strength = np.array([team.strength for team in asked.members.values()] + [0.0])
    if asked.situation.mud:
        strength[:-1] = 1.0
    careless = np.array([0.5 if asked.choices.get(f"pull_{side}") == "lazily" else 1.0 for side in "ab"])

    def met(a: Any, b: Any, limits: Any = None) -> Process:
        sums = [strength[army].sum(axis=1) * part for army, part in zip((a, b), careless, strict=True)]
        return process_of(float(asked.rules.steep), partial(started, *sums))

    return Arena(tuple(asked.members), marks=tuple(f"{one:020.6f}" for one in strength[:-1].tolist()), process=met)


TEAM = EntrantKind(
    "team",
    ids=teams,
    label=lambda catalogue, text: " with ".join(part.name for part in parts_of(catalogue, text)),
    cost_points=cost_of,
    read=read,
    written="BODY+TOOL",
    joined_by="+",
    fields={},
)
ARMY = army_of(TEAM)
WAYS = {"hard": "with all it has", "lazily": "with half of it"}
PULLS: Mapping[str, PolicyKind] = kit.each_side(
    "pull", PolicyKind("How it pulls.", WAYS, quick=tuple(WAYS)), name="{of}_{side}"
)
GAME = Game(
    name="tug",
    title="Tug of war",
    spec=kit.tables_of("tug", TugRules, Constants, bodies=Body, tools=Tool),
    kinds={
        "lineup": QuestionKind(
            "lineup",
            ("a", "b"),
            (ARMY, ARMY),
            line_up,
            {"winner": kit.WINNER, "pulls": Column("pulls made", "duration")},
            asks="which army pulls harder",
            turn_orders=kit.TURN_ORDERS,
            policies=PULLS,
            situation=TugSituation,
            played="Armies pull once; the stronger wins more often.",
            cannot_see=("Rope: it never breaks.",),
            armies=ArmyKind(TEAM, arena, scales=lambda catalogue: ((100, 4.0), (200, 8.0))),
        )
    },
    folder=Path(__file__).parent / "data",
)
