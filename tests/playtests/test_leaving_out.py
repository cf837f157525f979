"""Rows that tell of no game are left out and told, by their kind; what only looks so is a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playtests.test_log import faults_of, read, rows_of

WON = ("Elves", "Orcs", 1.0, 1.0)
KINDS = {
    "of a bye": ("bye", "BYE", "riposo", "freilos"),
    "of a walkover": ("w/o", "WO", "Walk-over", "a tavolino", "vittoria a tavolino", "2-0 (w/o)", "no show"),
    "of a forfeit": (
        "+/-", "-/+", "+:-", "-:+", "+--", "--+", "1F-0F", "0F-1F", "0f - 0f", "ff", "2-0 ff", "0-0 (ff)", "forfeit",
        "Elves win by forfeit", "forfait", "-/-",
    ),
    "of a disqualification": ("DQ", "dsq", "0--1", "-1 - 2", "2:-1", "squalificato", "Orcs disqualified"),
    "that was cancelled": ("cancelled", "Canceled", "annullata", "partita annullata", "no contest"),
    "that was not finished": ("*", "abandoned", "DNF", "sospesa", "interrotta", "in corso"),
    "that was not played": ("postponed", "rinviata", "unplayed", "da giocare", "ppd"),
    "without a result": ("NA", "n/a", "#N/A", "TBD", "nan", "not reported"),
}  # fmt: skip
EACH = [(why, text) for why, texts in KINDS.items() for text in texts]


@pytest.mark.parametrize(("why", "text"), EACH)
@pytest.mark.parametrize("header", ["result", "winner"])
def test_a_word_in_place_of_a_result_leaves_the_row_out(header: str, why: str, text: str, tmp_path: Path) -> None:
    log = read(tmp_path, f"one,other,{header}\nElves,Orcs,1-0\nElves,Orcs,{text}\n")
    assert [row[:4] for row in rows_of(log)] == [WON]
    assert log.source.notes == (f"Left out: 1 row {why}.",)


GAMES = ("Elves", "1", "win", "orcs", "draw", "2-1", "+1-0"[1:], "X", "=", "½-½", "1-0", "0.5", "Orcs won 2-0", "tie")


@pytest.mark.parametrize("text", GAMES)
def test_what_only_looks_so_is_a_game(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, f"one,other,result\nElves,Orcs,{text}\n").games.n_games == 1


BYES = {
    "a word": "1,Carla,BYE,2,0",
    "in stars": "1,Carla,*bye*,2,0",
    "first": "1,Bye,Carla,0,2",
    "Italian": "1,Carla,Riposo,2,0",
    "with a number": "1,Carla,BYE 2,1,0",
    "free": "1,Carla,FREE,2,0",
}


@pytest.mark.parametrize("what", BYES)
def test_a_bye_is_nobody(what: str, tmp_path: Path) -> None:
    log = read(tmp_path, f"round,player 1,player 2,score 1,score 2\n1,Ada,Bruno,2,1\n{BYES[what]}\n")
    assert log.games.names == ("Ada", "Bruno")
    assert any(note.startswith("Left out: 1 row of a bye (") for note in log.source.notes)


@pytest.mark.parametrize("name", ["-", "", "--", "?"])
def test_a_row_without_an_opponent_is_told(name: str, tmp_path: Path) -> None:
    log = read(tmp_path, f"player 1,player 2,score\nAda,Bruno,2-1\nCarla,{name},2-0\n")
    assert log.games.names == ("Ada", "Bruno")
    assert "Left out: 1 row without an opponent." in log.source.notes


def test_who_is_called_bye_and_wins_is_an_entrant_and_it_is_told(tmp_path: Path) -> None:
    log = read(tmp_path, "a,b,winner\nBye,Elves,Bye\nElves,Orcs,Elves\nOrcs,Bye,Orcs\n")
    assert log.games.names == ("Bye", "Elves", "Orcs")
    assert "'Bye' wins, so that it is taken for an entrant; --leave-out leaves such rows out." in log.source.notes
    assert read(tmp_path, "a,b,winner\nBye,Elves,Bye\nElves,Orcs,Elves\n", leave_out=("bye",)).games.n_games == 1
    assert read(tmp_path, "a,b,winner\nWO,Elves,WO\nElves,WO,Elves\n").games.names == ("Elves", "WO")


def test_minus_one_is_a_disqualification_unless_others_fall_below_0(tmp_path: Path) -> None:
    head = "player1,player2,score1,score2\nAda,Bo,3,-1\nBo,Cy,2,1\n"
    log = read(tmp_path, head)
    assert (log.games.n_games, "Left out: 1 row of a disqualification (-1)." in log.source.notes) == (1, True)
    assert read(tmp_path, head + "Cy,Ada,-7,2\n").games.n_games == 3


FLAGGED = {
    "status": ("a,b,winner,status", "Elves,Orcs,Elves,postponed", "that was not played"),
    "stato": ("a,b,winner,stato", "Elves,Orcs,,annullata", "that was cancelled"),
    "bye?": ("a,b,winner,bye?", "Elves,Orcs,Elves,yes", "of a bye"),
    "forfait": ("a,b,winner,forfait", "Elves,Orcs,Elves,sì", "of a forfeit"),
    "points": ("a,b,vp a,vp b", "Elves,Orcs,,", "without a result"),
}


@pytest.mark.parametrize("what", FLAGGED)
def test_a_column_of_its_own_may_say_so(what: str, tmp_path: Path) -> None:
    head, row, why = FLAGGED[what]
    sound = "Elves,Orcs,Elves," if "vp" not in head else "Elves,Orcs,3,1"
    log = read(tmp_path, f"{head}\n{sound}\n{row}\n")
    assert (log.games.n_games, f"Left out: 1 row {why}." in log.source.notes) == (1, True)


def test_words_of_ones_own_leave_rows_out(tmp_path: Path) -> None:
    text = "a,b,winner,note\nElves,Orcs,Elves,\nOrcs,Elves,Orcs,Concesso\nElves,Dwarves,,\n"
    log = read(tmp_path, text, leave_out=("concesso", ""))
    assert log.games.n_games == 1
    left_out = (
        "Left out: 1 row with 'concesso', as the command says; 1 row as it does not say who won, as the command says."
    )
    assert left_out in log.source.notes
    (told,) = faults_of(tmp_path, "a,b,winner\nElves,Orcs,Elves\n", leave_out=("trial",))
    assert told == "leave_out: 'trial' stands in no cell of this log"


def test_a_triple_is_wins_losses_draws_unless_the_header_says_otherwise(tmp_path: Path) -> None:
    text = "player1,player2,{}\nA,B,2-1-0\nB,C,1-1-1\nA,C,0-2-1\nA,C,0-1-2\n"
    assert [row[2] for row in rows_of(read(tmp_path, text.format("result")))] == [1.0, 0.5, 0.0, 0.0]
    assert [row[2] for row in rows_of(read(tmp_path, text.format("W-D-L")))] == [1.0, 0.5, 0.0, 0.0]
    other = "player1,player2,{}\nA,B,1-2-1\nB,C,1-0-1\n"
    assert [row[2] for row in rows_of(read(tmp_path, other.format("W-L-D")))] == [0.0, 1.0]
    assert [row[2] for row in rows_of(read(tmp_path, other.format("V-N-P")))] == [0.5, 0.5]


def test_plus_and_minus_are_a_game_won_and_lost_where_nothing_else_stands(tmp_path: Path) -> None:
    log = read(tmp_path, "a,b,result\nElves,Orcs,+\nElves,Orcs,-\nElves,Orcs,=\n")
    assert [row[2] for row in rows_of(log)] == [1.0, 0.0, 0.5]
    assert "+ is a game won, - a game lost." in log.source.assumptions


def test_a_dash_is_a_draw_among_words_and_nothing_among_numbers_and_it_is_told(tmp_path: Path) -> None:
    words = read(tmp_path, "a,b,winner\nElves,Orcs,Elves\nElves,Orcs,-\n")
    assert [row[2] for row in rows_of(words)] == [1.0, 0.5]
    assert "A dash in place of a result is a draw; --leave-out - leaves such rows out." in words.source.assumptions
    numbers = read(tmp_path, "a,b,result\nElves,Orcs,2-1\nElves,Orcs,-\n")
    assert (numbers.games.n_games, numbers.source.notes) == (1, ("Left out: 1 row without a result.",))


def test_a_log_that_is_too_long_is_told_so_at_once(tmp_path: Path) -> None:
    """Above the limit of rows, of cells, and of bytes."""
    for n_rows in (100_001, 1_000_000, 3_000_000):
        (told,) = faults_of(tmp_path, "first,second,winner\n" + "Elves,Orcs,1\n" * n_rows)
        assert told == (
            "log.csv: the log has more than 100,000 rows; give games of equal kind one row, with a column n that says "
            "how many"
        )
