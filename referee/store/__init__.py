"""The club's SQLite store, a file for each table: rows come in and go out, written in one way only (``transaction``)."""
