"""The reference of the Python names, as MyST Markdown: one section for each name of `balance.__all__`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import balance


def verbs_page() -> str:
    """Return one section for each verb, by the alphabet."""
    return _sections((name for name, thing in _public().items() if _is_verb(thing)), level=2)


def tools_page() -> str:
    """Return one section for each public function that is no verb, then one for each class, by the alphabet."""
    others = {name: thing for name, thing in _public().items() if not _is_verb(thing)}
    classes = [name for name, thing in others.items() if inspect.isclass(thing)]
    functions = [name for name in others if name not in classes]
    return f"## Functions\n\n{_sections(functions)}\n\n## Objects\n\n{_sections(classes)}"


def _public() -> dict[str, Any]:
    return {name: getattr(balance, name) for name in balance.__all__}


def _is_verb(thing: Any) -> bool:
    caller = thing.verb if hasattr(thing, "verb") else thing
    return not inspect.isclass(thing) and str(getattr(caller, "__module__", "")).startswith("balance.verbs")


def _sections(names: Iterable[str], level: int = 3) -> str:
    return "\n\n".join(name_section(name, getattr(balance, name), level) for name in sorted(names))


def name_section(name: str, thing: Any, level: int = 3) -> str:
    """Return the section of a name, which Sphinx fills from its docstring, under a heading of a level.

    >>> print(name_section("load", balance.load))
    ### load
    <BLANKLINE>
    ```{eval-rst}
    .. autofunction:: balance.load
    ```
    """
    return f"{'#' * level} {name}\n\n```{{eval-rst}}\n{_directive(name, thing)}\n```"


def head_examples(lines: list[str]) -> None:
    """Put a heading above an example that follows the sections of a docstring; in place, as Sphinx asks for it."""
    starts = [at for at, line in enumerate(lines) if line.startswith(">>>")]
    if starts and any(re.fullmatch("-{3,}", line) for line in lines[: starts[0]]) and "Examples" not in lines:
        lines[starts[0] : starts[0]] = ["Examples", "--------"]


def _directive(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        return f".. autoclass:: balance.{name}\n   :members:\n   :inherited-members: BaseException"
    if inspect.isroutine(thing):
        return f".. autofunction:: balance.{name}"
    if callable(thing):  # a module that can be called, such as one that has the name of a verb
        return f".. py:function:: balance.{name}{_signature(thing)}\n\n{_indented(_docstring(thing))}"
    return f".. autodata:: balance.{name}"


class _Plain(str):
    """A type that was written as a text, which is shown as it was written."""

    __slots__ = ()
    __repr__ = str.__str__


def _signature(thing: Any) -> inspect.Signature:
    """Return the signature of something called, with its types as they are written."""
    signature = inspect.signature(thing)
    parameters = [
        each.replace(annotation=_Plain(each.annotation)) if isinstance(each.annotation, str) else each
        for each in signature.parameters.values()
    ]
    returned = signature.return_annotation
    return signature.replace(
        parameters=parameters, return_annotation=_Plain(returned) if isinstance(returned, str) else returned
    )


def _docstring(thing: Any) -> str:
    """Return the docstring of something called that is no function, with numpydoc sections as Sphinx reads them."""
    napoleon: Any = import_module("sphinx.ext.napoleon")  # only `make docs` has it
    caller = thing.verb if hasattr(thing, "verb") else type(thing).__call__
    told = inspect.getdoc(inspect.unwrap(caller)) or inspect.getdoc(thing) or ""
    return str(napoleon.NumpyDocstring(told, napoleon.Config(napoleon_use_rtype=False)))


def _indented(text: str) -> str:
    return "\n".join(f"   {line}".rstrip() for line in text.splitlines())
