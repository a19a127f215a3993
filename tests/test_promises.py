"""docs/promises.md: what a version has promised (tests/promises, written by ``python -m tests.promised``) this program keeps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.config.settings import SETTINGS
from referee.service.doctor import examination
from tests.posthouse import PostHouse
from tests.promised import FOLDER, surface

VERSIONS = sorted(FOLDER.glob("*"))
EXAMPLES = sorted(FOLDER.glob("*/*.toml"))


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: str(folder.name))
def test_whatever_could_be_named_can_be_named_still(folder: Path) -> None:
    """Settings, commands and options, keys of ``--json``, exit codes, words of orders, values of templates."""
    now, lacking = surface(), []
    for what, names in json.loads((folder / "surface.json").read_text("utf-8")).items():
        for name, parts in names.items():
            lacking += [f"{what}: {name}: {part}" for part in set(parts) - set(now[what].get(name, ()))]
            lacking += [f"{what}: {name}"] * (name not in now[what])
    assert lacking == []


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_maps_and_scenarios_of_every_version_are_read(file: Path) -> None:
    command = ["scenario"] if file.name.startswith("scenario") else ["map", "check"]
    told = CliRunner().invoke(main, [*command, str(file)])
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: str(folder.name))
def test_an_exported_game_of_every_version_is_verified(folder: Path) -> None:
    told = CliRunner().invoke(main, ["verify", str(folder / "game.json")])
    assert told.exit_code == 0, told.output


def test_a_setting_that_will_go_holds_and_is_warned_of_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = [
        msgspec.structs.replace(each, withdrawn="write [club] title") if each.path == "club.name" else each
        for each in SETTINGS
    ]
    monkeypatch.setattr(examination, "SETTINGS", going)
    with PostHouse(tmp_path / "club", club__name="Our club") as house:
        config = house.club.config
        assert config.club == "Our club"
        told = [str(each) for each in examination.examine(config, house.clock()) if "club.name" in each.text]
    assert [re.sub(r"\S+referee.toml:\d+", "FILE", each) for each in told] == [
        "warning  settings  FILE: club.name will be gone in a later version: write [club] title"
    ]
