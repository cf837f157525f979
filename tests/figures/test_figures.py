"""The figures are what they say: counted on a small checkout, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.figures import budgets, imports, running, surface, trees
from tests.figures.__main__ import LONGEST_FUNCTION, figures, rooms

ROOT = Path(__file__).parents[2]
TOP = '''"""A text.

Of three lines.
"""

from typing import Any

from balance.low import Low, low

Ints = Any  # a comment


class Chance:
    """Dice."""

    def pool(self, die: Ints, k: int, name: str) -> Ints:
        """Say nothing.

        At length.
        """
        return low(Low(1, b=2))
'''
LOW = "from balance.ground import ground\n\n\ndef low(a):\n    return ground\n"
MAIN = """import sys

def near():
    return [far(x) for x in (1, 2)]

def far(x):
    return x

def run():
    near()
    sys.exit(0)

far(0)
if __name__ == "__main__":
    run()
"""
INIT = """__all__ = ["load"]


class Game:
    def __repr__(self):
        return "Game('warforged')"


def load(name):
    return Game()
"""
CIRCLES = {
    "balance/__init__": "def __getattr__(name):\n    return import_module({'load': 'balance.exact.load'}[name])\n",
    "balance/exact/__init__": "from balance import __version__\n",
    "balance/exact/load": "def load():\n    from balance.exact import chain\n",
    "balance/exact/chain": "import balance\n\nprint(balance.load)\n",
    "balance/exact/course": "import balance as toolkit\n\nprint(toolkit.__version__)\n",
    "balance/exact/types": "from balance.exact.uses import use\n",
    "balance/exact/uses": "if TYPE_CHECKING:\n    from balance.exact import types\nfrom balance.exact import load\n",
}
CIRCLE = ["balance", "balance.exact.chain", "balance.exact.load"]
SECTION = '"""Say it.\\n\\nParameters\\n----------\\na, b\\n    Two numbers.\\n"""'
LIST = 'VERBS = [VerbEntry("cli.show:a", "A."), VerbEntry("cli.server.serve:serve", "S."), VerbEntry("show:b", "B.")]\n'
DEFINITIONS = f"""
def load(a, b):
    {SECTION}
    def inner(a):
        {SECTION}

def short(a):
    '''Take the Parameters a.'''

def plain(a, b):
    {SECTION}

class Public:
    {SECTION}
    def method(self, a, b):
        {SECTION}
    def _private(self, a, b):
        {SECTION}

class _Hidden:
    def method(self, a, b):
        {SECTION}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {"top": TOP, "low": LOW, "ground": "ground = 1\n", "__main__": MAIN, "__init__": INIT}
    return written(tmp_path, {f"balance/{name}": text for name, text in files.items()})


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_answers_told_the_old_way_are_those_that_make_a_result_themselves(tmp_path: Path) -> None:
    old = "def ask():\n    return Result('ask', 1, screen, document, frames, sentence)\n"
    new = "def price():\n    return as_result('price', 1, WORDS, terms)\n"
    texts = {
        "balance/verbs/old": old,
        "balance/verbs/new": new,
        "balance/cli/old": old,
        "balance/verbs/verb_list": LIST,
    }
    old_places = ["balance/verbs/old.py:2", "balance/verbs/verb_list.py:1"]
    assert surface.old_answers(trees.modules(written(tmp_path, texts))) == old_places


def test_lines_are_those_of_code(checkout: Path) -> None:
    counts = {module.name: trees.code_lines(module) for module in trees.modules(checkout)}
    assert counts == {"balance": 6, "balance.__main__": 11, "balance.ground": 1, "balance.low": 3, "balance.top": 6}


def test_a_function_is_as_long_as_what_it_does(checkout: Path) -> None:
    lengths = {where.split()[-1]: length for length, where in trees.function_lengths(trees.modules(checkout))}
    assert lengths == {"pool": 1, "low": 1, "near": 1, "far": 1, "run": 2, "__repr__": 1, "load": 1}


def test_an_entry_is_a_module_or_a_package(tmp_path: Path) -> None:
    assert surface.entries(trees.modules(written(tmp_path, CIRCLES))) == {"balance": 1, "balance/exact": 5}


