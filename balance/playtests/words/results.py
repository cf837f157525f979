"""Who won, as people write it: a name, `2-1`, `1/2-1/2`, win, loss, draw, vittoria, V, 1, X, 0.5."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from balance.base.errors import suggestion
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell, parse_cell
from balance.catalogue.tables.columns import Column
from balance.playtests.words.dates import is_date
from balance.playtests.words.vocabulary import is_rate, side_of, word_set

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
_PLAY = word_set("play on_the_play otp first_player 1st went_first")
_DRAW_A_CARD = word_set("draw on_the_draw otd second_player 2nd went_second")
"""How players of cards say that a side went first, or second."""
_UNKNOWN = word_set("? - – unknown na n/a sconosciuto random")


def _plain(text: str) -> float | None:
    """Return a finite number, a decimal comma and a sign for per cent allowed; None for anything else."""
    try:
        value = float(text.removesuffix("%").strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@lru_cache(maxsize=65536)
def fold_name(text: str) -> str:
    r"""Return a name as names are compared: Unicode NFC, case folded, blanks collapsed.

    >>> fold_name("  High\tElves ") == fold_name("high elves")
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


@dataclass(frozen=True)
class Words:
    """What the short words of a column mean, which depends on all of its cells.

    * `draws`: further words for a draw, folded.
    * `points`: whether numbers from 0 to 1 are what the first side scores; else 1, X and 2 say who won.
    * `home`: whether H and A say that the home or the away side won.
    * `p_seen` and `p_is_draw`: whether P occurs, and whether it is a draw (pareggio) and not a loss (persa).
    * `signs`: whether + and - say that the first won or lost.
    * `per_cent`: whether numbers up to 100 are what the first side scores, in per cent.
    * `triples` and `wins_draws_losses`: whether cells such as 2-1-0 occur, and whether they are games won, drawn and
      lost, not won, lost and drawn.
    * `dash`: whether a dash stands for a draw.
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
    def of(cls, cells: Iterable[str], draws: Iterable[str] = (), header: str = "", at_home: bool = False) -> Words:
        """Return what short words mean, from all cells of a column and its header.

        `draws` are the user's own words for a draw; `at_home` is whether the headers of the names say who plays at
        home, so that A alone is the away side.

        >>> Words.of(["1", "x", "2"]).points, Words.of(["V", "P", "S"]).p_is_draw, Words.of(["V", "P", "N"]).p_is_draw
        (False, True, False)
        >>> Words.of(["54", "61.5"], header="win rate").per_cent, Words.of(["2-0-1"], header="W-D-L").wins_draws_losses
        (True, True)
        """
        texts = {fold_name(cell) for cell in cells} - {""}
        draw_words = frozenset(map(fold_name, draws))
        return cls(
            draw_words,
            not texts & {"2", "x"},
            ("h" in texts or ("a" in texts and at_home)) and texts <= {"h", "a", "d", "x", "t"},
            "p" in texts,
            "p" in draw_words or {"s", "p"} <= texts,
            "+" in texts and texts <= {"+", "-", "–", "−", "=", "±"},
            is_rate(header) and any(1 < value <= 100 for cell in texts if (value := _plain(cell)) is not None),
            any(_TRIPLE.fullmatch(cell) for cell in texts),
            bool(_WINS_DRAWS_LOSSES.search(slug(header))),
            bool(texts & {"-", "–"}) and not any(re.search(r"\d", cell) for cell in texts),
        )

    def assumptions(self) -> list[str]:
        """Return a sentence for each ambiguous kind of cell that occurs, on how it was taken."""
        sentences = []
        if self.triples:
            order = "won, drawn and lost" if self.wins_draws_losses else "won, lost and drawn"
            sentences.append(f"A result such as 2-1-0 is read as games {order} of one match, which counts as one game.")
        if self.signs:
            sentences.append("+ is a game won, - a game lost.")
        elif self.dash:
            sentences.append("A dash in place of a result is a draw; §leave_out=- leaves such rows out.")
        if self.per_cent:
            sentences.append("The win rates are per cent.")
        return sentences

    def is_draw(self, text: str) -> bool:
        """Return whether a text, folded by `fold_name`, says that nobody won."""
        if text in self.draws:
            return True
        return (text == "p" and self.p_is_draw) or text in _DRAWS or (bool(text) and slug(text) in _DRAWS)


@dataclass(frozen=True)
class Game:
    """Whom a row names: two sides, their players, and the headers, by any of which a cell may name the winner."""

    names: tuple[str, str]
    players: tuple[str, str] = ("", "")
    sides: tuple[str, str] = ("one", "other")
    headers: tuple[str, str] = field(default=("", ""), compare=False)
    further_names: tuple[tuple[str, str], ...] = ()

    def place_of(self, text: str) -> int | None:
        """Return 0 or 1 for the side that a text names, None for neither; raises `BadCell` if it names both."""
        target = fold_name(text)
        for names in (self.names, self.players, *self.further_names):
            places = [at for at in (0, 1) if names[at] and fold_name(names[at]) == target]
            if len(places) == 2:
                raise BadCell("names both sides", "write 1 or 2")
            if places:
                if names is self.names and target == fold_name(self.players[1 - places[0]]):
                    raise BadCell("is the name of one side and the player of the other", "write 1 or 2")
                return places[0]
        if target and target in map(fold_name, self.headers):
            return list(map(fold_name, self.headers)).index(target)
        heads = [set(slug(header).split("_")) for header in self.headers]
        only = [heads[0] - heads[1], heads[1] - heads[0]]
        if (words := {slug(text)}) in only:
            return only.index(words)
        side = side_of(text)
        return self.sides.index(side) if side in self.sides else None

    @property
    def names_text(self) -> str:
        """Both names, as an error lists what is allowed."""
        return ", ".join(self.names)


def pair_of(text: str) -> tuple[float, float] | None:
    """Return the two numbers of a result such as 2-1; None for anything else."""
    if (pair := _PAIR.fullmatch(fold_name(text))) is None:
        return None
    first, second = (_HALF.get(part) or float(part.replace(",", ".")) for part in pair.groups())
    return first, second


def verdict_of(text: str, game: Game, words: Words) -> float | None:
    """Return the score of the first side by a result cell, 0 to 1; None for an empty cell.

    Raises `BadCell` if the text tells no result.
    """
    plain = fold_name(text)
    if plain in words.draws:
        return 0.5
    if not plain:
        return None
    if (score := _score_of(plain, words)) is not None and plain not in map(fold_name, (*game.names, *game.players)):
        return score
    if (place := game.place_of(text)) is not None:
        return 1.0 - place
    if words.is_draw(plain):
        return 0.5
    if (score := _sentence(plain, game, words)) is not None:
        return score
    raise _no_result(text, game)


def _sentence(plain: str, game: Game, words: Words) -> float | None:
    """Return the score in a text of several words, such as `Ada won 2-1-0`, `Ada 2 - Bruno 1`, `draw 1-1`."""
    text = re.sub(r"^(winner|vincitore|result|risultato) *: *", "", plain)
    if text != plain and (place := game.place_of(text)) is not None:
        return 1.0 - place
    for names in (game.names, game.players):
        first_name, second_name = map(fold_name, names)
        for score, name in ((1.0, first_name), (0.0, second_name)):
            verb, *_ = text.removeprefix(f"{name} ").split(" ") if name and text.startswith(f"{name} ") else [""]
            if verb in _BEAT or verb in _LOST_TO:
                return score if verb in _BEAT else 1.0 - score
        if (
            first_name
            and second_name
            and (
                match := re.fullmatch(
                    rf"{re.escape(first_name)}\W*(\S+?) *[-–:]? *{re.escape(second_name)}\W*(\d+)", text
                )
            )
        ):
            return _score_of("-".join(match.groups()), words)
        if (
            first_name
            and second_name
            and (match := re.fullmatch(rf"{re.escape(first_name)} +(\d+ *[-–:] *\d+) +{re.escape(second_name)}", text))
        ):
            return _score_of(match[1], words)
    first, _, rest = text.partition(" ")
    before, _, last = text.rpartition(" ")
    for word, numbers in ((first, rest), (last, before)):
        if word in _SAID_DRAWS and (_PAIR.fullmatch(numbers) or _TRIPLE.fullmatch(numbers)):
            return 0.5
    return None


def _score_of(plain: str, words: Words) -> float | None:
    """Return the first side's score by a pair of points, a triple, a share or a word; None for anything else."""
    if (pair := pair_of(plain)) is not None:
        first, second = pair
        return 0.5 if first == second else float(first > second)
    if triple := _TRIPLE.fullmatch(plain):
        wins, *rest = map(int, triple.groups())
        losses = rest[words.wins_draws_losses]
        return 0.5 if wins == losses else float(wins > losses)
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
    allowed_text = f"{game.names_text}, a result such as 2-1, or draw"
    if is_date(text):
        return BadCell(
            "looks like a date made by a spreadsheet",
            "format the column as text, then type the result again",
            None,
            allowed_text,
        )
    tip = suggestion(text.strip(), [*game.names, *filter(None, game.players), DRAW])
    return BadCell(
        "is neither of the two, nor a draw", tip or "a word of yours for a draw: §draw=WORD", None, allowed_text
    )


