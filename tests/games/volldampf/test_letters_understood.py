"""The letters in ``orders/letters`` that are for Volldampf: which orders each gives, and what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from referee.core.orders import Complaint
from referee.games.volldampf.notation import format_order
from referee.games.volldampf.understand import understand
from referee.mail.letter.message import read_letter
from tests.games.volldampf.desk import at, read

LETTERS = sorted((Path(__file__).parents[3] / "orders/letters").glob("volldampf-*.eml"))


def _spelt(complaint: Complaint) -> str:
    hint = f" -> {complaint.hint}" if complaint.hint else ""
    return f"{complaint.line} {complaint.code}{hint}"


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_gives_the_orders_that_its_expectation_says(file: Path) -> None:
    expected = tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))
    state = at(expected["stage"])
    understood = understand(state, "ANN", read(state, read_letter(file.read_bytes()).text).phrases)
    assert [format_order(state, order) for order in understood.orders] == expected["orders"]
    assert [_spelt(complaint) for complaint in understood.complaints] == expected["refused"]


def test_there_are_letters_for_every_kind_of_letter_of_a_round() -> None:
    stages = {tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))["stage"] for file in LETTERS}
    assert stages == {"opening", "auction", "build", "trips"}
    assert len(LETTERS) >= 8
