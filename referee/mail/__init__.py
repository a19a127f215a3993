"""Bytes and ways for them: ``letter`` reads what comes, ``compose`` makes our letters, Maildirs and ``servers`` carry both."""
