"""Every module imports by itself, and the light ones load nothing heavy."""

from __future__ import annotations

import importlib.util
import json
import os
import pkgutil
import subprocess
import sys

import pytest

import balance
from tests.packaging.checkout import ROOT, clean_environment

HEAVY = {"IPython", "jupyter_client", "matplotlib", "nbclient", "openpyxl", "pandas", "polars", "scipy", "typst"}

# One process per module costs minutes in all; a fork before the first import is as fresh and costs next to nothing.
# What lies below a module is there before, for nothing in it imports what is above: libraries, and the rooms of LOW.
IMPORT_EACH = """
import importlib, json, os, sys
import numpy, polars, pydantic
failed = []
for names in json.loads(sys.argv[1]):
    for name in names:
        child = os.fork()
        if not child:
            try:
                importlib.import_module(name)
            except BaseException as error:
                print(name, repr(error), file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            failed.append(name)
    for name in set(names) - set(failed):
        importlib.import_module(name)
print(json.dumps(failed))
"""
LOW = {"base", "catalogue", "chance"}


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=True)


def loaded(statement: str) -> set[str]:
    """Return the top-level modules in memory after the statement, in a new interpreter."""
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(python(code).stdout.split())


def modules() -> list[str]:
    return ["balance", *(found.name for found in pkgutil.walk_packages(balance.__path__, "balance."))]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("every", [24, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_every_module_imports_by_itself(every: int) -> None:
    """By default every twenty-fourth; that nothing imports what is above it, the contract of imports checks of all."""
    parts = {name: name.partition(".")[2].partition(".")[0] for name in modules()[::every]}
    low = [name for name, room in parts.items() if room in LOW]
    done = python(IMPORT_EACH, json.dumps([low, [name for name in parts if name not in low]]))
    assert json.loads(done.stdout) == [], done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_module_that_does_not_import_is_named() -> None:
    assert json.loads(python(IMPORT_EACH, '[["json", "balance.no_such"], ["csv"]]').stdout) == ["balance.no_such"]


def test_importing_balance_loads_nothing_heavy() -> None:
    assert loaded("import balance") & (HEAVY | {"typer"}) == set()


def test_importing_the_catalogue_loads_nothing_heavy() -> None:
    assert loaded("import balance.catalogue") & (HEAVY | {"typer"}) == set()


@pytest.mark.skipif(importlib.util.find_spec("balance.cli.main") is None, reason="no command line yet")
def test_starting_the_command_line_loads_nothing_heavy() -> None:
    assert loaded("import balance.cli.main") & (HEAVY | {"numpy"}) == set()


def test_a_heavy_import_is_seen() -> None:
    assert loaded("import polars") & HEAVY == {"polars"}
