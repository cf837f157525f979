"""A study before and after a change: whom it affects, and by how much."""
