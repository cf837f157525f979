"""How Sphinx builds the documentation: `make docs`."""

import sys
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import balance  # noqa: E402 - found by the line above
from tests.docs import command_pages, live_pages, python_pages, schema_pages  # noqa: E402

project = "balance"
author = copyright = "The balance authors"
version = release = balance.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_title = "balance"
html_static_path: list[str] = []
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the same anchors as where the pages are read as files of a repository
default_role = "code"  # docstrings write `names` in single backticks
highlight_language = "text"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
python_maximum_signature_line_length = 88

MADE = {
    "commands": command_pages.commands_page,
    "kinds": command_pages.kinds_table,
    "verbs": python_pages.verbs_page,
    "tools": python_pages.tools_page,
    "schemas": schema_pages.schemas_page,
    "brief": schema_pages.brief_form,
}
"""What a comment of a page, such as `<!-- made: commands -->`, stands for; made anew for every build."""


def fill(app: Any, page: str, content: list[str]) -> None:
    """Put what is made from the code in the places that a page leaves for it."""
    for name, made in MADE.items():
        mark = f"<!-- made: {name} -->"
        if mark in content[0]:
            content[0] = content[0].replace(mark, made())


def head_examples(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Give examples their heading before the sections of a docstring are read."""
    python_pages.head_examples(lines)


def write_schemas(app: Any, error: Exception | None) -> None:
    """Put the schemas beside the page that tells of them."""
    for path, text in schema_pages.schema_files() if error is None and app.builder.format == "html" else ():
        file = Path(app.outdir, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def make_live_pages(app: Any, error: Exception | None) -> None:
    """Put the pages of the gallery beside the page that shows them."""
    if error is None and app.builder.format == "html":
        list(live_pages.make_all(Path(app.outdir, live_pages.FOLDER)))


def setup(app: Any) -> None:
    """Let pages be filled as they are read."""
    app.connect("source-read", fill)
    app.connect("build-finished", write_schemas)
    app.connect("build-finished", make_live_pages)
    app.connect("autodoc-process-docstring", head_examples, priority=400)  # sections are read at 500
    app.add_lexer("csv", TextLexer)
