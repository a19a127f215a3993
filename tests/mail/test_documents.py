"""Documents, opaque parts, addresses and codes in letters."""

import datetime
import re
import zipfile
from base64 import encodebytes

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.letter.documents import MOST_BYTES, MOST_CHARACTERS, MOST_ELEMENTS, BadDocument, document_text
from referee.mail.letter.message import Letter, read_letter
from referee.mail.letter.tokens import Tag, add_code, is_token, reply_address, tags_in, token_of, without_tokens
from tests.mail.documents import MEDIA, docx, letter_with, odt, paragraphs
from tests.tables import Tables

CASES = Tables(__file__)

# Attached documents: what is read of them, and what is not opened.


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


# A signature after S/MIME that encloses what it signs is opened; what is sealed is not.


INNER = b"Content-Type: text/plain; charset=utf-8\r\n\r\n1a) (Dublin) - AB17\r\n"
HEAD = b"From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\nContent-Type: "


def signed(content: bytes) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Ann")])
    day = datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=9))
    builder = pkcs7.PKCS7SignatureBuilder().set_data(content)
    return builder.add_signer(made.sign(key, hashes.SHA256()), key, hashes.SHA256()).sign(Encoding.DER, [])


def element(tag: int, *values: bytes) -> bytes:
    """Return an element of no length that is said, as OpenSSL streams it."""
    return bytes([tag, 0x80]) + b"".join(values) + b"\0\0"


def piece(tag: int, value: bytes) -> bytes:
    return bytes([tag, len(value)]) + value


def streamed(content: bytes) -> bytes:
    pieces = [piece(0x04, content[at : at + 20]) for at in range(0, len(content), 20)]
    inner = element(0x30, piece(0x06, b"*\x86H\x86\xf7\r\x01\x07\x01"), element(0xA0, element(0x24, *pieces)))
    body = element(0x30, b"\x02\x01\x01", b"\x31\x00", inner, b"\x31\x00")
    return element(0x30, piece(0x06, b"*\x86H\x86\xf7\r\x01\x07\x02"), element(0xA0, body))


@pytest.mark.parametrize(
    "kind", ["application/pkcs7-mime; smime-type=signed-data", "application/x-pkcs7-mime; name=smime.p7m"]
)
@pytest.mark.parametrize("make", [signed, streamed])
def test_what_is_signed_is_read(kind: str, make: type) -> None:
    letter = read_letter(HEAD + kind.encode() + b"\r\n\r\n" + encodebytes(make(INNER)))
    assert letter.text.strip() == "1a) (Dublin) - AB17"
    assert letter.problems == ()


@pytest.mark.parametrize(
    "raw",
    [b"MIIB", b"", b"\x30\x80" * 5000, signed(INNER)[:60], piece(0x30, piece(0x06, b"*\x86H\x86\xf7\r\x01\x07\x03"))],
    ids=["text", "nothing", "deep", "cut-off", "sealed"],  # each worker signs for itself, with other bytes
)
def test_what_is_sealed_damaged_or_too_deep_stays_closed(raw: bytes) -> None:
    letter = read_letter(HEAD + b"application/pkcs7-mime\r\n\r\n" + encodebytes(raw))
    assert (letter.text, letter.problems) == ("", ("encrypted",))


def test_a_signature_within_a_signature_is_opened_once() -> None:
    again = HEAD.partition(b"\r\n")[2] + b"application/pkcs7-mime\r\n\r\n" + encodebytes(signed(INNER))
    letter = read_letter(HEAD + b"application/pkcs7-mime\r\n\r\n" + encodebytes(signed(again)))
    assert letter.problems == ("encrypted",)


# Addresses beyond ASCII (RFC 6531): one spelling, and never another man's.


@CASES.rows
def test_a_domain_of_any_script_is_known_by_its_ascii_name(written: str, sender: str) -> None:
    letter = read_letter(f"From: {written}\nTo: {written}\n\nPASS\n".encode())
    assert (letter.sender, letter.recipients) == (sender, (sender,))
    assert letter.answerable
    assert letter.problems == ()


