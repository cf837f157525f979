"""Runewars: dice multiplied by the shape of a formation; rule ids as in `rule_ids.csv`."""
