"""What quest rules lay on a map: wall tokens, fire, gates that open and close, story events; each written in a cell."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import AfterValidator

from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell

LAST_ROUND = 99


def parse_wall(text: str) -> tuple[str, str]:
    """Read a wall token, AREA/AREA: the two areas that it parts (IS-TERR.7); raise BadCell if they are not two.

    >>> parse_wall("Village 2 / village_6")
    ('village_2', 'village_6')
    """
    areas = tuple(slug(area) for area in text.split("/"))
    if len(areas) != 2 or not all(areas) or areas[0] == areas[1]:
        raise BadCell("is not a wall", allowed="the two areas that it parts, such as village_2/village_6")
    return areas[0], areas[1]


def parse_fire(text: str) -> tuple[str, int]:
    """Read a fire token of an area: where it lies, and its side, 1 or 2 (IS-FIRE.3).

    >>> parse_fire("village_3:2")
    ('village_3', 2)
    """
    area, side = (part.strip() for part in text.partition(":")[::2])
    if not slug(area) or side not in ("1", "2"):
        raise BadCell("is not a fire token", allowed="AREA:1 or AREA:2, such as village_3:2 for Fire II")
    return slug(area), int(side)


class Opening(NamedTuple):
    """The rounds in which a spawn gate is open, both ends included (IS-SPAWN.5)."""

    area: str
    first: int
    last: int


def parse_opening(text: str) -> Opening:
    """Read when a gate is open, AREA@ROUND or AREA@FIRST-LAST; without a last round it stays open.

    >>> parse_opening("village_4@3"), parse_opening("village_4@1-4")
    (Opening(area='village_4', first=3, last=99), Opening(area='village_4', first=1, last=4))
    """
    area, rounds = (part.strip() for part in text.partition("@")[::2])
    first, dash, last = (part.strip() for part in rounds.partition("-"))
    numbers = [
        int(part) if part.isdecimal() and len(part) < 3 else 0 for part in (first, last if dash else str(LAST_ROUND))
    ]
    if not slug(area) or not 1 <= numbers[0] <= numbers[1] <= LAST_ROUND:
        syntax = f"AREA@ROUND or AREA@FIRST-LAST, rounds 1 to {LAST_ROUND}, such as village_4@3 or village_4@1-4"
        raise BadCell("does not say when a gate is open", allowed=syntax)
    return Opening(slug(area), *numbers)


def parse_story(text: str) -> tuple[str, str]:
    """Read a story event that lies on the map: which, and in which area (IS-EVT.3).

    >>> parse_story("Hoofbeats@village_12")
    ('hoofbeats', 'village_12')
    """
    event, area = (slug(part) for part in text.partition("@")[::2])
    if not event or not area:
        raise BadCell("does not say which story lies where", allowed="EVENT@AREA, such as hoofbeats@village_12")
    return event, area


def parse_shadow(text: str) -> tuple[str, int]:
    """Read a Shadow that is laid at the start: its area, and the least heroes for it, 1 if none are told (IS-ENE.14).

    >>> parse_shadow("village_3"), parse_shadow("Village 7:4")
    (('village_3', 1), ('village_7', 4))
    """
    area, _, heroes = (part.strip() for part in text.partition(":"))
    if not slug(area) or (":" in text and (len(heroes) != 1 or heroes not in "12345")):
        raise BadCell("is not a Shadow", allowed="AREA or AREA:HEROES, 1 to 5 heroes, such as village_3 or village_7:4")
    return slug(area), int(heroes or 1)


def _shadow(text: str) -> str:
    area, heroes = parse_shadow(text)
    return area if heroes == 1 else f"{area}:{heroes}"


def _opening(text: str) -> str:
    area, first, last = parse_opening(text)
    return f"{area}@{first}" if last == LAST_ROUND else f"{area}@{first}-{last}"


def _fire(text: str) -> str:
    area, side = parse_fire(text)
    return f"{area}:{side}"


WallsLaid = tuple[Annotated[str, AfterValidator(lambda text: "/".join(parse_wall(text)))], ...]
FiresLaid = tuple[Annotated[str, AfterValidator(_fire)], ...]
ShadowsLaid = tuple[Annotated[str, AfterValidator(_shadow)], ...]
GatesOpen = tuple[Annotated[str, AfterValidator(_opening)], ...]
StoriesLaid = tuple[Annotated[str, AfterValidator(lambda text: "@".join(parse_story(text)))], ...]
