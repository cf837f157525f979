"""Expressions in words: as a clause that says what to do, and as a phrase within another clause."""

from __future__ import annotations

from balance.chance.dice import tree
from balance.chance.dice.bounds import shows_symbols

SIDES = {3: "three", 4: "four", 6: "six", 8: "eight", 10: "ten", 12: "twelve", 20: "twenty", 100: "hundred"}
SIGNS = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}", "!=": "anything but {}"}
FAILING = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "!=": "="}
TIMES = {"double": "counts two", "triple": "counts three", "cancel": "takes one away"}
PATTERNS = {
    "largest set": "the number of dice in the largest set of equal ones",
    "longest run": "the number of values in the longest run",
    "different": "the number of different values",
    "sets of": "the number of sets of {} equal dice",
}


def clause_of(node: tree.Node, *, is_added: bool = True) -> str:
    """Return the instructions that a part stands for; `is_added` says to add dice that are not counted.

    >>> from balance.chance.dice.text.parsing import parse
    >>> clause_of(parse("4d6 drop 1").node)
    'roll 4 six-sided dice; drop the lowest; add the others'
    """
    match node:
        case tree.Pool() | tree.Mix() | tree.KeptDice():
            return "; ".join(_steps(node, is_added=is_added))
        case tree.Pattern():
            return f"{clause_of(node.dice, is_added=False)}; the result is {_pattern(node)}"
        case tree.Against():
            limit = f"roll {phrase_of(node.limit)} once for all of them"
            return f"{clause_of(node.dice, is_added=False)}; {limit}; count those showing {_compared(node.sign, 'it')}"
        case tree.Comparison() | tree.Logic() | tree.Not():
            return f"1 if {_plain(node)}, else 0"
        case _:
            return _plain(node)


def phrase_of(node: tree.Node, of: str = "") -> str:
    """Return a part as a noun phrase, in brackets if it is long; `of` names the result whose dice it counts, if any."""
    match node:
        case tree.Number() | tree.Name() | tree.LookUp():
            text = _plain(node)
            return f"({text})" if isinstance(node, tree.Number) and " " in text and text[0] != "(" else text
        case tree.Pool() | tree.Mix() if of:
            return _of_result(node, of)
        case tree.Pattern() if of:
            return f"{_pattern(node)} of the dice of {of}"
        case tree.Against() if of:
            return f"the number of the dice of {of} showing {_compared(node.sign, phrase_of(node.limit))}"
        case tree.Pairs() if of:
            first, second = (side.of.partition("·")[0] for side in (node.first, node.second))
            compared = _compared(node.sign, f"that of {second}")
            return f"the number of pairs, highest with highest and so on, whose die of {first} shows {compared}"
        case _:
            return f"({clause_of(node)})" if isinstance(node, tree.Against) or _is_long(node) else f"({_plain(node)})"


def faces_in_words(faces: tree.Faces) -> str:
    """Return a set of faces as a phrase.

    >>> faces_in_words(tree.faces_that(">=", 5)), faces_in_words(tree.Faces("1,3,5-6", ((1, 1), (3, 3), (5, 6))))
    ('5 or more', '1, 3 or 5 to 6')
    """
    sign = next((sign for sign in SIGNS if faces.text.startswith(sign)), "")
    if sign:
        sign_meant = FAILING[sign] if faces.failing else sign
        return _compared(sign_meant, faces.text.removeprefix(sign))
    if not faces.symbols and not faces.blank:
        spans = [f"{low}" if low == high else f"{low} to {high}" for low, high in faces.spans]
        text = _either(spans)
    else:
        text = _either(faces.text.split(","))
    return f"anything but {text}" if faces.failing else text


