"""Who won, as people write it: a name, `2-1`, `1/2-1/2`, win, loss, draw, vittoria, V, 1, X, 0.5."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from balance.catalogue.cells import BadCell, parse_cell
from balance.catalogue.schema import Column, slug
from balance.errors import suggestion
from balance.playtests.vocabulary import side_of, word_set

__all__ = ["DRAW", "Game", "Words", "flag", "folded", "number", "starter", "verdict_of"]

DRAW = "draw"
_PAIR = re.compile(r"([0-9]+(?:[.,][0-9]+)?|½|1/2) *[-–—−:] *([0-9]+(?:[.,][0-9]+)?|½|1/2)")
_HALF = {"½": 0.5, "1/2": 0.5}
_DRAWS = word_set(
    "draw drawn drew tie tied d t x = - – ½ 1/2 patta patte pareggio pareggiata pareggiato pari parita nulla n nessuno "
    "nobody none no_one neither remis stalemate"
)
_WINS = word_set("win won wins w victory v vittoria vinta vinto vince vinci")
_LOSSES = word_set("loss lost loses lose l defeat s sconfitta sconfitto perdita persa perso perde p")
_YES = word_set("yes y true si vero")
_NO = word_set("no false falso")
_UNKNOWN = word_set("? - – unknown na n/a sconosciuto random")


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    r"""Return a name as it is compared: composed, in one case, with single blanks.

    >>> folded("  High\tElves ") == folded("high elves")
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


@dataclass(frozen=True)
class Words:
    """What the words of a column mean.

    Attributes
    ----------
    draws
        Further words for a draw, folded.
    points
        Whether numbers from 0 to 1 are what `one` scores; else 1, X and 2 say who won.
    home
        Whether H and A say that the home or the away side won.
    p_seen, p_is_draw
        Whether P occurs, and whether it is a draw (pareggio) and not a loss (persa).
    """

    draws: frozenset[str] = frozenset()
    points: bool = True
    home: bool = False
    p_seen: bool = False
    p_is_draw: bool = False

    @classmethod
    def of(cls, cells: Iterable[str], draws: Iterable[str] = ()) -> Words:
        """Learn from all cells of a column what its short words mean.

        >>> Words.of(["1", "x", "2"]).points, Words.of(["V", "P", "S"]).p_is_draw, Words.of(["V", "P", "N"]).p_is_draw
        (False, True, False)
        """
        found = {folded(cell) for cell in cells}
        told = frozenset(map(folded, draws))
        return cls(told, not found & {"2", "x"}, "h" in found, "p" in found, "p" in told or {"s", "p"} <= found)

    def is_draw(self, text: str) -> bool:
        """Return whether a folded text says that nobody won."""
        if text in self.draws:
            return True
        return (text == "p" and self.p_is_draw) or text in _DRAWS or (bool(text) and slug(text) in _DRAWS)


@dataclass(frozen=True)
class Game:
    """Whom a row names: the two sides, and who played them, if that is told."""

    names: tuple[str, str]
    players: tuple[str, str] = ("", "")
    sides: tuple[str, str] = ("one", "other")
    headers: tuple[str, str] = field(default=("", ""), compare=False)

    def place_of(self, text: str) -> int | None:
        """Return 0 or 1 for the side that a text names, None for neither.

        Raises
        ------
        BadCell
            It names both.

        >>> Game(("Elves", "Orcs"), ("Ada", "Bruno")).place_of("bruno")
        1
        """
        wanted = folded(text)
        for known in (self.names, self.players):
            found = [at for at in (0, 1) if known[at] and folded(known[at]) == wanted]
            if len(found) == 2:
                raise BadCell("names both sides", "write 1 or 2")
            if found:
                if known is self.names and wanted == folded(self.players[1 - found[0]]):
                    raise BadCell("is the name of one side and the player of the other", "write 1 or 2")
                return found[0]
        if wanted and wanted in map(folded, self.headers):
            return list(map(folded, self.headers)).index(wanted)
        side = side_of(text)
        return self.sides.index(side) if side in self.sides else None

    @property
    def listed(self) -> str:
        """Both names, as an error lists what is allowed."""
        return ", ".join(self.names)


