"""What a soul rank adds to the numbers of a power, in a duel and for healing."""

from __future__ import annotations

import pytest

import balance
from balance.games.immortal_souls import GAME
from balance.games.immortal_souls.tables.cards import Power
from balance.games.immortal_souls.tables.soul_ranks import at_rank, half_rank, usable_powers
from balance.games.immortal_souls.tables.tables import Gem, Hero

SOULS = balance.load(GAME)


@pytest.mark.rule("IS-POW.7")
def test_a_power_grows_with_the_rank() -> None:
    """Half of the ranks I to VII, rounded up, is 1 1 2 2 3 3 4."""
    assert [half_rank(rank) for rank in range(1, 8)] == [1, 1, 2, 2, 3, 3, 4]
    circle = SOULS.catalogue.entries(Power)["circle_of_light_2"]
    assert [at_rank(circle, rank).heals for rank in range(1, 8)] == [1, 1, 2, 2, 3, 3, 4]
    both = circle.model_copy(update={"sure": 2, "red": 1, "by_rank": ("sure:R", "red:R/2")})
    assert [(one.sure, one.red, one.heals) for one in (at_rank(both, 1), at_rank(both, 5))] == [(3, 2, 0), (7, 4, 0)]
    plain = SOULS.catalogue.entries(Power)["heal_wounds_1"]
    assert at_rank(plain, 7) == plain


def test_powers_are_told_as_they_are_at_the_rank() -> None:
    catalogue = SOULS.catalogue
    thorgar = catalogue.entries(Hero)["thorgar"].model_copy(update={"powers": ("circle_of_light", "hammer_throw")})
    gems = catalogue.entries(Gem)
    told = [[(power.id, power.heals) for power in usable_powers(catalogue, thorgar, gems[f"thorgar_{rank}"])]
            for rank in (1, 2, 5)]  # fmt: skip
    assert told == [
        [("hammer_throw_1", 0)], [("circle_of_light_2", 1)], [("circle_of_light_2", 3), ("hammer_throw_4", 0)],
    ]  # fmt: skip
