"""Contents of known length on a pipe."""

from __future__ import annotations

import struct
from typing import IO

LETTER, QUERY = b"L", b"Q"  # what a request begins with: the bytes of a letter follow, or a query
THING, FORGET = b"T", b"F"  # the same of what is told before one: a thing, the key of one that is not spoken of again

LARGEST = 64 * 1024 * 1024  # bytes of what goes to and fro for one letter

COST = struct.Struct(">d")  # what an answer begins with: seconds of the processor that it took

_LENGTH = struct.Struct(">I")


def send(pipe: IO[bytes], content: bytes) -> None:
    """Write a content."""
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """Return the next content.

    Raises:
        EOFError: the pipe ended.
    """
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    length = int(_LENGTH.unpack(head)[0])
    if length > LARGEST:
        raise EOFError
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content
