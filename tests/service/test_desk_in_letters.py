"""The order desk comes with the opening, under a name and with a sentence that say what it is, and again to who asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from tests.posthouse import ANN, BOB, PostHouse, line_of, text_of

PLAYERS = (f"GSW:red:Ann <{ANN}>", f"BOB:blue:Bob <{BOB}>", "CYD:green:Cyd <cyd@example.org>")
DESK = "order-desk-RR1-turn-1.html"


def begun(folder: Path, kind: str, **settings: str) -> PostHouse:
    house = PostHouse(folder, **({"players__attach": ""} | settings))
    board = {"dampfross": "ireland", "volldampf": ""}[kind]
    new_game(house.club, Proposal(kind=kind, board=board, players=tuple(map(parse_player, PLAYERS))))
    house.tick()
    return house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with begun(tmp_path / "club", "dampfross") as made:
        yield made


def files(letter: EmailMessage) -> list[str]:
    return [str(part.get_filename()) for part in letter.iter_attachments()]


def asked(house: PostHouse, text: str) -> EmailMessage:
    house.clock.advance(minutes=1)
    house.send(ANN, text)
    return house.last(ANN)


@pytest.mark.parametrize("kind", ["dampfross", "volldampf"])
def test_the_opening_brings_it_and_says_so_before_the_form(tmp_path: Path, kind: str) -> None:
    with begun(tmp_path / "club", kind) as house:
        (opening,) = house.post(ANN)
        assert DESK in files(opening)
        words = line_of(opening)
        assert words.index("Deadline: ") < words.index("LANGUAGE")
        assert words.index("draw your orders on the board") < words.index("ORDERS RR1 1")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players__attach": "svg"}, ""),
        (
            {"publish__folder": "www", "publish__url": "https://club.example/"},
            "https://club.example/RR1/desk/RR1-1.html",
        ),
    ],
    ids=["other files are named", "it is published"],
)
def test_it_is_no_file_where_others_are_named_or_a_link_leads_to_it(
    tmp_path: Path, settings: dict[str, str], words: str
) -> None:
    with begun(tmp_path / "club", "dampfross", **settings) as house:
        (opening,) = house.post(ANN)
        assert (DESK in files(opening), words in text_of(opening)) == (False, True)


def test_after_attach_desk_map_and_resend_bring_it_and_a_pdf(house: PostHouse) -> None:
    assert "ATTACH DESK brings it" in line_of(asked(house, "HELP"))
    asked(house, "ATTACH DESK PDF")
    for word, pdf in (("MAP", "RR1-turn-0.pdf"), ("RESEND", "RR1-turn-0.pdf")):
        found = files(asked(house, word))
        assert (DESK in found, pdf in found) == (True, True), (word, found)
    asked(house, "ATTACH NONE")
    assert DESK not in files(asked(house, "MAP"))


@pytest.mark.parametrize("words", ["MAP\nATTACH DESK", "ATTACH DESK\nMAP"])
def test_a_board_comes_with_the_files_that_its_letter_is_the_first_to_wish(house: PostHouse, words: str) -> None:
    asked(house, "ATTACH NONE")
    assert DESK in files(asked(house, words))


@pytest.mark.parametrize(("kind", "words"), [("dampfross", "Rolls of round 1"), ("volldampf", "What is asked next")])
def test_a_reminder_tells_what_is_asked_again_and_brings_the_form(tmp_path: Path, kind: str, words: str) -> None:
    with begun(tmp_path / "club", kind, deadlines__reminders="24") as house:
        house.later(days=13, hours=8)
        told = house.text(ANN, "your orders are missing")
        assert words in told
        assert told.index(words) < told.index("ORDERS RR1 1")
