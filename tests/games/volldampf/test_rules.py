"""Where rules turn: scenarios on one board, in ``rules.toml``; and what a standing order waits for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf.state import Sabotage, Target
from referee.games.volldampf.transport import fits, may_plan
from referee.scenario.file import scenarios_in
from referee.scenario.run import run_scenario, verdict_lines
from tests.games.volldampf.tables import opened

TABLE: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))


@pytest.mark.parametrize("row", TABLE["scenario"], ids=lambda row: row["title"])
def test_a_rule_turns_where_its_scenario_says(row: Mapping[str, Any]) -> None:
    for scenario in scenarios_in({**TABLE["base"], **row}, row["title"]):
        result = run_scenario(scenario)
        assert not result.differences, "\n".join(verdict_lines(result))


ANY = Sabotage(targets=(Target(),))
FROM_CELLE = Sabotage(targets=(Target(colour="blue", origin="CEL"),), victim="ANN")


@pytest.mark.parametrize(
    ("order", "waits"),
    [
        (ANY, True),
        (Sabotage(targets=()), True),
        (FROM_CELLE, True),
        (replace(FROM_CELLE, victim="CID"), False),
        (replace(ANY, trip=2), True),
        (replace(ANY, trip=1), False),
        (Sabotage(targets=(Target(colour="red"),)), False),
        (Sabotage(targets=(Target(goal="BON"),)), True),
        (Sabotage(targets=(Target(goal="EMD"),)), False),
        (Sabotage(targets=(Target(passing="EMD"),)), True),
        (Sabotage(targets=(Target(passing="BON"),)), True),
        (Sabotage(targets=(Target(passing="CEL"),)), False),
        (Sabotage(targets=(Target(colour="blue", origin="FUL"),)), False),
        (Sabotage(targets=(Target(colour="red"), Target(origin="CEL"))), True),
    ],
)
def test_an_order_waits_for_whom_when_and_what_it_names(order: Sabotage, waits: bool) -> None:
    """Rule: V9: against ANN's second trip with a blue cube by Celle, Emden, Bonn."""
    assert fits(order, "ANN", 2, "blue", ("CEL", "EMD", "BON")) is waits


@pytest.mark.parametrize(("option", "first"), [("3-6", 3), ("5-6", 5), ("6", 6)])
def test_the_phases_in_which_neue_planung_is_played_are_an_option(option: str, first: int) -> None:
    """Rule: DIFF 62."""
    phases = {"bonds": 3, "bid": 4, "choose": 4, "build": 5, "move": 6, "subsidy": 6}
    state = opened(2, neue_planung_phases=option)
    assert {what: may_plan(state, what) for what in phases} == {what: phases[what] >= first for what in phases}
