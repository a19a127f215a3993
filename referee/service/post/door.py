"""The last door: no words of what leaves hold a code; a reader's own stands in his subject and the address that he answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.mail.letter.tokens import Tag, without_tokens
from referee.service.club.club import Club
from referee.service.post.codes import given_by

if TYPE_CHECKING:
    from referee.mail.compose import Outgoing

_PACKED = (b"\x89PNG", b"%PDF", b"GIF8")  # how files begin in which no word can be looked for


def letter_out(club: Club, letter: Outgoing, own: Tag | None) -> Outgoing:
    """Return a letter as it may leave; *own*: what its reader's answers carry."""
    is_given = given_by(club)
    return replace(
        letter,
        subject=without_tokens(letter.subject, lambda tag: tag != own and is_given(tag)),
        recipient_name=without_tokens(letter.recipient_name, is_given),
        text=without_tokens(letter.text, is_given),
        page=without_tokens(letter.page, is_given),
        attachments=tuple(replace(each, content=_file(each.content, is_given)) for each in letter.attachments),
    )


def files_out(club: Club, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files for everybody as they may leave."""
    return {place: _file(content, given_by(club)) for place, content in files.items()}


def _file(content: bytes, is_given: Callable[[Tag], bool]) -> bytes:
    return without_tokens(content.decode("latin-1"), is_given).encode("latin-1") if _may_hold(content) else content


@lru_cache(maxsize=64)  # the newsletters of a turn have their files in common
def _may_hold(content: bytes) -> bool:
    if content.startswith(_PACKED):
        return False
    text = content.decode("latin-1")
    return without_tokens(text) != text
