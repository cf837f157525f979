"""The answers in an interactive page: computed by the questions themselves, each distribution once.

Whether a kind of question reads a dial at all is found out from how the game prepares it, in the cards as they are and
in `BACKGROUNDS` settings in which every dial is set at random: a dial counts as not read only if it changed nothing in
any of them. A dial that is read in one of sixteen settings is missed by all of them in fewer than one of 3,000 cases.

First come all single turns of the dials, then more at a time of those that matter most. What is bounded is how many
distinct answers there are: settings that are alike share one.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from math import inf
from typing import Any, TypeAlias

from balance.analysis.what_if.dials import Dial, Setting, dials_of, values_of
from balance.base.errors import BalanceError, as_typed
from balance.engine.alike import join
from balance.engine.query import Query
from balance.engine.runner import Runner, packed_distribution_key
from balance.game.game import QuestionKind
from balance.game.question.answer import Answer
from balance.game.question.controls import Settings
from balance.game.question.idle import is_prepared_alike
from balance.game.question.question import Question
from balance.game.question.sentence import probabilities, sentence_of

BACKGROUNDS = 128
"""Settings of all dials at random in which a dial is tried before it is said not to be read."""
MOST_TRIES = 10 * BACKGROUNDS
"""Random settings that are tried to find so many that the rules allow."""
SAME = 1e-12
"""Differences between two answers that rounding makes."""
FORBIDDEN = "forbidden"
"""What an answer holds in place of all else where there is none."""
ALIKE = 4
"""Settings that are looked at for each distinct answer that a page may hold, as many are alike."""
AT_ONCE = 256
"""Questions that are answered together."""
_AnswersByKey: TypeAlias = dict[Hashable, dict[str, Any]]
"""What fixes a distribution -> its answer."""
MOST_AT_A_TIME = 6
"""Dials that are turned together, at most."""


@dataclass(frozen=True)
class Turns:
    """The answers in a page to one kind of question.

    * `question`: the question as the cards are.
    * `read`: the places of the dials that it reads, those that matter most first.
    * `answers`: each distinct answer, as `held_answer` gives it; first that of the cards as they are.
    * `places`: setting of the dials it reads -> the place of its answer.
    * `forbidden`: setting -> why the rules do not allow it.
    """

    question: Question
    read: tuple[int, ...]
    answers: tuple[dict[str, Any], ...]
    places: Mapping[Setting, int]
    forbidden: Mapping[Setting, str]

    def answer(self, setting: Setting) -> dict[str, Any] | None:
        """Return the answer to a setting of all dials; None where the page has none."""
        read = set(self.read)
        place = self.places.get(tuple(turn for turn in setting if turn[0] in read))
        return None if place is None else self.answers[place]


@dataclass(frozen=True)
class WhatIf:
    """All that a page about two cards holds: its dials, and per kind of question the answers."""

    dials: tuple[Dial, ...]
    turns: Mapping[str, Turns]

    @property
    def n_answers(self) -> int:
        """Number of settings with an answer, over all kinds of question."""
        return sum(len(turns.places) for turns in self.turns.values())


def shown_columns(kind: QuestionKind) -> list[str]:
    """Return the columns whose distributions a page shows: effect and duration of a kind, else its first amount."""
    declared = [name for role in ("effect", "duration") if (name := kind.column(role)) is not None]
    return declared or [name for name, column in kind.columns.items() if not column.names][:1]


def held_answer(question: Question) -> dict[str, Any]:
    """Return the numbers of one answer as `--json` has them; empty where there is no exact distribution.

    There are `mean` of every column, `pmf` of each of `shown_columns`, `p_win` by result where somebody wins,
    `sentence` where nobody does, and `score`, in which steps of dials are measured: the chance that the first side
    wins, or the mean of the first of `shown_columns`.
    """
    if question.why_no_distribution:
        return {}
    distribution, kind = question.distribution, question.kind
    columns = shown_columns(kind)
    held: dict[str, Any] = {
        "mean": {column: distribution.mean(column) for column in distribution.columns},
        "pmf": {
            column: {str(value): p for value, p in probabilities(distribution, column).items()} for column in columns
        },
    }
    if kind.winners:
        chances = probabilities(distribution, kind.winner)
        p_win = {name: chances.get(value, 0.0) for name, value in kind.winners.items()}
        return {**held, "p_win": p_win, "sentence": "", "score": p_win[kind.sides[0]]}
    sentence = sentence_of(Answer(question, distribution))
    return {**held, "sentence": sentence, "score": distribution.mean(columns[0])}


def what_if(runner: Runner, questions: Mapping[str, Question], max_answers: int, reach: int, seed: int = 0) -> WhatIf:
    """Return dials and answers for a page about two cards.

    `questions` is kind -> the question as the cards are, with an exact distribution. Of each kind `max_answers`
    distinct answers are held, and every single turn of a dial in any case; `reach` is how many steps a number may be
    moved, up and down. The seed is that of the random settings in which dials are tried.
    """
    candidates = dials_of(questions, reach)
    by_kind: dict[str, _AnswersByKey] = {kind: {} for kind in questions}
    effects = {kind: _effects(runner, question, candidates, by_kind[kind]) for kind, question in questions.items()}
    felt = [place for place in range(len(candidates)) if any(effect.get(place) for effect in effects.values())]
    dials = tuple(candidates[place] for place in felt)
    turns = {}
    for kind, question in questions.items():
        by_place = {new: effects[kind][old] for new, old in enumerate(felt) if old in effects[kind]}
        turns[kind] = _turns(runner, question, dials, by_place, max_answers, seed, by_kind[kind])
    return WhatIf(dials, turns)


def _effects(runner: Runner, question: Question, dials: Sequence[Dial], by_key: _AnswersByKey) -> dict[int, float]:
    """Return by place of a dial the largest change of the answer when it is turned alone, 0 where there is none."""
    kind = question.kind.name
    places = [place for place, dial in enumerate(dials) if kind in dial.controls]
    settings = [(), *single_settings(places, dials)]
    answers, where, _ = _answers(runner, question, dials, settings, by_key)
    effects = dict.fromkeys(places, 0.0)
    for setting, at in where.items():
        if setting:
            effects[setting[0][0]] = max(effects[setting[0][0]], _difference(answers[0], answers[at]))
    return effects


def _difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    """Return the difference of two answers' scores, or a tiny number if only some mean differs."""
    if (gap := abs(first["score"] - second["score"])) > SAME:
        return float(gap)
    gaps = [abs(mean - second["mean"][column]) for column, mean in first["mean"].items()]
    return SAME if max(gaps, default=0.0) > SAME else 0.0


