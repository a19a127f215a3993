"""Built-in players, a folder for each game: what is mailed to a player comes in, orders as he would write them go out."""

FIRST, SECOND, THIRD = STRENGTHS = ("first", "second", "third")
