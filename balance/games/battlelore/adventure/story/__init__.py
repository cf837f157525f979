"""An adventure told step by step."""
