"""Logs of eight kinds as people keep them, all made up: what each says, or the words of its refusal.

A case is `LOG [OPTIONS] -> SAYS (EVENINGS)`; ` / ` ends a row of the log, and indented lines go on. SAYS is one game
after another, `Elves>Orcs` where the first of the row won, `<` where it lost, `=` for a draw; or, after `!`, words that
the refusal must hold. OPTIONS are read as `--column` reads them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Kind:
    """A log, what it says, and what is known of it beside the games."""

    text: str
    says: str
    evenings: int | None = None
    options: str = ""


CASE = re.compile(r"(.+?)(?: \[(.+)\])? -> (.+?)(?: \(([-\d, ]+)\))?")


def cases_in(table: str) -> list[tuple[Kind, tuple[int, ...]]]:
    """Return the logs of a table, each with the numbers that end its case."""
    cases = []
    for line in re.sub(r"\n +", " ", table.strip("\n")).splitlines():
        text, options, says, numbers = CASE.fullmatch(line).groups("")  # type: ignore[union-attr]
        text = text.replace(" / ", "\n") + "\n"
        cases.append((Kind(text, says, options=options), tuple(map(int, filter(None, numbers.split(", "))))))
    return cases


def kinds_in(table: str) -> tuple[Kind, ...]:
    return tuple(replace(case, evenings=numbers[0] if numbers else None) for case, numbers in cases_in(table))


TWO_A_SIDE = kinds_in("""
date,home1,home2,away1,away2,result / 1/2,Ann,Ben,Cal,Dan,H / 8/2,Ann,Cal,Ben,Dan,A
    -> Ann & Ben>Cal & Dan, Ann & Cal<Ben & Dan
winner1,winner2,loser1,loser2 / Ann,Ben,Cal,Dan / Cal,Ann,Ben,Dan -> Ann & Ben>Cal & Dan, Ann & Cal>Ben & Dan
Winner,Winner Partner,Loser,Loser Partner / Ann,Ben,Cal,Dan -> Ann & Ben>Cal & Dan
winner_name,winner2_name,loser_name,loser2_name / Ann,Ben,Cal,Dan -> Ann & Ben>Cal & Dan
Season,Player1_1,Player1_2,Player2_1,Player2_2,Score1,Score2 / 3,Ann,Ben,Cal,Dan,5,3 -> Ann & Ben>Cal & Dan
t1p1,t1p2,t2p1,t2p2,winner / Ann,Ben,Cal,Dan,1 -> Ann & Ben>Cal & Dan
Team 1 Player 1,Team 1 Player 2,Team 2 Player 1,Team 2 Player 2,Result / Ann,Ben,Cal,Dan,6-4 -> Ann & Ben>Cal & Dan
team_a_player_1;team_a_player_2;team_b_player_1;team_b_player_2;winner / Ann;Ben;Cal;Dan;a -> Ann & Ben>Cal & Dan
A1,A2,B1,B2,Winner / Ann,Ben,Cal,Dan,A -> Ann & Ben>Cal & Dan
1a,1b,2a,2b,winner / Ann,Ben,Cal,Dan,1 -> Ann & Ben>Cal & Dan
me,partner,opponent 1,opponent 2,result / Ann,Ben,Cal,Dan,won -> Ann & Ben>Cal & Dan
player 1,partner 1,player 2,partner 2,winner / Ann,Ben,Cal,Dan,1 -> Ann & Ben>Cal & Dan
Casa 1;Casa 2;Ospite 1;Ospite 2;Gol casa;Gol ospite / Anna;Bea;Carlo;Dino;10;7 -> Anna & Bea>Carlo & Dino
Squadra A Giocatore 1;Squadra A Giocatore 2;Squadra B Giocatore 1;Squadra B Giocatore 2;Vince / A;B;C;D;1
    -> A & B>C & D
Vincitore 1;Vincitore 2;Perdente 1;Perdente 2 / Anna;Bea;Carlo;Dino -> Anna & Bea>Carlo & Dino
Attaccante 1\tAttaccante 2\tDifensore 1\tDifensore 2\tEsito / Elfi\tNani\tOrchi\tTroll\t1-0
    -> Elfi & Nani>Orchi & Troll
