"""A worker that gives other numbers than this machine is found and named; honest ones change nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.base.errors import DifferingWorkerError, SourceWarning, UsageError
from balance.chance.pmf import Pmf
from balance.engine import verification
from balance.engine.jobs import Job, Pool
from balance.engine.pool import open_pool
from balance.engine.verification import Verification, facts_of, verified
from balance.study.match_ups.jobs import BlockResult
from balance.verbs.call import means
from balance.verbs.call.means import share_of, verification_of

ALL = Verification(1.0, b"key")


class Workers:
    """Stand-ins for workers that take turns; each gives its own version of a result."""

    n_workers = 2

    def __init__(self, *versions: Callable[[Any], Any]) -> None:
        self.versions = versions

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        for number, job in enumerate(jobs):
            _, result = job.function(*job.arguments)
            at = number % len(self.versions)
            yield job, (f"worker {at}", self.versions[at](result))


def honest(result: Any) -> Any:
    return result


def weights_exchanged(result: Pmf) -> Pmf:
    return Pmf.from_rows(result.columns, result.outcomes, result.weights[::-1])


def law(number: int) -> Pmf:
    return Pmf.of({0: number + 1, 1: 2 * number + 3}, "hit")


def results_of(pool: Pool, how: Verification, n: int = 200) -> list[Any]:
    with verified(nullcontext(pool), how) as verified_pool:
        return [result for _, result in verified_pool.run(Job(f"block {n}", law, (n,)) for n in range(n))]


def test_honest_workers_change_nothing_and_are_counted() -> None:
    with pytest.warns(SourceWarning, match=r"^200 of 200 results of workers were verified: all are the same here$"):
        assert results_of(Workers(honest, honest), ALL) == [law(n) for n in range(200)]


def test_a_worker_that_exchanges_weights_is_named() -> None:
    with pytest.raises(DifferingWorkerError, match=r"^worker 1 gave another result for 'block 1' than this machine"):
        results_of(Workers(honest, weights_exchanged), ALL)


@pytest.mark.parametrize("n_honest", [1, 40])
def test_a_worker_that_lies_now_and_then_is_found_sooner_or_later(n_honest: int) -> None:
    """It lies after its first results in every other one; missed by 10 % of 180 results with a chance of 1e-4."""
    seen = list[Any]()

    def now_and_then(result: Pmf) -> Pmf:
        seen.append(result)
        return weights_exchanged(result) if len(seen) > n_honest and len(seen) % 2 else result

    with pytest.raises(DifferingWorkerError, match=r"^worker 0"):
        results_of(Workers(now_and_then), Verification(0.1, b"key"), 400)
    assert len(seen) > n_honest


def test_the_choice_is_the_same_for_a_key_and_another_for_another() -> None:
    def chosen(key: bytes) -> list[bool]:
        return list(islice(Verification(0.02, key).choices(), 10_000))

    assert chosen(b"a") == chosen(b"a") != chosen(b"b")
    assert 150 < sum(chosen(b"a")) < 250  # 3.5 standard deviations of 14 either way
    with pytest.warns(SourceWarning, match=r"^(\d+) of 200 results"):
        results_of(Workers(honest), Verification(0.02, b"a"))


def test_a_worker_is_sent_nothing_of_the_choice() -> None:
    sent = list[Job]()

    class Noting(Workers):
        def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
            def note() -> Iterator[Job]:
                for job in jobs:
                    sent.append(job)
                    yield job

            return super().run(note())

    with pytest.warns(SourceWarning):
        results_of(Noting(honest), Verification(0.5, b"secret"), 3)
    assert [(job.function, job.arguments) for job in sent] == [(verification.signed, (law, (n,))) for n in range(3)]


def test_how_long_it_took_is_no_difference() -> None:
    first, second = (BlockResult(1, None, seconds) for seconds in (1.0, 2.0))  # type: ignore[arg-type]
    assert facts_of([first]) == facts_of([second]) != facts_of([BlockResult(2, None, 1.0)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (law(1), law(2)),
        (np.arange(3), np.arange(3.0)),
        ({"a": 0.1}, {"a": 0.2}),
        ((1, None), (1, 0)),
        (0.1 + 0.2, 0.3),
        (law(0), weights_exchanged(law(0))),
    ],
)
def test_results_that_differ_are_told_apart(one: object, other: object) -> None:
    assert facts_of(one) == facts_of(one) != facts_of(other)
    assert facts_of(float("nan")) == facts_of(float("nan"))


# -- real workers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers_of_each_kind_have_names(kind: str) -> None:
    def names() -> set[str]:
        with open_pool(kind, 2) as pool:
            jobs = [Job("j", verification.signed, (pow, (n, 2))) for n in range(8)]
            return {name for _, (name, _) in pool.run(jobs)}

    told = names()
    assert told
    assert all(
        name.startswith({"threads": "the worker thread", "processes": "the worker process"}[kind]) for name in told
    )
    assert f"the worker process {os.getpid()}" not in told


@pytest.mark.parametrize("text", ["", "2", "0%", "-1%", "101%", "1e2%", "two", "nan%", "2%%", "%", "0,0 %"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"verify.*is no share of the work; allowed: more than 0% and at most 100%"):
        share_of(text)


def test_the_key_of_a_user_is_made_once_and_nobody_elses_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(means, "user_cache", lambda: tmp_path / "cache")
    first, second = verification_of(0.02), verification_of(0.02)
    assert first == second
    assert first is not None
    assert len(first.key) == 32
    if os.name == "posix":
        assert (tmp_path / "cache" / "verify.key").stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(means, "user_cache", lambda: None)
    assert verification_of(0.02) != first
    assert verification_of(None) is None