def side_score(text: str) -> float | None:
    """Return the score of a side by its own result, a word or any number; None for an empty cell.

    Raises `BadCell` if the text tells no result.

    >>> side_score("Win"), side_score("resigned"), side_score("agreed"), side_score("")
    (1.0, 0.0, 0.5, None)
    """
    plain, word = fold_name(text), slug(text)
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

    Raises `BadCell` if the text names neither.

    >>> [starter(text, Game(("Elves", "Orcs"), ("Ada", "Bruno"))) for text in ("orcs", "Ada", "2", "sì", "draw", "")]
    [-1, 1, -1, 1, -1, 0]
    """
    if (plain := fold_name(text)) in _UNKNOWN or not plain:
        return 0
    if (place := game.place_of(text)) is not None:
        return 1 - 2 * place
    word = slug(text)
    if word in _YES | _NO | _PLAY | _DRAW_A_CARD:
        return 1 if word in _YES | _PLAY else -1
    people = [*game.names, *filter(None, game.players)]
    tip = suggestion(text.strip(), people) or "leave it empty where nobody knows"
    raise BadCell("is neither of the two", tip, None, ", ".join((*game.names, *game.sides)))


def starts_in(text: str) -> int:
    """Return +1 for a cell that says that its own side went first, -1 for second; 0 for any other cell.

    >>> [starts_in(text) for text in ("First", "secondo", "on the draw", "1", "Elves")]
    [1, -1, -1, 0, 0]
    """
    word = slug(text)
    if word in _PLAY | _DRAW_A_CARD:
        return 1 if word in _PLAY else -1
    return 0 if not word.isalpha() or len(word) < 2 else {"one": 1, "other": -1}.get(side_of(word), 0)


def flag(text: str, words: Words) -> bool:
    """Return whether a cell about draws says yes; raises `BadCell` for neither yes nor no.

    >>> flag("sì", Words()), flag("", Words())
    (True, False)
    """
    if (is_draw := _flag_value(text, words)) is not None:
        return is_draw
    raise BadCell("says neither yes nor no", "write yes where nobody won, and nothing elsewhere", None, "yes, no")


def is_flag(text: str, words: Words) -> bool:
    """Return whether a cell says yes or no, so that `flag` can read it.

    >>> is_flag("no", Words()), is_flag("17.5", Words())
    (True, False)
    """
    return _flag_value(text, words) is not None


def says_yes(text: str) -> bool | None:
    """Return whether a cell says yes; None for one that says neither yes nor no.

    >>> says_yes("VERO"), says_yes("0"), says_yes("Ada")
    (True, False, None)
    """
    if fold_name(text) in ("", "0", "-", "–") or slug(text) in _NO:
        return False
    return True if fold_name(text) in ("1", "x", "✓", "✔") or slug(text) in _YES else None


def _flag_value(text: str, words: Words) -> bool | None:
    if words.is_draw(fold_name(text)) and fold_name(text) not in ("-", "–"):
        return True
    return says_yes(text)


def number(text: str, header: str, comma: bool, low: float = 0.0, high: float = 1e9) -> float | None:
    """Return a number from `low` to `high`; None for an empty cell.

    `comma` is whether commas are decimal. Raises `BadCell`, in the name of `header`, for no number or one out of range.

    >>> number("7,5", "cost", comma=True), number(" ", "cost", comma=True)
    (7.5, None)
    """
    if not text.strip():
        return None
    value = parse_cell(Column(header, header, "number"), text, comma=comma)
    if not isinstance(value, int | float) or not low <= value <= high:
        raise BadCell("is out of range", "", None, f"a number from {low:g} to {high:,.0f}")
    return float(value)
