"""Logs in shapes that people keep in public, all made up: how each is read, or the shape that is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kept:
    """A log as somebody keeps it.

    `games` are (one, other, score of one, how many), or the shape that a refusal names; `notes` and `assumed` are
    parts of what is told beside the games.
    """

    text: str
    games: str | list[tuple[str, str, float, float]]
    notes: tuple[str, ...] = ()
    file: str = "log.csv"


def one_each(*games: tuple[str, str, float]) -> list[tuple[str, str, float, float]]:
    return [(*game, 1.0) for game in games]


LOGS = {
    # -- lists of games ----------------------------------------------------------------------------------------------
    "football results": Kept(
        "Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee,HS,AS,B365H\n"
        "X0,11/08/24,Lions,Bears,2,0,H,1,0,H,J Doe,12,7,1.5\n"
        "X0,12/08/24,Bears,Owls,1,1,D,0,1,A,A Roe,9,9,2.1\n"
        "X0,18/08/24,Owls,Lions,0,3,A,0,1,A,J Doe,4,15,5.0\n",
        one_each(("Lions", "Bears", 1), ("Bears", "Owls", 0.5), ("Owls", "Lions", 0)),
    ),
    "football with games to come": Kept(
        "Country,League,Date,Home,Away,HG,AG,Res\nX,Top,1/9,Lions,Bears,2,1,H\nX,Top,8/9,Bears,Lions,,,\n",
        one_each(("Lions", "Bears", 1)),
        ("Left out: 1 row without a result.",),
    ),
    "Italian league": Kept(
        "Giornata;Casa;Ospite;Risultato;Stato\n1;Leoni;Orsi;2-1;giocata\n1;Gufi;Lupi;0-3;a tavolino\n"
        "2;Orsi;Gufi;;rinviata\n2;Lupi;Leoni;1-1;giocata\n",
        one_each(("Leoni", "Orsi", 1), ("Lupi", "Leoni", 0.5)),
        ("Left out: 1 row of a walkover; 1 row that was not played.",),
    ),
    "chess in PGN": Kept(
        '[Event "Club night"]\n[Site "?"]\n[Date "2024.03.01"]\n[Round "1"]\n'
        '[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n'
        '[WhiteElo "1500"]\n\n1. e4 {[%clk 0:05] fine} e5 2. Nf3 1-0\n\n[Event "Club night"]\n[Date "2024.03.01"]\n'
        '[White "Bo"]\n[Black "Cy"]\n[Result "1/2-1/2"]\n\n1. d4 1/2-1/2\n\n[Event "Club night"]\n[Date "2024.03.08"]\n'
        '[White "Cy"]\n[Black "Ada"]\n[Result "*"]\n\n*\n',
        one_each(("Ada", "Bo", 1), ("Bo", "Cy", 0.5)),
        ("Left out: 1 row that was not finished.",),
        "games.pgn",
    ),
    "chess server, winner by colour": Kept(
        "id,rated,turns,victory_status,winner,white_id,white_rating,black_id,black_rating,White,Black\n"
        "a1,TRUE,13,outoftime,white,x,1500,y,1191,Ada,Bo\nb2,TRUE,16,resign,black,y,1322,x,1261,Bo,Cy\n"
        "c3,TRUE,61,draw,draw,x,1496,y,1500,Cy,Ada\n",
        one_each(("Ada", "Bo", 1), ("Bo", "Cy", 0), ("Cy", "Ada", 0.5)),
    ),
    "chess server, a result for each": Kept(
        "white_username,black_username,white_result,black_result,time_class\nAda,Bo,win,checkmated,blitz\n"
        "Bo,Cy,timeout,win,blitz\nCy,Ada,agreed,agreed,rapid\nCy,Bo,win,abandoned,rapid\n",
        one_each(("Ada", "Bo", 1), ("Bo", "Cy", 0), ("Cy", "Ada", 0.5), ("Cy", "Bo", 1)),
    ),
    "chess club with forfeits": Kept(
        "Rd,White,WhiteElo,Black,BlackElo,Result\n1,Ada,1800,Bo,1700,½-½\n"
        "1,Cy,1500,Di,1400,+/-\n2,Bo,1700,Cy,1500,0-1\n"
        "2,Di,1400,Ada,1800,-/+\n3,Ada,1800,bye,,1\n3,Bo,1700,Di,1400,1F-0F\n",
        one_each(("Ada", "Bo", 0.5), ("Bo", "Cy", 0)),
        ("Left out: 3 rows of a forfeit; 1 row of a bye (bye).",),
    ),
    "tabletop tournament app": Kept(
        "Round,Table,Player 1,Player 1 Faction,Player 1 Score,Player 1 Result,Player 2,Player 2 Faction,Player 2 Score,"
        "Player 2 Result\n1,1,Ada,Elves,85,Win,Bo,Orcs,40,Loss\n1,2,Cy,Dwarves,55,Draw,Di,Elves,55,Draw\n"
        "2,1,Ada,Elves,20,Loss,Cy,Dwarves,77,Win\n2,2,Bo,Orcs,100,Win,BYE,,0,Loss\n",
        one_each(("Elves", "Orcs", 1), ("Dwarves", "Elves", 0.5), ("Elves", "Dwarves", 0)),
        ("Left out: 1 row of a bye (BYE).",),
    ),
    "tabletop app, winner by seat": Kept(
        "game_date,player_1_name,player_1_faction,player_1_score,player_2_name,player_2_faction,player_2_score,Winner\n"
        "2024-05-01,Ada,Elves,12,Bo,Orcs,7,Player 1\n2024-05-01,Bo,Orcs,5,Cy,Dwarves,9,Player 2\n"
        "2024-05-08,Cy,Dwarves,8,Ada,Elves,8,Draw\n",
        one_each(("Elves", "Orcs", 1), ("Orcs", "Dwarves", 0), ("Dwarves", "Elves", 0.5)),
    ),
    "card games, a sentence as a result": Kept(
        "Table,Team 1,Team 2,Result\n1,Ada,Bo,Ada won 2-1-0\n2,Cy,Di,Di won 2-0-0\n3,Eva,Flo,0-0-3 Draw\n"
        "4,Gus,,Gus was awarded a bye\n5,Hal,Ivo,Ivo forfeited the match\n",
        one_each(("Ada", "Bo", 1), ("Cy", "Di", 0), ("Eva", "Flo", 0.5)),
        ("Left out: 1 row of a bye; 1 row of a forfeit.",),
    ),
    "card games, won-lost-drawn": Kept(
        "player_a,deck_a,player_b,deck_b,score\nAda,Burn,Bo,Tron,2-0-0\n"
        "Bo,Tron,Cy,Jund,1-2-0\nCy,Jund,Ada,Burn,1-1-1\n",
        one_each(("Burn", "Tron", 1), ("Tron", "Jund", 0), ("Jund", "Burn", 0.5)),
        ("A result such as 2-1-0 is read as games won, lost and drawn",),
    ),
    "video game brackets": Kept(
        "tournament,round,entrant1Name,entrant1Score,entrant2Name,entrant2Score\nSpring,WR1,Ada,3,Bo,1\n"
        "Spring,WR1,Cy,0,Di,-1\nSpring,WR2,Ada,2,Cy,3\n",
        one_each(("Ada", "Bo", 1), ("Ada", "Cy", 0)),
        ("Left out: 1 row of a disqualification (-1).",),
    ),
    "video game sets": Kept(
        "event,player1,player2,score\nE1,Ada,Bo,Ada 2 - Bo 1\nE1,Bo,Cy,DQ\nE1,Cy,Ada,Cy 0 - Ada 3\n",
        one_each(("Ada", "Bo", 1), ("Cy", "Ada", 0)),
        ("Left out: 1 row of a disqualification.",),
    ),
    "winners and losers": Kept(
        "tourney,winner_name,loser_name,score,minutes\nOpen,Ada,Bo,6-3 6-4,80\nOpen,Cy,Ada,7-5 6-2,95\n",
        "'6-3 6-4' is neither of the two",
    ),
    "winners and losers, no score": Kept(
        "date;vincitore;perdente;note\n1/3/2024;Ada;Bo;bella\n1/3/2024;Cy;Ada;\n",
        one_each(("Ada", "Bo", 1), ("Cy", "Ada", 1)),
        ("Not used: note.",),
    ),
    "winners and losers with factions": Kept(
        "id,date,winner,loser,winner_faction,loser_faction\n1,1/1,Ada,Bo,Elves,Orcs\n2,1/1,Cy,Ada,Dwarves,Elves\n",
        one_each(("Elves", "Orcs", 1), ("Dwarves", "Elves", 1)),
    ),
    "both names in one cell": Kept(
        "date,match,result\n2024-01-05,Elves vs Orcs,2-1\n"
        "2024-01-05,Orcs vs. Dwarves,0-0\n2024-01-12,Dwarves v Elves,1-3\n",
        one_each(("Elves", "Orcs", 1), ("Orcs", "Dwarves", 0.5), ("Dwarves", "Elves", 0)),
        ("match names both sides",),
    ),
    "Italian, both names in one cell": Kept(
        "Data;Partita;Risultato\n05/01/2024;Elfi - Orchi;2-1\n12/01/2024;Nani - Elfi;annullata\n",
        one_each(("Elfi", "Orchi", 1)),
        ("Left out: 1 row that was cancelled.",),
    ),
    "players as a list of two": Kept(
        'date,players,winner\n1/2,"Ada, Bo",Ada\n1/2,"Bo, Cy",Cy\n',
        one_each(("Ada", "Bo", 1), ("Bo", "Cy", 0)),
    ),
    "told from both sides": Kept(
        "round,player,faction,opponent,opponent faction,vp,opponent vp\n1,Ada,Elves,Bo,Orcs,12,7\n"
        "1,Bo,Orcs,Ada,Elves,7,12\n"
        "1,Cy,Dwarves,Di,Elves,3,20\n1,Di,Elves,Cy,Dwarves,20,3\n"
        "2,Ada,Elves,Cy,Dwarves,9,9\n2,Cy,Dwarves,Ada,Elves,9,9\n",
        one_each(("Elves", "Orcs", 1), ("Dwarves", "Elves", 0), ("Elves", "Dwarves", 0.5)),
        ("3 rows tell a game the other way round",),
    ),
    "a diary": Kept(
        "my deck,enemy deck,going first?,result\nBurn,Tron,,W\nTron,Burn,,L\nBurn,Jund,,W\n",
        one_each(("Burn", "Tron", 1), ("Tron", "Burn", 0), ("Burn", "Jund", 1)),
    ),
    "a tie-breaker": Kept(
        "p1,p2,winner,tie\nAda,Bo,Ada,17.5\nBo,Cy,Cy,12\n",
        one_each(("Ada", "Bo", 1), ("Bo", "Cy", 0)),
        ("The column tie does not say yes or no, so it tells no draws: not used.",),
    ),
    "a number on every row": Kept(
        "n.,casa,ospite,vince\n1,Elfi,Orchi,Elfi\n2,Orchi,Nani,Nani\n"
        "3,Nani,Elfi,Elfi\n1,Elfi,Orchi,Elfi\n2,Orchi,Nani,patta\n"
        "3,Nani,Elfi,Nani\n",
        one_each(
            ("Elfi", "Orchi", 1),
            ("Orchi", "Nani", 0),
            ("Nani", "Elfi", 0),
            ("Elfi", "Orchi", 1),
            ("Orchi", "Nani", 0.5),
            ("Nani", "Elfi", 1),
        ),
        ("numbers the games",),
    ),
    "scores that became dates": Kept(
        "home,away,score\nElves,Orcs,03-Jan\nOrcs,Dwarves,1/2/2024\nDwarves,Elves,Feb-00\n",
        "looks like a date made by a spreadsheet",
    ),
    # -- one row per player --------------------------------------------------------------------------------------------
    "one row per player, by number": Kept(
        "match_id,player,deck,result\n1,Ada,Burn,Win\n1,Bo,Tron,Loss\n2,Ada,Burn,Loss\n"
        "2,Cy,Jund,Win\n3,Bo,Tron,Draw\n3,Cy,Jund,Draw\n",
        one_each(("Burn", "Tron", 1), ("Burn", "Jund", 0), ("Tron", "Jund", 0.5)),
        ("One row per player: two rows with the same match_id are one game.",),
    ),
    "one row per player, by round and table": Kept(
        "Turno;Tavolo;Giocatore;Fazione;Punti\n1;1;Ada;Elfi;14\n1;1;Bo;Orchi;6\n"
        "1;2;Cy;Nani;10\n1;2;Di;Elfi;10\n2;1;Ada;Elfi;3\n"
        "2;1;Cy;Nani;17\n2;2;Bo;Orchi;20\n",
        one_each(("Elfi", "Orchi", 1), ("Nani", "Elfi", 0.5), ("Elfi", "Nani", 0)),
        ("the same Turno and Tavolo are one game", "1 row whose game has no other row"),
    ),
    "one row per player, by place": Kept(
        "game,date,faction,place\n1,1/1,Elves,1\n1,1/1,Orcs,2\n2,1/1,Orcs,2\n2,1/1,Dwarves,1\n",
        one_each(("Elves", "Orcs", 1), ("Orcs", "Dwarves", 0)),
    ),
    "one row per player, no number": Kept(
        "date,player,faction,score\n1/1,Ada,Elves,10\n1/1,Bo,Orcs,8\n1/1,Ada,Elves,6\n1/1,Cy,Orcs,9\n",
        "nothing says which two rows are one game",
    ),
    # -- tables of match-ups -----------------------------------------------------------------------------------------
    "win rates with numbers": Kept(
        "archetype,opponent_archetype,winrate,matches\nBurn,Tron,61.5,130\nBurn,Jund,48.0,75\n",
        [("Burn", "Tron", 0.615, 130.0), ("Burn", "Jund", 0.48, 75.0)],
        ("The win rates are per cent.",),
    ),
    "Italian win rates both ways": Kept(
        "Fazione;Avversario;% vittorie;Partite\nElfi;Orchi;54,2%;733\nOrchi;Elfi;45,8%;733\n"
        "Elfi;Nani;40,0%;415\nNani;Elfi;60,0%;415\n",
        [("Elfi", "Orchi", 0.542, 733.0), ("Elfi", "Nani", 0.4, 415.0)],
        ("2 rows tell a game the other way round",),
    ),
    "victories and losses": Kept(
        "Format,Deck,Matchup,Games,Victories,Losses\nM,Burn,Tron,10,6,4\nM,Jund,Burn,5,2,3\n",
        [
            ("Burn", "Tron", 1.0, 6.0),
            ("Burn", "Tron", 0.0, 4.0),
            ("Jund", "Burn", 1.0, 2.0),
            ("Jund", "Burn", 0.0, 3.0),
        ],
    ),
    "totals": Kept(
        "faction,games,wins,losses,win rate\nElves,20,12,8,60%\nOrcs,18,8,10,44%\n", "holds totals of each entrant"
    ),
    "league table": Kept(
        "Pos;Squadra;G;V;N;P;Punti\n1;Leoni;10;8;1;1;25\n2;Orsi;10;5;2;3;17\n3;Gufi;10;3;1;6;10\n", "league table"
    ),
    "cross table of games": Kept(
        "No,Name,1,2,3,Pts\n1,Ada,x,1,½,1.5\n2,Bo,0,x,1,1\n3,Cy,½,0,x,0.5\n",
        one_each(("Ada", "Bo", 1), ("Ada", "Cy", 0.5), ("Bo", "Cy", 1)),
        ("A cross table: each cell is one game",),
    ),
    "cross table of win rates": Kept(
        ";Elfi;Orchi;Nani\nElfi;;54%;61%\nOrchi;46%;;50%\nNani;39%;50%;\n", "a cross table (a matrix of match-ups)"
    ),
    # -- kept by programs --------------------------------------------------------------------------------------------
    "JSON": Kept(
        '{"league": "L", "games": [{"date": "2024-01-01", "players": [{"name": "Ada", "faction": "Elves", "score": 3}, '
        '{"name": "Bo", "faction": "Orcs", "score": 1}]}, {"date": "2024-01-02", "players": [{"name": "Bo", "faction": '
        '"Orcs", "score": 2}, {"name": "Cy", "faction": "Dwarves", "score": 2}]}]}',
        one_each(("Elves", "Orcs", 1), ("Orcs", "Dwarves", 0.5)),
        file="games.json",
    ),
    "JSON lines": Kept(
        '{"first": "Elves", "second": "Orcs", "winner": "Orcs"}\n'
        '{"first": "Orcs", "second": "Elves", "winner": null, "status": "cancelled"}\n',
        one_each(("Elves", "Orcs", 0)),
        ("Left out: 1 row that was cancelled.",),
        "games.jsonl",
    ),
}
