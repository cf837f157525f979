"""What a study plays, as a list of tasks: one per match-up, situation, choice of policies and side of a patch.

A task is plain text and numbers, so it travels to any worker and is told apart by a hash. Two hashes matter. The
*pairing key* names the dice: it leaves the catalogue and the rules out, so that both sides of a patch roll the same
ones. The *stream id* names finished blocks: it holds everything that affects their content, the program included.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

from balance.errors import RulesError
from balance.protocol.game import Game, Rung
from balance.protocol.question import LoadedGame, Question
from balance.study.settings import Study

__all__ = ["BASE", "PAIRS_PER_BLOCK", "PAIRS_PER_SLOW_BLOCK", "MatchUpTask", "blocks_for", "fingerprint", "plan_tasks"]

BASE = "base"
"""The side of a study that plays the catalogue as it is."""

PAIRS_PER_BLOCK, PAIRS_PER_SLOW_BLOCK = 16_384, 512
"""Mirrored pairs in a block: of a rung with an exact law, which is quick to play, and of any other. A contract."""


@dataclass(frozen=True)
class MatchUpTask:
    """One match-up in one situation.

    Attributes
    ----------
    side
        `BASE`, or the name of a patch.
    situation
        Its name; empty in a study of one situation.
    a, b
        The entrants.
    rung
        The kind of question.
    changes, choices
        Assignments and policies.
    exact
        Whether the exact law answers it.
    pairs_per_block
        Mirrored pairs in a block.
    """

    side: str
    situation: str
    a: str
    b: str
    rung: str
    changes: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    exact: bool
    pairs_per_block: int

    @property
    def name(self) -> str:
        """What it is called in messages."""
        where = f" ({self.situation})" if self.situation else ""
        return f"{self.a} against {self.b}{where}" + (f", {self.side}" if self.side != BASE else "")

    def games(self, loaded: LoadedGame) -> tuple[Question, ...]:
        """Return the two games of a mirrored pair, side a first and side b first; one where there are no such seats."""
        seats: tuple[str | None, ...] = seats_of(loaded.game.rungs[self.rung]) or (None,)
        return tuple(loaded.ask(self.rung, self.a, self.b, self.changes, seat, **dict(self.choices)) for seat in seats)

    def equal_points(self, loaded: LoadedGame) -> bool:
        """Whether both sides cost the same, so that an uneven score is unfair."""
        return loaded.cost_points(self.a) == loaded.cost_points(self.b)

    def pairing_key(self, game: Game) -> str:
        """Return what names the dice: all that is asked, but neither the catalogue nor the rules."""
        changes = [text for text in self.changes if not text.startswith("rules.")]
        return _digest([game.name, self.rung, self.a, self.b, changes, self.choices, self.pairs_per_block])

    def task_id(self, loaded: LoadedGame) -> str:
        """Return the sha256 of everything that fixes the law of the pair."""
        catalogue = loaded.catalogue
        facts = [loaded.game.name, catalogue.rules_version, catalogue.sha256, self.rung, self.a, self.b]
        return _digest([*facts, self.changes, self.choices, self.pairs_per_block])


def _digest(facts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(facts, separators=(",", ":")).encode()).hexdigest()


def seats_of(rung: Rung) -> tuple[str, ...]:
    """Return the seats of a mirrored pair, or nothing where nobody goes first."""
    return ("a", "b") if {"a", "b"} <= set(rung.seats) else ()


def stream_id(task_ids: Sequence[str], key: str, lane: str, seed: int, program: str) -> str:
    """Return what names the blocks of a stream; `task_ids` are those of the sides that are played together."""
    return _digest([*task_ids, key, lane, seed, program])


@cache
def fingerprint(game_package: str) -> str:
    """Return the sha256 of the sources that simulate a game, so that blocks of another version are never mixed in.

    >>> fingerprint("balance.games.warforged") == fingerprint("balance.games.warforged")
    True
    """
    from importlib.util import find_spec

    digest = hashlib.sha256()
    for package in ("balance.pmf", "balance.core", "balance.catalogue", "balance.protocol", game_package):
        spec = find_spec(package)
        if spec is None or not spec.origin:
            continue
        home = Path(spec.origin).parent
        for path in sorted(home.glob("**/*.py" if package == game_package else "*.py")):
            digest.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def blocks_for(pairs: int, task: MatchUpTask) -> int:
    """Return how many whole blocks hold at least so many pairs."""
    return -(-pairs // task.pairs_per_block)


def plan_tasks(study: Study, sides: Mapping[str, LoadedGame]) -> tuple[MatchUpTask, ...]:
    """Return the tasks of a study in their order: by side, situation and match-up.

    A match-up of an entrant with itself is played only where policies can tell the two apart, or there is no other.

    Parameters
    ----------
    sides
        Name -> the game with that side's catalogue; an entrant that a side does not have is left out there.

    Raises
    ------
    RulesError
        `exact = "always"` and the level has no exact law.

    Examples
    --------
    >>> from balance.study.settings import StudySettings
    >>> study = Study(StudySettings(game="warforged", entrants=["nexus+s*"]), Path("study.toml"))
    >>> [(task.a, task.b, task.exact) for task in plan_tasks(study, {"base": study.open()})]
    [('nexus+smg_pistol', 'nexus+sidearm', True), ('nexus+smg_pistol', 'nexus+shotgun', True),
     ('nexus+sidearm', 'nexus+shotgun', True)]
    """
    return tuple(task for name, loaded in sides.items() for task in _side(study, name, loaded))


def _side(study: Study, name: str, loaded: LoadedGame) -> Iterator[MatchUpTask]:
    settings = study.settings
    rung = loaded.game.rungs[settings.level]
    if settings.exact == "always" and not rung.has_law:
        raise RulesError(f"{rung.name} has no exact law", 'say exact = "auto" in the study')
    names = study.choose(loaded)
    both = combinations_with_replacement if settings.policies or len(names) == 1 else combinations
    for scene in study.scenes:
        for a, b in both(names, 2):
            yield MatchUpTask(
                side=name,
                situation=scene.name,
                a=a,
                b=b,
                rung=rung.name,
                changes=merge_changes((*study.changes(rung.name), *scene.changes)),
                choices=scene.choices,
                exact=rung.has_law and settings.exact != "never",
                pairs_per_block=PAIRS_PER_BLOCK if rung.has_law else PAIRS_PER_SLOW_BLOCK,
            )


def merge_changes(changes: Sequence[str]) -> tuple[str, ...]:
    """Return assignments with each path once; the last one counts.

    >>> merge_changes(["situation.x=1", "situation.y=2", "situation.x=3"])
    ('situation.x=3', 'situation.y=2')
    """
    return tuple({text.partition("=")[0]: text for text in changes}.values())


def sampled(task: MatchUpTask) -> MatchUpTask:
    """Return the task with its exact law given up."""
    return replace(task, exact=False)
