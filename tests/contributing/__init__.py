"""The tables of CONTRIBUTING are true: what they say to write is written here for a toy, used, and taken out again."""