def die_in_words(die: tree.Die, *, many: bool = False) -> str:
    """Return a die as a noun, in the plural with `many`.

    >>> three_sided, of_symbols = tree.Die("d3", ((1, 1), (2, 1), (3, 1))), tree.Die("d{hit,-}", symbolic=True)
    >>> die_in_words(three_sided), die_in_words(of_symbols, many=True)
    ('three-sided die', 'dice with the faces hit, -')
    """
    noun = "dice" if many else "die"
    if die.inner is not None:
        return f"{noun} that show{'' if many else 's'} {_plain(die.inner)}"
    if die.text == "dF":
        return f"Fudge {noun} (-1, 0, 1)"
    if "{" in die.text:
        return f"{noun} with the faces {', '.join(die.text.strip('d{}').split(','))}"
    sides = len(die.faces)
    written = die.text.strip("d()").replace("%", "100")
    return f"{SIDES.get(sides, sides) if written.isdigit() else written}-sided {noun}"


# -- dice -------------------------------------------------------------------------------------------------------------


def _steps(node: tree.Pool | tree.Mix | tree.KeptDice, *, is_added: bool) -> list[str]:
    """Return the clauses for dice: the roll, then each thing done with them."""
    if isinstance(node, tree.KeptDice):
        kept = _steps(node.pool, is_added=False)
        later = [_reroll(node.reroll), _explosion(node.explosion, node.count), _each(node.each)]
        return [*kept, *filter(None, later), *_result(node, is_added=is_added)]
    if isinstance(node, tree.Mix):
        parts = ["; ".join(_steps(pool, is_added=False)).removeprefix("roll ") for pool in node.parts]
        return [f"roll {' and '.join(parts)}", *map(_pick, node.picks), *_result(node, is_added=is_added)]
    counted = [] if isinstance(node.n_dice, int) or not _counts(node.n_dice) else [clause_of(node.n_dice)]
    done = [_reroll(node.reroll), _explosion(node.explosion, node.count), _each(node.each), *map(_pick, node.picks)]
    then = "then " if counted else ""
    steps = [f"{then}{'draw' if node.drawn else 'roll'} {_dice(node)}", *filter(None, done)]
    result = _result(node, is_added=is_added)
    if result == ["add them"] and len(steps) == 1:
        return [*counted, f"{steps[0]} and add them"]
    return [*counted, *steps, *result]


def _dice(pool: tree.Pool) -> str:
    if pool.drawn:
        cards = ", ".join(pool.die.text.strip("d{}").split(","))
        return f"{_number(pool.n_dice)} of the cards {cards}"
    if not isinstance(pool.n_dice, int):
        many = die_in_words(pool.die, many=True)
        return f"that many {many}" if _counts(pool.n_dice) else f"as many {many} as {phrase_of(pool.n_dice)}"
    if _is_one(pool.n_dice):
        return f"one {die_in_words(pool.die)}"
    return f"{pool.n_dice} {die_in_words(pool.die, many=True)}"


def _counts(n_dice: int | tree.Node) -> bool:
    """Whether the number of dice is what others counted just before: `10d6 count 3+ then d6`."""
    return isinstance(n_dice, tree.Pool | tree.Mix | tree.KeptDice | tree.Against) and (
        isinstance(n_dice, tree.Against) or n_dice.count is not None
    )


def _result(node: tree.Pool | tree.Mix | tree.KeptDice, *, is_added: bool) -> list[str]:
    """Return the clauses for the result: what is counted, or that the dice are added."""
    if node.count is not None:
        return _count(node.count)
    pools = node.parts if isinstance(node, tree.Mix) else (node.pool if isinstance(node, tree.KeptDice) else node,)
    single = isinstance(node, tree.Pool) and _is_one(node.n_dice)
    if not is_added or single or any(pool.die.symbolic for pool in pools):
        return []
    picks = node.pool.picks if isinstance(node, tree.KeptDice) else node.picks
    dropped = bool(picks) and not picks[-1].keep
    if picks and picks[-1].keep and _is_one(picks[-1].n_dice):
        return []
    return ["add the others" if dropped else "add them"]


