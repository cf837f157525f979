"""Logs of eight kinds as people keep them, all made up: what each says, or the words of its refusal.

`says` is one game after another, `Elves>Orcs` where the first of the row won, `<` where it lost, `=` for a draw; or,
after `!`, words that the refusal must hold. `options` are read as `--column` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A log, what it says, and what is known of it beside the games."""

    text: str
    says: str
    evenings: int | None = None
    options: str = ""


TWO = "Ann & Ben>Cal & Dan"
TWO_A_SIDE = (
    Kind(
        "date,home1,home2,away1,away2,result\n1/2,Ann,Ben,Cal,Dan,H\n8/2,Ann,Cal,Ben,Dan,A\n",
        f"{TWO}, Ann & Cal<Ben & Dan",
    ),
    Kind("winner1,winner2,loser1,loser2\nAnn,Ben,Cal,Dan\nCal,Ann,Ben,Dan\n", f"{TWO}, Ann & Cal>Ben & Dan"),
    Kind("Winner,Winner Partner,Loser,Loser Partner\nAnn,Ben,Cal,Dan\n", TWO),
    Kind("winner_name,winner2_name,loser_name,loser2_name\nAnn,Ben,Cal,Dan\n", TWO),
    Kind("Season,Player1_1,Player1_2,Player2_1,Player2_2,Score1,Score2\n3,Ann,Ben,Cal,Dan,5,3\n", TWO),
    Kind("t1p1,t1p2,t2p1,t2p2,winner\nAnn,Ben,Cal,Dan,1\n", TWO),
    Kind("Team 1 Player 1,Team 1 Player 2,Team 2 Player 1,Team 2 Player 2,Result\nAnn,Ben,Cal,Dan,6-4\n", TWO),
    Kind("team_a_player_1;team_a_player_2;team_b_player_1;team_b_player_2;winner\nAnn;Ben;Cal;Dan;a\n", TWO),
    Kind("A1,A2,B1,B2,Winner\nAnn,Ben,Cal,Dan,A\n", TWO),
    Kind("1a,1b,2a,2b,winner\nAnn,Ben,Cal,Dan,1\n", TWO),
    Kind("me,partner,opponent 1,opponent 2,result\nAnn,Ben,Cal,Dan,won\n", TWO),
    Kind("player 1,partner 1,player 2,partner 2,winner\nAnn,Ben,Cal,Dan,1\n", TWO),
    Kind("Casa 1;Casa 2;Ospite 1;Ospite 2;Gol casa;Gol ospite\nAnna;Bea;Carlo;Dino;10;7\n", "Anna & Bea>Carlo & Dino"),
    Kind(
        "Squadra A Giocatore 1;Squadra A Giocatore 2;Squadra B Giocatore 1;Squadra B Giocatore 2;Vince\nA;B;C;D;1\n",
        "A & B>C & D",
    ),
    Kind("Vincitore 1;Vincitore 2;Perdente 1;Perdente 2\nAnna;Bea;Carlo;Dino\n", "Anna & Bea>Carlo & Dino"),
    Kind(
        "Attaccante 1\tAttaccante 2\tDifensore 1\tDifensore 2\tEsito\nElfi\tNani\tOrchi\tTroll\t1-0\n",
        "Elfi & Nani>Orchi & Troll",
    ),
    Kind(
        "attacker_1,attacker_2,attacker_3,defender_1,defender_2,defender_3,winner\nA,B,C,D,E,F,attacker\n",
        "A & B & C>D & E & F",
    ),
    Kind("red_player_1,red_player_2,blue_player_1,blue_player_2,winner\nAnn,Ben,Cal,Dan,red\n", TWO),
    Kind("home player 1,home player 2,away player 1,away player 2,home score,away score\nA,B,C,D,3,2\n", "A & B>C & D"),
    Kind("army 1,ally 1,army 2,ally 2,winner\nElves,Dwarves,Orcs,Trolls,Elves\n", "Dwarves & Elves>Orcs & Trolls"),
    Kind("player_1_home,player_2_home,player_1_away,player_2_away,result\nA,B,C,D,H\n", "A & B>C & D"),
    # a pair in one cell is one entrant, and players of a side are left out where armies are rated
    Kind(
        "team 1,team 2,winner\nAnn & Ben,Cal & Dan,1\nCal & Dan,Eva & Flo,1\n",
        "Ann & Ben>Cal & Dan, Cal & Dan>Eva & Flo",
    ),
    Kind("Coppia 1;Coppia 2;Risultato\nAnna/Bea;Carlo/Dino;6-4\n", "Anna/Bea>Carlo/Dino"),
    Kind("army a,army b,player a1,player a2,player b1,player b2,winner\nElves,Orcs,A,B,C,D,Orcs\n", "Elves<Orcs"),
    Kind("home,away,home_1,home_2,away_1,away_2,winner\nLions,Bears,10,20,11,9,Lions\n", "Lions>Bears"),
)
EMPTY_SECONDS = (
    Kind(
        "battle,attacker_1,attacker_2,defender_1,defender_2,attacker_outcome\nFord,Elves,,Orcs,,win\n"
        "Hill,Orcs,,Trolls,,loss\nGate,Trolls,,Elves,,win\n",
        "Elves>Orcs, Orcs<Trolls, Trolls>Elves",
    ),
    Kind("home1,home2,away1,away2,result\nAnn,,Cal,,H\nCal,,Dan,,A\n", "Ann>Cal, Cal<Dan"),
    Kind("Winner 1,Winner 2,Loser 1,Loser 2\nAnn,,Ben,\nCal,,Ann,\n", "Ann>Ben, Cal>Ann"),
    Kind("winner,winner_2,loser,loser_2\nAnn,,Ben,\n", "Ann>Ben"),
    Kind("Player1_1,Player1_2,Player2_1,Player2_2,Score1,Score2\nAnn,,Cal,,5,3\n", "Ann>Cal"),
    Kind("t1p1,t1p2,t2p1,t2p2,winner\nAnn,-,Cal,-,2\n", "Ann<Cal"),
    Kind("A1;A2;B1;B2;Vince\nElfi;;Orchi;;A\n", "Elfi>Orchi"),
    Kind("attaccante 1;attaccante 2;difensore 1;difensore 2;vincitore\nElfi;;Orchi;;Orchi\n", "Elfi<Orchi"),
    Kind("Casa 1;Casa 2;Ospite 1;Ospite 2;Risultato\nAnna; ;Carlo; ;2-2\n", "Anna=Carlo"),
    Kind("me,partner,opponent 1,opponent 2,result\nElves,,Orcs,,L\n", "Elves<Orcs"),
    Kind("player 1,partner 1,player 2,partner 2,winner\nAnn,,Cal,,Ann\n", "Ann>Cal"),
    Kind("army 1,ally 1,army 2,ally 2,winner\nElves,n/a,Orcs,n/a,Elves\n", "Elves>Orcs"),
    Kind("army 1,ally 1,army 2,ally 2,winner\nElves,none,Orcs,None,Elves\n", "Elves>Orcs"),
    Kind("player1,player2,player3,player4,winner\nAnn,Ben,,,Ann\nBen,Cal,,,Cal\n", "Ann>Ben, Ben<Cal"),
    Kind("Primo;Secondo;Terzo;Vince\nElfi;Orchi;;Elfi\n", "Elfi>Orchi"),
    Kind("team_1_player_1,team_1_player_2,team_2_player_1,team_2_player_2,winner\nAnn,?,Ben,?,Ben\n", "Ann<Ben"),
    Kind("attacker_1,attacker_1_vp,attacker_2,defender_1,defender_1_vp,defender_2\nElves,9,,Orcs,7,\n", "Elves>Orcs"),
    Kind("attacker 1 faction,attacker 2 faction,defender 1 faction,defender 2 faction,winner\nE,,O,,E\n", "E>O"),
    Kind("winner_1,winner_2,loser_1,loser_2,draw\nAnn,,Ben,,no\nAnn,,Cal,,yes\n", "Ann>Ben, Ann=Cal"),
    Kind(
        "attacker_1,attacker_2,defender_1,defender_2,winner\nElves,,Orcs,,attacker\nElves,,Orcs,Trolls,defender\n",
        "Elves>Orcs, Elves<Orcs & Trolls",
    ),
    Kind("battle,attacker_1,defender_1,attacker_outcome\nFord,Elves,Orcs,win\n", "Elves>Orcs"),
)
COLUMN = "column="
SEVERAL_COLUMNS = (
    Kind(
        "game_id,team,faction,points\n1,Red,Elves,10\n1,Blue,Orcs,5\n2,Red,Elves,3\n2,Blue,Orcs,9\n",
        f"!{COLUMN}name=faction",
    ),
    Kind(
        "game_id,team,faction,points\n1,Red,Elves,10\n1,Blue,Orcs,5\n2,Red,Elves,3\n2,Blue,Dwarves,9\n",
        "Elves>Orcs, Elves<Dwarves",
        options="name=faction",
    ),
    Kind("game_id,team,faction,points\n1,Red,Elves,10\n1,Blue,Orcs,5\n", "Red>Blue", options="name=team"),
    Kind(
        "game_id,team,faction,points\n1,Red,Elves,1\n1,Blue,Orcs,5\n",
        f"!{COLUMN}name=team",
        options="points_one=points",
    ),
    Kind("game_id,team,faction,points\n1,R,E,1\n1,B,O,5\n", "E<O", options="points_one=points name=faction"),
    Kind("Team A,Team B,Army A,Army B,Winner\nRed,Blue,Elves,Orcs,Orcs\n", f"!{COLUMN}one='Army A'"),
    Kind("Team A,Team B,Army A,Army B,Winner\nRed,Blue,Elves,Orcs,Orcs\n", "Elves<Orcs", options="one=Army A"),
    Kind("Team A,Team B,Army A,Army B,Winner\nRed,Blue,Elves,Orcs,Red\n", "Red>Blue", options="one=Team A"),
    Kind("Squadra 1;Squadra 2;Fazione 1;Fazione 2;Vince\nR;B;Elfi;Orchi;1\n", "!column=one='Fazione 1'"),
    Kind("squadra 1;squadra 2;fazione 1;fazione 2;vince\nR;B;Elfi;Orchi;2\n", "Elfi<Orchi", options="other=fazione 2"),
    Kind(
        "army 1,army 2,vp 1,vp 2,tp 1,tp 2,vp score 1,vp score 2\nElves,Orcs,9,7,1,2,9,7\n",
        f"!{COLUMN}points_one='vp 1'",
    ),
    Kind(
        "army 1,army 2,vp 1,vp 2,points 1,points 2\nElves,Orcs,9,7,0,20\n", "Elves<Orcs", options="points_one=points 1"
    ),
    Kind("army 1,army 2,vp 1,vp 2,points 1,points 2,winner\nElves,Orcs,9,7,0,20,Elves\n", "Elves>Orcs"),
    Kind("match,faction,vp,score\n1,Elves,9,1\n1,Orcs,5,0\n", "Elves>Orcs"),
    Kind("match,faction,vp,score\n1,Elves,9,0\n1,Orcs,5,1\n", f"!{COLUMN}points=vp"),
    Kind("match,faction,vp,score\n1,Elves,9,0\n1,Orcs,5,1\n", "Elves<Orcs", options="points=score"),
    Kind("army a,army b,winner,mission,map\nElves,Orcs,Elves,Ford,M1\n", "Elves>Orcs"),
    Kind("army a,army b,winner,tournament,evening\nE,O,E,T1,1\nE,O,O,T1,2\nE,O,O,T1,2\n", "E>O, E<O, E<O", 2),
    Kind("faction,opponent,my vp,their vp\nElves,Orcs,10,5\nElves,Trolls,3,8\n", "Elves>Orcs, Elves<Trolls"),
    Kind("My Faction,Opponent Faction,My VP,Their VP\nElves,Orcs,10,5\n", "Elves>Orcs"),
    Kind("Your army,Their army,Your points,Their points\nElves,Orcs,10,15\n", "Elves<Orcs"),
    Kind("Us,Them,Our score,Their score\nLions,Bears,1,1\n", "Lions=Bears"),
    Kind("La mia fazione;Avversario;I miei punti;I suoi punti\nElfi;Orchi;3;9\n", "Elfi<Orchi"),
    Kind("army 1,army 2,first,winner\nElves,Orcs,Orcs,Elves\n", "Elves>Orcs"),
    Kind("player,team,faction,opponent,opponent faction,result\nAnn,Red,Elves,Ben,Orcs,W\n", "!column=name=faction"),
)


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
UNKNOWN_HEADERS = (
    Kind(
        "day,id1,id2,k1,k2\nMon,A3,C0,3,1\nTue,A1,A2,2,3\nWed,C0,A1,1,3\n", "!row 1, header: no column holds two names"
    ),
    Kind(
        "day,id1,id2,k1,k2\nMon,A3,C0,3,1\nTue,A1,A2,2,3\n",
        "!column=one=id1 column=other=id2 column=points_one=k1",
    ),
    Kind(
        "day,id1,id2,k1,k2\nMon,A3,C0,3,1\nTue,A1,A2,2,3\n",
        "A3>C0, A1<A2",
        options="one=id1 other=id2 points_one=k1 points_other=k2",
    ),
    Kind("wann,held1,held2,sieger\nMo,Elfen,Orks,Elfen\nDi,Home,Away,draw\n", "!row 1, header"),
    Kind("wann,held1,held2,sieger\nMo,Elfen,Orks,Elfen\nDi,Orks,Elfen,Orks\n", "!column=one=held1 column=other=held2"),
    Kind("x;y;z\nElfi;Orchi;Elfi\nOrchi;Nani;Nani\n", "!row 1, header"),
    Kind("Elves,Orcs,Elves\nOrcs,Elves,Orcs\nElves,Orcs,draw\n", "!the first row looks like a game"),
    Kind("Elfi;Orchi;Orchi\nOrchi;Nani;Nani\nNani;Elfi;patta\n", "!the first row looks like a game"),
    Kind("Ann,Ben,3,1\nBen,Cal,2,2\nCal,Ann,0,1\n", "!the first row looks like a game"),
    Kind("A1,A2,2-1\nA2,B1,1-1\nB1,A1,0-2\n", "!row 1"),
    Kind("Spielername,Gegnername,Punkte\nAnn,Ben,3\nBen,Cal,1\n", "!row 1, header"),
    Kind("col1,col2,col3\nElves,Orcs,Elves\nOrcs,Elves,Orcs\n", "!row 1, header"),
    Kind("joueur1,joueur2,vainqueur\nAnn,Ben,Ann\n", "!column=one=joueur1 column=other=joueur2"),
    Kind("spieler_a,spieler_b,tore_a,tore_b\nAnn,Ben,3,1\n", "!column=points_one=tore_a column=points_other=tore_b"),
    Kind(
        "spieler_a,spieler_b,tore_a,tore_b\nAnn,Ben,3,1\n",
        "Ann>Ben",
        options="one=spieler_a other=spieler_b points_one=tore_a points_other=tore_b",
    ),
    Kind("Club,Lions\nSeason,2026\narmy 1,army 2,winner\nElves,Orcs,Orcs\n", "Elves<Orcs"),
    Kind("My league\n\narmy 1,army 2,winner\nElves,Orcs,Orcs\n", "Elves<Orcs"),
    Kind("col1,col2,col3\nElves,Orcs,Elves\n", "Elves>Orcs", options="one=col1 other=col2 winner=col3"),
    Kind("frist,secnd,winner\nElves,Orcs,Elves\n", "!column=one=frist column=other=secnd"),
    Kind("frist,secnd,winner\nElves,Orcs,Elves\n", "Elves>Orcs", options="one=frist other=secnd"),
    Kind("id,h,v,hs,vs\n7,Lions,Bears,3,1\n8,Home,Visitor,2,2\n", "!row 1, header"),
    Kind(",,\nArmy A,Army B,Winner\nElves,Orcs,Orcs\n", "Elves<Orcs"),
)


