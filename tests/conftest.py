"""What runs by default, and that every test that cites a rule proves it."""

from __future__ import annotations

import doctest
import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.coverage import proved_as_published, rules_of, watch_for
from tests.suites import choose, cpu_seconds

if TYPE_CHECKING:
    from tests.study.golden import Golden


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Golden:
    """Two small studies with every setting on, run once for all who compare what came out of them."""
    from tests.study.golden import play

    return play(tmp_path_factory.mktemp("golden"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `tests/suites.py` asks for."""
    parser.addoption("--all", action="store_true", help="run everything, the slow tests too")
    parser.addoption("--seconds", metavar="FILE", help="write the CPU time of each test into a file")


def pytest_configure(config: pytest.Config) -> None:
    """Let the collector of garbage rest while tests are gathered, of which all stay; heed signals as at a prompt."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        gc.disable()
        heed_signals()
        # Before each of its examples, doctest readies a debugger, which looks whether any file ever shown has changed.
        vars(doctest)["_OutputRedirectingPdb"].reset = lambda _: None


def heed_signals() -> None:
    """Survive a closed terminal under `nohup` without ignoring it, since what is ignored stays so in all commands.

    A script that runs the tests in its background ignores Ctrl-C for them, and tests of Ctrl-C would wait for ever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_collection_finish() -> None:
    """Let it never look again at what was gathered: thirteen thousand tests and all modules."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow tests out."""
    choose(config, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure a test with all that is set up for it, if that is asked for."""
    file = item.config.getoption("--seconds")
    if not file:
        return (yield)
    begun = cpu_seconds()
    done = yield
    with Path(file).open("a", encoding="utf-8") as log:
        log.write(f"{item.nodeid}\t{cpu_seconds() - begun:.3f}\n")
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Watch a test that cites rules: whether it calls what the game runs is what `data/<game>/coverage.csv` says."""
    rules = rules_of(item)
    if not rules:
        return (yield)
    watch = watch_for(rules)
    with watch.on():
        yield
    proved_as_published(item, watch.proved)
    return None
