"""Logs in shapes that people keep in public, all made up: how each is read, or the shape that is refused.

A case is `# NAME (FILE)`, then `LOG -> GAMES`, in which ` / ` ends a row of the log and indented lines go on, then
`+ NOTE` for each part of what is told beside the games. GAMES is one after another, `A>B` won, `A<B` lost, `A=B` drawn,
or a share between the names, and `x` with how many there are; or, after `!`, the shape that a refusal names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Kept:
    """A log as somebody keeps it; `games` are (one, other, score of one, how many), or what a refusal names."""

    text: str
    games: str | list[tuple[str, str, float, float]]
    notes: tuple[str, ...]
    file: str


SCORES = {">": 1.0, "=": 0.5, "<": 0.0}
GAME = re.compile(r"(.+?)([<=>]| [\d.]+ )(.+?)(?: x(\d+))?")


def game_in(text: str) -> tuple[str, str, float, float]:
    one, mark, other, n = GAME.fullmatch(text).groups("1")  # type: ignore[union-attr]
    return one, other, float(SCORES.get(mark, mark)), float(n)


def kept_in(table: str) -> dict[str, Kept]:
    logs = {}
    for case in re.sub(r"\n +", " ", table).split("\n# ")[1:]:
        head, log, *notes = case.strip().split("\n")
        name, _, file = head.rstrip(")").partition(" (")
        text, _, says = log.partition(" -> ")
        games = says[1:] if says.startswith("!") else [game_in(game) for game in says.split(", ")]
        told = tuple(note.removeprefix("+ ") for note in notes)
        logs[name] = Kept(text.replace(" / ", "\n") + "\n", games, told, file or "log.csv")
    return logs


LOGS = kept_in("""
# football results
Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee,HS,AS,B365H /
    X0,11/08/24,Lions,Bears,2,0,H,1,0,H,J Doe,12,7,1.5 / X0,12/08/24,Bears,Owls,1,1,D,0,1,A,A Roe,9,9,2.1 /
    X0,18/08/24,Owls,Lions,0,3,A,0,1,A,J Doe,4,15,5.0 -> Lions>Bears, Bears=Owls, Owls<Lions
# football with games to come
Country,League,Date,Home,Away,HG,AG,Res / X,Top,1/9,Lions,Bears,2,1,H / X,Top,8/9,Bears,Lions,,, -> Lions>Bears
+ Left out: 1 row without a result.
# Italian league
Giornata;Casa;Ospite;Risultato;Stato / 1;Leoni;Orsi;2-1;giocata / 1;Gufi;Lupi;0-3;a tavolino / 2;Orsi;Gufi;;rinviata /
    2;Lupi;Leoni;1-1;giocata -> Leoni>Orsi, Lupi=Leoni
+ Left out: 1 row of a walkover; 1 row that was not played.
# chess in PGN (games.pgn)
[Event "Club night"] / [Site "?"] / [Date "2024.03.01"] / [Round "1"] / [White "Ada"] / [Black "Bo"] /
    [Result "1-0"] / [WhiteElo "1500"] /  / 1. e4 {[%clk 0:05] fine} e5 2. Nf3 1-0 /  / [Event "Club night"] /
    [Date "2024.03.01"] / [White "Bo"] / [Black "Cy"] / [Result "1/2-1/2"] /  / 1. d4 1/2-1/2 /  /
    [Event "Club night"] / [Date "2024.03.08"] / [White "Cy"] / [Black "Ada"] / [Result "*"] /  / * -> Ada>Bo, Bo=Cy
+ Left out: 1 row that was not finished.
# chess server, winner by colour
id,rated,turns,victory_status,winner,white_id,white_rating,black_id,black_rating,White,Black /
    a1,TRUE,13,outoftime,white,x,1500,y,1191,Ada,Bo / b2,TRUE,16,resign,black,y,1322,x,1261,Bo,Cy /
    c3,TRUE,61,draw,draw,x,1496,y,1500,Cy,Ada -> Ada>Bo, Bo<Cy, Cy=Ada
# chess server, a result for each
white_username,black_username,white_result,black_result,time_class / Ada,Bo,win,checkmated,blitz /
    Bo,Cy,timeout,win,blitz / Cy,Ada,agreed,agreed,rapid / Cy,Bo,win,abandoned,rapid -> Ada>Bo, Bo<Cy, Cy=Ada, Cy>Bo
# chess club with forfeits
Rd,White,WhiteElo,Black,BlackElo,Result / 1,Ada,1800,Bo,1700,½-½ / 1,Cy,1500,Di,1400,+/- / 2,Bo,1700,Cy,1500,0-1 /
    2,Di,1400,Ada,1800,-/+ / 3,Ada,1800,bye,,1 / 3,Bo,1700,Di,1400,1F-0F -> Ada=Bo, Bo<Cy
