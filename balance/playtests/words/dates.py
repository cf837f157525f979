"""Texts that a spreadsheet made of scores: it takes 2-1 for the second of January."""

from __future__ import annotations

import re

_MONTHS = (
    "jan(?:uary|uar)?|gen(?:naio)?|feb(?:ruary|braio|ruar)?|mar(?:ch|zo|s)?|mär(?:z)?|mrz|apr(?:il|ile)?|avr(?:il)?"
    "|may|mag(?:gio)?|mai|jun[ei]?|giu(?:gno)?|jul[yi]?|lug(?:lio)?|aug(?:ust)?|ago(?:sto)?|sept?(?:ember)?|set(?:tembre)?"
    "|oct(?:ober)?|ott(?:obre)?|okt(?:ober)?|nov(?:ember|embre)?|dec(?:ember)?|dic(?:embre)?|dez(?:ember)?|janv|févr?|août|déc"
)
_MONTH = rf"(?:{_MONTHS})\.?"
_DATE = re.compile(
    rf"\d{{1,4}}\.?[-/. ]*{_MONTH}(?:[-/. ]+\d{{1,4}})?|{_MONTH}[-/. ]*\d{{1,4}}(?:[-/., ]+\d{{2,4}})?"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ t].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?:\d{2})?(?: \d.*)?"
    r"|\d{4}年\d{1,2}月\d{1,2}日"
)
_DAY_NUMBERS = range(36_526, 62_000)
"""Days as a spreadsheet counts them, from the year 2000: a date shown as a number."""


def is_date(text: str) -> bool:
    """Return whether a cell that should tell a result is a date.

    >>> [is_date(text) for text in ("02-Jan", "Feb-00", "01-feb", "1/2/2024", "2024-02-01", "2-gen-24", "45293")]
    [True, True, True, True, True, True, True]
    >>> [is_date(text) for text in ("2-1", "2-1-0", "10-12", "0.5", "May", "2-1-1")]
    [False, False, False, False, False, False]
    """
    plain = " ".join(text.split()).casefold()
    return bool(_DATE.fullmatch(plain)) or (plain.isdecimal() and len(plain) == 5 and int(plain) in _DAY_NUMBERS)
