"""Mistakes planted in modules of `balance`, to see whether tests notice them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


@contextmanager
def planted(name: str, old: str, new: str) -> Iterator[None]:
    """Run with one mistake in a module of `balance`, wherever its names are used."""
    module = import_module(f"balance.{name}")
    path = Path(str(module.__file__))
    source = path.read_text("utf-8")
    assert old in source, f"nothing to break in {name}: {old}"
    before = dict(vars(module))
    try:
        exec(compile(source.replace(old, new, 1), str(path), "exec"), vars(module))
        renewed = {id(value): vars(module)[key] for key, value in before.items() if _made_in(module, value)}
        with _everywhere(renewed):
            yield
    finally:
        vars(module).clear()
        vars(module).update(before)


def _made_in(module: ModuleType, value: Any) -> bool:
    return getattr(value, "__module__", None) == module.__name__ and hasattr(value, "__qualname__")


@contextmanager
def _everywhere(renewed: dict[int, Any]) -> Iterator[None]:
    """Put other functions and classes in the place of some, in all modules that have imported them."""
    changed = [
        (module, key, value)
        for module_name, module in list(sys.modules.items())
        if module_name.startswith(("balance.", "tests.games."))
        for key, value in list(vars(module).items())
        if id(value) in renewed
    ]
    for module, key, value in changed:
        setattr(module, key, renewed[id(value)])
    try:
        yield
    finally:
        for module, key, value in changed:
            setattr(module, key, value)
