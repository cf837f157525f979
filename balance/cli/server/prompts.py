"""First prompts: what designers ask most, and with which tools an assistant answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from balance.base.errors import Fault, UsageError, unknown

REPORT = (
    "Report: one sentence first, in plain words, then a short table. Give every number with its interval (low to high) "
    "and say whether it is exact or simulated. Call no difference real whose interval holds 0. Where the answer says "
    "`not yet known`, say so, and how many more battles or games would tell. End with what it cannot see "
    "(`cannot_see`) and with the seed and the game's version, so that it can be repeated."
)
TITLES = {
    "is_my_game_fair": "Is my game fair?",
    "compare_two_cards": "Compare two cards",
    "what_should_it_cost": "What should this card cost?",
    "what_does_my_log_say": "What does my log of games say?",
}
"""The prompts by name, as a person picks them."""
TEXTS = {
    "is_my_game_fair": "Is the game `{game}` fair? Read its names at balance://games/{game} (or `show` it). `price` "
    "it: which cards are too cheap, too dear, or never worth taking? Without armies or costs, `duel` its entrants "
    "against each other instead. Then ask `handicap` without sides what going first is worth, and `stability` whether "
    "the verdicts hold however sides play. If it is not fair, propose the fewest changes: `tune`.",
    "compare_two_cards": "Compare `{one}` and `{other}` of `{game}`. Look up both ids at balance://games/{game} (or "
    "`show` it with table=entrants). `duel` them with first=a and with first=b, where sides take turns, and say the "
    "mean. Show why: `attack` of each on the other. Then `handicap`: the smallest change of one number that makes them "
    "even.",
    "what_should_it_cost": "What should `{card}` cost in `{game}`? Look up its id at balance://games/{game} (or `show` "
    "it with table=entrants). `price` with card={card}: its cost today, its fair cost with interval, and what could "
    "change instead. Then `card`: what each small change of it does. If the interval is too wide for a verdict, ask "
    "again with more `battles` and the same seed.",
    "what_does_my_log_say": "What does the log `{log}` say? `rate` it: who is too strong or weak, how sure that is, "
    "and what was left out and why. If it asks which column holds what, ask me and do not guess, above all who went "
    "first. For those not yet known, `need` says how many more games would tell, and `rate` whom to let play next.",
}
WORDS = {
    "game": "A game served here.",
    "one": "The first card, as the game calls it.",
    "other": "The other card.",
    "card": "A card or an entrant of the game.",
    "log": "A log of games in a folder served here.",
}
"""What stands in braces in the texts, and what is said of it."""


def words_of(name: str) -> list[str]:
    """Return the words that a prompt needs to be told."""
    said = {*re.findall(r"{(\w+)}", TEXTS[name])}
    return [word for word in WORDS if word in said]


def text_of(name: str, arguments: Mapping[str, str]) -> str:
    """Return the text of a prompt with its words said; raise UsageError for each that is missing."""
    if name not in TITLES:
        raise UsageError([unknown(name[:80], TITLES, "is no prompt", "name")])
    said = {word: arguments.get(word, "").strip() for word in words_of(name)}
    if faults := [Fault("is missing", word) for word, text in said.items() if not text]:
        raise UsageError(faults)
    return f"{TEXTS[name].format(**said)}\n\n{REPORT}"
