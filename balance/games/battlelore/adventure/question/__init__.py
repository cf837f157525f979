"""An adventure as it is asked about: what is typed, set and told of it, and its small changes."""
