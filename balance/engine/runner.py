"""Do all the work of a study: the same answers in the same order, wherever it is done and however often it is killed.

An `Engine` says where and how; nothing in it changes a number. A `Runner` is an engine at work on one game: it opens
the pool when there is something to hand out, keeps what is finished in the folder of the run, finds it there again, and
tells how far it is. Two kinds of work go through it.

*Measures.* A measure is a function from a `Question` to plain values, and is asked of many queries. Two questions with
equal setups have equal distributions, whatever was changed to get there, so within a part each distinct setup is
measured once: a rule option that does not touch a match-up costs nothing when it is asked beside the match-up as it
stands. Parts are consecutive queries, and their size depends on nothing; a part whose answers lie in the folder is not
asked again.

*Jobs* of any other kind, such as blocks of trials; see `balance.study.match_ups.sampling`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from balance.base.errors import DifferingWorkerError, Interruption, RulesError
from balance.base.progress import Progress, Stage
from balance.engine.alike import join
from balance.engine.answers import AnswerStore, pack
from balance.engine.jobs import Job, Pool
from balance.engine.journal import Journal
from balance.engine.pool import SERIAL, open_pool
from balance.engine.query import Query, digest
from balance.engine.source import Source, fingerprint, identity_of, package_of
from balance.engine.store import BlockStore, SharedStore
from balance.engine.verification import Verification
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question

PART, PART_OF_CHAINS = 128, 256
"""Queries that are answered at a time, where they may share answers, or be solved together; elsewhere one is enough."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class Engine:
    """Where and how work is done; nothing in it changes a number.

    `executor`, `n_jobs`, `scheduler`, `verification`: see `balance.engine.pool.open_pool`; executor "auto" is serial
    for one job and processes for more. `cache`: folder of blocks that studies share; None for none. `progress`: called
    with each `Stage` of the work. `halt`: asked before each job whether to stop.
    """

    executor: str = "auto"
    n_jobs: int = 1
    scheduler: str | None = None
    verification: Verification | None = None
    cache: Path | None = None
    progress: Progress | None = None
    halt: Callable[[], bool] | None = None

    def tell(self, work: str, n_done: int, total: int) -> None:
        """Report that `n_done` of `total` parts of some work are finished, if anybody watches."""
        if self.progress is not None:
            self.progress(Stage(work, n_done, total))


@dataclass
class WorkCounts:
    """How many queries and blocks came from a store, and how many were computed now."""

    n_kept: int = 0
    n_fresh: int = 0


@dataclass(frozen=True)
class _Part:
    """Up to `PART` consecutive queries of one measure, which one job answers."""

    queries: tuple[Query, ...]
    measure: Callable[..., Any]
    skip_illegal: bool = False
    share: bool = False
    at_once: bool = False

    def name(self, game: LoadedGame) -> str | None:
        """Return the digest that its answers are kept under; None for a measure without a name, such as a lambda."""
        try:
            packed_measure = pack(self.measure)
        except TypeError:
            return None
        program = fingerprint("balance", package_of(game.definition))
        how = "at once" if self.at_once else self.skip_illegal
        return digest([program, packed_measure, how, [query.id(game) for query in self.queries]])


