"""Exact distributions: dice, pools of custom faces, conditional composition, comparison with a sample.

>>> from balance.chance.pmf import Pmf, die, pool
>>> armour = pool(Pmf.from_faces([{"blocked": 1}] * 3 + [{}] * 3), 3)
>>> armour.map(lambda blocked: {"damage": (4 - blocked).clip(1)}).mean("damage")
2.5
"""

from balance.chance.pmf.agreement import Agreement
from balance.chance.pmf.pmf import Pmf, die, mixture
from balance.chance.pmf.pools import pool

__all__ = ["Agreement", "Pmf", "die", "mixture", "pool"]
