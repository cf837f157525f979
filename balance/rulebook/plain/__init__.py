"""Game files answered exactly with plain numbers, where numpy is absent: in a page, and at the prompt."""
