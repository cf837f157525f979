"""Tips about logs of games that were played, and about how many are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from openpyxl import Workbook

import balance
from balance.playtests.contests import Contests, Side
from balance.playtests.games import Games, games_of
from balance.playtests.log.lists import read_lists
from balance.playtests.model.rating import RateSettings, check_settings
from balance.playtests.people.several import rate_contests
from balance.playtests.shares import parse_band, parse_band_around_half, parse_share
from tests.tips.following import Case, Typed, under

HEAD = "first,second,winner\n"
GAMES = "Elves,Orcs,Elves\nOrcs,Elves,Orcs\nElves,Orcs,Elves\n"


def log(wrong: str, tip: str, right: str, options: str = "", then: str | None = None, later: str = "") -> Case:
    """Return the case of a log, rated with some options, and with others then."""
    return Case(
        Typed(f"rate log.csv {options}", {"log.csv": wrong}),
        tip,
        Typed(f"rate log.csv {options if then is None else then}", {"log.csv": right}),
        later,
    )


PLACINGS = "game,player,place\n" + "".join(
    f"{at},{name},{(at * 7 + seat * (at % 3 + 1)) % 3 + 1}\n" for at in range(9) for seat, name in enumerate("ABC")
)


def scored(wrong: str, tip: str, right: str, n: int = 40) -> Case:
    """Return the case of a log of so many scores in two months, rated with some options, and with others then."""
    unit = (
        "game,side,unit,cost\n",
        *(f"{at},{side},U{at % 3},{50 + at % 7}\n" for at in range(1, 21) for side in "ab"),
    )
    lists = {"few.csv": "".join(unit[:9]), "many.csv": "".join(unit)}
    rows = (f"2026-0{at % 2 + 1},P{at % 5},P{at % 4 + 5},E{at % 2},O{at % 3},{at % 7},{at * 3 % 7}" for at in range(n))
    files = {"log.csv": "\n".join(["month,player a,player b,army a,army b,score a,score b", *rows]) + "\n"} | lists
    return Case(Typed(f"rate log.csv {wrong}", files), tip, Typed(f"rate log.csv {right}", files))


MET = "nexus+shotgun,trooper+shotgun"


def fit(names: str, tip: str, options: str = "") -> Case:
    """Return the case of a log with a game of these names that is held against a simulation, with some options."""
    files = [{"log.csv": f"{HEAD}{pair},{pair.partition(',')[0]}\n"} for pair in (names, MET)]
    return Case(Typed(f"fit warforged log.csv {options}", files[0]), tip, Typed("fit warforged log.csv", files[1]))


def row(wrong: str, tip: str, right: str, head: str = HEAD, options: str = "", then: str | None = None) -> Case:
    """Return the case of one more row of a log."""
    return log(f"{head}{wrong}\n", tip, f"{head}{right}\n", options, then)


def asked(options: str, tip: str, then: str, text: str = HEAD + GAMES) -> Case:
    """Return the case of options of a log."""
    return log(text, tip, text, options, then)


def need(options: str, tip: str, then: str) -> Case:
    """Return the case of a plan."""
    return Case(f"need {options}", tip, f"need {then}")


def book(sheet: str) -> Callable[[], object]:
    """Return the deed of rating the games of one sheet of a workbook."""

    def rate() -> object:
        book = Workbook()
        book.active.title = "Games"
        for line in (HEAD + GAMES).splitlines():
            book.active.append(line.split(","))
        book.save("log.xlsx")
        return balance.rate("log.xlsx", sheet=sheet) and None

    return rate


def three(**settings: Any) -> Callable[[], object]:
    """Return the deed of rating three that came in one after the other."""
    contests = Contests.of([[Side(("a",), 1), Side(("b",), 2), Side(("c",), 3)]])
    return lambda: rate_contests(contests, RateSettings(**settings)) and None


def lists(wrong: str, tip: str) -> Case:
    """Return the case of the lists of a log of one game."""

    def read(text: str) -> Callable[[], object]:
        log = games_of(["Elves"], ["Orcs"], [1], game_ids=["g1"])
        return lambda: Path("lists.csv").write_text(text, "utf-8") and read_lists("lists.csv", log) and None

    return Case(read(wrong), tip, read("game,side,unit,cost\ng1,a,Bow,10\n"))


def games(names: Sequence[str]) -> Games:
    """Return a game of each name against the last one."""
    sides = np.arange(len(names))
    return Games(
        tuple(names),
        sides,
        sides[::-1],
        np.zeros(len(names)),
        np.ones(len(names)),
        np.zeros(len(names), np.int8),
        sides,
    )


SLIM = '[{"first": "Elves", "second": "Orcs", "winner": "Elves"}]'
WIDE = SLIM.replace('"Elves"}', '"Elves", "a": 1}')

CASES = [
    row("Elves,Orcs,Elvs", "did you mean Elves?", "Elves,Orcs,Elves"),
    row("Elves,Orcs,Unentschieden x", "--draw WORD", "Elves,Orcs,Unentschieden x", then="--draw 'Unentschieden x'"),
    row(f"Elves,{'x' * 99},Elves", "a name is short", "Elves,Orcs,Elves"),
    row("Elves,Or\x01cs,Elves", "write the name on one line", "Elves,Orcs,Elves"),
    row(
        "Elves,Orcs,Elves,more",
        "put quotation marks around a text that holds the separator",
        'Elves,"Orcs,more",Elves',
        options="",
    ),
    row("Elves,Orcs,Elves\nElves,Elves,Elves", "write 1 or 2", "Elves,Orcs,Elves\nElves,Elves,1"),
    row(
        "Elves,Orcs,3-Apr",
        "format the column as text, then type the result again",
        "Elves,Orcs,3-4",
        "first,second,result\n",
    ),
    row(
        "Elves,Orcs,win,maybe",
        "write win, loss or draw",
        "Elves,Orcs,win,loss",
        "first,second,first result,second result\n",
    ),
    row("Elves,Orcs,Elves,", "say how many games the row stands for", "Elves,Orcs,Elves,1", "first,second,winner,n\n"),
    row(
        "Elves,Orcs,,yes\nElves,Orcs,Elves,mabe",
        "write yes where nobody won, and nothing elsewhere",
        "Elves,Orcs,,yes\nElves,Orcs,Elves,",
        "first,second,winner,draw\n",
    ),
    asked("--draws davidsn", "did you mean davidson?", "--draws davidson"),
    asked("--column winner", "such as winner=Vinto", "--column winner=winner"),
    asked("--column winer=winner", "did you mean winner?", "--column winner=winner"),
    asked("--column winner=winer", "did you mean winner?", "--column winner=winner"),
    asked("--first-goes one --no-first", "give one of them", "--no-first"),
    asked("--sheet Games", "leave out --sheet", ""),
    Case(
        "rate evenings",
        "name a file of games, such as evenings.csv; `balance rate evenings.csv --template` writes one to fill in",
        "rate evenings.csv --template",
    ),
    asked("--band 45", "such as 45:55", "--band 45:55"),
    log(
        "[]",
        'such as [{"army_1": "Elves", "army_2": "Orcs", "winner": "Elves"}]',
        '[{"army_1": "Elves", "army_2": "Orcs", "winner": "Elves"}]',
    ),
    log(
        "Elves,Orcs,Elves\nOrcs,Elves,Orcs\nElves,Orcs,Orcs\n",
        "put a row above it that names them, such as army 1, army 2, winner",
        "army 1,army 2,winner\nElves,Orcs,Elves\nOrcs,Elves,Orcs\nElves,Orcs,Orcs\n",
        "--no-first",
    ),
    log(
        GAMES,
        "a first row names the columns, such as army 1, army 2, winner",
        "army 1,army 2,winner\n" + GAMES,
        "--no-first",
    ),
    log(
        HEAD + GAMES + "Dwarfs,Gnomes,Dwarfs\n",
        "rate each group by itself, or play a game between them",
        HEAD + GAMES + "Dwarfs,Elves,Dwarfs\n",
        "--prior none",
        "",
    ),
    log(
        HEAD + "Elves,Orcs,Elves\nElves,Orcs,Elves\n",
        "rate with the prior, which is the default",
        HEAD + "Elves,Orcs,Elves\n",
        "--prior none",
        "",
    ),
    Case(
        under({"balance.playtests.log.log.MOST_LOG_ROWS": 2}, Typed("rate log.csv", {"log.csv": HEAD + GAMES})),
        "with a column n that says how many",
        Typed("rate log.csv", {"log.csv": "first,second,winner,n\nElves,Orcs,Elves,2\n"}),
    ),
    Case(
        under({"balance.playtests.log.log.MOST_LOG_NAMES": 1}, Typed("rate log.csv", {"log.csv": HEAD + GAMES})),
        "--column says which one holds what",
        Typed("rate log.csv --column winner=winner", {"log.csv": HEAD + GAMES}),
    ),
    need("--difference 0.1pp", "ask for a larger difference", "--difference 5pp"),
    need("--band 55:45", "did you mean 45:55?", "--band 45:55"),
    need("--band 1:99", "such as 45:55", "--band 45:55"),
    need("--difference 40pp --draws 50%", "of draws leave room for it", "--difference 40pp --draws 10%"),
    need("--difference 4pp --band 45:55", "name a difference of more than 5 points, or leave it out", "--band 45:55"),
    Case(lambda: parse_band("45") and None, "such as 45:55", lambda: parse_band("45:55") and None),
    Case(
        lambda: parse_band_around_half("45") and None, "such as 45:55", lambda: parse_band_around_half("45:55") and None
    ),
    row(
        "Elves,Orcs,3,1,2",
        "mend one of them, or leave this column out: --column n=",
        "Elves,Orcs,3,1,4",
        "faction,opponent,wins,losses,games\n",
    ),
    row(
        "Elves,Orcs,3,1,2",
        "mend one of them, or leave this column out: --column n=",
        "Elves,Orcs,3,1,2",
        "faction,opponent,wins,losses,games\n",
        then="--column n=",
    ),
    row(
        "Elves,Orcs,win,win",
        "one wins and one loses, or both draw",
        "Elves,Orcs,win,loss",
        "first,second,first result,second result\n",
    ),
    row("Elves,Orcs,Elves,Elvs", "did you mean Elves?", "Elves,Orcs,Elves,Elves", "army 1,army 2,winner,starts\n"),
    row(
        "Elves,Orcs,Elves,xyzzy",
        "leave it empty where nobody knows",
        "Elves,Orcs,Elves,",
        "army 1,army 2,winner,starts\n",
    ),
    log(
        "winner,loser\nElves,Orcs\n",
        "add a column starts, which says it of each game",
        "winner,loser,starts\nElves,Orcs,Orcs\n",
        "--first-goes one",
        "",
    ),
    log(
        "faction,games,wins,points\nElves,9,5,15\nOrcs,9,4,12\n",
        "write one row per match-up",
        "faction,opponent,wins,losses\nElves,Orcs,5,4\n",
    ),
    log(
        "faction,games,wins\nElves,9,5\nOrcs,9,4\n",
        "write one row per match-up",
        "faction,opponent,wins,losses\nElves,Orcs,5,4\n",
    ),
    log(
        ",Elves,Orcs\nElves,,60\nOrcs,40,\n",
        "such as faction, opponent, win rate, games",
        "faction,opponent,win rate,games\nElves,Orcs,60,20\n",
    ),
    log(
        ",Elves,Orcs\nElves,,5-3\nOrcs,3-5,\n",
        "such as faction, opponent, wins, losses",
        "faction,opponent,wins,losses\nElves,Orcs,5,3\n",
    ),
    *(
        log(wrong, tip, "game,player,place\n1,A,1\n1,B,1\n1,C,3\n")
        for wrong, tip in (
            ("game,player,place,vp\n1,A,1,5\n1,B,2,9\n1,C,3,1\n", "take the points out of the log"),
            ("player 1,player 2,player 3,winner\nA,B,C,\n", "add a column place, points or winner"),
            ("game,faction,place\n1,A,1\n1,A,2\n1,C,3\n", "add a column player"),
            ("player 1,player 2,player 3,winner\nA,B,C,A & B\n", "if they tied, with a column place: 1, 1, 3"),
            ("game,player,place\n1,A,one\n1,B,1\n1,C,3\n", "write 1, 2, 3, or nothing where nobody knows"),
            ("player 1,player 2,player 3,winner\nA,B,C,Eve\n", "write who won as in the row: A, B, C"),
        )
    ),
    log("a,b,winr\nElves,Orcs,Elves\n", "is 'winr' meant? --column winner=winr", "a,b,winner\nElves,Orcs,Elves\n"),
    need("--difference 0.001pp", "half a point is 0.5pp", "--difference 5pp"),
    log(
        "first,second,score\nElves,Orcs,0.7\n",
        "say in a column n how many games it stands for",
        "first,second,score,n\nElves,Orcs,0.7,10\n",
    ),
    log("a,b\nElves,Orcs\n", "a first row names the columns", HEAD + GAMES),
    log(
        HEAD + "Elves,Orcs,\n" + GAMES,
        "leave out games that were not finished: --leave-out ''",
        HEAD + "Elves,Orcs,\n" + GAMES,
        "",
        "--leave-out ''",
    ),
    log(HEAD + "Elves,Orcs,\n" + GAMES, "write draw where nobody won", HEAD + "Elves,Orcs,draw\n" + GAMES),
    log(
        "first,second,winner,result\nElves,Orcs,Elves,0-1\n",
        "mend one of them, or leave this column out: --column result=",
        "first,second,winner,result\nElves,Orcs,Elves,0-1\n",
        "",
        "--column result=",
    ),
    log(
        ",Elves,Orcs\nElves,,W\nOrcs,W,\n",
        "mend one of them, or write one row per game: army 1, army 2, winner",
        "army 1,army 2,winner\nElves,Orcs,Elves\n",
    ),
    Case(
        lambda: balance.rate(pl.DataFrame()) and None,
        "give one with two names and who won",
        lambda: balance.rate(pl.DataFrame({"first": ["a"], "second": ["b"], "winner": ["a"]})) and None,
    ),
    log(
        "rank,faction,points\n1,Elves,30\n2,Orcs,20\n",
        "write one row per match-up",
        "faction,opponent,wins,losses\nElves,Orcs,5,4\n",
    ),
    log(
        "faction,wins,losses\nElves,5,4\nOrcs,4,5\n",
        "write one row per match-up",
        "faction,opponent,wins,losses\nElves,Orcs,5,4\n",
    ),
    log("faction,result\nElves,win\nOrcs,loss\n", "one row per game", HEAD + GAMES),
    Case(
        Typed("rate log.ods", {"log.ods": "nothing"}),
        "save it as Excel workbook (.xlsx), or as CSV",
        Typed("rate log.csv", {"log.csv": HEAD + GAMES}),
    ),
    Case(
        Typed("rate log.parquet", {"log.parquet": HEAD + GAMES}),
        "write it again, or save it as CSV",
        Typed("rate log.csv", {"log.csv": HEAD + GAMES}),
    ),
    Case(
        lambda: check_settings(RateSettings(band=(0.6, 0.7))),
        "give the two chances, such as 45:55",
        lambda: check_settings(RateSettings()),
    ),
    Case(
        lambda: parse_share("5% of all", "--difference") and None,
        "did you mean 5%?",
        lambda: parse_share("5%", "--difference") and None,
    ),
    row(",Orcs,Orcs", "write a name", "Elves,Orcs,Orcs"),
    log(
        "game,faction,vp,points\n1,Elves,3,1\n1,Orcs,1,3\n",
        "say which counts: --column points=vp or --column points=points",
        "game,faction,vp,points\n1,Elves,3,1\n1,Orcs,1,3\n",
        then="--column points=vp",
    ),
    log(
        "game,faction,army,result\n1,Elves,Red,win\n1,Orcs,Blue,loss\n",
        "--column name=faction",
        "game,faction,army,result\n1,Elves,Red,win\n1,Orcs,Blue,loss\n",
        then="--column name=faction",
    ),
    log(
        "faction,games,wins\nElves,1,1\nOrcs,1,0\n",
        "write one row per match-up",
        "faction,opponent,wins,losses\nElves,Orcs,5,4\n",
    ),
    log(
        "home,army 1,away,winner\nElves,Orcs,Trolls,Elves\n",
        "--column one=home",
        "home,army 1,away,winner\nElves,Orcs,Trolls,Elves\n",
        then="--column one=home",
    ),
    row(
        "Elves,Orcs,Ada,Elves,Elves",
        "write 1 or 2",
        "Elves,Orcs,Ada,Elves,1",
        "a,b,player a,player b,winner\n",
    ),
    Case(
        under({"balance.playtests.log.sheets.MOST_FIELDS": 3}, Typed("rate log.json", {"log.json": WIDE})),
        "give each game one record with two names and who won",
        under({"balance.playtests.log.sheets.MOST_FIELDS": 3}, Typed("rate log.json", {"log.json": SLIM})),
    ),
    lists("side,unit,cost\na,Bow,10\n", "give columns game, side, unit and cost"),
    lists("game,side,list\ng1,a,\n", "give columns game, side, unit and cost"),
    lists("game,side,unit\ng2,a,Bow\n", "give both files a column game with the same names"),
    lists("game,side,unit\ng1,a,Bow\ng2,a,Bow\n", "leave out lists of games that the log does not hold"),
    lists("game,side,unit\ng1,Elv,Bow\n", "where both sides have the same name, say a or b"),
    lists("game,side,unit,cost\ng1,a,Bow,0\n", "no list without all its costs"),
    Case(book("Gams"), "did you mean Games?", book("Games")),
    Case(lambda: games(()).check(), "give at least one row with two names and a winner", lambda: games("ab").check()),
    Case(lambda: games("a").check(), "give games between two or more", lambda: games("ab").check()),
    Case(
        lambda: balance.rate(pl.DataFrame(), template=True) and None,
        "name a new .csv file",
        lambda: balance.rate("log.csv", template=True) and None,
    ),
    Case(three(prior=None), "rate with the prior", three()),
    Case(three(draws="rao_kupper"), "leave out draws=", three(draws="davidson")),
    fit("nexus+shotgn,trooper+shotgun", "did you mean nexus+shotgun?"),
    fit("elf,orc", "is it the log of another game?"),
    fit(MET, "did you mean duel?", "--by dule"),
    Case(
        under({"balance.playtests.people.predictions.EDGE": 0.5}, fit(MET, "").wrong),
        "play games between entrants that differ",
        fit(MET, "").right,
    ),
    scored("--lists few.csv", "give those of 10 games or more", "--lists many.csv"),
    scored("--scores ignored --by month", "leave one out", "--by month"),
    scored("--by month", "who won is rated from the first game on", "", n=5),
    Case(
        Typed("rate log.csv --scores used", {"log.csv": PLACINGS}),
        "leave --scores, --lists, --by and --later out",
        Typed("rate log.csv", {"log.csv": PLACINGS}),
    ),
]
