"""Ways of playing an adventure."""
