"""Whether a game scales with the size of a party: what `report.toml` asks for, and the tables that come back."""
