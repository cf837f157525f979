"""Ratings of a log and plans of playtests, as text and JSON."""
