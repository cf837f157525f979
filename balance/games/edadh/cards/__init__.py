"""What is printed on the cards: records, the catalogue they make, and Units put together from them."""
