"""What `export`, `import`, `tables` and, of a whole game, `page` say of the files that they wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim
from balance.answers.form import AnswerWords, Terms
from balance.answers.words.catalogues.check import TableSize, sizes_text
from balance.base.answers import Doc, Form
from balance.base.numbers import show_many

if TYPE_CHECKING:
    import polars as pl

MOST_NAMED = 8
"""Files that are named one by one when they were written."""


@dataclass(frozen=True)
class Written:
    """Files were written."""

    schema: Form
    verb: Literal["export", "import", "tables", "page"]
    files: Annotated[tuple[str, ...], Doc("Where each lies.")]
    folder: Annotated[str, Doc("The folder of several files; empty for one that was named.")] = ""
    use: Annotated[str, Doc("How they are used.")] = ""
    sizes: Annotated[tuple[TableSize, ...], Doc("The tables of the catalogue that was read, if one was.")] = ()
    catalogue_sha256: Annotated[str, Doc("The digest of all its tables.")] = ""


def sentence(written: Written, terms: Terms) -> str:
    """Return what was written, and how it is used."""
    return f"Wrote {_place(written)}{written.use and f'. {written.use}'}"


def lines(written: Written, terms: Terms) -> list[Block]:
    """Return all lines."""
    return [Verbatim(tuple(_lines(written, terms)))]


def tables(written: Written) -> Mapping[str, pl.DataFrame]:
    """Return the files."""
    import polars as pl

    return {"files": pl.DataFrame({"file": written.files}, schema={"file": pl.String})}


WORDS = AnswerWords.whole(sentence, lines, tables)


def _place(written: Written) -> str:
    return f"{show_many(len(written.files), 'file')} into {written.folder}" if written.folder else written.files[0]


def _lines(written: Written, terms: Terms) -> Iterator[str]:
    """Yield what stands on the screen; of tables their bare names, so that a script can read them."""
    if written.verb == "tables":
        yield from written.files
    elif not written.sizes:
        yield sentence(written, terms)
    else:
        is_long = len(written.files) > MOST_NAMED
        yield from (f"Wrote {name}" for name in ([_place(written)] if is_long else written.files))
        yield f"{sizes_text(written.sizes)}; {written.catalogue_sha256:.12}"
        yield written.use
