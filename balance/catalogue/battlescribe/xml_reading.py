"""XML that anybody may have written, read without harm: no definitions, nothing fetched, nothing deep or huge.

A document type, an entity or anything outside the file is refused as soon as it is met, so that neither the "billion
laughs" nor files that read other files are possible. How deep, how many and how long things are is counted on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from balance.base.errors import CatalogueError, Fault
from balance.base.limits import MOST_CELL_CHARACTERS, MOST_XML_ATTRIBUTES, MOST_XML_DEPTH, MOST_XML_ELEMENTS


@dataclass(slots=True)
class Element:
    """One element: its name without its namespace, its attributes, what it holds, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text on one line, runs of white space as one space."""
        return " ".join("".join(self.pieces).split())

    def get(self, name: str) -> str:
        """Return an attribute, stripped; empty if it is missing."""
        return self.attributes.get(name, "").strip()

    def within(self, *tags: str) -> Iterator[Element]:
        """Yield the elements inside its lists of these names, such as every `profile` of `profiles`."""
        for child in self.children:
            if child.tag in tags:
                yield from child.children


def read_xml(data: bytes, path: Path, left_out: Collection[str] = ()) -> Element:
    """Return the tree of an XML file, without the elements in `left_out` and all in them.

    `CatalogueError`, with the line, if it is not XML, defines entities or a document type, or breaks a limit.

    >>> tree = read_xml(b'<a xmlns="u:x"><b name=" n "> one  two </b></a>', Path("a.xml"))
    >>> tree.tag, tree.children[0].get("name"), tree.children[0].text
    ('a', 'n', 'one two')
    """
    reading = _Reading(path, frozenset(left_out))
    try:
        reading.parser.Parse(data, True)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        message = f"is no sound XML: {problem}"
        raise CatalogueError(Fault(message, str(path), error.lineno, tip="save it again with its editor")) from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, or not as a table
        raise CatalogueError(Fault(f"cannot be decoded: {error}", str(path), tip="save it as UTF-8")) from None
    if reading.root is None:
        raise CatalogueError(Fault("holds nothing", str(path)))
    return reading.root


class _Reading:
    """Collects the elements of a file from the parser's events, and counts them against the limits."""

    def __init__(self, path: Path, left_out: frozenset[str]) -> None:
        self.path, self.left_out = path, left_out
        self.root: Element | None = None
        self.open: list[Element] = []
        self.n_elements, self.depth, self.n_skipped = 0, 0, 0
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = self._refuse
        parser.UnparsedEntityDeclHandler = parser.NotationDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        self.parser = parser

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        self.n_elements += 1
        self.depth += 1
        if self.n_elements > MOST_XML_ELEMENTS:
            raise self._fault(f"holds more than {MOST_XML_ELEMENTS:,} elements")
        if self.depth > MOST_XML_DEPTH:
            raise self._fault(f"nests more than {MOST_XML_DEPTH} elements in each other")
        if len(attributes) > MOST_XML_ATTRIBUTES:
            raise self._fault(f"has an element of more than {MOST_XML_ATTRIBUTES} attributes")
        if any(len(value) > MOST_CELL_CHARACTERS for value in attributes.values()):
            raise self._fault(f"has an attribute of more than {MOST_CELL_CHARACTERS:,} characters")
        if self.n_skipped or tag in self.left_out:
            self.n_skipped += 1
            return
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.depth -= 1
        if self.n_skipped:
            self.n_skipped -= 1
        else:
            self.open.pop()

    def _characters(self, text: str) -> None:
        if not self.n_skipped and self.open:
            self.open[-1].pieces.append(text)

    def _refuse(self, *arguments: object) -> int:
        raise self._fault("defines entities or a document type, which no catalogue needs")

    def _fault(self, message: str) -> CatalogueError:
        return CatalogueError(Fault(message, str(self.path), self.parser.CurrentLineNumber))
