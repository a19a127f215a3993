"""Whole games that are ordered from desks alone come to what the same games came to by letters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.desk.clicks import Clicker, Lines
from tests.desk.pages import desk_of_volldampf, page_of
from tests.games.dampfross import recordedgames as dampfross
from tests.games.dampfross import wholegame as dampfross_game
from tests.games.volldampf import wholegame as volldampf
from tests.games.volldampf import wholegame as volldampf_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.games.recorded import Writer

pytestmark = pytest.mark.browser


def ordered_from_desks(browser: Browser, folder: Path, kind: str, name: str) -> Clicker:
    """Play a recorded game anew, each order set through the desk of its turn; fail where anything comes to something else."""
    recordings: Any = dampfross if kind == "dampfross" else volldampf
    agreed, opening, turns = recordings.recorded_game(name)
    written = {turn.before.turn: turn.lines for turn in turns}
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        clicker = Clicker(page, folder / "desk.html", page_of if kind == "dampfross" else desk_of_volldampf)

        def writer(state: Any, player: str) -> Lines:
            return clicker(state, player, written[state.turn][player])

        assert (opening, [turn.outcome for turn in turns]) == played(kind, agreed, name, writer)
        assert errors == []
    return clicker


def played(kind: str, agreed: Any, name: str, writer: Writer) -> tuple[Any, list[Any]]:
    if kind == "dampfross":
        opening, turns = dampfross_game.play_game(agreed, dampfross.games()[name][1], writer)
        return opening, [turn.outcome for turn in turns]
    started, made = volldampf_game.play_game(agreed, name, writer)
    return started, [turn.outcome for turn in made]


@pytest.mark.testdesk
@pytest.mark.parametrize("name", dampfross.games())
def test_a_game_of_dampfross_from_desks_alone_ends_as_by_letters(browser: Browser, tmp_path: Path, name: str) -> None:
    counted = ordered_from_desks(browser, tmp_path, "dampfross", name).counted
    assert counted["clicked"] > counted["typed"], counted


@pytest.mark.testdesk
@pytest.mark.parametrize("name", volldampf.games())
def test_a_game_of_volldampf_from_desks_alone_ends_as_by_letters(browser: Browser, tmp_path: Path, name: str) -> None:
    counted = ordered_from_desks(browser, tmp_path, "volldampf", name).counted
    assert counted["clicks"] > counted["typed"], counted
