"""Notation from other dice rollers, and expressions with two readings: tips that write out each reading."""

from __future__ import annotations

import re

from balance.chance.dice.bounds import bounds
from balance.chance.dice.tree import KeptDice, Mix, Node, Number, Pool, Span, faces_that

FEW_DICE = 3
"""Dice whose total is compared, as a rule; of more of them it is often counted how many show so much."""
BY_DIGITS = {36, 44, 66, 88, 444, 666, 888}
"""Sides whose die is often one small die for each digit."""

_EXPLODE = "write ! after the dice: 3d6! or 3d6!>=5"
_COUNT = "to count dice write count: 5d10 count >=8"
_SUM = "dice of a pool are added by themselves, and other totals with +"
_DOWN = "// divides and rounds down: 2d6 // 2"
_UP = "write 7d6 / 2 rounded up, or rounded off to the nearest"
_ORDER = "odds do not depend on the order of dice: leave it out"
_BEST, _WORST = "write 2d20 keep 1", "write 2d20 keep lowest 1"
_SETS = "write 5d6 sets of 2; for the largest number of equal dice 5d6 largest set"
_RUN = "write 5d6 longest run; of five in a row (5d6 longest run) >= 5"
_LETHAL = "for a 6 that goes past the next roll write 10d6 count 3+ skip 6 then d6 count 5+"
_MEAN = "the mean is told with every answer"
_FAIL = "to take failures away write 5d10 count >=7 cancel 1, to count them count failing 4+"
_TOGETHER = "for one sum of all rolls of a die write !!: 5d10!! count >=8"
_LESS_EACH = "for an extra roll of one less name it: x = d6; x + if(x = 6, d6 - 1, 0)"
_MIDDLE = "for the middle three write 5d6 drop lowest 1 drop highest 1"
_COMBINE = "dice of several kinds are one pool in brackets: (2d6, d8) keep 2"
_OFF = "write (2d6) - 3, or max(0, 2d6 - 3)"
_CHOICE = "what hangs on a result is if(d20 >= 11, d6, 0), or d20 gives (20: 12; 11+: 6; else: 0)"
_NAME = "a result has a name so: x = 2d6; x + if(x = 12, d6, 0)"
_KEEP = "write keep: 4d6 keep 3"
_DROP = "write drop: 4d6 drop lowest 1"
_REROLL = "write reroll: 3d6 reroll 1"
_HIGHEST, _LOWEST = "write 4d6 keep highest 3, or highest 3 of 4d6", "write 4d6 keep lowest 3, or lowest 3 of 4d6"
_VERSUS, _THEN = "write vs: 3d6 vs 2d8", "write then: 10d6 count 3+ then d6 count 5+"
_DICE = "write dice as d and their sides: 2d6"
_AGAIN = "what is rolled until it is so is reroll always: d(2d6) reroll always <=5"
SPELLINGS: dict[str, str] = {
    **dict.fromkeys(("explode", "explodes", "exploding", "explosion", "e", "ex", "ace", "aces", "open"), _EXPLODE),
    **dict.fromkeys(("xo", "eo", "ra", "rerolladd"), "for one extra roll write ! once: 3d6! once"),
    **dict.fromkeys(("compound", "compounding", "compounds", "ec"), _TOGETHER),
    **dict.fromkeys(("penetrate", "penetrating", "penetrates", "ep"), _LESS_EACH),
    "p": f"{_LESS_EACH}; to drop dice write drop 1",
    "r": "for once write reroll 1 (ro1), for until it is no 1 reroll always 1 (rr1)",
    **dict.fromkeys(("mi", "each", "least", "minimum"), "write d20 each at least 10"),
    **dict.fromkeys(("ma", "maximum"), "write d20 each at most 10"),
    **dict.fromkeys(("up", "rounded"), "write 7d6 / 2 rounded up, or 10d6 reroll up to 2 of 1-3"),
    "even": "write the faces: count 2,4,6",
    "odd": "write the faces: count 1,3,5",
    **dict.fromkeys(("adv", "advantage", "boon", "edge"), _BEST),
    **dict.fromkeys(("dis", "disadv", "disadvantage", "bane", "setback"), _WORST),
    **dict.fromkeys(("b", "h", "g", "take", "top", "choose", "pick", "kp"), "write keep: 4d6 keep 3"),
    **dict.fromkeys(("l", "w", "bottom"), "write keep lowest: 4d6 keep lowest 3"),
    **dict.fromkeys(("discard", "remove", "without", "except"), "write drop: 4d6 drop lowest 1"),
    **dict.fromkeys(("middle", "median", "mid"), _MIDDLE),
    **dict.fromkeys(("sum", "total", "add", "plus", "add"), _SUM),
    **dict.fromkeys(("union", "pool", "combine", "merge", "group"), _COMBINE),
    **dict.fromkeys(("minus", "subtract", "margin", "ms"), _OFF),
    "multiply": "write 3 * 2d6",
    **dict.fromkeys(("floor", "trunc", "int", "half", "halved", "div"), _DOWN),
    **dict.fromkeys(("round", "ceil", "ceiling", "roundup"), _UP),
    **dict.fromkeys(("mod", "modulo", "remainder"), "what is left of a division is x = 2d6; x - 4 * (x // 4)"),
    "absolute": "write abs(2d6 - 7)",
    **dict.fromkeys(("sort", "sorted", "s", "sa", "sd", "asc", "desc", "reverse", "order"), _ORDER),
    **dict.fromkeys(("cs", "t", "target", "success", "successes", "show", "shows", "contains"), _COUNT),
    **dict.fromkeys(("hit", "hits"), f"{_COUNT}; each hit of a roll of damage is 20 after 3 hits of d3"),
    **dict.fromkeys(("f", "cf", "sf", "fail", "failure", "failures", "botch"), _FAIL),
    **dict.fromkeys(("mean", "avg", "average", "expected"), _MEAN),
    **dict.fromkeys(("pair", "triples", "sets", "kind", "match", "matches", "matching", "equals", "m", "mt"), _SETS),
    **dict.fromkeys(("lethal", "auto", "autowound", "skips"), _LETHAL),
    **dict.fromkeys(("roll", "output", "named", "result"), "leave it out: every expression is rolled"),
    **dict.fromkeys(("unique", "distinct", "uniq", "u", "uo"), "how many different values there are is 5d6 different"),
    **dict.fromkeys(("run", "straight", "straights", "sequence", "longest", "consecutive"), _RUN),
    **dict.fromkeys(("draw", "deck", "cards", "card", "shuffle", "deal"), "cards of a deck are 3 from {1..13*4}"),
    **dict.fromkeys(
        ("figures", "figure", "models", "model", "excess", "wounds", "on"),
        "write 20 after (10d6 count 5+) hits of d3 on figures of 2",
    ),
    **dict.fromkeys(("z", "zero"), "a die from 0 to 9 is d{0..9}"),
    **dict.fromkeys(("fudge", "fate"), "write 4dF"),
    **dict.fromkeys(("percent", "percentile"), "the die of 100 sides is d100 or d%"),
    "wild": "a die with a wild die is max(d8!, d6!)",
    **dict.fromkeys(("when", "unless", "switch", "case"), _CHOICE),
    **dict.fromkeys(("let", "var", "function", "loop", "foreach", "accumulate"), _NAME),
    **dict.fromkeys(("repeat", "until", "while"), _AGAIN),
    # other languages: German, French, Spanish, Polish
    **dict.fromkeys(("behalte", "behalten", "garde", "garder", "guarda", "guardar", "mantener", "zachowaj"), _KEEP),
    **dict.fromkeys(("streiche", "streichen", "verwerfe", "jeter", "retire", "retirer", "descartar", "odrzuć"), _DROP),
    **dict.fromkeys(("zähle", "zählen", "erfolge", "compte", "compter", "contar", "éxitos", "licz", "policz"), _COUNT),
    **dict.fromkeys(("relance", "relancer", "repetir", "relanzar", "przerzuć", "wiederhole", "nochmal"), _REROLL),
    **dict.fromkeys(("explodiert", "explodierend", "explose", "explosif", "explosifs", "explota", "wybucha"), _EXPLODE),
    **dict.fromkeys(("esplode", "esplodono", "esplosivo", "esplosivi"), _EXPLODE),
    **dict.fromkeys(("beste", "besten", "höchste", "höchsten", "meilleur", "meilleurs", "mejor", "mejores"), _HIGHEST),
    **dict.fromkeys(("najwyższe", "najwyższa", "najlepsze", "migliore", "migliori", "alto"), _HIGHEST),
    **dict.fromkeys(("niedrigste", "niedrigsten", "schlechteste", "pire", "pires", "peor", "peores"), _LOWEST),
    **dict.fromkeys(("najniższe", "najniższa", "najgorsze", "peggiore", "peggiori", "basso"), _LOWEST),
    **dict.fromkeys(("gegen", "contre", "contra", "przeciw"), _VERSUS),
    **dict.fromkeys(("dann", "puis", "luego", "entonces", "potem"), _THEN),
    **dict.fromkeys(("würfel", "wurf", "wirf", "dé", "dés", "dado", "dadi", "dados", "lancia", "tira", "lance"), _DICE),
    **dict.fromkeys(("rzut", "rzuć", "kość", "kości", "kostka", "kostki"), _DICE),
    **dict.fromkeys(("one", "two", "three", "four", "five", "six"), "write numbers in digits"),
    **dict.fromkeys(("tie", "ties", "draws"), "of 3d6 vs 2d8 it is told how often each wins, and ties"),
}
"""Words of other rollers, and how that is said here."""
MISPLACED: dict[str, str] = {
    "d": "to drop dice write drop 1, to roll as many as a roll says (2d6)d8, several kinds (2d6, d8)",
    "at": "for the least or the highest value of a die write d20 each at least 10",
    "set": "write 5d6 sets of 2, or 5d6 largest set",
    "highest": "to keep the highest dice write 4d6 keep 3, or highest 3 of 4d6",
    "lowest": "to keep the lowest dice write 4d6 keep lowest 3, or lowest 3 of 4d6",
    "df": "to take failures away write 5d10 count >=7 cancel 1",
    "min": "for at least so much on each die write d20 each at least 10, for the lower of two min(2d6, d12)",
    "max": "for at most so much on each die write d20 each at most 10, for the higher of two max(2d6, d12)",
}
"""Words of ours that stand where other rollers have a meaning for them, and how that is said here."""


