"""Letters that were made to hurt a reader, one for each trap we know of, and what our referee makes of each.

``HOSTILE`` has them by name: the bytes, and the status and reason that the letter gets when it comes from a player.
"""

import base64
import zlib
from dataclasses import dataclass

from referee.mail.letter.message import Letter

ANN = "ann@example.org"
FROM = f"From: Ann <{ANN}>\r\n".encode()
HEAD = FROM + b"Subject: [RR1]\r\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"
STEP = b"STEP 3\r\n"
SIZE = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A letter, what becomes of it, and why; ``orders``: whether orders of it are on file afterwards."""

    raw: bytes
    status: str = "done"
    reason: str = ""
    orders: bool = False


def taken(raw: bytes) -> Hostile:
    return Hostile(raw=raw, orders=True)


def idle(raw: bytes) -> Hostile:
    """Read, answered, and without orders."""
    return Hostile(raw=raw)


def refused(reason: str, raw: bytes) -> Hostile:
    return Hostile(raw=raw, status="refused", reason=reason)


def ignored(reason: str, raw: bytes) -> Hostile:
    return Hostile(raw=raw, status="ignored", reason=reason)


def sent_by(value: str, raw: bytes = b"Subject: [RR1]\r\n\r\nSTEP 3\r\n") -> bytes:
    return f"From: {value}\r\n".encode() + raw


def multipart(kind: str, *parts: bytes, boundary: str = "b", end: bool = True) -> bytes:
    """A letter of several parts, each with its fields, an empty line and its content."""
    mark = f"--{boundary}".encode()
    body = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + (mark + b"--\r\n" if end else b"")
    return HEAD + f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode() + body


def text_part(text: bytes, kind: bytes = b"text/plain") -> bytes:
    return b"Content-Type: " + kind + b"; charset=utf-8\r\n\r\n" + text


def charset(label: str, text: bytes = STEP) -> bytes:
    return HEAD + f"Content-Type: text/plain; charset={label}\r\n\r\n".encode() + text


def nested(depth: int, inner: bytes = b"\r\n" + STEP) -> bytes:
    levels = (
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (level, level + 1) for level in range(depth)
    )
    return (
        HEAD + b"Content-Type: multipart/mixed; boundary=b0\r\n\r\n" + b"".join(levels) + b"--b%d\r\n" % depth + inner
    )


HEADERS = {
    "a subject that would add a Bcc": taken(
        FROM + b"Subject: =?utf-8?q?[RR1]=0D=0ABcc=3A_eve=40example=2Ecom?=\r\n\r\n" + STEP
    ),
    "a subject with bare CR and NUL": taken(FROM + b"Subject: [RR1]\rBcc: eve@example.com\0\r\n\r\n" + STEP),
    "a subject that ends the header": taken(FROM + b"Subject: =?utf-8?b?W1JSMV0NCg0KU1RFUCAx?=\r\n\r\n" + STEP),
    "a subject of 15 kB of encoded words": taken(
        FROM + b"Subject: " + b"=?utf-8?q?=41?= " * 900 + b"[RR1]\r\n\r\n" + STEP
    ),
    "a subject that is a template": taken(
        FROM + b"Subject: [RR1] {{ 7 * 7 }} {% include 'x' %} %s {text}\r\n\r\n" + STEP
    ),
    "a name that would add a header": taken(
        f"From: =?utf-8?q?Ann=0ABcc=3A_eve=40example.com?= <{ANN}>\r\n".encode() + b"Subject: [RR1]\r\n\r\n" + STEP
    ),
    "a name of 15 kB of quotes": ignored("no sender", sent_by('"' * 15_001)),
    "a name of 15 kB of brackets": ignored("no sender", sent_by("(" * 15_000 + f" <{ANN}>")),
    "a thousand closed brackets": taken(sent_by("(" * 1000 + ")" * 1000 + f" <{ANN}>")),
    "a sender of 15 kB of dots": ignored("no sender", sent_by("a." * 7500)),
    "two senders": ignored("no sender", FROM + sent_by("eve@example.com")),
    "a sender that parsers read in two ways": ignored("no sender", sent_by(f"{ANN})<eve@example.com")),
    "a sender behind a sender": ignored("no sender", sent_by(f"{ANN} <eve@example.com>")),
    "a sender in an encoded word": ignored("no sender", sent_by("=?utf-8?q?ann=40example.org?=")),
    "a sender in a group": ignored("no sender", sent_by(f"players: {ANN};")),
    "a sender by a route": ignored("no sender", sent_by(f"<@relay.example:{ANN}>")),
    "a sender with a wide at sign": ignored("no sender", sent_by("ann＠example.org")),
    "a sender in Cyrillic": ignored("stranger", sent_by("аnn@example.org")),
    "a sender with a domain in Cyrillic": ignored("stranger", sent_by("ann@ехample.org")),
    "no sender": ignored("no sender", b"Subject: [RR1]\r\n\r\n" + STEP),
    "a group in To": taken(HEAD + b"To: undisclosed-recipients:;, players: a@b.c, d@e.f;\r\n\r\n" + STEP),
    "three hundred headers": refused("unreadable", HEAD + b"Comments: b\r\n" * 300 + b"\r\n" + STEP),
    "a header of 100 kB": taken(HEAD + b"Comments: " + b"b" * 100_000 + b"\r\n\r\n" + STEP),
    "a header of 50,000 folds": refused("unreadable", HEAD + b"Comments: b\r\n" + b" c\r\n" * 50_000 + b"\r\n" + STEP),
    "a date that no clock has": taken(HEAD + b"Date: Fri, 99 Dec 99999999 25:61:61 +9999\r\n\r\n" + STEP),
    "an arrival that no clock has": taken(HEAD + b"Received: by x; 31 Dec 9999 23:59:59 -2359\r\n\r\n" + STEP),
    "an arrival of 15 kB": taken(HEAD + b"Comments: 15 kB\r\nReceived: ; " + b"1 (" * 5000 + b"\r\n\r\n" + STEP),
    "a message id that is none": taken(HEAD + b"Message-ID: <>\r\nReferences: <\r\n >\r\n\r\n" + STEP),
    "15 kB of references": taken(HEAD + b"References: " + b"<a@b.c> " * 1900 + b"\r\n\r\n" + STEP),
    "a message id with a header in it": taken(HEAD + b"Message-ID: <a@b.c\rBcc: eve@example.com>\r\n\r\n" + STEP),
    "a line without a colon": taken(HEAD + b"this is no header line\r\n\r\n" + STEP),
    "mbox's own first line": taken(b"From ann Thu Dec  3 19:42:10 2026\r\n" + HEAD + b"\r\n" + STEP),
    "a header and nothing else": refused("empty", HEAD),
    "nothing": ignored("no sender", b""),
    "an empty line first": taken(b"\r\n" + HEAD + b"\r\n" + STEP),
    "CR alone for every line end": taken((HEAD + b"\r\n" + STEP).replace(b"\r\n", b"\r")),
    "256 kB of CR": ignored("no sender", b"\r" * SIZE),
    "256 kB of a": ignored("no sender", b"a" * SIZE),
}

ENDLESS = b"Content-Type: text/plain; " + b';"' * 7000
MANY_NAMES = "; ".join(f"name*{number}=x" for number in range(600)).encode()

STRUCTURE = {
    "a Content-Type that takes seconds": taken(HEAD + ENDLESS + b"\r\n\r\n" + STEP),
    "a Content-Type that takes seconds, inside": taken(multipart("mixed", ENDLESS + b"\r\n\r\n" + STEP)),
    "a name in 600 pieces": idle(HEAD + b"Content-Type: application/zip; " + MANY_NAMES + b"\r\n\r\nx"),
    "2,000 levels": refused("unreadable", nested(2000)),
    "25 levels": refused("unreadable", nested(25)),
    "15 levels": taken(nested(15)),
    "40 letters in each other": refused("unreadable", HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 40 + STEP),
    "30,000 parts": refused("unreadable", multipart("mixed", *[b"\r\nx"] * 30_000)),
    "60 parts": refused("unreadable", multipart("mixed", *[text_part(b"x")] * 60)),
    "a boundary that is empty": idle(HEAD + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nSTEP\r\n'),
    "a boundary that is missing": taken(HEAD + b"Content-Type: multipart/mixed\r\n\r\n" + STEP),
    "a boundary that is a pattern": taken(multipart("mixed", text_part(STEP), boundary="(a+)+$*[")),
    "a boundary of 1,500 letters": taken(multipart("mixed", text_part(STEP), boundary="b" * 1500)),
    "a boundary that begins another": taken(
        multipart("mixed", b"Content-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\n" + STEP + b"--bb--\r\n")
    ),
    "no end": taken(multipart("mixed", text_part(STEP), end=False)),
    "an end before the beginning": refused(
        "empty", HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b--\r\nSTEP\r\n"
    ),
    "two Content-Types": taken(
        HEAD + b"Content-Type: text/plain\r\nContent-Type: text/html\r\n\r\nSTEP 3\r\n<!-- STEP 1 -->\r\n"
    ),
    "a multipart in base64": taken(
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(b"--b\r\n\r\n" + STEP + b"--b--\r\n"),
    ),
    "base64 of nothing but padding": refused(
        "empty", HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * SIZE
    ),
    "base64 with rubbish in it": taken(HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nU1R*FUCAz!!\r\n"),
    "broken quoted-printable": taken(
        HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\nSTEP=203\r\n=ZZ=\r\n=" + b"=" * 50_000
    ),
    "an encoding that nobody knows": taken(HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\n" + STEP),
    "uuencoded text as a codec": taken(
        HEAD
        + b"Content-Transfer-Encoding: uuencode\r\n\r\nSTEP 3\r\nbegin 666 ../x\r\n"
        + b"M" * 60_000
        + b"\r\nend\r\n"
    ),
    "a letter of exactly 2 MB": taken((HEAD + b"\r\n" + STEP).ljust(2_000_000, b" ")),
    "a letter above 2 MB": Hostile(raw=HEAD + b"\r\n" + STEP + b"x" * 2_000_000, status="parked", reason="too-large"),
    "a zip bomb": taken(
        multipart(
            "mixed",
            text_part(STEP),
            b"Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + base64.encodebytes(zlib.compress(b"\0" * 10_000_000)),
        )
    ),
    "an attachment with a path for a name": taken(
        multipart(
            "mixed",
            text_part(STEP),
            b'Content-Type: image/png\r\nContent-Disposition: attachment; filename="../../../etc/passwd"\r\n\r\nx',
        )
    ),
    "an attachment with a header for a name": taken(
        multipart(
            "mixed",
            text_part(STEP),
            b"Content-Type: image/png\r\nContent-Disposition: attachment;\r\n"
            b" filename*=utf-8''a%0D%0ABcc:%20eve@example.com\r\n\r\nx",
        )
    ),
}

CHARSETS = {
    **{
        f"the character set {label}": taken(charset(label))
        for label in ("utf-7", "idna", "punycode", "rot13", "zlib", "unicode_escape", "undefined", "DEFAULT", '"')
    },
    "a character set of 1,000 letters": taken(charset("x" * 1000, STEP + b"\xff")),
    "broken ISO-2022-JP": taken(charset("iso-2022-jp", STEP + b"\x1b$B\xff\xff\x1b(")),
    "UTF-16 with a mark": taken(charset("utf-16", "STEP 3\r\n".encode("utf-16"))),
    "UTF-8 that is none": taken(charset("utf-8", STEP + b"\xc0\xaf\xed\xa0\x80\xf8")),
    "NUL between the letters": taken(HEAD + b"\r\nS\0TEP\0 3\0\r\n"),
    "50,000 accents on one letter": idle(HEAD + b"\r\n" + "a\u0315\u0300".encode() * 50_000),
    "letters that become eighteen": idle(HEAD + b"\r\n" + "\ufdfa".encode() * 80_000),
    "words from right to left": taken(HEAD + b"\r\n" + "\u202eSTEP 3\u202c\u2066\u200b\r\n".encode()),
    "wide digits": taken(HEAD + b"\r\n" + "ＳＴＥＰ ３\r\n".encode()),
    "Cyrillic letters in an order": idle(HEAD + b"\r\n" + "SТЕР 3\r\n".encode()),
}

PIECES = {
    "tags that never end": b'<a b="',
    "20,000 open divs": b"<div>",
    "open comments": b"<!--",
    "open ends": b"</",
    "frames of quotations": b"<div class=gmail_quote>x",
    "20,000 blockquotes": b"<blockquote>x<br>",
    "endless numbers": b"&#1",
    "lists in lists": b"<ol><li>",
    "tables in tables": b"<table><tr><td>x",
    "attributes": b"<p a=b c='d' e=\"f\" style='x:y;display:nonee'>",
    "declarations": b"<!DOCTYPE [<!ENTITY a '&a;&a;'>",
    "entities": b"&amp&lt;&nosuch;",
}

SILENT = (
    *("20,000 open divs", "open comments", "lists in lists"),
    *("frames of quotations", "endless numbers", "attributes", "declarations"),
)

MARKUP = {
    **{name: idle(HTML + piece * (SIZE // len(piece))) for name, piece in PIECES.items() if name not in SILENT},
    **{name: refused("empty", HTML + PIECES[name] * (SIZE // len(PIECES[name]))) for name in SILENT},
    "a table of 20,000 rows": idle(HTML + b"<table>" + b"<tr><td>a<td>b" * 20_000 + b"</table>"),
    "orders that nobody sees": taken(
        HTML
        + b"<title>STEP 1</title><p>STEP 3</p><p style='display:none'>STEP 1<p hidden>STEP 1</p>"
        + b"<div style='max-height:0px;overflow:hidden'>STEP 1</div><p style='text-indent: -9999px'>STEP 1</p>"
        + b"<p style='position:absolute;left:-5000px'>STEP 1</p><p style='margin-left:-100px'></p>"
        + b"<span style='font-size:0'>STEP 1</span><script>STEP 1</script><!-- STEP 1 -->"
    ),
    "a script": idle(HTML + b"<script>alert(1)</script><img src=x onerror=alert(1)><p>hello"),
}

WORDS = {
    "30,000 orders": taken(HEAD + b"\r\n" + b"STEP 1\r\n" * 30_000),
    "an order of 250 kB": idle(HEAD + b"\r\nSTEP " + b"1" * SIZE + b"\r\n"),
    "an order of 250 kB of brackets": idle(HEAD + b"\r\nSTEP " + b"(" * SIZE + b"\r\n"),
    "an order of 250 kB of dashes": idle(HEAD + b"\r\nSTEP 1" + b" -" * (SIZE // 2) + b"\r\n"),
    "10,000 blocks": taken(HEAD + b"\r\n" + b"ORDERS RR1 1\r\nSTEP 1\r\nEND\r\nORDERS RR1 2\r\n" * 8000),
    "30,000 words that are nearly verbs": idle(HEAD + b"\r\n" + b"STEPP 1\r\nPASSS\r\nCONFRIM\r\n" * 10_000),
    "30,000 announcements": idle(HEAD + b"\r\n" + b"On 3 Dec 2026 at 20:00, a@b.c\r\n" * 8000),
    "a line of 250 kB that announces": idle(HEAD + b"\r\n" + b"On 3 Dec 2026 20:00 <a@b.c> wrote " * 7500 + b":\r\n"),
    "200 kB of press": idle(HEAD + b"\r\nPRESS: " + b"x " * 100_000 + b"\r\n"),
    "press that is a template": taken(
        HEAD + b"\r\nSTEP 3\r\nPRESS: {{ 7 * 7 }} {% raw %} <b>bold</b> ${x} %(a)s {0.__class__}\r\nEND PRESS\r\n"
    ),
    "press that speaks as the referee": taken(
        HEAD + b"\r\nSTEP 3\r\nPRESS:\r\n-- \r\n> x\r\nFrom me\r\n.\r\nEND PRESS\r\n"
    ),
    "a quotation mark for the database": taken(HEAD + b"\r\nSTEP 3\r\nNOTE: '; DROP TABLE letters; --\r\n"),
    "100 kB of quotation marks": refused(
        "empty", HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"> " * SIZE
    ),
    "format=flowed that never ends": idle(
        HEAD + b"Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n" + b"a \r\n" * 39_000
    ),
}

KINDS = {
    "two versions": refused(
        "two-versions", multipart("alternative", text_part(b"STEP 1"), text_part(b"STEP 3", b"text/html"))
    ),
    "two texts": refused("two-versions", multipart("mixed", text_part(b"STEP 1"), text_part(b"STEP 3"))),
    "twenty versions": refused(
        "two-versions", multipart("alternative", *[text_part(b"STEP %d" % (1 + n % 3)) for n in range(20)])
    ),
    "a forwarded letter": refused(
        "empty", multipart("mixed", b"Content-Type: message/rfc822\r\n\r\n" + HEAD + b"\r\n" + STEP)
    ),
    "winmail.dat": refused("winmail", multipart("mixed", b'Content-Type: application/ms-tnef\r\n\r\nx\x9f>"')),
    "S/MIME that is sealed": refused(
        "encrypted", HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\n\r\nMIIB"
    ),
    "S/MIME that is signed and opaque": refused(
        "encrypted", HEAD + b"Content-Type: application/x-pkcs7-mime; smime-type=signed-data\r\n\r\nMIIB"
    ),
    "PGP/MIME that is sealed": refused(
        "encrypted", multipart("encrypted", b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1")
    ),
    "PGP in the text": refused(
        "encrypted", HEAD + b"\r\nSTEP 3\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQ\r\n-----END PGP MESSAGE-----\r\n"
    ),
    "a signed letter": taken(
        multipart("signed", text_part(STEP), b"Content-Type: application/pgp-signature\r\n\r\nSTEP 1")
    ),
    "an answer to an invitation": ignored(
        "robot: calendar",
        multipart("alternative", text_part(STEP), b"Content-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR"),
    ),
    "an answer to an invitation that says so in itself alone": ignored(
        "robot: calendar",
        multipart(
            "mixed",
            text_part(STEP),
            b"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REPLY\r\nEND:VCALENDAR",
        ),
    ),
    "an invitation": taken(
        multipart("mixed", text_part(STEP), b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR")
    ),
    "a receipt": ignored(
        "robot: receipt",
        HEAD + b"Content-Type: multipart/report; report-type=disposition-notification; boundary=b\r\n\r\n--b--\r\n",
    ),
    "a bounce": ignored(
        "robot: bounce",
        HEAD + b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b--\r\n",
    ),
    "a letter from ourselves": ignored("our own address", sent_by("referee@club.example")),
    "a letter from ourselves, by the address for answers": ignored(
        "our own address", sent_by("Referee+rr1-ann-k7q2m9xv@CLUB.example")
    ),
}

HOSTILE = {**HEADERS, **STRUCTURE, **CHARSETS, **MARKUP, **WORDS, **KINDS}


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
