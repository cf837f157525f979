"""One module a medium: terminal, notebook, picture, and the short form for programs. None knows a verb."""
