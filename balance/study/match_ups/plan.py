"""What a study plays, as a list of tasks: one per match-up, situation, choice of policies and side of a patch.

A task is a query with the side and the situation it belongs to. The query's pairing key names the dice; the *stream id*
names finished blocks, and holds everything that affects their content, the program included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product

from balance.base.errors import RulesError
from balance.engine.query import Query, digest
from balance.game.game import QuestionKind
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.study.settings.settings import Study

BASE = "base"
"""The side of a study that plays the catalogue as it is."""

PAIRS_PER_BLOCK, PAIRS_PER_SLOW_BLOCK = 16_384, 512
"""Most mirrored pairs in a block: of a kind with an exact distribution, which is quick to play, and of any other. A
contract."""


@dataclass(frozen=True)
class MatchUpTask:
    """One match-up in one situation.

    `side`: `BASE`, or the name of a patch. `situation`: its name; empty in a study of one situation. `query`: what is
    asked; its block holds mirrored pairs. `exact`: whether the exact distribution answers it.
    """

    side: str
    situation: str
    query: Query
    exact: bool

    @property
    def a(self) -> str:
        """The id of side a."""
        return self.query.side_a

    @property
    def b(self) -> str:
        """The id of side b."""
        return self.query.side_b

    @property
    def policies(self) -> str:
        """The choices as one text, `NAME=VALUE, ...`, as in the tables."""
        return ", ".join(f"{name}={text}" for name, text in self.query.choices)

    @property
    def pairs_per_block(self) -> int:
        """Mirrored pairs in a block."""
        return self.query.block or PAIRS_PER_BLOCK

    @property
    def name(self) -> str:
        """The name for messages: who meets whom, and where."""
        place = f" ({self.situation})" if self.situation else ""
        return f"{self.a} against {self.b}{place}" + (f", {self.side}" if self.side != BASE else "")

    def kind(self, game: LoadedGame) -> QuestionKind:
        """Return the kind of question, looked up in a game."""
        return game.definition.kinds[self.query.kind]

    def games(self, game: LoadedGame) -> tuple[Question, ...]:
        """Return the two games of a mirrored pair, side a first and side b first; one where nobody goes first."""
        turn_orders: tuple[str | None, ...] = self.kind(game).mirrored_orders or (None,)
        return tuple(replace(self.query, first=order).to(game) for order in turn_orders)

    def equal_points(self, game: LoadedGame) -> bool:
        """Return whether both sides cost the same, so that an uneven score is unfair."""
        return game.cost_points(self.a) == game.cost_points(self.b)


def stream_id(query_ids: Sequence[str], key: str, lane: str, seed: int, program: str) -> str:
    """Return the digest that names the blocks of a stream: whatever affects their content is in it.

    `query_ids` are those of the sides that are played together, `program` is the hash of the code.
    """
    return digest([*query_ids, key, lane, seed, program])


def blocks_for(pairs: int, task: MatchUpTask) -> int:
    """Return how many whole blocks hold at least so many pairs."""
    return -(-pairs // task.pairs_per_block)


def plan_tasks(study: Study, sides: Mapping[str, LoadedGame]) -> tuple[MatchUpTask, ...]:
    """Return the tasks of a study in their order: by side, situation and match-up.

    A match-up of an entrant with itself is played only where policies can tell the two apart, or there is no other.
    `sides` maps a name to the game with that side's catalogue; an entrant that a side does not have is left out there.
    Raises `RulesError` if `exact = "always"` and the level has no exact distribution.
    """
    return tuple(task for name, game in sides.items() for task in _side(study, name, game))


def _side(study: Study, name: str, game: LoadedGame) -> Iterator[MatchUpTask]:
    settings = study.settings
    kind = game.definition.kinds[settings.level]
    if settings.exact == "always" and not kind.has_distribution:
        raise RulesError(f"{kind.name} has no exact distribution", 'say exact = "auto" in the study')
    names = study.choose(game)
    pairs = min(kind.block_trials, PAIRS_PER_BLOCK if kind.has_distribution else PAIRS_PER_SLOW_BLOCK)
    for scene in study.scenes:
        for a, b in _match_ups(study, game, names):
            changes = merge_changes((*study.changes(kind.name), *scene.changes))
            query = Query(kind.name, a, b, changes, None, scene.choices, pairs)
            yield MatchUpTask(name, scene.name, query, kind.has_distribution and settings.exact != "never")


def _match_ups(study: Study, game: LoadedGame, names: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return who meets whom: all pairs, or each of one faction with each of the other, or the game's own pairs."""
    level = study.settings.level
    if pairs := game.pairs_of(level):
        return [sides for sides in (game.pair(level, pair, "") for pair in pairs) if set(sides) <= set(names)]
    if study.has_factions(game):
        return product(names, game.others_of(study.settings.level))
    pairs_of = combinations_with_replacement if study.settings.policies or len(names) == 1 else combinations
    return pairs_of(names, 2)


def merge_changes(changes: Sequence[str]) -> tuple[str, ...]:
    """Return assignments with each path once, at its first place; the last value counts.

    >>> merge_changes(["situation.x=1", "situation.y=2", "situation.x=3"])
    ('situation.x=3', 'situation.y=2')
    """
    return tuple({text.partition("=")[0]: text for text in changes}.values())


def as_sampled(task: MatchUpTask) -> MatchUpTask:
    """Return the task marked to be simulated, as its exact distribution cannot be had."""
    return replace(task, exact=False)
