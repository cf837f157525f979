"""A `Document` as one HTML file that needs nothing else: no link, no font, no script from outside.

Styles, the few lines of script and the pictures are inside; a content security policy forbids the rest. Without script
the page loses only sorting and the read-out of heat maps. Every string is escaped by the template engine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from balance.report.document import Document
from balance.report.model import as_model
from balance.report.theme import DARK, LIGHT, STEPS, Theme, swatches

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["both_schemes", "page_colours", "render_html", "template"]


def render_html(document: Document) -> str:
    """Return the report as the text of one HTML file; the same document gives the same text.

    >>> from balance.report.document import Document, Paragraph
    >>> page = render_html(Document("Fair?", "", (Paragraph("**Yes** & no <b>"),)))
    >>> "<p><strong>Yes</strong> &amp; no &lt;b&gt;</p>" in page
    True
    """
    from markupsafe import Markup

    model = as_model(document)
    model["facts_rows"] = model.pop("facts")
    return template("report.html.j2").render(model, steps=range(STEPS), colours=Markup(_colours())) + "\n"


@cache
def template(name: str) -> Template:
    """Return a compiled template; a name it misses is an error, never an empty string."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("balance.report", "templates")
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=True).get_template(name)


def _colours() -> str:
    """Return the style rules that carry colours, for light and for dark."""
    return both_schemes(_scheme(LIGHT, "light"), _scheme(DARK, "dark"))


def both_schemes(light: str, dark: str) -> str:
    """Return style rules for light paper, and those that replace them on a dark screen."""
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}"


def page_colours(theme: Theme, name: str) -> str:
    """Return the style rule with the colours of a page itself."""
    root = {
        "color-scheme": name,
        "--page": theme.page.ground,
        "--ink": theme.page.ink,
        "--quiet": theme.quiet,
        "--rule": theme.rule,
        "--line": theme.rule,
        "--faint": theme.faint,
        "--accent": theme.accent,
    }
    return ":root{" + ";".join(f"{key}:{value}" for key, value in root.items()) + "}"


def _scheme(theme: Theme, name: str) -> str:
    rules = [page_colours(theme, name)]
    rules += [f".{key}{{--tone:{tone.ink};--ground:{tone.ground}}}" for key, tone in theme.tones.items()]
    for palette in ("sequential", "diverging"):
        for step, tone in enumerate(swatches(palette, name)):
            rules.append(f".{palette} .q{step}{{background:{tone.ground};color:{tone.ink}}}")
    return "\n".join(rules)