class Runner:
    """An engine at work on a game; use it in a `with` so that its workers end.

    `folder` keeps finished work, and must be held (`balance.engine.store.locked`); None keeps none. `answers` is
    another place for the answers.

    >>> from balance.game.loaded import load
    >>> runner = Runner(load("warforged"))
    >>> damage = lambda question: round(question.distribution.mean("damage"), 12)
    >>> runner([Query("attack", "nexus+sidearm", "trooper")], damage)
    [0.7]
    """

    def __init__(
        self,
        game: LoadedGame,
        engine: Engine | None = None,
        folder: Path | None = None,
        answers: AnswerStore | None = None,
    ) -> None:
        self.game, self.engine = game, engine or Engine()
        self.blocks = BlockStore(folder) if folder is not None else None
        self.cache = SharedStore(self.engine.cache) if self.engine.cache is not None else None
        self.counts = WorkCounts()
        self._answers = AnswerStore(folder) if answers is None and folder is not None else answers
        self._journal = Journal(None if self._answers is None else self._answers.for_unfinished())
        self._recent_answers: dict[tuple[Callable[..., Any], Query], Any] = {}
        self._open = ExitStack()
        self._made: dict[str, Any] = {}
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        """Return itself; workers start with the first work for them."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Shut the workers down, dropping jobs that have not begun; keep what is finished of work that is not."""
        self._pool = None
        if kind is None:
            self._journal.clear()
        else:
            self._journal.flush()
        self._open.__exit__(kind, error, at)

    @property
    def stores(self) -> list[BlockStore]:
        """Where blocks are kept: the run's folder and the cache that studies share, as far as there are such."""
        return [store for store in (self.blocks, self.cache) if store is not None]

    @cached_property
    def source(self) -> Source:
        """The game, packed once for other processes."""
        return Source.of(self.game)

    @cached_property
    def executor(self) -> str:
        """The executor with "auto" resolved; a game that cannot be pickled, as one made of lambdas, uses threads."""
        if self.engine.executor != "auto":
            return self.engine.executor
        if self.engine.n_jobs == 1:
            return "serial"
        return "processes" if self.source.content else "threads"

    @property
    def pool(self) -> Pool:
        """The workers, started when first asked for."""
        if self._pool is None:
            engine = self.engine
            new_pool = open_pool(self.executor, engine.n_jobs, engine.scheduler, engine.verification)
            self._pool = self._open.enter_context(new_pool)
        return self._pool

    def run(self, jobs: Iterable[Job], locally: bool = False) -> Iterator[tuple[Job, Any]]:
        """Yield (job, result) as results come in, in any order; `locally` for what is not worth handing out.

        `Interruption` when asked to stop, after jobs that had begun; `DifferingWorkerError` for a worker that failed
        verification, once everything that this runner has kept is removed.
        """
        halt, unstarted = self.engine.halt, list[Job]()

        def jobs_until_halt() -> Iterator[Job]:
            for job in jobs:
                if halt is not None and halt():
                    unstarted.append(job)
                    return
                yield job

        try:
            yield from (SERIAL if locally else self.pool).run(jobs_until_halt())
        except DifferingWorkerError:
            for store in self.stores:
                store.forget()
            if self._answers is not None:
                self._answers.forget()
            raise
        if unstarted:
            raise Interruption("all that is finished is kept")

    def __call__(
        self,
        queries: Sequence[Query],
        measure: Callable[[Question], Row],
        work: str = "questions",
        *,
        skip_illegal: bool = False,
        share: bool = True,
    ) -> list[Row | None]:
        """Return the measure of each question, in order.

        `measure` must depend on the question's distribution and kind alone, and be a module-level function or a record
        of values if processes work or answers are to be kept. `share` measures questions with the same distribution
        once, which simulations with dice of their own must not do; put such questions close to each other.
        `skip_illegal` gives None where the rules forbid what was asked, instead of raising `RulesError`; `work` is the
        name that is shown.
        """
        are_chains = any(self.game.kind(name).chains for name in {query.kind for query in queries})
        size = (PART_OF_CHAINS if are_chains else PART) if share else 1
        cuts = [tuple(queries[start : start + size]) for start in range(0, len(queries), size)]
        parts = [_Part(cut, measure, skip_illegal, share) for cut in cuts]
        rows: list[Row | None] = []
        for part_rows in self._in_order(work, parts):
            rows += part_rows
            self.engine.tell(work, len(rows), len(queries))
        if share:
            self._recent_answers |= {
                (measure, query): row for query, row in zip(queries, rows, strict=True) if row is not None
            }
        return rows

    def at_once(
        self, groups: Sequence[Sequence[Query]], measure: Callable[[Sequence[Question]], Sequence[Row]], work: str
    ) -> list[list[Row]]:
        """Return the measures of all questions of each group, which `measure` answers together; see `__call__`."""
        parts, rows = [_Part(tuple(group), measure, at_once=True) for group in groups], list[list[Row]]()
        self.engine.tell(work, 0, sum(map(len, groups)))
        for group_rows in self._in_order(work, parts):
            rows.append(group_rows)
            self.engine.tell(work, sum(map(len, rows)), sum(map(len, groups)))
        return rows

    @contextmanager
    def quietly(self) -> Iterator[Self]:
        """Report no progress within the block, as the caller reports that of the whole."""
        engine, self.engine = self.engine, replace(self.engine, progress=None)
        try:
            yield self
        finally:
            self.engine = engine

    def once(self, work: str, facts: object, make: Callable[[], Row]) -> Row:
        """Return `make()`, or its value if the same facts were asked for before, by this runner or before a kill.

        `facts` are plain values and records that fix the result, beside the game, its catalogue and the program; `make`
        must depend on them alone and give plain values.
        """
        name = digest([*identity_of(self.game), work, pack(facts)])
        if name in self._made:
            return cast(Row, self._made[name])
        if self._answers is not None and (rows := self._answers.find(name, 1)) is not None:
            self.counts.n_kept += 1
            return cast(Row, rows[0])
        others = set(self._journal.names)
        value = self._made[name] = make()
        self.counts.n_fresh += 1
        if self._answers is not None:
            self._answers.add(name, [value])
            self._journal.clear(others)
        return value

    def results(self, work: str, facts: object, jobs: Sequence[Job], sizes: Sequence[int] = ()) -> list[Any]:
        """Return the results of jobs tagged 0, 1, ... in this order, those that a run that was killed left included.

        `facts` fix the results, as in `once`; `sizes` are the parts of the work that each job is, by default one.
        """
        sizes = sizes or [1] * len(jobs)
        try:
            name = "" if self._answers is None else digest([*identity_of(self.game), work, pack(facts)])
        except TypeError:  # such as a function within a function
            name = ""
        found = self._journal.find(name) if name else {}
        todo, n_done = [job for job in jobs if job.tag not in found], sum(sizes[at] for at in found)
        self.engine.tell(work, n_done, sum(sizes))
        for job, result in self.run(todo, locally=len(todo) < 2):
            found[job.tag] = result
            if name:
                self._journal.note(name, found)
            n_done += sizes[job.tag]
            self.engine.tell(work, n_done, sum(sizes))
        return [found[at] for at in range(len(jobs))]

    def _in_order(self, work: str, parts: Sequence[_Part]) -> Iterator[list[Any]]:
        """Yield the answers of each part, stored ones included, in the order of the parts."""
        names = [part.name(self.game) if self._answers is not None else None for part in parts]
        rows_by_part = {
            at: rows for at, part in enumerate(parts) if (rows := self._stored_rows(names[at], part)) is not None
        }
        todo, at = [at for at in range(len(parts)) if at not in rows_by_part], 0
        for job, rows in self._results(work, parts, todo):
            self.counts.n_fresh += len(rows)
            if self._answers is not None and (name := names[job.tag]) is not None:
                self._answers.add(name, rows)
            rows_by_part[job.tag] = rows
            while at in rows_by_part:
                yield rows_by_part.pop(at)
                at += 1
        yield from (rows_by_part[later] for later in sorted(rows_by_part))

    def _stored_rows(self, name: str | None, part: _Part) -> list[Any] | None:
        rows = self._answers.find(name, len(part.queries)) if self._answers is not None and name is not None else None
        self.counts.n_kept += 0 if rows is None else len(rows)
        return rows

    def _results(self, work: str, parts: Sequence[_Part], todo: Sequence[int]) -> Iterator[tuple[Job, list[Any]]]:
        locally = len(todo) < 2
        game = self.game if locally or self.executor in ("serial", "threads") else self.source
        jobs = (
            Job(f"{work}, part {at + 1}", answer, (game, parts[at], self._recent_answers_to(parts[at])), at)
            for at in todo
        )
        return self.run(jobs, locally)

    def _recent_answers_to(self, part: _Part) -> Mapping[Query, Any]:
        """Return the answers that this runner has already given to queries of a part; none if `share` is off."""
        if not part.share:
            return {}
        answers, measure = self._recent_answers, part.measure
        return {query: answers[measure, query] for query in part.queries if (measure, query) in answers}

    def clear(self) -> None:
        """Remove the answers that were kept for a resume, once everything that needed them is written."""
        if self._answers is not None:
            self._answers.clear()


