"""How games are rated and a log is read, from the words that people use for it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

from balance.base.errors import Fault, UsageError, gathering, unknown
from balance.chance.rolls.streams import check_seed
from balance.playtests.log.log import LogSettings
from balance.playtests.model.answer import Draws, RateSettings

MOST_SCALE = 100.0


def rate_settings(faults: list[Fault], level: float, draws: str, prior: float | str | None, seed: int) -> RateSettings:
    """Return how games are rated, apart from the band; everything wrong is added to `faults`.

    `level` is a share or a percentage, `prior` the scale of strengths in log-odds, None for the default or "none".
    """
    settings = RateSettings()
    with gathering(faults):
        settings = replace(settings, seed=check_seed(seed))
    share = level / 100 if level > 1 else level
    if 0.5 <= share < 1:
        settings = replace(settings, level=share)
    else:
        faults.append(Fault("is no level", "§level", found=f"{level:g}", allowed="a chance from 0.5 to below 1"))
    model: Any = draws.replace("-", "_").casefold()
    if model in get_args(Draws):
        settings = replace(settings, draws=model)
    else:
        rating_names = [name.replace("_", "-") for name in get_args(Draws)]
        faults.append(unknown(draws, rating_names, "is no model of draws", "§draws"))
    if prior is not None:
        with gathering(faults):
            settings = replace(settings, prior=_scale(str(prior)))
    return settings


def _scale(text: str) -> float | None:
    """Return the scale of the prior, in logits, or None for "none"; raises `UsageError` outside 0 to `MOST_SCALE`."""
    if text.casefold() == "none":
        return None
    with suppress(ValueError):
        if 0 < (scale := float(text.replace(",", "."))) <= MOST_SCALE:
            return scale
    allowed_text = f"a number above 0, at most {MOST_SCALE:g}, or none"
    raise UsageError(Fault("is no scale of a prior", "§prior", found=text, allowed=allowed_text))


def log_settings(
    faults: list[Fault], columns: Sequence[str], first_goes: str, no_first: bool, each_game: str
) -> LogSettings:
    """Return how a log is to be read, apart from its sheet and words; everything wrong is added to `faults`.

    `columns` are texts such as "winner=Vinto"; `first_goes` is the side that always goes first, "one" or "other", and
    `each_game` how often the log tells each game, "once" or "twice"; empty to infer it.
    """
    roles = dict[str, str]()
    for text in columns:
        role, equals, header = text.partition("=")
        if not equals:
            faults.append(Fault("is no WHAT=HEADER", "§column", found=text, tip="such as winner=Vinto"))
        roles[role.strip()] = header.strip()
    if no_first and first_goes:
        faults.append(Fault("and §no_first exclude each other", "§first_goes", tip="give one of them"))
    words: Any = {"": "", "one": "one", "first": "one", "1": "one", "other": "other", "second": "other", "2": "other"}
    if first_goes.casefold() not in words:
        faults.append(Fault("is no side", "§first_goes", found=first_goes, allowed="one, other"))
    goes: Any = "nobody" if no_first else words.get(first_goes.casefold(), "")
    times: Any = {"": "", "once": "once", "1": "once", "twice": "twice", "2": "twice"}.get(each_game.casefold())
    if times is None:
        faults.append(Fault("is no number of times", "§each_game", found=each_game, allowed="once, twice"))
    return LogSettings(roles, first=goes, each_game=times or "")
