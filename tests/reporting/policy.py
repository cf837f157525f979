"""What a page lets run: its content security policy held against the scripts and styles that a parser finds in it."""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser


class _Inside(HTMLParser):
    """Keeps the policies of a page, its tags, and the texts of its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.policies: list[str] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.attributes: list[tuple[str, str, str]] = []
        self.begun: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in told.items()]
        if told.get("http-equiv", "").lower() == "content-security-policy":
            assert not any(self.texts.values()), "the policy comes before all that it rules"
            self.policies.append(told["content"])
        data = tag == "script" and told.get("type") == "application/json"
        if tag in self.texts and not data:
            self.texts[tag].append("")
            self.begun.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.begun and self.begun[-1] == tag:
            self.begun.pop()

    def handle_data(self, data: str) -> None:
        if self.begun:
            self.texts[self.begun[-1]][-1] += data


def check_policy(page: str, *more: str) -> None:
    """Assert that a page runs its own scripts and styles, named by their hashes, and nothing else whatsoever."""
    inside = _Inside(page)
    (policy,) = inside.policies
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    for kind, texts in (("script-src", inside.texts["script"]), ("style-src", inside.texts["style"])):
        assert len(texts) == 1
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        assert rules[kind] == [f"'sha256-{each}'" for each in hashes]
    others = {name: words for name, words in rules.items() if name not in ("script-src", "style-src")}
    expected = {"default-src": ["'none'"], "base-uri": ["'none'"], "form-action": ["'none'"]}
    assert others == expected | {rule.split()[0]: rule.split()[1:] for rule in more}
    assert "unsafe" not in policy
    for tag, name, value in inside.attributes:
        assert not name.startswith("on") and name not in ("style", "srcdoc"), (tag, name)
        assert not value.lower().lstrip().startswith("javascript:"), (tag, name)