def same_distribution_key(question: Question) -> Hashable | None:
    """Return a value that two questions share only if they have the same distribution, or None if there is none.

    It is the question's setup without the record of what was asked, where that setup can be hashed.
    """
    key = _setup_of(question)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def same_distribution(first: Question, second: Question) -> bool:
    """Return whether two questions are known to have the same distribution, even if their setups cannot be hashed.

    Those setups are compared as they are sent to other processes: byte by byte, arrays and all.
    """
    key = packed_distribution_key(first)
    return key is not None and key == packed_distribution_key(second)


def packed_distribution_key(question: Question) -> Hashable | None:
    """Return `same_distribution_key`, or the pickled setup where that cannot be hashed; None where neither works."""
    if (key := same_distribution_key(question)) is not None:
        return key
    setup = _setup_of(question)
    try:
        return None if setup is None else pickle.dumps(setup)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _setup_of(question: Question) -> tuple[Any, ...] | None:
    """Return the kind, the rules of a game file, and the setup without the record of what was asked."""
    setup, game = question.setup, question.game
    if not is_dataclass(setup):
        return None
    rules = [] if game.definition.file is None else [game.catalogue.rules_version]
    return (
        question.kind.name,
        *rules,
        *(getattr(setup, field.name) for field in fields(setup) if field.name != "inputs"),
    )


