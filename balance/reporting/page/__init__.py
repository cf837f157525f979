"""A document as one HTML file and as a PDF."""
