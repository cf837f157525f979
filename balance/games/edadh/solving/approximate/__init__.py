"""War for Edadh solved where its states are too many to list: value iteration (see docs/explanation/edadh.md)."""
