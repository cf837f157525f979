"""What `balance.price` says of a catalogue of known truth, and what of that is false, missed or of a wrong size."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import balance
from tests.analysis.known_truth.cases import TOLERANCE, Planted

DEAR, CHEAP, FAIR, USELESS = "too dear", "too cheap", "fair", "not worth taking"
OFF = (DEAR, CHEAP)
SIZE, POWER = 0.03, 0.05
"""By how much a size may be wrong: a part of the loadout's cost; and by how much a power."""


@dataclass(frozen=True)
class Answer:
    """What one run said.

    * `off`: loadouts and cards that are firmly off, each with the word.
    * `false`: firm words that are not so. `missed`: what is planted and not named. `wrong_size`: what is named with
      another size than the true one.
    * `sizes`: the fair cost over the true one, of loadouts that are planted and named; `proposed`: that of their cards.
    * `power`: of printed costs, as told; nan if it is not.
    """

    run: int
    off: dict[str, str]
    false: tuple[str, ...]
    missed: tuple[str, ...]
    wrong_size: tuple[str, ...]
    sizes: dict[str, float]
    proposed: dict[str, float]
    power: float
    seconds: float

    @property
    def row(self) -> str:
        """The run as a line."""
        parts = [f"{self.run:4d} {self.seconds:6.2f} s"]
        for name, word in self.off.items():
            ratios = [f"{sizes[name]:.3f}" for sizes in (self.sizes, self.proposed) if name in sizes]
            parts.append(" ".join([name, word, *ratios]))
        parts += [f"power {self.power:.3f}"] if self.power == self.power else []
        for name in ("false", "missed", "wrong_size"):
            told = getattr(self, name)
            parts += [f"{name.upper().replace('_', ' ')}: {', '.join(told)}"] if told else []
        return "  ".join(parts)


def answer(case: Planted, run: int, seed: int, battles: int | None = None) -> Answer:
    """Ask for the prices of a catalogue, and compare what is said with the truth."""
    whole, began = case.catalogue, time.process_time()
    among = list(whole.loadouts) if whole.game in ("warforged", "board", "runewars", "tug") else None
    kind: dict[str, Any] = {"kind": whole.kind} if "kind" in inspect.signature(balance.price).parameters else {}
    prices = balance.price(
        whole.open(case.costs, case.useless), among=among, set=list(whole.settings), budget=whole.budget,
        battles=battles, seed=seed, jobs=1, cache=False, quiet=True, **kind,
    ).value  # fmt: skip
    return read_answer(case, run, prices, time.process_time() - began)


def read_answer(case: Planted, run: int, prices: Any, seconds: float) -> Answer:
    """Compare what is said of prices with the truth."""
    off = {name: price.verdict for name, price in [*prices.loadouts.items(), *prices.cards.items()]
           if price.verdict in OFF}  # fmt: skip
    slope = prices.scale.slope
    told_power = float("nan") if case.power == 1 or not slope else 1 / slope
    sizes = {name: prices.loadouts[name].fair / true for name, true in case.loadouts.items() if true and name in off}
    proposed = {card: ratio for card, ratio in _proposed(case, prices) if card in off}
    wrong = [name for name, ratio in [*sizes.items(), *proposed.items()] if abs(ratio - 1) > SIZE]
    if case.power != 1 and not abs(told_power - case.power) <= POWER:
        wrong.append("power")
    return Answer(
        run, off, tuple(_false_words(case, prices)), tuple(_missed(case, prices)), tuple(dict.fromkeys(wrong)),
        sizes, proposed, told_power, seconds,
    )  # fmt: skip


def _proposed(case: Planted, prices: Any) -> Iterator[tuple[str, float]]:
    """Yield cards that are planted with what a loadout would cost by the cost proposed, over its true cost."""
    for card, true in case.cards.items():
        price = prices.cards[card]
        least = min(case.catalogue.fair[name] for name, cards in case.catalogue.loadouts.items() if card in cards)
        if card != case.useless and price.proposed_cost is not None:
            yield card, 1 + (price.proposed_cost - true) / least


def _false_words(case: Planted, prices: Any) -> Iterator[str]:
    for name, price in prices.loadouts.items():
        if price.verdict in (*OFF, FAIR) and not _is_so(case, name, price.verdict):
            yield f"{name} {price.verdict}"
    for name, price in prices.cards.items():
        if name in prices.loadouts:
            continue
        if name in case.edge and price.verdict in (*OFF, FAIR):
            yield f"{name} {price.verdict}"
            continue
        true = case.cards.get(name, case.costs[name])
        word = DEAR if case.costs[name] > true else CHEAP
        if price.verdict in OFF and (name not in case.cards or price.verdict != word):
            yield f"{name} {price.verdict}"
        if price.verdict == FAIR and name in case.cards and case.loadouts:
            yield f"{name} {price.verdict}"


def _is_so(case: Planted, name: str, word: str) -> bool:
    """Return whether a firm word on a loadout is so, as far as its true cost is known."""
    if name in case.edge:
        return False
    if case.power != 1:
        return word == FAIR
    if case.useless:
        return (word == FAIR) != (name in case.loadouts) and word != CHEAP
    over, doubt = case.off(name), 2 * case.catalogue.errors.get(name, 0.0)
    return {
        DEAR: over > TOLERANCE - doubt,
        CHEAP: over < -TOLERANCE + doubt,
        FAIR: abs(over) <= TOLERANCE + doubt,
    }[word]


def _missed(case: Planted, prices: Any) -> Iterator[str]:
    """Yield whom nothing firm is said of, though it is planted; where it is a card, its loadouts may be unknown."""
    loadouts = {} if case.is_of_card else case.loadouts
    for name in {**loadouts, **case.cards}:
        price = prices.cards.get(name) or prices.loadouts[name]
        if price.verdict not in (OFF if not case.useless else (*OFF, USELESS)):
            yield name


def summary(answers: Sequence[Answer]) -> dict[str, float]:
    """Return how many runs say a false word, miss what is planted, or tell a wrong size, and seconds of CPU time."""
    return {
        "runs": len(answers),
        "false": sum(bool(one.false) for one in answers),
        "missed": sum(bool(one.missed) for one in answers),
        "wrong size": sum(bool(one.wrong_size) for one in answers),
        "right": sum(not (one.false or one.missed or one.wrong_size) for one in answers),
        "seconds": round(sum(one.seconds for one in answers) / max(len(answers), 1), 2),
    }
