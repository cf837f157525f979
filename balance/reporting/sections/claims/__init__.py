"""The sections of a report about what its conclusions rest on, and about solved games."""
