"""Verbs about games and their data: listed, shown, checked, exported, imported, or begun anew."""
