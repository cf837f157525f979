"""Who scores what against whom, how strong that makes everybody, and what such strength usually costs."""
