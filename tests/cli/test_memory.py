"""Too little memory is told in one sentence, and a limit of the system is heeded before a library ends the process."""

from __future__ import annotations

import errno
import os
import resource
import sys

import pytest

from balance.base.limits import ONE_THREAD
from balance.cli.process.memory import fit_into_limit, out_of_memory

FRUGAL = {**ONE_THREAD, "_RJEM_MALLOC_CONF": "background_thread:false"}


@pytest.mark.parametrize(
    ("limit", "told", "frugal"),
    [
        (resource.RLIM_INFINITY, None, False),
        (2**30, None, True),
        (2**30 - 1, "memory is limited to 1023 MB here (ulimit -v), and balance needs 1024 MB", True),
        (300 * 2**20, "memory is limited to 300 MB here (ulimit -v), and balance needs 1024 MB", True),
    ],
)
def test_under_a_limit_libraries_take_one_thread_each(
    limit: int, told: str | None, frugal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FRUGAL:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit, limit) if kind == resource.RLIMIT_AS else None)
    assert fit_into_limit() == told
    assert {name: os.environ.get(name) for name in FRUGAL} == (FRUGAL if frugal else dict.fromkeys(FRUGAL))


def test_what_somebody_set_of_threads_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(ONE_THREAD))
    monkeypatch.setenv(name, "7")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (2**31, 2**31))
    assert fit_into_limit() is None
    assert os.environ[name] == "7"


def test_a_system_without_such_limits_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert fit_into_limit() is None


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (MemoryError("whatever"), True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("could not spawn threads: OS"), True),
        (BaseException("memory allocation of 8192 bytes failed"), True),
        (RuntimeError("no such unit"), False),
    ],
    ids=str,
)
def test_every_way_to_say_that_there_is_no_memory_is_known(error: BaseException, found: bool) -> None:
    assert out_of_memory(error) is found


def test_an_error_while_nothing_more_can_be_had_is_one_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def full(_: int, n_bytes: int) -> None:
        asked.append(n_bytes)
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("balance.cli.process.memory.mmap", full)
    found = out_of_memory(ValueError("something else"))
    monkeypatch.undo()
    assert found is True
    assert asked == [256 * 2**20]
