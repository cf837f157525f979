"""Who won, as people write it: a name, `2-1`, `1/2-1/2`, win, loss, draw, vittoria, V, 1, X, 0.5."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from balance.base.errors import suggestion
from balance.catalogue.tables.cells import BadCell, parse_cell
from balance.catalogue.tables.schema import Column, slug
from balance.playtests.words.dates import is_date
from balance.playtests.words.vocabulary import is_rate, side_of, word_set

__all__ = [
    "DRAW",
    "Game",
    "Words",
    "flag",
    "folded",
    "is_flag",
    "number",
    "says_yes",
    "side_score",
    "starter",
    "verdict_of",
]

DRAW = "draw"
_PAIR = re.compile(r"([0-9]+(?:[.,][0-9]+)?|½|1/2) *[-–—−:] *([0-9]+(?:[.,][0-9]+)?|½|1/2)")
_TRIPLE = re.compile(r"([0-9]{1,2}) *[-–—−:/] *([0-9]{1,2}) *[-–—−:/] *([0-9])")
_HALF = {"½": 0.5, "1/2": 0.5}
_DRAWS = word_set(
    "draw drawn drew tie tied d t x = - – ½ 1/2 patta patte pareggio pareggiata pareggiato pari parita nulla n nessuno "
    "nobody none no_one neither remis stalemate"
)
_WINS = word_set("win won wins w victory v vittoria vinta vinto vince vinci winner vincitore sieg")
_LOSSES = word_set("loss lost loses lose l defeat s sconfitta sconfitto perdita persa perso perde p loser perdente")
_BEAT = word_set("won wins beat beats defeated defeats def vince batte ha") | {"def."}
_LOST_TO = word_set("lost loses perde")
_WINS_DRAWS_LOSSES = re.compile(r"(^|_)(w_?d_?l|w_?t_?l|v_?[np]_?[ps]|wins?_(draws?|ties?)_loss(es)?)(_|$)")
_OWN_LOSSES = word_set("resigned checkmated timeout lose abandoned threecheck kingofthehill bughousepartnerlose")
_OWN_DRAWS = word_set("agreed repetition stalemate insufficient 50move timevsinsufficient")
"""How a chess server says it of each side."""
_SAID_DRAWS = word_set("draw drawn tie tied patta pareggio")
_YES = word_set("yes y true si vero")
_NO = word_set("no false falso")
_UNKNOWN = word_set("? - – unknown na n/a sconosciuto random")


def _plain(text: str) -> float | None:
    """Return a number, without a sign for per cent; None for anything else."""
    try:
        value = float(text.removesuffix("%").strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


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
    signs
        Whether + and - say that the first won or lost.
    per_cent
        Whether numbers up to 100 are what `one` scores, in per cent.
    triples, wins_draws_losses
        Whether cells such as 2-1-0 occur, and whether they are games won, drawn and lost, not won, lost and drawn.
    dash
        Whether a dash stands for a draw.
    """

    draws: frozenset[str] = frozenset()
    points: bool = True
    home: bool = False
    p_seen: bool = False
    p_is_draw: bool = False
    signs: bool = False
    per_cent: bool = False
    triples: bool = False
    wins_draws_losses: bool = False
    dash: bool = False

    @classmethod
    def of(cls, cells: Iterable[str], draws: Iterable[str] = (), header: str = "") -> Words:
        """Learn from all cells of a column, and its header, what its short words mean.

        >>> Words.of(["1", "x", "2"]).points, Words.of(["V", "P", "S"]).p_is_draw, Words.of(["V", "P", "N"]).p_is_draw
        (False, True, False)
        >>> Words.of(["54", "61.5"], header="win rate").per_cent, Words.of(["2-0-1"], header="W-D-L").wins_draws_losses
        (True, True)
        """
        found = {folded(cell) for cell in cells} - {""}
        told = frozenset(map(folded, draws))
        return cls(
            told,
            not found & {"2", "x"},
            bool(found & {"h", "a"}) and found <= {"h", "a", "d", "x", "t"},
            "p" in found,
            "p" in told or {"s", "p"} <= found,
            "+" in found and found <= {"+", "-", "–", "−", "=", "±"},
            is_rate(header) and any(1 < value <= 100 for cell in found if (value := _plain(cell)) is not None),
            any(_TRIPLE.fullmatch(cell) for cell in found),
            bool(_WINS_DRAWS_LOSSES.search(slug(header))),
            bool(found & {"-", "–"}) and not any(re.search(r"\d", cell) for cell in found),
        )

    def assumed(self) -> list[str]:
        """Say how the short words were taken that could mean something else."""
        told = []
        if self.triples:
            order = "won, drawn and lost" if self.wins_draws_losses else "won, lost and drawn"
            told.append(f"A result such as 2-1-0 is read as games {order} of one match, which counts as one game.")
        if self.signs:
            told.append("+ is a game won, - a game lost.")
        elif self.dash:
            told.append("A dash in place of a result is a draw; --leave-out - leaves such rows out.")
        if self.per_cent:
            told.append("The win rates are per cent.")
        return told

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


