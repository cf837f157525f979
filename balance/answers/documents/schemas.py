"""The JSON Schema of what each verb prints with `--json`, made from the types of this room.

A property is described by the docstring of its class: the first paragraph tells what the object is, and numpydoc's
`Attributes` its fields. Objects whose fields are fixed allow no others, and every field is required that is no
`NotRequired`: a field that comes, goes or changes its type must do so here too.

>>> [form["$ref"] for form in schema("price")["anyOf"]]
['#/$defs/Prices', '#/$defs/PriceOfCard', '#/$defs/Brief']
>>> schema("duel") == schema("ask")
True
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from balance.analysis.armies.best_army import BestArmy
from balance.analysis.armies.legal_armies import RandomArmies
from balance.analysis.changes.handicaps.bids import Bid
from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
from balance.analysis.changes.handicaps.remedies import Remedies
from balance.analysis.changes.handicaps.worth import Worths
from balance.analysis.changes.neighbours.card_changes import CardChanges
from balance.analysis.changes.neighbours.price_card import PriceOfCard
from balance.analysis.changes.tuning.answer import FewestChanges
from balance.analysis.claims.robustness import Robustness
from balance.analysis.luck.field import FieldLuck
from balance.analysis.luck.question import Luck
from balance.analysis.play.ladder import Play
from balance.analysis.prices.answer import Prices
from balance.analysis.scores.matrix import MatchUps
from balance.analysis.stability.answer import Stability
from balance.analysis.stability.pair_stability import PairStability
from balance.analysis.what_if.page import Page
from balance.answers.documents import (
    brief,
)
from balance.answers.games.beginnings import NewGame, NewStudy, Templates
from balance.answers.games.games import Games
from balance.answers.games.page import GamePage
from balance.answers.games.rules import RuleCoverage
from balance.answers.games.schema import VerbSchema
from balance.answers.words.catalogues.check import Check
from balance.answers.words.catalogues.written import Written
from balance.answers.words.questions.record import AnswerRecord
from balance.base.answers import Doc, Part, parts_of
from balance.base.errors import UsageError, suggestion
from balance.catalogue.battlescribe.answer import Roster
from balance.chance.dice.answer import DiceOdds
from balance.game.question.findings import SolvedQuestion
from balance.game.question.replay import Replay
from balance.playtests.log.template import LogTemplate
from balance.playtests.model.answer import RatingAnswer
from balance.playtests.need.answer import NeededGames
from balance.playtests.people.agreement import Agreement
from balance.playtests.people.answer import ScoreAnswer
from balance.playtests.people.luck import RolledLuck
from balance.study.compare.answer import Comparison
from balance.study.run.answer import DryRun, FinishedRun, WrittenReport

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANSWER = "ask"
"""The verb whose schema is that of every kind of question, such as "duel"."""
DOCUMENTS: Mapping[str, tuple[Any, ...]] = {
    ANSWER: (AnswerRecord,),
    "solve": (SolvedQuestion,),
    "price": (Prices, PriceOfCard),
    "play": (Play,),
    "stability": (Stability, PairStability),
    "army": (BestArmy, RandomArmies),
    "tune": (FewestChanges,),
    "tornado": (Robustness,),
    "card": (CardChanges,),
    "handicap": (
        Remedies,
        Bid,
        Worths,
        FairCost,
        PointsBid,
    ),
    "page": (Page, Written),
    "luck": (Luck, FieldLuck),
    "replay": (Replay,),
    "rate": (RatingAnswer, ScoreAnswer, LogTemplate),
    "need": (NeededGames,),
    "fit": (Agreement,),
    "dice": (DiceOdds, RolledLuck),
    "check": (Check,),
    "export": (Written,),
    "import": (Written,),
    "tables": (Written,),
    "run": (FinishedRun, DryRun),
    "compare": (Comparison,),
    "report": (WrittenReport,),
    "matchups": (MatchUps,),
    "roster": (Roster,),
    "games": (Games,),
    "show": (GamePage,),
    "rules": (RuleCoverage,),
    "schema": (VerbSchema,),
    "new-game": (NewGame, Templates),
    "init": (NewStudy,),
}
"""Verb -> the forms that its object may have, beside that of `--brief`."""
_HEAD = re.compile(r"^([a-z_0-9]+(?:, [a-z_0-9]+)*)$")


class _Generator(GenerateJsonSchema):
    """Makes schemas without titles of fields, with what docstrings say, and with nothing left open."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        return _told(super().typed_dict_schema(schema), schema["cls"])

    def model_schema(self, schema: Any) -> dict[str, Any]:
        made = super().model_schema(schema)
        for part in made["properties"].values():
            part.pop("default", None)
        return {**made, "additionalProperties": False}

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        made, parts = super().dataclass_schema(schema), parts_of(schema["cls"])
        properties = {key: self._property(part, made["properties"].get(part.name)) for key, part in parts.items()}
        required = [key for key, part in parts.items() if part.is_required]
        return _told(made | {"properties": properties, "required": required}, schema["cls"])

    def _property(self, part: Part, made: dict[str, Any] | None) -> dict[str, Any]:
        """Return the schema of a part of a record with what is said of it; `made` is that of a field."""
        schema = dict(made if made is not None else self.generate_inner(TypeAdapter(part.hint).core_schema))
        schema.pop("default", None)
        if not part.is_required:  # it is left out where it would be null
            schema |= next(kind for kind in schema.pop("anyOf") if kind != {"type": "null"})
        texts = [word.documentation for word in part.notes(Doc)]
        return schema | ({"description": " ".join(texts)} if texts else {})


