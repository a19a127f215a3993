"""Whatever bytes arrive, ``read_letter`` returns a letter, and soon."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.letter.htmltext import html_text
from referee.mail.letter.message import read_letter
from referee.mail.letter.text import normalise, split_lines, unflow
from referee.orderbook import quote_alike
from referee.service.post.collect import LIMIT
from tests.mail.hostile import HOSTILE, assert_storable, raw_of
from tests.tables import Tables

CASES = Tables(__file__)

ANN = b"From: Ann <ann@example.org>\nSubject: x\n"
SIZE = 256 * 1024
SEEDS = [path.read_bytes() for path in sorted((Path(__file__).parent / "letters").glob("*.eml"))]


@given(st.binary(max_size=2000))
def test_no_bytes_raise(raw: bytes) -> None:
    assert_storable(read_letter(raw))


@given(st.sampled_from(SEEDS), st.data())
def test_no_damaged_letter_raises(seed: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(seed)))
        end = data.draw(st.integers(start, min(len(seed), start + 200)))
        other = data.draw(st.sampled_from(SEEDS))
        graft = data.draw(st.one_of(st.binary(max_size=40), st.just(other[start:end]), st.just(seed[start:end] * 3)))
        seed = seed[:start] + graft + seed[end:]
    letter = read_letter(seed)
    assert_storable(letter)
    assert "unreadable" not in letter.problems


@st.composite
def messages(draw: st.DrawFn, depth: int = 3) -> bytes:
    """A part as some program may write it: any kind with any content, and any other program's mistakes."""
    kinds = ["mixed", "alternative", "related", "signed", "report", "encrypted", "digest"]
    leaves = [
        "text/plain",
        "text/html",
        "text/calendar; method=REPLY",
        "application/ms-tnef",
        "image/png",
        "message/rfc822",
        "x",
    ]
    fields = draw(
        st.lists(
            st.sampled_from(
                [
                    b"Content-Transfer-Encoding: base64\r\n",
                    b"Content-Transfer-Encoding: quoted-printable\r\n",
                    b"Content-Disposition: attachment; filename*0=a; filename*1*=%00\r\n",
                    b'Content-Disposition: inline; filename="a\\"\r\n',
                    b"Content-Type: text/html\r\n",
                ]
            ),
            max_size=2,
        )
    )
    if depth and draw(st.booleans()):
        boundary = draw(st.sampled_from(["b", "bb", "b0", "", " ", "--"]))
        children = draw(st.lists(messages(depth - 1), max_size=4))
        mark = b"\r\n--" + boundary.encode() + b"\r\n"
        head = f'Content-Type: multipart/{draw(st.sampled_from(kinds))}; boundary="{boundary}"\r\n'.encode()
        end = draw(st.sampled_from([b"", b"\r\n--" + boundary.encode() + b"--\r\n"]))
        return head + b"".join(fields) + b"\r\n" + b"".join(mark + child for child in children) + end
    more = draw(
        st.sampled_from(["", "; charset=utf-7", "; format=flowed; delsp=yes", "; charset*=x'y'z", "; name=a.txt"])
    )
    words = draw(
        st.lists(st.sampled_from([b"PASS", b"> ", b"\r\n", b"<p>", b"=3D", b"\xff", b"\0", b"UEFTUw=="]), max_size=6)
    )
    return (
        f"Content-Type: {draw(st.sampled_from(leaves))}{more}\r\n".encode()
        + b"".join(fields)
        + b"\r\n"
        + b"".join(words)
    )


@given(messages())
def test_no_structure_raises(message: bytes) -> None:
    letter = read_letter(ANN + message)
    assert_storable(letter)
    assert "unreadable" not in letter.problems
    assert letter.sender == "ann@example.org"
    assert letter.text not in letter.alternatives


