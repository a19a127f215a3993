"""A whole game by mail on one machine: built-in players read what is mailed to them and answer as mail programs would."""
