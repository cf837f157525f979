"""What a result comes from: how much of it is luck, from which dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.errors import Fault, UsageError, gathering
from balance.verbs.means import Cache, Means, answering, means_of
from balance.verbs.result import Result
from balance.verbs.watch import watched
from balance.verbs.words import (
    FIRST,
    Choices,
    Names,
    changes_of,
    choices_of,
    names_of,
    open_game,
    who_begins,
    who_is_nobody,
)

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from balance.engine.query import Query
    from balance.luck.field import FieldLuck
    from balance.protocol.choices import Changes
    from balance.protocol.loaded import LoadedGame

__all__ = ["luck"]


@watched
def luck(
    game: str | LoadedGame,
    kind: str,
    one: str = "",
    other: str = "",
    *,
    among: Names = None,
    play: bool = False,
    groups: int = 2048,
    seed: int = 0,
    first: str = FIRST,
    set: Changes | str = None,
    choose: Choices = None,
    policy_a: str | None = None,
    policy_b: str | None = None,
    catalogue: str | Path | None = None,
    jobs: int = 1,
    executor: str = "auto",
    scheduler: str | None = None,
    cache: Cache = None,
    quiet: bool = False,
) -> Result:
    """Work out how much of a result is luck, from which dice, and how it comes about.

    Parameters
    ----------
    game
        The name of a game, or one that `balance.load` opened.
    kind
        What is asked, such as "duel".
    one, other
        The two sides; without both, any two of a whole field.
    among
        Who is in the field; without it all, or 24 drawn by the seed.
    play
        Of a field: either side may play in any of the ways that are quick to play.
    groups
        Groups of 32 games that share dice, where shares have to be simulated.
    seed
        The seed of what is simulated or drawn.
    first, set, choose, policy_a, policy_b
        Who goes first, changed values, and how sides play, as in `duel`.
    catalogue, jobs, executor, scheduler, cache, quiet
        As every verb has them; no number depends on these but through the catalogue. Of a field `jobs` match-ups are
        worked out at once; two sides are one piece of work.

    Returns
    -------
    Result
        Of two sides its `value` is a `Luck`, and its tables are `sources`, `texture` and `at_end`, the last two where
        somebody wins. Of a field it is a `FieldLuck`, and its tables are `shares`, `scores` and `matrix`.

    Raises
    ------
    BalanceError
        There is no such question, or the sides, the field or the changes make no sense.

    Examples
    --------
    >>> import balance
    >>> shot = balance.luck("warforged", "attack", "nexus+assault_rifle", "trooper", cache=False)
    >>> [(name, round(share, 3)) for name, share in shot.to_polars().select("source", "when_rolled").rows()]
    [('precision', 0.904), ('armour', 0.096)]
    """
    faults, loaded, query, picked = [*_luck_faults(one, other, among, play, seed)], None, None, dict[str, str]()
    changes, names = changes_of(set), names_of(among) or []
    with gathering(faults):
        picked = choices_of(choose, policy_a, policy_b)
    with gathering(faults):
        loaded = open_game(game, catalogue)
        query = _asked(loaded, kind, one, other, changes, first, picked) if one and other else None
        faults += [] if one else _field_faults(loaded, kind, names)
    if faults or loaded is None:
        raise UsageError(faults)
    means = means_of(jobs, executor, scheduler, cache)
    if query is None:
        return _luck_of_field(loaded, means, quiet, (kind, names, changes), tuple(picked.items()), play, seed)
    return _luck_of_pair(loaded, means, quiet, query, seed, groups)


def _asked(
    loaded: LoadedGame, kind: str, one: str, other: str, changes: tuple[str, ...], first: str, picked: dict[str, str]
) -> Query:
    """Return what is asked about two sides, once it has been asked so that all that is wrong with it is told."""
    from balance.engine.query import Query

    query = Query(kind, one, other, changes, who_begins(loaded, kind, first), tuple(picked.items()))
    query.to(loaded)
    return query


def _luck_faults(one: str, other: str, among: Names, play: bool, seed: int) -> Iterator[Fault]:
    """Yield which arguments do not go together, and a seed that is none."""
    from balance.core.streams import check_seed

    seeds = list[Fault]()
    with gathering(seeds):
        check_seed(seed)
    yield from seeds
    if one and (among is not None or play):
        yield Fault("--among and --play are about a field, not about two sides", tip="leave out the sides, or these")
    if one and not other:
        yield Fault(f"against whom is {one}?", tip="name the other side too, or none for the whole field")


def _field_faults(loaded: LoadedGame, kind: str, names: Sequence[str]) -> list[Fault]:
    """Return which of a field are nobody; a kind that there is not is raised."""
    loaded.kind(kind)
    return who_is_nobody(loaded, names)


def _luck_of_pair(loaded: LoadedGame, means: Means, quiet: bool, query: Query, seed: int, groups: int) -> Result:
    """Return the luck of two sides."""
    from balance.luck.question import Luck, measure_luck
    from balance.protocol.idle import idle_changes

    question = query.to(loaded)
    notes = tuple(idle_changes(question, played=False))
    with answering(loaded, means, quiet) as runner:
        (parts,) = runner([query], partial(measure_luck, seed, groups), "luck", share=False)
    found = Luck(question, *(parts or ()))  # there are some, as the rules allow the question

    def screen(more: bool) -> Iterator[RenderableType]:
        from balance.render.luck_text import blocks

        return blocks(found, more, notes)

    def document() -> dict[str, Any]:
        from balance.render.luck_text import as_json

        return as_json(found)

    def frames() -> Mapping[str, pl.DataFrame]:
        from balance.render.luck_frames import frames_of

        return frames_of(found)

    return Result("luck", found, screen, document, frames, notes=notes)


def _luck_of_field(
    loaded: LoadedGame,
    means: Means,
    quiet: bool,
    field: tuple[str, Sequence[str], tuple[str, ...]],
    choices: tuple[tuple[str, str], ...],
    play: bool,
    seed: int,
) -> Result:
    """Return the luck of a field: of its kind, names and changes."""
    from balance.luck.field import luck_of_field

    with answering(loaded, means, quiet) as runner:
        found: FieldLuck = luck_of_field(runner, *field, choices=choices, play=play, seed=seed)

    def screen(more: bool) -> Iterator[RenderableType]:
        from balance.render.luck_of_field import blocks

        return blocks(loaded, found, more)

    def document() -> dict[str, Any]:
        from balance.render.luck_of_field import as_json

        return as_json(loaded, found, seed)

    def frames() -> Mapping[str, pl.DataFrame]:
        from balance.render.luck_frames import frames_of_field

        return frames_of_field(found)

    return Result("luck", found, screen, document, frames)