attacker_1,attacker_2,attacker_3,defender_1,defender_2,defender_3,winner / A,B,C,D,E,F,attacker -> A & B & C>D & E & F
red_player_1,red_player_2,blue_player_1,blue_player_2,winner / Ann,Ben,Cal,Dan,red -> Ann & Ben>Cal & Dan
home player 1,home player 2,away player 1,away player 2,home score,away score / A,B,C,D,3,2 -> A & B>C & D
army 1,ally 1,army 2,ally 2,winner / Elves,Dwarves,Orcs,Trolls,Elves -> Dwarves & Elves>Orcs & Trolls
player_1_home,player_2_home,player_1_away,player_2_away,result / A,B,C,D,H -> A & B>C & D
team 1,team 2,winner / Ann & Ben,Cal & Dan,1 / Cal & Dan,Eva & Flo,1 -> Ann & Ben>Cal & Dan, Cal & Dan>Eva & Flo
Coppia 1;Coppia 2;Risultato / Anna/Bea;Carlo/Dino;6-4 -> Anna/Bea>Carlo/Dino
army a,army b,player a1,player a2,player b1,player b2,winner / Elves,Orcs,A,B,C,D,Orcs -> Elves<Orcs
home,away,home_1,home_2,away_1,away_2,winner / Lions,Bears,10,20,11,9,Lions -> Lions>Bears
""")
"""The last four: a pair in one cell is one entrant, and players of a side are left out where armies are rated."""
EMPTY_SECONDS = kinds_in("""
battle,attacker_1,attacker_2,defender_1,defender_2,attacker_outcome / Ford,Elves,,Orcs,,win /
    Hill,Orcs,,Trolls,,loss / Gate,Trolls,,Elves,,win -> Elves>Orcs, Orcs<Trolls, Trolls>Elves
home1,home2,away1,away2,result / Ann,,Cal,,H / Cal,,Dan,,A -> Ann>Cal, Cal<Dan
Winner 1,Winner 2,Loser 1,Loser 2 / Ann,,Ben, / Cal,,Ann, -> Ann>Ben, Cal>Ann
winner,winner_2,loser,loser_2 / Ann,,Ben, -> Ann>Ben
Player1_1,Player1_2,Player2_1,Player2_2,Score1,Score2 / Ann,,Cal,,5,3 -> Ann>Cal
t1p1,t1p2,t2p1,t2p2,winner / Ann,-,Cal,-,2 -> Ann<Cal
A1;A2;B1;B2;Vince / Elfi;;Orchi;;A -> Elfi>Orchi
attaccante 1;attaccante 2;difensore 1;difensore 2;vincitore / Elfi;;Orchi;;Orchi -> Elfi<Orchi
Casa 1;Casa 2;Ospite 1;Ospite 2;Risultato / Anna; ;Carlo; ;2-2 -> Anna=Carlo
me,partner,opponent 1,opponent 2,result / Elves,,Orcs,,L -> Elves<Orcs
player 1,partner 1,player 2,partner 2,winner / Ann,,Cal,,Ann -> Ann>Cal
army 1,ally 1,army 2,ally 2,winner / Elves,n/a,Orcs,n/a,Elves -> Elves>Orcs
army 1,ally 1,army 2,ally 2,winner / Elves,none,Orcs,None,Elves -> Elves>Orcs
player1,player2,player3,player4,winner / Ann,Ben,,,Ann / Ben,Cal,,,Cal -> Ann>Ben, Ben<Cal
Primo;Secondo;Terzo;Vince / Elfi;Orchi;;Elfi -> Elfi>Orchi
team_1_player_1,team_1_player_2,team_2_player_1,team_2_player_2,winner / Ann,?,Ben,?,Ben -> Ann<Ben
attacker_1,attacker_1_vp,attacker_2,defender_1,defender_1_vp,defender_2 / Elves,9,,Orcs,7, -> Elves>Orcs
attacker 1 faction,attacker 2 faction,defender 1 faction,defender 2 faction,winner / E,,O,,E -> E>O
winner_1,winner_2,loser_1,loser_2,draw / Ann,,Ben,,no / Ann,,Cal,,yes -> Ann>Ben, Ann=Cal
attacker_1,attacker_2,defender_1,defender_2,winner / Elves,,Orcs,,attacker / Elves,,Orcs,Trolls,defender
    -> Elves>Orcs, Elves<Orcs & Trolls
