"""An expression as tokens: what each says and where it stands, with blanks free, any case, and words run together.

Whatever is no token is a fault that shows the expression with a caret before it; reading goes on with the word that was
probably meant, so that later faults are found too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from balance.base.errors import Fault, did_you_mean, nearest
from balance.base.limits import MOST_DICE_VALUE
from balance.chance.dice.text.habits import SPELLINGS

DIGITS = len(str(MOST_DICE_VALUE))
NO_WORD = "is not a word of expressions"
LONGEST_WORD = 40
"""Letters that are taken apart into words."""
MAX_SHOWN = 30
"""Characters on either side of a fault that are shown."""

WORDS: dict[str, str] = {
    "d": "d",
    "df": "df",
    "keep": "keep",
    "k": "keep",
    "kh": "keep highest",
    "kl": "keep lowest",
    "drop": "drop",
    "dh": "drop highest",
    "dl": "drop lowest",
    "highest": "highest",
    "high": "highest",
    "best": "highest",
    "lowest": "lowest",
    "low": "lowest",
    "worst": "lowest",
    "count": "count",
    "double": "double",
    "twice": "twice",
    "cancel": "cancel",
    "reroll": "reroll",
    "ro": "reroll",
    "rr": "reroll always",
    "always": "always",
    "once": "once",
    "most": "most",
    "at": "at",
    "vs": "vs",
    "versus": "vs",
    "against": "vs",
    "then": "then",
    "max": "max",
    "min": "min",
    "of": "of",
    "triple": "triple",
    "skip": "skip",
    "largest": "largest",
    "set": "set",
    "equal": "equal",
    "dice": "dice",
    "abs": "abs",
    "x": "*",
    "times": "*",
    # the same in Italian
    "tieni": "keep",
    "scarta": "drop",
    "conta": "count",
    "doppio": "double",
    "ritira": "reroll",
    "sempre": "always",
    "contro": "vs",
    "poi": "then",
    "triplo": "triple",
    "salta": "skip",
    "alti": "highest",
    "bassi": "lowest",
}
"""What people write -> what it means; two words stand for both, one after the other."""
SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "==": "=", "−": "-", "–": "-", "×": "*", "·": "*", "÷": "//"}
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n\u00a0]+)|(?P<number>[0-9]+)|(?P<word>[^\W\d_]+)|(?P<braces>\{[^{}]*\}|\[[^\[\]]*\])"
    r"|(?P<sign>\.\.|!!|!=|>=|<=|<>|==|//|[-+*()!<>=,%≥≤≠−–×·÷])|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of an expression: `kind` is number, word, symbol, sign, braces or end; `text` what it means.

    `start` and `end` are places in the expression; a number that is a value of a family is `free`: it may ask for what
    would be a fault if it stood alone, such as to keep more dice than there are.
    """

    kind: str
    text: str
    start: int
    end: int
    value: int = 0
    free: bool = False


