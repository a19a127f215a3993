"""Orders in an attached document, and letters that bring nothing but a file."""

from __future__ import annotations

import pytest

from tests.mail.documents import docx, letter_with, odt, paragraphs
from tests.posthouse import ANN, PostHouse

FILE = b"%PDF-1.7 \x89PNG"


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.game()


def answer_to(house: PostHouse, raw: bytes) -> str:
    house.drop(raw)
    house.tick()
    return house.told(ANN)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (docx(paragraphs("ORDERS RR1 1", "STEP 2", "END")), "orders.docx"),
        (odt("<text:p>ORDERS RR1 1</text:p><text:p>STEP 2</text:p><text:p>END</text:p>"), "orders.odt"),
    ],
)
@pytest.mark.parametrize("text", ["", "Hi, the orders are attached.\r\n\r\nAnn"])
def test_orders_in_a_document_count(house: PostHouse, content: bytes, name: str, text: str) -> None:
    told = answer_to(house, letter_with(content, name, text=text))
    assert "STEP 2" in told
    assert "The orders of this letter will run." in told
    assert "This was read from the attached file" in told


@pytest.mark.parametrize(
    ("content", "name", "media", "words"),
    [
        (FILE, "orders.pdf", "application/pdf", "Attachments are not read: orders.pdf."),
        (FILE, "IMG_1.png", "image/png", "Attachments are not read: IMG_1.png."),
        (FILE, "orders.docx", "", "orders.docx is no document that can be opened"),
        (docx(" " * 9_000_000), "orders.docx", "", "orders.docx is far larger than a document with orders"),
    ],
)
@pytest.mark.parametrize("text", ["", "Hi, the orders are attached.\r\n\r\nAnn"])
def test_of_a_file_that_is_not_read_its_name_is_told_and_what_to_do(
    house: PostHouse, content: bytes, name: str, media: str, words: str, text: str
) -> None:
    told = answer_to(house, letter_with(content, name, media, text=text))
    assert words in told
    assert "Please write your orders into the letter itself." in told
    assert told.count(f"{name}") <= 2
    assert house.rows("SELECT count(*) AS n FROM order_sets")[0]["n"] == 0


def test_a_letter_with_orders_is_not_asked_to_hold_them(house: PostHouse) -> None:
    told = answer_to(house, letter_with(FILE, "map.pdf", "application/pdf", text="STEP 2"))
    assert "Attachments are not read: map.pdf." in told
    assert "into the letter itself" not in told
