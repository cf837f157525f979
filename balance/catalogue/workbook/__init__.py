"""A catalogue as one spreadsheet, written and read back."""
