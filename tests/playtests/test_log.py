"""A log is read as people keep it: any sensible headers, any way to say who won, every fault at once."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError, UsageError
from balance.base.limits import MOST_LOG_NAMES, MOST_LOG_ROWS
from balance.playtests.log import log as module
from balance.playtests.log.log import Log, LogSettings, read_log

FACTS = Path(__file__).parent / "data" / "baseball_1987.csv"


def read(folder: Path, text: str | bytes, **how: object) -> Log:
    path = folder / "log.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_log(path, LogSettings(**how))  # type: ignore[arg-type]


def rows_of(log: Log) -> list[tuple[str, str, float, float, int]]:
    """Return (one, other, score, count, mover) of every row."""
    g = log.games
    parts = (g.side_a, g.side_b, g.score, g.count, g.mover)
    return [(g.names[i], g.names[j], s, n, m) for i, j, s, n, m in zip(*(part.tolist() for part in parts), strict=True)]


def faults_of(folder: Path, text: str | bytes, **how: object) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        read(folder, text, **how)
    assert all(
        fault.path.startswith((str(folder), "§column", "§first_goes", "§leave_out", "§each_game"))
        for fault in caught.value.faults
    )
    return [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]


# -- forms of logs ----------------------------------------------------------------------------------------------------

E, O = "Elves", "Orcs"  # noqa: E741
WON, LOST, DRAWN = (E, O, 1.0, 1.0), (E, O, 0.0, 1.0), (E, O, 0.5, 1.0)
FORMS = {
    "first, second, winner": ("first,second,winner\nElves,Orcs,Elves\nElves,Orcs,Orcs\nElves,Orcs,draw\n", 1),
    "Italian": ("Primo;Secondo;Vince\nElves;Orcs;Elves\nElves;Orcs;Orcs\nElves;Orcs;patta\n", 1),
    "home and away": ("casa\tospite\trisultato\nElves\tOrcs\t2-1\nElves\tOrcs\t0:3\nElves\tOrcs\t1 – 1\n", 1),
    "chess": ("White,Black,Result\nElves,Orcs,1-0\nElves,Orcs,0-1\nElves,Orcs,½-½\n", 1),
    "neutral": ("Faction A,Faction B,Winner\nElves,Orcs,1\nElves,Orcs,2\nElves,Orcs,tie\n", 0),
    "armies": ("army1,army2,vincitore\nElves,Orcs,army1\nElves,Orcs,army2\nElves,Orcs,Pareggio\n", 0),
    "football": ("HomeTeam,AwayTeam,result\nElves,Orcs,H\nElves,Orcs,A\nElves,Orcs,D\n", 1),
    "1X2": ("one,other,result\nElves,Orcs,1\nElves,Orcs,2\nElves,Orcs,X\n", 0),
    "scores": ("uno;altro;punteggio\nElves;Orcs;1\nElves;Orcs;0\nElves;Orcs;0,5\n", 0),
    "words": ("me,opponent,result\nElves,Orcs,Win\nElves,Orcs,LOSS\nElves,Orcs,Draw\n", 0),
    "letters": ("a,b,esito\nElves,Orcs,V\nElves,Orcs,P\nElves,Orcs,N\n", 0),
    "other letters": ("a,b,esito\nElves,Orcs,V\nElves,Orcs,S\nElves,Orcs,P\n", 0),
    "points": ("team1,team2,vp1,vp2\nElves,Orcs,10,7\nElves,Orcs,7,10\nElves,Orcs,8,8\n", 0),
    "Italian points": ("squadra 1;squadra 2;punti 1;punti 2\nElves;Orcs;1,5;1\nElves;Orcs;0;1\nElves;Orcs;2;2\n", 0),
    "won?": ("faction,opponent,won\nElves,Orcs,yes\nElves,Orcs,no\nElves,Orcs,draw\n", 0),
    "draw beside": ("a,b,winner,draw\nElves,Orcs,Elves,no\nElves,Orcs,Orcs,\nElves,Orcs,,yes\n", 0),
    "players win": (
        "a,b,player a,player b,winner\nElves,Orcs,Ada,Bo,Ada\nElves,Orcs,Ada,Bo,bo\nElves,Orcs,Ada,Bo,-\n",
        0,
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_tells_won_lost_and_drawn(form: str, tmp_path: Path) -> None:
    text, mover = FORMS[form]
    assert rows_of(read(tmp_path, text)) == [(*row, mover) for row in (WON, LOST, DRAWN)]


def test_winner_and_loser_tell_nothing_of_seats(tmp_path: Path) -> None:
    text = "vincitore;perdente;pareggio;chi inizia\nElves;Orcs;;Orcs\nOrcs;Elves;;vincitore\nElves;Orcs;sì;\n"
    log = read(tmp_path, text)
    assert rows_of(log) == [(E, O, 1.0, 1.0, -1), (O, E, 1.0, 1.0, 1), (E, O, 0.5, 1.0, 0)]
    assert log.source.assumptions == ("Who went first stands under chi inizia; 1 of 3 rows do not say.",)
    assert rows_of(read(tmp_path, "winner,loser\nElves,Orcs\n")) == [(*WON, 0)]


def test_the_published_table_of_1987_is_read_as_it_is() -> None:
    log = read_log(FACTS)
    games = log.games
    assert (log.source.n_rows, games.n_games, len(games.names)) == (42, 273.0, 7)
    assert set(games.mover.tolist()) == {1}
    at_home = dict.fromkeys(games.names, 0.0)
    for one, _, score, count, _ in rows_of(log):
        at_home[one] += score * count
    with FACTS.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert at_home == {name: sum(float(r["home_wins"]) for r in table if r["home"] == name) for name in games.names}


def test_games_won_and_lost_are_counted_apart(tmp_path: Path) -> None:
    log = read(tmp_path, "one,other,wins1,wins2,draws\nElves,Orcs,3,2,1\nOrcs,Elves,0,0,\n")
    assert rows_of(log) == [(E, O, 1.0, 3.0, 0), (E, O, 0.0, 2.0, 0), (E, O, 0.5, 1.0, 0)]
    assert log.games.rows.tolist() == [2, 2, 2]
    assert "Left out: 1 row of no games." in log.source.notes


def test_a_table_of_scores_counts_its_games_and_knows_who_went_first_where_both_orders_stand(tmp_path: Path) -> None:
    log = read(tmp_path, "uno;altro;punteggio;partite\nElves;Orcs;0,60;40\nOrcs;Elves;25%;20\nElves;Trolls;1;20\n")
    assert rows_of(log) == [(E, O, 0.6, 40.0, 1), (O, E, 0.25, 20.0, 1), (E, "Trolls", 1.0, 20.0, 0)]
    assert log.source.assumptions[0] == "In 2 rows of pairs that stand in both orders, the one under uno went first."


def test_an_interval_or_an_error_says_how_many_games_a_score_is_worth(tmp_path: Path) -> None:
    log = read(tmp_path, "one,other,score,low,high,error\nElves,Orcs,0.5,0.402,0.598,\nElves,Orcs,0.5,,,0.05\n")
    assert log.games.count.tolist() == pytest.approx([100.0, 100.0], rel=1e-3)


def test_the_tasks_of_a_run_are_read_seat_by_seat(tmp_path: Path) -> None:
    text = (
        "situation,a,b,method,n_pairs,score,low,high,advantage\nopen,E,O,exact,0,0.6,,,0.2\n"
        "open,E,T,sampled,100,0.55,0.5,0.6,0.1\nopen,O,T,sampled,0,,,,\n"
    )
    log = read(tmp_path, text)
    seats = [(other, round(score, 9), n, seat) for _, other, score, n, seat in rows_of(log)]
    assert seats == [("O", 0.7, 500_000, 1), ("O", 0.5, 500_000, -1), ("T", 0.6, 50, 1), ("T", 0.5, 50, -1)]
    assert {row[0] for row in rows_of(log)} == {"E"}
    assert log.games.scenario_names == ("open",)
    assert "A score that is exact counts as 1,000,000 games." in log.source.assumptions


def test_what_else_is_told_is_kept(tmp_path: Path) -> None:
    text = (
        "serata;fazione a;fazione b;giocatore a;giocatore b;inizia;vince;costo a;costo b;mappa\n"
        "2026-02-03;Elves;Orcs;Ada;Bo;Orcs;Elves;100;90,5;Ford\n"
        "03/01/2026;Orcs;Elves;Ada;;1;pari;100;;\n"
    )
    games = read(tmp_path, text).games
    assert games.session_names == ("03/01/2026", "2026-02-03")
    assert games.session is not None and games.session.tolist() == [1, 0]
    assert games.player_names == ("Ada", "Bo")
    assert games.players is not None and games.players.tolist() == [[0, 1], [0, -1]]
    assert games.scenario is not None and games.scenario.tolist() == [0, -1]
    assert games.cost is not None and games.cost[0].tolist() == [100.0, 90.5]
    assert math.isnan(games.cost[1, 1])
    assert games.mover.tolist() == [-1, 1]


STARTS = [
    "army 1,army 2,first,winner\nElves,Orcs,Orcs,Elves\n",
    "deck 1,deck 2,player 1,player 2,First player,winner\nElves,Orcs,Ada,Bo,Bo,Ada\n",
    "primo giocatore,mazzo a,mazzo b,vince\nOrcs,Elves,Orcs,Elves\n",
    "winner,loser,first\nElves,Orcs,Orcs\n",
    "winner,loser,first player\nElves,Orcs,loser\n",
]


@pytest.mark.parametrize("text", STARTS)
def test_a_column_called_first_beside_two_names_says_who_began(text: str, tmp_path: Path) -> None:
    assert rows_of(read(tmp_path, text)) == [(E, O, 1.0, 1.0, -1)]


def test_players_are_rated_where_nothing_else_is_named(tmp_path: Path) -> None:
    log = read(tmp_path, "giocatore1,giocatore2,vincitore\nAda,Bo,Bo\n")
    assert rows_of(log) == [("Ada", "Bo", 0.0, 1.0, 0)]
    assert any(sentence.startswith("The players are rated") for sentence in log.source.assumptions)


def test_a_running_number_is_no_count(tmp_path: Path) -> None:
    log = read(tmp_path, "n,first,second,winner\n1,E,O,E\n2,E,O,E\n3,E,O,O\n")
    assert log.games.count.tolist() == [1.0, 1.0, 1.0]
    assert "The column n numbers the games, it does not count them: not used." in log.source.notes


def test_a_title_above_the_header_and_notes_beside_it_do_no_harm(tmp_path: Path) -> None:
    log = read(tmp_path, "My evenings,,,\n,,,\nfirst,second,winner,remarks\nElves,Orcs,1,close!\n")
    assert rows_of(log) == [(*WON, 1)]
    assert log.games.rows.tolist() == [4]
    assert "Not used: remarks." in log.source.notes


# -- who went first ---------------------------------------------------------------------------------------------------


def test_the_command_may_say_who_went_first(tmp_path: Path) -> None:
    text = "one,other,winner\nElves,Orcs,Elves\n"
    told = {first: read(tmp_path, text, first=first) for first in ("", "one", "other", "nobody")}
    assert [log.games.mover.tolist() for log in told.values()] == [[0], [1], [-1], [0]]
    assert told["one"].source.assumptions == ("The one under one went first in every game, as the command says.",)
    assert "Nobody says who went first" in told[""].source.assumptions[0]
    (winner,) = faults_of(tmp_path, "winner,loser\nElves,Orcs\n", first="one")
    assert winner.startswith("first_goes: has nothing to name: the first of a row is its winner")
    with pytest.raises(UsageError, match="'both' is no side"):
        LogSettings(first="both")  # type: ignore[arg-type]


# -- names ------------------------------------------------------------------------------------------------------------


def test_case_and_blanks_do_not_make_two_of_one_name_and_it_is_told(tmp_path: Path) -> None:
    log = read(tmp_path, "first,second,winner\nElves,Orcs,ELVES\nelves ,Orcs,Elves\nElves,  Orcs,orcs\n")
    assert log.games.names == (E, O)
    assert log.source.notes == ("'elves' is taken for 'Elves'.",)
    decomposed = read(tmp_path, "first,second,winner\nCitta\u0300,Orcs,Citt\u00e0\n")
    assert decomposed.games.names == ("Citt\u00e0", O)


def test_a_slip_of_the_pen_is_told(tmp_path: Path) -> None:
    text = "first,second,winner\n" + "Dwarves,Orcs,Orcs\n" * 4 + "Dwarvse,Orcs,Orcs\nOrcs,Unit 1,draw\n"
    slips = [note for note in read(tmp_path, text).source.notes if "looks like" in note]
    assert slips == ["'Dwarvse' (1 game) looks like 'Dwarves': if they are one, mend the log."]


def test_an_entrant_may_be_called_what_a_result_is_called(tmp_path: Path) -> None:
    log = read(tmp_path, "one,other,winner\nDraw,2,Draw\nDraw,2,2\n2,1,1\n1,Orcs,1\n")
    assert [row[:3] for row in rows_of(log)] == [("Draw", "2", 1), ("Draw", "2", 0), ("2", "1", 0), ("1", O, 1)]


def test_a_game_against_oneself_is_left_out_and_told(tmp_path: Path) -> None:
    log = read(tmp_path, "first,second,winner\nElves,Elves,1\nElves,Orcs,Elves\n")
    assert rows_of(log) == [(*WON, 1)]
    assert log.source.notes == ("Left out: 1 row of one against itself, which says nothing of strength.",)


# -- what options say --------------------------------------------------------------------------------------------------


def test_columns_may_be_named_by_what_they_hold(tmp_path: Path) -> None:
    text = "x,y,Vinto lui,first\nElves,Orcs,Elves,Orcs\n"
    log = read(tmp_path, text, columns={"primo": "x", "second": "Y", "winner": "vinto_lui"})
    assert rows_of(log) == [(*WON, -1)]  # the column first says who went first, the options do not
    assert log.source.columns == {"one": "x", "other": "y", "winner": "Vinto lui", "starts": "first"}
    neutral = read(tmp_path, text, columns={"one": "x", "other": "y", "winner": "Vinto lui", "starts": ""})
    assert rows_of(neutral) == [(*WON, 0)]


def test_a_column_may_be_left_out(tmp_path: Path) -> None:
    text = "a,b,winner,vp_a,vp_b\nElves,Orcs,Elves,3,9\n"
    assert "points_one=" in faults_of(tmp_path, text)[0]
    assert rows_of(read(tmp_path, text, columns={"points_one": ""})) == [(*WON, 0)]


def test_a_word_of_ones_own_for_a_draw(tmp_path: Path) -> None:
    text = "a,b,winner\nElves,Orcs,stallo\nElves,Orcs,P\n"
    assert [row[2] for row in rows_of(read(tmp_path, text, draws=("Stallo", "P")))] == [0.5, 0.5]
    assert len(faults_of(tmp_path, text)) == 1


def test_options_that_name_nothing_are_faults(tmp_path: Path) -> None:
    text = "x,y,z\nElves,Orcs,Elves\n"
    told = faults_of(tmp_path, text, columns={"frst": "x", "second": "q"})
    assert told[0].startswith("column: 'frst' is nothing that a column can hold; allowed: one, other, ")
    assert told[1:] == ["column, other: 'q' is not a column of this log; allowed: x, y, z"]


# -- faults -----------------------------------------------------------------------------------------------------------

FAULTS = """
Elves,Orcs,Orks -> log.csv, row 2, winner: 'Orks' is neither of the two, nor a draw; allowed: Elves, Orcs, a result
    such as 2-1, or draw; did you mean Orcs?
