"""Which of several sets of a player counts, and which of his texts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from msgspec.structs import replace

from referee.service.letters.interpretation import newest_texts, set_to_confirm, set_to_run
from referee.store.database.rows import OrderSet, PressRow
from tests.store.test_store import NOW, a_set

CLEAN, FAULTY = a_set(id=1), a_set(id=2, clean=False)


@pytest.mark.parametrize(
    ("filed", "runs"),
    [
        ([], None),
        ([CLEAN], 1),
        ([FAULTY], 2),
        ([FAULTY, replace(FAULTY, id=3)], 3),
        ([CLEAN, FAULTY], 1),
        ([FAULTY, CLEAN], 1),
        ([CLEAN, replace(FAULTY, confirmed=True)], 2),
        ([CLEAN, replace(FAULTY, confirmed=True), replace(CLEAN, id=3)], 3),
        ([replace(CLEAN, withdrawn=True), FAULTY], 2),
        ([replace(FAULTY, doubtful=True)], None),
        ([replace(FAULTY, doubtful=True, confirmed=True)], 2),
        ([replace(CLEAN, player="BOB")], None),
    ],
)
def test_the_newest_clean_or_confirmed_set_runs_else_the_newest_faulty(filed: list[OrderSet], runs: int | None) -> None:
    found = set_to_run(filed, "ANN")
    assert (found.id if found else None) == runs


def test_a_clean_set_after_a_faulty_one_leaves_nothing_to_confirm() -> None:
    assert set_to_confirm([CLEAN, FAULTY], "ANN") == FAULTY
    assert set_to_confirm([FAULTY, CLEAN], "ANN") is None
    assert set_to_confirm([replace(FAULTY, withdrawn=True)], "ANN") is None


def test_of_each_player_the_newest_press_is_printed() -> None:
    texts = [("ANN", "old"), ("BOB", "hello"), ("ANN", "new")]
    told = {"game": "RR1", "turn": 1, "letter": None, "kind": "press"}
    rows = [
        PressRow(player=player, text=text, arrived=NOW + timedelta(minutes=minute), **told)  # type: ignore[arg-type]
        for minute, (player, text) in enumerate(texts)
    ]
    assert (
        [row.text for row in newest_texts(rows)] == [row.text for row in newest_texts(rows[::-1])] == ["hello", "new"]
    )