battle,attacker_1,defender_1,attacker_outcome / Ford,Elves,Orcs,win -> Elves>Orcs
""")
SEVERAL_COLUMNS = kinds_in("""
game_id,team,faction,points / 1,Red,Elves,10 / 1,Blue,Orcs,5 / 2,Red,Elves,3 / 2,Blue,Orcs,9 -> !column=name=faction
game_id,team,faction,points / 1,Red,Elves,10 / 1,Blue,Orcs,5 / 2,Red,Elves,3 / 2,Blue,Dwarves,9 [name=faction]
    -> Elves>Orcs, Elves<Dwarves
game_id,team,faction,points / 1,Red,Elves,10 / 1,Blue,Orcs,5 [name=team] -> Red>Blue
game_id,team,faction,points / 1,Red,Elves,1 / 1,Blue,Orcs,5 [points_one=points] -> !column=name=team
game_id,team,faction,points / 1,R,E,1 / 1,B,O,5 [points_one=points name=faction] -> E<O
Team A,Team B,Army A,Army B,Winner / Red,Blue,Elves,Orcs,Orcs -> !column=one='Army A'
Team A,Team B,Army A,Army B,Winner / Red,Blue,Elves,Orcs,Orcs [one=Army A] -> Elves<Orcs
Team A,Team B,Army A,Army B,Winner / Red,Blue,Elves,Orcs,Red [one=Team A] -> Red>Blue
Squadra 1;Squadra 2;Fazione 1;Fazione 2;Vince / R;B;Elfi;Orchi;1 -> !column=one='Fazione 1'
squadra 1;squadra 2;fazione 1;fazione 2;vince / R;B;Elfi;Orchi;2 [other=fazione 2] -> Elfi<Orchi
army 1,army 2,vp 1,vp 2,tp 1,tp 2,vp score 1,vp score 2 / Elves,Orcs,9,7,1,2,9,7 -> !column=points_one='vp 1'
army 1,army 2,vp 1,vp 2,points 1,points 2 / Elves,Orcs,9,7,0,20 [points_one=points 1] -> Elves<Orcs
army 1,army 2,vp 1,vp 2,points 1,points 2,winner / Elves,Orcs,9,7,0,20,Elves -> Elves>Orcs
match,faction,vp,score / 1,Elves,9,1 / 1,Orcs,5,0 -> Elves>Orcs
match,faction,vp,score / 1,Elves,9,0 / 1,Orcs,5,1 -> !column=points=vp
match,faction,vp,score / 1,Elves,9,0 / 1,Orcs,5,1 [points=score] -> Elves<Orcs
army a,army b,winner,mission,map / Elves,Orcs,Elves,Ford,M1 -> Elves>Orcs
army a,army b,winner,tournament,evening / E,O,E,T1,1 / E,O,O,T1,2 / E,O,O,T1,2 -> E>O, E<O, E<O (2)
faction,opponent,my vp,their vp / Elves,Orcs,10,5 / Elves,Trolls,3,8 -> Elves>Orcs, Elves<Trolls
My Faction,Opponent Faction,My VP,Their VP / Elves,Orcs,10,5 -> Elves>Orcs
Your army,Their army,Your points,Their points / Elves,Orcs,10,15 -> Elves<Orcs
Us,Them,Our score,Their score / Lions,Bears,1,1 -> Lions=Bears
La mia fazione;Avversario;I miei punti;I suoi punti / Elfi;Orchi;3;9 -> Elfi<Orchi
army 1,army 2,first,winner / Elves,Orcs,Orcs,Elves -> Elves>Orcs
player,team,faction,opponent,opponent faction,result / Ann,Red,Elves,Ben,Orcs,W -> !column=name=faction
""")


def of_evenings(header: str, *when: str, separator: str = ",") -> str:
    """Return a log of six games with these cells before them."""
    games = (
        "Red,Blue,Red",
        "Red,Green,Green",
        "Blue,Green,Blue",
        "Red,Blue,Blue",
        "Green,Blue,Blue",
        "Green,Red,Green",
    )
    rows = [f"{cells},{game}" for cells, game in zip(when, games, strict=True)]
    return "\n".join([f"{header},army a,army b,winner", *rows, ""]).replace(",", separator)


SIX = "Red>Blue, Red<Green, Blue>Green, Red<Blue, Green<Blue, Green>Red"
D = ("2026-01-05", "2026-01-05", "2026-01-12", "2026-01-12", "2026-01-19", "2026-01-19")
KINDS = ("weekly", "weekly", "casual", "casual", "casual", "weekly")


def with_days(header: str, events: tuple[str, ...], days: tuple[str, ...] = D, separator: str = ",") -> str:
    return of_evenings(
        header, *(f"{day},{event}" for day, event in zip(days, events, strict=True)), separator=separator
    )


ITALIAN = ("05/01/2026", "05/01/2026", "12/01/2026", "12/01/2026", "19/01/2026", "19/01/2026")
WEEKEND = ("2026-01-03", "2026-01-04", "2026-01-04", "2026-02-07", "2026-02-08", "2026-02-08")
KIND_AND_DATE = (
    Kind(with_days("date,event", KINDS), SIX, 3),
    Kind(
        with_days(
            "Data,Evento", ("amichevole", "amichevole", "torneo", "torneo", "torneo", "amichevole"), ITALIAN, ";"
        ),
        SIX,
        3,
    ),
    Kind(with_days("date,event", ("Club night",) * 6), SIX, 3),
    Kind(with_days("date,tournament", ("Spring league",) * 3 + ("Winter league",) * 3), SIX, 3),
    Kind(with_days("Date,Event", ("GT", "GT", "GT", "RTT", "RTT", "RTT"), WEEKEND), SIX, 2),
    Kind(with_days("played_on,event", ("A", "B", "A", "B", "A", "B")), SIX, 3),
    Kind(with_days("day,event", ("league",) * 6), SIX, 3),
    Kind(with_days("date,session", ("1", "1", "2", "2", "3", "3")), SIX, 3),
    Kind(with_days("date,evening", ("a", "a", "b", "b", "c", "c")), SIX, 3),
    Kind(with_days("date,event", ("friendly", "league", "friendly", "league", "friendly", "league")), SIX, 3),
    Kind(with_days("giorno,torneo", ("Coppa", "Coppa", "Coppa", "Lega", "Lega", "Lega"), ITALIAN), SIX, 3),
    Kind(with_days("date,event", KINDS, ("Jan 5", "Jan 5", "Jan 12", "Jan 12", "Jan 19", "Jan 19")), SIX, 3),
    Kind(
        with_days(
            "game_date,event", KINDS, ("5.1.2026", "5.1.2026", "12.1.2026", "12.1.2026", "19.1.2026", "19.1.2026")
        ),
        SIX,
        3,
    ),
    Kind(
        with_days("match_date,event_name", KINDS, ("1/5/26", "1/5/26", "1/12/26", "1/12/26", "1/19/26", "1/19/26")),
        SIX,
        3,
    ),
    Kind(with_days("date,week", ("1", "1", "2", "2", "3", "3")), SIX, 3),
    Kind(of_evenings("event", *KINDS), SIX, 0),
    Kind(of_evenings("event", "A", "A", "B", "B", "C", "C"), SIX, 3),
    Kind(of_evenings("date", *D), SIX, 3),
    Kind(with_days("date,event", KINDS), SIX, 2, "session=event"),
    Kind(with_days("date,event", KINDS), SIX, 3, "session=date"),
    Kind(with_days("date,event", ("Dice Hall", "Dice Hall", "Dice Hall", "Dice Hall", "Home", "Home")), SIX, 3),
    Kind(with_days("date,event", ("GT", "GT", "RTT", "RTT", "Open", "Open")), SIX, 3),
)


def per_player(header: str, *keys: str, separator: str = ",") -> str:
    """Return four games with a row per player, with these cells before each row."""
    sides = ("Elves,10", "Orcs,5", "Elves,3", "Dwarves,9", "Dwarves,7", "Orcs,8", "Elves,9", "Orcs,2")
    rows = [f"{key},{side}" for key, side in zip(keys, sides, strict=True)]
    return "\n".join([f"{header},faction,points", *rows, ""]).replace(",", separator)


FOUR = "Elves>Orcs, Elves<Dwarves, Dwarves<Orcs, Elves>Orcs"
ANEW = ("1", "1", "2", "2", "1", "1", "2", "2")


def in_blocks(header: str, *blocks: str, separator: str = ",") -> str:
    cells = [f"{block},{number}" for block, number in zip(blocks, ANEW, strict=True)]
    return per_player(header, *cells, separator=separator)


YEARS = ("2024",) * 4 + ("2025",) * 4
NUMBERS_ANEW = (
    Kind(in_blocks("season,game_id", *YEARS), FOUR),
    Kind(in_blocks("Stagione,Partita", *YEARS, separator=";"), FOUR),
    Kind(in_blocks("year,match", *YEARS), FOUR),
    Kind(in_blocks("league,match no", *("North",) * 4, *("South",) * 4), FOUR),
    Kind(in_blocks("division,game", *("A",) * 4, *("B",) * 4), FOUR),
    Kind(in_blocks("evening,game", *("1",) * 4, *("2",) * 4), FOUR, 2),
    Kind(in_blocks("date,game", *("2026-01-05",) * 4, *("2026-01-12",) * 4), FOUR, 2),
    Kind(in_blocks("tournament,game id", *("GT",) * 4, *("RTT",) * 4), FOUR, 2),
    Kind(in_blocks("month,battle", *("Jan",) * 4, *("Feb",) * 4), FOUR),
    Kind(in_blocks("girone,incontro", *("A",) * 4, *("B",) * 4), FOUR),
    Kind(in_blocks("campaign,game no.", *("One",) * 4, *("Two",) * 4), FOUR),
    Kind(in_blocks("location,play id", *("Hall",) * 4, *("Home",) * 4), FOUR),
    Kind(in_blocks("event_id,game", *("E1",) * 4, *("E2",) * 4), FOUR, 2),
    Kind(in_blocks("Season,MatchID", *YEARS), FOUR),
    Kind(in_blocks("notes,game_id", *("x",) * 8), FOUR),  # nothing tells the seasons apart but the order of rows
    Kind(per_player("game_id", *ANEW), FOUR),
    Kind(per_player("Partita n.", *ANEW, separator=";"), FOUR),
    Kind(per_player("season,round,table", *(f"{y},{n},1" for y, n in zip(YEARS, ANEW, strict=True))), FOUR),
    Kind(per_player("league,season,game", *(f"N,{y},{n}" for y, n in zip(YEARS, ANEW, strict=True))), FOUR),
    Kind(per_player("season,group,game", *(f"{y},{g},1" for y, g in zip(YEARS, "AABBAABB", strict=True))), FOUR),
    Kind(per_player("game_id", "1", "2", "1", "2", "1", "2", "1", "2"), "!stands twice in one game"),
    Kind(per_player("season,game_id", *(["2024,1"] * 4 + ["2025,1"] * 4)), "!stands twice in one game"),
)
UNKNOWN_HEADERS = kinds_in("""
day,id1,id2,k1,k2 / Mon,A3,C0,3,1 / Tue,A1,A2,2,3 / Wed,C0,A1,1,3 -> !row 1, header: no column holds two names
day,id1,id2,k1,k2 / Mon,A3,C0,3,1 / Tue,A1,A2,2,3 -> !column=one=id1 column=other=id2 column=points_one=k1
day,id1,id2,k1,k2 / Mon,A3,C0,3,1 / Tue,A1,A2,2,3 [one=id1 other=id2 points_one=k1 points_other=k2] -> A3>C0, A1<A2
wann,held1,held2,sieger / Mo,Elfen,Orks,Elfen / Di,Home,Away,draw -> !row 1, header
wann,held1,held2,sieger / Mo,Elfen,Orks,Elfen / Di,Orks,Elfen,Orks -> !column=one=held1 column=other=held2
x;y;z / Elfi;Orchi;Elfi / Orchi;Nani;Nani -> !row 1, header
Elves,Orcs,Elves / Orcs,Elves,Orcs / Elves,Orcs,draw -> !the first row looks like a game
Elfi;Orchi;Orchi / Orchi;Nani;Nani / Nani;Elfi;patta -> !the first row looks like a game
Ann,Ben,3,1 / Ben,Cal,2,2 / Cal,Ann,0,1 -> !the first row looks like a game
A1,A2,2-1 / A2,B1,1-1 / B1,A1,0-2 -> !row 1
Spielername,Gegnername,Punkte / Ann,Ben,3 / Ben,Cal,1 -> !row 1, header
col1,col2,col3 / Elves,Orcs,Elves / Orcs,Elves,Orcs -> !row 1, header
joueur1,joueur2,vainqueur / Ann,Ben,Ann -> !column=one=joueur1 column=other=joueur2
spieler_a,spieler_b,tore_a,tore_b / Ann,Ben,3,1 -> !column=points_one=tore_a column=points_other=tore_b
spieler_a,spieler_b,tore_a,tore_b / Ann,Ben,3,1 [one=spieler_a other=spieler_b points_one=tore_a points_other=tore_b]
    -> Ann>Ben
