"""Laws as tables of other libraries: the one place below the games that imports polars or pandas, and only on call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from balance.pmf.pmf import Pmf

__all__ = ["to_markdown", "to_pandas", "to_polars"]


def to_polars(law: Pmf) -> pl.DataFrame:
    """Return a polars frame: one row per outcome, its columns as Int64 and its probability `p` as Float64.

    >>> from balance.pmf import die
    >>> to_polars(die(2)).columns
    ['value', 'p']
    """
    import polars as pl

    return pl.DataFrame({**{name: law[name] for name in law.columns}, "p": law.p})


def to_pandas(law: Pmf) -> pd.DataFrame:
    """Return a pandas frame: one row per outcome, its columns as int64 and its probability `p`.

    >>> from balance.pmf import die
    >>> list(to_pandas(die(2)).columns)
    ['value', 'p']
    """
    import pandas as pd

    return pd.DataFrame({**{name: law[name] for name in law.columns}, "p": law.p})


def to_markdown(law: Pmf, digits: int = 4) -> str:
    """Return a Markdown table: one row per outcome and its probability.

    >>> from balance.pmf import die
    >>> print(to_markdown(die(2), 2))
    | value | p |
    |---:|---:|
    | 1 | 0.50 |
    | 2 | 0.50 |
    """
    head = [*law.columns, "p"]
    body = [[*map(str, row), f"{p:.{digits}f}"] for row, p in zip(law.outcomes.tolist(), law.p.tolist(), strict=True)]
    return "\n".join(
        ["| " + " | ".join(line) + " |" for line in [head]]
        + ["|" + "---:|" * len(head)]
        + ["| " + " | ".join(line) + " |" for line in body]
    )
