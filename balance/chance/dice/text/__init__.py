"""Parse the text of an expression into its parts."""
