"""What `balance stability` prints of entrants that come in pairs: who is favoured, whatever is played and set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import polars as pl

from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.pairs import EVEN, UNSURE, HeldScore, HeldScores
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability
from balance.game.loaded import LoadedGame
from balance.verbs.render.armies.play.text import ladder_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.documents import play


SCHEMA: Final = 1


def as_text(
    scores_by_way: HeldScores, game: LoadedGame, ladder: PlayWorth | None, more: bool
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen.

    Parameters
    ----------
    scores_by_way
        Who is favoured in every setting.
    game
        The game with its catalogue.
    ladder
        The ladder of ways of playing, if it was played for.
    more
        Whether everything is printed, instead of the first screen.
    """
    n_trials = scores_by_way.rows[0].score.n_trials
    basis = rests_on(game, f"simulated, {show_many(n_trials, 'trial')} of each row, seed {scores_by_way.seed}")
    return screen_of(
        _sentence(scores_by_way, game), _parts(scores_by_way, game), basis, more, foot=_method(scores_by_way, ladder)
    )


def _sentence(scores_by_way: HeldScores, game: LoadedGame) -> str:
    """Return what holds of each pair."""
    texts = []
    for pair, verdict in scores_by_way.verdicts.items():
        scores = [row.score.value for row in scores_by_way.rows if row.pair == pair]
        ends = f"{show_probability(min(scores))} to {show_probability(max(scores))}"
        name = game.label(game.pair(scores_by_way.setting.kind, pair, "")[0])
        texts.append(f"{pair} {_favour_text(verdict, game, scores_by_way, pair)} ({name} scores {ends})")
    return f"{'; '.join(texts)}."


def _favour_text(verdict: str, game: LoadedGame, scores_by_way: HeldScores, pair: str) -> str:
    if verdict in (EVEN, UNSURE):
        return f"is {verdict} everywhere"
    if not verdict:
        return "hangs on how it is played"
    sides = game.definition.kinds[scores_by_way.setting.kind].sides
    return f"favours {game.label(game.pair(scores_by_way.setting.kind, pair, '')[sides.index(verdict)])} everywhere"


def _parts(scores_by_way: HeldScores, game: LoadedGame) -> Iterator[RenderableType]:
    changes = any(row.changes for row in scores_by_way.rows)
    heads = ["pair", "both play", *(["changed"] if changes else []), "first scores", "95% interval", "favours"]
    rows = [_row(scores_by_way, game, row, changes) for row in scores_by_way.rows]
    yield table(heads, rows, ["first scores", "95% interval"])


def _row(scores_by_way: HeldScores, game: LoadedGame, row: HeldScore, changes: bool) -> list[str]:
    sides = game.definition.kinds[scores_by_way.setting.kind].sides
    verdict = row.verdict
    if verdict in sides:
        verdict = game.label(game.pair(scores_by_way.setting.kind, row.pair, "")[sides.index(verdict)])
    interval = show_interval(row.score.low, row.score.high, show_probability)
    change_cells = [comma_list(row.changes)] if changes else []
    return [row.pair, row.way.replace("_", " "), *change_cells, show_probability(row.score.value), interval, verdict]


def _method(scores_by_way: HeldScores, ladder: PlayWorth | None) -> Iterator[RenderableType]:
    low, high = (show_probability(end) for end in scores_by_way.band)
    ways_text = "near the top of the ladder" if ladder is not None else "as named"
    yield line(f"Even: between {low} and {high}. Ways of playing: {ways_text}, both sides alike.", "dim")


def as_json(scores_by_way: HeldScores, game: LoadedGame, ladder: PlayWorth | None) -> play.PairStability:
    """Return the one object that --json prints.

    Parameters
    ----------
    scores_by_way
        Who is favoured in every setting.
    game
        The game with its catalogue.
    ladder
        The ladder of ways of playing, if it was played for.
    """
    rows: list[play.PairScore] = [
        {
            "pair": row.pair,
            "play": row.way,
            "changes": list(row.changes),
            "score": row.score.value,
            "low": row.score.low,
            "high": row.score.high,
            "verdict": row.verdict,
        }
        for row in scores_by_way.rows
    ]
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "stability",
        "verdicts": scores_by_way.verdicts,
        "rows": rows,
        "ladder": None if ladder is None else ladder_json(ladder),
        "settings": {"kind": scores_by_way.setting.kind, "band": list(scores_by_way.band), "seed": scores_by_way.seed},
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }


def frames_of(scores_by_way: HeldScores) -> Mapping[str, pl.DataFrame]:
    """Return the scores of each pair, way and setting as a table."""
    rows = [
        {
            "pair": row.pair,
            "way": row.way,
            "changes": "; ".join(row.changes),
            "score": row.score.value,
            "low": row.score.low,
            "high": row.score.high,
            "verdict": row.verdict,
        }
        for row in scores_by_way.rows
    ]
    return {"pairs": pl.DataFrame(rows)}
