"""The input of a game's setup: who fights on each side, the situation and the rules, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from balance.base.text import slug
from balance.catalogue import Catalogue, Record, leaf_columns
from balance.catalogue.overrides import field_paths
from balance.chance.rolls.rolls import Policy

RulesT = TypeVar("RulesT", bound=Record)
SituationT = TypeVar("SituationT", bound=Record)
StanceT = TypeVar("StanceT", bound=Record)
SideT = TypeVar("SideT", bound="HasInputs")
T = TypeVar("T")


class HasInputs(Protocol):
    """A side as its kind of entrant reads it, which can state its resolved inputs."""

    def inputs(self) -> Mapping[str, object]:
        """Return the side with defaults and overrides resolved, as plain values."""
        ...


@dataclass(frozen=True)
class AskedSide(Generic[RulesT, StanceT]):
    """One side as typed, for its kind of entrant to read.

    * `catalogue` and `rules`: the catalogue, and the rule options in force.
    * `root` and `text`: name of the side, and the id of its entrant.
    * `fields`: overrides of the side, field -> text, as `Overrides.take` returns them.
    * `stance`: the stance with its default values.
    """

    catalogue: Catalogue
    rules: RulesT
    root: str
    text: str
    fields: Mapping[str, str]
    stance: StanceT

    @property
    def place(self) -> str:
        """The place of the side in errors: its root as an option."""
        return f"§set {self.root}"

    @property
    def stance_fields(self) -> tuple[str, ...]:
        """The fields of the stance, which a fault of an unknown field lists with those of the cards."""
        return tuple(leaf_columns(type(self.stance)))

    def split(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the overrides of the stance, and those of the cards."""
        field_types = field_paths(type(self.stance)) if self.fields else {}
        own_fields = {path: text for path, text in self.fields.items() if path in field_types}
        return own_fields, {path: text for path, text in self.fields.items() if path not in own_fields}


@dataclass(frozen=True)
class Asked(Generic[RulesT, SituationT, SideT]):
    """A question, read and checked: the input of a game's `setup`.

    * `entrants`: the ids as they were typed.
    * `catalogue`, `rules` and `situation`: the catalogue, the rule options in force, and the settings besides the
      sides.
    * `sides`: name of a side -> the side as its kind of entrant read it.
    * `first`: the turn order; empty where there is no such choice.
    * `choices` and `policies`: decision -> option chosen; side -> the policy of that option, where the game declares
      it.
    """

    entrants: tuple[str, str]
    catalogue: Catalogue
    rules: RulesT
    situation: SituationT
    sides: Mapping[str, SideT]
    first: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)

    def inputs(self, resolved_sides: Mapping[str, object] | None = None, **beside: object) -> dict[str, Any]:
        """Return the resolved question as plain values, for people and for JSON.

        `resolved_sides`: fields of the situation that were left open, with the values worked out for them. `beside`:
        further values to include.
        """
        sides = {name: side.inputs() for name, side in self.sides.items()}
        situation = {**self.situation.model_dump(mode="json"), **(resolved_sides or {})}
        inputs = {**sides, "situation": situation, "rules": self.rules.model_dump(mode="json"), **beside}
        inputs |= {"first": self.first} if self.first else {}
        return inputs | ({"choices": dict(self.choices)} if self.choices else {})


@dataclass(frozen=True)
class Setup(Generic[T]):
    """A question prepared for play.

    `play`: the game's own data for play. `inputs`: the resolved question, for people and for JSON. `beside`: anything
    else that determines results besides the catalogue and what was typed, such as the digest of a file. `fair_share`:
    the score of the first side where nobody is favoured: a half of two, a third of three.
    """

    play: T
    inputs: Mapping[str, Any]
    beside: str = ""
    fair_share: float = 0.5


@dataclass(frozen=True)
class QuestionValues(Generic[RulesT, SituationT, SideT]):
    """The setup of a game that prepares nothing: all parts of a question that can change a result; see `Asked`."""

    rules: RulesT
    constants: Record
    situation: SituationT
    sides: Mapping[str, SideT]
    first: str
    policies: Mapping[str, Policy]

    def __hash__(self) -> int:
        """Hash the contents, so that equal questions share cached work."""
        return hash(
            (self.rules, self.constants, self.situation, *self.sides.items(), self.first, *self.policies.items())
        )


def ready(question: Asked[Any, Any, Any]) -> Setup[QuestionValues[Any, Any, Any]]:
    """Return the setup of a question for a game that prepares nothing."""
    constants = question.catalogue.constants
    setup_values = QuestionValues(
        question.rules, constants, question.situation, question.sides, question.first, question.policies
    )
    return Setup(setup_values, question.inputs())


