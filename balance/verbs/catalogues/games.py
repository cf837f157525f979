"""Verbs about games themselves: which there are, what can be seen of one, and what is written to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.answers.form import Terms
from balance.base.errors import UsageError
from balance.verbs.call import parameters
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import open_game

if TYPE_CHECKING:
    from balance.answers.games.beginnings import NewGame, NewStudy, Templates
    from balance.answers.games.games import Games
    from balance.answers.games.page import GamePage
    from balance.answers.games.rules import RuleCoverage
    from balance.answers.games.schema import VerbSchema

PAGES = ("rules", "constants", "sources", "fields", "entrants", "questions", "situation", "policies")
"""What can be shown of a game beside its tables."""
TABLE = Parameter(f"A table, {', '.join(PAGES)}, or one entry's id.", "[TABLE]", offers="tables")


@verb
def list_games() -> Result[Games]:
    """List the games, what each can be asked, and the catalogue that would be used; those beside you first.

    Returns
    -------
    Result
        Its `value` is a record `Games`; its table is `games`.

    Examples
    --------
    >>> import balance
    >>> balance.list_games().to_polars().row(0, named=True)["kinds"]
    ['attack', 'kill', 'duel', 'lineup', 'battle', 'seats']
    """
    from balance.answers.games.games import all_games
    from balance.answers.words.games.games import WORDS

    return as_result("games", all_games(), WORDS, Terms())


@verb
def show(
    game: parameters.Game,
    table: Annotated[str, TABLE] = "",
    *,
    catalogue: parameters.Catalogue = None,
) -> Result[GamePage]:
    """Show a game, one of its tables, or one entry.

    Returns
    -------
    Result
        Its `value` is a record `GamePage`; it has a table for each part of the page.

    Raises
    ------
    UsageError
        There is no such game, or nothing of this name in it.
    CatalogueError
        The catalogue has faults.

    Examples
    --------
    >>> import balance
    >>> balance.show("warforged", "units").to_polars().row(0)[:4]
    ('nexus', 'Nexus', 'Cyborg', 24)
    """
    from balance.answers.games.show import page_of
    from balance.answers.words.games.show import OVERVIEW, WORDS

    opened_game = open_game(game, catalogue)
    terms = Terms(title=opened_game.definition.title, command=opened_game.definition.called)
    return as_result("show", page_of(opened_game, table), WORDS if table else OVERVIEW, terms)


@verb
def rules(
    game: parameters.Game,
    *,
    strict: Annotated[bool, Parameter("End with status 1 if a rule of level A or B has no test.")] = False,
) -> Result[RuleCoverage]:
    """List every rule with the tests that cite it, and the coverage of each level.

    Returns
    -------
    Result
        Its `value` is a record `RuleCoverage`; its tables are `levels` and `rules`. If `strict`, important rules
        without a test are `broken_limits`.

    Raises
    ------
    UsageError
        There is no such game, or it is a game file, whose steps are its rules.
    """
    from balance.answers.games.rules import rule_coverage
    from balance.answers.words.games.rules import WORDS, missing_text
    from balance.game.registry import find_game

    definition = find_game(game) if isinstance(game, str) else game.definition
    coverage = rule_coverage(definition)
    broken_limits = (missing_text(coverage),) if strict and coverage.missing else ()
    return as_result("rules", coverage, WORDS, Terms(title=definition.title), broken_limits=broken_limits)


@verb
def schema(
    verb: Annotated[
        str,
        Parameter(
            "A verb or a kind of question, such as price or duel (default: list them).",
            "[VERB]",
            offers="schema_verbs",
        ),
    ] = "",
) -> Result[VerbSchema]:
    """Show the JSON Schema of what a verb prints with --json, or list the verbs that have one.

    Returns
    -------
    Result
        Its `value` is a record `VerbSchema`, of which `json_schema` is the schema.

    Raises
    ------
    UsageError
        Nothing of this name prints an object.
    """
    from balance.answers.documents import schemas
    from balance.answers.games.schema import VerbSchema
    from balance.answers.words.games.schema import WORDS

    answer = VerbSchema(1, "schema", verb, tuple(schemas.DOCUMENTS), schemas.schema(verb) if verb else None)
    return as_result("schema", answer, WORDS, Terms())


@verb
def new_game(
    name: Annotated[str, Parameter("The name that commands use for it, such as sky_rats.", "NAME")] = "",
    *,
    template: Annotated[
        str | None,
        Parameter(
            "Write one file NAME.toml, rules and units without any code, of this kind; alone: which there are.",
            "KIND",
            python="An empty text lists them.",
            offers="templates",
        ),
    ] = None,
    python: Annotated[bool, Parameter("Write a Python package, as without §template.")] = False,
) -> Result[NewGame] | Result[Templates]:
    """Write a small game of your own, ready to be asked and to be changed.

    Returns
    -------
    Result
        Its `value` is a record `NewGame`, or `Templates` where they are listed.

    Raises
    ------
    UsageError
        The name is none for a game, or is taken; or there is no such template.
    OutputError
        The file or folder is already there, or cannot be written.
    """
    from balance.answers.games import beginnings
    from balance.answers.words.games.beginnings import GAME, TEMPLATES

    if template is not None and python:
        raise UsageError("a game is one file or a Python package", "say §template KIND or §python, not both")
    if template == "":
        return as_result("new-game", beginnings.templates(), TEMPLATES, Terms())
    if not name:
        raise UsageError("the name of the game is missing", "such as balance new-game sky_rats")
    game = beginnings.new_package(name) if template is None else beginnings.new_file(name, template)
    return as_result("new-game", game, GAME, Terms())


@verb
def init(
    game: parameters.Game,
    file: Annotated[str | Path, Parameter("The file to write.", "[FILE]")] = Path("study.toml"),
    *,
    force: parameters.Force = False,
) -> Result[NewStudy]:
    """Write a study of a game with every setting explained, ready to run.

    Returns
    -------
    Result
        Its `value` is a record `NewStudy`.

    Raises
    ------
    UsageError
        There is no such game.
    OutputError
        The file is already there, or cannot be written.
    """
    from balance.answers.games.beginnings import new_study
    from balance.answers.words.games.beginnings import STUDY

    name = game if isinstance(game, str) else game.definition.called
    return as_result("init", new_study(name, Path(file), force), STUDY, Terms())
