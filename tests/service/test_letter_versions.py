"""The letters of ``orders/letters`` whose plain text and HTML order the same are one letter, whatever else stands in them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from referee.mail.letter.message import Letter, read_letter
from referee.service.club.positions import Position
from referee.service.letters.interpretation import Understanding, understand, understand_letter
from referee.service.turns.games import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.store import games
from tests.games.volldampf import desk
from tests.posthouse import PostHouse

FILES = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
LETTERS = {file: letter for file in FILES if (letter := read_letter(file.read_bytes())).alternatives or letter.pieces}
SEATS = {
    "dampfross": ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>"),
    "volldampf": tuple(f"{code}:{colour}:{name} <{name.lower()}@example.org>" for code, colour, name in (
        ("ANN", "red", "Ann"), ("BOB", "blue", "Bob"), ("CID", "green", "Cid"), ("DOT", "yellow", "Dot"))),
}  # fmt: skip
BOARDS = {"dampfross": "ireland", "volldampf": "deutschland-1925"}


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Position]]:
    """A game of each kind, by its name, as it begins."""
    with PostHouse(tmp_path_factory.mktemp("versions") / "club") as house:
        found = {}
        for kind, board in BOARDS.items():
            players = tuple(map(parse_player, SEATS[kind]))
            row = games.game(house.club.db, new_game(house.club, Proposal(kind=kind, board=board, players=players)))
            found[kind] = house.club.positions.of(house.club.db, row)
        yield found


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
    letter: Letter = LETTERS[file]
    versions = [understand(position, player, text) for text in (letter.text, *letter.alternatives)]
    return understand_letter(position, player, letter), versions


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
