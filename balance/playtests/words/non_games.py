"""Rows that tell of no game between two: byes, walkovers, forfeits, disqualifications, games that were not played."""

from __future__ import annotations

import re
from functools import lru_cache

from balance.base.text import slug
from balance.playtests.words.vocabulary import word_set

BYE = "of a bye"
FORFEIT = "of a forfeit"
DISQUALIFICATION = "of a disqualification"
NO_OPPONENT = "without an opponent"
NO_RESULT = "without a result"
_WORDS: dict[str, str] = {
    BYE: "bye byes freilos spielfrei riposo riposa turno_di_riposo exempt exento descansa free_win half_bye full_bye",
    "of a walkover": "w_o wo walkover walk_over walkovers a_tavolino tavolino vittoria_a_tavolino no_show noshow "
    "kampflos assente",
    FORFEIT: "forfeit forfeits forfeited forfeiture forfait forf ff wertung by_default win_by_default",
    DISQUALIFICATION: "dq dqd dsq disq disqualified disqualification squalifica squal squalificato squalificata "
    "disqualifie disqualifiziert",
    "that was cancelled": "cancelled canceled cancellation cancel canc annull annullata annullato annullati annullate "
    "cancellata cancellato void voided no_contest abgesagt annule annulee",
    "that was not finished": "abandoned aborted unfinished not_finished unterminated dnf adjourned interrotta "
    "interrotto sosp sospesa sospeso suspended abbandonata non_finita non_conclusa non_terminata in_progress ongoing "
    "in_corso abgebrochen incomplete",
    "that was not played": "postponed postp ppd rinv rinviata rinviato rimandata rimandato unplayed not_played dnp "
    "non_giocata non_giocato non_disputata da_giocare pending scheduled upcoming to_be_played verschoben "
    "nicht_gespielt",
    NO_RESULT: "na n_a nan null tbd tba unknown no_result not_reported unreported sconosciuto non_noto missing",
}
"""Why a row is left out -> the words that say so, whole cells."""
_KIND_OF = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_WITHIN = {
    word: kind
    for word, kind in _KIND_OF.items()
    if kind != NO_RESULT and word not in word_set("wo ff cancel void null free_win assente dnp incomplete suspended")
}
"""Words that say so within a longer text, too, such as `2-0 (w/o)`; short ones do only in brackets or at the end."""
_LATE = word_set("wo ff dq")
_FORFEITS = re.compile(
    r"[+\-−–] ?[/:] ?[+\-−–]|\+ ?[-−–]? ?[-−–]|[-−–] ?[-−–]? ?\+"  # +/-, -/+, +:-, +-, +--, --+
    r"|\d+ ?f ?[-−–:/] ?\d+ ?f?|\d+ ?[-−–:/] ?\d+ ?f"  # 1F-0F, 0F-1, 1-0F
)
_NEGATIVE = re.compile(r"[-−]1 ?[-−–:/,] ?\d+|\d+ ?[-−–:/,] ?[-−]1")
_NO_NAMES = word_set(
    "none nobody na n_a nan null tbd tba unknown no_opponent nessuno no_one sconosciuto free empty libero vuoto"
)
_BYE_NAME = re.compile(r"(\w+_)?bye(_?\d+)?")
MINUS_ONE = word_set("-1 −1 -1.0 -1,0")
"""How a score of -1 is written, which stands for a disqualification where no other score is below 0."""


@lru_cache(maxsize=65536)
def kind_of(text: str) -> str:
    """Return why a result cell tells of no game, as the end of "rows ..."; empty if it may tell of one.

    >>> [kind_of(text) for text in ("Walk-over", "+/-", "1F-0F", "2-0 (w/o)")]
    ['of a walkover', 'of a forfeit', 'of a forfeit', 'of a walkover']
    >>> kind_of("rinviata"), kind_of("2--1"), kind_of("2-1")
    ('that was not played', 'of a disqualification', '')
    """
    plain = " ".join(text.split()).casefold()
    if plain == "*":
        return "that was not finished"
    if _FORFEITS.fullmatch(plain):
        return FORFEIT
    if _NEGATIVE.fullmatch(plain):
        return DISQUALIFICATION
    word = slug(plain)
    if word in _KIND_OF:
        return _KIND_OF[word]
    parts = word.split("_")
    near = [*parts, *("_".join(parts[at : at + 2]) for at in range(len(parts) - 1))]
    if kinds := [_WITHIN[part] for part in near if part in _WITHIN]:
        return kinds[0]
    return _KIND_OF[parts[-1]] if len(parts) > 1 and parts[-1] in _LATE else ""


def flag_kind(header: str) -> str:
    """Return why rows with a yes under this header are left out; empty if the header names no such reason.

    >>> flag_kind("Is bye?"), flag_kind("forfait"), flag_kind("score")
    ('of a bye', 'of a forfeit', '')
    """
    word = slug(header).removeprefix("is_").removeprefix("was_")
    kind = _KIND_OF.get(word, "")
    return "" if kind == NO_RESULT or word in ("pending", "upcoming", "scheduled") else kind


def is_bye_name(text: str) -> bool:
    """Return whether a name is a word for a bye; an entrant may be called so nevertheless.

    >>> is_bye_name("*BYE*"), is_bye_name("Bye 2"), is_bye_name("Riposo"), is_bye_name("Byers")
    (True, True, True, False)
    """
    word = slug(text)
    return bool(_BYE_NAME.fullmatch(word)) or word in _NO_NAMES or _KIND_OF.get(word) == BYE


def is_no_name(text: str) -> bool:
    """Return whether a text is empty, or only dashes, stars or question marks.

    >>> is_no_name("---"), is_no_name(""), is_no_name("?"), is_no_name("Σ")
    (True, True, True, False)
    """
    return text.strip(" -–—−*?./_") == ""