@dataclass(frozen=True)
class Groups:
    """How to list groups of entrants, such as parties of heroes, of any given size.

    `of_size`: (catalogue, number of members) -> every legal group, in an order independent of ids and rows. `identity`:
    (catalogue, id) -> a key of the group, independent of ids of members, which names random streams. `name`:
    (catalogue, id) -> a short name for people.
    """

    of_size: Callable[[Catalogue, int], Sequence[str]]
    identity: Callable[[Catalogue, str], str]
    name: Callable[[Catalogue, str], str]


@dataclass(frozen=True)
class EntrantKind:
    """A kind of entrant, which fights or is attacked: a unit, an army, a party, a formation.

    * `name`: what one of them is called, such as "army".
    * `ids`: catalogue -> the ids to list; others may be valid too.
    * `label` and `cost_points`: (catalogue, id) -> its name for people, and what it costs.
    * `read`: function from a side as typed, with its overrides, to the side that fights.
    * `written`: how an id is written, such as "UNIT[+WEAPON]".
    * `joined_by`: separator of the parts of an id, the unit first and then its equipment; empty where ids have no
      parts.
    * `cards`: (catalogue, id) -> (table, entry) of every card used; None where they are the parts of its id.
    * `fields`: overrides besides those of its stance: first word of the path -> record whose field follows. The empty
      word stands for fields without such a word, an upper-case one for any matching id.
    * `marks`: characters that occur only in ids of this kind, which identify an id that is not listed.
    * `drawn`: notation of an entrant that is drawn anew in every trial, such as "random:POINTS", recognised by the part
      before the first ":"; empty where there is none.
    * `groups`: how to list all groups of a size, where an entrant is a group; None otherwise.
    """

    name: str
    ids: Callable[[Catalogue], Sequence[str]]
    label: Callable[[Catalogue, str], str]
    cost_points: Callable[[Catalogue, str], int]
    read: Callable[[AskedSide[Any, Any]], HasInputs]
    written: str = "an id"
    joined_by: str = ""
    cards: Callable[[Catalogue, str], Iterable[tuple[str, str]]] | None = None
    fields: Mapping[str, type[Record]] = field(default_factory=dict)
    marks: str = ""
    drawn: str = ""
    groups: Groups | None = None

    def __repr__(self) -> str:
        """Return the name of the kind in short."""
        return f"<kind of entrant {self.name}>"

    def draws(self, entrant: str) -> bool:
        """Return whether an id stands for an entrant that is drawn anew in every trial."""
        return bool(self.drawn) and entrant.partition(":")[0] == self.drawn.partition(":")[0]

    def parts(self, entrant: str) -> tuple[str, ...]:
        """Return the parts of an id, split at `joined_by`.

        >>> unit = EntrantKind("unit", list, str, int, dict, joined_by="+")
        >>> unit.parts("nexus+shotgun")
        ('nexus', 'shotgun')
        """
        return tuple(entrant.split(self.joined_by)) if self.joined_by else (entrant,)


@dataclass(frozen=True)
class Pairs:
    """Entrants that meet only in fixed pairs under one id, such as the two forces of an adventure.

    `name`: what a pair is called. `ids`: catalogue -> the ids of pairs to list. `of`: (catalogue, id of a pair) -> the
    ids of its two entrants.
    """

    name: str
    ids: Callable[[Catalogue], Sequence[str]]
    of: Callable[[Catalogue, str], tuple[str, str]]


@dataclass(frozen=True)
class StepUnits:
    """The units of a shipped game as the steps of its `steps.toml` read them, which say its attacks too.

    * `rows`: catalogue -> (entrant, what its unit holds by column); `keywords` are several words.
    * `fields`: side of an attack -> column -> the field that `--set` changes, of what the attack reads of that side.
    * `words`: side of an attack -> field -> the keywords that it may hold.
    * `sets`: what `--set` says of every attack, of rules that the steps leave out.
    """

    rows: Callable[[Catalogue], Iterable[tuple[str, Mapping[str, object]]]]
    fields: Mapping[str, Mapping[str, str]]
    words: Mapping[str, Mapping[str, tuple[str, ...]]]
    sets: tuple[str, ...] = ()

    def table(
        self, catalogue: Catalogue, label: Callable[[str], str], cost_points: Callable[[str], int]
    ) -> tuple[list[list[str]], dict[str, str]]:
        """Return the units as a table of texts, header first, and the entrant of each by its id in the table."""
        rows = dict(self.rows(catalogue))
        columns = list(dict.fromkeys(name for row in rows.values() for name in row if name != "keywords"))
        table = [["id", "name", "cost_points", *columns, "keywords"]]
        for entrant, row in rows.items():
            keywords = row.get("keywords", ())
            words = "; ".join(keywords) if isinstance(keywords, tuple) else str(keywords)
            numbers = [str(row.get(column, 0)) for column in columns]
            table.append([slug(entrant), label(entrant), str(cost_points(entrant)), *numbers, words])
        return table, {slug(entrant): entrant for entrant in rows}
