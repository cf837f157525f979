"""Solving games of simultaneous choices: arrays in, strategies out, each with its measured gap. Knows no game."""
