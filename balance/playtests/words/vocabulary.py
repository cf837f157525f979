"""The words of headers, in English or Italian: what a column of a log holds, and of which side.

Order, case, accents and the words between do not matter: `army_1`, `Fazione A`, `homeWins`, `punti del vincitore`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from balance.base.text import slug


class Role(NamedTuple):
    """What a column holds, and of which side: `one`, `other`, `winner`, `loser`, or none for the game as a whole.

    A `member` of 2 or more is a further name of the same side, such as the second player of a pair.
    """

    kind: str
    side: str = ""
    member: int = 0

    def __str__(self) -> str:
        """Return the role as the option `--column` takes it."""
        text = (self.side or "name") if self.kind == "name" else f"{self.kind}_{self.side}" if self.side else self.kind
        return f"{text} (member {self.member})" if self.member else text


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text separated by blanks, each as a slug, such as `no_one`."""
    return frozenset(text.split())


_SEAT_WORDS = {
    "one": word_set("first primo prima home casa white bianco"),
    "other": word_set("second secondo seconda away trasferta ospite ospiti guest visitor visitors black nero"),
}
"""Words for a side that say who went first, too."""
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GOES_FIRST = word_set("first primo prima white bianco")
OPPONENT = word_set(
    "opponent opp opponents opposing avversario avversaria avversari against contro vs versus enemy nemico rival "
    "rivale matchup"
)
"""Words for the other side in a row that is told from one side."""
_SIDES = {
    "one": word_set(
        "1 one uno a i me my mine io mio mia mie miei you your yours our ours us noi nostro nostra tuo tua "
        "attacker attackers attaccante attaccanti"
    )
    | _SEAT_WORDS["one"],
    "other": word_set(
        "2 two other due altro altra b ii their theirs them they his her hers loro suo sua suoi defender defenders "
        "difensore difensori conceded allowed subiti subite subito"
    )
    | OPPONENT
    | _SEAT_WORDS["other"],
    "winner": word_set("winner winners winning vincitore vincitori vincitrice vincente victor"),
    "loser": word_set("loser losers losing perdente perdenti sconfitto sconfitti defeated beaten battuto"),
}
RESULT_WORDS = _SIDES["winner"] | _SIDES["loser"]
"""Words for a side by its result."""
SIDE_OF = {word: side for side, words in _SIDES.items() for word in words}
_LITTLE = word_set("of the s by for scored fatti fatte di del della dei delle da il la lo n")
_COST = word_set("cost costo price prezzo value valore")
_SIZE = word_set("army list roster esercito lista")
_COUNTED_WORDS = word_set("points pts punti")
_POINTS = _COUNTED_WORDS | word_set("score scores point punteggio vp pv goal goals gol reti victory vittoria runs")
_WINS = word_set("wins win won vittorie vinte vinti victories")
_PLAYER = word_set(
    "player players giocatore giocatrice giocatori user username nick nickname handle login account gamertag p g "
    "person persona pilot pilota commander comandante coach allenatore general generale"
)
_TITLE = word_set("name nome names nomi")
_RESULT = word_set("result results outcome esito risultato")
_NAME = _SIZE | word_set(
    "faction fazione armata deck mazzo unit unita team squadra side lato entrant name nome race razza card carta hero "
    "eroe character personaggio class classe gang warband banda force forza species specie civ clan build version "
    "versione contestant sfidante fighter combattente parte archetype archetipo civilization civilisation civilta "
    "pair duo couple coppia"
)

PAIRED_KINDS = ("player", "points", "wins", "cost", "result")
"""What is told of both sides or not at all."""

