"""A `Document` as one HTML file that needs nothing else: no link, no font, no script from outside.

Styles, the few lines of script and the pictures are inside; a content security policy names them by their hashes and
forbids the rest. Without script the page loses only sorting and the read-out of heat maps. Every string is escaped by
the template engine.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Document
from balance.reporting.figures.theme import DARK, LIGHT, STEPS, Theme, swatches
from balance.reporting.page.model import as_model

if TYPE_CHECKING:
    from jinja2 import Template

POLICY = "CONTENT-SECURITY-POLICY"
"""What a template says in the place of the policy, which is known only when the page is whole."""
_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)


def render_html(document: Document) -> str:
    """Return the report as the text of one HTML file; the same document gives the same text."""
    from markupsafe import Markup

    model = as_model(document)
    model["facts_rows"] = model.pop("facts")
    page = template("report.html.j2").render(model, steps=range(STEPS), colours=Markup(_colours())) + "\n"
    return with_policy(page, "img-src data:")


def with_policy(page: str, *more: str, script_sources: str = "") -> str:
    """Return a page with a content security policy in the place of `POLICY`, which allows what is in it and no more.

    Scripts and styles are named by the hashes of their texts, so that no other runs, however it came into the page.
    `more` are further directives, such as "img-src data:"; `script_sources` further sources of scripts, such as "blob:"
    for what the page makes as it runs.

    >>> print(with_policy(f'<meta content="{POLICY}"><style>a</style><script>1</script>'))  # doctest: +ELLIPSIS
    <meta content="default-src 'none'; ...style-src 'sha256-ypeBEsob...'; script-src 'sha256-a4ayc/80...'">...
    """
    rules = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
    for kind, pattern in (("style-src", _STYLE), ("script-src", _SCRIPT)):
        hashes = dict.fromkeys(_hash(text) for text in pattern.findall(page))
        rules.append(f"{kind} {' '.join(hashes)}")
    rules[-1] = f"{rules[-1]} {script_sources}".rstrip()
    return page.replace(POLICY, "; ".join([*rules, *more]), 1)


def _hash(text: str) -> str:
    """Return the source expression of a script or style in a policy, its sha256 in base64."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def template(name: str, package: str = "balance.reporting.page") -> Template:
    """Return a compiled template of a package's folder `templates`; an undefined name in it is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader(package, "templates")
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    return environment.get_template(name)


def _colours() -> str:
    """Return the style rules that carry colours, for light and for dark."""
    return both_schemes(_scheme(LIGHT, "light"), _scheme(DARK, "dark"))


def both_schemes(light: str, dark: str) -> str:
    """Return style rules: `light`, and `dark` in a media query for screens that prefer it."""
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}"


def page_colours(theme: Theme, name: str) -> str:
    """Return the style rule with the colours of the page; `name`, `light` or `dark`, sets `color-scheme` too."""
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


def plain_colours() -> str:
    """Return the style rules with the colours of a page itself, for light and for dark."""
    return both_schemes(page_colours(LIGHT, "light"), page_colours(DARK, "dark"))


def _scheme(theme: Theme, name: str) -> str:
    rules = [page_colours(theme, name)]
    rules += [f".{key}{{--tone:{tone.ink};--ground:{tone.ground}}}" for key, tone in theme.tones.items()]
    for palette in ("sequential", "diverging"):
        for step, tone in enumerate(swatches(palette, name)):
            rules.append(f".{palette} .q{step}{{background:{tone.ground};color:{tone.ink}}}")
    return "\n".join(rules)
