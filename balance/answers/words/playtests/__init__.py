"""What `rate`, `need` and `fit` say of games that people play."""