def _turns(
    runner: Runner,
    question: Question,
    dials: Sequence[Dial],
    effects: Mapping[int, float],
    max_answers: int,
    seed: int,
    by_key: _AnswersByKey,
) -> Turns:
    idle = [place for place, effect in effects.items() if not effect]
    unread = set(idle) - set(_read_somewhere(question, dials, idle, seed))
    ranked = sorted((place for place in effects if place not in unread), key=lambda place: (-effects[place], place))
    settings = held_settings(ranked, dials, ALIKE * max_answers)
    answers, places, forbidden = _answers(runner, question, dials, settings, by_key, max_answers)
    return Turns(question, tuple(ranked), tuple(answers), places, forbidden)


def _answers(
    runner: Runner,
    question: Question,
    dials: Sequence[Dial],
    settings: Sequence[Setting],
    by_key: _AnswersByKey,
    most: float = inf,
) -> tuple[list[dict[str, Any]], dict[Setting, int], dict[Setting, str]]:
    """Return distinct answers, setting -> the place of its answer, and setting -> why it is not allowed.

    What is in `by_key` is not asked again, and what is asked is in it from then on. After `most` distinct answers, more
    are held for single turns alone, and the search ends where few settings share one.
    """
    keys, fresh = dict[Hashable, int](), list[Hashable]()
    queries, places, forbidden = list[Query](), dict[Setting, int](), dict[Setting, str]()
    n_missed = 0
    for setting in settings:
        if n_missed > most / 4:
            break
        try:
            asked, variant = _asked(question, dials, setting)
        except BalanceError as error:
            forbidden[setting] = as_typed(error)
            continue
        key = packed_distribution_key(variant) or asked
        if key not in keys:
            if len(keys) >= most and len(setting) > 1:
                n_missed += 1
                continue
            keys[key] = len(keys)
            if key not in by_key:
                fresh.append(key)
                queries.append(asked)
        places[setting] = keys[key]
    groups = [queries[start : start + AT_ONCE] for start in range(0, len(queries), AT_ONCE)]
    answers = chain.from_iterable(runner.at_once(groups, _held, question.kind.name))
    by_key |= zip(fresh, answers, strict=True)
    rows = [by_key[key] for key in keys]
    forbidden |= {setting: rows[place][FORBIDDEN] for setting, place in places.items() if FORBIDDEN in rows[place]}
    answered = [place for place, row in enumerate(rows) if row and FORBIDDEN not in row]  # those too large are empty
    order = {old: new for new, old in enumerate(answered)}
    held_places = {setting: order[place] for setting, place in places.items() if place in order}
    return [rows[place] for place in answered], held_places, forbidden


