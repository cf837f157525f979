"""The lines of an adventure below `also:`: what stands in a hex beside its letter, whose it is, what it is worth.

`D5 rampart`, `D5 belongs to english`, `D7 banner for english`, `E7 2 banners held by french`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from balance.base.errors import Fault, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue
from balance.game.kit.drawings import Line
from balance.games.battlelore.adventure.map.adventure import Blazon
from balance.games.battlelore.adventure.map.force_lines import Place, hexes_of
from balance.games.battlelore.tables import Terrain

_OWNER = re.compile(r"(?:belongs to|appartiene a(?:l|lla)?) (.+)")
_BLAZON = re.compile(r"(?:(\d{1,2}) )?(?:banners?|vittori[ae]) (for|held by|per|tenut[ae] da) (.+)")
TIP = "such as `D5 rampart`, `D5 belongs to SIDE`, `D5 banner for SIDE` or `D5 banner held by SIDE`"


@dataclass
class Extras:
    """What the lines below `also:` have added so far: terrains, owners and blazons by cell."""

    terrain: dict[int, list[str]] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    blazons: list[Blazon] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)


def read_also(
    lines: Sequence[Line], sides: Mapping[str, int], cut: str, location: str, catalogue: Catalogue, faults: list[Fault]
) -> Extras:
    """Return what the lines below `also:` say, and add to `faults`.

    `sides` maps the slug of a force's name to its side, `cut` separates the cells of the drawing, and `location` is the
    file.
    """
    extras = Extras()
    for line in lines:
        places, rest = hexes_of(line, cut, location, faults)
        for place in places:
            extras.places.setdefault(place.cell, place)
        words = " ".join(rest.split()).casefold()
        for place in places:
            faults += _entry_faults(extras, place, words, sides, location, catalogue)
    return extras


def _entry_faults(
    extras: Extras, place: Place, words: str, sides: Mapping[str, int], location: str, catalogue: Catalogue
) -> Iterator[Fault]:
    """Add what `words` say of one hex to `extras`, or yield what is wrong with it."""
    if match := _OWNER.fullmatch(words):
        yield from _owner_faults(extras, place, match[1], sides, location)
    elif match := _BLAZON.fullmatch(words):
        yield from _blazon_faults(extras, place, match, sides, location)
    else:
        yield from _terrain_faults(extras, place, words, location, catalogue)


def _owner_faults(extras: Extras, place: Place, name: str, sides: Mapping[str, int], location: str) -> Iterator[Fault]:
    if slug(name) not in sides:
        yield unknown(name, sides, "is no side", location, place.row, f"column {place.column}")
    elif place.cell in extras.owners:
        yield Fault("belongs to somebody already", location, place.row, f"column {place.column}", place.text)
    else:
        extras.owners[place.cell] = sides[slug(name)]


def _blazon_faults(
    extras: Extras, place: Place, match: re.Match[str], sides: Mapping[str, int], location: str
) -> Iterator[Fault]:
    column, banners, name = f"column {place.column}", int(match[1] or 1), match[3]
    side = sides.get(slug(name), -1)
    if side < 0:
        yield unknown(name, sides, "is no side", location, place.row, column)
    elif not banners:
        yield Fault("is worth no banner", location, place.row, column, place.text)
    elif any((blazon.cell, blazon.side) == (place.cell, side) for blazon in extras.blazons):
        yield Fault(f"is worth banners to {name} already", location, place.row, column, place.text)
    else:
        extras.blazons.append(Blazon(side, place.cell, banners, match[2] not in ("for", "per")))


def terrain_names(catalogue: Catalogue) -> Mapping[str, str]:
    """Return slug of the name or of the id of a terrain -> its id."""
    terrains = catalogue.entries(Terrain)
    return {slug(terrain.name): terrain.id for terrain in terrains.values()} | {name: name for name in terrains}


def _terrain_faults(extras: Extras, place: Place, words: str, location: str, catalogue: Catalogue) -> Iterator[Fault]:
    by_name = terrain_names(catalogue)
    for word in filter(None, (slug(part) for part in re.split(r"[,;\t]", words))):
        name = by_name.get(word)
        if name is None:
            fault = unknown(
                word, catalogue.entries(Terrain), "is no terrain", location, place.row, f"column {place.column}"
            )
            yield replace(fault, tip=fault.tip or TIP)
        elif name in extras.terrain.setdefault(place.cell, []):
            yield Fault("stands there twice", location, place.row, f"column {place.column}", word)
        else:
            extras.terrain[place.cell].append(name)
    if not words:
        yield Fault("says nothing of the hex", location, place.row, f"column {place.column}", place.text, tip=TIP)
