"""A game with a catalogue, ready to be asked.

>>> load("warforged").duel("nexus+assault_rifle", "trooper+shotgun").kind.name
'duel'
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from balance.base.errors import Fault, SourceWarning, UsageError, first_of, gathering
from balance.base.paths import short_path
from balance.catalogue import Catalogue, Record, apply, load_catalogue, patch_catalogue
from balance.catalogue.tables.cells import show_value
from balance.game.armies.armies import Arena, AskedArena, ChangedMember
from balance.game.game import Game
from balance.game.open_game import OpenGame
from balance.game.question.choices import Changes, choose, overrides_of
from balance.game.question.question import Question, ask
from balance.game.registry import catalogue_folder, find_game
from balance.game.setup import AskedSide, HasInputs

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
    """Return the warning about rows of the sources file that name values which do not exist."""
    place = short_path(catalogue.path / catalogue.spec.sources_file)
    names = list(dict.fromkeys(str(fault.found) for fault in catalogue.dangling_sources))
    names_text = ", ".join(first_of(names, MOST_NAMED))
    return f"{place} has rows about what is not in this catalogue ({names_text}); `balance check` lists them"


def _check_drawn(usual: Record, situation: Record, drawn_fields: Sequence[str]) -> None:
    """Raise UsageError if the situation sets fields that a budget and a unit limit determine."""
    tip = "their budget and unit limit say it: §budget, §limit, or budgets in a study"
    faults = [
        Fault("cannot be set of armies that are drawn", "§set situation", field=name, found=show_value(value), tip=tip)
        for name in drawn_fields
        if (value := getattr(situation, name)) != getattr(usual, name)
    ]
    if faults:
        raise UsageError(faults)


@dataclass(frozen=True, repr=False)
class LoadedGame(OpenGame):
    """A game with a catalogue, ready to be asked."""

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
        return ask(self, kind, (entrant_a, entrant_b), changes, first, choices)

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
        overrides = overrides_of(changes, ("situation", "rules"))
        rules = apply(self.catalogue.rules, overrides.take("rules"), "§set rules")
        situation = apply(question_kind.situation(), overrides.take("situation"), "§set situation")
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
