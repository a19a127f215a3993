"""Boards in the language of who reads them; points banked for a bridge, told in every letter that should tell them."""

from __future__ import annotations

from gettext import NullTranslations

from msgspec.structs import replace

from referee.report.renderer import svg
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.service.tick import tick
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import read_proposal
from referee.service.umpire.overview import board_drawing
from referee.store.database.database import transaction
from tests.posthouse import PostHouse, text_of

GERMAN = {
    "{map} after round {round}": "{map} nach Runde {round}",
    "city with its key": "Stadt mit Schlüsselzahl",
    "red": "rot",
}

GAME = """
game = "dampfross"
map = "strait"
options = { rolls_per_round = 2 }

[[player]]
code = "GSW"
colour = "red"
name = "Ann"
address = "ann@example.org"

[[player]]
code = "MGW"
colour = "blue"
name = "Bob"
address = "bob@example.org"

[[player]]
code = "BNC"
colour = "green"
name = "Cyd"
address = "cyd@example.org"

[position]
round = 2
rolls = [3, 5]
homes = { GSW = "Aber", MGW = "Bor", BNC = "Bor" }
"""
STRAIT = """
format = "rrmap-1"
id = "strait"
title = "The Strait"
cols = 6
rows = 4
home_areas = ["N"]
foreign_build = "none"

[areas]
N = "Shore"

[home_terminals]
any = ["Aber", "Bor"]

[[station]]
numbers = [11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36]
name = "Aber"
hex = "A1"

[[station]]
numbers = [41, 42, 43, 44, 45, 46, 51, 52, 53, 54, 55, 56, 61, 62, 63, 64, 65, 66]
name = "Bor"
hex = "F1"

[[bridge]]
name = "Great Bridge"
edges = "B1-C1"
points = 9
banked = true

[[causeway]]
name = "Dam"
edges = "D1-E1"

[cells]
grid = \"\"\"
     A  B  C  D  E  F
 1: N. N. N. N. N. N.
 2: ~~ ~~ ~~ ~~ ~~ ~~
 3: ~~ ~~ ~~ ~~ ~~ ~~
 4: ~~ ~~ ~~ ~~ ~~ ~~
\"\"\"
"""


class German(NullTranslations):
    """A small catalogue."""

    def gettext(self, message: str) -> str:
        return GERMAN.get(message, message)


def languages(language: str) -> NullTranslations:
    return German() if language == "de" else NullTranslations()


def begun(house: PostHouse) -> str:
    (house.folder / "maps").mkdir(exist_ok=True)
    (house.folder / "maps" / "strait.toml").write_text(STRAIT, "utf-8")
    file = house.folder / "game.toml"
    file.write_text(GAME, "utf-8")
    return new_game(house.club, read_proposal(file), root="root of the chain")


def test_a_board_speaks_the_language_of_the_club(house: PostHouse) -> None:
    """Heading, legend and colours come from the catalogue; without one they are English."""
    game = begun(house)
    stationery = Stationery(lambda name: template_folders(name, None), translations=languages)
    tools = house.club.tools.having(stationery=stationery)
    german = replace(house.club, tools=tools, config=replace(house.club.config, language="de"))
    assert ">The Strait nach Runde 1<" in svg(board_drawing(german, game))
    assert ">Stadt mit Schlüsselzahl<" in svg(board_drawing(german, game))
    assert ">rot" in svg(board_drawing(german, game))
    assert ">city with its key<" in svg(board_drawing(house.club, game))


def test_every_player_gets_the_board_in_his_own_language(house: PostHouse) -> None:
    """A language is drawn once; who reads another one gets another board."""
    begun(house)
    with transaction(house.club.db):
        house.club.db.execute("UPDATE players SET language = 'de' WHERE code = 'MGW'")
    stationery = Stationery(lambda name: template_folders(name, None), translations=languages)
    for name in ("ann", "bob", "cyd"):
        house.write(f"{name}@example.org", "ORDERS RR1 2\nPASS\nEND", subject="Re: [RR1] orders")
    tick(replace(house.club, tools=house.club.tools.having(stationery=stationery)))
    ann, bob, cyd = (_board_of(house, name) for name in ("ann", "bob", "cyd"))
    assert ">The Strait nach Runde 2<" in bob
    assert ">Stadt mit Schlüsselzahl<" in bob
    assert ">The Strait after round 2<" in ann
    assert ann == cyd


def _board_of(house: PostHouse, name: str) -> str:
    """Return the board that came with a player's newsletter of round 2."""
    (letter,) = house.post(f"{name}@example.org", "Round 2 of 12")
    (board,) = [part for part in letter.iter_attachments() if part.get_content_type() == "image/svg+xml"]
    content = board.get_content()
    return content.decode("utf-8") if isinstance(content, bytes) else str(content)


def test_points_banked_for_a_bridge_are_told_in_answer_and_newsletter(house: PostHouse) -> None:
    """Rule: R28."""
    begun(house)
    house.tick()
    house.write("ann@example.org", "ORDERS RR1 2\n2a) (Aber) - B1 - C1\n2b) none\nEND", subject="Re: [RR1] orders")
    house.write("bob@example.org", "ORDERS RR1 2\nPASS\nEND", subject="Re: [RR1] orders")
    house.send("cyd@example.org", "ORDERS RR1 2\n2a) (Bor) - D1\nEND", subject="Re: [RR1] orders")
    (answer,) = house.post("ann@example.org", "Orders for turn 2 received")
    assert "2a) (Aber) - B1 - C1\n  | on today's board: (Aber) - B1\n  | roll 3: costs 3, 0 left\n" in text_of(answer)
    assert "  | 2 points banked for Great Bridge: 2 of 9 so far\n" in text_of(answer)
    (newsletter,) = house.post("bob@example.org", "Round 2 of 12")
    told = text_of(newsletter)
    assert "  2a) roll 3: (Aber) - B1\n      Prices: plain to plain, cities too: 1 [D2.3]\n" in told
    assert "[D2.3]\n      2 points banked for Great Bridge: 2 of 9 so far\n" in told
    assert "GSW has banked 2 of the 9 points for Great Bridge.\n" in told


def test_a_causeway_is_crossed_for_nothing(house: PostHouse) -> None:
    """Rule: R29: of a roll of 3 one point is left, for the second hex-side of three costs nothing."""
    begun(house)
    house.tick()
    house.send("cyd@example.org", "ORDERS RR1 2\n2a) (Bor) - E1 - D1 - C1\nEND", subject="Re: [RR1] orders")
    (answer,) = house.post("cyd@example.org", "Orders for turn 2 received")
    assert "2a) (Bor) - E1 - D1 - C1\n  | roll 3: costs 2, 1 left\n" in text_of(answer)
