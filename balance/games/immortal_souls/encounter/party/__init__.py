"""Who fights in an encounter, and what they carry."""
