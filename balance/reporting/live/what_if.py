"""The page about two cards: what can be turned, and every answer it holds, in one file.

The answers were worked out beforehand by the questions themselves, so that the page needs no rule of any game: its
script only looks them up. Where it holds none, it says the command that tells it.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

from balance.analysis.what_if.answers import Turns, WhatIf, shown_columns
from balance.analysis.what_if.dials import Dial, Setting
from balance.base.numbers import show_count
from balance.catalogue import show_value
from balance.game.question.sentence import names_of
from balance.reporting.live.runtime import TEMPLATES, packed
from balance.reporting.page.html import plain_colours, template, with_policy


def what_if_page(held: WhatIf, version: str) -> str:
    """Return the text of one HTML file; the same answers give the same text. `version` is for its foot."""
    from markupsafe import Markup

    question = next(iter(held.turns.values())).question
    game, names = question.game, list(names_of(question).values())
    scripts = [Markup(template(name, TEMPLATES).render()) for name in ("live.js", "what_if.js")]
    places = list(enumerate(held.dials))
    page = template("what_if.html.j2", TEMPLATES).render(
        colours=Markup(plain_colours()),
        style=Markup(template("live.css", TEMPLATES).render()),
        script=Markup("\n").join(scripts),
        title=f"What if? {' against '.join(names)}",
        sides=[(name, [pair for pair in places if pair[1].side == side]) for side, name in enumerate(names)],
        around=[pair for pair in places if pair[1].side is None and pair[1].group != "rules"],
        rules=[pair for pair in places if pair[1].group == "rules"],
        texts=[[show_value(value) for value in dial.values] for dial in held.dials],
        kinds=[(kind, _title(turns), turns.question.kind) for kind, turns in held.turns.items()],
        held=packed(json.dumps(_data(held, names), separators=(",", ":")).encode()),
        measures={kind: _measures(turns, names) for kind, turns in held.turns.items()},
        n_answers=show_count(held.n_answers),
        facts=f"{game.definition.title}, catalogue {game.catalogue_text}, rules {game.catalogue.rules_version}",
        version=version,
    )
    return with_policy(page + "\n")


def _title(turns: Turns) -> str:
    """Return the heading of the answers to a kind of question, such as a duel."""
    return turns.question.kind.name.replace("_", " ").capitalize()


def _data(held: WhatIf, names: list[str]) -> dict[str, Any]:
    return {
        "dials": [_dial(dial) for dial in held.dials],
        "kinds": {kind: _kind(turns, names) for kind, turns in held.turns.items()},
    }


def _dial(dial: Dial) -> dict[str, Any]:
    """Return what the script knows of a dial: how it is named in links, its values, and what it sets in a command."""
    return {
        "key": dial.key,
        "label": dial.label,
        "form": dial.form,
        "texts": [show_value(value) for value in dial.values],
        "base": dial.base,
        "option": dial.option,
        "sets": {
            kind: {"group": control.group, "path": control.path, "several": _several(dial, control.value)}
            for kind, control in dial.controls.items()
        },
    }


def _several(dial: Dial, value: object) -> list[str] | None:
    return list(map(str, value)) if dial.option and isinstance(value, tuple) else None


def _kind(turns: Turns, names: list[str]) -> dict[str, Any]:
    question, kind = turns.question, turns.question.kind
    game = question.game
    return {
        "command": f"balance {kind.name} {game.typed(elsewhere=True)} {shlex.join(question.entrants)}",
        "set": list(question.changes),
        "measures": dict(_measures(turns, names)),
        "share": bool(kind.winners),
        "results": {"draw": "draw", **dict(zip(kind.sides, (f"{name} wins" for name in names), strict=True))},
        "columns": {name: _called(turns, name) for name in kind.columns},
        "meanings": {name: column.meaning for name, column in kind.columns.items()},
        "read": sorted(turns.read),
        "answers": turns.answers,
        "places": {_key(setting): place for setting, place in turns.places.items()},
        "forbidden": {_key(setting): reason for setting, reason in turns.forbidden.items()},
    }


def _called(turns: Turns, name: str) -> str:
    """Return the displayed name of a column, with the side it belongs to."""
    kind = turns.question.kind
    column = kind.columns[name]
    if column.side:
        return f"{column.called or column.of.replace('_', ' ')}, {names_of(turns.question)[column.side]}"
    return column.called or name.replace("_", " ")


def _measures(turns: Turns, names: list[str]) -> list[tuple[str, str]]:
    """Return (column, displayed name) of each number that steps can be valued in; column "" is the chance to win."""
    kind = turns.question.kind
    shown = shown_columns(kind)
    amounts = [name for name, column in kind.columns.items() if not column.names and name not in shown]
    means = [(name, f"{_called(turns, name)}, on average") for name in [*shown, *amounts]]
    return [("", f"{names[0]} wins"), *means] if kind.winners else means


def _key(setting: Setting) -> str:
    return ",".join(f"{place}:{value}" for place, value in setting)
