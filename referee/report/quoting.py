"""What players wrote, on its way into a letter: always text, never a mark that a mail program or the order book reads."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")

# A reply quotes our letters, and some programs quote without marks. What a player wrote must not look like the border
# of a signature, like a quotation, like the envelope line of a mailbox file or like the frame of an order form.
_MISREAD = re.compile(r"\s*(?:--|>|\||From\b|(?:ORDERS|END|PRESS|NOTE)\b)", re.IGNORECASE)


def quoted_text(text: str) -> str:
    """Return *text* line by line as it may stand in a letter: no controls, no marks of direction or of borders."""
    lines = _LINE_ENDS.sub("\n", text).split("\n")
    return "\n".join(_harmless(_printable(line).rstrip()) for line in lines).strip("\n")


def barred(text: str) -> str:
    """Return *text* with a bar before each line: nothing below it can be taken for ours, or for orders in a reply."""
    return "\n".join(f"| {line}".rstrip() for line in text.split("\n"))


def one_line(text: str) -> str:
    """Return *text* as one line without controls: for subjects, names and words within a sentence."""
    return " ".join(_printable(_LINE_ENDS.sub(" ", text).replace("\n", " ")).split())


def _printable(line: str) -> str:
    """Return a line without control characters and without those that hide or turn the text around them."""
    return "".join(
        char for char in line.replace("\t", " ") if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co")
    )


def _harmless(line: str) -> str:
    return f" {line}" if _MISREAD.match(line) else line
