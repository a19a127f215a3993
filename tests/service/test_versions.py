"""Texts in one letter that order different things are never guessed between; those that order the same are one letter."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.mail.letter.htmltext import html_text
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import Readings
from referee.reader.understanding import Understanding, understand, understand_letter
from referee.service.positions import Position
from tests.games.volldampf import desk
from tests.orderbook.test_letters import OWN, REPLIES, written
from tests.posthouse import ANN, ByKind, PostHouse, begun_games, in_play

# Two texts in one letter that order different things: never guessed between.


HEAD = f"From: Ann <{ANN}>\nSubject: Re: [RR1] turn\nMIME-Version: 1.0\n"


def test_whoever_files_such_a_letter_files_nothing(begun: PostHouse) -> None:
    row = begun.row()
    letter = Letter(text="STEP 1\nCLEAR\nPRESS: hello", alternatives=("STEP 3\nCONFIRM",))
    read = understand_letter(in_play(begun.club.positions.of(begun.club, row)), "ANN", letter, Readings())
    assert [each.gives_orders for each in read.versions] == [True, True]
    assert not read.gives_orders
    assert not read.is_clean
    assert (read.orders, read.reading.commands, read.reading.press) == ((), (), "")


def test_the_umpire_is_shown_the_same(begun: PostHouse) -> None:
    path = begun.folder / "letter.eml"
    both = "--b\n\nSTEP 1\n--b\nContent-Type: text/html\n\n<p>STEP 3</p>\n--b--\n"
    path.write_text(f"{HEAD}Content-Type: multipart/alternative; boundary=b\n\n{both}")
    assert "two-versions" in begun.command("read", str(path)).stdout


# The letters of ``orders/letters`` whose plain text and HTML order the same are one letter, whatever else stands in them.


FILES = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
LETTERS = {file: letter for file in FILES if (letter := read_letter(file.read_bytes())).alternatives or letter.pieces}
SEATS = {
    "dampfross": ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>"),
    "volldampf": tuple(f"{code}:{colour}:{name} <{name.lower()}@example.org>" for code, colour, name in (
        ("ANN", "red", "Ann"), ("BOB", "blue", "Bob"), ("CID", "green", "Cid"), ("DOT", "yellow", "Dot"))),
}  # fmt: skip


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ByKind]:
    """A game of each kind, by its name, as it begins."""
    with PostHouse(tmp_path_factory.mktemp("versions") / "club") as house:
        yield begun_games(house, SEATS)


def understood(positions: ByKind, file: Path) -> tuple[Position, str]:
    """Return the position and player that a letter is for."""
    expected = tomllib.loads(file.with_suffix(".toml").read_text("utf-8"))
    position = positions[expected.get("language", "dampfross")]
    if position.rules.name == "volldampf":
        return position.but(state=desk.at(expected["stage"])), "ANN"
    return position, "GSW"


def read(positions: ByKind, file: Path) -> tuple[Understanding, list[Understanding]]:
    """Return what a letter is understood as, and what each of its versions would be alone."""
    position, player = understood(positions, file)
    game, letter = in_play(position), LETTERS[file]
    versions = [understand(game, player, text, Readings()) for text in (letter.text, *letter.alternatives)]
    return understand_letter(game, player, letter, Readings()), versions


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_no_letter_that_orders_the_same_twice_is_refused(file: Path, positions: ByKind) -> None:
    read_so, versions = read(positions, file)
    assert read_so.versions == ()
    assert read_so.orders == versions[0].orders
    assert read_so.orders or read_so.reading.speaks


def test_their_versions_have_the_same_orders_on_other_lines(positions: ByKind) -> None:
    """Else these letters would show nothing."""
    told = [
        versions for file in LETTERS if file.stem.startswith("versions-") for _, versions in [read(positions, file)]
    ]
    assert len(told) >= 7
    assert all(len(plain.orders) == len(html.orders) >= 3 for plain, html in told)
    assert sum(plain.orders != html.orders for plain, html in told) >= 6


@pytest.mark.parametrize("name", [name for name, reply in REPLIES.items() if {"text", "html"} <= set(reply)])
def test_text_and_html_of_a_reply_are_one_letter_whatever_the_program_quotes(name: str, positions: ByKind) -> None:
    letter = Letter(text=written(name, "text"), alternatives=(html_text(written(name, "html")),))
    read_so = understand_letter(in_play(positions["dampfross"]), "GSW", letter, Readings())
    assert read_so.versions == ()
    assert [phrase.text for phrase in read_so.reading.phrases] == list(OWN)


ORDERS = "HOME Belfast OR Dublin\n1a) (Belfast) - AC7"


def test_two_parts_with_the_same_orders_on_other_lines_are_one_letter(positions: ByKind) -> None:
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
def test_versions_that_order_anything_else_are_not_guessed_between(other: str, positions: ByKind) -> None:
    read_so = understand_letter(
        in_play(positions["dampfross"]), "GSW", Letter(text=ORDERS, alternatives=(other,)), Readings()
    )
    assert len(read_so.versions) == 2
    assert read_so.orders == ()
