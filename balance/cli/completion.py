"""Shell completion: games, kinds of question, ids, and the settings and choices of the kind that is asked.

Completion never raises: of what cannot be loaded it offers nothing. Nor does it run code of a game in a local folder:
of such a game it offers the contents of its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from balance.game.game import QuestionKind
    from balance.game.loaded import LoadedGame


def games(ctx: typer.Context) -> list[str]:
    """Return the names of games; for a kind of question as verb, without installed games that lack it."""
    from balance.cli.kinds import games_knowing
    from balance.game.registry import game_names, installed_games
    from balance.verbs.verb_list import VERBS

    verb = str(ctx.info_name)
    unable = set() if verb in VERBS else {*installed_games()} - {game.name for game in games_knowing(verb)}
    return [name for name in game_names() if name not in unable]


def templates(ctx: typer.Context) -> list[str]:
    """Return the names of the templates of game files."""
    from balance.game.authoring.new_file import template_kinds

    return template_kinds()


def schema_verbs(ctx: typer.Context) -> list[str]:
    """Return the verbs that print JSON."""
    from balance.answers.documents.schemas import DOCUMENTS

    return list(DOCUMENTS)


def kinds(ctx: typer.Context) -> list[str]:
    """Return the kinds of question of the game on the command line."""
    game, _ = _game_and_kind(ctx)
    return list(game.definition.kinds) if game else []


def meetings(ctx: typer.Context) -> list[str]:
    """Return the kinds of question of that game in which armies meet."""
    game, _ = _game_and_kind(ctx)
    return [name for name, kind in game.definition.kinds.items() if kind.armies is not None] if game else []


def entrants(side: int) -> Callable[[typer.Context], list[str]]:
    """Return a completion of the ids for side 0 or 1 of the question; side 0 also offers pairs."""

    def ids(ctx: typer.Context) -> list[str]:
        game, kind = _game_and_kind(ctx)
        if game is None:
            return [entry for entries in _tables_beside(ctx).values() for entry in entries]
        pairs = game.pairs_of(kind.name) if kind and side == 0 else ()
        return [*pairs, *(game.ids(kind.takes[side]) if kind else game.entrants)]

    return ids


first_side, second_side = entrants(0), entrants(1)


def priced_entries(ctx: typer.Context) -> list[str]:
    """Return the cards and loadouts that have a price in that game, if armies meet in it."""
    game, kind = _game_and_kind(ctx)
    if game is None or kind is None or kind.armies is None:
        return []
    entrants = game.ids(kind.takes[0])
    cards = (part for entrant in entrants for part in kind.armies.member.parts(entrant))
    return list(dict.fromkeys([*cards, *entrants]))


def tables(ctx: typer.Context) -> list[str]:
    """Return what `show` takes for that game: its tables, its pages, and the ids of all entries."""
    from balance.verbs.catalogues.games import PAGES

    game, _ = _game_and_kind(ctx)
    entries_by_table = game.catalogue.tables if game else _tables_beside(ctx)
    entries = (entry for table in entries_by_table.values() for entry in table)
    return list(dict.fromkeys([*entries_by_table, *PAGES, *entries])) if entries_by_table else []


def _tables_beside(ctx: typer.Context) -> dict[str, list[str]]:
    """Return the ids by table of a game in a local folder, from its CSV files, without running its code."""
    from balance.base.errors import BalanceError
    from balance.catalogue.tables.files import read_rows
    from balance.game.local_games import local_games

    local = local_games().get(_game(ctx))
    ids_by_table: dict[str, list[str]] = {}
    for path in sorted((local.folder / "data").glob("*.csv")) if local else ():
        with suppress(BalanceError, ValueError):
            (_, heads), *rows = read_rows(path, {"id"}).rows
            if heads[0] == "id" and path.stem != "rule_ids":
                ids_by_table[path.stem] = [cells[0] for _, cells in rows]
    return ids_by_table


def _game(ctx: typer.Context) -> str:
    """Return the game on the command line, which typer leaves in `ctx.args` while an option lacks its value."""
    return str(ctx.params.get("game") or next(iter(ctx.args), ""))


def _is_data(game: str) -> bool:
    """Return whether this is a game file that names no Python function, so that loading it runs no code."""
    from balance.game.local_games import is_game_file, is_path, local_files, local_games

    path = Path(game) if is_path(game) else local_files().get(game)
    if path is None or not is_game_file(path) or game in local_games():
        return False
    from balance.base.errors import BalanceError
    from balance.rulebook.text import read_game_file
    from balance.rulebook.text.book import all_lines

    try:
        return not any(line.python for line in all_lines(read_game_file(path).rulebook))
    except BalanceError:
        return False


def _of_kind(words_of: Callable[[LoadedGame, QuestionKind], Iterable[str]]) -> Callable[[typer.Context], list[str]]:
    """Return a completion by a function of the game and the kind of question; it offers nothing on errors."""

    def words(ctx: typer.Context) -> list[str]:
        from balance.base.errors import BalanceError

        game, kind = _game_and_kind(ctx)
        try:
            return list(words_of(game, kind)) if game and kind else []
        except BalanceError:
            return []

    return words


def settable_paths(game: LoadedGame, kind: QuestionKind) -> Iterator[str]:
    """Yield `PATH=` for every field that can be set for this kind of question, except by id."""
    from balance.catalogue import leaf_columns

    yield from (f"situation.{name}=" for name in leaf_columns(kind.situation))
    for side, role, stance in zip(kind.sides, kind.takes, kind.stances, strict=True):
        yield from (f"{side}.{name}=" for name in leaf_columns(stance))
        for part, record in role.fields.items():
            if not part.isupper():  # else the word stands for an id, of which there may be very many
                root = f"{side}.{part}." if part else f"{side}."
                yield from (f"{root}{name}=" for name in leaf_columns(record) if name != "id")
    yield from (f"rules.{name}=" for name in game.catalogue.rule_options)


paths = _of_kind(settable_paths)
choices = _of_kind(lambda _, kind: (f"{name}={option}" for name, options in kind.choices.items() for option in options))
first = _of_kind(lambda _, kind: kind.turn_orders)


def shorts(name: str) -> Callable[[typer.Context], list[str]]:
    """Return a completion of the values of an option that is short for a field of the situation."""
    return _of_kind(lambda game, kind: kind.shorts[name].offers(game.catalogue) if name in kind.shorts else ())


def options_of(policy: str) -> Callable[[typer.Context], list[str]]:
    """Return a completion of the options of one policy."""
    return _of_kind(lambda _, kind: kind.choices.get(policy, ()))


policy_a, policy_b = options_of("policy_a"), options_of("policy_b")


def named(offers: str) -> Callable[[typer.Context], list[str]]:
    """Return the completion that a parameter names: a function of this module, or "short:NAME" for a short option."""
    kind, _, name = offers.partition(":")
    completion: Callable[[typer.Context], list[str]] = shorts(name) if name else globals()[kind]
    return completion


def _game_and_kind(ctx: typer.Context) -> tuple[LoadedGame | None, QuestionKind | None]:
    """Return the game on the command line with its catalogue, and the kind: the argument KIND, else the verb.

    Verbs about play take the first kind in which armies meet, `price` the one in which the game has prices judged.
    (None, None) if the game cannot be loaded.
    """
    from balance.base.errors import BalanceError
    from balance.game.loaded import load
    from balance.game.registry import installed_games

    words = iter(ctx.args)  # where an option still lacks its value, typer leaves the arguments before it here
    game = ctx.params.get("game") or next(words, "")
    kind = ctx.params.get("kind", ctx.info_name)
    if not kind and ctx.info_name != "price":  # where it is an option
        kind = next(words, "")
    if game not in installed_games() and not _is_data(str(game)):
        return None, None  # code of a folder beside you runs when you ask, not while you type
    try:
        loaded_game = load(str(game), ctx.params.get("catalogue"))
    except BalanceError:
        return None, None
    kinds = loaded_game.definition.kinds
    if not kind and ctx.info_name in ("price", "play", "stability"):
        first = next((candidate for candidate in kinds.values() if candidate.armies is not None), None)
        priced_in = loaded_game.definition.priced_in if ctx.info_name == "price" else ""
        return loaded_game, kinds.get(priced_in, first)
    return loaded_game, kinds.get(str(kind))
