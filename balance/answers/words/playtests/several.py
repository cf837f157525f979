"""What games among three or more, and of teams, say beside ratings, in sentences."""

from __future__ import annotations

from balance.answers.words.playtests.sentences import by_strength, per_cent, signed
from balance.base.errors import as_typed
from balance.base.numbers import show_interval
from balance.playtests.model.answer import RatingAnswer


def several_texts(answer: RatingAnswer) -> list[str]:
    """Return who comes first how often, what one more on a side adds, and whether places count; nothing for pairs."""
    if (several := answer.several) is None:
        return []
    k, name = several.sides, next(iter(by_strength(answer)))
    texts, first = [], several.first[name]
    if k > 2:
        chance, ends = per_cent(first.value), show_interval(first.low, first.high, per_cent)
        texts.append(
            f"Among {k}, the others average, {name} comes first in {chance}% ({ends}); {100 / k:.0f}% is even."
        )
        below = "Places below the first count, too; §first_only leaves them out."
        texts.append(below if several.places else "Only who came first counts.")
    for more, worth in several.sizes.items():
        ends = show_interval(worth.low, worth.high, signed)
        texts.append(f"{more} more on a side, if all are average, adds {signed(worth.value)} log-odds ({ends}).")
    return [as_typed(text) for text in texts]
