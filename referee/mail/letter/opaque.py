"""What a signature after S/MIME encloses (RFC 8551, 3.5.2), out of its DER or BER; the signature itself is not checked."""

from __future__ import annotations

_SIGNED = bytes.fromhex("2a864886f70d010702")
_SEQUENCE, _OCTETS, _NAME, _TAGGED = 0x30, 0x04, 0x06, 0xA0
_CONSTRUCTED = 0x20
_DEEPEST = 10


def signed_content(raw: bytes) -> bytes | None:
    """Return the content that *raw* signs and encloses, None where it is sealed, or no such thing."""
    try:
        kind, body = _inside(_first(raw, _SEQUENCE))[:2]
        if kind != (_NAME, _SIGNED):
            return None
        content = next(value for tag, value in _inside(_first(body[1], _SEQUENCE)) if tag == _SEQUENCE)
        return _join(*_inside(next(value for tag, value in _inside(content) if tag == _TAGGED))[0], 0)
    except (IndexError, ValueError, StopIteration):
        return None


def _first(raw: bytes, tag: int) -> bytes:
    found, value, _ = _element(raw, 0, 0)
    if found != tag:
        raise ValueError
    return value


def _inside(raw: bytes) -> list[tuple[int, bytes]]:
    """Return the elements that stand one after the other: (tag, value)."""
    found, at = [], 0
    while at < len(raw) and raw[at : at + 2] != b"\0\0":
        tag, value, at = _element(raw, at, 0)
        found.append((tag, value))
    return found


def _element(raw: bytes, at: int, depth: int) -> tuple[int, bytes, int]:
    """Return the tag and the value of the element that begins at *at*, and where it ends.

    Raises:
        IndexError: it is cut off.
        ValueError: it is none, or too deep.
    """
    tag, length, start = raw[at], raw[at + 1], at + 2
    if length == 0x80:  # of no length that is said: two zeros end it
        if depth == _DEEPEST:
            raise ValueError
        at = start
        while raw[at] or raw[at + 1]:
            at = _element(raw, at, depth + 1)[2]
        return tag, raw[start:at], at + 2
    if length > 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(raw[start : start + size], "big"), start + size
    if start + length > len(raw):
        raise IndexError
    return tag, raw[start : start + length], start + length


def _join(tag: int, value: bytes, depth: int) -> bytes:
    """Return an octet string, which may be joined from pieces."""
    if tag == _OCTETS:
        return value
    if tag != _OCTETS | _CONSTRUCTED or depth == _DEEPEST:
        raise ValueError
    return b"".join(_join(*piece, depth + 1) for piece in _inside(value))