+ Left out: 3 rows of a forfeit; 1 row of a bye (bye).
# tabletop tournament app
Round,Table,Player 1,Player 1 Faction,Player 1 Score,Player 1 Result,Player 2,Player 2 Faction,Player 2 Score,Player
    2 Result /
    1,1,Ada,Elves,85,Win,Bo,Orcs,40,Loss / 1,2,Cy,Dwarves,55,Draw,Di,Elves,55,Draw /
    2,1,Ada,Elves,20,Loss,Cy,Dwarves,77,Win / 2,2,Bo,Orcs,100,Win,BYE,,0,Loss
    -> Elves>Orcs, Dwarves=Elves, Elves<Dwarves
+ Left out: 1 row of a bye (BYE).
# tabletop app, winner by seat
game_date,player_1_name,player_1_faction,player_1_score,player_2_name,player_2_faction,player_2_score,Winner /
    2024-05-01,Ada,Elves,12,Bo,Orcs,7,Player 1 / 2024-05-01,Bo,Orcs,5,Cy,Dwarves,9,Player 2 /
    2024-05-08,Cy,Dwarves,8,Ada,Elves,8,Draw -> Elves>Orcs, Orcs<Dwarves, Dwarves=Elves
# card games, a sentence as a result
Table,Team 1,Team 2,Result / 1,Ada,Bo,Ada won 2-1-0 / 2,Cy,Di,Di won 2-0-0 / 3,Eva,Flo,0-0-3 Draw /
    4,Gus,,Gus was awarded a bye / 5,Hal,Ivo,Ivo forfeited the match -> Ada>Bo, Cy<Di, Eva=Flo
+ Left out: 1 row of a bye; 1 row of a forfeit.
# card games, won-lost-drawn
player_a,deck_a,player_b,deck_b,score / Ada,Burn,Bo,Tron,2-0-0 / Bo,Tron,Cy,Jund,1-2-0 / Cy,Jund,Ada,Burn,1-1-1
    -> Burn>Tron, Tron<Jund, Jund=Burn
+ A result such as 2-1-0 is read as games won, lost and drawn
# video game brackets
tournament,round,entrant1Name,entrant1Score,entrant2Name,entrant2Score / Spring,WR1,Ada,3,Bo,1 /
    Spring,WR1,Cy,0,Di,-1 / Spring,WR2,Ada,2,Cy,3 -> Ada>Bo, Ada<Cy
+ Left out: 1 row of a disqualification (-1).
# video game sets
event,player1,player2,score / E1,Ada,Bo,Ada 2 - Bo 1 / E1,Bo,Cy,DQ / E1,Cy,Ada,Cy 0 - Ada 3 -> Ada>Bo, Cy<Ada
+ Left out: 1 row of a disqualification.
# winners and losers
tourney,winner_name,loser_name,score,minutes / Open,Ada,Bo,6-3 6-4,80 / Open,Cy,Ada,7-5 6-2,95
    -> !'6-3 6-4' is neither of the two
# winners and losers, no score
date;vincitore;perdente;note / 1/3/2024;Ada;Bo;bella / 1/3/2024;Cy;Ada; -> Ada>Bo, Cy>Ada
+ Not used: note.
# winners and losers with factions
id,date,winner,loser,winner_faction,loser_faction / 1,1/1,Ada,Bo,Elves,Orcs / 2,1/1,Cy,Ada,Dwarves,Elves
    -> Elves>Orcs, Dwarves>Elves
# both names in one cell
date,match,result / 2024-01-05,Elves vs Orcs,2-1 / 2024-01-05,Orcs vs. Dwarves,0-0 / 2024-01-12,Dwarves v Elves,1-3
    -> Elves>Orcs, Orcs=Dwarves, Dwarves<Elves
+ match names both sides
# Italian, both names in one cell
Data;Partita;Risultato / 05/01/2024;Elfi - Orchi;2-1 / 12/01/2024;Nani - Elfi;annullata -> Elfi>Orchi
+ Left out: 1 row that was cancelled.
# players as a list of two
date,players,winner / 1/2,"Ada, Bo",Ada / 1/2,"Bo, Cy",Cy -> Ada>Bo, Bo<Cy
# told from both sides
round,player,faction,opponent,opponent faction,vp,opponent vp / 1,Ada,Elves,Bo,Orcs,12,7 / 1,Bo,Orcs,Ada,Elves,7,12 /
    1,Cy,Dwarves,Di,Elves,3,20 / 1,Di,Elves,Cy,Dwarves,20,3 / 2,Ada,Elves,Cy,Dwarves,9,9 /
    2,Cy,Dwarves,Ada,Elves,9,9 -> Elves>Orcs, Dwarves<Elves, Elves=Dwarves
