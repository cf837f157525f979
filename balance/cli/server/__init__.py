"""A server for assistants: one tool a verb, by the Model Context Protocol, about games and folders that it is given."""
