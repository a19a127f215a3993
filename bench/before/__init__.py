"""Built-in players, a folder for each game: what is mailed to a player comes in, orders as players would write them go out."""
