"""What `balance run --dry-run` says: what a study will cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from balance.answers.media.terminal import say, table
from balance.base.answers import as_plain
from balance.cli.process.exits import say_json, say_line

if TYPE_CHECKING:
    from balance.study import Study


def show_no_forecast(study: Path, game: str, as_json: bool) -> None:
    """Print why a dry run of a study of a local game makes no forecast, and how to allow its code to run."""
    text = (
        f"{study} is about {game}, a game in a folder beside you. A dry run runs no code of such a game, so what the "
        f"study would cost is not known. If you trust it: balance run {study} --dry-run --game {game}"
    )
    if as_json:
        from balance.study.run.answer import DryRun

        say_json(as_plain(DryRun(1, "run", True, None, (text,))))
    else:
        say_line(text)


def show_forecast(study: Study, jobs: int, as_json: bool) -> None:
    """Print the forecast of a study's work, time and size with so many workers, as a table or as JSON."""
    from balance.base.progress import duration
    from balance.study.run.answer import DryRun
    from balance.study.run.forecast import forecast
    from balance.study.run.run import sides_of

    costs = forecast(study, sides_of(study), jobs)
    if as_json:
        say_json(as_plain(DryRun(1, "run", True, costs)))
        return
    plays_match_ups = "match_ups" in study.metrics
    rows = [("match-ups", f"{costs.n_tasks:,}"), ("of them exact", f"{costs.n_exact:,}")] if plays_match_ups else []
    rows += [("mirrored pairs to play", f"about {costs.pairs:,}")] if costs.n_exact < costs.n_tasks else []
    rows += [("duels to solve for the cards", f"{costs.n_duels:,}")] if costs.n_duels else []
    rows += [("battles of armies for prices", f"about {costs.n_battles:,}")] if costs.n_battles else []
    rows += [("tables the report declares", f"{costs.n_tables:,}")] if costs.n_tables else []
    rows += [("games to solve for it", f"{costs.n_solutions:,}")] if costs.n_solutions else []
    rows += [("conclusions to test", f"{costs.n_conclusions:,}")] if costs.n_conclusions else []
    rows += [("tables of luck", f"{costs.n_luck:,}")] if costs.n_luck else []
    rows += [("cards changed step by step", f"{costs.n_cards:,}")] if costs.n_cards else []
    unknown = [costs.n_duels, costs.n_battles, costs.n_tables, costs.n_solutions, costs.n_conclusions]
    bound_word = "at least" if any(unknown) else "about"
    rows += [
        ("time", f"{bound_word} {duration(costs.seconds)} with {jobs} workers"),
        ("size", f"about {_size(costs.size)}"),
    ]
    say(table(["dry run", ""], rows))


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e3:,.0f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:,.1f} MB"
