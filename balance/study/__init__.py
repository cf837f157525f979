"""Studies from end to end: read a study file, run it, open what a run left; settings of reports.

>>> from balance.study import shipped_study
>>> shipped_study("warforged").settings.title
'Is Warforged fair?'

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.study.loading.load import load_study, shipped_study
    from balance.study.run.folder import Run, load_run
    from balance.study.run.run import run_study
    from balance.study.settings.settings import Study

__all__ = ["Run", "Study", "load_run", "load_study", "run_study", "shipped_study"]

_HOMES = {
    "Run": "run.folder",
    "Study": "settings.settings",
    "load_run": "run.folder",
    "load_study": "loading.load",
    "run_study": "run.run",
    "shipped_study": "loading.load",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'balance.study' has no attribute {name!r}")
    return getattr(import_module(f"balance.study.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
