"""The tokens of an expression: blanks are free, case does not matter, and words may run together.

Text that is no token is a fault, which shows the expression with a caret before it; the word that was probably meant is
used instead, so that later faults are found too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from balance.base.errors import Fault, did_you_mean, nearest
from balance.base.limits import MOST_DICE_VALUE
from balance.chance.dice.text.habits import SPELLINGS, exploding, other_letter
from balance.chance.dice.tree import FUNCTIONS

DIGITS = len(str(MOST_DICE_VALUE))
NO_WORD = "is not a word of expressions"
LONGEST_WORD = 40
"""Letters that are taken apart into words."""
MOST_NAMES = 12
"""Names that are told where none is near."""
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
    **{name: name for name in FUNCTIONS},
    "every": "every",
    "if": "if",
    "gives": "gives",
    "else": "else",
    "and": "and",
    "or": "or",
    "not": "not",
    "failing": "failing",
    "different": "different",
    "from": "from",
    "pairs": "pairs",
    "less": "less",
    "after": "after",
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
    "se": "if",
    "altrimenti": "else",
    "di": "of",
    "da": "from",
    "falliti": "failing",
    "diversi": "different",
    "coppie": "pairs",
    "meno": "less",
    "dopo": "after",
}
"""What people write -> what it means; two words stand for both, one after the other."""
SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "==": "=", "−": "-", "–": "-", "×": "*", "·": "*", "÷": "//"}
PHRASES: dict[str, str] = {
    "up to": "up to",
    "each at least": "each at least",
    "each at most": "each at most",
    "each die at least": "each at least",
    "each die at most": "each at most",
    "longest run": "longest run",
    "sets of": "sets of",
    "rounded up": "rounded up",
    "rounded down": "rounded down",
    "rounded off": "rounded off",
    "hits of": "hits of",
    "hit of": "hits of",
    "on figures of": "on figures of",
    "on models of": "on figures of",
    # the same in Italian
    "fino a": "up to",
    "ognuno almeno": "each at least",
    "ognuno al massimo": "each at most",
    "scala più lunga": "longest run",
    "gruppi di": "sets of",
    "arrotondato per eccesso": "rounded up",
    "arrotondato per difetto": "rounded down",
    "arrotondato al più vicino": "rounded off",
    "colpi di": "hits of",
    "su figure di": "on figures of",
    "su modelli di": "on figures of",
}
"""Words that mean something together alone, so that each of them may be a name -> what they mean."""
APART = (
    *("and", "or", "not", "if", "se", "gives", "else", "altrimenti", "every"),
    *("failing", "different", "from", "pairs", "less", "after"),
    *("di", "da", "falliti", "diversi", "coppie", "meno", "dopo"),
)
"""Words that never run together with others."""
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n\u00a0]+)|(?P<number>[0-9]+)|(?P<word>[^\W\d_]+)|(?P<braces>\{[^{}]*\}|\[[^\[\]]*\])"
    r"|(?P<sign>\.\.|!!|!=|>=|<=|<>|==|//|[-+*/()!<>=,;:%≥≤≠−–×·÷])|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token: `kind` is number, word, symbol, sign, braces, name, table, column, dice or end; `text` is canonical.

    `start` and `end` are places in the expression. A number that is a value of a family or of a name is `free`: it may
    ask for what would be a fault if it stood alone, such as to keep more dice than there are.
    """

    kind: str
    text: str
    start: int
    end: int
    value: int = 0
    free: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The names that an expression may use beside its own words, all in lower case.

    * `names`: names that stand for numbers, such as `me.skill`.
    * `tables`: look-up tables by name: `to_wound[2]`.
    * `dice`: dice by name -> their faces in braces.
    * `symbols`: symbols on dice that were rolled before.
    """

    names: frozenset[str] = frozenset()
    tables: Mapping[str, object] = field(default_factory=dict)
    dice: Mapping[str, str] = field(default_factory=dict)
    symbols: frozenset[str] = frozenset()

    def kind_of(self, name: str) -> str:
        """Return the kind of token of a name: name, table or die; empty if it is unknown."""
        groups = {"name": self.names, "table": self.tables, "die": self.dice}
        return next((kind for kind, group in groups.items() if name in group), "")


class Reader:
    """The text of an expression, and the faults found in it so far, by place and message.

    `settled` says that it was read before with other values of its names, so that no doubtful reading is reported
    again.
    """

    def __init__(self, text: str, vocabulary: Vocabulary | None = None, *, settled: bool = False) -> None:
        self.text, self.vocabulary, self.settled = text, vocabulary or Vocabulary(), settled
        self.fault_at: dict[tuple[int, str], Fault] = {}

    def fault(self, start: int, end: int, message: str, legal_text: str = "", tip: str = "") -> None:
        """Record a fault in a piece of the text, `start` to before `end`; an equal one at the same place is kept once.

        `message` says what is wrong with the piece, after it as subject, such as `is unexpected here`; `legal_text`
        what may stand there instead; `tip` how to mend it.
        """
        piece = self.text[start:end].strip() or None
        place = f"character {start + 1}" if start < len(self.text) else "the end"
        fault = Fault(message, mark_place(self.text, start), None, place, piece, legal_text, tip)
        self.fault_at.setdefault((start, message), fault)

    @property
    def faults(self) -> list[Fault]:
        """The faults, in the order of the text."""
        return [self.fault_at[key] for key in sorted(self.fault_at)]


_PHRASE = re.compile("|".join(rf"{phrase}\b".replace(" ", r"\s+") for phrase in PHRASES), re.IGNORECASE)
_FACES = re.compile(r"(\{[^{}\[\]]*\})|(?<![^\W\d_])d\s*(\[[^{}\[\]]*\])", re.IGNORECASE)
"""Faces in braces, or after a `d` in square brackets; those after the name of a table hold a place."""
_NAME = re.compile(r"[^\W\d_]\w*")
_DOTTED = re.compile(r"[^\W\d_]\w*(?:\.[^\W\d_]\w*)*")


def mark_place(text: str, place: int) -> str:
    """Return the text around a place (an index from 0) with a caret before it.

    >>> mark_place("3d6 keap 2", 4)
    '3d6 ^keap 2'
    """
    before, after = text[:place], text[place:]
    text_before = f"…{before[-MAX_SHOWN:]}" if len(before) > MAX_SHOWN + 1 else before
    right = f"{after[:MAX_SHOWN]}…" if len(after) > MAX_SHOWN + 1 else after
    return f"{text_before}^{right}"


def read_tokens(reader: Reader) -> list[Token]:
    """Return the tokens of an expression, with an end token; text that is no token is added to the reader's faults.

    >>> [token.text for token in read_tokens(Reader("3D6kh2"))]
    ['3', 'd', '6', 'keep', 'highest', '2', '']
    """
    text, tokens, place, brackets = reader.text, list[Token](), 0, 0
    names = symbols_in(" ".join([text, *reader.vocabulary.dice.values()])) | reader.vocabulary.symbols | {"blank"}
    while place < len(text):
        name = _NAME.match(text, place)
        if phrase := name and _PHRASE.match(text, place):
            tokens.append(Token("word", PHRASES[" ".join(phrase[0].casefold().split())], *phrase.span()))
            place = phrase.end()
        elif named := _named(reader, place):
            tokens += named
            place = named[-1].end
        elif name and name[0].casefold() in names and name[0].casefold() not in WORDS:
            tokens.append(Token("symbol", name[0].casefold(), *name.span()))
            place = name.end()
        elif text[place] == "[" and tokens and tokens[-1].kind == "table":
            tokens.append(Token("sign", "[", place, place + 1))
            place, brackets = place + 1, brackets + 1
        elif text[place] == "]" and brackets:
            tokens.append(Token("sign", "]", place, place + 1))
            place, brackets = place + 1, brackets - 1
        elif match := _TOKEN.match(text, place):
            tokens += _read(reader, match)
            place = len(text) if match[0] in "{[" else match.end()  # what is never closed has no meaning
    return [*tokens, Token("end", "", len(text), len(text))]


def symbols_in(text: str) -> frozenset[str]:
    """Return the names of all symbols in the braces or brackets of a text.

    >>> sorted(symbols_in("4d{hit,-,hit+flag} count hit")), sorted(symbols_in("wound[2d6] + d[hit,-] count hit"))
    (['flag', 'hit'], ['hit'])
    """
    faces = (braces or brackets for braces, brackets in _FACES.findall(text))
    return frozenset(name for piece in faces for name in _NAME.findall(piece.casefold()))


def _named(reader: Reader, place: int) -> list[Token]:
    """Return the tokens of a name of the vocabulary at a place; an unknown name is a fault."""
    vocabulary = reader.vocabulary
    is_empty = not (vocabulary.names or vocabulary.tables or vocabulary.dice)
    match = None if is_empty else _DOTTED.match(reader.text, place)
    if match is None:
        return []
    name, (start, end) = match[0].casefold(), match.span()
    kind = vocabulary.kind_of(name)
    if kind == "die":
        return [Token("word", "d", start, end), Token("braces", vocabulary.dice[name], start, end)]
    if kind:
        return [Token(kind, name, start, end)]
    if not vocabulary.names or ("." not in name and "_" not in name):
        return []
    known_names = sorted([*vocabulary.names, *vocabulary.tables, *vocabulary.dice])
    owner, dot, _ = name.partition(".")
    likely_names = [known for known in known_names if dot and known.startswith(f"{owner}.")] or known_names
    close = nearest(name.removeprefix(f"{owner}."), {known.removeprefix(f"{owner}."): known for known in likely_names})
    close = f"{owner}.{close}" if close and f"{owner}.{close}" in likely_names else close
    tip = did_you_mean(close) if close else ""
    legal_text = "" if close else ", ".join(likely_names[:MOST_NAMES]) + ", ..." * (len(likely_names) > MOST_NAMES)
    reader.fault(start, end, "is no name that is known here", legal_text, tip)
    return [Token("number", "1", start, end, 1, free=True)]


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
    """Record the fault of a sign that has no meaning, with a tip for common ones."""
    tips = {
        ".": "numbers are whole; a range of faces is 5-6",
        "{": "there is no } for it",
        "[": "there is no ] for it",
        "}": "there is no { before it",
        "]": "there is no [ before it",
        "'": "quotation marks stand around the whole expression",
        '"': "quotation marks stand around the whole expression",
        "@": "as many dice as a roll says are (2d6)d8",
        "^": "to multiply write *; a die that is rolled again and added is 3d6!",
        "?": "what hangs on a result is if(d20 >= 11, d6, 0)",
        "|": "the better of two totals is max(2d6, d12), several kinds of dice are (2d6, d8)",
        "#": "for each roll by itself ask for one: several expressions stand side by side, each in quotation marks",
        "&": "several expressions stand side by side, each in quotation marks",
    }
    reader.fault(start, end, "has no meaning in an expression", "", tips.get(text, ""))


def _words(reader: Reader, text: str, start: int, end: int) -> list[Token]:
    """Split letters into known words, or return the likely word with a fault."""
    if letter_tip := other_letter(reader.text, start):
        reader.fault(start, end, NO_WORD if text.casefold() not in WORDS else "begins no dice", "", letter_tip)
        return [_word("d", start, end)]
    parts = _split(text.casefold()) if len(text) <= LONGEST_WORD else None
    if parts is None and (tip := SPELLINGS.get(text.casefold())):
        if tip == SPELLINGS["explode"] and (mended := exploding(reader.text, start, end)):
            tip = f"write ! after the dice: {mended}"
        reader.fault(start, end, NO_WORD, "", tip)
        return []
    if parts is None:
        known_words = [*(word for word in WORDS if len(word) > 2), *reader.vocabulary.names, *reader.vocabulary.tables]
        close = nearest(text, known_words)
        tip = did_you_mean(close) if close else "see `balance dice --help`"
        reader.fault(start, end, NO_WORD, "", tip)
        return [_word(WORDS[close], start, end)] if close in WORDS else []
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
    """Return the known words, longest first, that letters consist of; None if they do not.

    >>> _split("vsd"), _split("keap") is None
    (('vs', 'd'), True)
    """
    if text in WORDS or not text:
        return (text,) if text else ()
    for size in range(min(len(text) - 1, 10), 0, -1):
        if text[:size] in WORDS and text[:size] not in APART and (rest := _split(text[size:])) is not None:
            return (text[:size], *rest)
    return None


def is_of_words(name: str) -> bool:
    """Return whether a name consists of words and numbers of the language, so that it cannot be a name.

    `x` may be a name, though it stands for `*` where it is none.

    >>> is_of_words("d6"), is_of_words("count"), is_of_words("hits"), is_of_words("x")
    (True, True, False, False)
    """
    if name == "x":
        return False
    letters = re.sub(r"[\d_]+$", "", name)
    return letters in WORDS or _split(letters) is not None


def number_of(token: Token, value: int) -> Token:
    """Return a number token for a value of a family or name, at the place of its token."""
    return replace(token, kind="number", text=str(value), value=value, free=True)
