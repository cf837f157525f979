"""Games that are written as one file: rules as steps in the language of dice, no code."""

from balance.rulebook.changing import changed_text
from balance.rulebook.opening import game_of, open_file, rule_texts, rulebook_of

__all__ = ["changed_text", "game_of", "open_file", "rule_texts", "rulebook_of"]
