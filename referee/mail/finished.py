"""A finished letter of ours, read once more before it leaves: an error in making letters must not reach a mail server."""

from __future__ import annotations

from collections import Counter
from email.parser import BytesHeaderParser
from email.policy import compat32

from referee.core.regex import regex
from referee.mail.letter.identity import addresses

_ONCE = ("from", "to", "date", "message-id", "subject", "mime-version")
_NEVER = regex(r"cc|bcc|return-path|received|delivered-to|return-receipt-to|disposition-notification-to|resent-.*")
_LONGEST_LINE = 998  # bytes without its end (RFC 5322)


def fault_of(raw: bytes, message_id: str, recipient: str) -> str:
    """Return why these bytes must not be sent to *recipient*, "" if nothing speaks against it."""
    if b"\0" in raw or not raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n"):
        return "a line does not end with CR LF"
    if max(map(len, raw.split(b"\r\n"))) > _LONGEST_LINE:
        return "a line is too long"
    head = raw.partition(b"\r\n\r\n")[0]
    message = BytesHeaderParser(policy=compat32).parsebytes(head + b"\r\n\r\n")
    found = Counter(name.lower() for name in message)
    wrong = [name for name in _ONCE if found[name] != 1] + [name for name in found if _NEVER.fullmatch(name)]
    if wrong:
        return f"it has too many or too few lines {', '.join(wrong)}"
    if message["Message-ID"] != message_id:
        return "its Message-ID is another letter's"
    return "" if addresses((str(message["To"]),)) == addresses((recipient,)) else "it is written to somebody else"