class Reader:
    """The text of an expression, and the faults found in it so far, in any order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fault_at: dict[tuple[int, str], Fault] = {}

    def fault(self, start: int, end: int, message: str, legal_text: str = "", tip: str = "") -> None:
        """Remember what is wrong with a piece of the text; a fault that was found there already is kept once.

        Parameters
        ----------
        start
            Place of the first character concerned.
        end
            Place after the last one.
        message
            What was read.
        legal_text
            What may stand there.
        tip
            What to do about it.
        """
        piece = self.text[start:end].strip() or None
        place = f"character {start + 1}" if start < len(self.text) else "the end"
        fault = Fault(message, mark_place(self.text, start), None, place, piece, legal_text, tip)
        self.fault_at.setdefault((start, message), fault)

    @property
    def faults(self) -> list[Fault]:
        """The faults, in the order of the text."""
        return [self.fault_at[key] for key in sorted(self.fault_at)]


_BRACES = re.compile(r"[{\[][^{}\[\]]*[}\]]")
_NAME = re.compile(r"[^\W\d_]\w*")


def mark_place(text: str, place: int) -> str:
    """Return a text with a caret before a place, without what is far from it.

    Parameters
    ----------
    text
        The text of an expression.
    place
        The place, counted from 0.

    >>> mark_place("3d6 keap 2", 4)
    '3d6 ^keap 2'
    """
    before, after = text[:place], text[place:]
    text_before = f"…{before[-MAX_SHOWN:]}" if len(before) > MAX_SHOWN + 1 else before
    right = f"{after[:MAX_SHOWN]}…" if len(after) > MAX_SHOWN + 1 else after
    return f"{text_before}^{right}"


def read_tokens(reader: Reader) -> list[Token]:
    """Return the tokens of an expression, the last of them its end; what is none is added to the reader's faults.

    >>> [token.text for token in read_tokens(Reader("3D6kh2"))]
    ['3', 'd', '6', 'keep', 'highest', '2', '']
    """
    text, tokens, place = reader.text, list[Token](), 0
    names = {"blank", *(name for braces in _BRACES.findall(text) for name in _NAME.findall(braces.casefold()))}
    while place < len(text):
        name = _NAME.match(text, place)
        if name and name[0].casefold() in names and name[0].casefold() not in WORDS:
            tokens.append(Token("symbol", name[0].casefold(), *name.span()))
            place = name.end()
        elif match := _TOKEN.match(text, place):
            tokens += _read(reader, match)
            place = len(text) if match[0] in "{[" else match.end()  # what is never closed has no meaning
    return [*tokens, Token("end", "", len(text), len(text))]


def _read(reader: Reader, match: re.Match[str]) -> list[Token]:
    kind, text, (start, end) = match.lastgroup or "", match[0], match.span()
    if kind == "number":
        return [_number(reader, text, start, end)]
    if kind == "word":
        return _words(reader, text, start, end)
    if kind == "other":
        _strange(reader, text, start, end)
    return [Token(kind, SIGNS.get(text, text), start, end)] if kind in ("braces", "sign") else []


def _number(reader: Reader, text: str, start: int, end: int) -> Token:
    value = int(text) if len(text) <= DIGITS else MOST_DICE_VALUE + 1
    if value > MOST_DICE_VALUE:
        reader.fault(start, end, "is too large a number", f"at most {MOST_DICE_VALUE:,}")
        value = 1
    return Token("number", text, start, end, value)


def _strange(reader: Reader, text: str, start: int, end: int) -> None:
    """Tell a sign that has no meaning here."""
    tips = {
        "/": "to divide and round down write //",
        ".": "numbers are whole; a range of faces is 5-6",
        "{": "there is no } for it",
        "[": "there is no ] for it",
        "}": "there is no { before it",
        "]": "there is no [ before it",
        "'": "quotation marks stand around the whole expression",
        '"': "quotation marks stand around the whole expression",
        "#": "for each roll by itself ask for one: several expressions stand side by side, each in quotation marks",
        "&": "several expressions stand side by side, each in quotation marks",
    }
    reader.fault(start, end, "has no meaning in an expression", "", tips.get(text, ""))


def _words(reader: Reader, text: str, start: int, end: int) -> list[Token]:
    """Return the tokens of letters: a word, several run together, or the one that was probably meant."""
    parts = _split(text.casefold()) if len(text) <= LONGEST_WORD else None
    if parts is None and (tip := SPELLINGS.get(text.casefold())):
        reader.fault(start, end, NO_WORD, "", tip)
        return []
    if parts is None:
        close = nearest(text, [word for word in WORDS if len(word) > 2])
        tip = did_you_mean(close) if close else "see `balance dice --help`"
        reader.fault(start, end, NO_WORD, "", tip)
        return [_word(WORDS[close], start, end)] if close else []
    tokens, place = [], start
    for word in parts:
        stop = place + len(word) if len(parts) > 1 else end
        tokens += [_word(word_text, place, stop) for word_text in WORDS[word].split()]
        place = stop
    return tokens


def _word(text: str, start: int, end: int) -> Token:
    return Token("sign" if text == "*" else "word", text, start, end)


@cache
def _split(text: str) -> tuple[str, ...] | None:
    """Return letters as words that are known, the longest first; None if they are none.

    >>> _split("vsd"), _split("keap") is None
    (('vs', 'd'), True)
    """
    if text in WORDS or not text:
        return (text,) if text else ()
    for size in range(min(len(text) - 1, 10), 0, -1):
        if text[:size] in WORDS and (rest := _split(text[size:])) is not None:
            return (text[:size], *rest)
    return None


def number_of(token: Token, value: int) -> Token:
    """Return the token that stands for a family's value in its place.

    Parameters
    ----------
    token
        The token of the family.
    value
        The value that stands in its place.
    """
    return replace(token, kind="number", text=str(value), value=value, free=True)