LETTERS = {
    "w": "German",
    "к": "Russian",
    "д": "Russian",
    "t": "Swedish, Norwegian and Danish",
    "n": "Finnish",
    "k": "Polish and Czech",
}
"""In which languages a letter is the word for dice."""
_OTHER_DICE = re.compile(r"(?<![^\W_])([0-9]*)\s*([wкдtnk])\s*([0-9]+)", re.IGNORECASE)
_FACES_BEHIND = re.compile(r"\s+(?:on\s+)?(?P<face>\d+)(?P<more>\+?)(?=\s*$)", re.IGNORECASE)
_PLAIN_DICE = re.compile(r"[0-9]*\s*d\s*(?:[0-9]+|%)", re.IGNORECASE)


def other_letter(text: str, place: int) -> str:
    """Return the tip for dice written with a foreign letter at `place`, such as the German W; empty if none is there.

    >>> other_letter("1 + 2W6", 5)
    'w is the word for dice in German: write 2d6'
    """
    match = next((match for match in _OTHER_DICE.finditer(text) if match.start(2) == place), None)
    if match is None or text[: match.start()].rstrip()[-1:].isalnum():
        return ""
    number, letter, sides = match.groups()
    tip = f"{letter.casefold()} is the word for dice in {LETTERS[letter.casefold()]}: write {number}d{sides}"
    keeps = letter.casefold() == "k" and number and int(sides) <= int(number)
    return f"{tip}; to roll {number}d10 and keep {sides} write {number}d10 keep {sides}" if keeps else tip