Club,Lions / Season,2026 / army 1,army 2,winner / Elves,Orcs,Orcs -> Elves<Orcs
My league /  / army 1,army 2,winner / Elves,Orcs,Orcs -> Elves<Orcs
col1,col2,col3 / Elves,Orcs,Elves [one=col1 other=col2 winner=col3] -> Elves>Orcs
frist,secnd,winner / Elves,Orcs,Elves -> !column=one=frist column=other=secnd
frist,secnd,winner / Elves,Orcs,Elves [one=frist other=secnd] -> Elves>Orcs
id,h,v,hs,vs / 7,Lions,Bears,3,1 / 8,Home,Visitor,2,2 -> !row 1, header
,, / Army A,Army B,Winner / Elves,Orcs,Orcs -> Elves<Orcs
""")
UUIDS = ("uuid", "UUID", "guid", "playUuid", "play_id", "PlayID", "gameid", "match_uuid", "Game #", "id", "hash")
PLAYS = """,player,faction,winner / q1,Ann,Elves,true / q1,Ben,Orcs,false / q2,Ann,Elves,false / q2,Cal,Dwarves,true /
    q3,Ben,Orcs,true / q3,Cal,Dwarves,false -> Elves>Orcs, Elves<Dwarves, Orcs>Dwarves"""
BY_UUID = kinds_in("\n".join(key + PLAYS for key in UUIDS)) + kinds_in("""
ref,player,faction,winner / q1,Ann,Elves,true / q1,Ben,Orcs,false / q2,Ann,Elves,false / q2,Cal,Dwarves,true
    -> Elves>Orcs, Elves<Dwarves
