"""Fair costs of loadouts by battles: at equal points, or of legal armies on a board."""
