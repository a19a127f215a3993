"""A whole game by mail on one machine: what built-in players are mailed comes in, letters as mail programs write them go out."""
