"""The policies by name, put together from `players.csv` and `mixes.csv`, and those that prefer one troop to another.

`random` is any legal choice, each as likely as every other. `guard` selects the troop that is hardest to hurt, `strike`
the one that hits hardest; `weakest` gives up the troop that is neither.
"""

from __future__ import annotations

from typing import cast

from balance.base.errors import CatalogueError, Fault
from balance.catalogue import Catalogue
from balance.chance.rolls.rolls import Policy
from balance.games.edadh.cards.player_cards import ADAPTIVE, Mix, Player
from balance.games.edadh.policies.adaptive import Adaptive
from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.policies.preference import TastePolicy

PLAYERS = {
    "random": "does anything legal, each as likely as every other",
    "random-noretire": "the same, but never retires a troop",
    "low": "plays low cards, else anything",
    "high": "plays high cards, else anything",
    "mix": "plays cards of the mix that its side names, else anything",
    "cautious": "plays cheap cards that protect widely, guards with its hardest troop and retires its weakest in need",
    "aggressive": "plays costly cards that hurt, strikes with its hardest hitter and retires nobody",
    "adaptive": "counts the opponent's cards and answers them and the troop it sees",
}
"""Names of the policies, with what each does as shipped; each is a row of `players.csv`."""
USUAL = "cautious"
"""Who plays where nothing is said. `adaptive` is stronger, but counts cards: a turn of it is not exact, a duel slow."""


def player(catalogue: Catalogue, name: str, mix: str | None = None, place: str = "") -> Policy:
    """Return a policy of `players.csv` by name, one of `PLAYERS`; "mix" plays a mix of `mixes.csv`, or all cards alike.

    An unknown mix raises `CatalogueError`, which names the nearest and, as its place, `place`.
    """
    row = catalogue.entries(Player)[name.replace("-", "_")]
    if mix is not None and row.cards is not None:
        tip = "choose the player mix, or leave the mix out"
        raise CatalogueError(Fault("is only for the player mix", place, field="mix", found=mix, tip=tip))
    cards = row.cards or mix or "even"
    retire_below = (row.retire_below or 0) if row.retires == "below" else 0
    if cards == ADAPTIVE:
        return Adaptive(retire_below=retire_below)
    card_mix = CardMix(cast("Mix", catalogue.find("mixes", cards, place)).weights)
    if row.troop == "any":
        return Uniform(card_mix, retires=row.retires != "never")
    return TastePolicy(card_mix, row.troop, retire_below)
