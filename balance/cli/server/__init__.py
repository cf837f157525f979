"""A server for assistants: one tool per verb, by the Model Context Protocol, over the games and folders it is given."""
