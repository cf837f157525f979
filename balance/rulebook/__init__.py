"""Games that are written as one file: rules as steps in the language of dice, no code."""
