"""`balance.tables`: the tables of a run in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import UsageError
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb

if TYPE_CHECKING:
    from balance.answers.words.catalogues.written import Written


@verb
def tables(
    run: Annotated[str | Path, Parameter("The folder of a run.", "RUN_DIR")],
    *names: Annotated[str, Parameter("Which tables (default: all).", "[TABLE]...")],
    format: Annotated[str, Parameter("csv, parquet or xlsx.", "FORMAT")] = "csv",
    out: Annotated[str | Path | None, Parameter("Folder to write (default: RUN_DIR/FORMAT).", "DIR")] = None,
) -> Result[Written]:
    """Write the tables of a run in the formats of other programs.

    Returns
    -------
    Result
        Its `value` names the `files` that were written; its table is `files`.

    Raises
    ------
    BalanceError
        There is no such run, table or format, or the folder cannot be written.
    """
    from balance.answers.form import Terms
    from balance.answers.words.catalogues import written as words
    from balance.base.foreign import lies_in
    from balance.study import load_run
    from balance.study.run.export import export_tables

    place = Path(run)
    folder = Path(out) if out is not None else place / format
    if out is None and not lies_in(folder, place):
        raise UsageError(f"{folder} leads out of the folder of the run", "say where to write with §out")
    files = tuple(map(str, export_tables(load_run(place), format, folder, names)))
    return as_result("tables", words.Written(1, "tables", files, str(folder)), words.WORDS, Terms())
