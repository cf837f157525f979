"""Trees of BattleScribe 1 as trees of format 2.

Format 1 calls entries, links and what limits them by other names, and holds points in an attribute.
"""

from __future__ import annotations

from balance.catalogue.battlescribe.xml_reading import Element

_NEW_NAMES = {
    "entries": "selectionEntries",
    "entry": "selectionEntry",
    "entryGroups": "selectionEntryGroups",
    "entryGroup": "selectionEntryGroup",
    "sharedEntries": "sharedSelectionEntries",
    "sharedEntryGroups": "sharedSelectionEntryGroups",
}
_PRICED_TAGS = ("selectionEntry", "selection", "roster")
_LINK_TYPES = {"entry": "selectionEntry", "entryGroup": "selectionEntryGroup"}
_NO_CATEGORY = "(No Category)"


def as_format_2(root: Element) -> Element:
    """Return a tree in format 2; one of format 1 is changed in place."""
    version = root.get("battleScribeVersion")
    old_parts = (*_NEW_NAMES, "links", "forceTypes")
    if not version.startswith("1.") and (version or not any(child.tag in old_parts for child in root.children)):
        return root
    stack: list[tuple[Element, str]] = [(root, "")]
    while stack:
        element, category = stack.pop()
        if element.tag == "category" and root.tag == "roster":
            category = element.get("name")
        stack += [(child, category) for child in element.children]
        _renew(element, root.tag, category)
    return root


def _renew(element: Element, root_tag: str, category: str) -> None:
    """Give an element of format 1 the tag, costs and lists of format 2, but not the elements in it."""
    element.tag = _NEW_NAMES.get(element.tag, element.tag)
    if element.tag == "category" and root_tag == "gameSystem":
        element.tag = "categoryEntry"
    if element.tag in _PRICED_TAGS and element.get("points"):
        _give(element, "costs", "cost", {"name": "pts", "typeId": "points", "value": element.get("points")})
    if default := element.get("defaultEntryId"):
        element.attributes["defaultSelectionEntryId"] = default
    if (minimum := element.get("minSelections")) and minimum != "0":
        limit = {"type": "min", "field": "selections", "scope": "parent", "value": minimum}
        _give(element, "constraints", "constraint", limit)
    if element.tag == "selection" and category and category != _NO_CATEGORY:
        _give(element, "categories", "category", {"name": category})
    elif (of_kind := element.get("categoryId")) not in ("", _NO_CATEGORY) and root_tag != "roster":
        _give(element, "categoryLinks", "categoryLink", {"targetId": of_kind})
    for child in [old_child for old_child in element.children if old_child.tag == "links"]:
        element.children.remove(child)
        _renew_links(element, child)


def _give(element: Element, holder: str, tag: str, attributes: dict[str, str]) -> None:
    element.children.append(Element(holder, {}, element.line, [Element(tag, attributes, element.line)]))


def _renew_links(element: Element, links: Element) -> None:
    """Separate links to entries from links to profiles and rules, which format 1 keeps in one list."""
    entries, infos = Element("entryLinks", {}, links.line), Element("infoLinks", {}, links.line)
    for link in links.children:
        kind = link.get("linkType")
        link.tag = "entryLink" if kind in _LINK_TYPES else "infoLink"
        link.attributes["type"] = _LINK_TYPES.get(kind, kind)
        (entries if kind in _LINK_TYPES else infos).children.append(link)
        _renew(link, "", "")
    element.children += [links_element for links_element in (entries, infos) if links_element.children]
