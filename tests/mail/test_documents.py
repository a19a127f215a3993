"""Attached documents: what is read of them, and what is not opened."""

from __future__ import annotations

import zipfile

import pytest

from referee.mail.letter.documents import MOST_BYTES, MOST_CHARACTERS, MOST_ELEMENTS, BadDocument, document_text
from referee.mail.letter.message import Letter, read_letter
from tests.mail.documents import MEDIA, docx, letter_with, odt, paragraphs

ORDERS = "1a) (Dublin) - Y17"
ENTITIES = '<!DOCTYPE x [<!ENTITY a "PASS"><!ENTITY b SYSTEM "file:///etc/passwd">]>'


def sent(content: bytes, name: str = "orders.docx", media: str = "", text: str = "") -> Letter:
    return read_letter(letter_with(content, name, media, text))


def test_the_text_of_a_document_is_the_letter_where_it_has_none() -> None:
    letter = sent(docx(paragraphs("ORDERS", ORDERS, "END")))
    assert letter.text.split() == f"ORDERS {ORDERS} END".split()
    assert "from-attachment" in letter.problems
    assert letter.unopened == ()


def test_beside_a_letters_own_text_it_is_kept_apart() -> None:
    letter = sent(odt(f"<text:p>{ORDERS}</text:p>"), "orders.odt", text="My orders are attached.")
    assert letter.text.strip() == "My orders are attached."
    assert [text.strip() for text in letter.enclosed] == [ORDERS]
    assert letter.attachments == ("orders.odt",)


def test_what_a_word_processor_marks_is_read_as_it_looks() -> None:
    body = (
        "<w:p><w:r><w:t>1a)</w:t><w:tab/><w:t>(Dublin) </w:t></w:r><w:r><w:noBreakHyphen/><w:t> Y17</w:t></w:r></w:p>"
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>PASS</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr>"
        "<w:t>1b) none</w:t></w:r><w:r><w:br/><w:t>1c) none</w:t></w:r><w:del><w:r><w:delText>CLEAR</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>CLEAR</w:t></w:r></w:moveFrom></w:p>"
    )
    assert document_text(docx(body), ".docx").split("\n") == [
        "1a) (Dublin) - Y17",
        "~~~PASS~~~1b) none",
        "1c) none",
        "",
    ]


def test_so_is_what_an_office_program_marks() -> None:
    body = (
        "<text:tracked-changes><text:p>CLEAR</text:p></text:tracked-changes><text:h>Orders</text:h>\n"
        "<text:p>1a)<text:tab/><text:span>(Dublin)</text:span><text:s/>- Y17<text:line-break/>1b) none"
        "<office:annotation><text:p>PASS</text:p></office:annotation></text:p>"
    )
    assert document_text(odt(body), ".odt").split("\n") == ["Orders", "1a) (Dublin) - Y17", "1b) none", ""]


def test_what_an_office_program_strikes_out_or_hides_by_a_style_is_marked() -> None:
    def style(name: str, said: str) -> str:
        return f'<style:style style:name="{name}"><style:text-properties {said}/></style:style>'

    struck = style("T1", 'style:text-line-through-style="solid"') + style("T2", 'fo:color="#ffffff"')
    plain = style("T3", 'style:text-line-through-style="none" fo:color="#000000"')
    spans = "".join(f'<text:span text:style-name="T{at}">{at}b) none</text:span><text:s/>' for at in (1, 2, 3))
    declared = f'<office:styles xmlns:style="style" xmlns:fo="fo">{struck}{plain}</office:styles>'
    told = document_text(
        odt(f'{declared}<text:p>1a) none</text:p><text:p text:style-name="T1">{spans}</text:p>'), ".odt"
    )
    assert told.split() == ["1a)", "none", "~~1b)", "none~~", "~~~2b)", "none~~~", "~~3b)", "none~~"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(b"%PDF-1.7", "no-document", id="something else under this name"),
        pytest.param(b"", "no-document", id="nothing"),
        pytest.param(odt("<text:p>PASS</text:p>"), "no-document", id="a document of another program"),
        pytest.param(docx(paragraphs(ORDERS))[:-40], "no-document", id="cut off"),
        pytest.param(docx("<w:p>"), "no-document", id="marks that do not match"),
        pytest.param(docx(paragraphs("&a;"), ENTITIES), "no-document", id="words of its own"),
        pytest.param(docx(paragraphs("&b;"), ENTITIES), "no-document", id="words that lie elsewhere"),
        pytest.param(docx(paragraphs(ORDERS), packed=zipfile.ZIP_LZMA), "no-document", id="packed otherwise"),
        pytest.param(docx(" " * MOST_BYTES), "large-document", id="a bomb"),
        pytest.param(docx("<w:p/>" * MOST_ELEMENTS), "large-document", id="countless marks"),
        pytest.param(docx(paragraphs("x" * MOST_CHARACTERS)), "large-document", id="an endless text"),
    ],
)
def test_what_is_no_document_or_a_bomb_is_not_opened(content: bytes, why: str) -> None:
    letter = sent(content)
    assert (letter.text.strip(), letter.enclosed, letter.attachments) == ("", (), ("orders.docx",))
    assert letter.unopened == (("orders.docx", why),)


def test_a_document_is_known_by_its_name_too() -> None:
    letter = sent(docx(paragraphs(ORDERS)), media="application/octet-stream")
    assert letter.text.strip() == ORDERS


def test_a_document_under_a_password_is_not_opened() -> None:
    raw = bytearray(docx(paragraphs(ORDERS)))
    at = raw.index(b"PK\x01\x02")
    raw[at + 8] |= 1
    with pytest.raises(BadDocument, match="no-document"):
        document_text(bytes(raw), ".docx")


def test_an_unnamed_document_is_known_by_its_type() -> None:
    letter = sent(docx(paragraphs(ORDERS)), "a", MEDIA["docx"])
    assert letter.text.strip() == ORDERS
