"""What built-in players print of the round that was."""

from typing import Any

import pytest

from referee.bots import MANNERS, remark_on
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.service.umpire.colleagues import press_by

# How all stand after each round, and what A says after the last of them.
TABLES = {
    "it takes the lead": ({"A": [19, 30], "B": [20, 25], "C": [20, 22]}, ("lead", "B", 11)),
    "it was first before, as others were": ({"A": [20, 30], "B": [20, 25], "C": [20, 22]}, ("best", "B", 10)),
    "it loses the lead": ({"A": [20, 30, 31], "B": [20, 25, 40], "C": [20, 22, 23]}, ("lost", "B", 1)),
    "it passes another": ({"A": [20, 21, 30], "B": [20, 25, 26], "C": [20, 40, 41]}, ("passed", "B", 9)),
    "another passes it": ({"A": [20, 24, 26], "B": [20, 22, 30], "C": [20, 40, 41]}, ("beaten", "B", 2)),
    "nobody earned more": ({"A": [19, 30, 40], "B": [20, 25, 26], "C": [20, 22, 23]}, ("best", "B", 10)),
    "all earned more": ({"A": [20, 30, 31], "B": [20, 21, 23], "C": [20, 22, 25]}, ("poor", "C", 1)),
    "it is last": ({"A": [5, 6], "B": [20, 21], "C": [20, 22]}, ("last", "B", 1)),
    "nothing happened to it": ({"A": [20, 21], "B": [20, 22], "C": [10, 10]}, None),
    "it has said so before": ({"A": [19, 30, 40, 50], "B": [20, 25, 26, 27], "C": [20, 22, 23, 24]}, None),
    "no round was played": ({"A": [20], "B": [20], "C": [20]}, None),
}


def seen(totals: dict[str, list[int]], **more: Any) -> dict[str, Any]:
    return {"totals": totals, "asked": None, "round": max(map(len, totals.values()), default=0), **more}


@pytest.mark.parametrize(("totals", "said"), TABLES.values(), ids=TABLES)
def test_a_remark_is_about_the_round_that_was(totals: dict[str, list[int]], said: tuple[str, str, int] | None) -> None:
    remark = remark_on(seen(totals), "A")
    assert (remark and (remark.topic, remark.rival, remark.gain)) == said


def test_each_has_a_manner_of_its_own_and_speaks_once_a_round() -> None:
    totals = {code: [0, number] for number, code in enumerate("ABCDEF", 1)}
    remarks = [remark_on(seen(totals), code) for code in "AF"]
    assert len({each.manner for each in remarks if each}) == 2
    later = {"totals": {}, "rounds": totals, "asked": {}, "stage": "build"}
    assert not remark_on(later, "F")
    assert remark_on({**later, "stage": "opening"}, "F")


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_every_remark_is_a_sentence_in_every_language(language: str) -> None:
    stationery = Stationery(lambda game: template_folders(game, None))
    values = {"company": "Ostbahn", "rival": "Westbahn", "gain": 7}
    topics = ("lead", "lost", "passed", "beaten", "best", "poor", "last")
    say = stationery.sentences("", language).word
    told = [say(f"press-{manner}", topic, **values) for manner in MANNERS for topic in topics]
    assert len({*told}) == len(told)
    assert all(each[-1] in ".!?" and "{" not in each for each in told)


def test_companies_are_named_not_those_who_lead_them() -> None:
    stationery = Stationery(lambda game: template_folders(game, None))
    players = [
        {"code": "A", "name": "Built-in player A", "company": "Ostbahn"},
        {"code": "B", "name": "You", "company": "Westbahn"},
    ]
    _, line, _ = press_by(stationery, "en", seen({"A": [19, 30], "B": [20, 25]}, players=players), "A")
    assert line == "PRESS: After round 1: Look up, everybody: that small dot in front is Ostbahn."
    incomes = {"A": [20, 30], "B": [20, 25]}
    volldampf = {"rounds": incomes, "round": 2, "stage": "opening", "players": players, "asked": None}
    assert press_by(stationery, "en", volldampf, "A")[1].startswith("PRESS: By income, after round 1: ")
