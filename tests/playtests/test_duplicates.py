"""A game told from both sides counts once where that is certain, is told where not; seats are never halved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from balance.base.errors import CatalogueError, UsageError
from balance.playtests.log.log import LogSettings
from tests.playtests.test_log import read, rows_of

Row: TypeAlias = tuple[str, ...]
WON = {"win": "loss", "loss": "win", "draw": "draw"}
TOLD = "told the other way round", "a game the other way round"


def games(n: int, names: str = "ABCD", seed: int = 1) -> list[Row]:
    """Return games of their own: two names and how the first fared."""
    chance = random.Random(seed)
    said = ["win", "win", "loss", "loss", "draw"]
    return [(*chance.sample(names, 2), chance.choice(said)) for _ in range(n)]


def both_sides(played: list[Row]) -> list[Row]:
    return [row for one, other, said in played for row in ((one, other, said), (other, one, WON[said]))]


def as_text(head: str, rows: Sequence[Row]) -> str:
    return "\n".join([head, *(",".join(row) for row in rows), ""])


def halved(notes: tuple[str, ...]) -> list[str]:
    return [note for note in notes if any(words in note for words in TOLD)]


@pytest.mark.parametrize("head", ["faction,opponent,result", "player,opponent,result", "team 1,team 2,result"])
@pytest.mark.parametrize("order", ["next to each other", "one side after the other", "mixed"])
def test_each_game_told_twice_gives_what_each_game_once_gives(head: str, order: str, tmp_path: Path) -> None:
    played = games(60)
    rows = both_sides(played)
    if order == "one side after the other":
        rows = rows[::2] + rows[1::2]
    if order == "mixed":
        random.Random(2).shuffle(rows)
    once, twice = (read(tmp_path, as_text(head, told)) for told in (played, rows))
    assert halved(once.source.notes) == []
    assert halved(twice.source.notes) == [
        "60 rows tell a game the other way round: each is counted once. If these are games of their own, say "
        "--each-game once."
    ]
    assert twice.games.names == once.games.names
    assert twice.games.games_by_entrant.tolist() == once.games.games_by_entrant.tolist()
    assert twice.games.points_by_entrant.tolist() == once.games.points_by_entrant.tolist()
    assert (twice.source.n_rows, twice.games.n_games) == (120, 60.0)


SCORED = [
    ("player 1,player 2,score", "A,B,2-1\nB,A,1-2\nC,A,0-3\nA,C,3-0\nB,C,1-1\nC,B,1-1\nD,B,4-1\nB,D,1-4\n"),
    ("team,opp,vp,opp vp", "A,B,45,30\nB,A,30,45\nC,A,12,71\nA,C,71,12\nB,C,40,40\nC,B,40,40\n"),
    ("giocatore;avversario;punti fatti;punti subiti", "A;B;45;30\nB;A;30;45\nC;A;12;71\nA;C;71;12\n"),
    (
        "date,player,faction,opponent,opponent faction,winner",
        "1,A,Elf,B,Orc,A\n1,B,Orc,A,Elf,A\n2,A,Orc,B,Elf,B\n2,B,Elf,A,Orc,B\n3,A,Orc,B,Elf,A\n3,B,Elf,A,Orc,A\n",
    ),
    ("match id,faction 1,faction 2,winner", "7,A,B,A\n7,B,A,A\n8,A,C,C\n8,C,A,C\n"),
    ("deck,opponent deck,starts,result", "A,B,A,W\nB,A,A,L\nC,B,B,W\nB,C,B,L\nA,C,A,L\nC,A,A,W\nA,B,B,L\nB,A,B,W\n"),
]


@pytest.mark.parametrize(("head", "rows"), SCORED)
def test_scores_players_and_who_began_are_exchanged_too(head: str, rows: str, tmp_path: Path) -> None:
    log = read(tmp_path, f"{head}\n{rows}")
    assert log.games.n_games == rows.count("\n") / 2
    assert len(halved(log.source.notes)) == 1
    assert read(tmp_path, f"{head}\n{rows}", each_game="once").games.n_games == rows.count("\n")


def test_some_rows_may_be_lost_and_are_told(tmp_path: Path) -> None:
    rows = both_sides(games(60))
    log = read(tmp_path, as_text("faction,opponent,result", [*rows[:7], *rows[8:100], *rows[101:]]))
    assert log.games.n_games == 60
    assert any(
        note.startswith("2 rows have no other side, and stand for games of their own") for note in log.source.notes
    )


GAMES_OF_THEIR_OWN: dict[str, tuple[str, list[Row]]] = {
    "home and away": ("home,away,score", both_sides(games(60))),
    "white and black": ("White,Black,result", both_sides(games(60))),
    "another evening": (
        "evening,faction,opponent,result",
        [("1" if at % 2 else "2", *row) for at, row in enumerate(both_sides(games(30)))],
    ),
    "another round": (
        "round,faction,opponent,result",
        [(str(at % 2), *row) for at, row in enumerate(both_sides(games(30)))],
    ),
    "as many as it happens": ("faction,opponent,result", games(80, "AB")),
    "a double round robin": (
        "team 1,team 2,result",
        [(a, b, random.Random(a + b).choice(["win", "loss"])) for a in "ABCDEF" for b in "ABCDEF" if a != b],
    ),
}


@pytest.mark.parametrize("what", GAMES_OF_THEIR_OWN)
def test_real_games_in_both_orders_are_never_halved(what: str, tmp_path: Path) -> None:
    head, rows = GAMES_OF_THEIR_OWN[what]
    log = read(tmp_path, as_text(head, rows))
    assert log.games.n_games == len(rows)


@pytest.mark.slow("test_real_games_in_both_orders_are_never_halved")
def test_random_logs_are_hardly_ever_halved(tmp_path: Path) -> None:
    """The negative control: of 400 logs of games of their own, none is halved (limit: 1 in 1,000 each)."""
    n_halved = n_warned = 0
    for seed in range(400):
        rows = games(random.Random(seed).choice([4, 6, 10, 30, 80]), "ABCD"[: 2 + seed % 3], seed)
        log = read(tmp_path, as_text("faction,opponent,result" if seed % 2 else "a,b,result", rows))
        n_halved += log.games.n_games != len(rows)
        n_warned += bool(halved(log.source.notes))
    assert n_halved == 0
    assert n_warned <= 20


def test_two_rows_may_be_one_game_or_two_and_it_is_asked(tmp_path: Path) -> None:
    text = "faction,opponent,result\nElves,Orcs,win\nOrcs,Elves,loss\n"
    log = read(tmp_path, text)
    assert log.games.n_games == 2
    assert halved(log.source.notes) == [
        "1 row looks as if told the other way round (row 3 may be row 2); all are counted. If each game stands twice, "
        "say --each-game twice; if not, --each-game once."
    ]
    assert read(tmp_path, text, each_game="twice").games.n_games == 1
    assert halved(read(tmp_path, text, each_game="once").source.notes) == []


def test_a_word_for_it_that_the_log_denies_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="each_game: 'twice' but no row tells a game"):
        read(tmp_path, "a,b,winner\nElves,Orcs,Elves\n", each_game="twice")
    with pytest.raises(UsageError, match="'thrice' is no number of times"):
        LogSettings(each_game="thrice")  # type: ignore[arg-type]


TABLES = {
    "win rates": "deck,opponent,win rate,games\nA,B,54 %,733\nB,A,46 %,733\nA,C,61.3,210\nC,A,38.7,210\n",
    "shares": "one,other,score,n\nA,B,0.54,40\nB,A,0.46,40\nA,C,0.25,40\nC,A,0.75,40\nB,C,0.3,40\nC,B,0.7,40\n",
    "won and lost": "deck,matchup,games,wins,losses\nA,B,25,15,10\nB,A,25,10,15\nB,C,31,11,20\nC,B,31,20,11\n",
}


@pytest.mark.parametrize("what", TABLES)
def test_a_table_of_match_ups_in_both_directions_counts_once(what: str, tmp_path: Path) -> None:
    text = TABLES[what]
    head, *rows = text.splitlines()
    twice, once = read(tmp_path, text.replace("54 %", "54 %")), read(tmp_path, "\n".join([head, *rows[::2]]))
    assert twice.games.n_games == once.games.n_games
    assert twice.games.points_by_entrant.tolist() == pytest.approx(once.games.points_by_entrant.tolist())
    assert not twice.games.knows_mover
    assert len(halved(twice.source.notes)) == 1


def test_a_table_whose_directions_differ_tells_of_both_seats(tmp_path: Path) -> None:
    log = read(tmp_path, "one,other,score,n\nA,B,0.54,40\nB,A,0.53,40\nA,C,0.25,40\nC,A,0.80,40\n")
    assert rows_of(log)[0] == ("A", "B", 0.54, 40.0, 1)
    assert log.games.n_games == 160
    assert halved(log.source.notes) == []


@pytest.mark.parametrize("n", [2000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_hundred_thousand_rows_have_a_chance_too(n: int, tmp_path: Path) -> None:
    """So many pairs that their chance is no number any more: its logarithm is one."""
    played = games(n, "ABCDEF")
    assert read(tmp_path, as_text("faction,opponent,result", both_sides(played))).games.n_games == n
    assert read(tmp_path, as_text("faction,opponent,result", games(2 * n, "ABCDEF"))).games.n_games == 2 * n
