"""The gallery of pages to open and touch: each is made by one call, for the site, for its picture, and for its test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import balance
from balance.game.authoring.new_file import TEMPLATES, template_kinds
from tests.docs.pages import DOCS, ROOT

PAGE = "live-pages.md"
FOLDER = "live"
"""Where they lie in the site."""
ANSWERED = "body[data-answered]"
"""What is there once a page has answered."""
HEAD = """# Interactive pages

The pages that `balance` writes for others are single files. Each opens from a disk or from any host, works offline, by
keyboard and on a phone, in light and dark. `make docs` builds the pages below for this site; the command under each
makes the same page from your own cards. The reference says [how they work](reference/pages.md).

"""
LISTED = """## Every kind of game

The page of every game in [the gallery](reference/gallery.md), and that of a shipped game whose attacks can be said in
steps (`balance page warforged`):

<ul>
{links}</ul>
"""
EXPLORE = """## Sliders in a notebook

`balance.duel(...).explore()` shows the same while you work, with the Python call for the answer shown:
[the same in Python](tutorial/in-python.md).

![Sliders over two cards in a notebook](images/explore.png)
"""


@dataclass(frozen=True)
class LivePage:
    """A page of the gallery.

    Attributes
    ----------
    name
        Its folder in the site, and the name of its picture.
    title, about, command
        What it is, in a few words and in a sentence, and what writes it.
    make
        Writes it: the file -> anything.
    answers
        Whether it answers, and says so by `ANSWERED`.
    is_listed
        Whether it stands in a list, without a section and a picture of its own.
    """

    name: str
    title: str
    about: str
    command: str
    make: Callable[[Path], object]
    answers: bool = False
    is_listed: bool = False

    @property
    def picture(self) -> Path:
        """Its picture."""
        return DOCS / "images" / f"live-{self.name}.png"


def _game(kind: str, file: Path) -> object:
    return balance.page(str(TEMPLATES / f"{kind}.toml"), out=file, quiet=True)


def _shipped(file: Path) -> object:
    return balance.page("warforged", out=file, quiet=True)


def _two_cards(file: Path) -> object:
    sides = ("nexus+shotgun", "trooper+shotgun")
    return balance.page("warforged", *sides, file, kinds="attack,duel", answers=400, quiet=True)


def _bow(file: Path) -> object:
    return balance.page("battlelore", "green_foot+common_bow", "blue_foot", file, answers=400, quiet=True)


def _dice(file: Path) -> object:
    file.parent.rmdir()
    return balance.dice("3d6 keep 2", "2d8", page=file.parent, quiet=True)


def _adventure(file: Path) -> object:
    return balance.replay("battlelore", "battle", "agincourt", page=file, quiet=True)


def _battle(file: Path) -> object:
    sides = ("random:150", "random:150")
    return balance.replay(
        "warforged", "battle", *sides, trial=17, set={"situation.map": "walls"}, page=file, quiet=True
    )


def _comparison(file: Path) -> object:
    study, patch = DOCS / "examples" / "six.toml", DOCS / "examples" / "shotgun.toml"
    result = balance.compare(study, patch=patch, out=file.parent, format="html", quiet=True)
    shutil.rmtree(file.parent / "blocks", ignore_errors=True)  # not there where all was worked out before
    (file.parent / ".lock").unlink(missing_ok=True)
    return result


def _reports(file: Path) -> object:
    return shutil.copytree(ROOT / "reports", file.parent, dirs_exist_ok=True)


LIVE_PAGES = (
    LivePage(
        "game",
        "A whole game",
        "A game file on one page: change any number, keyword or rule, and see what an attack does, when the other is"
        " out and who wins, of two units and of all, before and after.",
        "balance page iron_and_dust.toml",
        partial(_game, "hit-wound-save"),
        answers=True,
    ),
    LivePage(
        "two-cards",
        "What if: two cards",
        "A slider for every number of two cards, switches for abilities: the odds of an attack and who wins a duel,"
        " before and after, and what each next step is worth.",
        "balance page warforged nexus+shotgun trooper+shotgun --kinds attack,duel --answers 400",
        _two_cards,
        answers=True,
    ),
    LivePage(
        "bow",
        "What if: another game",
        "The same for a bow and its target in BattleLore: the controls follow from what the game declares.",
        "balance page battlelore green_foot+common_bow blue_foot --answers 400",
        _bow,
        answers=True,
    ),
    LivePage(
        "dice",
        "Odds of your own dice",
        "Type expressions of [the language of dice](reference/dice.md) and see their exact odds in one picture, in a"
        " page that carries the program itself.",
        "balance dice '3d6 keep 2' 2d8 --page odds",
        _dice,
        answers=True,
    ),
    LivePage(
        "comparison",
        "Before and after a change",
        "A change of one card, to read together on a call: which of six loadouts it affects, how much and why"
        " (`six.toml` and `shotgun.toml` are in `docs/examples`).",
        "balance compare six.toml --patch shotgun.toml --out before-after",
        _comparison,
    ),
    LivePage(
        "reports",
        "Reports",
        "The published reports of all games: verdicts on every price, what to change, match-ups; each chart shows its"
        " numbers, and each table can be saved as a file.",
        "balance report warforged",
        _reports,
    ),
    LivePage(
        "adventure",
        "An adventure, turn by turn",
        "One game of Agincourt: orders, dice and flags on the board, step by step.",
        "balance replay battlelore battle agincourt --page agincourt.html",
        _adventure,
    ),
    LivePage(
        "battle",
        "A battle on a map",
        "Two random armies of Warforged among walls.",
        "balance replay warforged battle random:150 random:150 --map walls --trial 17 --page battle.html",
        _battle,
    ),
    LivePage(
        "warforged", "Warforged, one attack", "", "balance page warforged", _shipped, answers=True, is_listed=True
    ),
    *(
        LivePage(kind, kind, "", f"balance page {kind}.toml", partial(_game, kind), answers=True, is_listed=True)
        for kind in template_kinds()
    ),
)


def write() -> None:
    """Write the gallery anew."""
    (DOCS / PAGE).write_text(text(), "utf-8")


def text() -> str:
    """Return the gallery as it is now."""
    listed = [page for page in LIVE_PAGES if page.is_listed]
    links = "".join(f'<li><a href="{FOLDER}/{page.name}/index.html">{page.title}</a></li>\n' for page in listed)
    sections = [section(page) for page in LIVE_PAGES if not page.is_listed]
    return HEAD + "\n".join([*sections, LISTED.format(links=links), EXPLORE])


def section(page: LivePage) -> str:
    """Return what the gallery says of one page; it is opened in the site, where it lies beside."""
    link = f'<p><a href="{FOLDER}/{page.name}/index.html">Open it</a></p>'
    picture = f"![{page.title}]({page.picture.relative_to(DOCS)})"
    return f"## {page.title}\n\n{page.about}\n\n{picture}\n\n{link}\n\n    {page.command}\n"


def make_all(folder: Path) -> Iterator[Path]:
    """Make every page in a folder, unless it is there and no older than the code and the cards; yield its file.

    Parameters
    ----------
    folder
        Where each gets a folder of its own.
    """
    sources = [path for root in ("balance", "data", "reports") for path in (ROOT / root).rglob("*.*")]
    newest = max(path.stat().st_mtime for path in sources if "__pycache__" not in path.parts)
    for page in LIVE_PAGES:
        file = folder / page.name / "index.html"
        if not file.exists() or file.stat().st_mtime < newest:
            shutil.rmtree(file.parent, ignore_errors=True)
            file.parent.mkdir(parents=True)
            page.make(file)
            file.touch()
        yield file
