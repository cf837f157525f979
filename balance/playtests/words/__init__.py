"""How people write down games: headers, names, results and dates, in English or Italian."""
