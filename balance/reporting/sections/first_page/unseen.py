"""What no number of the first page can see, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from balance.reporting import literal
from balance.reporting.sections.common.words import Pages


def unseen_text(pages: Pages, kinds: Sequence[str]) -> str:
    """Return the first limitation of each kind of question, joined as the end of a sentence, as marked text."""
    kinds_of_text: dict[str, list[str]] = {}
    for kind in dict.fromkeys(kinds):
        for text in pages.run.cannot_see(kind)[:1]:
            kinds_of_text.setdefault(_first_sentence(text), []).append(kind)
    if len(kinds_of_text) < 2:
        return "".join(f"{literal(text)}." for text in kinds_of_text)
    texts = [f"in a {' or '.join(names)}, {text}" for text, names in kinds_of_text.items()]
    return f"{literal('; '.join(texts))}."


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text, with a small first letter and no stop, to end another.

    >>> _first_sentence("Players who plan: sides play as told. Compare several.")
    'players who plan: sides play as told'
    """
    sentence = text.partition(". ")[0].rstrip(".")
    return f"{sentence[:1].lower()}{sentence[1:]}"
