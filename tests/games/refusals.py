"""How a game refuses a question that makes no sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from balance.base.errors import BalanceError
from balance.game.loaded import LoadedGame


def refusal_of(game: LoadedGame, kind: str, one: str, other: str, changes: Mapping[str, Any]) -> list[str]:
    """Return the lines in which a question is refused; what is set without a dot in its name is a choice."""
    choices = {name: value for name, value in changes.items() if "." not in name}
    with pytest.raises(BalanceError) as error:
        game.ask(kind, one, other, {name: value for name, value in changes.items() if "." in name}, **choices)
    return str(error.value).splitlines()
