"""Where templates and order languages are found in a checkout; the wheel has its own test."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.resources import order_texts, own_verbs, shipped, template_folders

ROOT = Path(__file__).parent.parent


def test_a_checkout_has_its_folders_beside_the_package() -> None:
    assert Path(str(shipped("templates"))) == ROOT / "templates"
    assert Path(str(shipped("orders"))) == ROOT / "orders"


def test_a_folder_that_was_not_shipped_is_a_fault_of_the_installation() -> None:
    with pytest.raises(ConfigError, match="timetables"):
        shipped("timetables")


def test_a_game_has_the_common_verbs_its_own_and_a_grammar() -> None:
    texts = order_texts("dampfross")
    assert "[verb.PASS]" in texts["common"]
    assert "[verb.BUILD]" in texts["verbs"]
    assert "%declare" in texts["grammar"]


def test_the_umpires_words_for_all_games_come_before_those_for_one(tmp_path: Path) -> None:
    assert own_verbs("dampfross", tmp_path) == (tmp_path / "common/verbs.toml", tmp_path / "dampfross/verbs.toml")


def test_a_game_of_another_package_brings_its_own_orders() -> None:
    assert "[verb.STEP]" in order_texts("tinyrace")["verbs"]


def test_a_game_without_an_order_language_is_a_fault_of_the_installation() -> None:
    with pytest.raises(ConfigError, match=r"orders/tiddlywinks/verbs\.toml"):
        order_texts("tiddlywinks")


def test_templates_are_looked_for_at_the_umpires_then_in_the_game_then_where_they_were_shipped(tmp_path: Path) -> None:
    folders = [Path(str(folder)) for folder in template_folders("dampfross", tmp_path)]
    assert folders == [
        tmp_path / "dampfross",
        tmp_path / "common",
        ROOT / "referee/games/dampfross/templates",
        ROOT / "templates/dampfross",
        ROOT / "templates/common",
    ]
    assert [Path(str(folder)) for folder in template_folders("dampfross", None)] == folders[2:]