def verdict_of(text: str, game: Game, words: Words) -> float | None:
    """Return what the first side scores, 0 to 1; None for an empty cell.

    Raises
    ------
    BadCell
        The text tells no result.

    Examples
    --------
    >>> game = Game(("Elves", "Orcs"))
    >>> [verdict_of(text, game, Words()) for text in ("orcs", "2-1", "½-½", "Vittoria", "L", "0.5", "2", "patta")]
    [0.0, 1.0, 0.5, 1.0, 0.0, 0.5, 0.0, 0.5]
    """
    plain = folded(text)
    if plain in words.draws:
        return 0.5
    if not plain:
        return None
    if (scored := _scored(plain, words)) is not None and plain not in map(folded, (*game.names, *game.players)):
        return scored
    if (place := game.place_of(text)) is not None:
        return 1.0 - place
    if words.is_draw(plain):
        return 0.5
    raise _no_result(text, game)


def _scored(plain: str, words: Words) -> float | None:
    """Return what the first side scores by a pair of points, a share or a word; None for anything else."""
    if pair := _PAIR.fullmatch(plain):
        one, other = (_HALF.get(part) or float(part.replace(",", ".")) for part in pair.groups())
        return 0.5 if one == other else float(one > other)
    if words.points and (share := _share(plain)) is not None:
        return share
    if words.home and plain in ("h", "a"):
        return float(plain == "h")
    word = slug(plain)
    if word in _WINS | _YES:
        return 1.0
    if word in _LOSSES and not (word == "p" and words.p_is_draw):
        return 0.0
    return 0.0 if word in _NO else None


def _share(plain: str) -> float | None:
    try:
        value = float(plain.removesuffix("%").strip().replace(",", ".")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def _no_result(text: str, game: Game) -> BadCell:
    allowed = f"{game.listed}, a result such as 2-1, or draw"
    if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}([ t].*)?", folded(text)):
        return BadCell(
            "looks like a date made by a spreadsheet",
            "format the column as text, then type the result again",
            None,
            allowed,
        )
    tip = suggestion(text.strip(), [*game.names, *filter(None, game.players), DRAW])
    return BadCell("is neither of the two, nor a draw", tip or "a word of yours for a draw: --draw WORD", None, allowed)


def starter(text: str, game: Game) -> int:
    """Return +1 if the first side went first, -1 if the second did, 0 where nobody says.

    Raises
    ------
    BadCell
        The text names neither.

    >>> [starter(text, Game(("Elves", "Orcs"), ("Ada", "Bruno"))) for text in ("orcs", "Ada", "2", "sì", "")]
    [-1, 1, -1, 1, 0]
    """
    if (plain := folded(text)) in _UNKNOWN or not plain:
        return 0
    if (place := game.place_of(text)) is not None:
        return 1 - 2 * place
    word = slug(text)
    if word in _YES | _NO:
        return 1 if word in _YES else -1
    people = [*game.names, *filter(None, game.players)]
    tip = suggestion(text.strip(), people) or "leave it empty where nobody knows"
    raise BadCell("is neither of the two", tip, None, ", ".join((*game.names, *game.sides)))


def flag(text: str, words: Words) -> bool:
    """Return whether a cell of a column about draws says that it was one.

    Raises
    ------
    BadCell
        It says neither yes nor no.

    >>> flag("sì", Words()), flag("", Words())
    (True, False)
    """
    plain, word = folded(text), slug(text)
    if plain in ("", "0", "-", "–") or word in _NO:
        return False
    if plain == "1" or word in _YES or words.is_draw(plain):
        return True
    raise BadCell("says neither yes nor no", "write yes where nobody won, and nothing elsewhere", None, "yes, no")


def number(text: str, header: str, comma: bool, low: float = 0.0, most: float = 1e9) -> float | None:
    """Return a number from `low` to `most`; None for an empty cell.

    Raises
    ------
    BadCell
        It is none, or out of range.

    >>> number("7,5", "cost", comma=True), number(" ", "cost", comma=True)
    (7.5, None)
    """
    if not text.strip():
        return None
    value = parse_cell(Column(header, header, "number"), text, comma=comma)
    if not isinstance(value, int | float) or not low <= value <= most:
        raise BadCell("is out of range", "", None, f"a number from {low:g} to {most:,.0f}")
    return float(value)
