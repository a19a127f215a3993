"""Every complaint that the rules and the order language of Volldampf can make has its sentence, filled in without holes."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from referee.core.orders import ALTERNATIVE, Complaint
from referee.games.volldampf.state import State
from referee.report.folders import merged_toml
from tests.games.volldampf.desk import at, foreseen, meant

ROOT = Path(__file__).parents[3]
CATALOGUE = merged_toml((ROOT / "templates/volldampf", ROOT / "templates/common"), "complaints.toml")


def _all(state: State, text: str) -> list[Complaint]:
    return [*meant(state, text).complaints, *foreseen(state, text).complaints]


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (
            "opening",
            (
                "BONDS 90\nLIMIT 900\nRANK greeen, 9, brown+brown\nNEW: green / pink\nMOVE 1: blue Berlin-Leipzig\nLIMIT 3\n"
                "PLAN BEFORE BONDS: red FROM Prag TO Prag\nPLAN AFTER CHOOSE: red FROM Prag TO Wien\nBID 3, 2"
            ),
        ),
        (
            "build",
            (
                "BUILD 1: Hamburg-Wien OR Hamburg-Bremen OR Hamburg-Hannover WITH pink\nBUILD 9: none\nBUILD: none\nBONDS 3\n"
                "SABOTAGE Ann: red\nSABOTAGE Bobb: red\nSABOTAGE: red\nSTEAL FROM ANN\nBUILD 2: Bremen-Essen BARGAIN"
            ),
        ),
        (
            "trips",
            (
                "MOVE 1: red Prag-Wien OR vilet Prag-Wien OR blue Erfurt-Leipzig-Erfurt OR red FROM Wien TO Prag OR DECLINE OR "
                "blue Berlin-Leipzig\nEXTRA 1: blue Wien, blue Prag\nEXTRA 2: Wien\nSUBSIDY: DECLINE OR blue Berlin-Leipzig\n"
                "SUBSIDY 4: violet FROM Magdeburg TO Erfurt\nPLAN AFTER MOVE 2: red FROM Prag TO Wien\nRUN 7: 12 - 44"
            ),
        ),
    ],
)
def test_each_complaint_of_the_order_language_fills_its_sentence(stage: str, text: str) -> None:
    options = {"bond_limit": 3}
    found = _all(at(stage, options=options), f"ORDERS\n{text}\nEND")
    assert len(found) > 8
    for complaint in found:
        given = {"text", "hint", *dict(complaint.params)}
        entry = CATALOGUE[complaint.code.removeprefix(ALTERNATIVE)]
        asked = {name for each in entry.values() for _, name, _, _ in Formatter().parse(each) if name}
        assert asked <= given, complaint.code


def test_each_complaint_names_its_paragraph_unless_it_is_about_the_writing() -> None:
    found = foreseen(at("build"), "BUILD 1: Hamburg-Bremen\nBUILD 2: Bremen-Essen\nSABOTAGE: ANY").complaints
    assert found
    assert all(complaint.paragraph.startswith("V") for complaint in found)
