"""How the file of an adventure was read, piece by piece, for `balance check FILE --explain`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from balance.base.errors import BalanceError, comma_list
from balance.base.numbers import show_many
from balance.base.readings import FileReading, Reading
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.catalogue.tables.files import read_text
from balance.game.kit.drawings import Cell, Line, without_quotes
from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.adventure import COUNTRYSIDE, GRID, Blazon
from balance.games.battlelore.adventure.map.files import MOST_ADVENTURE_BYTES
from balance.games.battlelore.adventure.map.force_lines import Draft, hexes_of
from balance.games.battlelore.adventure.map.reading import ALSO, KEYS, LETTERS, Sheet, read_sheet
from balance.games.battlelore.sides import parse_fighter
from balance.games.battlelore.tables import Terrain

EDGES = ("A", "I")
"""The rows at the edges of both sides."""
LORE_TEXT = {"yes": "played with Lore: tokens, Lore cards and councils", "no": "played without Lore"}
MASTERS_TEXT = {
    "yes": "Lore Masters of level 3 bring their landmarks",
    "no": "Lore Masters bring no landmarks",
}


def adventure_reading(path: Path, catalogue: Catalogue) -> FileReading:
    """Return how every line, unit, hex and letter of an adventure's file was read."""
    sheet = read_sheet(read_text(path, MOST_ADVENTURE_BYTES), str(path), catalogue)
    readings = sorted(_pieces(sheet, catalogue), key=lambda pair: pair[0])
    summary = f"{sheet.values.get('title') or path.stem}, {' against '.join(map(_force_text, sheet.drafts))}"
    pieces = tuple(reading for _, reading in readings)
    return FileReading("adventure", summary, pieces, tuple(_notes(sheet)), tuple(sheet.faults))


def _force_text(draft: Draft) -> str:
    return f"{draft.name} with {show_many(len(draft.units), 'unit')}"


def _pieces(sheet: Sheet, catalogue: Catalogue) -> Iterator[tuple[int, Reading]]:
    """Yield the number of a line and how it was read, unsorted."""
    for line in sheet.parts.header:
        text = without_quotes(line.text, sheet.cut)
        yield line.number, Reading(f"line {line.number}", text, _header_meaning(sheet, line, text))
    for row, cells in enumerate(sheet.cells):
        if cells:
            where = f"line {cells[0].line}, row {chr(ord('A') + row)}"
            letters = "".join(cell.letter for cell in cells)
            yield cells[0].line, Reading(where, letters, _row_meaning(row, cells, catalogue))
    for name, lines in sheet.parts.blocks.items():
        draft = next((draft for draft in sheet.drafts if draft.name == name), None)
        for line in lines:
            text = without_quotes(line.text, sheet.cut)
            meaning = "nothing: its block has no name of a force"
            if draft is not None:
                meaning = _units_meaning(sheet, draft, line, catalogue)
            elif name in ALSO:
                meaning = _also_meaning(sheet, line, catalogue)
            yield line.number, Reading(f"line {line.number}", text, meaning)


# -- the header --------------------------------------------------------------------------------------------------------


def _header_meaning(sheet: Sheet, line: Line, text: str) -> str:
    word, _, value = text.partition(":")
    key = KEYS.get(slug(word))
    if key in ("title", "note"):
        return "what it is called" if key == "title" else "a note for people; nothing is read in it"
    if key == "lore":
        return LORE_TEXT[sheet.values["lore"]]
    if key == "masters":
        return MASTERS_TEXT[sheet.values["masters"]]
    if key == "first":
        is_known = any(draft.name == slug(value) for draft in sheet.drafts)
        return f"{sheet.drafts[sheet.first].name} begins" if is_known else "not known: no force has that name"
    side = next((side for side, draft in enumerate(sheet.drafts) if draft.row == line.number), None)
    return "not read" if side is None else _force_meaning(sheet.drafts[side], side)


def _force_meaning(draft: Draft, side: int) -> str:
    amounts = draft.amounts
    parts = [f"side {'ab'[side]}, whose edge is row {EDGES[side]}", draft.camp or "no camp"]
    if "banners" in amounts:
        parts.append(f"wins with {show_many(amounts['banners'], 'banner')}")
    if "cards" in amounts:
        parts.append(f"holds {show_many(amounts['cards'], 'command card')}")
    parts += [f"{member} of level {level}" for member, level in draft.council.items()]
    if "tokens" in amounts:
        parts.append(f"begins with {amounts['tokens']} Lore")
    return "; ".join(parts)


