"""The costs that `price` proposes as a patch, and what is said of a patch: how to look at it and how to apply it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from balance.analysis.prices.answer import PatchFile, Prices
from balance.analysis.prices.verdicts import show_cost
from balance.answers.form import Terms
from balance.base.numbers import show_interval
from balance.base.paths import short_path
from balance.base.text import one_line, slug
from balance.game.open_game import OpenGame
from balance.study.settings.patch import Assignment, patch_text


def proposed_costs(prices: Prices) -> Mapping[str, int]:
    """Return card -> the cost that it should have, of those that should change."""
    return {} if prices.proposal is None else prices.proposal.costs


def cost_patch(prices: Prices, paths: Mapping[str, str], sentence: str, terms: Terms) -> str:
    """Return the patch of the costs proposed; `paths` says where the cost of each card stands."""
    lines = []
    for card, cost in proposed_costs(prices).items():
        price = prices.cards[card]
        why = f"{price.verdict}: {show_interval(price.low, price.high, show_cost)}"
        lines.append(Assignment(paths[card], show_cost(price.cost), str(cost), why))
    comment = one_line(f"Proposed by balance price {terms.command}, seed {prices.settings.seed}: {sentence}")
    return patch_text(f"Costs proposed for {terms.title}", lines, comment)


def written(file: Path, game: OpenGame) -> PatchFile:
    """Return a patch of a game that was written, with the commands that follow from it."""
    called, folder, place = game.definition.called, game.own_catalogue(), short_path(file)
    if (own := game.definition.file) is not None:
        target = short_path(own.with_name(f"{slug(f'{own.stem} {file.stem}')}.toml"))
        again = ["price", target]
    else:
        target = short_path(file.with_name(f"{file.stem}_catalogue"))
        again = ["price", called, "--catalogue", target]
    from_folder, base = (["--catalogue", folder], ["--base", folder]) if folder else ([], [])
    commands = (
        ["compare", called, *base, "--patch", place],
        ["export", called, target, *from_folder, "--patch", place],
        again,
    )
    return PatchFile(place, *(shlex.join(["balance", *words]) for words in commands))


def patch_lines(patch: PatchFile) -> tuple[str, ...]:
    """Return what is said of a patch that was asked for: that there is none, or how to look at it and to apply it."""
    if patch.compare is None:
        return (f"No change of costs is proposed, so {patch.file} was not written.",)
    return (
        f"Wrote {patch.file}. What it does to everything: {patch.compare}",
        f"To apply it: {patch.apply}",
        f"To judge what that wrote: {patch.again}",
    )
