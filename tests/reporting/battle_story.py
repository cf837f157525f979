"""Two tiny battles made by hand, on hexes and on squares, that show everything a page can draw."""

from __future__ import annotations

from dataclasses import replace

from balance.chance.rolls.board import COLUMN_CELLS, OFF_BOARD
from balance.game.question.board_story import (
    HEAVY,
    LIGHT,
    NO_CELL,
    OPEN,
    Act,
    Blast,
    BoardStory,
    Frame,
    Ground,
    Mark,
    Token,
    TokenState,
    short_labels,
)
from balance.game.question.narration import Narration
from balance.game.question.question import Question
from balance.game.question.replay import Replay

HOSTILE = '</script><script>alert("x")</script><!-- & "Nexus" \'s'
ROWS = (".......", ".+.#...", "A..*..B", "A.#..+B", "....~..")
CODES = {"+": LIGHT, "#": HEAVY, "~": NO_CELL}
NAMES = (("Nexus", "Aegis", "Detonator"), ("Trooper", HOSTILE, "Whisper"))
HEALTH = ((8, 7, 4), (5, 6, 4))
SHIELD, EMP, BURNED = Mark("S", "shield up"), Mark("E1", "disabled for 1 turn"), Mark("B3", "burned: armour 3 less")


def at(name: str) -> int:
    """Return the cell that the board calls so."""
    return COLUMN_CELLS * (ord(name[0]) - ord("A")) + int(name[1:]) - 1


def ground(shape: str = "hex") -> Ground:
    """Return a ground of 7 by 5 cells."""
    found = [
        [CODES.get(ROWS[row][column], OPEN) if row < 5 else NO_CELL for row in range(COLUMN_CELLS)]
        for column in range(7)
    ]
    places = {
        letter: tuple(c * COLUMN_CELLS + r for c in range(7) for r in range(5) if ROWS[r][c] == letter)
        for letter in "AB*"
    }
    return Ground(
        shape, 7, 5, tuple(code for column in found for code in column), (places["A"], places["B"]), places["*"], "Tiny"
    )


def tokens() -> tuple[Token, ...]:
    """Return three units a side; the second of the other side has a hostile name."""
    return tuple(
        Token(name, side, label, health)
        for side in (0, 1)
        for name, label, health in zip(NAMES[side], short_labels(NAMES[side]), HEALTH[side], strict=True)
    )


def battle(shape: str = "hex") -> BoardStory:
    """Return the battle: moves, a jump, shots of all results, a raised shield, splash, an explosion, a late entry."""
    places = [at("A3"), at("A4"), OFF_BOARD, at("G3"), at("G4"), OFF_BOARD]
    standing = [TokenState(cell, token.health) for cell, token in zip(places, tokens(), strict=True)]
    frames = [Frame("Start", -1, "", "4 units are placed, 2 wait", tuple(standing))]

    def step(
        when: str, side: int, who: str, text: str, act: Act | None, dice: tuple[str, ...] = (), **changed: TokenState
    ) -> None:
        for unit, new in changed.items():
            standing[int(unit[1:])] = new
        held = ("rounds held", "1" if when == "Round 3" else "0", "0")
        frames.append(Frame(when, side, who, text, tuple(standing), act, dice, (held,)))

    walk = Act("move", 0, (at("A3"), at("B2"), at("C3"), at("D3")))
    step("Round 1", 0, "N1 Nexus", "moves to D3", walk, u0=TokenState(at("D3"), 8))
    step(
        "Round 1", 0, "A2 Aegis", "raises its shield", Act("own", 1, (at("A4"),)), u1=TokenState(at("A4"), 7, (SHIELD,))
    )
    shot = Act("shot", 0, (at("D3"), at("G3" if shape == "square" else "G4")), "miss")
    step("Round 1", 0, "N1 Nexus", "attacks with Assault Rifle: miss", shot, ("D10 precision 9: miss (above 7)",))
    step("Round 1", 1, "T1 Trooper", "jumps to E3", Act("jump", 3, (at("G3"), at("E3"))), u3=TokenState(at("E3"), 5))
    hit = Act("shot", 4, (at("G4"), at("D3")), "critical")
    dice = ("D10 precision 7: critical", "D6 burn 3")
    hurt = TokenState(at("D3"), 3, (EMP, BURNED))
    step("Round 1", 1, f"{tokens()[4].label} {HOSTILE}", "attacks N1 Nexus: critical hit, 5 damage", hit, dice, u0=hurt)
    step("Round 2", 0, "Blue", "1 unit enters", None, u2=TokenState(at("A3"), 4), u0=replace(hurt, marks=(BURNED,)))
    fly = Act("jump", 2, (at("A3"), at("D5" if shape == "hex" else "D3")))
    step(
        "Round 2", 0, "D3 Detonator", "jumps to D5", replace(fly, path=(at("A3"), at("D5"))), u2=TokenState(at("D5"), 4)
    )
    near = ("C3", "C4", "D2", "D3", "D4", "E3", "E4")
    blast = Blast(at("E3"), tuple(map(at, near)))
    boom = Act("shot", 0, (at("D3"), at("E3")), "hit", (blast,))
    step(
        "Round 2",
        0,
        "N1 Nexus",
        "attacks T1 Trooper with Grenade Launcher: hit",
        boom,
        ("D10 precision 2: hit (below 6)", "D6 armour 1, 6: 0 less"),
        u3=TokenState(OFF_BOARD, 0),
        u0=TokenState(at("D3"), 2, (BURNED,)),
    )
    step("Round 2", 1, "W3 Whisper", "enters at G3", None, u5=TokenState(at("G3"), 4))
    again = Act("shot", 5, (at("G3"), at("D3")), "hit")
    for left in (1, 0):
        fallen = TokenState(at("D3") if left else OFF_BOARD, left, (BURNED,) if left else ())
        step(
            "Round 2",
            1,
            "W3 Whisper",
            f"attacks N1 Nexus: hit, 1 damage, {left} left",
            again,
            ("D10 precision 1: hit",),
            u0=fallen,
        )
    step(
        "Round 3",
        0,
        "D3 Detonator",
        "explodes",
        Act("own", 2, (at("D5"),), "", (Blast(at("D5"), (at("D5"), at("D4"), at("C5"))),)),
        u2=TokenState(OFF_BOARD, 0),
    )
    step("Round 3", -1, "The round", "ends: Blue has held the objective once", None)
    return BoardStory(ground(shape), ("Blue", "Red & co"), tokens(), tuple(frames))


def trial_of(asked: Question, told: Narration, trial: int, seed: int) -> Replay:
    """Return a trial of a question from what is told of it."""
    return Replay.of(asked, "replay", **vars(told), trial=trial, seed=seed)
