"""An umpire's own words for orders, in the club's folder ``orders``: they are understood beside the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.service.club.positions import OrderLanguages
from tests.posthouse import ANN, PostHouse

STEP = '[verb.STEP]\naliases = ["SCHRITT"]\nhelp = "Bringt dich weiter."\nexample = "SCHRITT 3"\n'


def write(folder: Path, place: str, text: str) -> None:
    path = folder / "orders" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def answered(house: PostHouse, text: str) -> str:
    house.send(ANN, text)
    return house.text(ANN)


def test_a_word_of_the_umpires_is_an_order_and_the_shipped_one_stays_one(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        write(house.folder, "tinyrace/verbs.toml", STEP)
        house.begin()
        assert "- STEP 3" in answered(house, "ORDERS\nSCHRITT 3\nEND")
        assert "- STEP 2" in answered(house, "ORDERS\nSTEP 2\nEND")
        told = answered(house, "HELP")
        assert "SCHRITT 3" in told
        assert "Bringt dich weiter." in told


def test_a_word_for_all_games_is_heard_with_the_next_letter(tmp_path: Path) -> None:
    """No referee has to be started anew for it."""
    with PostHouse(tmp_path / "club") as house:
        house.begin()
        assert "WEITER" in answered(house, "ORDERS\nWEITER\nEND").partition("Not in order:")[2]
        write(house.folder, "common/verbs.toml", '[verb.PASS]\naliases = ["WEITER"]\n')
        assert "You pass" in answered(house, "ORDERS\nWEITER\nEND")
        (house.folder / "orders" / "common" / "verbs.toml").unlink()
        assert "You pass" not in answered(house, "ORDERS\nWEITER\nEND")


def test_a_letter_waits_until_words_that_cannot_be_read_are_mended(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.begin()
        write(house.folder, "common/verbs.toml", "[verb.PASS\n")
        house.write(ANN, "STEP 3")
        for _ in range(4):
            with pytest.raises(ConfigError, match=r"orders/common/verbs\.toml: Expected"):
                house.tick()
        write(house.folder, "common/verbs.toml", "")
        house.tick()
        assert "Orders for turn 1 received" in house.last(ANN)["Subject"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[verbs.PASS]\n", r"there is no verbs \(did you mean verb\?\)"),
        ("verb = 3\n", "verb must be a table"),
        ("[verb]\nPASS = 3\n", r"verb\.PASS must be a table"),
        ("[verb.PAUSE]\naliases = []\n", r"there is no verb\.PAUSE \(did you mean verb\.PASS\?\)"),
        ('[verb.PASS]\nalias = ["X"]\n', r"there is no verb\.PASS\.alias \(did you mean verb\.PASS\.aliases\?\)"),
        ('[verb.PASS]\naliases = "X"\n', r"verb\.PASS\.aliases must be a list"),
        ('[verb.PASS]\naliases = ["clear"]\n', r"verb\.PASS: 'clear' means CLEAR already"),
        ('[verb.PASS]\naliases = ["step"]\n', r"verb\.PASS: 'step' means STEP already"),
        ('[verb.PASS]\naliases = ["X"]\n[verb.CLEAR]\naliases = ["x"]\n', r"verb\.CLEAR: 'x' means PASS already"),
        ('[verb.SALT]\nvalue = "("\n', "missing \\)"),
        (f'[verb.PASS.in]\nde = ["{"X" * 301}"]\n', r"verb\.PASS\.in\.de: a list has texts of at most 300 signs"),
        ("[verb.PASS]\naliases = [1]\n", r"verb\.PASS\.aliases: a list has texts of at most 300 signs"),
    ],
)
def test_what_is_wrong_with_such_words_is_named_with_their_file(tmp_path: Path, text: str, fault: str) -> None:
    write(tmp_path, "common/verbs.toml", text)
    with pytest.raises(ConfigError, match=fault) as caught:
        OrderLanguages(tmp_path / "orders").of("tinyrace")
    assert str(tmp_path / "orders" / "common" / "verbs.toml") in str(caught.value)


def test_lists_are_added_to_and_all_else_is_said_otherwise(tmp_path: Path) -> None:
    shipped = OrderLanguages(tmp_path).of("dampfross")
    write(
        tmp_path,
        "dampfross/verbs.toml",
        '[words]\nOR = ["sonst"]\n[verb.BUILD]\naliases = ["BAUT"]\nexample = "BAUT 1a: ..."\n',
    )
    own = OrderLanguages(tmp_path / "orders").of("dampfross")
    build, before = own.verb("BUILD"), shipped.verb("BUILD")
    assert build
    assert before
    assert {*build.aliases} == {*before.aliases, "BAUT"}
    assert (build.example, build.help) == ("BAUT 1a: ...", before.help)
    assert [term.kind for term in own.words.exactly("sonst")] == ["OR"]
    assert own.words.exactly("oder") == shipped.words.exactly("oder")
