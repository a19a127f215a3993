"""A player's code stands in the address that answers go to and in the subject, and in no text: looked for in every letter."""

from __future__ import annotations

import email
import email.policy
import re

_CODE = r"[A-HJ-NP-Z2-9]{8}"
_CODED = re.compile(rf"[A-Z]{{1,6}}[0-9]{{1,6}}-[A-Z][A-Z0-9]{{0,7}}-({_CODE})(?![A-Z0-9])")


def codes_in_text(raw: bytes) -> list[str]:
    """Return the codes that stand in the body of a letter of ours: those of its own header, and whatever looks like one of its
    game; however a line was broken.
    """
    letter = email.message_from_bytes(raw, policy=email.policy.default)
    given = {
        code
        for name in ("Reply-To", "Subject", "List-Unsubscribe")
        for code in _CODED.findall(str(letter[name] or "").upper())
    }
    game = str(letter["X-Referee-Game"] or "").upper()
    alike = re.compile(rf"(?<![A-Z0-9]){re.escape(game)}-[A-Z][A-Z0-9]{{0,7}}-{_CODE}(?![A-Z0-9])")
    found: list[str] = []
    for part in letter.walk():
        if part.get_content_maintype() in ("text", "application"):
            content = part.get_payload(decode=True)
            text = content.decode("utf-8", "replace").upper() if isinstance(content, bytes) else ""
            whole = re.sub(r"[\s>|]+", "", text)
            found += [code for code in given if code in whole] + (alike.findall(text) if game else [])
            found += [code for code in given if code in str(part.get_filename() or "").upper()]
    return found
