"""Expressions of `balance dice` beside icepool, dyce and lea: pools whose highest dice are kept, or that are counted.

Our law is worked out anew in every call; in a second row its text is read too. A peer is asked in its own words, in
the fastest we found; what takes it more than a second, it is not asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from math import comb
from typing import Any

from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.text.parsing import parse
from tests.bench import known
from tests.bench.contest import Contender, Contest

KEPT = ((3, 6, 2), (30, 6, 10), (30, 20, 10))
"""Dice, their faces, and how many of the highest are kept."""
COUNTED = ((5, 10, 7), (30, 10, 7))
"""Dice, their faces, and the lowest face that counts."""
SECONDS = {("dyce", 30, 20)}
"""Whom it takes a minute and more: every way in which so many faces can be shared out is listed."""

Ends = list[float]


def contests() -> list[Contest]:
    """Return the contests: the chances of the least and of the most there can be, whose formulas are short."""
    return [
        *(_contest(f"{n}d{faces} keep {k}", "keep", kept_ends(n, faces, k), n, faces, k) for n, faces, k in KEPT),
        *(
            _contest(f"{n}d{faces} count >={least}", "count", counted_ends(n, faces, least), n, faces, least)
            for n, faces, least in COUNTED
        ),
    ]


def kept_ends(n: int, faces: int, k: int) -> Ends:
    """Return P(all show 1), and P(k dice or more show the highest face)."""
    return [faces**-n, sum(comb(n, j) * (faces - 1) ** (n - j) for j in range(k, n + 1)) / faces**n]


def counted_ends(n: int, faces: int, least: int) -> Ends:
    """Return P(no die counts) and P(all do)."""
    return [((least - 1) / faces) ** n, ((faces - least + 1) / faces) ** n]


def ends_of(text: str) -> Ends:
    """Return the chances of the least and the most total of an expression, from its whole law."""
    return _ends(law_of(parse(text).part, Work()))


def _contest(text: str, task: str, answer: Ends, *numbers: int) -> Contest:
    peers = [_peer(library, task, *numbers) for library in ("icepool", "dyce", "lea")]
    node = parse(text).part
    mine = [
        Contender("exact, law worked out anew", lambda: _ends(law_of(node, Work()))),
        Contender("the same, and the text read", lambda: ends_of(text)),
    ]
    return Contest(f"dice {text}", mine, peers, known.checker(known.check, answer))


def _peer(library: str, task: str, n: int, faces: int, last: int) -> Contender | str:
    try:
        module = import_module(library)
    except ImportError:
        return f"{library} (not installed)"
    work = {
        ("icepool", "keep"): lambda: _ends(_anew(module.d(faces).highest, n, last)),
        ("icepool", "count"): lambda: _ends(n @ module.Die({0: last - 1, 1: faces - last + 1})),
        ("dyce", "keep"): lambda: _ends((n @ module.P(faces)).at(slice(-last, None))),
        ("dyce", "count"): lambda: _ends(n @ module.H({0: last - 1, 1: faces - last + 1})),
        ("lea", "count"): lambda: _ends(dict(module.pmf({0: last - 1, 1: faces - last + 1}).times(n).pmf_tuple())),
    }
    found: Callable[[], Ends] | None = work.get((library, task))
    if found is None:
        return f"{library} (keeps no dice)"
    if task == "keep" and (library, n, faces) in SECONDS:
        return f"{library} (takes a minute and more)"
    return Contender(library, found)


@cache
def _evaluators() -> list[Any]:
    """Return what of icepool keeps what it worked out before."""
    modules = [module for name, module in sys.modules.items() if name.startswith("icepool.")]
    values = [value for module in modules for value in vars(module).values()]
    return [value for value in values if type(value).__module__.startswith("icepool.") and hasattr(value, "evaluate")]


def _anew(highest: Callable[[int, int], Any], n: int, kept: int) -> Any:
    """Ask icepool for the highest dice when it has forgotten what it worked out before."""
    for one in _evaluators():
        getattr(one, "_cache", {}).clear()
    return highest(n, kept)


def _ends(law: Any) -> Ends:
    """Return the chances of the least and the most of a law that is a mapping from outcomes to weights."""
    weights = dict(law.items())
    total = sum(weights.values())
    return [float(weights[min(weights)] / total), float(weights[max(weights)] / total)]
