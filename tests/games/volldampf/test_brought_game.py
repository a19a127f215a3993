"""A running game of Volldampf comes to the referee in a file, and goes on by post from there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import read_proposal
from tests.posthouse import ROOT, PostHouse, text_of

DOCS = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
BROUGHT = next(
    block
    for block in re.findall(r"^```toml\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)
    if "deutschland" in block and "address" in block
)
ANN, BOB, CYD = "ann@example.org", "bob@example.org", "cyd@example.org"


def brought(folder: Path) -> PostHouse:
    """Return a club to which the game was brought, and whose letters were sent."""
    house = PostHouse(folder / "club")
    file = folder / "position.toml"
    file.write_text(BROUGHT, "utf-8")
    new_game(house.club, read_proposal(file))
    house.tick()
    return house


def test_the_command_makes_the_game(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        file = tmp_path / "position.toml"
        file.write_text(BROUGHT, "utf-8")
        made = house.command("game", "new", "--from", str(file))
        assert (made.returncode, made.stderr) == (0, "")
        assert len(house.rows("SELECT id FROM games")) == 1


def test_everybody_gets_a_letter_with_the_position(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        for player in (ANN, BOB, CYD):
            (letter,) = house.post(player)
            assert "goes on from round 2" in str(letter["Subject"])
            assert "CYD: Erfurt-Leipzig" in text_of(letter)


def test_a_letter_shows_nobody_elses_cards(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        for player, code in ((ANN, "ANN"), (BOB, "BOB"), (CYD, "CYD")):
            (letter,) = house.post(player)
            assert [card in text_of(letter) for card in ("Zusatzfracht", "Sabotage")] == [code == "ANN", code == "CYD"]
            (told,) = (
                part.get_content() for part in letter.iter_attachments() if str(part.get_filename()).endswith(".json")
            )
            view = json.loads(told)
            seen = {each["code"]: each["actions"] for each in view["players"]}
            hands = {"ANN": ["Zusatzfracht"], "BOB": [], "CYD": ["Sabotage"]}
            assert seen == {each: hands[each] if each == code else None for each in hands}


def test_orders_are_for_the_letter_that_the_position_names(tmp_path: Path) -> None:
    with brought(tmp_path) as house:
        game = house.value("SELECT id FROM games")
        house.send(ANN, "BUILD 1: Berlin-Stettin\n", f"Re: [{game}] build")
        (answer,) = house.post(ANN)[1:]
        assert "BUILD 1: Stettin-Berlin" in text_of(answer)


def test_a_position_with_faults_makes_no_game(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        file = tmp_path / "position.toml"
        file.write_text(
            BROUGHT.replace('"Hamburg-Hannover"', '"Hamburg-Hanover"').replace("Hamburg-Berlin", "Hamburg-Wien"),
            "utf-8",
        )
        made = house.command("game", "new", "--from", str(file))
        assert made.returncode != 0
        assert "there is no link 'Hamburg-Wien'" in made.stderr
        assert house.rows("SELECT id FROM games") == []