_PHRASES: dict[Role, str] = {
    Role("name", "winner"): "vince chi_vince chi_ha_vinto ha_vinto won_by who_won vinto_da vittoria victory winner_is",
    Role("name", "loser"): "perde chi_perde chi_ha_perso ha_perso lost_by who_lost",
    Role("result"): "result results risultato esito outcome ftr res final_result risultato_finale w_l wl win_loss "
    "win_lose win_loss_draw vinta_persa vittoria_sconfitta v_p v_n_p wld w_l_d wdl w_d_l match_result game_result",
    Role("score"): "score punteggio share final_score punteggio_finale",
    Role("points", "one"): "fthg hg",
    Role("points", "other"): "ftag ag",
    Role("status"): "status stato state match_status game_status stato_partita stato_gara",
    Role("draw"): "draw tie patta pareggio pari drawn_game is_draw",
    Role("draws"): "draws ties d pareggi patte drawn nulle pareggiate n_draws games_drawn "
    "matches_drawn matches_tied partite_pareggiate",
    Role("wins", "one"): "wins won win victories w vittorie vinte vinta vinto n_wins "
    "games_won matches_won rounds_won partite_vinte incontri_vinti gare_vinte",
    Role("wins", "other"): "losses lost loss l sconfitte perse persa perso n_losses "
    "defeats games_lost matches_lost rounds_lost partite_perse incontri_persi gare_perse",
    Role("n"): "n n_games games matches sample sample_size total_games total_matches n_matches games_played "
    "matches_played partite_giocate totale_partite partite count n_partite numero_partite num_partite played giocate "
    "n_pairs times volte",
    Role("starts"): "starts starter started start first_mover mover moves_first goes_first went_first who_went_first "
    "who_started who_starts begins began who_begins inizia chi_inizia chi_ha_iniziato ha_iniziato iniziato comincia "
    "chi_comincia primo_turno first_turn turn_1 turno_1 first_to_move primo_a_muovere muove_per_primo va_per_primo "
    "muove_prima parte_per_primo chi_parte initiative iniziativa "
    "first_or_second first_second first_or_second_player went_first_or_second going_first_or_second 1st_or_2nd "
    "going_first went_1st going_1st 1st_turn turn_1st_2nd turn_order_1st_2nd "
    "play_draw play_or_draw on_the_play primo_o_secondo primo_secondo prima_o_seconda",
    Role("session"): "session sessione serata sera evening night event evento tournament torneo meeting meetup "
    "session_id event_id tournament_id tourney tourney_id event_name tournament_name week settimana giornata",
    Role("date"): "date data day giorno when quando played_on played_at datum timestamp datetime date_time game_date "
    "match_date play_date playdate date_played data_partita data_gara data_di_gioco giocata_il utc_date start_date",
    Role("scenario"): "scenario mission missione map mappa mode modalita situation situazione terrain terreno "
    "deployment schieramento",
    Role("low"): "low minimo",
    Role("high"): "high massimo",
    Role("error"): "error errore",
    Role("advantage"): "advantage",
}
_LABEL_PHRASES = {
    "date": _PHRASES[Role("date")],
    "month": "month mese",
    "patch": "patch patch_version game_patch rules_version edition edizione version versione season stagione",
    "event": "event evento event_id event_name tournament torneo tournament_id tournament_name tourney",
    "deployment": "deployment schieramento deployment_type",
    "map": "map mappa map_name",
    "mission": "mission missione scenario mission_name",
}
LABELS = {label: phrases.split() for label, phrases in _LABEL_PHRASES.items()}
"""What a game can be labelled with, so that results are told by it -> headers for it, the best one first."""
_RATE = re.compile(
    r"(^|_)(wr|win_?rate|winrates|win_?pct|win_?percent(age)?|winning_percentage|wins_?per_?cent|percentuale"
    r"|perc_vittorie|vittorie_perc(entuale)?|tasso|match_win|rate)(_|$)"
)
_RATE_WORDS = word_set("win wins won vittorie vittoria vinte vinto winrate w v")
_PHRASE_OF = {phrase: role for role, phrases in _PHRASES.items() for phrase in phrases.split()}
ROLES = (
    *(Role("name", side) for side in ("one", "other", "winner", "loser", "")),
    Role("game"),
    *(role for role in _PHRASES if role.kind not in ("name", "wins", "points", "advantage", "status")),
    *(Role(kind, side) for kind in ("player", "points", "wins", "cost") for side in ("one", "other")),
)
"""What `--column` can name, as an error lists it."""


def label_places(header: Sequence[str]) -> dict[str, int]:
    """Return the place of each label of games, such as its map, among the headers.

    >>> label_places(["Season", "patch", "Mappa", "deployment", "army 1"])
    {'patch': 1, 'deployment': 3, 'map': 2}
    """
    places = {slug(HUMP.sub(" ", cell)): at for at, cell in reversed(list(enumerate(header)))}
    best = {label: next((word for word in words if word in places), "") for label, words in LABELS.items()}
    return {label: places[word] for label, word in best.items() if word}


def is_rate(header: str) -> bool:
    """Return whether a header names a share of games won, such as `win rate` or `% vittorie`.

    >>> is_rate("Win %"), is_rate("WinRate"), is_rate("percentuale vittorie"), is_rate("score")
    (True, True, True, False)
    """
    return bool(_RATE.search(slug(header))) or ("%" in header and bool(set(slug(header).split("_")) & _RATE_WORDS))


_NUMBER_WORDS = word_set("id ids no nr num number numero key code codice ref n di of the uuid guid hash")
_ID = word_set("id game_id no nr num number numero uuid guid hash ref code codice")
KEYS = {
    "table": word_set("table tavolo board scacchiera court"),
    "game": word_set(
        "game match partita incontro gara battle battaglia bout pairing play duel duello gioco set fixture scontro "
        "record entry report scheda referto playthrough"
    ),
    "round": word_set("round rd turno runde ronda"),
    "block": word_set(
        "season stagione league lega division divisione girone group gruppo year anno month mese stage phase fase "
        "campaign campagna cup coppa location luogo venue site sede series serie"
    ),
}
"""What names a game -> words of its header. The numbers of games may begin anew in each block."""
_GLUED_ID = re.compile(r"^(.{3,}?)(id|uuid|guid|no|nr|num)$")


