"""Numbers as text, one way everywhere: a true minus sign, no break inside a number and its unit, no false zero.

A value that is not defined (nan) prints as an en dash; an infinite one as the infinity sign. A probability that is not
exactly 0 or 1 never prints as 0% or 100%.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

SURE = 1.959963984540054
"""Standard errors from an estimate to either end of its 95 % interval."""
EVEN_BAND = (0.45, 0.55)
"""Between which scores a match-up is even where nothing else is said."""
MINUS = "\u2212"
NO_BREAK = "\u00a0"
DASH = "\u2013"


def show_fixed(x: float, decimals: int = 2) -> str:
    """Return x to so many decimals, grouped by commas, never a negative zero: for a column whose numbers line up.

    >>> show_fixed(0.4837), show_fixed(-0.001)
    ('0.48', '0.00')
    """
    if math.isnan(x):
        return DASH
    text = "∞" if math.isinf(x) else f"{abs(x):,.{decimals}f}"
    return MINUS + text if x < 0 and text.strip("0.,") else text


def show_number(x: float, significant: int = 3) -> str:
    """Return x to `significant` figures, 1 or more; whole digits are never rounded away.

    >>> [show_number(x) for x in (2.3349, 12.0, 0.012345, -4.5, 12345.6, 0.0)]
    ['2.33', '12.0', '0.0123', '−4.50', '12,346', '0']
    """
    if x == 0 or not math.isfinite(x):
        return show_fixed(x, 0)
    rounded_x = float(f"{x:.{significant - 1}e}")
    return show_fixed(x, min(12, max(0, significant - 1 - math.floor(math.log10(abs(rounded_x))))))


def show_count(n: int) -> str:
    """Return a whole number with commas between its thousands.

    >>> show_count(1000000), show_count(-1)
    ('1,000,000', '−1')
    """
    return f"{n:,}".replace("-", MINUS)


def show_many(n: int, singular: str, plural: str | None = None) -> str:
    """Return a number with the noun it counts; without `plural` that is the singular and an s.

    >>> show_many(1, "duel"), show_many(1200, "duel"), show_many(1, "is", "are")
    ('1 duel', '1,200 duels', '1 is')
    """
    return f"{show_count(n)} {singular if n == 1 else plural or f'{singular}s'}"


def show_signed(x: float, significant: int = 3) -> str:
    """Return x to `significant` figures, 1 or more, with its sign always shown; zero carries none.

    >>> show_signed(1.5), show_signed(-1.5), show_signed(0.0)
    ('+1.50', '−1.50', '0')
    """
    text = show_number(x, significant)
    return f"+{text}" if x > 0 else text


def show_step(n: int) -> str:
    """Return a whole number with its sign always shown; zero carries none.

    >>> show_step(2), show_step(-1), show_step(0)
    ('+2', '\u22121', '0')
    """
    return f"+{n}" if n > 0 else show_count(n)


def show_probability(p: float, decimals: int = 1) -> str:
    """Return a probability, 0 to 1, as a percentage.

    >>> [show_probability(p) for p in (0.0, 0.0001, 0.6321, 0.99999, 1.0)]
    ['0%', '<0.1%', '63.2%', '>99.9%', '100%']
    """
    if p in (0.0, 1.0):
        return f"{p * 100:.0f}%"
    smallest = 10.0**-decimals
    if p * 100 < smallest / 2:
        return f"<{smallest:.{decimals}f}%"
    if p * 100 >= 100 - smallest / 2:
        return f">{100 - smallest:.{decimals}f}%"
    return DASH if math.isnan(p) else f"{show_fixed(p * 100, decimals)}%"


def show_odds(score: float) -> str:
    """Return the score of the first side, 0 to 1, as two whole percentages that sum to 100.

    >>> show_odds(0.75), show_odds(0.996), show_odds(0.125)
    ('75:25', '100:0', '12:88')
    """
    percent = int(show_fixed(100 * score, 0))
    return f"{percent}:{100 - percent}"


def show_probability_change(change: float, decimals: int = 1, unit: str = "pp") -> str:
    r"""Return a difference of two probabilities, -1 to 1, in percentage points, signed.

    An empty `unit` is for a column whose head has it.

    >>> show_probability_change(0.0234), show_probability_change(-0.5), show_probability_change(0.0234, unit="")
    ('+2.3\xa0pp', '−50.0\xa0pp', '+2.3')
    """
    text = show_fixed(change * 100, decimals)
    signed = f"+{text}" if change > 0 and text.strip("0.,") else text
    return show_unit(signed, unit) if unit else signed


def show_interval(low: float, high: float, show: Callable[[float], str] = show_number) -> str:
    """Return both ends, joined by "to", since a dash next to a minus sign misleads.

    >>> show_interval(0.58, 0.679, show_probability)
    '58.0% to 67.9%'
    """
    return f"{show(low)} to {show(high)}"


def show_shares(shares: Sequence[float]) -> list[str]:
    """Return shares in words or as simple fractions if all of them are such, else as percentages.

    >>> show_shares([1 / 3, 0.5, 1 / 6]), show_shares([0.5, 0.467, 0.033])
    (['a third', 'half', '1/6'], ['50.0%', '46.7%', '3.3%'])
    """
    fractions = [Fraction(share).limit_denominator(12) for share in shares]
    if any(abs(fraction - share) > 1e-9 for fraction, share in zip(fractions, shares, strict=True)):
        return [show_probability(share) for share in shares]
    return [_SHARES.get(str(fraction), str(fraction)) for fraction in fractions]


_SHARES = {"1/2": "half", "1/3": "a third", "2/3": "two thirds", "1/4": "a quarter", "3/4": "three quarters"}


def show_unit(number: str, unit: str) -> str:
    r"""Return a number and its unit joined by a space that does not break.

    >>> show_unit("6", "hexes")
    '6\xa0hexes'
    """
    return f"{number}{NO_BREAK}{unit}"


def show_units(number: str, units: str) -> str:
    r"""Return a number with the noun it counts, which is given in the plural; exactly "1" takes the singular.

    >>> show_units("1", "banners"), show_units("1.5", "banners")
    ('1\xa0banner', '1.5\xa0banners')
    """
    return show_unit(number, units.removesuffix("s") if number == "1" else units)


def show_points(points: float, unit: str = "points") -> str:
    r"""Return a cost with its unit, such as "war points"; whole costs show no decimals.

    >>> show_points(24), show_points(1), show_points(23.6)
    ('24\xa0points', '1\xa0point', '23.6\xa0points')
    """
    return show_units(show_fixed(points, 1).removesuffix(".0"), unit)
