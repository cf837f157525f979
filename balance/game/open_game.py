"""A game with its catalogue, as questions look at it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from balance.base.errors import UsageError, suggestion
from balance.base.paths import short_path
from balance.base.text import one_line, slug
from balance.catalogue import Catalogue
from balance.catalogue.toml_model import read_model
from balance.game.game import Game, QuestionKind
from balance.game.registry import catalogue_folder, game_file, shipped_folder
from balance.game.setup import EntrantKind
from balance.game.words import FILE, ReportFile, Words


@dataclass(frozen=True)
class OpenGame:
    """A game together with a catalogue: its entrants, what they are called and what they cost."""

    definition: Game
    catalogue: Catalogue

    def __repr__(self) -> str:
        """Return its name, the number of entrants and the digest of its catalogue in short."""
        return f"<game {self.definition.name}: {len(self.entrants)} entrants, catalogue {self.catalogue.sha256[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game before its catalogue, whose records may come from the game's own code."""
        return type(self), (self.definition, self.catalogue)

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The ids listed for the first side of the simplest kind of question."""
        return self.ids(next(iter(self.definition.kinds.values())).takes[0])

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The ids listed for the second side of the simplest kind of question."""
        return self.ids(next(iter(self.definition.kinds.values())).takes[1])

    def own_catalogue(self, elsewhere: bool = False) -> str:
        """Return the folder of the catalogue; empty if the game's name alone finds it.

        Parameters
        ----------
        elsewhere
            Whether the name may be typed in another folder, where it finds the shipped catalogue: then a whole path.
        """
        usual = shipped_folder(self.definition) if elsewhere else catalogue_folder(self.definition)
        is_usual = usual.resolve() == self.catalogue.path.resolve()
        whole = self.catalogue.path.absolute()
        return "" if is_usual else str(whole) if elsewhere else short_path(whole)

    @property
    def catalogue_text(self) -> str:
        """The short hash of the catalogue, after its folder where that is not the one that ships with the game."""
        is_shipped = self.catalogue.path.resolve() == shipped_folder(self.definition).resolve()
        return f"{'' if is_shipped else f'{one_line(short_path(self.catalogue.path))} '}{self.catalogue.sha256[:12]}"

    def typed(self, elsewhere: bool = False) -> str:
        """Return how a command names the game: its name or file, with `--catalogue FOLDER` where that is needed.

        Parameters
        ----------
        elsewhere
            Whether the command may be typed in another folder.

        >>> from balance.game.loaded import load
        >>> load("warforged").typed()
        'warforged'
        """
        folder, file = self.own_catalogue(elsewhere), self.definition.file
        name = shlex.quote(str(file.absolute())) if elsewhere and file is not None else self.definition.called
        return name + (f" --catalogue {shlex.quote(folder)}" if folder else "")

    def entrants_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids listed for the first side of a kind of question.

        >>> from balance.game.loaded import load
        >>> load("warforged").entrants_of("duel")[0]
        'nexus+assault_rifle'
        """
        return self.ids(self.definition.kinds[kind].takes[0]) if kind in self.definition.kinds else self.entrants

    def members_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids of members of armies in a kind of question; empty if armies do not meet in it.

        >>> from balance.game.loaded import load
        >>> load("runewars").members_of("lineup")[0]
        'spearmen+2x1'
        """
        armies = self.definition.kinds[kind].armies if kind in self.definition.kinds else None
        return self.ids(armies.member) if armies is not None else ()

    def others_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids listed for the second side of a kind of question.

        >>> from balance.game.loaded import load
        >>> load("immortal_souls").others_of("duel")[0]
        'green_gremlin'
        """
        return self.ids(self.definition.kinds[kind].takes[1]) if kind in self.definition.kinds else self.targets

    def ids(self, kind: EntrantKind) -> tuple[str, ...]:
        """Return the ids that are listed of a kind of entrant, in its order."""
        return tuple(kind.ids(self.catalogue))

    @cached_property
    def _kinds(self) -> Mapping[str, EntrantKind]:
        return {entrant: kind for kind in reversed(self.definition.entrant_kinds) for entrant in self.ids(kind)}

    def kind_of(self, entrant: str) -> EntrantKind:
        """Return the kind of an entrant: the first that lists it or its parts, draws it, or has most of its marks."""
        kinds = self.definition.entrant_kinds
        marked_kind = max(kinds, key=lambda kind: len(set(kind.marks) & set(entrant)))
        drawn_kind = next((kind for kind in kinds if kind.draws(entrant)), marked_kind)
        joined_kinds = (kind for kind in kinds if all(self._kinds.get(part) is kind for part in kind.parts(entrant)))
        return self._kinds.get(entrant) or next(joined_kinds, drawn_kind)

    def parts(self, entrant: str) -> tuple[str, ...]:
        """Return the parts of an id, first what it is, then what it carries."""
        return self.kind_of(entrant).parts(entrant)

    @cached_property
    def words(self) -> Words:
        """The game's words for entrants, points, wins and the like, from its `report.toml`."""
        path = game_file(self.definition, self.catalogue.path, FILE)
        usual = Words() if self.definition.file is None else Words(entrant="unit", entrants="units")
        return usual if path is None else read_model(ReportFile, path).words

    def label(self, entrant: str) -> str:
        """Return the name of an entrant or target for people, from its id."""
        return self.kind_of(entrant).label(self.catalogue, entrant)

    def cost_points(self, entrant: str) -> int:
        """Return the cost of an entrant in points, as its cards print it."""
        return self.kind_of(entrant).cost_points(self.catalogue, entrant)

    def kind(self, name: str) -> QuestionKind:
        """Return a kind of question by name.

        Raises
        ------
        UsageError
            The game has none of this name.
        """
        if name not in self.definition.kinds:
            tip = suggestion(name, self.definition.kinds)
            raise UsageError(f"{self.definition.name} has no {name!r}; it has {', '.join(self.definition.kinds)}", tip)
        return self.definition.kinds[name]

    def pair(self, kind: str, one: str, other: str | None) -> tuple[str, str]:
        """Return the two entrants of a question, of which one id alone may stand for both.

        Parameters
        ----------
        kind
            Name of a kind of question, such as "duel".
        one, other
            The ids as typed; the second is None or empty if it was not.

        Raises
        ------
        UsageError
            The second is missing, and the first does not stand for two.

        Examples
        --------
        >>> from balance.game.loaded import load
        >>> load("battlelore").pair("battle", "mirror", None)
        ('mirror:south', 'mirror:north')
        """
        sides = self.both(kind, one, other or "")
        if not sides[1]:
            side = self.kind(kind).sides[1]
            raise UsageError(f"{kind} is asked about two sides, and the other is missing", f"type {side} behind {one}")
        return sides

    def both(self, kind: str, one: str, other: str) -> tuple[str, str]:
        """Return two entrants as typed, or those that `one` alone stands for; the second may be empty.

        Parameters
        ----------
        kind
            Name of a kind of question; of an unknown one nothing stands for two.
        one, other
            The ids as typed, empty if they were not.
        """
        question_kind = self.definition.kinds.get(kind)
        if not one or other or question_kind is None or question_kind.pairs is None:
            return one, other
        return question_kind.pairs.of(self.catalogue, one)

    def pairs_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids that stand for two entrants each in a kind of question; empty where any two may meet.

        >>> from balance.game.loaded import load
        >>> load("battlelore").pairs_of("battle")[0]
        'agincourt'
        """
        pairs = self.definition.kinds[kind].pairs if kind in self.definition.kinds else None
        return tuple(pairs.ids(self.catalogue)) if pairs is not None else ()

    def kind_of_pair(self, entrant: str) -> str:
        """Return the first kind of question in which an id stands for two entrants; empty if there is none.

        >>> from balance.game.loaded import load
        >>> load("battlelore").kind_of_pair("Agincourt"), load("battlelore").kind_of_pair("blue_foot")
        ('battle', '')
        """
        kinds = (name for name in self.definition.kinds if slug(entrant) in self.pairs_of(name))
        return next(kinds, "") if entrant else ""
