"""What `dice` says of the odds of expressions."""
