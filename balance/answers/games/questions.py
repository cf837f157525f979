"""The pages about questions: entrants, kinds of question, settings and policies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from balance.answers.games.examples import question_command
from balance.answers.games.page import Part
from balance.answers.games.tables import plain_value
from balance.catalogue import Column as FieldColumn
from balance.catalogue import Record, leaf_columns, show_value
from balance.game.game import Column, PolicyKind, QuestionKind
from balance.game.open_game import OpenGame

ROLES = {
    "effect": "effect",
    "loss": "loss in return",
    "duration": "how long",
    "waste": "waste",
    "winner": "who wins",
    "ending": "how it ends",
    "": "",
}
"""Role of a column -> how it is called in a table."""
SITUATION = "situation"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


# -- questions --------------------------------------------------------------------------------------------------------


def questions(game: OpenGame) -> Iterator[Part]:
    """Yield the page on kinds of question: sides, columns of the answer, an example, and what each cannot see."""
    for kind in game.definition.kinds.values():
        sides_text = " ".join(side.upper() for side in kind.sides)
        example = f"Example: {question_command(game, kind)}"
        unseen = [f"- {sentence}" for sentence in kind.cannot_see]
        yield Part(
            title=kind.name,
            details=f"balance {kind.name} {game.definition.called} {sides_text}",
            above=(*_about(kind, game.definition.called), example),
            columns=("tells", "as", "what it counts"),
            rows=tuple((name, ROLES[column.role], _count_text(column)) for name, column in kind.columns.items()),
            below=("It cannot see:", *unseen) if unseen else (),
        )


def _about(kind: QuestionKind, game: str) -> Iterator[str]:
    """Yield sentences on a kind of question: who takes part, who goes first, what is chosen, how it is answered."""
    if kind.asks:
        yield _sentence(kind.asks)
    if kind.played:
        yield f"How it is played: {kind.played}"
    takes: dict[str, list[str]] = {}
    for side, role in zip(kind.sides, kind.takes, strict=True):
        takes.setdefault(f"{role.name}, given as {role.written}", []).append(side)
    sides = "; ".join(f"{' and '.join(names)}: {role}" for role, names in takes.items())
    yield f"Who takes part: {sides}."
    if kind.turn_orders:
        yield f"Who goes first: {', '.join(kind.turn_orders)} (--first; {kind.usual_first} if nothing is said)."
    if kind.policies:
        yield f"What can be chosen: {', '.join(kind.policies)} (--choose; balance show {game} policies)."
    exact = "exactly, and by simulation" if kind.has_distribution else "by simulation only"
    yield f"How it is answered: {exact}{'; balance solve finds the best play' if kind.solve is not None else ''}."


def _count_text(column: Column) -> str:
    """Return the meaning of a column, with the name of each code unless the meaning states them."""
    names = [f"{code} {name}" for code, name in sorted(column.names.items())]
    is_told = all(str(code) in column.meaning for code in column.names)
    return column.meaning if is_told else f"{column.meaning}: {', '.join(names)}"


# -- who takes part ----------------------------------------------------------------------------------------------------


def entrants(game: OpenGame) -> Iterator[Part]:
    """Yield the page on entrants: where each kind takes part, how its id is written, and all ids with costs."""
    points, catalogue = game.words.points, game.catalogue
    names_by_ids: dict[tuple[str, ...], str] = {}
    for entrant_kind in game.definition.entrant_kinds:
        parts = [
            f"{kind.name} ({', '.join(sides)})"
            for kind in game.definition.kinds.values()
            if (sides := [side for side, of in zip(kind.sides, kind.takes, strict=True) if of == entrant_kind])
        ]
        twin = names_by_ids.setdefault(tuple(game.ids(entrant_kind)), entrant_kind.name)
        twin_text = "" if twin == entrant_kind.name else f" Those listed are the same as under {twin}."
        rows = [
            (entrant_id, entrant_kind.label(catalogue, entrant_id), entrant_kind.cost_points(catalogue, entrant_id))
            for entrant_id in (() if twin_text else game.ids(entrant_kind))
        ]
        yield Part(
            title=entrant_kind.name,
            details=entrant_kind.written,
            above=(f"Takes part in {', '.join(parts)}.{twin_text}",),
            columns=() if twin_text else (entrant_kind.name, "name", points),
            rows=tuple(rows),
            ids=entrant_kind.name,
        )


# -- the situation ----------------------------------------------------------------------------------------------------


@dataclass
class _SettableRecord:
    """A record of settings for `--set`: the first words of its paths, and the kinds of question that read it."""

    record: type[Record]
    roots: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    @property
    def owners(self) -> str:
        """Whose fields they are: the sides, or of a situation the kinds of question."""
        return ", ".join(self.kinds if self.roots == [SITUATION] else self.roots)


def situation(game: OpenGame) -> Iterator[Part]:
    """Yield the page on settings for one question: of the situation, of either side, and of cards."""
    settables: dict[type[Record], _SettableRecord] = {}
    for kind in game.definition.kinds.values():
        for root, record in zip((SITUATION, *kind.sides), (kind.situation, *kind.stances), strict=True):
            settable = settables.setdefault(record, _SettableRecord(record))
            settable.roots += [] if root in settable.roots else [root]
            settable.kinds += [] if kind.name in settable.kinds else [kind.name]
    parts = sorted(settables.values(), key=lambda settable: (settable.roots != [SITUATION], len(settable.record.mro())))
    for settable in parts:
        if leaf_columns(settable.record):
            yield _settings(game, settable, [part for part in parts if part.record in settable.record.mro()[1:]])
    yield _card_fields(game)


def _settings(game: OpenGame, settable: _SettableRecord, before: Sequence[_SettableRecord]) -> Part:
    """Return a table of the fields that a record adds to those in `before`: default, allowed values, meaning."""
    usual, earlier_names = settable.record(), {name for part in before for name in leaf_columns(part.record)}
    rows = []
    for name, column in leaf_columns(settable.record).items():
        if name not in earlier_names:
            now = attrgetter(name)(usual)
            rows.append((name, plain_value(now) if now != () else None, _may_be(game, column, now), column.description))
    return Part(
        title=", ".join(settable.kinds),
        details=f"--set {'|'.join(settable.roots)}.FIELD=VALUE",
        above=(f"The fields of {before[-1].owners}, and these:",) if earlier_names else (),
        columns=("field", "if unsaid", "may be", "what it is"),
        rows=tuple(rows),
    )


def _may_be(game: OpenGame, column: FieldColumn, usual: object) -> str:
    """Return the values that a field allows; of an id also the table, found by the default."""
    if column.kind != "id":
        return column.allowed
    usual_id = next(iter(usual), None) if isinstance(usual, tuple) else usual
    tables = [name for name, entries in game.catalogue.tables.items() if usual_id in entries]
    return f"{'a list, each ' if column.is_list else ''}an id{f' of {tables[0]}' if tables else ''}"


def _card_fields(game: OpenGame) -> Part:
    """Return how to set fields of cards for one question, with an example."""
    kinds, tables = game.definition.kinds.values(), {spec.record: spec.name for spec in game.catalogue.spec.tables}
    fields: dict[str, list[str]] = {}
    for part, record in (item for kind in kinds for role in kind.takes for item in role.fields.items()):
        fields.setdefault(part, []).append(tables.get(record, part))
    sides = ", ".join(dict.fromkeys(side for kind in kinds for side in kind.sides))
    rows = [
        (f"SIDE.{part}{'.' if part else ''}FIELD=VALUE", f"a field of {' or '.join(dict.fromkeys(of))}")
        for part, of in fields.items()
    ]
    if any(kind.armies is not None for kind in kinds):
        rows.append(("SIDE.2.PATH=VALUE", "such a field of the second member of an army alone"))
    name = game.definition.called
    return Part(
        title="cards",
        details="any field of a card, for one question",
        above=(f"SIDE is one of {sides}.",),
        columns=("--set", "what it is"),
        rows=tuple(rows),
        below=(
            f"Fields of cards: balance show {name} fields. Rules: balance show {name} rules.",
            *(f"Example: {example}" for example in _how_to_set(game)),
        ),
    )


def _how_to_set(game: OpenGame) -> Iterator[str]:
    """Yield one example of `--set`, for the first question with a setting whose values are known."""
    for kind in game.definition.kinds.values():
        for root, record in zip((SITUATION, *kind.sides), (kind.situation, *kind.stances), strict=True):
            usual = record()
            for name, column in leaf_columns(record).items():
                now = attrgetter(name)(usual)
                if other_values := [value for value in _values(column) if value != show_value(now)]:
                    yield question_command(game, kind, "--set", f"{root}.{name}={other_values[-1]}")
                    return


def _values(column: FieldColumn) -> tuple[str, ...]:
    """Return some values of a field: its choices, true and false, or the smallest two; empty if unknown."""
    if column.kind == "integer" and column.low is not None:
        return str(int(column.low)), str(int(column.low) + 1)
    return ("false", "true") if column.kind == "flag" else column.choices


# -- policies ---------------------------------------------------------------------------------------------------------


def policies(game: OpenGame) -> Iterator[Part]:
    """Yield the page on policies: what each option does, and which fields it reads; equal policies together."""
    alike: dict[tuple[object, ...], list[tuple[str, QuestionKind, PolicyKind]]] = {}
    for kind in game.definition.kinds.values():
        for name, policy in kind.policies.items():
            key = (policy.meaning, tuple(policy.options.items()), tuple(policy.parameters.items()))
            alike.setdefault(key, []).append((name, kind, policy))
    for group in alike.values():
        names, kinds = (dict.fromkeys(words) for words in zip(*((n, kind.name) for n, kind, _ in group), strict=True))
        sides = "|".join(dict.fromkeys(policy.side for _, _, policy in group if policy.side))
        policy = group[0][2]
        usual = next(iter(policy.options))
        yield Part(
            title=", ".join(names),
            details=", ".join(kinds),
            above=(_sentence(policy.meaning),),
            columns=("option", "is", "what it does"),
            rows=tuple(
                (name, "default" if name == usual else "", _does(policy, name, sides)) for name in policy.options
            ),
        )
    yield Part(rows=(), below=(_how_to_choose(game),))


def _how_to_choose(game: OpenGame) -> str:
    """Return an example of `--choose`, or the sentence that nothing can be chosen."""
    for kind in game.definition.kinds.values():
        for name, (_, *other_options) in kind.choices.items():
            if other_options:
                return f"Example: {question_command(game, kind, '--choose', f'{name}={other_options[0]}')}"
    return "Nobody chooses anything in this game."


def _does(policy: PolicyKind, option: str, sides: str) -> str:
    """Return the effect of an option, and the fields of its side that it reads."""
    fields = [f"{sides}.{name}".removeprefix(".") for name in policy.parameters.get(option, ())]
    return f"{policy.options[option]}; reads {', '.join(fields)}" if fields else policy.options[option]


PAGES = {"entrants": entrants, "questions": questions, "situation": situation, "policies": policies}
"""Name of a page -> what it yields."""
