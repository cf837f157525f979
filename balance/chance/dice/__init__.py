"""The odds of your own dice: a small language of pools, exact where that can be had (docs/reference/dice.md).

>>> from balance.chance.dice import odds
>>> best = odds("3d6 keep 2")
>>> round(best.mean(), 4), round(best.swing(), 4), best.fraction(12)
(8.4583, 0.2619, Fraction(2, 27))
"""

from balance.chance.dice.odds import Odds, odds, roll, table
from balance.chance.dice.text.parser import Expression
from balance.chance.dice.text.parsing import Family, parse, parse_family

__all__ = ["Expression", "Family", "Odds", "odds", "parse", "parse_family", "roll", "table"]
