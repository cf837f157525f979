"""How long reports are: `python -m tests.reporting.budget [FOLDER]` lists the words and the pages of each.

A report is read by somebody who will act on it, in one sitting: at most `MOST_WORDS` and `MOST_PAGES`.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

from tests.packaging.checkout import ROOT

MOST_WORDS, MOST_PAGES = 6_000, 10
_UNREAD = re.compile(r"<(script|style|svg)\b.*?</\1>", re.DOTALL)


def count_words(page: str) -> int:
    """Return the words of an HTML page, cells of tables among them, without scripts, styles and pictures.

    >>> count_words("<style>a b</style><p>Two <b>words</b>.</p><td>3</td><td>x &amp; y</td>")
    7
    """
    return len(html.unescape(re.sub(r"<[^>]+>", " ", _UNREAD.sub(" ", page))).split())


def count_pages(paper: bytes) -> int:
    """Return the pages of a PDF that our compiler made."""
    return len(re.findall(rb"/Type/Page\b", paper))


def length_of(folder: Path) -> tuple[int, int]:
    """Return the words and pages of the report in a folder."""
    return count_words((folder / "index.html").read_text("utf-8")), count_pages((folder / "report.pdf").read_bytes())


def main() -> None:
    """Print the length of every report below a folder, those that are published without one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "reports"
    for paper in sorted(root.glob("**/report.pdf")):
        words, pages = length_of(paper.parent)
        print(f"{paper.parent.name:<20}{words:>7,} words{pages:>4} pages")


if __name__ == "__main__":
    main()
