"""Shares and bands as people type them."""

from __future__ import annotations

import re
from contextlib import suppress

from balance.base.errors import Fault, UsageError, did_you_mean

_SHARE = re.compile(r"([0-9]{1,6}(?:[.,][0-9]{1,9})?)\s*(pp|p\.p\.|%|percent|points?|punti|punto)?", re.IGNORECASE)
_BAND = re.compile(r"\s*(?::|to|-|–|a)\s*", re.IGNORECASE)

Share = str | float
"""A share as a text such as "5%", or as a number from 0 to 1."""
Band = str | tuple[float, float]
"""The ends of a band as a text such as "45:55", or as two shares."""


def share_text(share: Share) -> str:
    """Return a share as an option takes it; a text stays as it was typed.

    >>> share_text(0.1 + 0.2), share_text("5pp")
    ('0.3', '5pp')
    """
    return share if isinstance(share, str) else f"{share:.9g}"


def band_text(band: Band) -> str:
    """Return a band as an option takes it; a text stays as it was typed.

    >>> band_text((0.45, 0.55)), band_text("45:55")
    ('0.45:0.55', '45:55')
    """
    return band if isinstance(band, str) else ":".join(map(share_text, band))


def parse_share(text: str, option: str) -> float:
    """Read a share as people write it: 5pp, 5%, 5 and 0.05 are the same, and 2,5% has a decimal comma.

    Raises `UsageError` for anything else, in the name of `option`.

    >>> [parse_share(text, "§difference") for text in ("5pp", "5", "5%", "0.05", "2,5 pp", "0.5pp")]
    [0.05, 0.05, 0.05, 0.05, 0.025, 0.005]
    """
    match = _SHARE.fullmatch(text.strip())
    if match is None:
        allowed_text = "a share such as 5pp, 5%, 5 or 0.05"
        near = _SHARE.match(text.strip())
        tip = did_you_mean(f"{near[1]}%") if near else ""
        raise UsageError(Fault("is not a share", option, found=text, allowed=allowed_text, tip=tip))
    number = float(match[1].replace(",", "."))
    return round(number if number < 1 and not match[2] else number / 100, 9)


def parse_band(text: str) -> tuple[float, float]:
    """Read the two ends of a band, from 0 to 1, as people write them; raises `UsageError` for anything else.

    >>> [parse_band(text) for text in ("45:55", "45% - 55%", "0.45 to 0.55", "42,5 % : 57,5 %")]
    [(0.45, 0.55), (0.45, 0.55), (0.45, 0.55), (0.425, 0.575)]
    """
    ends = _BAND.split(text.strip())
    if len(ends) != 2:
        raise UsageError(Fault("is not a band", "§band", found=text, allowed="LOW:HIGH", tip="such as 45:55"))
    return parse_share(ends[0], "§band"), parse_share(ends[1], "§band")


def parse_band_around_half(text: str) -> tuple[float, float]:
    """Read a band with 0 < low < 1/2 < high < 1; raises `UsageError` for any other."""
    low = high = 0.5
    with suppress(UsageError):
        low, high = parse_band(text)
    if not 0 < low < 0.5 < high < 1:
        allowed_text = "LOW:HIGH in per cent around 50"
        raise UsageError(Fault("is no band", "§band", found=text, allowed=allowed_text, tip="such as 45:55"))
    return low, high
