"""What is printed of a run: its summary in words, and the tables that it left as polars frames."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from balance.answers.media.screens import screen_of
from balance.answers.media.terminal import table
from balance.base.numbers import show_count, show_many, show_number, show_probability

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from balance.study import Run

FOR_THE_FEW = ("provenance", "ladder", "check")
"""Parts of the summary that say how the numbers were had; they wait for --more."""


def sentence(run: Run) -> str:
    """Return what a run found in a sentence: who is strongest, who weakest, and what going first is worth."""
    summary, sentences = run.summary, [f"{show_many(int(run.summary.get('n_entrants') or 0), 'entrant')} were compared"]
    sentences += [
        f"the {name} is {entry['entrant']}, which scores {show_probability(entry['score'])}"
        for name in ("strongest", "weakest")
        if isinstance(entry := summary.get(name), dict) and entry.get("score") is not None
    ]
    advantage = summary.get("first_mover_advantage")
    if isinstance(advantage, dict) and advantage.get("mean") is not None:
        sentences.append(f"going first is worth {show_number(100 * advantage['mean'])} percentage points on average")
    return f"{'; '.join(sentences)}."


def blocks(run: Run, more: bool, written_files: Sequence[str] = ()) -> Iterator[RenderableType]:
    """Yield the summary of a run, whatever it holds; room is left for the lines that are written below it."""
    facts = {
        name: value for name, value in run.summary.items() if name not in ("broken_limits", "match_ups", "left_out")
    }
    for name, value in run.summary.get("match_ups", {}).items():
        if name not in ("allocation", "unfair"):
            facts[f"match-ups, {name}"] = value
    rows = [[words_of(name), fact_of(value)] for name, value in facts.items() if more or name not in FOR_THE_FEW]
    basis = "" if more else f"Study {run.folder.name}"
    return screen_of(sentence(run), [table(["summary", ""], rows)], basis, more, written_files)


def words_of(name: str) -> str:
    """Return a key of the summary in words: no underscores, and no "n" before what is counted.

    >>> words_of("n_entrants"), words_of("match-ups, n_pairs")
    ('entrants', 'match-ups, pairs')
    """
    return re.sub(r"\bn (?=\w)", "", name.replace("_", " "))


def fact_of(value: object) -> str:
    """Return a value of the summary as text: "yes", "no", "-" for None, numbers rounded, mappings by `words_of`."""
    if isinstance(value, dict):
        return ", ".join(f"{words_of(name)} {fact_of(part)}" for name, part in value.items())
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, int):
        return show_count(value)
    return show_number(value) if isinstance(value, float) else str(value)


def frames_of(run: Run) -> Mapping[str, pl.DataFrame]:
    """Return every table of a run; where match-ups were played, first `match_ups` with the score of each pair."""
    frames = {name: run.table(name) for name in run.manifest["tables"]}
    tasks = frames.get("tasks")
    columns = ["a", "b", "score", "low", "high"]
    if tasks is None or not {*columns} <= {*tasks.columns}:
        return frames
    return {"match_ups": tasks.select(columns), **frames}
