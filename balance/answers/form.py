"""How a verb tells its answer, the same on every medium: a sentence, blocks in short and in full, and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from balance.answers.blocks.lines import plain

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.blocks.document import Block
    from balance.game.open_game import OpenGame

T = TypeVar("T")


@dataclass(frozen=True)
class Terms:
    """What a game, and what it holds, is called where its answers are told; nothing for an answer about no game.

    `command`: how a command names the game: its name or file, and the folder of its catalogue where that has to be
    said. `points`, `entrant`, `entrants`: the game's words for its points, and for one and many of those who take part.
    `army_kinds`: all kinds of question in which armies meet. `is_solved`: whether `solve` can be asked of this kind.
    `cannot_see`: what the answer leaves out, a sentence each.
    `catalogue`: the short hash of the catalogue, after its folder where that is not the one that ships with the game.
    """

    title: str = ""
    command: str = ""
    points: str = ""
    entrant: str = ""
    entrants: str = ""
    kind: str = ""
    army_kinds: tuple[str, ...] = ()
    is_solved: bool = False
    cannot_see: tuple[str, ...] = ()
    catalogue: str = ""

    @classmethod
    def of(cls, game: OpenGame, kind: str) -> Terms:
        """Return the terms of a game for an answer about a kind of question; empty for an answer about none."""
        kinds, words = game.definition.kinds, game.words
        return cls(
            game.definition.title,
            game.typed(),
            words.points,
            words.entrant,
            words.entrants,
            kind,
            tuple(name for name, question in kinds.items() if question.armies is not None),
            bool(kind) and kinds[kind].solve is not None,
            tuple(kinds[kind].cannot_see) if kind else (),
            game.catalogue_text,
        )

    @classmethod
    def of_level(cls, game: OpenGame, level: str) -> Terms:
        """Return the terms for a study of a level; "entrant" where that takes others than the usual question does."""
        terms, kinds = cls.of(game, level), game.definition.kinds
        usual = game.definition.name_about("winner") or level
        if kinds[level].takes == (kinds[usual].takes[0],) * 2:
            return terms
        return replace(terms, entrant="entrant", entrants="entrants")

    def rests_on(self, method: str) -> str:
        """Return where numbers come from: how they were worked out, such as "exact", and the catalogue."""
        return f"{method[:1].upper()}{method[1:]}; {self.title}, catalogue {self.catalogue}"


@dataclass(frozen=True)
class Screen:
    """What a first screen shows: all of its top and foot, and of its body what there is room for between.

    Room is left for the lines that are printed `below`: notes, files that were written.
    """

    top: Sequence[Block]
    body: Sequence[Block] = ()
    foot: Sequence[Block] = ()
    below: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        sentence: str,
        body: Iterable[Block],
        basis: str,
        foot: Iterable[Block] = (),
        notes: Iterable[str] = (),
        more: str = "everything",
    ) -> Self:
        """Return a screen between the answer in a sentence and what it rests on; --more shows `more`."""
        last = plain(f"{basis}. --more shows {more}.", "aside")
        return cls([plain(sentence, "strong", gap=True)], [*body], [*foot, last], [*notes])


@dataclass(frozen=True)
class Records:
    """A table of an answer: a row for each record, with the fields of the class `kind` as columns.

    `rows` are records in order, or by id, which goes into the column `key`.
    """

    kind: type
    rows: Mapping[str, Any] | Sequence[Any]
    key: str = ""


def _nothing(value: Any, terms: Terms, more: bool) -> Iterable[Block]:
    return ()


def _as_screen(blocks: Callable[[T, Terms], Iterable[Block]], value: T, terms: Terms) -> Screen:
    return Screen([*blocks(value, terms)])


def _itself(value: Any) -> Mapping[str, Records]:
    return {"answer": Records(type(value), (value,))}


def _as_short(parts: tuple[Callable[..., Any], ...], value: Any, terms: Terms) -> Screen:
    sentence, body, basis, foot = parts
    facts = (sentence(value, terms), body(value, terms, False), basis(value, terms), foot(value, terms, False))
    return Screen.of(*facts, getattr(value, "notes", ()))


def _as_full(parts: tuple[Callable[..., Any], ...], value: Any, terms: Terms) -> Iterator[Block]:
    sentence, body, basis, foot = parts
    yield plain(sentence(value, terms), "strong", gap=True)
    yield from (*body(value, terms, True), *foot(value, terms, True), plain(f"{basis(value, terms)}.", "aside"))


@dataclass(frozen=True)
class AnswerWords(Generic[T]):
    """How an answer of type `T` is told; functions of modules, so that results can be pickled.

    `short` and `full` are the first screen and everything, from top to bottom; `tables` begin with what matters most,
    and a table that stands behind the answer is its frame. `record` is what JSON has of an answer that people compute
    on, where it is no record itself.
    """

    sentence: Callable[[T, Terms], str]
    short: Callable[[T, Terms], Screen]
    full: Callable[[T, Terms], Iterable[Block]]
    tables: Callable[[T], Mapping[str, Records | pl.DataFrame]]
    record: Callable[[T], Any] | None = None

    @classmethod
    def alike(
        cls,
        sentence: Callable[[T, Terms], str],
        body: Callable[[T, Terms, bool], Iterable[Block]],
        basis: Callable[[T, Terms], str],
        tables: Callable[[T], Mapping[str, Records | pl.DataFrame]],
        foot: Callable[[T, Terms, bool], Iterable[Block]] = _nothing,
    ) -> AnswerWords[T]:
        """Return words whose first screen is everything as far as there is room.

        `body` and `foot` are told whether everything is asked for; `basis` is what the answer rests on.
        """
        parts = (sentence, body, basis, foot)
        return cls(sentence, partial(_as_short, parts), partial(_as_full, parts), tables)

    @classmethod
    def whole(
        cls,
        sentence: Callable[[T, Terms], str],
        blocks: Callable[[T, Terms], Iterable[Block]],
        tables: Callable[[T], Mapping[str, Records | pl.DataFrame]] = _itself,
    ) -> AnswerWords[T]:
        """Return words whose first screen is everything; without `tables` the answer is a table of one row."""
        return cls(sentence, partial(_as_screen, blocks), blocks, tables)
