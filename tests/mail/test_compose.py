"""Our letters: what a player wrote cannot add a header, and what we write is read as it was written."""

import email
import email.policy
import hashlib
import quopri
from datetime import UTC, datetime
from email.policy import compat32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.compose import Attachment, Outgoing, compose, without_page
from referee.mail.letter.message import read_letter
from referee.mail.letter.text import clean_line, decode_text, normalise

LETTER = Outgoing(
    sender="referee@club.example",
    sender_name="Referee",
    recipient="ann@example.org",
    recipient_name="Ann",
    subject="[RR7] round 1",
    text="Dear Ann,\n\n  Dún Laoghaire = 12\n",
    date=datetime(2026, 12, 3, 19, 42, 10, 999, tzinfo=UTC),
    message_id="<rr7.1.ann@club.example>",
    auto="auto-replied",
    game_id="RR7",
)
BOARD = Attachment(name="rr7-1.svg", media_type="image/svg+xml", content=b"<svg/>" * 40)


def encoded_once(text: str) -> bool:
    """What looks like UTF-8 encoded twice, as gateways do, is read as what was encoded."""
    forms = (text, clean_line(text, len(text)), normalise(text))
    return all(decode_text(form.encode(), "utf-8")[0] == form for form in forms)


WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=120).filter(encoded_once)
LINES = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc"], include_characters="\n")).filter(
    encoded_once
)


def header_names(raw: bytes) -> list[str]:
    return [name for name, _ in email.message_from_bytes(raw, policy=compat32).items()]


def test_the_letter_as_it_goes_out() -> None:
    assert compose(LETTER).decode().split("\r\n") == [
        "From: Referee",
        " <referee@club.example>",
        "To: Ann",
        " <ann@example.org>",
        "Subject: [RR7] round 1",
        "Date: Thu, 03 Dec 2026 19:42:10 +0000",
        "Message-ID: <rr7.1.ann@club.example>",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: All",
        "X-Referee-Game: RR7",
        "MIME-Version: 1.0",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Dear Ann,",
        "",
        "  D=C3=BAn Laoghaire =3D 12",
        "",
    ]


def test_the_bytes_of_a_letter_never_change() -> None:
    """The outbox sends the same letter with the same bytes, whatever version of Python runs."""
    digest = hashlib.sha256(compose(LETTER.but(attachments=(BOARD,)))).hexdigest()
    assert digest == "c28f3b2d5a7e21956a5530cb2b2038dbc2de1b60abce5ec81eb5becd710330ab"


def test_a_referee_never_answers_a_referee() -> None:
    letter = read_letter(compose(LETTER.but(game_id="")))
    assert (letter.robot, letter.answerable) == ("own letter", False)


def test_attachments_carry_our_names() -> None:
    raw = compose(LETTER.but(attachments=(BOARD, BOARD)))
    _, text, *files = email.message_from_bytes(raw, policy=compat32).walk()
    assert text.get_content_type() == "text/plain"
    assert [(file.get_filename(), file.get_payload(decode=True)) for file in files] == [(BOARD.name, BOARD.content)] * 2
    assert read_letter(raw).attachments == ("rr7-1.svg", "rr7-1.svg")
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert b"\n" not in raw.replace(b"\r\n", b"")


