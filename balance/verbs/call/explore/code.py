"""A call of a verb as its user would write it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

WIDEST = 88
"""Letters of a line, up to which a call stays on one."""
INDENT = "    "


def call_text(verb: str, words: Sequence[str], options: Mapping[str, object]) -> str:
    """Return a call of `balance.VERB` as code: on one line where it fits, else with each option on its own.

    `words` are positional arguments; options that are None or empty are left out.

    >>> print(call_text("duel", ["toy", "scout", "giant"], {"set": {"a.health": "9"}, "first": "a", "choose": {}}))
    balance.duel("toy", "scout", "giant", set={"a.health": 9}, first="a")
    """
    texts = [literal(word) for word in words]
    options_by_name = {name: value for name, value in options.items() if value not in (None, "", {}, ())}
    short_options = [f"{name}={literal(value)}" for name, value in options_by_name.items()]
    line = f"balance.{verb}({', '.join([*texts, *short_options])})"
    if len(line) <= WIDEST:
        return line
    lines = [f"{INDENT}{', '.join(texts)},"]
    for name, value in options_by_name.items():
        lines += [f"{INDENT}{text}" for text in _option_lines(name, value)]
    return "\n".join([f"balance.{verb}(", *lines, ")"])


def _option_lines(name: str, value: object) -> list[str]:
    text = f"{name}={literal(value)},"
    if not isinstance(value, Mapping) or len(text) + len(INDENT) <= WIDEST:
        return [text]
    return [f"{name}={{", *(f"{INDENT}{literal(key)}: {literal(part)}," for key, part in value.items()), "},"]


def literal(value: object) -> str:
    """Return a value as Python writes it; a text that says a number or a truth value as what it says.

    >>> literal({"a.health": "9", "a.bold": "true", "rules.faces": "0-9", "a.effects": ("emp",)})
    '{"a.health": 9, "a.bold": True, "rules.faces": "0-9", "a.effects": ["emp"]}'
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(key)}: {literal(part)}' for key, part in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(json.dumps(part, ensure_ascii=False) for part in value)}]"
    if isinstance(value, str):
        plain = {"true": "True", "false": "False"}.get(value, "")
        number = value if value.isdecimal() and str(int(value)) == value else ""
        return plain or number or json.dumps(value, ensure_ascii=False)
    return repr(value)
