"""What is told of races that dice draw: how many, which go to a special, which keys are gone. D5.1-D5.4."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from tests.posthouse import ANN, BOB, PostHouse, line_of

CYD = "cyd@example.org"
SEATS = tuple(map(parse_player, (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", f"BNC:green:Cyd <{CYD}>")))
LEFT = (61, 62, 63, 65)  # München and Rosenheim: nearer to each other than shortest_race
USED = [10 * red + black for red in range(1, 7) for black in range(1, 7) if 10 * red + black not in LEFT]
POSITION = {
    "round": 12,
    "homes": {"GSW": "München", "MGW": "München", "BNC": "Nürnberg"},
    "races": [
        {"number": number, "start": start, "end": end, "round": 12, "status": "open" if number == 16 else "run"}
        for number, (start, end) in enumerate(zip(USED[::2], USED[1::2], strict=True), start=1)
    ],
    "track": {"GSW": ["München - V29 - Rosenheim"]},
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    options = (("shortest_race", 12),)
    proposal = Proposal(
        kind="dampfross",
        board="bavaria",
        preset="laurin",
        players=SEATS,
        position=json.dumps(POSITION),
        options=options,
    )
    with PostHouse(tmp_path / "club") as made:
        new_game(made.club, proposal, root="root")
        made.tick()
        yield made


def told(house: PostHouse) -> tuple[str, str, Any]:
    """Return the newest letter to Ann, as one line and as HTML, and the position for programs."""
    letter = house.last(ANN)
    html = letter.get_body(("html",))
    position = next(part for part in letter.iter_attachments() if str(part.get_filename()).endswith(".json"))
    return line_of(letter), html.get_content() if html else "", json.loads(position.get_content())


def test_the_opening_names_specials_with_their_places_and_how_many_races_are_drawn(house: PostHouse) -> None:
    text = told(house)[0]
    assert "2 Hessen: Hanau (A6), Schlüchtern (F4)" in text
    assert "Races drawn: 16 of 21. Races to a special: 4, 7, 11, 14, 18, 21. Keys struck off: 11, 12, 13" in text
    assert "Keys left: 61, 62, 63, 65." in text


def test_a_newsletter_tells_which_keys_a_cancelled_race_strikes(house: PostHouse) -> None:
    """Race 17 has no end that is far enough, race 18 goes to a special, which is no key."""
    for name in (ANN, BOB, CYD):
        house.write(name, "PASS")
    house.tick()
    text, html, view = told(house)
    html = html.replace("–", "-")
    for said in (
        "Race 17 from 63 München: no destination far enough; key 63 is struck off",
        "Race 18: 62 München - 4 Böhmen: not connected; key 62 is struck off",
        "Races drawn: 18 of 21. Races to a special: 4, 7, 11, 14, 18, 21. Keys struck off: 11, 12, 13",
        "Keys left: 61, 65.",
    ):
        assert said in text
        assert said in html
    assert view["draws"]["free"] == [61, 65]
    assert len(view["draws"]["struck"]) == 34


def test_with_unlimited_entries_races_long_over_count_for_nothing(house: PostHouse) -> None:
    assert "Each company may enter 1 race." in told(house)[0]
