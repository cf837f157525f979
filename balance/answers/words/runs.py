"""What is said of a run and of its report: its summary in words, and the tables that it left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Screen, Terms
from balance.base.numbers import show_count, show_many, show_number, show_probability
from balance.study.run.answer import FinishedRun, WrittenReport

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.blocks.document import Block

Answer: TypeAlias = "FinishedRun | WrittenReport"
FOR_THE_FEW = ("provenance", "ladder", "check")
"""Parts of the summary that say how the numbers were had; they wait for --more."""


def sentence(answer: Answer, terms: Terms) -> str:
    """Return what a run found in a sentence: who is strongest, who weakest, and what going first is worth."""
    summary = answer.run.summary
    sentences = [f"{show_many(int(summary.get('n_entrants') or 0), 'entrant')} were compared"]
    sentences += [
        f"the {name} is {entry['entrant']}, which scores {show_probability(entry['score'])}"
        for name in ("strongest", "weakest")
        if isinstance(entry := summary.get(name), dict) and entry.get("score") is not None
    ]
    advantage = summary.get("first_mover_advantage")
    if isinstance(advantage, dict) and advantage.get("mean") is not None:
        sentences.append(f"going first is worth {show_number(100 * advantage['mean'])} percentage points on average")
    return f"{'; '.join(sentences)}."


def short(answer: Answer, terms: Terms) -> Screen:
    """Return the summary, in the room that the lines printed below it leave."""
    folder = answer.run.folder
    below = ["", "", f"{folder} {folder}", *answer.broken_limits] if answer.verb == "run" else []
    return Screen.of(sentence(answer, terms), [_summary(answer, FOR_THE_FEW)], f"Study {folder.name}", notes=below)


def full(answer: Answer, terms: Terms) -> Iterator[Block]:
    """Yield the whole summary, whatever it holds."""
    yield plain(sentence(answer, terms), "strong", gap=True)
    yield _summary(answer)


def _summary(answer: Answer, hidden: tuple[str, ...] = ()) -> Table:
    summary = answer.run.summary
    facts = {name: value for name, value in summary.items() if name not in ("broken_limits", "match_ups", "left_out")}
    for name, value in summary.get("match_ups", {}).items():
        if name not in ("allocation", "unfair"):
            facts[f"match-ups, {name}"] = value
    return grid(["summary", ""], [(words_of(name), fact_of(facts[name])) for name in facts if name not in hidden])


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


def tables(answer: Answer) -> Mapping[str, pl.DataFrame]:
    """Return every table of the run; where match-ups were played, first `match_ups` with the score of each pair."""
    frames = {name: answer.run.table(name) for name in answer.run.manifest["tables"]}
    tasks = frames.get("tasks")
    columns = ["a", "b", "score", "low", "high"]
    if tasks is None or not {*columns} <= {*tasks.columns}:
        return frames
    return {"match_ups": tasks.select(columns), **frames}


WORDS = AnswerWords[Any](sentence, short, full, tables)
