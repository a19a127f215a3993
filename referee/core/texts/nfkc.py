"""Strangers' characters in one spelling, in time in proportion to their number."""

from __future__ import annotations

import unicodedata

_CHUNK = 1000  # characters; ordering a long run of combining marks takes quadratic time


def nfkc(text: str) -> str:
    """Return *text* under NFKC, line by line; of a line longer than anybody's, piece by piece."""
    if text.isascii():
        return text
    return "\n".join(line if line.isascii() else _nfkc(line) for line in text.split("\n"))


def _nfkc(line: str) -> str:
    chunks = (line[start : start + _CHUNK] for start in range(0, len(line), _CHUNK))
    return "".join(unicodedata.normalize("NFKC", chunk) for chunk in chunks)
