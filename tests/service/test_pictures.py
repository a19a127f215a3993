"""MAP: the board is drawn while anybody else may write to the store, and once for all who ask."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from referee.service.club import pictures
from referee.service.club.pictures import KEPT, Pictures, Undrawn
from referee.service.tick import tick
from referee.store.games import game
from tests.posthouse import ANN, BOB, PostHouse


class Watched(Pictures):
    """Pictures that try, while they draw, to write to the store as another process does."""

    def __init__(self, database: Path) -> None:
        super().__init__()
        self.database = database
        self.drew: list[pictures.Key] = []

    def draw(self, lacking: Undrawn) -> None:
        other = sqlite3.connect(self.database, timeout=0)
        other.execute("BEGIN IMMEDIATE")
        other.close()
        self.drew.append(lacking.key)
        super().draw(lacking)


def files(house: PostHouse, reader: str) -> list[str | None]:
    return [part.get_filename() for part in house.post(reader)[-1].iter_attachments()]


@pytest.fixture
def house(tmp_path: Path) -> PostHouse:
    made = PostHouse(tmp_path / "club")
    made.game()
    made.tick()
    return made


def test_while_a_board_is_drawn_others_can_write_and_it_is_drawn_once(house: PostHouse) -> None:
    watched = Watched(house.club.config.database)
    house.write(ANN, "MAP\nPRESS TO BOB: look at the map")
    house.write(BOB, "MAP")
    tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
    assert len(watched.drew) == 1
    for reader in (ANN, BOB):
        assert files(house, reader) == ["RR1-turn-0.svg", "RR1-turn-0.png"]
    # What was undone for the drawing was done once.
    assert len(house.post(BOB, "look at the map")) == 1
    assert [row["status"] for row in house.rows("SELECT status FROM letters")] == ["done", "done"]
    assert len(house.rows("SELECT * FROM press")) == 1


def test_a_letter_that_was_held_gets_its_board_too(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.game()
        house.tick()
        house.write(ANN, "STEP 3\nMAP")
        house.tick()
        house.answer(house.post(ANN, "Is this letter yours?")[-1], "CONFIRM")
        watched = Watched(house.club.config.database)
        tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
        assert len(watched.drew) == 1
        assert files(house, ANN) == ["RR1-turn-0.svg", "RR1-turn-0.png"]


def test_after_a_turn_the_board_is_drawn_anew(house: PostHouse) -> None:
    watched = Watched(house.club.config.database)
    for turn in (0, 1):
        house.write(ANN, "MAP")
        tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
        assert files(house, ANN)[0] == f"RR1-turn-{turn}.svg"
        house.clock.advance(days=8)
        house.tick()
    assert len(set(watched.drew)) == 2


def test_without_a_renderer_the_map_comes_as_svg_alone(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.report.png._RENDER", "raise SystemExit(1)")
    house.write(ANN, "MAP")
    house.tick()
    assert files(house, ANN) == ["RR1-turn-0.svg"]


def test_only_the_last_pictures_are_kept(house: PostHouse) -> None:
    position = house.club.positions.of(house.club.db, game(house.club.db, "RR1"))
    drawn = Pictures()
    keys = [("RR1", str(number), "en") for number in range(KEPT + 1)]
    for key in keys:
        drawn.draw(Undrawn(key, lambda: position.rules.drawing(position.state, str)))
    assert drawn.of(keys[-1], lambda: position.rules.drawing(position.state, str)).png
    with pytest.raises(Undrawn):
        drawn.of(keys[0], lambda: position.rules.drawing(position.state, str))