+ 3 rows tell a game the other way round
# a diary
my deck,enemy deck,going first?,result / Burn,Tron,,W / Tron,Burn,,L / Burn,Jund,,W -> Burn>Tron, Tron<Burn, Burn>Jund
# a tie-breaker
p1,p2,winner,tie / Ada,Bo,Ada,17.5 / Bo,Cy,Cy,12 -> Ada>Bo, Bo<Cy
+ The column tie does not say yes or no, so it tells no draws: not used.
# a number on every row
n.,casa,ospite,vince / 1,Elfi,Orchi,Elfi / 2,Orchi,Nani,Nani / 3,Nani,Elfi,Elfi / 1,Elfi,Orchi,Elfi /
    2,Orchi,Nani,patta / 3,Nani,Elfi,Nani -> Elfi>Orchi, Orchi<Nani, Nani<Elfi, Elfi>Orchi, Orchi=Nani, Nani>Elfi
+ numbers the games
# scores that became dates
home,away,score / Elves,Orcs,03-Jan / Orcs,Dwarves,1/2/2024 / Dwarves,Elves,Feb-00
    -> !looks like a date made by a spreadsheet
# one row per player, by number
match_id,player,deck,result / 1,Ada,Burn,Win / 1,Bo,Tron,Loss / 2,Ada,Burn,Loss / 2,Cy,Jund,Win / 3,Bo,Tron,Draw /
    3,Cy,Jund,Draw -> Burn>Tron, Burn<Jund, Tron=Jund
+ One row per player: two rows with the same match_id are one game.
# one row per player, by round and table
Turno;Tavolo;Giocatore;Fazione;Punti / 1;1;Ada;Elfi;14 / 1;1;Bo;Orchi;6 / 1;2;Cy;Nani;10 / 1;2;Di;Elfi;10 /
    2;1;Ada;Elfi;3 / 2;1;Cy;Nani;17 / 2;2;Bo;Orchi;20 -> Elfi>Orchi, Nani=Elfi, Elfi<Nani
+ the same Turno and Tavolo are one game
+ 1 row whose game has no other row
# one row per player, by place
game,date,faction,place / 1,1/1,Elves,1 / 1,1/1,Orcs,2 / 2,1/1,Orcs,2 / 2,1/1,Dwarves,1 -> Elves>Orcs, Orcs<Dwarves
# one row per player, no number
date,player,faction,score / 1/1,Ada,Elves,10 / 1/1,Bo,Orcs,8 / 1/1,Ada,Elves,6 / 1/1,Cy,Orcs,9
    -> !nothing says which two rows are one game
# win rates with numbers
archetype,opponent_archetype,winrate,matches / Burn,Tron,61.5,130 / Burn,Jund,48.0,75
    -> Burn 0.615 Tron x130, Burn 0.48 Jund x75
+ The win rates are per cent.
# Italian win rates both ways
Fazione;Avversario;% vittorie;Partite / Elfi;Orchi;54,2%;733 / Orchi;Elfi;45,8%;733 / Elfi;Nani;40,0%;415 /
    Nani;Elfi;60,0%;415 -> Elfi 0.542 Orchi x733, Elfi 0.4 Nani x415
+ 2 rows tell a game the other way round
# victories and losses
Format,Deck,Matchup,Games,Victories,Losses / M,Burn,Tron,10,6,4 / M,Jund,Burn,5,2,3
    -> Burn>Tron x6, Burn<Tron x4, Jund>Burn x2, Jund<Burn x3
# totals
faction,games,wins,losses,win rate / Elves,20,12,8,60% / Orcs,18,8,10,44% -> !holds totals of each entrant
# league table
Pos;Squadra;G;V;N;P;Punti / 1;Leoni;10;8;1;1;25 / 2;Orsi;10;5;2;3;17 / 3;Gufi;10;3;1;6;10 -> !league table
# cross table of games
No,Name,1,2,3,Pts / 1,Ada,x,1,½,1.5 / 2,Bo,0,x,1,1 / 3,Cy,½,0,x,0.5 -> Ada>Bo, Ada=Cy, Bo>Cy
+ A cross table: each cell is one game
# cross table of win rates
;Elfi;Orchi;Nani / Elfi;;54%;61% / Orchi;46%;;50% / Nani;39%;50%; -> !a cross table (a matrix of match-ups)
# JSON (games.json)
{"league": "L", "games": [{"date": "2024-01-01", "players": [{"name": "Ada", "faction": "Elves", "score": 3},
    {"name": "Bo", "faction": "Orcs", "score": 1}]}, {"date": "2024-01-02", "players": [{"name": "Bo", "faction":
    "Orcs", "score": 2}, {"name": "Cy", "faction": "Dwarves", "score": 2}]}]}
    -> Elves>Orcs, Orcs=Dwarves
# JSON lines (games.jsonl)
{"first": "Elves", "second": "Orcs", "winner": "Orcs"} /
    {"first": "Orcs", "second": "Elves", "winner": null, "status": "cancelled"} -> Elves<Orcs
+ Left out: 1 row that was cancelled.
""")
