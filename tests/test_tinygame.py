"""The tiny game is the worked example of a game that is not ours: one small folder, played by mail like any other."""

from __future__ import annotations

from pathlib import Path

from referee.core.game import ONE_BY_ONE
from referee.service.audit.replay import replay
from tests.posthouse import ANN, BOB, PostHouse

FOLDER = Path(__file__).parent / "tinygame"
MOST_LINES = 300  # that docs/house.md promises, "a few hundred", with templates and order language


def test_a_game_is_one_folder_of_few_lines() -> None:
    files = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in (".py", ".toml", ".lark", ".j2")]
    assert {path.parent.name for path in files} == {"tinygame", "orders", "templates"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < MOST_LINES


def test_it_is_played_by_mail_to_its_end(house: PostHouse) -> None:
    """Both write a letter a turn; the last newsletter says that it is over, and a replay gives the same events."""
    house.game()
    turns = 0
    while house.value("SELECT status FROM games") != "finished":
        turns += 1
        assert turns <= 12, "even a step of one place a turn comes to the goal"
        house.write(ANN, "STEP 2")
        house.write(BOB, "ORDERS\nSTEP 3\nEND")
        assert house.tick().turns == (f"RR1/{turns}",)
    for player in (ANN, BOB):
        last = house.text(player, containing="The race is over.")
        assert "BOB stands on " in last
    assert [each.differs for each in replay(house.club, "RR1")] == [()] * (turns + 1)


def test_it_is_played_one_by_one_to_its_end(house: PostHouse) -> None:
    house.game(pace=ONE_BY_ONE)
    turn = 0
    while house.value("SELECT status FROM games") != "finished":
        turn += 1
        assert turn <= 24
        house.write(ANN if turn % 2 else BOB, "STEP 3")
        assert house.tick().turns == (f"RR1/{turn}",)
    assert "The race is over." in house.text(BOB)