def _told(made: dict[str, Any], cls: type) -> dict[str, Any]:
    """Return the schema of an object with what its class says of it and of its fields, and with no other fields."""
    docs = _attribute_docs(cls)
    for name, part in made.get("properties", {}).items():
        texts = dict.fromkeys(filter(None, (docs.get(name), part.get("description"))))
        if texts:
            part["description"] = " ".join(texts)
    return {**made, "description": about(cls), "additionalProperties": False}


def _attribute_docs(cls: type) -> dict[str, str]:
    """Return what the docstrings of a class, and of those that it is made from, say of its fields.

    >>> from balance.answers.documents.brief import BriefTable
    >>> sorted(_attribute_docs(BriefTable))
    ['columns', 'n_rows', 'name', 'rows']
    """
    docs = reduce(or_, map(_attribute_docs, _bases(cls)), dict[str, str]())
    _, _, text = inspect.cleandoc(cls.__doc__ or "").partition("\nAttributes\n----------\n")
    names: tuple[str, ...] = ()
    for line in text.splitlines():
        if match := _HEAD.match(line):
            names = tuple(match[1].split(", "))
        elif not line.startswith("    "):
            names = ()
        for name in names if not match else ():
            docs[name] = f"{docs[name]} {line.strip()}" if docs.get(name, "").startswith("\0") else f"\0{line.strip()}"
    return {name: text.removeprefix("\0") for name, text in docs.items()}


def _bases(cls: type) -> Iterator[type]:
    """Yield the classes that a typed dictionary or a record is made from."""
    for base in getattr(cls, "__orig_bases__", cls.__bases__):
        if isinstance(base, type) and base.__module__.startswith("balance."):
            yield base


def about(cls: type) -> str:
    """Return what an object of a class is: the first paragraph of its docstring, on one line."""
    return inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].replace("\n", " ")


@cache
def schema(verb: str) -> dict[str, Any]:
    """Return the JSON Schema of the object that a verb prints; a kind of question such as "duel" has that of "ask".

    `verb`: the name of a verb or of a kind of question. `UsageError`: nothing of this name prints an object.
    """
    return schema_of(*DOCUMENTS[name_of(verb)], brief.Brief)


def schema_of(*forms: Any) -> dict[str, Any]:
    """Return the JSON Schema of objects that have one of several forms."""
    made = TypeAdapter(reduce(or_, forms)).json_schema(schema_generator=_Generator, mode="serialization")
    return {"$schema": DIALECT, **made}


def name_of(verb: str) -> str:
    """Return under which name the schema of a verb is listed.

    `UsageError`: nothing of this name prints an object.

    >>> name_of("duel"), name_of("price")
    ('ask', 'price')
    """
    from balance.game.registry import find_game, installed_games

    if verb in DOCUMENTS:
        return verb
    kinds = {kind for game in map(find_game, installed_games()) for kind in game.kinds}
    if verb in kinds:
        return ANSWER
    tip = suggestion(verb, [*DOCUMENTS, *sorted(kinds)])
    raise UsageError(f"{verb!r} prints no JSON; these do: {', '.join(DOCUMENTS)}", tip)
