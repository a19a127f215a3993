"""The score table of a newsletter: every account line by line, every race and payment column by column."""

from __future__ import annotations

from typing import Any

from referee.games.dampfross.intake.notation import money_of
from referee.games.dampfross.position.events import CityConnected, Event, FeePaid, TrackLaid
from referee.games.dampfross.position.state import BUILD, State

RACE_SUMS = (0, 20, 30)  # what the prizes of a race can come to. Rule: D6.7-D6.9


def score_table(played: State, after: State, races: list[dict[str, Any]], events: tuple[Event, ...]) -> dict[str, Any]:
    """Return the table: brought forward, a column for each race that was run and for building, carried forward, with sums.

    ``balanced``: every line adds up, fees sum to nothing, and each race's column to its prizes less ``neutral``, the tolls
    that went to the neutral railway. *played*: the position after the turn, labelled as the round that was played.
    """
    building = tuple(event for event in events if isinstance(event, TrackLaid | FeePaid | CityConnected))
    run = [race for race in races if race["status"] == "run"]
    rows = []
    for code in after.table.codes:
        built = _building_cells(played, money_of(code, building))
        cells = [balance_before(after, code, events), *(race["changes"][code] for race in run), *built]
        rows.append({"code": code, "cells": [*cells, after.balance[code]]})
    sums = [sum(row["cells"][index] for row in rows) for index in range(len(rows[0]["cells"]))]
    balanced = all(race["sum"] + race["neutral"] in RACE_SUMS for race in races)
    if played.phase == BUILD:
        _, _, received, paid, _ = sums
        balanced = balanced and received + paid == 0
    crossed = all(sum(row["cells"][:-1]) == row["cells"][-1] for row in rows)
    return {
        "races": [race["number"] for race in run],
        "rows": rows,
        "sums": sums,
        "neutral": sum(race["neutral"] for race in run),
        "balanced": balanced and crossed,
    }


def balance_before(after: State, code: str, events: tuple[Event, ...]) -> int:
    """Return a company's balance before the turn."""
    return after.balance[code] - int(money_of(code, events)["change"])


def _building_cells(played: State, money: dict[str, Any]) -> list[int]:
    """Return bonus, fees received and fees paid of a building round, or the one column of a racing round's builds."""
    received = sum(entry["amount"] for entry in money["received"])
    paid = sum(entry["amount"] for entry in money["paid"])
    if played.phase == BUILD:
        return [money["bonus"], received, -paid]
    return [money["change"]]