INJECTIONS = [
    "=?utf-8?q?a=0ABcc:_evil@x.y?=",
    "a\r\nBcc: evil@x.y",
    "a\nBcc: evil@x.y\n\nbody",
    "a\rBcc: evil@x.y",
    "a\x0bBcc: x\x85Bcc: y\u2028Bcc: z\0",
    "\ud800 broken \u202e right",
    "x" * 2000,
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_nothing_echoed_becomes_a_header(text: str) -> None:
    plain = header_names(compose(LETTER))
    raw = compose(LETTER.but(subject=text, sender_name=text, recipient_name=text, text=text))
    assert header_names(raw) == plain
    again = email.message_from_bytes(raw, policy=compat32).as_bytes()
    assert header_names(again) == plain
    assert read_letter(raw).sender == LETTER.sender
    assert read_letter(raw).recipients == (LETTER.recipient,)


def test_ids_of_strangers_are_filtered() -> None:
    bad = ("<a b@c>", "<a@b>\r\nBcc: evil@x.y", "x", "<é@b.c>", "")
    raw = compose(LETTER.but(in_reply_to="<a@b>\nX: y", references=(*bad, "<1@b.c>", "<2@b.c>")))
    assert "In-Reply-To" not in header_names(raw)
    assert b"\r\nReferences: <1@b.c>\r\n <2@b.c>\r\n" in raw
    assert "References" not in header_names(compose(LETTER.but(references=bad)))


@pytest.mark.parametrize(
    "changes",
    [
        {"recipient": "ann@example.org, eve@example.org"},
        {"recipient": "ann@example.org\nBcc: evil@x.y"},
        {"recipient": ""},
        {"sender": "Referee <referee@club.example>"},
        {"message_id": "rr7"},
        {"message_id": "<a@b>\nX: y"},
        {"auto": "no"},
        {"auto": "auto-replied\nX: y"},
        {"game_id": "RR7\nX: y"},
        {"date": datetime(2026, 12, 3)},  # noqa: DTZ001
        {"attachments": (BOARD.but(name="../x.svg"),)},
        {"attachments": (BOARD.but(name='x"; y'),)},
        {"attachments": (BOARD.but(media_type="image/png\nX: y"),)},
    ],
)
def test_what_is_ours_to_choose_must_be_right(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        compose(LETTER.but(**changes))


@given(subject=WORDS, name=WORDS, text=LINES)
def test_a_letter_is_read_as_it_was_written(subject: str, name: str, text: str) -> None:
    letter = LETTER.but(subject=subject, sender_name=name, recipient_name=name, text=text)
    raw = compose(letter)
    read = read_letter(raw)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert read.subject == clean_line(subject, 200)
    assert read.sender_name == clean_line(name, 80)
    assert (read.sender, read.recipients, read.message_id) == (LETTER.sender, (LETTER.recipient,), LETTER.message_id)
    assert read.text == normalise(text.removesuffix("\n")) + "\n"


def test_lines_a_mail_server_would_change_are_protected() -> None:
    text = ".\nFrom here\n-- \n  trailing  \n" + "w" * 300 + "\n..x\n"
    raw = compose(LETTER.but(text=text))
    lines = raw.split(b"\r\n")
    assert not any(line.startswith((b".", b"From here")) or line.endswith(b" ") for line in lines)
    assert quopri.decodestring(raw.partition(b"\r\n\r\n")[2]).decode().replace("\r\n", "\n") == text


def test_a_newsletter_says_that_it_goes_to_many_and_an_observers_how_it_ends() -> None:
    """RFC 2369; no line of it in a letter to a player alone."""
    plain = email.message_from_bytes(compose(LETTER), policy=compat32)
    assert plain["Precedence"] is None
    assert plain["List-Unsubscribe"] is None
    letter = LETTER.but(bulk=True, unsubscribe="referee+unsub-k7q2m9xv@club.example")
    told = email.message_from_bytes(compose(letter), policy=compat32)
    assert told["Precedence"] == "bulk"
    assert told["List-Unsubscribe"] == "<mailto:referee+unsub-k7q2m9xv@club.example?subject=unsubscribe>"
    with pytest.raises(ValueError, match="no address"):
        compose(LETTER.but(unsubscribe="a@b\r\nBcc: x@y"))


def test_a_picture_that_is_shown_has_an_id_and_a_name() -> None:
    shown = Attachment(name="rr7-1.png", media_type="image/png", content=b"\x89PNG", shown=True)
    letter = LETTER.but(attachments=(shown, BOARD))
    read = email.message_from_bytes(compose(letter), policy=email.policy.default)
    picture, board = read.iter_attachments()
    assert picture["Content-ID"] == "<rr7-1.png@club.example>"
    assert picture["Content-Disposition"] == 'inline; filename="rr7-1.png"'
    assert (board["Content-ID"], board["Content-Disposition"]) == (None, 'attachment; filename="rr7-1.svg"')


def test_a_page_stands_beside_the_text_with_the_pictures_that_it_shows() -> None:
    shown = Attachment(name="rr7-1.png", media_type="image/png", content=b"\x89PNG" * 99, shown=True)
    page = '<p>Dún Laoghaire</p><img src="cid:rr7-1.png@club.example">\n'
    letter = LETTER.but(page=page, attachments=(shown, BOARD))
    assert compose(letter) == compose(letter)
    read = email.message_from_bytes(compose(letter), policy=email.policy.default)
    assert [part.get_content_type() for part in read.walk()] == [
        *("multipart/mixed", "multipart/alternative", "text/plain"),
        *("multipart/related", "text/html", "image/png", "image/svg+xml"),
    ]
    plain, html = read.get_body(("plain",)), read.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert (plain.get_content().split(), html.get_content().split()) == (LETTER.text.split(), page.split())
    files = {part.get_filename(): part for part in read.walk() if part.get_filename()}
    assert {name: part.get_content() for name, part in files.items()} == {
        "rr7-1.png": shown.content,
        "rr7-1.svg": BOARD.content,
    }
    assert files["rr7-1.png"]["Content-ID"] == "<rr7-1.png@club.example>"


def test_a_page_without_pictures_is_an_alternative_alone() -> None:
    read = email.message_from_bytes(compose(LETTER.but(page="<p>x</p>\n")), policy=email.policy.default)
    assert [part.get_content_type() for part in read.walk()] == ["multipart/alternative", "text/plain", "text/html"]


@pytest.mark.parametrize("files", [(), (BOARD,), (BOARD.but(name="b.png", media_type="image/png", shown=True),)])
def test_a_letter_without_its_page_says_what_it_said(files: tuple[Attachment, ...]) -> None:
    text = LETTER.text + 'Content-Type: text/html\n\n--=_x\nmultipart/alternative; boundary="=_x"\n'
    raw = compose(LETTER.but(text=text, page="<p>Dear Ann,</p>" * 50, attachments=files))
    short = without_page(raw)
    assert b"<p>" not in short
    assert read_letter(short).text == read_letter(raw).text == text.rstrip()
    assert short.startswith(b"Content-Type: text/plain")
    assert len(short) < len(raw) - 600


def test_a_letter_that_has_no_page_is_left_as_it_is() -> None:
    raw = compose(LETTER.but(attachments=(BOARD,)))
    assert without_page(raw) == raw
