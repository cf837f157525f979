"""The Lore system: tokens, cards, councils and their landmarks."""
