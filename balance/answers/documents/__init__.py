"""What `--json` prints, as types: one for the object of each verb, from which its JSON Schema is made."""
