"""Morale cards of one deck, and cards that exhaust: against plain recursions over every face and every card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

import balance
from balance.chance.rolls.rolls import FixedRolls
from balance.game.loaded import LoadedGame
from balance.game.registry import shipped_folder
from balance.games.runewars import GAME
from balance.games.runewars.rules.morale import Deck, morale_test
from balance.games.runewars.tables import MoraleCard

RUNEWARS = balance.load(GAME)
RED = ["", "", "h", "h", "m", "hh", "hm", "hs"]
BLUE = ["", "h", "h", "s", "a", "hs", "ha", "ss"]
TWO_CARDS = """id,name,type,icons,copies,wounds,loses_attack,panic
shaken,Shaken,doubt,1,1,0,true,0
flight,Flight,fear,1,1,1,false,2
"""
CARDS = {"shaken": ("doubt", 1, 0, 1, 0), "flight": ("fear", 1, 1, 0, 2)}
"""Card -> its type, the icons it asks for, wounds, whether an attack is lost, panic tokens."""


@pytest.fixture(name="two_cards", scope="module")
def _two_cards(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    """Return the game with a deck of two cards."""
    folder = Path(copytree(shipped_folder(GAME), tmp_path_factory.mktemp("deck") / "runewars"))
    (folder / "morale_cards.csv").write_text(TWO_CARDS, "utf-8")
    sources = (folder / "SOURCES.csv").read_text("utf-8").splitlines(keepends=True)
    (folder / "SOURCES.csv").write_text(
        "".join(line for line in sources if not line.startswith("morale_cards,")), "utf-8"
    )
    return balance.load(GAME, folder)


Side = tuple[int, int, int]
"""Figures left, panic tokens, whether it loses its next attack."""


def struck(
    foe: Side, face: str, deck: frozenset[str], steadfast: str, threat: int
) -> Iterator[tuple[Fraction, Side, frozenset[str]]]:
    """Yield what one face does to the side it is rolled against: its chance among cards, the side, the deck."""
    figures, panic, loses = foe
    figures, icons = max(figures - threat * face.count("h"), 0), face.count("m")
    if not icons or not figures:
        yield Fraction(1), (figures, panic, loses), deck
        return
    cards = deck or frozenset(CARDS)
    for card in sorted(cards):
        kind, asked, wounds, lost, tokens = CARDS[card]
        works = icons + panic >= asked + (kind == steadfast)
        after = (max(figures - wounds, 0), tokens, int(loses or lost)) if works else (figures, panic, loses)
        yield Fraction(1, len(cards)), after, cards - {card}


def by_recursion(figures: int, steadfast: str, rounds: int) -> dict[str, Fraction]:
    """Return who wins of two units of a rank of `figures` trays with a figure each, one red die each, a first."""

    @cache
    def wins(a: Side, b: Side, deck: frozenset[str], turn: int) -> tuple[Fraction, Fraction]:
        if a[0] == 0 or b[0] == 0 or turn == 2 * rounds:
            return Fraction(b[0] == 0), Fraction(a[0] == 0)
        me, foe = (b, a) if turn % 2 else (a, b)
        if me[2]:
            rested = (me[0], me[1], 0)
            return wins(a, rested, deck, turn + 1) if turn % 2 else wins(rested, b, deck, turn + 1)
        total = [Fraction(0), Fraction(0)]
        for face in RED:
            for p, after, left in struck(foe, face, deck, steadfast, me[0]):
                found = wins(after, b, left, turn + 1) if turn % 2 else wins(a, after, left, turn + 1)
                total = [one + p / 8 * more for one, more in zip(total, found, strict=True)]
        return total[0], total[1]

    a, b = wins((figures, 0, 0), (figures, 0, 0), frozenset(CARDS), 0)
    return {"a": a, "b": b, "draw": 1 - a - b}


PLAIN = {"red": "1", "blue": "0", "columns": "3", "ranks": "1", "figures_per_tray": "1", "regenerate": "0"}


@pytest.mark.rule("RW-MOR.1")
@pytest.mark.parametrize(("unit", "steadfast"), [("spearmen", ""), ("reanimate_archers", "doubt")])
def test_morale_cards_are_drawn_to_the_last_and_shuffled_again(
    two_cards: LoadedGame, unit: str, steadfast: str
) -> None:
    """In six rounds the deck of two cards is emptied more than once."""
    same = {f"{side}.{field}": value for side in "ab" for field, value in PLAIN.items()}
    changes = {**same, "situation.morale": "deck", "situation.round_limit": "6"}
    found = two_cards.ask("duel", unit, unit, changes, "a", a_rerolls="none", b_rerolls="none").p_win()
    expected = by_recursion(3, steadfast, 6)
    assert found == pytest.approx({name: float(p) for name, p in expected.items()}, abs=1e-12)
    without = two_cards.ask(
        "duel", unit, unit, {**changes, "situation.morale": "none"}, "a", a_rerolls="none", b_rerolls="none"
    )
    assert abs(without.p_win()["a"] - found["a"]) > 0.005, "cards make a difference here"


@pytest.mark.parametrize(("unit", "steadfast"), [("spearmen", "doubt"), ("reanimates", "")])
def test_what_a_unit_is_steadfast_against_may_be_set_or_taken_away(
    unit: str, steadfast: str, two_cards: LoadedGame
) -> None:
    same = {f"{side}.{field}": value for side in "ab" for field, value in PLAIN.items()}
    changes = {**same, "situation.morale": "deck", "situation.round_limit": "6"}
    changes |= {f"{side}.steadfast": steadfast for side in "ab"}
    found = two_cards.ask("duel", unit, unit, changes, "a", a_rerolls="none", b_rerolls="none").p_win()
    expected = by_recursion(3, steadfast, 6)
    assert found == pytest.approx({name: float(p) for name, p in expected.items()}, abs=1e-12)


@pytest.mark.rule("RW-MOR.1")
def test_an_empty_deck_is_filled_before_a_card_is_drawn() -> None:
    cards = [
        MoraleCard(id=one, name=one, type="fear", icons=icons, copies=n, wounds=1, loses_attack=False, panic=0)
        for one, icons, n in (("few", 1, 1), ("many", 3, 2))
    ]
    deck = Deck(tuple(cards))
    one = np.array([1])
    drawn = morale_test(deck, (), one, one * 0, np.array([[0, 0]]), FixedRolls({"card": [0]}), "card")
    assert {name: values.tolist() for name, values in drawn.items()} == {
        "wounds": [1], "cowed": [0], "panic": [0], "deck": [[0, 2]]
    }  # fmt: skip
    drawn = morale_test(deck, (), one, one, np.array([[0, 2]]), FixedRolls({"card": [1]}), "card")
    assert (drawn["wounds"].tolist(), drawn["panic"].tolist(), drawn["deck"].tolist()) == ([0], [1], [[0, 1]])
    drawn = morale_test(deck, ("fear",), one, one * 0, np.array([[1, 0]]), FixedRolls({"card": [0]}), "card")
    assert drawn["wounds"].tolist() == [0], "steadfast asks for an icon more"


def rounds_to_win(each: bool) -> dict[int, Fraction]:
    """Return when two columns with one blue die and War Cry (Lethal 2, exhausts) have destroyed eight figures.

    Every surge is an inspiration token, and a token readies the card; `each` round the card is ready without.
    """
    found: dict[int, Fraction] = {}
    states = {(8, 1, 0): Fraction(1)}
    for number in range(1, 9):
        after: dict[tuple[int, int, int], Fraction] = {}
        for (left, ready, tokens), p in states.items():
            for face in BLUE:
                damage, have = 2 * face.count("h") + 2 * ready, tokens + face.count("s")
                now = 1 if each else int(have > 0)
                key = (max(left - damage, 0), now, have if each else have - now)
                after[key] = after.get(key, Fraction(0)) + p / 8
        found[number] = sum((p for key, p in after.items() if key[0] == 0), Fraction(0))
        states = {key: p for key, p in after.items() if key[0]}
    found[8] += sum(states.values())
    return found


@pytest.mark.rule("RW-GEN.1")
@pytest.mark.rule("RW-GEN.2")
def test_an_exhausted_card_is_readied_by_inspiration_only() -> None:
    """RW-GEN.2: the card is not optional, so it is used up in the first attack, needed or not."""
    changes = {"a.red": "0", "a.blue": "1", "a.surge_abilities": "inspiration@1", "b.red": "0", "b.blue": "0"}
    duel = RUNEWARS.ask("duel", "spearmen+2x1+war_cry", "spearmen+2x1", changes, "a", a_rerolls="none")
    rounds = duel.distribution.marginal("rounds")
    found = dict(zip(rounds.outcomes[:, 0].tolist(), rounds.p.tolist(), strict=True))
    expected = {number: float(p) for number, p in rounds_to_win(each=False).items() if p}
    assert found == pytest.approx(expected, abs=1e-12)
    assert found != pytest.approx({n: float(p) for n, p in rounds_to_win(each=True).items() if p}, abs=0.01)
