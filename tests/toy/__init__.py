"""A sixth game, as an outside author would write it: a data folder, a code folder, one registry line."""
