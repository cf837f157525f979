"""The sections of a report about costs: what to change, and which prices hold."""
