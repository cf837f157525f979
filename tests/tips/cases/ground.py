"""Tips of tables of the shipped games, read cell by cell, and of their maps."""

from __future__ import annotations

from collections.abc import Callable

from balance.base.errors import Fault
from balance.catalogue.tables.cells import BadCell
from balance.game.loaded import load
from balance.games.edadh.policies.players import player
from balance.games.immortal_souls.encounter.board.areas import Board
from balance.games.immortal_souls.encounter.board.events import Gates
from balance.games.immortal_souls.rules.effects import parse_effect
from balance.games.immortal_souls.tables.board import parse_sentence
from balance.games.runewars.cells import parse_amount
from balance.games.warforged.battle.map.map_maker import made_map
from balance.games.warforged.battle.map.maps import map_of, read_map
from tests.tips.following import Case

ROWS = ((0, 1),)
LANE = "title: Lane\ngrid: hex\n{}\nA...B\n.....\nA...B\n"


def cell(read: Callable[[str], object], text: str) -> Callable[[], object]:
    """Return the deed of reading a cell of a table."""

    def check() -> object:
        try:
            return read(text) and None
        except BadCell as error:
            return [Fault(error.message, tip=error.tip)]

    return check


CASES = [
    Case(cell(parse_effect, "slow"), "write slow@ if it is free", cell(parse_effect, "slow@")),
    Case(
        cell(parse_sentence, "engage+atack"),
        "did you mean attack?",
        cell(parse_sentence, "engage+attack"),
    ),
    Case(lambda: Board(99, ROWS) and None, "let it have 1 to", lambda: Board(2, ROWS) and None),
    Case(lambda: Board(2, ROWS, difficult_cost=0) and None, "let it cost at least 1", lambda: Board(2, ROWS) and None),
    Case(lambda: Gates(("HIT",), (("MIS",),)) and None, "it shows MIS", lambda: Gates(("MIS",), (("MIS",),)) and None),
    Case(
        lambda: Gates(("MIS", "MIS"), (("MIS",),)) and None,
        "let each have its own",
        lambda: Gates(("MIS",), (("MIS",),)) and None,
    ),
    Case(cell(parse_amount, "1+stabel"), "did you mean stable?", cell(parse_amount, "1+stable")),
    Case(lambda: map_of(None, "ledgr") and None, "did you mean ledger?", lambda: map_of(None, "ledger") and None),
    Case(lambda: made_map(1, columns=12) and None, "take an odd number of columns", lambda: made_map(1) and None),
    Case(lambda: made_map(1, heavy=200) and None, "take fewer", lambda: made_map(1) and None),
    Case(
        lambda: read_map(LANE.format("brook\n"), "m.txt") and None,
        "an empty line stands between the header and the drawing",
        lambda: read_map(LANE.format(""), "m.txt") and None,
    ),
    Case(
        lambda: player(load("edadh").catalogue, "low", "even") and None,
        "choose the player mix, or leave the mix out",
        lambda: player(load("edadh").catalogue, "low") and None,
    ),
]
