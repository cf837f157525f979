"""What `check` says of catalogues and other files: what each is, how it was read, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.base.answers import ASKED_FOR, Count, Doc, Form, formula
from balance.base.errors import Fault
from balance.base.numbers import show_many
from balance.base.readings import Reading
from balance.base.text import one_line, shorten

HEIGHT, WIDTH = 24, 80
"""Lines of a first screen, and characters of a line of it."""
MOST_SAID, LONGEST_TEXT = 60, 60
"""Characters that say how many entries each table has, before all are counted together; and of a piece of a file."""


@dataclass(frozen=True)
class TableSize:
    """How many entries a table has."""

    table: str
    entries: Count

    def __str__(self) -> str:
        return f"{self.entries} {self.table}"


@dataclass(frozen=True)
class CheckedPath:
    """A file or folder that was checked."""

    path: str
    kind: Annotated[str, Doc("What it was taken for: a game's catalogue by the name of the game.")] = ""
    summary: Annotated[str, Doc("What else is said of it, in a few words.")] = ""
    faults: Annotated[tuple[Fault, ...], Doc("Everything that is wrong with it.")] = ()
    notes: Annotated[tuple[str, ...], Doc("What is sound but worth knowing, a sentence each.")] = ()
    sizes: Annotated[tuple[TableSize, ...], Doc("The tables of a sound catalogue.")] = ()
    assumed: Annotated[Count, Doc("How many of its values have a source that only assumes them.")] = 0
    catalogue_sha256: Annotated[str, Doc("The digest of all its tables; empty if it is no sound catalogue.")] = ""

    @formula
    def is_sound(self) -> Annotated[bool, Doc("Whether nothing is wrong with it.")]:
        """Whether there are no faults."""
        return not self.faults

    def line(self, whole: bool) -> str:
        """Return the line with the number of entries by table, or in all if that is long and not `whole`."""
        state = show_many(len(self.faults), "fault") if self.faults else "sound"
        head = f"{self.path}{self.kind and f' ({self.kind})'}: {state}{self.summary and f'; {self.summary}'}"
        return f"{head}; {sizes_text(self.sizes, whole)}; {self.catalogue_sha256[:12]}" if self.sizes else head


@dataclass(frozen=True)
class Explained:
    """How the pieces of a file were read."""

    path: str
    kind: Annotated[str, Doc("What it is, such as a log of games; empty if nothing that can be explained.")]
    summary: Annotated[str, Doc("What it holds, or why it cannot be explained.")]
    readings: Annotated[tuple[Reading, ...], Doc("Its pieces, in the order of the file.")] = ()


@dataclass(frozen=True)
class Check:
    """Files and folders were checked."""

    schema: Form
    verb: Literal["check"]
    paths: tuple[CheckedPath, ...]
    explained: Annotated[tuple[Explained, ...] | None, Doc("Each file piece by piece.")] = field(
        default=None, metadata=ASKED_FOR
    )


def sizes_text(sizes: Iterable[TableSize], whole: bool = True) -> str:
    """Return the number of entries by table; unless `whole`, over all tables where that would be long."""
    entries = {size.table: size.entries for size in sizes}
    text = ", ".join(map(str, sizes))
    return (
        text
        if whole or len(text) <= MOST_SAID
        else f"{sum(entries.values())} entries in {show_many(len(entries), 'table')}"
    )


def sentence(check: Check, terms: Terms) -> str:
    """Return whether the files are sound, and how many of their values are assumed."""
    paths = check.paths
    n_bad = sum(not path.is_sound for path in paths)
    if len(paths) == 1:
        return paths[0].line(whole=False)
    if n_bad:
        return f"{n_bad} of {len(paths)} {'has' if n_bad == 1 else 'have'} faults."
    n_assumed = sum(path.assumed for path in paths)
    assumed_text = "1 value is assumed" if n_assumed == 1 else f"{n_assumed:,} values are assumed"
    things = "catalogues" if all(path.sizes for path in paths) else "files"
    return f"{len(paths)} {things} are sound{f'; {assumed_text}' if n_assumed else ''}."


def full(check: Check, terms: Terms) -> Iterator[Block]:
    """Yield how files were read, then each of them with its notes."""
    return _blocks(check, terms, whole=True)


def short(check: Check, terms: Terms) -> Screen:
    """Return the same with as many notes as there is room for."""
    return Screen([*_blocks(check, terms, whole=False)])


def tables(check: Check) -> Mapping[str, Records]:
    """Return the files, and all that is wrong with them."""
    faults = [fault for path in check.paths for fault in path.faults]
    return {"paths": Records(CheckedPath, check.paths), "faults": Records(Fault, faults)}


WORDS = AnswerWords(sentence, short, full, tables)
IN_FULL = AnswerWords.whole(sentence, full, tables)
"""The words of who asks for every note."""


def _blocks(check: Check, terms: Terms, whole: bool) -> Iterator[Block]:
    for file in check.explained or ():
        yield from _explanation(file)
    answer = [sentence(check, terms)] if len(check.paths) > 1 else []
    yield Verbatim((*answer, *_lines(check.paths, whole)))


def _explanation(file: Explained) -> Iterator[Block]:
    """Yield a sentence on what a file was read as, then a table with a row for each piece."""
    if not file.kind:
        yield plain(f"{file.path} cannot be explained: {file.summary}.")
        return
    pieces, article = show_many(len(file.readings), "piece"), "an" if file.kind[:1] in "aeiou" else "a"
    yield plain(f"{file.path} is read as {article} {file.kind}: {file.summary}; {pieces} below.")
    if file.readings:
        rows = [(piece.where, shorten(one_line(piece.text), LONGEST_TEXT), piece.meaning) for piece in file.readings]
        yield grid(("where", "written", "read as"), rows)


def _lines(paths: Iterable[CheckedPath], whole: bool) -> Iterator[str]:
    """Yield the line of each path and its notes: all with `whole`, else those that fit a screen of 24 lines."""
    room = HEIGHT - 2 - sum(-(-len(path.line(whole)) // WIDTH) for path in paths)
    n_left_out = 0
    for path in paths:
        yield path.line(whole)
        for note in (f"note: {note}" for note in path.notes):
            room -= -(-len(note) // WIDTH)
            if whole or room >= 0:
                yield note
            else:
                n_left_out += 1
    if not whole and (n_left_out or any(path.line(True) != path.line(False) for path in paths)):
        notes = f"{show_many(n_left_out, 'more note')} and " if n_left_out else ""
        yield f"--more shows {notes}what each table holds."
