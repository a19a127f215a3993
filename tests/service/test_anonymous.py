"""Anonymous games: until the end nothing that is sent names a player, but what goes to the umpire."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.audit.export import format_revealed, revealed
from referee.service.audit.verify import verify_game
from referee.service.post.observers import watch_code
from referee.service.seats import replace_player
from referee.service.site.publish import publish
from referee.service.turns.newgames import new_game
from referee.service.turns.opengames import open_game, signup_list, start
from referee.service.turns.proposals import Proposal, parse_player, parse_proposal, read_proposal
from referee.service.turns.reprint import faces_of_turn
from referee.store import games, seats
from tests.bothgames import BOARDS
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse

CECIL, EVE = "cecil@example.com", "eve@example.com"
NAMES = ("Annabel", "Bertram", "Cecilia")
PLAYERS = tuple(map(parse_player, (f"GSW:red:Annabel Stone <{ANN}>", f"MGW:blue:Bertram Flint <{BOB}>")))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        told = Proposal(kind="tinyrace", board="line", players=PLAYERS, rhythm={"days": 7}, anonymous=True)
        assert new_game(made.club, told) == "RR1"
        made.tick()
        yield made


def say(house: PostHouse, player: str, text: str) -> None:
    house.reply([each for each in house.post(player) if each["Reply-To"]][-1], text)


def named(house: PostHouse) -> list[str]:
    """Return which letters of ours name a player, but for those to the umpire."""
    ours = [each for each in house.post() if UMPIRE not in str(each["To"])]
    return [
        f"{each['To']}: {each['Subject']}"
        for each in ours
        for part in each.walk()
        if any(name in f"{each.items()}{part.get_content() if not part.is_multipart() else ''}" for name in NAMES)
    ]


def test_nothing_sent_over_a_whole_game_names_a_player_before_its_end(house: PostHouse) -> None:
    house.send(EVE, f"WATCH {watch_code(house.club, 'RR1')}")
    house.reply(house.post(EVE)[0], "CONFIRM")
    say(
        house,
        ANN,
        "STATUS\nMAP\nHELP\nRESEND\nORDERS?\nPRESS: All aboard!\nEND PRESS\nPRESS TO MGW: Shall we?\nEND PRESS",
    )
    say(house, ANN, "STANDBY\nABSENT 2026-12-20 to 2026-12-21\nNO STANDBY\nADDRESS annabel@new.example")
    say(house, BOB, "WHATIF\nSTEP 2\nEND\nRESIGN FOR GOOD")
    replace_player(house.club, "RR1", "MGW", f"Cecilia Wood <{CECIL}>", "Bertie has left.")
    house.tick()
    while games.game(house.club.db, "RR1").status == "running":
        assert named(house) == []
        assert not any(name in format_revealed(revealed(house.club, "RR1")) for name in NAMES)
        for player in (ANN, CECIL):
            say(house, player, "STEP 3")
    last = [house.text(reader, "Who played") for reader in (ANN, CECIL, EVE)]
    assert ["GSW: Annabel Stone\nMGW: Cecilia Wood" in each for each in last] == [True] * 3
    assert not verify_game(house.club, "RR1").faults
    assert {row["name"] for row in house.rows("SELECT name FROM players")} == {"Annabel Stone", "Cecilia Wood"}


def test_who_stands_by_is_on_the_list_by_his_own_name(house: PostHouse) -> None:
    say(house, ANN, "STANDBY")
    assert [each.name for each in seats.standbys(house.club.db)] == ["Annabel Stone"]


def test_who_signs_up_for_an_anonymous_game_is_told_of_no_name(house: PostHouse) -> None:
    row = open_game(house.club, Proposal(kind="tinyrace", board="line", anonymous=True), 3)
    word = signup_list(house.club, row.id).word
    for sender, name in ((CECIL, "Cecilia Wood"), (EVE, "Bertram Flint")):
        house.send(sender, word, subject="a seat", From=f"{name} <{sender}>")
        house.reply(house.last(sender), "CONFIRM")
    told = house.told(EVE)
    assert "Seats: 2 of 3 taken" in told
    assert "known by their companies alone" in told
    _, seats = start(house.club, row.id)
    house.tick()
    assert [each.code for each in seats] == ["CO1", "CO2"]
    opening = house.text(EVE, "Who got which seat")
    assert "1. CO1: CO1, red, without a wish" in opening
    assert not any(name in opening for name in NAMES)


def test_a_file_says_that_a_game_is_anonymous(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text('game = "tinyrace"\nanonymous = true\n', "utf-8")
    assert read_proposal(file).anonymous
    assert parse_proposal('{"anonymous": true}').anonymous
    assert not parse_proposal("{}").anonymous


@pytest.mark.testlong
def test_no_face_of_an_anonymous_game_names_a_player(tmp_path: Path) -> None:
    """Neither a letter with its page, pictures and files, nor the newsletter for print, nor the club's pages, desks and film."""
    with PostHouse(tmp_path / "club", publish__names="names") as house:
        players = (*PLAYERS, parse_player(f"BNC:green:Cecilia Wood <{CECIL}>"))
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=players, anonymous=True))
        house.tick()
        house.send(ANN, "FORMAT HTML\nATTACH SVG JSON ICS DESK")
        for player, town in ((ANN, "Belfast"), (BOB, "Dublin"), (CECIL, "Galway")):
            house.write(player, f"HOME {town} OR Dublin OR Belfast OR Cork\nPASS")
        assert house.later(days=15).turns == ("RR1/1",)
        assert named(house) == []
        house.send(ANN, "APPEAR AS Annabel Stone")
        files = {code: faces_of_turn(house.club, "RR1", 1, code) for code in ("GSW", "MGW", "BNC")}
        publish(house.club, tmp_path / "pages")
        pages = {path: path.read_bytes() for path in (tmp_path / "pages").rglob("*") if path.is_file()}
        faces = [(Path(code, name), raw) for code, each in files.items() for name, raw in each.items()]
        told = [*pages.items(), *faces]
        assert {".html", ".svg", ".json", ".png", ".txt", ".ics", ".xml"} <= {path.suffix for path, _ in told}
        assert [path for path, raw in told if any(each.encode() in raw for each in NAMES)] == []
        assert any("desk" in str(path) for path, _ in told)


@pytest.mark.parametrize(("kind", "board"), BOARDS.items())
def test_who_is_known_by_his_company_alone_is_named_once(house: PostHouse, kind: str, board: str) -> None:
    players = (*PLAYERS, parse_player(f"BNC:green:Cecilia Brook <{CECIL}>"))
    new_game(house.club, Proposal(kind=kind, board=board, players=players, rhythm={"days": 7}, anonymous=True))
    house.tick()
    opening = house.text(CECIL)
    assert re.findall(r"^[A-Z]{3} \(.*", opening, re.MULTILINE) == ["GSW (red)", "MGW (blue)", "BNC (green)"]