def _count(count: tree.Count) -> list[str]:
    if count.every:
        return [f"count every {faces_in_words(count.faces)} shown"]
    texts = [f"count those showing {faces_in_words(count.faces)}"]
    for word, told in TIMES.items():
        faces: tree.Faces | None = getattr(count, word)
        if faces is not None:
            texts.append(f"each {faces_in_words(faces)} {told}")
    if count.skip is not None:
        texts.append(f"each {faces_in_words(count.skip)} goes past the next roll and counts there without one")
    return texts


def _reroll(reroll: tree.Reroll | None) -> str:
    if reroll is None:
        return ""
    again = "again until it shows something else" if reroll.always else "again once"
    if reroll.max_dice is None:
        return f"roll each {faces_in_words(reroll.faces)} {again}"
    which = f"up to {reroll.max_dice} of those showing {faces_in_words(reroll.faces)}"
    return f"roll {which} {again.replace('it shows', 'they show')}, the lowest first"


def _explosion(explosion: tree.Explosion | None, count: tree.Count | None) -> str:
    if explosion is None:
        return ""
    faces = "highest face" if explosion.faces is None else faces_in_words(explosion.faces)
    times = explosion.max_times
    often = "as often as it comes" if times is None else "once" if times == 1 else f"at most {times} times"
    if count is not None and not explosion.together:
        return f"roll once more for each {faces}, {often}, and count every roll by itself"
    return f"roll once more for each {faces}, {often}, and add it to the die"


def _each(each: tree.Each | None) -> str:
    ends = [] if each is None else [("less", each.least), ("more", each.highest)]
    return " and ".join(f"count each die as no {word} than {end}" for word, end in ends if end is not None)


def _pick(pick: tree.Pick) -> str:
    side = "highest" if pick.highest else "lowest"
    number = "" if _is_one(pick.n_dice) else f" {pick.n_dice}"
    return f"{'keep' if pick.keep else 'drop'} the {side}{number}"


def _pattern(node: tree.Pattern) -> str:
    return PATTERNS[node.kind].format(node.size)


def _of_result(node: tree.Pool | tree.Mix, name: str) -> str:
    """Return the phrase for a count of the dice of the named result."""
    picks = "".join(f", of which you {_pick(pick)}" for pick in node.picks)
    if node.count is None:
        return f"the sum of the dice of {name}{picks}"
    first, *others = _count(node.count)
    first = first.removeprefix("count ").replace("those showing", f"the dice of {name} showing")
    return f"the number of {first}{picks}{''.join(f', {other}' for other in others)}"


# -- what is made of them ---------------------------------------------------------------------------------------------


def _plain(node: tree.Node) -> str:
    """Return the phrase of a part without the brackets around it."""
    match node:
        case tree.Number():
            return str(node.value)
        case tree.Name():
            return node.text
        case tree.Sum():
            texts = [f"{'-' if sign < 0 else '+'} {phrase_of(term)}" for sign, term in node.terms]
            return " ".join(texts).removeprefix("+ ")
        case tree.Product():
            return " * ".join(map(phrase_of, node.factors))
        case tree.Quotient():
            how = "to the nearest, halves up" if node.rounded == "off" else node.rounded
            return f"{phrase_of(node.over)} / {node.by} rounded {how}"
        case tree.Best():
            which = "highest" if node.highest else "lowest"
            begin = f"the {which}" if node.n_totals == 1 else f"the sum of the {node.n_totals} {which}"
            return f"{begin} of {', '.join(map(phrase_of, node.parts))}"
        case tree.Applied():
            return node.function.phrase.format(phrase_of(node.of))
        case tree.Comparison() | tree.Logic() | tree.Not() | tree.Contest():
            return _condition(node)
        case tree.If() | tree.Gives() | tree.LookUp():
            return _choice(node)
        case tree.Pairs() | tree.Less() | tree.Shown() | tree.WoundsLeft():
            return _losses(node)
        case tree.Pool() | tree.Mix() | tree.KeptDice():
            return _bare(node) if _is_bare(node) else clause_of(node)
        case _:
            return clause_of(node)


