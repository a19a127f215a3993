"""Texts in one letter that order different things are never guessed between; those that order the same are one letter."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.mail.letter.htmltext import html_text
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import Readings
from referee.reader.understanding import Understanding, understand, understand_letter
from referee.service.positions import Position
from tests.games.volldampf import desk
from tests.orderbook.test_letters import OWN, REPLIES, written
from tests.posthouse import ANN, PostHouse, begun_games, in_play
from tests.service.test_amendments import begin

# Two texts in one letter that order different things: never guessed between.


HEAD = f"From: Ann <{ANN}>\r\nSubject: Re: [RR1] turn\r\nMIME-Version: 1.0\r\n"
PLAIN, HTML = "text/plain", "text/html"


def part(kind: str, text: str, more: str = "") -> str:
    return f"--b\r\nContent-Type: {kind}; charset=utf-8\r\n{more}\r\n{text}\r\n"


def arrives(house: PostHouse, multipart: str, *parts: str) -> None:
    body = "".join(parts) + "--b--\r\n"
    raw = f"{HEAD}Content-Type: multipart/{multipart}; boundary=b\r\n\r\n{body}".encode()
    house.drop(raw)
    house.tick()


def outcome(house: PostHouse) -> tuple[str, str, list[str]]:
    """Return what became of the last letter, and the orders on file."""
    (row,) = house.rows("SELECT status, reason FROM letters ORDER BY id DESC LIMIT 1")
    sets = house.rows("SELECT text FROM order_sets ORDER BY id")
    return row["status"], row["reason"], [each["text"] for each in sets]


REFUSED: tuple[str, str, list[str]] = ("refused", "two-versions", [])


def test_plain_text_and_html_that_differ_are_both_shown_and_neither_is_filed(begun: PostHouse) -> None:
    arrives(begun, "alternative", part(PLAIN, "STEP 1"), part(HTML, "<p>STEP 3</p>"))
    assert outcome(begun) == REFUSED
    told = begun.told(ANN)
    assert "nothing of it was taken" in told
    assert told.index("What one text says") < told.index("- STEP 1") < told.index("What another text says")
    assert "- STEP 3" in told
    assert "Nothing is on file" in told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("STEP 1", "<p>PASS</p>"),
        ("PASS", "<p>CLEAR</p>"),
        ("STEP 1", "STEP 1<br>CLEAR"),
        ("STEP 1 or so", "<p>STEP 1</p><p>STEP 2</p>"),
        ("ORDERS RR1 1\r\nSTEP 1\r\nEND", "ORDERS RR1 2<br>STEP 1<br>END"),
        ("STEP 1\r\nSALT pepper", "STEP 1<br>SALT garlic"),
    ],
)
def test_whatever_they_order_differently_is_not_guessed(begun: PostHouse, first: str, second: str) -> None:
    arrives(begun, "alternative", part(PLAIN, first), part(HTML, second))
    assert outcome(begun) == REFUSED


def test_the_order_of_the_parts_does_not_matter(begun: PostHouse) -> None:
    arrives(begun, "alternative", part(HTML, "<p>STEP 3</p>"), part(PLAIN, "STEP 1"))
    assert outcome(begun) == REFUSED


def test_of_three_versions_none_is_overlooked(begun: PostHouse) -> None:
    same = part(PLAIN, "STEP 1")
    arrives(begun, "alternative", same, part(PLAIN, "STEP 2"), part(HTML, "STEP 1"))
    assert outcome(begun) == REFUSED


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("STEP 1\r\nSee you!", "<p>STEP&nbsp;1</p><p>See <b>you</b>!</p>"),
        ("step  1", "<ul><li>STEP 1</li></ul>"),
        ("STEP 1\r\n\r\nSent with love", "<p>STEP 1</p><img alt='STEP 2'>"),
        ("STEP 1\r\n> STEP 2", "<p>STEP 1</p><blockquote>STEP 2</blockquote>"),
        (
            "STEP 1\r\n\r\n> STEP 2",
            "<p>STEP 1</p><p style='color:blue'>STEP 2</p>",
        ),  # the plain text knows what is quoted
        ("STEP 1", "<p>STEP 1</p><p style='display:none'>STEP 2</p>"),
    ],
)
def test_versions_that_order_the_same_are_one_letter(begun: PostHouse, first: str, second: str) -> None:
    arrives(begun, "alternative", part(PLAIN, first), part(HTML, second))
    assert outcome(begun)[:2] == ("done", "")
    assert len(outcome(begun)[2]) == 1


def test_a_version_without_orders_does_not_stand_against_one_with(begun: PostHouse) -> None:
    arrives(begun, "alternative", part(PLAIN, "Please use a program that shows HTML."), part(HTML, "<p>STEP 3</p>"))
    assert outcome(begun) == ("done", "", ["STEP 3"])


def test_two_text_parts_that_differ_are_not_guessed_between(begun: PostHouse) -> None:
    arrives(begun, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 2"))
    assert outcome(begun) == REFUSED


def test_two_blocks_in_one_text_are_not_guessed_between(begun: PostHouse) -> None:
    begun.send(ANN, "ORDERS RR1 1\nSTEP 1\nEND\n\nORDERS RR1 1\nSTEP 2\nEND\n")
    assert outcome(begun)[2] == []
    assert "two different sets between ORDERS and END" in begun.told(ANN)


def test_text_parts_that_say_the_same_twice_say_it_once(begun: PostHouse) -> None:
    arrives(begun, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 1"), part(PLAIN, "PRESS: hello"))
    assert outcome(begun) == ("done", "", ["STEP 1"])
    assert "hello" in begun.told(ANN)


def test_a_text_part_that_orders_nothing_goes_with_the_other(begun: PostHouse) -> None:
    arrives(begun, "mixed", part(PLAIN, "ORDERS RR1 1\r\nSTEP 1"), part(PLAIN, "END\r\n\r\nA list's footer"))
    assert outcome(begun) == ("done", "", ["STEP 1"])


def test_an_attached_text_is_read_where_the_letter_orders_nothing(begun: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    arrives(begun, "mixed", part(PLAIN, "My orders are attached."), part(PLAIN, "STEP 3", attached))
    assert outcome(begun) == ("done", "", ["STEP 3"])
    assert "read from the attached file" in begun.told(ANN)


def test_an_attached_text_is_not_read_beside_orders_in_the_letter(begun: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    arrives(begun, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 3", attached))
    assert outcome(begun) == ("done", "", ["STEP 1"])
    assert "Attachments are not read: orders.txt" in begun.told(ANN)


@pytest.mark.parametrize("body", ["", "Here they are."])
def test_two_attached_texts_that_differ_are_not_guessed_between(begun: PostHouse, body: str) -> None:
    first = part(PLAIN, "STEP 1", 'Content-Disposition: attachment; filename="a.txt"\r\n')
    second = part(PLAIN, "STEP 2", 'Content-Disposition: attachment; filename="b.txt"\r\n')
    arrives(begun, "mixed", part(PLAIN, body), first, second)
    assert outcome(begun) == REFUSED


def test_what_was_on_file_stays_and_is_told(begun: PostHouse) -> None:
    begun.write(ANN, "STEP 2")
    arrives(begun, "alternative", part(PLAIN, "STEP 1"), part(HTML, "<p>STEP 3</p>"))
    assert outcome(begun) == ("refused", "two-versions", ["STEP 2"])
    assert "RR1: on file for turn 1" in begun.told(ANN)
    assert begun.told(ANN).count("STEP 2") == 1


def test_whoever_files_such_a_letter_files_nothing(begun: PostHouse) -> None:
    row = begun.row()
    letter = Letter(text="STEP 1\nCLEAR\nPRESS: hello", alternatives=("STEP 3\nCONFIRM",))
    read = understand_letter(in_play(begun.club.positions.of(begun.club.db, row)), "ANN", letter, Readings())
    assert [each.gives_orders for each in read.versions] == [True, True]
    assert not read.gives_orders
    assert not read.is_clean
    assert (read.orders, read.reading.commands, read.reading.press) == ((), (), "")


def test_the_umpire_is_shown_the_same(begun: PostHouse) -> None:
    both = part(PLAIN, "STEP 1") + part(HTML, "<p>STEP 3</p>")
    path = begun.folder / "letter.eml"
    raw = f"{HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n{both}--b--\r\n".encode()
    path.write_bytes(raw)
    assert "two-versions" in begun.command("read", str(path)).stdout


SET_IN = (
    "<blockquote>",
    '<blockquote dir="ltr">',
    '<blockquote style="margin-left:40px">',
    '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">',
    '<blockquote class="webkit-indent-blockquote" style="margin: 0 0 0 40px; border: none; padding: 0px;">',
    '<blockquote style="margin-right:0px" dir="ltr">',
    '<blockquote class="" style="margin:0 0 0 40px;border:none;padding:0px" dir="ltr">',
    '<blockquote id="x" style="margin: 0px 0px 0px 40px; border: medium none; padding: 0px;">',
    "<blockquote><blockquote>",
    '<div style="margin-left:40px">',
    '<p style="padding-left: 30px;">',
)
CITED = (
    ("", '<blockquote type="cite">'),
    ("", '<blockquote cite="mid:1@club.example">'),
    ("", '<blockquote class="gmail_quote">'),
    ("", '<blockquote style="border-left: 3px solid #ccc; margin: 0">'),
    ("On 7 Dec 2026, at 12:00, Bob wrote:", "<blockquote>"),
    ('07.12.2026, 12:00, "Bob" &lt;bob@example.net&gt;:', "<blockquote>"),
)


@pytest.mark.parametrize("frame", SET_IN)
def test_orders_that_are_set_in_are_no_quotation(begun: PostHouse, frame: str) -> None:
    arrives(
        begun,
        "mixed",
        part(HTML, f"<div>My orders for turn 1:</div>{frame}STEP 3</blockquote></blockquote><div>Ann</div>"),
    )
    assert outcome(begun) == ("done", "", ["STEP 3"])


@pytest.mark.parametrize(("above", "frame"), CITED)
def test_what_is_cited_is_a_quotation(begun: PostHouse, above: str, frame: str) -> None:
    arrives(begun, "mixed", part(HTML, f"<div>STEP 3</div><div>{above}</div>{frame}STEP 1</blockquote>"))
    assert outcome(begun) == ("done", "", ["STEP 3"])


@pytest.mark.parametrize(
    "other",
    [
        "<p>I send my orders as text.</p>",
        "<p>HELP</p>",
        "<p>ORDERS RR1 1</p><p>END</p>",
        '<blockquote type="cite">STEP 3',
    ],
)
def test_a_version_without_orders_has_no_veto(begun: PostHouse, other: str) -> None:
    arrives(begun, "alternative", part(PLAIN, "ORDERS RR1 1\r\nSTEP 3\r\nEND"), part(HTML, other))
    assert outcome(begun)[2] == ["STEP 3"]


NAMED = 'Content-Disposition: {}; filename="mail.html"\r\n'


@pytest.mark.parametrize("disposition", ["inline", "attachment"])
@pytest.mark.parametrize("within", ["mixed", "alternative"])
def test_a_page_with_a_file_name_is_read(begun: PostHouse, disposition: str, within: str) -> None:
    arrives(begun, within, part(PLAIN, ""), part(HTML, "<p>STEP 3</p>", NAMED.format(disposition)))
    assert outcome(begun) == ("done", "", ["STEP 3"])


PHOTO = "--b\r\nContent-Type: image/heic; name=IMG_1.HEIC\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n"


def test_a_photo_between_lines_of_orders_makes_no_second_version(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other") as house:
        begin(house)
        arrives(
            house,
            "mixed",
            part(PLAIN, "HOME Dublin\r\n1a) (Dublin) - AB17"),
            PHOTO,
            part(PLAIN, "1b) none\r\n1c) none"),
        )
        assert outcome(house) == ("done", "", ["HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none"])


def test_a_text_that_is_sent_as_octets_is_read(begun: PostHouse) -> None:
    file = part("application/octet-stream; name=orders.txt", "STEP 3", "Content-Disposition: attachment\r\n")
    arrives(begun, "mixed", part(PLAIN, "My orders are attached."), file)
    assert outcome(begun) == ("done", "", ["STEP 3"])


# The letters of ``orders/letters`` whose plain text and HTML order the same are one letter, whatever else stands in them.


FILES = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
LETTERS = {file: letter for file in FILES if (letter := read_letter(file.read_bytes())).alternatives or letter.pieces}
SEATS = {
    "dampfross": ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>"),
    "volldampf": tuple(f"{code}:{colour}:{name} <{name.lower()}@example.org>" for code, colour, name in (
        ("ANN", "red", "Ann"), ("BOB", "blue", "Bob"), ("CID", "green", "Cid"), ("DOT", "yellow", "Dot"))),
}  # fmt: skip


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Position]]:
    """A game of each kind, by its name, as it begins."""
    with PostHouse(tmp_path_factory.mktemp("versions") / "club") as house:
        yield begun_games(house, SEATS)


def understood(positions: Mapping[str, Position], file: Path) -> tuple[Position, str]:
    """Return the position and player that a letter is for."""
    expected = tomllib.loads(file.with_suffix(".toml").read_text("utf-8"))
    position = positions[expected.get("language", "dampfross")]
    if position.rules.name == "volldampf":
        return replace(position, state=desk.at(expected["stage"])), "ANN"
    return position, "GSW"


def read(positions: Mapping[str, Position], file: Path) -> tuple[Understanding, list[Understanding]]:
    """Return what a letter is understood as, and what each of its versions would be alone."""
    position, player = understood(positions, file)
    game, letter = in_play(position), LETTERS[file]
    versions = [understand(game, player, text, Readings()) for text in (letter.text, *letter.alternatives)]
    return understand_letter(game, player, letter, Readings()), versions


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_no_letter_that_orders_the_same_twice_is_refused(file: Path, positions: Mapping[str, Position]) -> None:
    read_so, versions = read(positions, file)
    assert read_so.versions == ()
    assert read_so.orders == versions[0].orders
    assert read_so.orders or read_so.reading.speaks


def test_their_versions_have_the_same_orders_on_other_lines(positions: Mapping[str, Position]) -> None:
    """Else these letters would show nothing."""
    told = [
        versions for file in LETTERS if file.stem.startswith("versions-") for _, versions in [read(positions, file)]
    ]
    assert len(told) >= 7
    assert all(len(plain.orders) == len(html.orders) >= 3 for plain, html in told)
    assert sum(plain.orders != html.orders for plain, html in told) >= 6


@pytest.mark.parametrize("name", [name for name, reply in REPLIES.items() if {"text", "html"} <= set(reply)])
def test_text_and_html_of_a_reply_are_one_letter_whatever_the_program_quotes(
    name: str, positions: Mapping[str, Position]
) -> None:
    letter = Letter(text=written(name, "text"), alternatives=(html_text(written(name, "html")),))
    read_so = understand_letter(in_play(positions["dampfross"]), "GSW", letter, Readings())
    assert read_so.versions == ()
    assert [phrase.text for phrase in read_so.reading.phrases] == list(OWN)


ORDERS = "HOME Belfast OR Dublin\n1a) (Belfast) - AC7"


def test_two_parts_with_the_same_orders_on_other_lines_are_one_letter(positions: Mapping[str, Position]) -> None:
    pieces = (f"Hello,\nand here we go:\n{ORDERS}", ORDERS)
    read_so = understand_letter(
        in_play(positions["dampfross"]), "GSW", Letter(text="\n".join(pieces), pieces=pieces), Readings()
    )
    assert read_so.versions == ()
    assert len(read_so.orders) == 2


@pytest.mark.parametrize(
    "other",
    [
        ORDERS.replace("AC7", "AE7"),
        ORDERS.replace("Belfast OR Dublin", "Dublin OR Belfast"),
        ORDERS.replace("1a)", "1b)"),
        f"{ORDERS}\n1b) (AC7) - AC8",
        "\n".join(reversed(ORDERS.split("\n"))),
    ],
)
def test_versions_that_order_anything_else_are_not_guessed_between(
    other: str, positions: Mapping[str, Position]
) -> None:
    read_so = understand_letter(
        in_play(positions["dampfross"]), "GSW", Letter(text=ORDERS, alternatives=(other,)), Readings()
    )
    assert len(read_so.versions) == 2
    assert read_so.orders == ()
