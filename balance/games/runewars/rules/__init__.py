"""The rules of Runewars as pure functions: dice, attacks, dials, morale and surges."""