def _condition(node: tree.Comparison | tree.Logic | tree.Not | tree.Contest) -> str:
    match node:
        case tree.Comparison():
            if isinstance(node.second, tree.Span):
                is_not = "not " if node.sign == "!=" else ""
                return f"{phrase_of(node.first)} is {is_not}from {node.second.low} to {node.second.high}"
            return f"{phrase_of(node.first)} {node.sign} {phrase_of(node.second)}"
        case tree.Logic():
            return f" {node.word} ".join(phrase_of(part) for part in node.parts)
        case tree.Not():
            return f"not {phrase_of(node.of)}"
        case tree.Contest():
            return f"{phrase_of(node.first)} against {phrase_of(node.second)}: the higher wins"


def _choice(node: tree.If | tree.Gives | tree.LookUp) -> str:
    match node:
        case tree.If():
            condition = node.condition
            held = (
                _condition(condition)
                if isinstance(condition, tree.Comparison | tree.Logic | tree.Not)
                else phrase_of(condition)
            )
            return f"if {held}: {phrase_of(node.then)}; otherwise: {phrase_of(node.otherwise)}"
        case tree.Gives():
            branches = [
                f"{'otherwise' if faces is None else faces_in_words(faces)}: {phrase_of(branch)}"
                for faces, branch in node.branches
            ]
            return f"by {phrase_of(node.of)}: {'; '.join(branches)}"
        case tree.LookUp():
            return f"the table {node.name} at {', '.join(map(phrase_of, node.places))}"


def _losses(node: tree.Pairs | tree.Less | tree.Shown | tree.WoundsLeft) -> str:
    match node:
        case tree.Pairs():
            sides = [clause_of(side, is_added=False) for side in (node.first, node.second)]
            compared = _compared(node.sign, "the second")
            both = f"{sides[0]}; for the other side {sides[1]}"
            return (
                f"{both}; compare highest with highest and so on; count the pairs in which the first shows {compared}"
            )
        case tree.Less():
            return f"the symbols of {phrase_of(node.first)}, of which {phrase_of(node.second)} takes away its own kinds"
        case tree.Shown():
            return f"the number of {faces_in_words(node.faces)} among {phrase_of(node.of)}"
        case tree.WoundsLeft():
            hits = f"{phrase_of(node.hits)} hits of {phrase_of(node.damage)} each"
            rest = f"what is left of {phrase_of(node.wounds)} after {hits}"
            if node.figure is None:
                return rest
            return f"{rest} on figures of {phrase_of(node.figure)}, where what is beyond a figure's wounds is lost"


def _bare(node: tree.Pool | tree.Mix | tree.KeptDice) -> str:
    """Return dice that are rolled and added as a phrase: `the sum of 2 six-sided dice`."""
    text = "; ".join(_steps(node, is_added=False)).removeprefix("roll ")
    return text if text.startswith("one ") or shows_symbols(node) else f"the sum of {text}"


def _is_bare(node: tree.Pool | tree.Mix | tree.KeptDice) -> bool:
    """Whether dice are rolled, added, and nothing more: `2d6`."""
    return (
        isinstance(node, tree.Pool)
        and node == tree.Pool(node.n_dice, node.die)
        and not (not isinstance(node.n_dice, int) and _counts(node.n_dice))
    )


def _is_long(node: tree.Node) -> bool:
    return isinstance(node, tree.Pool | tree.Mix | tree.KeptDice) and not _is_bare(node)


def _compared(sign: str, text: str) -> str:
    return SIGNS[sign].format(text) if sign != "=" else text


def _is_one(number: object) -> bool:
    """Whether a number is 1 and not a name on trial, for the singular."""
    return number == 1 and not isinstance(number, tree.NamedNumber)


def _number(n_dice: int | tree.Node) -> str:
    return str(n_dice) if isinstance(n_dice, int) else phrase_of(n_dice)


def _either(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
