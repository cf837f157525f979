"""Who wins, what going first is worth, and how well the ways of playing do."""

from __future__ import annotations

from collections.abc import Iterator

from balance.answers.blocks.bars import bar
from balance.answers.blocks.lines import Paragraph, plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.words.questions.asked import sides_of
from balance.base.numbers import show_interval, show_probability, show_probability_change
from balance.game.question.answer import Answer
from balance.game.question.habits import Habit


def who_wins(answer: Answer, in_short: bool = False) -> Table:
    """Return the chance of each result; `in_short` with what going first is worth where nothing is simulated."""
    question, sample = answer.question, answer.simulated
    exact = question.p_win(answer.exact) if answer.exact is not None else {}
    simulated_chances, ends = (sample.p_win(), sample.p_win_interval()) if sample else ({}, {})
    names, first = _names(answer), answer.first_movers if in_short and sample is None else {}
    rows = []
    for name in question.kind.winners:
        row: list[Cell | str] = [names.get(name, name), *([share(exact[name])] if exact else [])]
        if sample is not None:
            row += [share(simulated_chances[name]), show_interval(*ends[name], show=share)]
        elif first:
            mover = first.get(name)
            row += ["", ""] if mover is None else [share(mover.first), share(mover.second)]
        else:
            row.append(bar(exact[name]))
        rows.append(row)
    beside = ["simulated", "95% interval"] if sample else ["if first", "if second"] if first else [""]
    heads = ["who wins", *(["exact"] if exact else []), *beside]
    return grid(heads, rows, [head for head in heads[1:] if head != "95% interval" and (head or in_short)])


def share(p: float) -> str:
    """Return a chance with two decimals, in per cent."""
    return show_probability(p, 2)


def _names(answer: Answer) -> dict[str, str]:
    return {side: f"{side}: {name}" for side, (name, _) in sides_of(answer.question).items()}


def first_movers(answer: Answer) -> Table:
    """Return what going first is worth to each side."""
    names = _names(answer)
    rows = [
        [names[side], share(value.first), share(value.second), show_probability_change(value.advantage, 2, unit="")]
        for side, value in answer.first_movers.items()
    ]
    heads = ["first-mover advantage", "wins if first", "if second", "gain, % points"]
    return grid(heads, rows, heads[1:])


def ways_of_playing(answer: Answer) -> Iterator[Paragraph]:
    """Yield the score of each side's way of playing, and which does best against what the other side plays."""
    for habits in answer.habits:
        equal_habits = ", ".join(habits.best[1:])
        top = f"{habits.best[0]} does best: {_score(habits.ranking[0])}"
        alike = f"; not distinguishable from that: {equal_habits}" if equal_habits else ""
        plays = f"{habits.side} plays {habits.plays} and scores {_score(habits.played_habit)} in simulation"
        yield plain(f"{plays}. Against {habits.against}, {top}{alike}.")
    for habits in answer.habits[:1]:
        text = f"{len(habits.ranking)} ways to play were simulated, {habits.trials_text()}, seed {habits.seed}"
        draw = "half" if answer.question.fair_share == 1 / 2 else "a fair share"
        yield plain(f"{text}; a draw counts {draw}; 95% intervals.", "aside", gap=True)


def better_ways(answer: Answer) -> Iterator[Paragraph]:
    """Yield which way of playing scores surely more than the one that was asked for, for either side."""
    sentences = [
        f"{habits.side} would do better by {habits.best[0]}: {_score(habits.ranking[0])} instead of "
        f"{show_probability(habits.played_habit.score.value)} by {habits.plays}"
        for habits in answer.habits
        if habits.plays not in habits.best
    ]
    if sentences:
        yield plain(f"Simulated, {answer.habits[0].trials_text('way to play')}: {'; '.join(sentences)}.", gap=True)


def _score(habit: Habit) -> str:
    score = habit.score
    return f"{show_probability(score.value)} ({show_interval(score.low, score.high, show_probability)})"
