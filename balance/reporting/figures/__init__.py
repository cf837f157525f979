"""The pictures of a report, drawn as SVG that is the same on every machine."""
