"""The locks pin every dependency by hash, agree with each other and with pyproject.toml."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.packaging.checkout import ROOT

LOCKS = ["installer", "core", "all", "dev", "docs", "bench", "mutants"]


def pins(lock: str) -> dict[str, int]:
    """Return "name==version ; marker" to the number of its hashes."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    return {entry.split("\\")[0].strip(): entry.count("--hash=sha256:") for entry in entries if entry.strip()}


def named(lock: str) -> set[str]:
    return {pin.partition("==")[0] for pin in pins(lock)}


def wanted(extra: str = "") -> set[str]:
    """Return the names that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["optional-dependencies"][extra] if extra else project["dependencies"]
    own = [match for line in asked if (match := re.fullmatch(r"tabletop-balance\[(.*)\]", line))]
    extras = {name for match in own for name in match[1].split(",")}
    names = {re.split(r"[^\w.-]", line)[0].lower() for line in asked}
    return (names - {"tabletop-balance"}).union(*map(wanted, extras))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_is_exact_and_hashed(lock: str) -> None:
    assert pins(lock)
    assert [pin for pin, hashes in pins(lock).items() if "==" not in pin or not hashes] == []


@pytest.mark.parametrize("lock", ["all", "dev", "docs", "bench", "mutants"])
def test_the_larger_locks_repeat_the_core(lock: str) -> None:
    """The versions, that is; a larger lock may need a package in more places than the core does."""
    versions = [{pin.partition(";")[0].strip() for pin in pins(name)} for name in ("core", lock)]
    assert versions[0] - versions[1] == set()


@pytest.mark.parametrize(("lock", "extra"), [("core", ""), *((name, name) for name in LOCKS[2:])])
def test_a_lock_holds_what_the_project_asks_for(lock: str, extra: str) -> None:
    assert wanted(extra) - named(lock) == set()


def test_the_core_lock_is_free_of_the_tools_of_developers() -> None:
    assert named("core") & {"pytest", "mypy", "ruff", "icepool"} == set()
    assert named("all") & {"pytest", "mypy", "ruff", "icepool"} == set()


def test_the_core_lock_is_light() -> None:
    """What is installed for the command line alone: 45 distributions at most, and none that only an extra brings."""
    assert len(named("core")) <= 45
    assert named("core") & set().union(*map(wanted, ("report", "notebook", "dask", "mcp"))) == set()


@pytest.mark.parametrize("lock", ["all", "dev", "docs", "bench", "mutants"])
def test_the_slow_checker_of_addresses_stays_out(lock: str) -> None:
    assert "jsonschema" in named(lock)
    assert "rfc3987-syntax" not in named(lock)
