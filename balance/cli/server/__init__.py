"""A server for assistants by the Model Context Protocol: one tool per verb, over given games and folders."""
