"""From the text of an expression to its parts."""