def pair_of(text: str) -> tuple[float, float] | None:
    """Return the two numbers of a result such as 2-1; None for anything else.

    >>> pair_of("45 : 30"), pair_of("Elves")
    ((45.0, 30.0), None)
    """
    if (pair := _PAIR.fullmatch(folded(text))) is None:
        return None
    one, other = (_HALF.get(part) or float(part.replace(",", ".")) for part in pair.groups())
    return one, other


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
    if (score := _sentence(plain, game, words)) is not None:
        return score
    raise _no_result(text, game)


def _sentence(plain: str, game: Game, words: Words) -> float | None:
    """Return the score that a text of several words tells, such as `Ada won 2-1-0`, `Ada 2 - Bruno 1`, `draw 1-1`."""
    text = re.sub(r"^(winner|vincitore|result|risultato) *: *", "", plain)
    if text != plain and (place := game.place_of(text)) is not None:
        return 1.0 - place
    for known in (game.names, game.players):
        one, other = map(folded, known)
        for score, name in ((1.0, one), (0.0, other)):
            verb, *_ = text.removeprefix(f"{name} ").split(" ") if name and text.startswith(f"{name} ") else [""]
            if verb in _BEAT or verb in _LOST_TO:
                return score if verb in _BEAT else 1.0 - score
        if (
            one
            and other
            and (found := re.fullmatch(rf"{re.escape(one)}\W*(\S+?) *[-–:]? *{re.escape(other)}\W*(\d+)", text))
        ):
            return _scored("-".join(found.groups()), words)
        if one and other and (found := re.fullmatch(rf"{re.escape(one)} +(\d+ *[-–:] *\d+) +{re.escape(other)}", text)):
            return _scored(found[1], words)
    first, _, rest = text.partition(" ")
    before, _, last = text.rpartition(" ")
    for word, numbers in ((first, rest), (last, before)):
        if word in _SAID_DRAWS and (_PAIR.fullmatch(numbers) or _TRIPLE.fullmatch(numbers)):
            return 0.5
    return None


def _scored(plain: str, words: Words) -> float | None:
    """Return what the first side scores by a pair of points, a share or a word; None for anything else."""
    if (pair := pair_of(plain)) is not None:
        one, other = pair
        return 0.5 if one == other else float(one > other)
    if triple := _TRIPLE.fullmatch(plain):
        won, *rest = map(int, triple.groups())
        lost = rest[words.wins_draws_losses]
        return 0.5 if won == lost else float(won > lost)
    if words.signs:
        return {"+": 1.0, "-": 0.0, "–": 0.0, "−": 0.0}.get(plain, 0.5)
    if words.points and (share := _share(plain, words.per_cent)) is not None:
        return share
    if words.home and plain in ("h", "a"):
        return float(plain == "h")
    word = slug(plain)
    if word in _WINS | _YES:
        return 1.0
    if word in _LOSSES and not (word == "p" and words.p_is_draw):
        return 0.0
    return 0.0 if word in _NO else None


def _share(plain: str, per_cent: bool) -> float | None:
    """Return a share from 0 to 1; None for anything else."""
    value = _plain(plain)
    if value is None:
        return None
    share = value / 100 if per_cent or plain.endswith("%") else value
    return share if 0 <= share <= 1 else None


def _no_result(text: str, game: Game) -> BadCell:
    allowed = f"{game.listed}, a result such as 2-1, or draw"
    if is_date(text):
        return BadCell(
            "looks like a date made by a spreadsheet",
            "format the column as text, then type the result again",
            None,
            allowed,
        )
    tip = suggestion(text.strip(), [*game.names, *filter(None, game.players), DRAW])
    return BadCell("is neither of the two, nor a draw", tip or "a word of yours for a draw: --draw WORD", None, allowed)


def side_score(text: str) -> float | None:
    """Return what a side scores by a result of its own, a word or a number; None for an empty cell.

    Raises
    ------
    BadCell
        The text tells no result.

    >>> side_score("Win"), side_score("resigned"), side_score("agreed"), side_score("")
    (1.0, 0.0, 0.5, None)
    """
    plain, word = folded(text), slug(text)
    if not plain:
        return None
    if plain in _HALF or word in _OWN_DRAWS:
        return 0.5
    if (value := _plain(plain)) is not None:
        return value
    if word in _WINS | _YES:
        return 1.0
    if word in _LOSSES | _NO | _OWN_LOSSES:
        return 0.0
    if Words().is_draw(plain):
        return 0.5
    raise BadCell("is no result of one side", "write win, loss or draw", None, "win, loss, draw")


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
    if (said := _flagged(text, words)) is not None:
        return said
    raise BadCell("says neither yes nor no", "write yes where nobody won, and nothing elsewhere", None, "yes, no")


def is_flag(text: str, words: Words) -> bool:
    """Return whether a cell can say whether a game was a draw.

    >>> is_flag("no", Words()), is_flag("17.5", Words())
    (True, False)
    """
    return _flagged(text, words) is not None


def says_yes(text: str) -> bool | None:
    """Return whether a cell says yes; None for one that says neither yes nor no.

    >>> says_yes("VERO"), says_yes("0"), says_yes("Ada")
    (True, False, None)
    """
    if folded(text) in ("", "0", "-", "–") or slug(text) in _NO:
        return False
    return True if folded(text) in ("1", "x", "✓", "✔") or slug(text) in _YES else None


def _flagged(text: str, words: Words) -> bool | None:
    if words.is_draw(folded(text)) and folded(text) not in ("-", "–"):
        return True
    return says_yes(text)


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
