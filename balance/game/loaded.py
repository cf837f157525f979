"""A game with a catalogue, ready to be asked.

>>> load("warforged").duel("nexus+assault_rifle", "trooper+shotgun").kind.name
'duel'
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from balance.base.errors import BalanceError, Fault, SourceWarning, UsageError, first_of, gathering, suggestion
from balance.base.paths import short_path
from balance.catalogue import Catalogue, Record, apply, load_catalogue, parse_assignments, patch_catalogue, slug
from balance.catalogue.overrides import Overrides
from balance.catalogue.tables.cells import show_value
from balance.catalogue.toml_model import read_model
from balance.game.armies.armies import Arena, AskedArena, ChangedMember
from balance.game.game import EntrantKind, Game, QuestionKind
from balance.game.kit import read_asked
from balance.game.question.choices import Changes, assignments, choose
from balance.game.question.question import Question, which_has
from balance.game.question.slips import with_what_is_meant
from balance.game.registry import catalogue_folder, find_game, game_file, shipped_folder
from balance.game.setup import AskedSide, HasInputs, Setup
from balance.game.words import FILE, ReportFile, Words

MOST_NAMED = 4
"""Values that are not there and are named in a warning."""


def load(game: str | Game, catalogue: Path | str | Catalogue | None = None) -> LoadedGame:
    """Open a game with its catalogue: the shipped one, a folder, or one already loaded.

    Parameters
    ----------
    game
        A game, its name, or the path of its file.
    catalogue
        A catalogue, or the folder of one; None for the usual one (see `catalogue_folder`).

    Raises
    ------
    UsageError
        There is no such game.
    CatalogueError
        With every fault of every file.

    Warns
    -----
    SourceWarning
        Its `SOURCES.csv` has rows about values that are not there.

    >>> load("warforged").entrants[0]
    'nexus+assault_rifle'
    """
    definition = find_game(game) if isinstance(game, str) else game
    if isinstance(catalogue, Catalogue):
        return LoadedGame(definition, catalogue)
    catalogue_in_use = load_catalogue(definition.spec, catalogue_folder(definition, catalogue))
    if catalogue_in_use.dangling_sources:
        warnings.warn(_left_over(catalogue_in_use), SourceWarning, stacklevel=2)
    return LoadedGame(definition, catalogue_in_use)


def _left_over(catalogue: Catalogue) -> str:
    """Return the warning about rows of the sources file whose values do not exist."""
    place = short_path(catalogue.path / catalogue.spec.sources_file)
    names = list(dict.fromkeys(str(fault.found) for fault in catalogue.dangling_sources))
    names_text = ", ".join(first_of(names, MOST_NAMED))
    return f"{place} has rows about what is not in this catalogue ({names_text}); `balance check` lists them"


def _check_drawn(usual: Record, situation: Record, drawn_fields: Sequence[str]) -> None:
    """Raise UsageError if the situation sets fields that a budget and a unit limit determine."""
    tip = "their budget and unit limit say it: --budget, --limit, or budgets in a study"
    faults = [
        Fault("cannot be set of armies that are drawn", "--set situation", field=name, found=show_value(value), tip=tip)
        for name in drawn_fields
        if (value := getattr(situation, name)) != getattr(usual, name)
    ]
    if faults:
        raise UsageError(faults)


@dataclass(frozen=True)
class LoadedGame:
    """A game together with a catalogue: what questions are asked of."""

    definition: Game
    catalogue: Catalogue

    def __repr__(self) -> str:
        """Return its name, the number of entrants and the digest of its catalogue in short."""
        return f"<game {self.definition.name}: {len(self.entrants)} entrants, catalogue {self.catalogue.sha256[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game before its catalogue, whose records may come from the game's own code."""
        return LoadedGame, (self.definition, self.catalogue)

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
            Whether the name may be typed in another folder, where it finds the shipped catalogue.
        """
        usual = shipped_folder(self.definition) if elsewhere else catalogue_folder(self.definition)
        is_usual = usual.resolve() == self.catalogue.path.resolve()
        return "" if is_usual else short_path(self.catalogue.path)

    def typed(self, elsewhere: bool = False) -> str:
        """Return how a command names the game: its name or file, with `--catalogue FOLDER` where that is needed.

        Parameters
        ----------
        elsewhere
            Whether the command may be typed in another folder.

        >>> load("warforged").typed()
        'warforged'
        """
        folder = self.own_catalogue(elsewhere)
        return self.definition.called + (f" --catalogue {shlex.quote(folder)}" if folder else "")

    def entrants_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids listed for the first side of a kind of question.

        >>> load("warforged").entrants_of("duel")[0]
        'nexus+assault_rifle'
        """
        return self.ids(self.definition.kinds[kind].takes[0]) if kind in self.definition.kinds else self.entrants

    def members_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids of members of armies in a kind of question; empty if armies do not meet in it.

        >>> load("runewars").members_of("lineup")[0]
        'spearmen+2x1'
        """
        armies = self.definition.kinds[kind].armies if kind in self.definition.kinds else None
        return self.ids(armies.member) if armies is not None else ()

    def others_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids listed for the second side of a kind of question.

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
        """Return the kind of an entrant: the first that lists its id, draws it, or has its marks; else the first."""
        kinds = self.definition.entrant_kinds
        marked_kind = next((kind for kind in kinds if set(kind.marks) & set(entrant)), kinds[0])
        drawn_kind = next((kind for kind in kinds if kind.draws(entrant)), marked_kind)
        return self._kinds.get(entrant, drawn_kind)

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

        >>> load("battlelore").pairs_of("battle")[0]
        'agincourt'
        """
        pairs = self.definition.kinds[kind].pairs if kind in self.definition.kinds else None
        return tuple(pairs.ids(self.catalogue)) if pairs is not None else ()

    def kind_of_pair(self, entrant: str) -> str:
        """Return the first kind of question in which an id stands for two entrants; empty if there is none.

        >>> load("battlelore").kind_of_pair("Agincourt"), load("battlelore").kind_of_pair("blue_foot")
        ('battle', '')
        """
        kinds = (name for name in self.definition.kinds if slug(entrant) in self.pairs_of(name))
        return next(kinds, "") if entrant else ""

    def ask(
        self,
        kind: str,
        entrant_a: str,
        entrant_b: str,
        changes: Changes = None,
        first: str | None = None,
        **choices: str,
    ) -> Question:
        """Ask about two entrants; `changes` are overrides, as a mapping path -> value or as "path=value" texts.

        `choices` are what else the question kind lets one choose, by name (such as `policy_a`); each has a default.
        `first` is who goes first; where nothing is said, either side does with equal chances.

        Parameters
        ----------
        kind
            Name of a kind of question, such as "duel".
        entrant_a
            Id of the first side's entrant, or of a pair.
        entrant_b
            Id of the second side's entrant.
        changes
            Overrides of the entrants, the situation and the rules, such as `a.armour=3`.
        first
            The side that goes first: "a", "b" or "random".
        **choices
            Option chosen for each decision, by name, such as `policy_a`; others take their default.

        Raises
        ------
        BalanceError
            The game has no such question kind, or the entrants or changes make no sense.
        """
        question_kind = self.kind(kind)
        overrides = parse_assignments(assignments(changes), roots=question_kind.roots)
        if first is not None and first not in question_kind.turn_orders:
            if not question_kind.turn_orders:
                raise UsageError(f"{kind} has no first side", which_has(self.definition, "turn_orders"))
            raise UsageError(f"first must be one of {', '.join(question_kind.turn_orders)}, found {first!r}")
        goes_first = first or question_kind.usual_first
        choices_made = choose(question_kind, choices)
        entrants = (entrant_a, entrant_b)
        try:
            setup = self._prepared(question_kind, entrants, overrides, goes_first, choices_made)
        except BalanceError as error:
            raise self._with_tips(error, question_kind, entrants) from None
        return Question(self, question_kind, entrants, overrides, goes_first, setup, tuple(choices_made.items()))

    def _prepared(
        self,
        kind: QuestionKind,
        entrants: tuple[str, str],
        overrides: Overrides,
        first: str,
        choices: Mapping[str, str],
    ) -> Setup[Any]:
        setup: Setup[Any] = kind.setup(read_asked(kind, self.catalogue, entrants, overrides, first, choices))
        return setup

    def _with_tips(self, error: BalanceError, kind: QuestionKind, entrants: tuple[str, str]) -> BalanceError:
        """Return an error with tips on ids that may be meant, or on swapped sides."""
        ids = [partial(self.ids, taken) for taken in kind.takes]
        other_way = (entrants[1], entrants[0])
        swapped = partial(self._prepared, kind, other_way, Overrides(), kind.usual_first, choose(kind, {}))
        return with_what_is_meant(error, kind.sides, entrants, ids, swapped if kind.takes[0] != kind.takes[1] else None)

    def arena(
        self, kind: str, members: Sequence[str | ChangedMember], changes: Changes = None, **choices: str
    ) -> Arena:
        """Open an arena for armies of some members; `changes` are overrides of the situation and of the rules.

        A member may be `ChangedMember`: it fights as its cards would then, beside others as they are printed.

        Parameters
        ----------
        kind
            Name of a kind of question, such as "duel".
        members
            Ids of the members that armies may consist of, or members with changed cards.
        changes
            Overrides of the situation and the rules.
        **choices
            Option chosen for each decision, by name; others take their default.

        Raises
        ------
        BalanceError
            Armies do not meet in this kind of question, or the members or changes make no sense.
        """
        question_kind = self.definition.kinds.get(kind)
        if question_kind is None or question_kind.armies is None:
            able = [name for name, other_kind in self.definition.kinds.items() if other_kind.armies is not None]
            tip = f"they do in {', '.join(able)}" if able else f"in {self.definition.name} they never do"
            raise UsageError(f"armies do not meet in {kind!r}", tip)
        overrides = parse_assignments(assignments(changes), roots=("situation", "rules"))
        rules = apply(self.catalogue.rules, overrides.take("rules"), "--set rules")
        situation = apply(question_kind.situation(), overrides.take("situation"), "--set situation")
        _check_drawn(question_kind.situation(), situation, question_kind.armies.drawn_fields)
        stance = question_kind.stances[0]()
        catalogues: dict[tuple[tuple[str, str], ...], Catalogue] = {(): self.catalogue}
        read: dict[str, HasInputs] = {}
        faults: list[Fault] = []
        for member in members:
            changed_member = ChangedMember(member, ()) if isinstance(member, str) else member
            if changed_member.values not in catalogues:
                catalogues[changed_member.values] = patch_catalogue(self.catalogue, dict(changed_member.values))
            side = AskedSide(catalogues[changed_member.values], rules, "member", changed_member.member, {}, stance)
            with gathering(faults):
                read[str(member)] = question_kind.armies.member.read(side)
        if faults:
            raise UsageError(faults)
        choices_made = choose(question_kind, choices)
        return question_kind.armies.field(
            AskedArena(self.catalogue, rules, situation, read, choices_made, question_kind.plays(choices_made))
        )

    def attack(self, attacker: str, defender: str, changes: Changes = None) -> Question:
        """Ask about the result of one Attack action.

        Parameters
        ----------
        attacker
            Id of the attacker.
        defender
            Id of the defender.
        changes
            Overrides, as in `ask`.
        """
        return self.ask("attack", attacker, defender, changes)

    def kill(self, attacker: str, defender: str, changes: Changes = None) -> Question:
        """Ask how many actions it takes until the defender falls.

        Parameters
        ----------
        attacker
            Id of the attacker.
        defender
            Id of the defender.
        changes
            Overrides, as in `ask`.
        """
        return self.ask("kill", attacker, defender, changes)

    def duel(self, a: str, b: str, changes: Changes = None, first: str | None = None) -> Question:
        """Ask who wins a duel of two entrants; by default either side goes first with equal chances.

        Parameters
        ----------
        a
            Id of side a's entrant.
        b
            Id of side b's entrant.
        changes
            Overrides, as in `ask`.
        first
            The side that goes first: "a", "b" or "random".
        """
        return self.ask("duel", a, b, changes, first)