Codice partita;Giocatore;Fazione;Vincitore / q1;Ann;Elves;true / q1;Ben;Orcs;false / q2;Ann;Elves;false /
    q2;Cal;Dwarves;true -> Elves>Orcs, Elves<Dwarves
blob,player,faction,winner / q1,Ann,Elves,true / q1,Ben,Orcs,false / q2,Ann,Elves,false / q2,Cal,Dwarves,true
    -> !column=game=blob
blob,player,faction,winner / q1,Ann,Elves,true / q1,Ben,Orcs,false / q2,Ann,Elves,false /
    q2,Cal,Dwarves,true [game=blob] -> Elves>Orcs, Elves<Dwarves
Scheda,Giocatore,Fazione,Vince / q1,Ann,Elves,true / q1,Ben,Orcs,false / q2,Ann,Elves,false /
    q2,Cal,Dwarves,true [game=Scheda] -> Elves>Orcs, Elves<Dwarves
player,faction,winner,uuid / Ann,Elves,1,q1 / Cal,Orcs,0,q2 / Ben,Orcs,0,q1 / Ann,Elves,1,q2 -> Elves>Orcs, Orcs<Elves
uuid,username,startposition,color,score,new,rating,win / a,Ann,1,red,5,0,0,0 / a,Ben,2,blue,9,0,0,1 -> Ann<Ben
playId,playDate,location,player,score,winner,startPlayer / 9,2026-01-02,Home,Ann,3,No,Yes /
    9,2026-01-02,Home,Ben,8,Yes,No -> Ann<Ben (1)
