"""Whole battles of Warforged on a board: maps, turns of free actions, and the policies that play them."""
