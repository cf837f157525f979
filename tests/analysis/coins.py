"""Coins: two players throw a die each, and whoever shows more hits wins; every number follows in closed form.

A die shows HIT or MIS on each of its faces, so with one result a face the score of a is one half and half of what its
chance to hit is more than that of b. What a player is worth, its luck and its purse, changes nothing; a third die lies
in the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from balance.base.errors import Fault
from balance.game import Column, Game, QuestionKind, Rolls, Setup, State, kit
from balance.game.loaded import LoadedGame, load
from balance.game.setup import Asked

BOX = ("HIT", "MIS")
RULES = """rules_version = "1"

[switches.ties]
value = "half"
allowed = ["half", "a"]
ambiguity = "C-Q1"
level = "A"
meaning = "Who wins with as many hits."

[switches.ties.readings]
half = "Nobody."
a = "The first player."

[constants]
coins = 1
"""


class Face(kit.Record):
    """A face of a die."""

    id: kit.EntryId
    die: Literal["a", "b", "box"]
    results: tuple[Literal["HIT", "MIS"], ...]


class Player(kit.Card):
    """Who throws."""

    more: Annotated[int, Field(ge=0, le=1)]
    purse: Annotated[float, Field(ge=0, le=9)]
    kin: kit.EntryId
    lucky: bool


class CoinRules(kit.Rules):
    """The rule options."""

    ties: Literal["half", "a"]


class Constants(kit.Record):
    """The numbers of the rulebook."""

    coins: Annotated[int, Field(ge=1, le=1)]


def _own_kin(tables: Any) -> Iterator[tuple[str, str, Fault]]:
    """Nobody has the kin of another."""
    for name, player in tables["players"].items():
        if player.kin != f"kin_{name}":
            yield "players", name, Fault("is not its own", field="kin", found=player.kin)


def prepared(asked: Asked[Any, Any, Any]) -> Setup[Any]:
    """Return what each face of either die is worth, and who wins a tie."""
    shown: dict[str, list[int]] = {side: [] for side in "ab"}
    for face in asked.catalogue.entries(Face).values():
        if face.die in shown:
            shown[face.die].append(face.results.count("HIT") + asked.sides[face.die].card.more)
    return Setup((*(tuple(hits) for hits in shown.values()), int(asked.rules.ties == "a")), asked.inputs())


def throw(setup: Setup[Any], state: State, rolls: Rolls) -> State:
    """C-1: each die falls on one of its faces."""
    *dice, tie = setup.play
    a, b = (np.array(hits)[rolls.d(len(hits), 1, side)[:, 0] - 1] for side, hits in zip("ab", dice, strict=True))
    return {"winner": np.where(a > b, 1, np.where(a < b, 2, tie)), "hits": a}


def played(setup: Setup[Any], lane: str) -> Any:
    return (kit.once({"winner": 0, "hits": 0}, [partial(throw, setup)], ["winner", "hits"]),)


PLAYER = kit.cards_of("players", Player)
COLUMNS: Mapping[str, Column] = {"winner": kit.WINNER, "hits": Column("hits of a", "effect", per="throw")}
TOSS = QuestionKind("toss", ("a", "b"), (PLAYER, PLAYER), played, COLUMNS, prepared)
GAME = Game(
    name="coins",
    title="Coins",
    spec=kit.tables_of("coins", CoinRules, Constants, (_own_kin,), players=Player, faces=Face),
    kinds={"toss": TOSS, "series": replace(TOSS, name="series", has_distribution=False)},
    folder=Path(),
)
STATED = ("players,ann,more", "players,bob,more", "players,cy,more", "rules,ties,value")


def written(
    folder: Path,
    a: Sequence[str] = ("HIT",) * 5 + ("MIS",),
    b: Sequence[str] = ("HIT",) * 2 + ("MIS",) * 4,
    *,
    stated: Sequence[str] = STATED,
    inferred: Sequence[str] = (),
    order: int = 1,
) -> LoadedGame:
    """Return the game with these faces; every value that is not `stated` or `inferred` is assumed or nobody's."""
    folder.mkdir(parents=True, exist_ok=True)
    dice = {"a": a, "b": b, "box": BOX}
    faces = [f"{die}_{at},{die},{text}" for die, shown in dice.items() for at, text in enumerate(shown, start=1)]
    stated = [*stated, *(f"faces,{face.split(',')[0]},die" for face in faces)]
    players = [f"{name},{name.title()},{cost},0,{cost / 10},kin_{name},false" for name, cost in PLAYERS.items()]
    sources = [f"{text},stated,p. 1" for text in stated] + [f"{text},inferred,p. 2" for text in inferred]
    told = {
        "faces": ("id,die,results", faces[::order]),
        "players": ("id,name,cost_points,more,purse,kin,lucky", players[::order]),
        "rule_ids": ("id,level,lines,title", ["C-1,A,1,Each die falls on one of its faces"]),
        "SOURCES": ("table,id,field,status,where", [*sources, "faces,a_1,results,assumed,nobody"][::order]),
    }
    for name, (head, rows) in told.items():
        (folder / f"{name}.csv").write_text("\n".join([head, *rows]) + "\n", "utf-8")
    (folder / "rules.toml").write_text(RULES, "utf-8")
    return load(GAME, folder)


PLAYERS = {"ann": 10, "bob": 20, "cy": 30}
"""Who plays, and at what cost."""