@given(
    st.lists(
        st.sampled_from(["<", ">", "a", " ", '"', "'", "&#", "9", ";", "<p>", "</p>", "<blockquote>", "</blockquote>"])
    )
)
def test_no_html_raises(pieces: list[str]) -> None:
    html_text("".join(pieces))


@given(st.text())
def test_normal_text_is_normal_and_keeps_its_lines(text: str) -> None:
    once = normalise(text)
    assert len(split_lines(once)) == len(split_lines(text))
    assert normalise(once) == once


@given(st.text(alphabet="> a\n"), st.booleans())
def test_unflowing_loses_no_word(text: str, delete_spaces: bool) -> None:
    assert unflow(text, delete_spaces).count("a") == text.count("a")


@CASES.rows
def test_a_letter_beyond_the_limits_is_refused_but_its_sender_known(text: str, problem: str) -> None:
    letter = read_letter(raw_of(text, "\n"))
    assert letter.problems == (problem,)
    assert letter.text == ""
    assert letter.sender == "ann@example.org"


def test_twenty_levels_are_read() -> None:
    assert read_letter(HOSTILE["15 levels"].raw).text == "STEP 3"


def test_dashes_in_the_text_are_no_parts() -> None:
    table = b"------------\n| GSW | 12 |\n" * 100
    assert read_letter(ANN + b"\n" + table).text == table.decode()


def test_a_huge_header_is_dropped_and_the_letter_read() -> None:
    letter = read_letter(ANN + b"X-Big: " + b"y" * 20_000 + b"\n folded\nTo: r@b.c\n\nPASS\n")
    assert (letter.recipients, letter.text, letter.problems) == (("r@b.c",), "PASS\n", ())


def test_an_endless_content_type_is_dropped() -> None:
    part = b"--b\nContent-Type: text/html; \n " + b';"' * 60_000 + b"\n\nPASS\n"
    letter = read_letter(ANN + b"Content-Type: multipart/mixed; boundary=b\n\n" + part + b"--b--\n")
    assert letter.text == "PASS"


def test_an_attachment_cut_at_256_kb_leaves_the_text() -> None:
    raw = (
        ANN
        + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nPASS\n--b\nContent-Type: application/zip; name=a.zip\n"
    )
    letter = read_letter((raw + b"Content-Transfer-Encoding: base64\n\n" + b"QUJD" * 1_300_000)[:SIZE])
    assert (letter.text, letter.problems, letter.attachments) == ("PASS", ("cut-off",), ("a.zip",))


def test_text_beyond_the_limit_is_cut_and_told() -> None:
    letter = read_letter(ANN + b"\n" + b"PASS\n" * 200_000)
    assert letter.problems == ("cut-off",)
    assert read_letter(ANN + b"\n" + b"PASS " * 200_000).problems == ("too-large",)


@CASES.rows
def test_hostile_html_is_read_in_linear_time(piece: str) -> None:
    sheet = b"<style>.a{display:none} b.a{color:white}" + b"</style>" * piece.startswith("<")
    letter = read_letter(ANN + b"Content-Type: text/html\n\n" + sheet + piece.encode() * (SIZE // len(piece)))
    assert "unreadable" not in letter.problems


@CASES.rows
def test_hostile_headers_and_text_are_read(text: str) -> None:
    assert "unreadable" not in read_letter(raw_of(text, "\n")).problems


@pytest.mark.parametrize("name", [name for name, each in HOSTILE.items() if len(each.raw) > LIMIT])
def test_letters_of_which_the_service_reads_a_part_alone_are_storable(name: str) -> None:
    """The others are looked at where the service reads them (tests/service/test_hostile_post.py)."""
    assert_storable(read_letter(HOSTILE[name].raw))


@given(st.text(alphabet="ab> |\n\r\u2028\u00a0-:1@"), st.text(alphabet="ab> |\n"))
def test_lines_keep_their_number_however_they_are_marked(text: str, other: str) -> None:
    plain = normalise(text)
    assert quote_alike(plain, other).count("\n") == plain.count("\n")
