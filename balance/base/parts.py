"""Parts of balance that a light install leaves out: who needs one asks for it here, before any work begins."""

from __future__ import annotations

from balance.base.errors import UsageError

EXTRAS = {
    "matplotlib": "report",
    "typst": "report",
    "pandas": "notebook",
    "ipywidgets": "notebook",
    "distributed": "dask",
    "mcp": "mcp",
}
"""Package -> the extra of our distribution that brings it."""


def is_there(package: str) -> bool:
    """Return whether a package is installed; it is not imported.

    >>> is_there("json"), is_there("no_such_package")
    (True, False)
    """
    from importlib.util import find_spec  # most commands need none of this

    return find_spec(package) is not None


def how_to_add(package: str) -> str:
    """Return the command that adds a package, quoted as every shell reads it.

    >>> how_to_add("typst")
    'pip install "tabletop-balance[report]"'
    """
    return f'pip install "tabletop-balance[{EXTRAS[package]}]"'


def lack(what: str, *packages: str) -> UsageError:
    """Return the error of what needs packages of one extra that are not installed.

    >>> print(lack("a picture", "matplotlib"))
    a picture needs matplotlib, which is not installed; add it: pip install "tabletop-balance[report]"
    """
    verb, them = ("is", "it") if len(packages) == 1 else ("are", "them")
    message = f"{what} needs {' and '.join(packages)}, which {verb} not installed"
    return UsageError(message, f"add {them}: {how_to_add(packages[0])}")


def demand(what: str, *packages: str) -> None:
    """Raise `UsageError` for what needs packages of one extra if any of them is not installed."""
    if missing := [package for package in packages if not is_there(package)]:
        raise lack(what, *missing)