uuid,player,role,score,rank / a,Ann,Elves,30,1 / a,Ben,Orcs,20,2 -> Ann>Ben
uuid,player,faction / q1,Ann,Elves / q1,Ben,Orcs -> !no column tells who won
""")
WHO_FIRST = cases_in("""
game_id,player,faction,first_or_second,result / 1,Ann,Elves,first,W / 1,Ben,Orcs,second,L / 2,Ann,Orcs,second,W /
    2,Ben,Elves,first,L -> Elves>Orcs, Orcs>Elves (1, -1)
game_id,deck,play/draw,result / 1,Burn,draw,W / 1,Tron,play,L -> Burn>Tron (-1)
my deck,opponent deck,first or second,result / Burn,Tron,second,W / Burn,Jund,First,L -> Burn>Tron, Burn<Jund (-1, 1)
mazzo;mazzo avversario;primo o secondo;esito / Burn;Tron;secondo;V -> Burn>Tron (-1)
deck,opponent,on the play,result / Burn,Tron,yes,W / Burn,Tron,no,L -> Burn>Tron, Burn<Tron (1, -1)
army_a,army_b,first,score_a,score_b / Elves,Orcs,a,3,1 / Elves,Orcs,b,3,1 / Elves,Orcs,,1,3
    -> Elves>Orcs, Elves>Orcs, Elves<Orcs (1, -1, 0)
