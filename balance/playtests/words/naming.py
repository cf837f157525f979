"""Names as a log writes them: those that differ by case or blanks are one, those that look like a slip are told."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from balance.base.errors import comma_list
from balance.base.limits import MOST_NAME_CHARACTERS
from balance.base.numbers import show_many
from balance.catalogue.tables.cells import BadCell
from balance.playtests.words.results import fold_name

FEW_GAMES, LIKE, SHORT = 2, 0.85, 5
"""A name of so few games that is so like another one's, and not shorter, may be a slip of the pen."""
MOST_COMPARED = 100


@dataclass
class Names:
    """Names folded for comparison, each with its spellings and how often each occurs."""

    spellings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def __len__(self) -> int:
        """Return how many different names there are."""
        return len(self.spellings)

    def note(self, text: str) -> str:
        """Count a spelling, and return it with blanks collapsed.

        >>> names = Names()
        >>> [names.note(text) for text in ("Elves", " elves ")], len(names)
        (['Elves', 'elves'], 1)
        """
        name = " ".join(text.split())
        self.spellings[fold_name(name)][name] += 1
        return name

    def usual_spellings(self) -> dict[str, str]:
        """Return folded name -> its most frequent spelling, ties broken by the alphabet."""
        return {
            key: min(spelling_counts, key=lambda text: (-spelling_counts[text], text))
            for key, spelling_counts in self.spellings.items()
        }

    def merge_notes(self) -> list[str]:
        """Return a sentence for each name with several spellings."""
        spelling = self.usual_spellings()
        return [
            f"{comma_list(sorted(repr(text) for text in spelling_counts if text != spelling[key]))} "
            f"{'is' if len(spelling_counts) == 2 else 'are'} taken for {spelling[key]!r}."
            for key, spelling_counts in sorted(self.spellings.items())
            if len(spelling_counts) > 1
        ]

    def alike(self, games_by_name: Mapping[str, float]) -> list[str]:
        """Return a sentence for each rare name that looks like a misspelling of a more frequent one.

        `games_by_name` holds the games of each folded name.

        >>> names = Names()
        >>> for name in ("Dwarves", "Dwarves", "Dwarvse"):
        ...     _ = names.note(name)
        >>> names.alike({"dwarves": 9, "dwarvse": 1})
        ["'Dwarvse' (1 game) looks like 'Dwarves': if they are one, mend the log."]
        """
        spelling, sentences = self.usual_spellings(), []
        often = [key for key, n in games_by_name.items() if n > FEW_GAMES][:MOST_COMPARED]
        for key in sorted(key for key, n in games_by_name.items() if n <= FEW_GAMES and len(key) >= SHORT)[
            :MOST_COMPARED
        ]:
            like = difflib.get_close_matches(key, often, n=1, cutoff=LIKE)
            if like and re.sub(r"\d+", "", key) != re.sub(r"\d+", "", like[0]):
                games = show_many(int(games_by_name[key]), "game")
                sentences.append(
                    f"{spelling[key]!r} ({games}) looks like {spelling[like[0]]!r}: if they are one, mend the log."
                )
        return sentences


def check_name(text: str) -> str:
    """Return the name; raises `BadCell` if it is empty, too long, or holds a control character."""
    if not text:
        raise BadCell("is empty", "write a name")
    if len(text) > MOST_NAME_CHARACTERS:
        raise BadCell(f"is longer than {MOST_NAME_CHARACTERS} characters", "a name is short")
    if not text.isprintable() and any(unicodedata.category(c) in {"Cc", "Cs"} for c in " ".join(text.split())):
        raise BadCell("holds a control character", "write the name on one line")
    return text


def natural(text: str) -> tuple[object, ...]:
    """Return a key that sorts labels as people do: numbers by size, and dates by day.

    >>> sorted(["evening 10", "evening 9", "14/03/2026", "02/04/2026"], key=natural)
    ['14/03/2026', '02/04/2026', 'evening 9', 'evening 10']
    """
    if day := re.fullmatch(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", text):
        text = "-".join(reversed(day.groups()))
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d{1,18}|\D+", text))
