"""`--verify`: a Dask worker that lies is named, an honest one changes nothing, and what is no share is refused."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from balance.engine import verification
from tests.cli.conftest import Command


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed: Any = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
        )
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with made:
            yield made


def lying_at(address: str) -> Callable[..., Any]:
    """Return what workers do, of whom the one at an address gives the result of another job."""
    signed, last_result = verification.signed, list[Any]()

    @wraps(signed)
    def lie(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
        name, result = signed(function, arguments)
        last_result.append(result)
        return name, last_result[0] if address in name and len(last_result) > 1 else result

    return lie


PRICE = ("price", "warforged", "--among", "nexus+shotgun,trooper+sidearm", "--budget", "60:2", "--battles", "100")
ATTACK = ("attack", "warforged", "nexus+assault_rifle", "trooper", "--trials", "400000", "--json")


def test_a_dask_worker_that_lies_is_named(cluster: Any, balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    words, whole = (*ATTACK, "--executor", "dask", "--scheduler", cluster.scheduler_address), balance(*ATTACK)
    verified = balance(*words, "--verify", "30%")
    assert (verified.status, verified.out) == (0, whole.out)
    assert "results of workers were verified: all are the same here" in verified.err
    liar = next(iter(cluster.workers.values())).address
    monkeypatch.setattr(verification, "signed", lying_at(liar))
    found = balance(*words, "--verify", "100%")
    assert (found.status, found.out) == (2, "")
    assert f"error: the worker {liar} gave another result for 'block " in found.err


@pytest.mark.slow("test_a_dask_worker_that_lies_is_named")
def test_what_a_worker_gave_that_lies_is_thrown_away(
    cluster: Any, balance: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*PRICE, "--scheduler", cluster.scheduler_address, "--cache", tmp_path)
    whole = balance(*PRICE, "--no-cache")
    liar = next(iter(cluster.workers.values())).address
    with monkeypatch.context() as patch:
        patch.setattr(verification, "signed", lying_at(liar))
        found = balance(*words, "--verify", "100%")
        assert found.status == 2
        assert f"error: the worker {liar} gave another result for " in found.err
        assert list(tmp_path.rglob("*.json")) == []
    done = balance(*words, "--verify", "100%")
    assert (done.status, done.out) == (whole.status, whole.out)
    assert "results of workers were verified: all are the same here" in done.err


@pytest.mark.parametrize("words", [PRICE, ATTACK])
def test_a_verb_refuses_what_is_no_share(words: tuple[str, ...], balance: Command) -> None:
    done = balance(*words, "--verify", "2")
    assert (done.status, done.out) == (2, "")
    assert "error: --verify: '2' is no share of the work" in done.err


def test_without_workers_there_is_nothing_to_verify(balance: Command) -> None:
    words = ("duel", "warforged", "nexus+shotgun", "trooper+shotgun", "--trials", "100")
    done = balance(*words, "--verify", "2%")
    assert (done.status, done.out) == (0, balance(*words).out)
    assert "note: all work was done in this process" in done.err