Elves,Orcs,  -> log.csv, row 2, winner: does not say who won; write draw where nobody won, and leave out games that
    were not finished: leave_out=''
,Orcs,Orcs -> log.csv, row 2, first: is empty; write a name
Elves,Orcs,2026-01-02 -> log.csv, row 2, winner: '2026-01-02' looks like a date made by a spreadsheet; allowed: Elves,
    Orcs, a result such as 2-1, or draw; format the column as text, then type the result again
Elves,Elves,elves -> log.csv, row 2, winner: 'elves' names both sides; write 1 or 2
Elves,Orcs -> log.csv, row 2: the row has 2 cells, the header has 3
Elves,Orcs,Orcs,x -> log.csv, row 2: 'x' stands under no header; put quotation marks around a text that holds the
    separator
Elves,\x07Orcs,Elves -> log.csv, row 2, second: '\\x07Orcs' holds a control character; write the name on one line
Elves,Orcs,0.6 -> log.csv, row 2, winner: '0.6' is not the result of one game; allowed: 0, 0.5 or 1; say in a column n
    how many games it stands for
"""
CASES = [tuple(line.split(" -> ")) for line in re.sub(r"\n +", " ", FAULTS.strip("\n")).splitlines()]
"""A row below `first,second,winner`, and its fault."""


@pytest.mark.parametrize(("row", "said"), CASES)
def test_a_fault_says_where_what_and_what_is_allowed(row: str, said: str, tmp_path: Path) -> None:
    assert faults_of(tmp_path, f"first,second,winner\n{row}\n") == [said]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = "first,second,winner\n" + "\n".join(row for row, _ in CASES)
    assert len(faults_of(tmp_path, text)) == len(CASES)
    several = "first,second,winner,starts,cost 1,cost 2,n\n,Orcs,Orcs,x,-1,1,0.5\nElves,Orcs,Elves,Trolls,a,1,\n"
    assert [said.split(": ")[0] for said in faults_of(tmp_path, several)] == [
        "log.csv, row 2, first",
        "log.csv, row 2, cost 1",
        "log.csv, row 3, n",
        "log.csv, row 3, starts",
        "log.csv, row 3, cost 1",
    ]


def test_two_columns_that_contradict_each_other_are_a_fault(tmp_path: Path) -> None:
    told = faults_of(tmp_path, "first,second,winner,result\nElves,Orcs,Elves,0-1\nElves,Orcs,draw,1-0\n")
    assert told[0].startswith("log.csv, row 2, result: says that Orcs won, winner that Elves won; mend one of them")
    assert told[1].startswith("log.csv, row 3, result: says that Elves won, winner that nobody won")
    (lost,) = faults_of(tmp_path, "winner,loser,result\nElves,Orcs,1-2\n")
    assert lost.startswith("log.csv, row 2, result: says that Orcs won, loser that it lost")
    (ambiguous,) = faults_of(tmp_path, "a,b,player a,player b,winner\nElves,Orcs,Ada,Elves,Elves\n")
    assert "is the name of one side and the player of the other; write 1 or 2" in ambiguous


HEADERS = {
    "Elves,Orcs,Elves\n": "no column holds two names",
    "first,second,winnr\nElves,Orcs,Elves\n": "is 'winnr' meant? column=winner=winnr",
    "army 1,winner\nElves,Elves\n": "no column holds the name of side other",
    "home,army 1,away,winner\nElves,Orcs,Trolls,Elves\n": "'home' and 'army 1' may both be the name of the first side",
    "first,second,winner\n": "the log has a header but no games",
    "first,second,winner\nElves,Elves,1\n": "no row of the log tells of a game between two",
    "": "the file is empty",
    'first,second,winner\n"Elves,Orcs,Elves\n': "the row cannot be split into cells",
}


@pytest.mark.parametrize("text", HEADERS)
def test_a_log_that_lacks_something_says_what(text: str, tmp_path: Path) -> None:
    assert any(HEADERS[text] in said for said in faults_of(tmp_path, text))


def test_there_are_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (MOST_LOG_ROWS, MOST_LOG_NAMES) == (100_000, 1500)
    monkeypatch.setattr(module, "MOST_LOG_ROWS", 3)
    monkeypatch.setattr(module, "MOST_LOG_NAMES", 2)
    monkeypatch.setattr(module, "MOST_FAULTS", 2)
    head = "first,second,winner\n"
    assert "more than 3 rows" in faults_of(tmp_path, head + "Elves,Orcs,1\n" * 4)[0]
    assert "names 3 entrants; at most 2 are read" in faults_of(tmp_path, head + "Elves,Orcs,1\nElves,Trolls,1\n")[0]
    assert faults_of(tmp_path, head + "Elves,Orcs,zz\n" * 3)[-1].endswith("the rest of the log was not looked at")
    long = faults_of(tmp_path, f"{head}{'E' * 81},Orcs,1\n")
    assert "is longer than 80 characters" in long[0]


def test_a_file_that_is_not_there_or_no_log(tmp_path: Path) -> None:
    read(tmp_path, "first,second,winner\nElves,Orcs,1\n")
    with pytest.raises(CatalogueError, match=r"there is no such file; is log\.csv meant\?"):
        read_log(tmp_path / "lgo.csv")
    for name in ("log.xlsx", "log.ods"):
        (tmp_path / name).write_bytes(b"no workbook")
        with pytest.raises(CatalogueError, match=r"not an \.xlsx workbook"):
            read_log(tmp_path / name)
    with pytest.raises(CatalogueError, match="cannot be read"):
        read_log(tmp_path)


def test_rows_that_are_alike_are_counted_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without a column that numbers the rows, so that no two are alike, the same is read and told."""
    monkeypatch.chdir(tmp_path)
    rows = ["Elves,Orcs,Elves,Ada,Bo,x", "elves,Orcs,draw,Ada,,y", "Orcs,Elves,1,,bo,x", "Elvse,Orcs,2,Cy,Bo,x"] * 40
    header = "first,second,winner,first_player,second_player,session"
    Path("alike.csv").write_text("\n".join([header, *rows]), "utf-8")
    numbered = [f"{row},note {at}" for at, row in enumerate(rows)]
    Path("apart.csv").write_text("\n".join([f"{header},remark", *numbered]), "utf-8")
    alike, apart = read_log("alike.csv"), read_log("apart.csv")
    for name in ("side_a", "side_b", "score", "count", "mover", "rows", "session", "players"):
        assert getattr(alike.games, name).tolist() == getattr(apart.games, name).tolist(), name
    assert (alike.games.names, alike.games.player_names) == (apart.games.names, apart.games.player_names)
    assert alike.games.names == ("Elves", "Elvse", "Orcs")
    assert list(alike.source.notes) == [note for note in apart.source.notes if "remark" not in note]
