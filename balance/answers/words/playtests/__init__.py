"""What `rate` and `need` say of games that people play."""
