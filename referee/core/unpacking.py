"""What was packed, unpacked: a thousand bytes from outside may be a thousand million."""

from __future__ import annotations

import lzma
import zlib

IN_LZMA = b"\xfd7zXZ\0"  # how such a file begins; all others are in zlib
_MEMORY = 1 << 26  # bytes that LZMA may take: whoever packs says how many it needs


def unpacked(raw: bytes, most: int) -> bytes:
    """Return what is in a packed file.

    Raises:
        ValueError: it is damaged, or there are more than *most* bytes in it; no more than these are made.
    """
    made = lzma.LZMADecompressor(memlimit=_MEMORY) if raw.startswith(IN_LZMA) else zlib.decompressobj()
    try:
        plain = made.decompress(raw, most + 1)
    except (zlib.error, lzma.LZMAError) as error:
        raise ValueError(str(error)) from error
    if len(plain) > most:
        raise ValueError(f"more than {most:,} bytes are packed in it")
    if not made.eof:
        raise ValueError("it was cut off")
    return plain