def test_a_circle_leads_through_functions_and_names_found_on_first_use(tmp_path: Path) -> None:
    """But not through types, nor through a package that is asked for a module or its version alone."""
    graph = imports.import_graph(trees.modules(written(tmp_path, CIRCLES)))
    assert graph == {
        "balance": {"balance.exact.load"},
        "balance.exact": set(),
        "balance.exact.load": {"balance.exact.chain"},
        "balance.exact.chain": {"balance"},
        "balance.exact.course": set(),
        "balance.exact.types": {"balance.exact.uses"},
        "balance.exact.uses": {"balance.exact.load"},
    }
    assert imports.circles(graph) == [CIRCLE]


def test_a_circle_may_lead_through_types(tmp_path: Path) -> None:
    graph = imports.import_graph(trees.modules(written(tmp_path, CIRCLES)), types=True)
    assert graph["balance.exact.uses"] == {"balance.exact.load", "balance.exact.types"}
    assert imports.circles(graph) == [CIRCLE, ["balance.exact.types", "balance.exact.uses"]]


def test_circles_come_by_size() -> None:
    graph = {"a": {"b"}, "b": {"a"}, "c": {"d", "a"}, "d": {"e"}, "e": {"c"}, "f": {"a", "c"}}
    assert imports.circles(graph) == [["c", "d", "e"], ["a", "b"]]


@pytest.mark.parametrize(
    ("file", "outside"),
    [
        ("analysis/doc", {"load.inner", "plain", "Public", "Public.method", "Public._private", "_Hidden.method"}),
        ("verbs/doc", {"load.inner", "plain", "Public", "Public.method", "Public._private", "_Hidden.method"}),
        ("cli/doc", {"load", "load.inner", "plain", "Public", "Public.method", "Public._private", "_Hidden.method"}),
        ("game/kit/doc", {"load.inner", "Public._private", "_Hidden.method"}),
        ("game/authoring/doc", {"load.inner", "Public._private", "_Hidden.method"}),
        ("game/doc", {"load.inner", "plain", "Public", "Public.method", "Public._private", "_Hidden.method"}),
        ("chance/pmf/doc", {"load.inner", "plain", "Public._private", "_Hidden.method"}),
        ("game/authoring/template/doc", set()),
    ],
)
def test_parameters_are_explained_to_whoever_is_outside(checkout: Path, file: str, outside: set[str]) -> None:
    """What `balance.__all__` names, what games are written with, classes of chance; elsewhere they are for nobody."""
    code = trees.modules(written(checkout, {f"balance/{file}": DEFINITIONS}))
    assert {place.split()[-1] for place in surface.parameter_sections(checkout, code)} == outside


def test_methods_of_a_class_that_balance_offers_are_public(checkout: Path) -> None:
    files = {"__init__": '__all__ = ["Public"]', "analysis/doc": DEFINITIONS}
    code = trees.modules(written(checkout, {f"balance/{name}": text for name, text in files.items()}))
    places = surface.parameter_sections(checkout, code)
    assert [place.split()[-1] for place in places] == [
        "load",
        "load.inner",
        "plain",
        "Public._private",
        "_Hidden.method",
    ]
    assert places[0] == "balance/analysis/doc.py:2 load"


@pytest.mark.parametrize("public", ["Public", "Special", "MoreSpecial"])
def test_what_a_package_offers_to_games_is_public_with_its_bases(checkout: Path, public: str) -> None:
    bases = "class Special(Public, Generic[T]):\n    pass\n\nclass MoreSpecial(Special):\n    pass\n"
    files = {"game/__init__": f'__all__ = ["plain", "{public}"]', "game/doc": DEFINITIONS + bases, "low": DEFINITIONS}
    code = trees.modules(written(checkout, {f"balance/{name}": text for name, text in files.items()}))
    places = surface.parameter_sections(checkout, code)
    within = [place.split()[-1] for place in places if place.startswith("balance/game/")]
    assert within == ["load.inner", "Public._private", "_Hidden.method"]
    assert sum(place.startswith("balance/low.py:") for place in places) == 6


def test_a_typed_dict_may_extend_another_or_be_called(tmp_path: Path) -> None:
    files = {
        "balance/a": "class Base(TypedDict, total=False):\n    x: int\n\nclass Other(dict):\n    pass\n",
        "balance/c": 'Span = TypedDict("Span", {"from": str})\n',
        "balance/b": "import a\n\nclass Far(Near):\n    z: int\n\nclass Near(a.Base):\n    y: int\n",
    }
    assert trees.typed_dicts(trees.modules(written(tmp_path, files))) == ["Base", "Far", "Near", "Span"]


