"""What a letter that was read must be, whatever its bytes were."""

from __future__ import annotations

from referee.mail.letter.message import Letter


def assert_storable(letter: Letter) -> None:
    """No text holds what a database, a header or a line count could stumble over."""
    for line in (
        letter.sender,
        letter.sender_name,
        letter.subject,
        letter.message_id,
        *letter.attachments,
        *letter.references,
        *letter.recipients,
    ):
        assert line.isprintable()
        line.encode()
    for text in (letter.text, *letter.alternatives, *letter.pieces, *letter.enclosed):
        text.encode()
        assert "\0" not in text
        assert "\r" not in text
        assert text.splitlines() == text.removesuffix("\n").split("\n") or not text
