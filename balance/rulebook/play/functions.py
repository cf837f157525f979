"""Python functions that a game file names for a step: of packages that are installed, never of what came with it.

A file of somebody else's must be safe to open. So the code that runs is what its reader chose to install, and nothing
of Python's own library either, of which mere names can do harm.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from balance.base.foreign import real_path
from balance.rulebook.text import Line


def function_of(line: Line) -> Callable[..., Any]:
    """Return the Python function that stands for a step; what its package raises on import goes on.

    `ValueError` if it may not be run or does not exist; the text says why.
    """
    module, _, name = line.python.partition(":")
    package = module.partition(".")[0]
    if not package or not name:
        raise ValueError("no package.module:function")
    if not _is_installed(package, [Path.cwd(), Path(line.path).absolute().parent]):
        raise ValueError("its package is not installed")
    function = getattr(importlib.import_module(module), name)
    if not callable(function):
        raise ValueError("it cannot be called")
    return function  # type: ignore[no-any-return]


def _is_installed(package: str, folders: list[Path]) -> bool:
    """Return whether a package outside the standard library was installed, without running it.

    One that merely lies in one of `folders`, such as that of the game file, does not count.
    """
    if package in sys.stdlib_module_names:
        return False
    if package in packages_distributions():
        return True
    spec = find_spec(package)
    places = [*(spec.submodule_search_locations or []), spec.origin or ""] if spec is not None else []
    return bool(places) and not any(
        real_path(Path(place)).is_relative_to(real_path(folder)) for place in places if place for folder in folders
    )
