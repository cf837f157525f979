"""What no number of the first page can see, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from balance.reporting import literal
from balance.reporting.sections.common.words import Pages


def unseen_text(pages: Pages, kinds: Sequence[str]) -> str:
    """Return the first thing that each kind of question cannot see, as the end of a sentence, as marked text.

    Parameters
    ----------
    pages
        The run.
    kinds
        The kinds of question that the page rests on.
    """
    texts = dict.fromkeys(text.rstrip(".") for kind in kinds for text in pages.run.cannot_see(kind)[:1])
    return f"{'; '.join(map(_lower_first, texts))}." if texts else ""


def _lower_first(text: str) -> str:
    return literal(f"{text[:1].lower()}{text[1:]}")