def exploding(text: str, start: int, end: int) -> str:
    """Return the expression with `!` after its dice instead of the word at `start` that says that they explode.

    >>> exploding("2d6 + 3 exploding", 8, 17)
    '2d6! + 3'
    >>> exploding("3d6 explodes on 5+", 4, 12)
    '3d6!>=5'
    """
    faces = _FACES_BEHIND.match(text, end)
    rest = f"{text[:start].rstrip()} {text[faces.end() if faces else end :].lstrip()}".strip()
    dice = list(_PLAIN_DICE.finditer(rest))
    near = [match for match in dice if match.end() <= start] or dice
    if not near or "!" in text:
        return ""
    place = near[-1 if near[0].end() <= start else 0].end()
    shown = f"{'>=' if faces['more'] else ''}{faces['face']}" if faces else ""
    return f"{rest[:place]}!{shown}{rest[place:]}"


def two_ways(*ways: tuple[str, object]) -> str:
    """Return one tip from pairs (meaning, how to write it).

    >>> two_ways(("the total", "(9d6) >= 5"), ("dice", "9d6 count >=5"))
    'for the total write (9d6) >= 5, for dice 9d6 count >=5'
    """
    (first, second), *later_ways = ways
    return ", ".join([f"for {first} write {second}", *(f"for {meaning} {text}" for meaning, text in later_ways)])


