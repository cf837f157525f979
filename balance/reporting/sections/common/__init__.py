"""What several sections share: columns, cells, words and verdicts."""
