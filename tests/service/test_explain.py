"""Why something happened: each event of a turn with the paragraph behind it, and its words."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import fields

from referee.core.errors import NotFound
from referee.games import game_named
from referee.service.umpire.explain import explain
from referee.service.umpire.rulings import adjust
from tests.posthouse import ANN, BOB, ROOT, PostHouse
from tests.service.test_running_games import BUILDING, RACING, brought


def letter(house: PostHouse, code: str, text: str) -> None:
    house.write(f"{code.lower()}@example.org", text)


def built(house: PostHouse) -> None:
    """A building round in which MGW joins and follows GSW's line, and is stopped."""
    brought(house, BUILDING)
    house.tick()
    house.clock.advance(hours=1)
    letter(house, "GSW", "ORDERS RR1 4\n4a) (Dundalk) - Z13\nEND")
    letter(house, "MGW", "ORDERS RR1 4\n4a) (Dublin) - AA18 - Z17\n4b) (Dublin) - Drogheda\nEND")
    house.later(days=15)


def test_every_charge_and_refusal_names_its_paragraph(house: PostHouse) -> None:
    built(house)
    told = explain(house.club, "rr1", 4)
    said = {(reason.text, reason.paragraph) for reason in told.reasons}
    assert ("BNC: no orders were received", "") in said
    assert ("MGW lays Dublin - AA18 for 3; 0 of the roll are left", "D2.3") in said
    assert any(text.startswith("MGW pays GSW 1 for ") and number == "D3.2" for text, number in said)
    assert any(text.startswith("MGW pays GSW 2 for ") and number == "D3.3" for text, number in said)
    assert ("MGW goes no further than AA18 with piece 1: AA18 - Z17 costs 1, and 0 are left", "D4.3") in said
    book = game_named("dampfross").rulebook("en")
    assert book is not None
    assert told.paragraphs["D3.2"].title == book.find("D3.2")[0].title
    assert 'With "connection_fee = once" it is due once' in " ".join(told.paragraphs["D3.2"].blocks)
    assert {"D2.3", "D3.2", "D3.3", "D4.3", "D4.4", "D2.1"} <= set(told.paragraphs)
    assert [reason.text.split(":")[0] for reason in told.throws] == ["rolls/5/1", "rolls/5/2", "rolls/5/3"]


def test_what_is_paid_for_is_said_in_the_clubs_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", club__language="de") as house:
        built(house)
        texts = [reason.text for reason in explain(house.club, "RR1", 4).reasons]
    assert "MGW zahlt GSW 1 für Dublin - AB17 (Anschluss)" in texts
    assert "MGW zahlt GSW 2 für Dublin - AB17 (Parallelstrecke)" in texts


def test_a_company_is_told_what_it_did_and_what_was_done_to_it(house: PostHouse) -> None:
    built(house)
    texts = [reason.text for reason in explain(house.club, "RR1", 4, "gsw").reasons]
    assert any(text.startswith("GSW lays ") for text in texts)
    assert any(text.startswith("MGW pays GSW ") for text in texts)
    assert not any("BNC" in text or text.startswith("MGW lays") for text in texts)


def test_places_prizes_and_rulings_are_explained(house: PostHouse) -> None:
    brought(house, RACING)
    house.tick()
    adjust(house.club, "RR1", ["money.BNC-=1"], "BNC's last build was dearer.")
    letter(house, "GSW", "ORDERS RR1 12\nRUN 36: Dublin - Drogheda\nEND")
    house.later(days=15)
    said = [(reason.text, reason.paragraph) for reason in explain(house.club, "RR1", 12).reasons]
    assert said[0] == ("the umpire rules: BNC's last build was dearer.", "U1")
    assert ("GSW is number 1 in race 36", "D6.8") in said
    assert ("GSW gets 20 for place 1 in race 36", "D6.8") in said
    assert ("the game is over; won by GSW", "D9") in said


def test_a_turn_or_company_that_is_not_there_is_one_sentence(house: PostHouse) -> None:
    house.game()
    with pytest.raises(NotFound, match=r"turn 3 of RR1 was not played \(the last is turn 0\)"):
        explain(house.club, "RR1", 3)
    with pytest.raises(NotFound, match=r"there is no company CYD in RR1 \(there is ANN, BOB\)"):
        explain(house.club, "RR1", 0, "CYD")


def test_the_command_prints_the_words_of_a_paragraph_once(house: PostHouse) -> None:
    built(house)
    text = house.command("explain", "RR1", "4").stdout
    assert text.startswith("RR1, turn 4\n\n")
    assert text.count("      D3.3 Building beside a rival:\n") == 1
    assert text.count("[D3.3]") == 2
    assert "as parallel_fee says" in " ".join(text.split())  # as letters quote the rules
    assert "`" not in text
    assert "rolls/5/1: " in text[text.index("Throws:") :]
    plain = json.loads(house.command("explain", "RR1", "4", "MGW", "--json").stdout)
    assert plain["paragraphs"]["D3.2"]["title"] == "Joining a rival's line"
    assert house.command("explain", "RR1", "9").returncode == 65


def test_a_game_without_words_of_its_own_is_told_by_its_kinds(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    house.send(BOB, "STEP 1")
    told = explain(house.club, "RR1", 1, "ANN")
    assert [(reason.text, reason.paragraph) for reason in told.reasons] == [("Step", "T1")]


@pytest.mark.parametrize("name", ["dampfross", "volldampf"])
def test_every_kind_of_event_and_throw_has_its_sentence(name: str) -> None:
    words = tomllib.loads((ROOT / "templates" / name / "words.toml").read_text("utf-8"))
    game = game_named(name)
    assert set(words["event"]) == {kind.__name__ for kind in game.event_kinds}
    for kind in game.event_kinds:
        names = [field.name for field in fields(kind)]
        words["event"][kind.__name__].format_map(dict.fromkeys(names, "x"))
    book = game.rulebook("en")
    assert book is not None
    assert all(book.find(number) for number in words["throw"].values())
