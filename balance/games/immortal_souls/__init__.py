"""Immortal Souls: results that are spent, cooldowns, and a party against the rules; rule ids as in `rule_ids.csv`."""
