"""Swing: how far single results lie from their mean, told as one number by which any two can be set side by side.

It is the standard deviation over the mean (the coefficient of variation): 0.15 for the sum of ten dice, 0.49 for one.
"""

from __future__ import annotations

from balance.base.numbers import DASH, show_fixed

LARGE = 1000
"""From which on it is told as more than that: what hardly ever happens has a swing of any size."""


def swing_of(mean: float, sd: float, signs_differ: bool = False) -> float | None:
    """Return the standard deviation over the absolute mean, the coefficient of variation.

    None, not measurable, where the mean is 0 or `signs_differ`, that is values lie on both sides of 0: there a small
    mean would make any luck look large.

    >>> swing_of(3.5, 1.75), swing_of(-3.5, 1.75), swing_of(0.0, 1.75), swing_of(0.1, 1.75, signs_differ=True)
    (0.5, 0.5, None, None)
    """
    return None if signs_differ or mean == 0 else sd / abs(mean)


def show_swing(swing: float | None, half_width: float | None = None) -> str:
    """Return a swing with three decimals, with ± half the width of its interval if given; a dash if not measurable.

    >>> show_swing(0.48795), show_swing(0.48795, 0.01), show_swing(1e9), show_swing(None)
    ('0.488', '0.488 ± 0.010', '>1,000', '–')
    """
    if swing is None or swing > LARGE:
        return DASH if swing is None else f">{LARGE:,}"
    return show_fixed(swing, 3) + ("" if half_width is None else f" ± {show_fixed(half_width, 3)}")


def why_no_swing(values: str = "values", is_simulated: bool = False) -> str:
    """Return why a swing is not measurable; `values` is the plural noun of what may lie on both sides of 0.

    >>> why_no_swing("totals")
    'not measurable here, as the mean is 0 or totals lie on both sides of 0'
    """
    alike = " or all trials are alike" if is_simulated else ""
    return (
        f"not measurable here, as the mean is 0{',' if is_simulated else ' or'} {values} lie on both sides of 0{alike}"
    )


def about_swing(why_missing: str = "") -> str:
    """Return the note below a table with swings; `why_missing` explains its dashes.

    >>> about_swing()
    'Swing is the standard deviation over the mean.'
    """
    return f"Swing is the standard deviation over the mean{f'; {DASH} is {why_missing}' if why_missing else ''}."
