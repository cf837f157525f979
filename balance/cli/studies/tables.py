"""`balance tables`: the tables of a run in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.base.errors import UsageError
from balance.base.foreign import lies_in
from balance.cli.options import options
from balance.cli.process.exits import say_line


def tables(
    run: Annotated[Path, options.argument("RUN_DIR", "The folder of a run.")],
    names: Annotated[list[str] | None, options.argument("[TABLE]...", "Which tables (default: all).")] = None,
    fmt: Annotated[str, typer.Option("--format", metavar="FORMAT", help="csv, parquet or xlsx.")] = "csv",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder to write (default: RUN_DIR/FORMAT).")
    ] = None,
) -> None:
    """Write the tables of a run and print the paths of the files."""
    from balance.study import load_run
    from balance.study.run.export import export_tables

    if out is None and not lies_in(run / fmt, run):
        raise UsageError(f"{run / fmt} leads out of the folder of the run", "say where to write with --out")
    paths = export_tables(load_run(run), fmt, out or run / fmt, names or ())
    for path in paths:
        say_line(path)