def plays(header: str, *rows: str) -> str:
    return "\n".join([header, *rows, ""])


UUID_ROWS = ("q1,Ann,Elves,true", "q1,Ben,Orcs,false", "q2,Ann,Elves,false", "q2,Cal,Dwarves,true")
THIRD = ("q3,Ben,Orcs,true", "q3,Cal,Dwarves,false")
TWO_PLAYS, THREE_PLAYS = "Elves>Orcs, Elves<Dwarves", "Elves>Orcs, Elves<Dwarves, Orcs>Dwarves"
BY_UUID = (
    *(
        Kind(plays(f"{key},player,faction,winner", *UUID_ROWS, *THIRD), THREE_PLAYS)
        for key in (
            "uuid",
            "UUID",
            "guid",
            "playUuid",
            "play_id",
            "PlayID",
            "gameid",
            "match_uuid",
            "Game #",
            "id",
            "hash",
        )
    ),
    Kind(plays("ref,player,faction,winner", *UUID_ROWS), TWO_PLAYS),
    Kind(plays("Codice partita;Giocatore;Fazione;Vincitore", *(row.replace(",", ";") for row in UUID_ROWS)), TWO_PLAYS),
    Kind(plays("blob,player,faction,winner", *UUID_ROWS), "!column=game=blob"),
    Kind(plays("blob,player,faction,winner", *UUID_ROWS), TWO_PLAYS, options="game=blob"),
    Kind(plays("Scheda,Giocatore,Fazione,Vince", *UUID_ROWS), TWO_PLAYS, options="game=Scheda"),
    Kind(
        plays("player,faction,winner,uuid", "Ann,Elves,1,q1", "Cal,Orcs,0,q2", "Ben,Orcs,0,q1", "Ann,Elves,1,q2"),
        "Elves>Orcs, Orcs<Elves",
    ),
    Kind(
        plays("uuid,username,startposition,color,score,new,rating,win", "a,Ann,1,red,5,0,0,0", "a,Ben,2,blue,9,0,0,1"),
        "Ann<Ben",
    ),
    Kind(
        plays(
            "playId,playDate,location,player,score,winner,startPlayer",
            "9,2026-01-02,Home,Ann,3,No,Yes",
            "9,2026-01-02,Home,Ben,8,Yes,No",
        ),
        "Ann<Ben",
        1,
    ),
    Kind(plays("uuid,player,role,score,rank", "a,Ann,Elves,30,1", "a,Ben,Orcs,20,2"), "Ann>Ben"),
    Kind(plays("uuid,player,faction", "q1,Ann,Elves", "q1,Ben,Orcs"), "!no column tells who won"),
)
PER_PLAYER = "game_id,player,faction,first_or_second,result"
WHO_FIRST = (
    (
        Kind(
            plays(
                PER_PLAYER, "1,Ann,Elves,first,W", "1,Ben,Orcs,second,L", "2,Ann,Orcs,second,W", "2,Ben,Elves,first,L"
            ),
            "Elves>Orcs, Orcs>Elves",
        ),
        (1, -1),
    ),
    (Kind(plays("game_id,deck,play/draw,result", "1,Burn,draw,W", "1,Tron,play,L"), "Burn>Tron"), (-1,)),
    (
        Kind(
            plays("my deck,opponent deck,first or second,result", "Burn,Tron,second,W", "Burn,Jund,First,L"),
            "Burn>Tron, Burn<Jund",
        ),
        (-1, 1),
    ),
    (Kind(plays("mazzo;mazzo avversario;primo o secondo;esito", "Burn;Tron;secondo;V"), "Burn>Tron"), (-1,)),
    (
        Kind(plays("deck,opponent,on the play,result", "Burn,Tron,yes,W", "Burn,Tron,no,L"), "Burn>Tron, Burn<Tron"),
        (1, -1),
    ),
    (
        Kind(
            plays("army_a,army_b,first,score_a,score_b", "Elves,Orcs,a,3,1", "Elves,Orcs,b,3,1", "Elves,Orcs,,1,3"),
            "Elves>Orcs, Elves>Orcs, Elves<Orcs",
        ),
        (1, -1, 0),
    ),
    (Kind(plays("army1,army2,winner", "Elves,Orcs,Elves"), "Elves>Orcs", options="first=army1 second=army2"), (0,)),
    (Kind(plays("x,y,winner", "Elves,Orcs,Elves"), "Elves>Orcs", options="home=x away=y"), (0,)),
    (Kind(plays("first,second,winner", "Elves,Orcs,Elves"), "Elves>Orcs"), (1,)),
    (Kind(plays("Home team,Away team,winner", "Elves,Orcs,Elves"), "Elves>Orcs"), (1,)),
    (Kind(plays("army a,army b,first,winner", "Elves,Orcs,b,Elves"), "Elves>Orcs", options="first=first"), (-1,)),
    (
        Kind(
            plays("army a,army b,first,winner", "Elves,Orcs,b,Elves"), "Elves>Orcs", options="one=army a other=army b"
        ),
        (-1,),
    ),
    (Kind(plays("game,faction,seat,winner", "1,Elves,2,yes", "1,Orcs,1,no"), "Elves>Orcs"), (-1,)),
)
"""Logs with who went first in each game: 1 for the first name of a row, -1 for the second, 0 where nobody says."""
QUIRKS = (
    Kind("match,player,hero,item_1,item_2,rune_1,rune_2,win\n1,A,E,x,y,u,v,1\n1,B,O,x,z,u,w,0\n", "E>O"),
    Kind("sep=;\narmy 1;army 2;winner\nE;O;E\n", "E>O"),
    Kind("\ufeffarmy 1,army 2,winner\nE,O,E\narmy 1,army 2,winner\nO,E,E\n", "E>O, O<E"),
    Kind("army 1,army 2,winner,,,\nE,O,E,,,\n,,,,,\nO,T,T,,,\n", "E>O, O<T"),
    Kind("Blue team,Red team,Winner\nElves,Orcs,Blue\n", "!column=one='Blue team' column=other='Red team'"),
    Kind("Blue team,Red team,Winner\nElves,Orcs,Red\n", "Elves<Orcs", options="one=Blue team other=Red team"),
    Kind("blue_army,red_army,blue_vp,red_vp\nElves,Orcs,3,1\n", "!column=points_one=blue_vp"),
    Kind("session_id,player,faction,winner\ns1,Ann,E,1\ns1,Ben,O,0\n", "!column=game=session_id"),
    Kind("game_id,side,faction,score\n1,home,E,3\n1,away,O,1\n", "E>O"),
    Kind("game,player,team,result\n1,Ann,A,W\n1,Ben,B,L\n2,Ann,B,L\n2,Cal,A,W\n", "Ann>Ben, Ann<Cal"),
    Kind("army a,army b,winner\nElves,Orcs,A\nElves,Orcs,a\n", "Elves>Orcs, Elves>Orcs"),
    Kind(
        "year,week,army a,army b,winner\n2024,1,E,O,E\n2024,2,E,O,O\n2025,1,E,O,E\n2025,2,O,E,O\n",
        "E>O, E<O, E>O, O>E",
        4,
    ),
    Kind("date,event,army a,army b,winner\n,GT,E,O,E\n,RTT,E,T,E\n", "E>O, E>T", 2),
    Kind("player_1,player_2,opponent_1,opponent_2,result\nA,B,C,D,W\n", "A & B>C & D"),
    Kind("army 1,army 2,winner\nE,O,E\nARMY 1,army 2,Winner\nO,T,T\n", "E>O, O<T"),
    Kind("home,away,result\nElves,Orcs,A\nElves,Orcs,a\n", "Elves<Orcs, Elves<Orcs"),
)
"""What else spreadsheets and people do to logs."""
TOTALS = "!totals of each entrant"
TOTALS_ONLY = (
    Kind(
        "season_id,archetype,matches_won,matches_played,match_win_rate\nSpring,Aggro,12,20,0.60\nSpring,Control,9,22,0.41\n"
        "Autumn,Aggro,8,16,0.50\nAutumn,Control,11,20,0.55\n",
        TOTALS,
    ),
    Kind("faction,games,wins\nElves,20,12\nOrcs,18,8\n", TOTALS),
    Kind("faction,win rate\nElves,54%\nOrcs,46%\n", TOTALS),
    Kind(
        "month,faction,win rate,games\nJan,Elves,54%,100\nJan,Orcs,46%,90\nFeb,Elves,51%,80\nFeb,Orcs,49%,70\n", TOTALS
    ),
    Kind("Fazione;Partite;Vittorie;Sconfitte\nElfi;20;12;8\nOrchi;18;8;10\n", TOTALS),
    Kind("Fazione;% vittorie;Partite\nElfi;54,2%;733\nOrchi;45,8%;733\n", TOTALS),
    Kind("event,deck,wins,losses,draws\nE1,Burn,6,2,0\nE1,Tron,5,3,0\nE2,Burn,4,4,0\nE2,Tron,7,1,0\n", TOTALS),
    Kind("player,faction,W,L,D\nAnn,Elves,4,1,0\nBen,Orcs,2,3,0\n", TOTALS),
    Kind(
        "season,team,won,lost,drawn\n2024,Lions,5,3,1\n2024,Bears,4,4,1\n2025,Lions,6,2,1\n2025,Bears,3,5,1\n", TOTALS
    ),
    Kind("player,wins,losses,win_pct\nAnn,12,8,60.0\nBen,9,11,45.0\n", TOTALS),
    Kind("archetype,play_rate,win_rate\nAggro,0.21,0.52\nControl,0.18,0.49\n", TOTALS),
    Kind("deck\twin rate\tn\nBurn\t52.1\t140\nTron\t48.3\t120\n", TOTALS),
    Kind("Hero,Pick Rate,Win Rate,Matches\nAda,12%,51%,1200\nBo,9%,49%,900\n", TOTALS),
    Kind("date,faction,winrate\n1/2,Elves,0.52\n1/2,Orcs,0.48\n8/2,Elves,0.55\n8/2,Orcs,0.45\n", TOTALS),
    Kind("Civilization,Games played,Games won\nRome,200,104\nEgypt,180,81\n", TOTALS),
    Kind("mission,faction,games,wins\nFord,Elves,10,6\nFord,Orcs,12,5\nHill,Elves,9,5\nHill,Orcs,8,3\n", TOTALS),
    Kind("Pos;Squadra;G;V;N;P;Punti\n1;Leoni;10;8;1;1;25\n2;Orsi;10;5;2;3;17\n", "!league table"),
    Kind("rank,player,points\n1,Ann,25\n2,Ben,17\n3,Cal,11\n", "!league table"),
    Kind("name,matches won,matches lost\nAnn,3,1\nBen,1,3\n", TOTALS),
    Kind("stagione;mazzo;partite giocate;partite vinte\nPrima;Burn;20;12\nPrima;Tron;18;8\nPoi;Burn;4;2\n", TOTALS),
    Kind("faction,opponent,win rate,games\nElves,Orcs,0.54,100\n", "Elves 0.54 Orcs"),
    Kind("match_id,deck,games_won\n1,Burn,2\n1,Tron,1\n2,Burn,0\n2,Jund,2\n", "Burn>Tron, Burn<Jund"),
)
EVERY_KIND = {
    "two a side": TWO_A_SIDE,
    "empty seconds": EMPTY_SECONDS,
    "several columns": SEVERAL_COLUMNS,
    "kind of event and date": KIND_AND_DATE,
    "numbers begin anew": NUMBERS_ANEW,
    "unknown headers": UNKNOWN_HEADERS,
    "by uuid": BY_UUID,
    "totals": TOTALS_ONLY,
    "quirks": QUIRKS,
}