def test_lines_of_pages_are_those_of_scripts_styles_and_templates(tmp_path: Path) -> None:
    """Without blanks and comments; data and documents are no code."""
    files = {
        "page.js": "/* A text\nof two lines. */\nlet a = 1; // one\n\n// a comment\n  draw(a);\n",
        "page.css": "a { color: red }\n/* b */\n",
        "page.html.j2": "{# A text\nof two lines. #}\n<p>{{ text }}</p>\n<!-- a comment -->\n",
        "page.typ": "// a comment\n#set page()\n",
        "cards.csv": "id,cost\na,1\n",
    }
    (tmp_path / "balance").mkdir()
    for name, text in files.items():
        (tmp_path / "balance" / name).write_text(text, "utf-8")
    assert trees.page_lines(tmp_path) == 2 + 1 + 1 + 1


def test_what_documents_and_notebooks_import(checkout: Path) -> None:
    cells = [{"cell_type": "code", "source": ["import balance\n", "from balance.analysis.luck import run"]}]
    for folder in ("docs/how-to", "notebooks"):
        (checkout / folder).mkdir(parents=True)
    (checkout / "README.md").write_text(">>> import balance\n>>> import balance.chance.pmf\n", "utf-8")
    (checkout / "docs/how-to/dice.md").write_text("    from balance.chance.dice.exact.expressions import x\n", "utf-8")
    (checkout / "notebooks/one.ipynb").write_text(json.dumps({"cells": cells}), "utf-8")
    assert surface.deep_imports(checkout) == [
        "balance.analysis.luck",
        "balance.chance.dice.exact.expressions",
        "balance.chance.pmf",
    ]
    assert surface.public_names(checkout) == ["load"]


def test_what_a_game_touches_of_the_toolkit(checkout: Path) -> None:
    top = trees.Module(checkout, checkout / "balance/top.py")
    assert trees.imports_of(top) == {"Low", "low"}
    assert trees.slots_of(top) == {"Low[0]", "Low.b"}


def test_a_command_passes_what_is_called_after_its_modules_are_loaded(checkout: Path) -> None:
    assert running.attack_path(checkout) == (1, 3, False)
    assert 0 < running.cpu_seconds(checkout, runs=1) < 5
    assert running.repr_length(checkout) == len("Game('warforged')")


def test_rooms_of_a_checkout(checkout: Path) -> None:
    cli = {
        "balance/cli/__init__": "",
        "balance/cli/options": '"""A text."""\n\nclass Option(TypedDict):\n    name: str\n',
    }
    assert dict(rooms(trees.modules(written(checkout, cli)))) == {
        "modules": "7",
        "lines of the package": "56",
        "lines of cli + verbs + answers + reporting": "4",
        "entries of a package at most": "5 in balance",
        "packages of more than 12 entries": "0 of 2",
        "modules over 300 lines (the longest)": "0 (21, balance/top.py)",
        "import circles (modules in them)": "0 (0)",
        "circles when imports for types count (modules in them)": "0 (0)",
        "TypedDicts": "1",
    }


@pytest.mark.slow("test_rooms_of_a_checkout")
def test_figures_of_this_checkout() -> None:
    table = dict(figures(ROOT, count_tests=True))
    assert int(table["lines of code of balance/ (with scripts, styles, templates)"].replace(",", "")) > 10_000
    assert int(table["tests of the default run"].replace(",", "")) > 1_000


@pytest.mark.slow("test_a_function_is_as_long_as_what_it_does")
def test_no_function_of_balance_is_longer_than_a_page() -> None:
    lengths = trees.function_lengths(trees.modules(ROOT))
    assert [where for length, where in lengths if length > LONGEST_FUNCTION] == []


@pytest.mark.slow("test_a_circle_may_lead_through_types")
def test_no_modules_of_balance_import_each_other_even_for_types() -> None:
    assert imports.circles(imports.import_graph(trees.modules(ROOT), types=True)) == []


def test_no_room_of_balance_has_more_lines_than_it_may() -> None:
    assert budgets.over_budget(budgets.room_lines(trees.modules(ROOT)), budgets.budgets()) == []
