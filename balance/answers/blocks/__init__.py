"""What is said, as blocks: sentences, notes, tables, figures, lists; free of any notion of paper or screen."""