def answer(game: LoadedGame | Source, part: _Part, recent: Mapping[Query, Any]) -> list[Any]:
    """Return the answers to a part, in a worker or here; `recent` holds answers that are known, by query."""
    loaded_game = game.open() if isinstance(game, Source) else game
    if part.at_once:
        group = [query.to(loaded_game) for query in part.queries]
        join(group)
        return list(part.measure(group))
    questions = [_question_of(loaded_game, query, part.skip_illegal) for query in part.queries]
    keys = [same_distribution_key(question) if part.share and question is not None else None for question in questions]
    measured_rows = {key: recent[query] for key, query in zip(keys, part.queries, strict=True) if query in recent}
    join(_to_measure(questions, keys, measured_rows))
    rows: list[Any] = [recent.get(query) for query in part.queries]
    for at, (query, key) in enumerate(zip(part.queries, keys, strict=True)):
        question = questions.pop(0)  # with what was worked out about it
        if question is None or query in recent:
            continue
        if key is None or key not in measured_rows:
            measured_rows[key] = part.measure(question)
        rows[at] = measured_rows[key]
    return rows


def _question_of(game: LoadedGame, query: Query, skip_illegal: bool) -> Question | None:
    """Return the question of a query; None where the rules forbid it and that is to be skipped."""
    try:
        return query.to(game)
    except RulesError:
        if not skip_illegal:
            raise
    return None


def _to_measure(
    questions: Sequence[Question | None], keys: Sequence[Hashable | None], answered_keys: Collection[Hashable]
) -> Iterator[Question]:
    """Yield the questions of which each is the first with its key, but for those that have answers."""
    met = set(answered_keys)
    for question, key in zip(questions, keys, strict=True):
        if question is not None and (key is None or key not in met):
            met.add(key)
            yield question
