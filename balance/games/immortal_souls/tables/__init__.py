"""The tables of Immortal Souls: heroes, enemies, their gear, the ground, and what must hold between them."""
