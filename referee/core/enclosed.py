"""Files in letters of ours, apart from their words: the same board is in many letters."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from referee.core.values import Value


class Enclosed(Value):
    """A file whose lines of base64 stand in a letter behind the first *at* bytes of its words."""

    at: int
    content: bytes


def whole_letter(words: bytes, files: Iterable[Enclosed]) -> bytes:
    """Return a letter as it leaves; *files* in the order in which they stand in it."""
    parts, begin = [], 0
    for file in files:
        parts += [words[begin : file.at], _lines(file.content)]
        begin = file.at
    return b"".join([*parts, words[begin:]])


def size_of_letter(words: bytes, files: Iterable[Enclosed]) -> int:
    """Return how many bytes such a letter has."""
    return len(words) + sum(_encoded_size(len(file.content)) for file in files)


def _lines(content: bytes) -> bytes:
    """Return base64 in lines of 76 characters."""
    return base64.encodebytes(content).replace(b"\n", b"\r\n")


def _encoded_size(size: int) -> int:
    letters = -(-size // 3) * 4
    return letters + 2 * -(-letters // 76)