@lru_cache(maxsize=4096)
def role_of(header: str) -> Role | None:
    """Return the role that a header has by itself; None for an unknown one.

    >>> [str(role_of(header)) for header in ("Fazione A", "home_wins", "playerTwo", "Chi inizia?")]
    ['one', 'wins_one', 'player_other', 'starts']
    >>> role_of("weather") is None
    True
    """
    text = slug(HUMP.sub(" ", header))
    if is_rate(header):
        return Role("score")
    if text in _PHRASE_OF:
        return _PHRASE_OF[text]
    words = re.findall(r"[^\W\d_]+|\d+", text)
    sides = {SIDE_OF[word] for word in words if word in SIDE_OF}
    kind = _kind_of_column([word for word in words if word not in SIDE_OF and word not in _LITTLE])
    if len(sides) == 2 and "winner" in sides and kind in ("player", "name"):
        return Role("result", min(sides - {"winner"}))
    if len(sides) > 1 or kind is None or not words:
        return None
    return Role(kind, min(sides, default=""))


def role_named(text: str) -> Role | None:
    """Return the role that a word for `--column` means, also that of the number of a game, round or table; else None.

    >>> [str(role_named(text)) for text in ("first", "points_one", "name", "game", "colour")]
    ['one', 'points_one', 'name', 'game', 'None']
    """
    role, key = role_of(text), key_of(text)
    return role if role is not None else Role(key) if key else None


def _kind_of_column(words: Sequence[str]) -> str | None:
    """Return the kind of column that the words of a header mean, without words for sides; None for unknown ones."""
    word_set_of_header = set(words)
    if word_set_of_header & _RESULT and word_set_of_header <= _RESULT | _PLAYER | _NAME | _TITLE:
        return "result"
    if word_set_of_header - _COST - _POINTS - _WINS - _PLAYER - _NAME - _TITLE:
        return None
    if word_set_of_header & _COST or (word_set_of_header & _SIZE and word_set_of_header & _COUNTED_WORDS):
        return "cost"
    for kind, kind_words in (("points", _POINTS), ("wins", _WINS)):
        if word_set_of_header & kind_words:
            return kind
    return "player" if word_set_of_header & _PLAYER and word_set_of_header <= _PLAYER | _TITLE else "name"


def key_of(header: str) -> str:
    """Return what a header numbers, "game", "round" or "table", or the "block" that numbers begin anew in; else "".

    >>> [key_of(header) for header in ("Match ID", "turno", "Tavolo n.", "id", "playUuid", "faction")]
    ['game', 'round', 'table', 'game', 'game', '']
    """
    text = slug(HUMP.sub(" ", header))
    all_words = {part for word in text.split("_") for part in _unglued(word)}
    words = all_words - _NUMBER_WORDS
    kinds = {kind for kind, key_words in KEYS.items() if words & key_words}
    if not words <= frozenset().union(*KEYS.values()):
        return ""
    return next((kind for kind in KEYS if kind in kinds), "game" if text in _ID else "")


def _unglued(word: str) -> tuple[str, ...]:
    """Return the known words that a word is made of, such as `match` and `id` of `matchid`."""
    parts = _GLUED_ID.match(word)
    known = parts is not None and any(parts[1] in key_words for key_words in KEYS.values())
    return (parts[1], parts[2]) if parts is not None and known else (word,)


def side_of(text: str) -> str:
    """Return the side that a cell names by a word, such as `2`, `second` or `Player 2`; empty if it names none.

    >>> side_of("secondo"), side_of("Player 1"), side_of("the Elves"), side_of("white wins")
    ('other', 'one', '', 'one')
    """
    role = role_of(text)
    return role.side if role is not None and role.kind in ("name", "player", "wins") else ""


def is_seated(header: str, side: str) -> bool:
    """Return whether a header says that its side goes first ("one") or second ("other"), such as `Home team`.

    >>> is_seated("Home team", "one"), is_seated("team_1", "one")
    (True, False)
    """
    return any(word in _SEAT_WORDS[side] for word in re.findall(r"[^\W\d_]+", slug(HUMP.sub(" ", header))))


def known_words(header: Sequence[str], further_words: Iterable[str]) -> set[str]:
    """Return the slugs of headers that mean something, and further ones: they decide a file's separator."""
    return {slug(cell) for cell in header if role_of(cell)} | {slug(text) for text in further_words}


def goes_first(header: str) -> bool:
    """Return whether a header says `first` or the like, with at most the word for a player beside it.

    >>> goes_first("Primo giocatore"), goes_first("first_army")
    (True, False)
    """
    words = set(slug(HUMP.sub(" ", header)).split("_"))
    return bool(words & _GOES_FIRST) and words <= _GOES_FIRST | _PLAYER
