"""Pages to touch: they answer in the browser, exactly, from one file and without a network."""