army1,army2,winner / Elves,Orcs,Elves [first=army1 second=army2] -> Elves>Orcs (0)
x,y,winner / Elves,Orcs,Elves [home=x away=y] -> Elves>Orcs (0)
first,second,winner / Elves,Orcs,Elves -> Elves>Orcs (1)
Home team,Away team,winner / Elves,Orcs,Elves -> Elves>Orcs (1)
army a,army b,first,winner / Elves,Orcs,b,Elves [first=first] -> Elves>Orcs (-1)
army a,army b,first,winner / Elves,Orcs,b,Elves [one=army a other=army b] -> Elves>Orcs (-1)
game,faction,seat,winner / 1,Elves,2,yes / 1,Orcs,1,no -> Elves>Orcs (-1)
""")
"""Logs with who went first in each game: 1 for the first name of a row, -1 for the second, 0 where nobody says."""
QUIRKS = kinds_in("""
match,player,hero,item_1,item_2,rune_1,rune_2,win / 1,A,E,x,y,u,v,1 / 1,B,O,x,z,u,w,0 -> E>O
sep=; / army 1;army 2;winner / E;O;E -> E>O
\ufeffarmy 1,army 2,winner / E,O,E / army 1,army 2,winner / O,E,E -> E>O, O<E
army 1,army 2,winner,,, / E,O,E,,, / ,,,,, / O,T,T,,, -> E>O, O<T
Blue team,Red team,Winner / Elves,Orcs,Blue -> !column=one='Blue team' column=other='Red team'
Blue team,Red team,Winner / Elves,Orcs,Red [one=Blue team other=Red team] -> Elves<Orcs
blue_army,red_army,blue_vp,red_vp / Elves,Orcs,3,1 -> !column=points_one=blue_vp
session_id,player,faction,winner / s1,Ann,E,1 / s1,Ben,O,0 -> !column=game=session_id
game_id,side,faction,score / 1,home,E,3 / 1,away,O,1 -> E>O
game,player,team,result / 1,Ann,A,W / 1,Ben,B,L / 2,Ann,B,L / 2,Cal,A,W -> Ann>Ben, Ann<Cal
army a,army b,winner / Elves,Orcs,A / Elves,Orcs,a -> Elves>Orcs, Elves>Orcs
year,week,army a,army b,winner / 2024,1,E,O,E / 2024,2,E,O,O / 2025,1,E,O,E / 2025,2,O,E,O -> E>O, E<O, E>O, O>E (4)
date,event,army a,army b,winner / ,GT,E,O,E / ,RTT,E,T,E -> E>O, E>T (2)
player_1,player_2,opponent_1,opponent_2,result / A,B,C,D,W -> A & B>C & D
army 1,army 2,winner / E,O,E / ARMY 1,army 2,Winner / O,T,T -> E>O, O<T
home,away,result / Elves,Orcs,A / Elves,Orcs,a -> Elves<Orcs, Elves<Orcs
""")
"""What else spreadsheets and people do to logs."""
TOTALS_ONLY = kinds_in("""
season_id,archetype,matches_won,matches_played,match_win_rate / Spring,Aggro,12,20,0.60 /
    Spring,Control,9,22,0.41 / Autumn,Aggro,8,16,0.50 / Autumn,Control,11,20,0.55 -> !totals of each entrant
