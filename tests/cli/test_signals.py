"""What asks for an end is heeded once, told, and a second time at once; what was ignored from the start stays so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from balance.base import signals
from balance.base.limits import END_SIGNALS
from balance.base.signals import STOPPING, end_at_once, heed, interrupt, interruptible
from tests.conftest import heed_signals


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = {kind: signal.getsignal(kind) for kind in END_SIGNALS}
    yield
    for kind, handler in before.items():
        signal.signal(kind, handler)


@pytest.mark.parametrize("kind", END_SIGNALS, ids=lambda kind: signal.Signals(kind).name)
def test_the_first_is_noted_the_second_interrupts(kind: int, capfd: pytest.CaptureFixture[str]) -> None:
    heed(interrupt)
    before = {one: signal.getsignal(one) for one in END_SIGNALS}
    with interruptible() as asked:
        assert asked() is False
        signal.raise_signal(kind)
        assert asked() is True
        assert capfd.readouterr().err == STOPPING.decode()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(kind)
    assert {one: signal.getsignal(one) for one in END_SIGNALS} == before
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(kind)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="alarms")
def test_what_is_under_way_has_a_while_to_finish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "GRACE_SECONDS", 0.02)
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)
    with interruptible() as asked:
        signal.raise_signal(signal.SIGINT)
        assert asked()
    time.sleep(0.03)  # what ended in time is left alone
    assert signal.getsignal(signal.SIGALRM) is before


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    heed(interrupt)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    with interruptible() as asked:
        signal.raise_signal(signal.SIGINT)
        assert asked() is False


def test_a_thread_that_gets_no_signals_is_never_asked() -> None:
    found: list[object] = []

    def work() -> None:
        before = signal.getsignal(signal.SIGINT)
        with interruptible() as asked:
            found.extend([asked(), signal.getsignal(signal.SIGINT) is before])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False, True]


@pytest.mark.parametrize(("closed", "told"), [(False, "bye"), (True, "")])
def test_an_end_at_once_has_its_status_and_its_words_if_they_can_be_said(closed: bool, told: str) -> None:
    assert callable(end_at_once(3))
    code = "from balance.base.signals import end_at_once; import os; {} end_at_once(5, b'bye')(2, None); print('on')"
    done = subprocess.run(
        [sys.executable, "-c", code.format("os.close(2);" if closed else "")],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (5, "", told)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals")
def test_tests_that_run_under_nohup_heed_signals_and_survive_it() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    heed_signals()
    assert signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    signal.raise_signal(signal.SIGHUP)
    heed(interrupt)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGHUP)
