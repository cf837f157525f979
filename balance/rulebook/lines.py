"""The lines of a game file, wherever they stand in it."""

from __future__ import annotations

from balance.game.game import Game
from balance.rulebook.opening import rulebook_of
from balance.rulebook.text.book import all_lines


def rule_texts(game: Game) -> dict[str, str]:
    """Return the rules of a game that was opened from a file, as texts by key, such as `attack.hits`."""
    rulebook = rulebook_of(game)
    texts = {line.key: line.text or line.python for line in all_lines(rulebook)}
    texts |= {f"tokens.{name}": str(value) for name, value in rulebook.tokens.items()}
    texts |= {table.line.key: str(table) for table in rulebook.tables.values()}
    for section in ("turns", "ends", "armies"):
        values = vars(getattr(rulebook, section))
        texts |= {f"{section}.{name}": str(value) for name, value in values.items() if isinstance(value, str | int)}
    return texts
