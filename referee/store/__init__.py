"""The club's SQLite store: games, turns, letters, order sets and the outbox; written in one way only (``transaction``)."""
