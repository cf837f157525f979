"""What the documentation is made of beside its pages; `python -m tests.docs` writes what is kept of it."""
