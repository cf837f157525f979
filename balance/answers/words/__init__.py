"""What each answer says: its sentence, its blocks, short and in full, and its tables."""