faction,games,wins / Elves,20,12 / Orcs,18,8 -> !totals of each entrant
faction,win rate / Elves,54% / Orcs,46% -> !totals of each entrant
month,faction,win rate,games / Jan,Elves,54%,100 / Jan,Orcs,46%,90 / Feb,Elves,51%,80 / Feb,Orcs,49%,70
    -> !totals of each entrant
Fazione;Partite;Vittorie;Sconfitte / Elfi;20;12;8 / Orchi;18;8;10 -> !totals of each entrant
Fazione;% vittorie;Partite / Elfi;54,2%;733 / Orchi;45,8%;733 -> !totals of each entrant
event,deck,wins,losses,draws / E1,Burn,6,2,0 / E1,Tron,5,3,0 / E2,Burn,4,4,0 / E2,Tron,7,1,0
    -> !totals of each entrant
player,faction,W,L,D / Ann,Elves,4,1,0 / Ben,Orcs,2,3,0 -> !totals of each entrant
season,team,won,lost,drawn / 2024,Lions,5,3,1 / 2024,Bears,4,4,1 / 2025,Lions,6,2,1 / 2025,Bears,3,5,1
    -> !totals of each entrant
player,wins,losses,win_pct / Ann,12,8,60.0 / Ben,9,11,45.0 -> !totals of each entrant
archetype,play_rate,win_rate / Aggro,0.21,0.52 / Control,0.18,0.49 -> !totals of each entrant
deck\twin rate\tn / Burn\t52.1\t140 / Tron\t48.3\t120 -> !totals of each entrant
Hero,Pick Rate,Win Rate,Matches / Ada,12%,51%,1200 / Bo,9%,49%,900 -> !totals of each entrant
date,faction,winrate / 1/2,Elves,0.52 / 1/2,Orcs,0.48 / 8/2,Elves,0.55 / 8/2,Orcs,0.45 -> !totals of each entrant
Civilization,Games played,Games won / Rome,200,104 / Egypt,180,81 -> !totals of each entrant
mission,faction,games,wins / Ford,Elves,10,6 / Ford,Orcs,12,5 / Hill,Elves,9,5 / Hill,Orcs,8,3
    -> !totals of each entrant
Pos;Squadra;G;V;N;P;Punti / 1;Leoni;10;8;1;1;25 / 2;Orsi;10;5;2;3;17 -> !league table
rank,player,points / 1,Ann,25 / 2,Ben,17 / 3,Cal,11 -> !league table
name,matches won,matches lost / Ann,3,1 / Ben,1,3 -> !totals of each entrant
stagione;mazzo;partite giocate;partite vinte / Prima;Burn;20;12 / Prima;Tron;18;8 / Poi;Burn;4;2
    -> !totals of each entrant
faction,opponent,win rate,games / Elves,Orcs,0.54,100 -> Elves 0.54 Orcs
match_id,deck,games_won / 1,Burn,2 / 1,Tron,1 / 2,Burn,0 / 2,Jund,2 -> Burn>Tron, Burn<Jund
""")
EVERY_KIND = {
    "two a side": TWO_A_SIDE, "empty seconds": EMPTY_SECONDS, "several columns": SEVERAL_COLUMNS,
    "kind of event and date": KIND_AND_DATE, "numbers begin anew": NUMBERS_ANEW, "unknown headers": UNKNOWN_HEADERS,
    "by uuid": BY_UUID, "totals": TOTALS_ONLY, "quirks": QUIRKS,
}  # fmt: skip