class Readings:
    """Whether a comparison of a total may be meant to count dice: `doubt` is no, some or much; `tip` writes both."""

    def __init__(self, doubt: str = "no", tip: str = "") -> None:
        self.doubt, self.tip = doubt, tip


def dice_or_total(
    dice: Node, sign: str, limit: Node | Span, written: tuple[str, str] | None = None, *, is_open: bool = False
) -> Readings:
    """Return whether `10d6 >= 5` may mean the number of dice that show 5, with a tip for each reading.

    `written` has both sides as text, where they use names; `is_open` says that the limit is a name, which may be any
    number.

    >>> from balance.chance.dice.tree import Die
    >>> die = Die('d6', tuple((face, 1) for face in range(1, 7)))
    >>> dice_or_total(Pool(10, die), ">=", Number(5)).doubt, dice_or_total(Pool(2, die), ">=", Number(7)).doubt
    ('much', 'no')
    """
    if not isinstance(dice, Pool | Mix | KeptDice) or dice.count is not None or not isinstance(limit, Number | Span):
        return Readings()
    pools = dice.parts if isinstance(dice, Mix) else (dice.pool if isinstance(dice, KeptDice) else dice,)
    low, high = (limit.low, limit.high) if isinstance(limit, Span) else (limit.value, limit.value)
    faces = {face for pool in pools for face in _faces(pool)}
    matching_faces = {face for face in faces if _holds(face, sign, low, high)}
    if not matching_faces or matching_faces == faces or (not isinstance(limit, Span) and low not in faces):
        return Readings()
    first, last = pools[0].stays() if not isinstance(dice, Mix) else dice.stays()
    if last - first == 1 and isinstance(pools[0].n_dice, int):
        return Readings()
    left, right = written or (f"{dice}", f"{limit}")
    faces_text = f"{low}-{high}" if isinstance(limit, Span) else f"{faces_that(sign, low)}".replace(f"{low}", right)
    ways = ("the total", f"({left}) {sign} {right}"), ("how many dice show it", f"{left} count {faces_text}")
    tip = two_ways(*ways)
    is_small_pool = last - first <= FEW_DICE and isinstance(pools[0].n_dice, int) and not isinstance(dice, Mix)
    if is_open and is_small_pool:
        return Readings()
    return Readings("some" if is_small_pool and _open(dice, sign, low, high) else "much", tip)


def _faces(pool: Pool) -> tuple[int, ...]:
    if pool.die.inner is None:
        return tuple(value for value, _ in pool.die.faces)
    low, high = bounds(pool.die.inner)
    return tuple(range(int(low), int(min(high, low + 1000)) + 1)) if low > -1e6 else ()


def _holds(value: int, sign: str, low: int, high: int) -> bool:
    if low < high:
        return (low <= value <= high) == (sign == "=")
    return faces_that(sign, low).has(value)


def _open(node: Node, sign: str, low: int, high: int) -> bool:
    """Whether the comparison is neither always true nor always false of totals from `low` to `high`."""
    minimum, maximum = bounds(node)
    totals = range(int(minimum), int(min(maximum, minimum + 10_000)) + 1)
    return len({_holds(total, sign, low, high) for total in totals}) == 2


def tens_and_ones(n_dice: int | Node, sides: int) -> str:
    """Return the tip for d66 and the like, as one die or one for each digit; empty for other numbers of sides.

    >>> tens_and_ones(1, 66)
    'for a die of 66 sides write d(66), for a die for each digit 10*d6 + d6'
    """
    if sides not in BY_DIGITS:
        return ""
    digits = str(sides)
    scales = [10 ** (len(digits) - place - 1) for place in range(len(digits))]
    pairs = zip(scales, digits, strict=True)
    digits_text = " + ".join(f"{scale}*d{digit}" if scale > 1 else f"d{digit}" for scale, digit in pairs)
    begin = "" if n_dice == 1 else f"{n_dice}" if isinstance(n_dice, int) else f"({n_dice})"
    text = f"{begin}d({digits_text})" if begin else digits_text
    return two_ways((f"a die of {sides} sides", f"{begin}d({sides})"), ("a die for each digit", text))