@CASES.rows
def test_a_sender_of_another_script_is_somebody_but_nobody_we_can_write_to(written: str) -> None:
    letter = read_letter(f"From: {written}\n\nPASS\n".encode())
    assert letter.sender
    assert not letter.sender.isascii()
    assert not letter.answerable


@CASES.rows
def test_an_address_with_two_spellings_is_nobodys(written: str) -> None:
    letter = read_letter(f"From: {written}\n\nPASS\n".encode())
    assert letter.sender == ""
    assert "bad-from" in letter.problems


# The code in reply addresses and subjects.


KEY = bytes(range(32))
OWN = "referee@club.example"
TAG = Tag(game="RR7", player="GSW", token="K7Q2M9XV")  # noqa: S106


@given(st.text(), st.integers(min_value=0))
def test_a_token_has_eight_letters_that_nobody_confuses(word: str, turn: int) -> None:
    assert re.fullmatch(r"[A-HJ-NP-Z2-9]{8}", token_of(KEY, word, turn))


def test_a_token_is_made_of_all_its_words_and_the_key() -> None:
    tokens = [token_of(KEY, "RR7", "GSW", 1), token_of(KEY, "RR7", "GSW", 2), token_of(KEY, "RR7", "GS", "W1")]
    tokens += [token_of(KEY, "RR7", "GSW", 11), token_of(KEY, "RR7", "GSW1", 1), token_of(KEY[1:], "RR7", "GSW", 1)]
    assert len(set(tokens)) == 6


def test_a_token_stays_the_same_from_release_to_release() -> None:
    """Letters are on their way when the program is brought up to date."""
    assert token_of(KEY, "RR7", "GSW", "turn", 3, 0) == "DVX3YDHQ"


def test_capitals_do_not_matter() -> None:
    assert is_token("k7q2m9xv", "K7Q2M9XV")
    assert not is_token("K7Q2M9XW", "K7Q2M9XV")


@CASES.rows
def test_a_tag_is_found_in_address_and_subject(recipients: list[str], subject: str) -> None:
    assert tags_in(recipients, subject, OWN) == (TAG,)


@CASES.rows
def test_nothing_else_is_a_tag(recipients: list[str], subject: str) -> None:
    assert tags_in(recipients, subject, OWN) == ()


def test_the_address_goes_before_the_subject_and_the_last_of_a_subject_before_the_first() -> None:
    found = tags_in(["referee+rr7-gsw-k7q2m9xv@club.example"], "[RR1-A-AAAAAAAA] [RR1-B-BBBBBBBB]", OWN)
    assert [tag.player for tag in found] == ["GSW", "B", "A"]


def test_a_letter_full_of_tags_costs_no_more_than_twenty() -> None:
    subject = "".join(f"[RR{number}-GSW-K7Q2M9XV]" for number in range(1, 100))
    assert len(tags_in([], subject, OWN)) == 20


def test_an_address_that_would_be_too_long_is_none() -> None:
    assert reply_address(OWN, TAG) == "referee+rr7-gsw-k7q2m9xv@club.example"
    assert reply_address(f"{'r' * 50}@club.example", TAG) == ""


def test_the_code_takes_the_place_of_the_games_name_once() -> None:
    assert add_code("[RR7] Turn 3 of [RR7]", TAG) == "[RR7-GSW-K7Q2M9XV] Turn 3 of [RR7]"
    assert add_code("Turn 3", TAG) == "[RR7-GSW-K7Q2M9XV] Turn 3"


@pytest.mark.parametrize("text", ["[RR7-GSW-K7Q2M9XV]", "referee+rr7-gsw-k7q2m9xv@club.example", "(RR7-GSW-K7q2m9xv)"])
def test_what_others_may_read_has_no_code(text: str) -> None:
    assert "q2m9" not in without_tokens(f"x {text} y").lower()
    assert "rr7" in without_tokens(text).lower()
