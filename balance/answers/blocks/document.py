"""A report as an immutable tree of blocks, free of any notion of paper or screen.

An author builds a `Document`; `render_html` and `render_pdf` draw the same one. Every number in it is already text, so
the two renderings cannot disagree. Strings are of two kinds:

* *plain*: names, titles, labels, cells. Printed literally, whatever they contain.
* *marked*: paragraphs, bullets, callouts, captions, notes, verdict sentences. ``**bold**`` and `` `code` `` are drawn;
  nothing else is. Pass a name from a catalogue through `balance.answers.blocks.text.literal` before putting it in
  one.

A block that contradicts itself (a row of the wrong length, an unknown kind) raises `UsageError` when it is made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from balance.answers.blocks.lines import Bullets, Facts, Paragraph, Title, Verbatim
from balance.answers.blocks.marks import Marks
from balance.answers.blocks.tables import HeatMap, Table, demand
from balance.base.errors import UsageError

CalloutKind: TypeAlias = Literal["key", "caution", "note"]
VerdictWord: TypeAlias = Literal[
    "too dear",
    "too cheap",
    "overpowered",
    "underpowered",
    "fair",
    "not yet known",
]


@dataclass(frozen=True)
class Callout:
    """A boxed remark: `key` for a finding, `caution` for a limit, `note` for an aside. `title` plain, `text` marked."""

    kind: CalloutKind
    title: str
    text: str

    def __post_init__(self) -> None:
        demand(self.kind, get_args(CalloutKind), "callout kind")


@dataclass(frozen=True)
class Verdict:
    """The verdict on one entry: `name` and `interval` plain, `sentence` marked."""

    name: str
    verdict: VerdictWord
    sentence: str
    interval: str = ""

    def __post_init__(self) -> None:
        demand(self.verdict, get_args(VerdictWord), f"verdict on {self.name!r}")


@dataclass(frozen=True)
class Verdicts:
    """Verdicts in a row of cards, as in a summary."""

    rows: tuple[Verdict, ...]


@dataclass(frozen=True)
class Picture:
    """One drawing as SVG text, `wide` for a page and `narrow` for a phone; without the latter a phone scrolls.

    `marks` are the numbers that it shows; `wide_places` and `narrow_places` are where in either drawing each of them
    stands, in pixels from its left and its top, with half its width if it has any.
    """

    wide: str = field(repr=False)
    narrow: str = field(default="", repr=False)
    marks: Marks | None = field(default=None, repr=False)
    wide_places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    narrow_places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    def _repr_svg_(self) -> str:
        return self.wide


@dataclass(frozen=True)
class Figure:
    """A numbered picture from `balance.reporting.figures.figures`, with a plain `alt` that says what it shows.

    `source` is as of a table.
    """

    picture: Picture
    alt: str
    caption: str
    source: str = ""

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise UsageError(f"figure {self.caption!r} has no alt text; say what a reader who cannot see it would miss")


@dataclass(frozen=True)
class Attachment:
    """A file written beside the report, for what is too large to read: a marked `text`, then a link to it."""

    name: str
    content: bytes = field(repr=False)
    text: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"(?!index\.)(tables/)?[a-z0-9]+([-_][a-z0-9]+)*\.(csv|parquet|html)", self.name):
            raise UsageError(
                f"attachment {self.name!r}: use small letters, digits, - and _, then .csv, .parquet or .html"
            )


@dataclass(frozen=True)
class PageBreak:
    """Start a new page in print; nothing on a screen. As the first block of a section, it breaks before the title."""


Block: TypeAlias = (
    "Attachment | Title | Paragraph | Verbatim | Bullets | Callout | Verdicts | Table | HeatMap | Figure | Facts"
    " | PageBreak | Section"
)


@dataclass(frozen=True)
class Section:
    """A titled part; may hold sections, which may not hold further ones. `anchor` is the end of its link."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError(f"section {self.anchor!r} has an empty title")
        inner = [block for block in self.blocks if isinstance(block, Section)]
        deeper = [child for block in inner for child in block.blocks if isinstance(child, Section)]
        if deeper:
            raise UsageError(f"section {deeper[0].title!r} lies three levels deep; allowed: two")


@dataclass(frozen=True)
class Document:
    """A whole report; the first section is its summary, which the contents follow.

    `title` and `subtitle`: plain; the title may not be empty. `facts`: (label, value) pairs, plain: where the numbers
    come from (game, rules version, catalogue hash, seed, versions). A date is one of them only if the caller gives it:
    the renderers never read a clock. `language`: a BCP 47 tag such as ``en`` or ``it``. `files`: files beside the page
    with more numbers: addresses from its folder, such as "changes.parquet", which are listed at its end, or
    "tables/duels.parquet", which the table or figure that shows it links to.
    """

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    language: str = "en"
    files: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError("a report needs a title")