def _held(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return the answer to each question, with what is told beside them worked out together as well."""
    join(question.beside for question in questions if question.beside is not None)
    return [_held_or_forbidden(question) for question in questions]


def _held_or_forbidden(question: Question) -> dict[str, Any]:
    """Return the answer of `held_answer`, or why there is none where only playing shows that the rules forbid it."""
    try:
        return held_answer(question)
    except BalanceError as error:
        return {FORBIDDEN: as_typed(error)}


def _asked(question: Question, dials: Sequence[Dial], setting: Setting) -> tuple[Query, Question]:
    """Return the query and the question of a setting; raise BalanceError where the rules do not allow it."""
    settings = Settings.of(question).with_values(values_of(setting, dials, question.kind.name))
    variant = settings.ask(question)
    first, choices = variant.first or None, variant.choices
    return Query(question.kind.name, *question.entrants, variant.changes, first, choices, question=variant), variant


def _read_somewhere(question: Question, dials: Sequence[Dial], idle: Sequence[int], seed: int) -> Iterator[int]:
    """Yield the idle dials that change how the game prepares the question in some random setting of the others."""
    luck = random.Random(seed)
    backgrounds = list(islice(_backgrounds(question, dials, luck), BACKGROUNDS)) if idle else []
    for place in idle:
        if any(_changes(question, dials, place, background, luck) for background in [(), *backgrounds]):
            yield place


def _backgrounds(question: Question, dials: Sequence[Dial], luck: random.Random) -> Iterator[Setting]:
    """Yield random legal settings; the share of dials turned cycles through 1, 1/2, 1/4 and 1/8."""
    places = [place for place, dial in enumerate(dials) if question.kind.name in dial.controls]
    for number in range(MOST_TRIES):
        share = 2.0 ** -(number % 4)
        turned = [place for place in places if luck.random() < share]
        setting = tuple((place, luck.choice(dials[place].other_places)) for place in turned)
        if _allowed(question, dials, setting) is not None:
            yield setting


def _allowed(question: Question, dials: Sequence[Dial], setting: Setting) -> Question | None:
    try:
        return _asked(question, dials, setting)[1]
    except BalanceError:
        return None


def _changes(question: Question, dials: Sequence[Dial], place: int, background: Setting, luck: random.Random) -> bool:
    """Return whether turning a dial at random, others as set, changes the prepared question or its legality."""
    others = tuple(turn for turn in background if turn[0] != place)
    turned = tuple(sorted((*others, (place, luck.choice(dials[place].other_places)))))
    before, after = _allowed(question, dials, others), _allowed(question, dials, turned)
    return before is None or after is None or not is_prepared_alike(before, after)


def single_settings(places: Sequence[int], dials: Sequence[Dial]) -> Iterator[Setting]:
    """Yield every setting in which one of the dials at these places is turned."""
    for place in places:
        yield from (((place, value),) for value in dials[place].other_places)


def held_settings(ranked: Sequence[int], dials: Sequence[Dial], max_settings: int) -> list[Setting]:
    """Return up to `max_settings` settings of dials, ranked by importance, that a page has answers to.

    The cards as they are come first, then all single turns, in any case; with half of the room that is left every two
    dials of as many as fit, counted from the first; with half of what is left then every three, and so on.
    """
    settings: list[Setting] = [(), *single_settings(sorted(ranked), dials)]
    for n_turned in range(2, MOST_AT_A_TIME + 1):
        room = max_settings - len(settings)
        n_first = _n_that_fit(ranked, dials, n_turned, room if n_turned == MOST_AT_A_TIME else room // 2)
        if n_first < n_turned:
            break
        settings += _together(sorted(ranked[:n_first]), dials, n_turned)
    return settings


def _n_that_fit(ranked: Sequence[int], dials: Sequence[Dial], n_turned: int, room: int) -> int:
    """Return how many of the first dials can be turned `n_turned` at a time in all ways within `room` settings."""
    for n_first in range(n_turned, len(ranked) + 1):
        if _n_together(ranked[:n_first], dials, n_turned) > room:
            return n_first - 1
    return len(ranked)


def _n_together(places: Sequence[int], dials: Sequence[Dial], n_turned: int) -> int:
    """Return in how many ways `n_turned` of these dials are turned together: a symmetric sum of their values."""
    sums = [1] + [0] * n_turned
    for place in places:
        n = len(dials[place].other_places)
        for k in range(n_turned, 0, -1):
            sums[k] += n * sums[k - 1]
    return sums[n_turned]


def _together(places: Sequence[int], dials: Sequence[Dial], n_turned: int) -> Iterator[Setting]:
    for turned in combinations(places, n_turned):
        for values in product(*(dials[place].other_places for place in turned)):
            yield tuple(zip(turned, values, strict=True))
