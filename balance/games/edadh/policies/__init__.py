"""How a side plays."""
