"""Interactive pages: they answer in the browser, exactly, from one file that works offline."""
