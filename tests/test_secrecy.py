"""The look at all our letters for codes finds them, wherever they stand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from referee.mail.compose import Attachment, Outgoing, letter_bytes
from tests.secrecy import codes_in_text

CODE = "K7PM2QWX"
LETTER = Outgoing(
    sender="referee@club.example",
    sender_name="The Club",
    recipient="ann@example.org",
    recipient_name="Ann",
    subject=f"[RR1-ANN-{CODE}] Übersicht: turn 3 of a game whose name is so long that the line of the header is folded",
    text="Nothing is said here.\n",
    date=datetime(2026, 12, 7, 12, 0, tzinfo=UTC),
    message_id="<1@club.example>",
    auto="auto-generated",
    game_id="RR1",
)
LONG = "x" * 70  # so that quoted-printable breaks the line behind it


def enclosed(name: str, content: str) -> tuple[Attachment, ...]:
    board = Attachment(name="board.svg", media_type="image/svg+xml", content=b"<svg/>")
    return board, Attachment(name=name, media_type="application/json", content=content.encode())


@pytest.mark.parametrize(
    "letter",
    [
        replace(LETTER, text=f"Your code is {CODE}.\n"),
        replace(LETTER, text=f"{LONG} é {CODE}\n"),
        replace(LETTER, text=f"> {CODE[:4]}\n> {CODE[4:]}\n"),
        replace(LETTER, text="Bob answers to referee+RR1-BOB-ABCDEFGH@club.example.\n"),
        replace(LETTER, text="An umpire's: [RR9-UMPIRE-ABCDEFGH]\n"),
        replace(LETTER, text="mailto:post%2Brr9-bob-abcdefgh%40club.example\n"),
        replace(LETTER, recipient_name="RR9-UMPIRE-ABCDEFGH"),
        replace(LETTER, subject="[RR1-BOB-ABCDEFGH]", reply_to=f"referee+rr1-ann-{CODE.lower()}@club.example"),
        replace(LETTER, attachments=enclosed("view.json", f'{{"code": "{CODE}"}}')),
        replace(LETTER, attachments=enclosed(f"{CODE}.json", "{}")),
    ],
    ids=["text", "encoded", "broken", "anothers", "umpires", "link", "name", "subject", "file", "file's name"],
)
def test_a_code_is_found_in_a_whole_letter_and_in_one_whose_files_lie_apart(letter: Outgoing) -> None:
    made = letter_bytes(letter)
    assert codes_in_text(made.raw)
    assert codes_in_text(made.words, made.files)


def test_a_letter_without_codes_in_its_text_has_none() -> None:
    made = letter_bytes(replace(LETTER, attachments=enclosed("view.json", "{}")))
    assert codes_in_text(made.raw) == codes_in_text(made.words, made.files) == []
