"""One question as plain text, the same wherever it is asked: which kind, about whom, with what changed.

A query is frozen, can be pickled and hashed, and knows no game by itself. Two digests name it with a game. Its *id*
holds everything that fixes its answer, the catalogue included: what was worked out is kept under it. Its *pairing key*
names dice: it leaves the catalogue and the rules out, so that both sides of a patch roll the same ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from balance.game.game import Game
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question


@dataclass(frozen=True)
class Query:
    """One question about two entrants.

    * `kind`: "attack", "kill" or "duel", or whatever else the game can be asked.
    * `changes`: assignments such as ``rules.faces=0-9``.
    * `first`: who goes first, where there is such a choice; None leaves it to the game.
    * `choices`: pairs (name, value) of everything else that is chosen.
    * `block`: trials in a block of simulation, where the study sets it; None for the default of the kind.

    >>> asked = Query("duel", "nexus+shotgun", "trooper+shotgun", ("rules.faces=0-9",), "a")
    >>> asked.text
    '["duel","nexus+shotgun","trooper+shotgun",["rules.faces=0-9"],[],null,"a"]'
    >>> asked == Query("duel", "nexus+shotgun", "trooper+shotgun", ("rules.faces=0-9",), "a")
    True
    """

    kind: str
    side_a: str
    side_b: str
    changes: tuple[str, ...] = ()
    first: str | None = None
    choices: tuple[tuple[str, str], ...] = ()
    block: int | None = None
    question: Question | None = field(default=None, repr=False, compare=False)
    """What it asks, where that is known already; it is not sent to other processes."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what is asked, without the question."""
        return Query, (self.kind, self.side_a, self.side_b, self.changes, self.first, self.choices, self.block)

    def to(self, game: LoadedGame) -> Question:
        """Return the question as `LoadedGame.ask` makes it; it raises for what the game does not know."""
        if self.question is not None and self.question.game is game:
            return replace(self.question)  # without what was worked out about it
        return game.ask(self.kind, self.side_a, self.side_b, self.changes, self.first, **dict(self.choices))

    @property
    def facts(self) -> list[object]:
        """All fields as plain JSON values; `first` only where it is set."""
        values: list[object] = [self.kind, self.side_a, self.side_b, self.changes, self.choices, self.block]
        return values if self.first is None else [*values, self.first]

    @property
    def text(self) -> str:
        """The query in one canonical line of JSON."""
        return json.dumps(self.facts, separators=(",", ":"))

    def id(self, game: LoadedGame) -> str:
        """Return the sha256 of everything that fixes the answer but the seed: game, rules, catalogue and query."""
        catalogue = game.catalogue
        return digest([game.definition.name, catalogue.rules_version, catalogue.sha256, *self.facts])

    def pairing_key(self, game: Game) -> str:
        """Return the sha256 that names the dice: of all that is asked, but neither the catalogue nor the rules."""
        changes = tuple(text for text in self.changes if not text.startswith("rules."))
        return digest([game.name, *replace(self, changes=changes).facts])


def digest(facts: Sequence[object]) -> str:
    """Return the sha256 of plain JSON values in compact form, as 64 hexadecimal digits.

    >>> digest(["duel", 1])[:8]
    'ff2ebd10'
    """
    return hashlib.sha256(json.dumps(facts, separators=(",", ":")).encode()).hexdigest()


def override(changes: Sequence[str], later: Sequence[str]) -> tuple[str, ...]:
    """Return assignments such as "b.health=6", of which a later one replaces those to the same path.

    >>> override(["rules.x=1", "a.y=2"], ["rules.x=3"])
    ('a.y=2', 'rules.x=3')
    """
    later_paths = {text.partition("=")[0] for text in later}
    return (*(text for text in changes if text.partition("=")[0] not in later_paths), *later)
