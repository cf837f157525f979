"""Whether dice were lucky: exact against every way they can fall, fair dice are rarely blamed, loaded ones are."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import balance
from balance.base.errors import BalanceError
from balance.playtests.people.luck import RolledLuck, rolled_luck

FACES = range(1, 7)


def luck_of(text: str, folder: Path) -> RolledLuck:
    path = folder / "rolls.csv"
    path.write_text(text, "utf-8")
    value = balance.dice(rolled=path).value
    assert isinstance(value, RolledLuck)
    return value


def test_chances_are_those_of_every_way_the_dice_can_fall() -> None:
    together, two, six = rolled_luck({"d6": [2, 1], "2d6": [4, 9]}).rows
    ways = np.array([*product(FACES, repeat=6)])
    for row, sums, rolled in ((six, ways[:, :2].sum(1), 3), (two, ways[:, 2:].sum(1), 13)):
        assert (row.as_low, row.as_high) == pytest.approx((np.mean(sums <= rolled), np.mean(sums >= rolled)))
    of_six, of_two = np.rint((ways - 3.5) / (35 / 12) ** 0.5 * 1000), ways[:, [2, 4]] + ways[:, [3, 5]] - 7
    scores = of_six[:, :2].sum(1) + np.rint(of_two / (35 / 6) ** 0.5 * 1000).sum(1)
    rolled = scores[(ways == [2, 1, 1, 3, 4, 5]).all(1)]
    assert (together.as_low, together.as_high) == pytest.approx((np.mean(scores <= rolled), np.mean(scores >= rolled)))
    assert together.p == pytest.approx(2 * np.mean(scores <= rolled))


def test_fair_dice_are_rarely_blamed_and_loaded_ones_are() -> None:
    """Of 2,000 evenings at most as many below a limit as in 99.9 % of cases; a loaded die shows 1 in 70 %."""
    rng = np.random.default_rng(68)

    def evenings(chances: list[float], n: int) -> list[RolledLuck]:
        rolls = zip(rng.choice(FACES, (n, 60), p=chances).tolist(), rng.integers(2, size=(n, 30)).tolist(), strict=True)
        return [rolled_luck({"d6": six, "d2 >= 2": coin}) for six, coin in rolls]

    fair = np.array([evening.rows[0].p for evening in evenings([1 / 6] * 6, 2000)])
    assert (fair < 1e-4).sum() <= binom.ppf(0.999, 2000, 1e-4)
    assert binom.ppf(0.001, 2000, 0.045) <= (fair < 0.05).sum() <= binom.ppf(0.999, 2000, 0.05)
    assert sum(evening.verdict == "unlucky" for evening in evenings([0.7, *[0.06] * 5], 100)) > 95


def test_files_are_read_as_people_write_them_and_every_fault_is_told(tmp_path: Path) -> None:
    luck = luck_of("serata;Espressione;Risultato\n1;3D6;9,0\n2;2d6 >= 7;1\n2;3d6;5\n", tmp_path)
    assert [(row.dice, row.rolls, row.result) for row in luck.rows[1:]] == [("2d6 >= 7", 1, 1.0), ("3d6", 2, 14.0)]
    (only,) = luck_of("dice\ttotal\nd6\t1\nd6\t1\n", tmp_path).rows
    assert only.dice == "1d6"
    assert (only.as_low, only.as_high) == pytest.approx((1 / 36, 1))
    with pytest.raises(BalanceError) as error:
        luck_of("dice;total\nd6;7\nfoo;3\n2d{hit,-};1\nd6;\nd{1,3,7};2\n", tmp_path)
    assert [(fault.row, fault.found, fault.allowed) for fault in error.value.faults] == [
        (2, "7", "1 to 6"), (3, "foo", ""), (4, "2d{hit,-}", ""), (5, None, "1 to 6"), (6, "2", "1, 3, 7")
    ]  # fmt: skip
    for text in ("", "dice,total\n", "d6,3\n"):
        with pytest.raises(BalanceError):
            luck_of(text, tmp_path)
    with pytest.raises(BalanceError, match="leave out everything beside it"):
        balance.dice("3d6", rolled=tmp_path / "rolls.csv")