# -- the drawing -------------------------------------------------------------------------------------------------------


def _row_meaning(row: int, cells: Sequence[Cell], catalogue: Catalogue) -> str:
    """Return which terrain each hex of a row was read as, neighbours of one terrain together."""
    numbered = list(enumerate(cells))
    texts = []
    for letter, group in groupby(numbered, key=lambda pair: pair[1].letter):
        places = [place for place, _ in group]
        names = [cell_name(GRID.cell(row, place)) for place in (places[0], places[-1])]
        where = names[0] if len(places) == 1 else f"{names[0]} to {names[1]}"
        texts.append((letter, f"{where} {_terrain_name(catalogue, LETTERS.get(letter, ''))}"))
    if all(letter == "." for letter, _ in texts):
        return f"{show_many(len(cells), 'hex', 'hexes')} of countryside"
    others = "; ".join(text for letter, text in texts if letter != ".")
    return f"{others}; the rest is countryside" if any(letter == "." for letter, _ in texts) else others


def _terrain_name(catalogue: Catalogue, terrain: str) -> str:
    terrains = catalogue.entries(Terrain)
    return terrains[terrain].name.casefold() if terrain in terrains else "no terrain"


# -- units and hexes ---------------------------------------------------------------------------------------------------


def _units_meaning(sheet: Sheet, draft: Draft, line: Line, catalogue: Catalogue) -> str:
    """Return which units a line of a force deploys in which hexes, in words."""
    places, text = hexes_of(line, sheet.cut, "", [])
    try:
        unit = parse_fighter(catalogue, text)
    except BalanceError:
        return f"at {comma_list(place.text.upper() for place in places) or 'no hex'}: no unit that is known"
    count, names = show_many(len(places), "unit"), comma_list(cell_name(place.cell) for place in places)
    colour, figures = f"{unit.unit.colour} {unit.unit.kind}", show_many(unit.unit.figures, "figure")
    race = "" if unit.is_creature else f"{unit.race.name.casefold()}, "
    return f"{count} of {draft.name} at {names}: {race}{colour} with {unit.weapon.name.casefold()}, {figures}"


def _also_meaning(sheet: Sheet, line: Line, catalogue: Catalogue) -> str:
    """Return what a line below `also:` says of its hexes, in words."""
    texts = []
    for place in hexes_of(line, sheet.cut, "", [])[0]:
        name = cell_name(place.cell)
        if "belong" in line.text.casefold() or "appartien" in line.text.casefold():
            side = sheet.extras.owners.get(place.cell)
            texts.append(f"what stands at {name} belongs to {sheet.drafts[side].name}" if side is not None else "")
        elif "banner" in line.text.casefold() or "vittori" in line.text.casefold():
            texts += [_blazon_meaning(sheet, blazon) for blazon in sheet.extras.blazons if blazon.cell == place.cell]
        elif terrains := sheet.extras.terrain.get(place.cell):
            names = [_terrain_name(catalogue, terrain) for terrain in terrains if terrain != COUNTRYSIDE]
            texts.append(f"{name} is {comma_list(names) or 'countryside'} too")
    return "; ".join(filter(None, texts)) or "nothing that is known"


def _blazon_meaning(sheet: Sheet, blazon: Blazon) -> str:
    name, side = cell_name(blazon.cell), sheet.drafts[blazon.side].name
    how = f"while a unit of {side} stands there" if blazon.held else "once, when a unit of it is there first"
    return f"{name} is worth {show_many(blazon.banners, 'banner')} to {side}, {how}"


def _notes(sheet: Sheet) -> Iterator[str]:
    """Yield a sentence for each part that the file leaves out, with its default."""
    written = {word.text.partition(":")[0].strip().casefold() for word in sheet.parts.header}
    if "lore" not in written:
        yield "Whether it is played with Lore is not written: it is played without."
    if any("red_foot" in unit.unit and "+" not in unit.unit for draft in sheet.drafts for unit in draft.units):
        yield "Red foot whose weapon is not written has a short sword (rules.heavy_infantry_weapon, BL-Q06)."
