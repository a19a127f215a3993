"""A signature after S/MIME that encloses what it signs is opened; what is sealed is not."""

from __future__ import annotations

import datetime
from base64 import encodebytes

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from referee.mail.letter.message import read_letter

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
