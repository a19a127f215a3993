"""docs/promises.md: what a version has promised (tests/promises, written by ``python -m tests.promised``) this program keeps."""

import json
import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from referee.config.settings import SETTINGS
from referee.service import doctor
from referee.service.club import make_club
from tests.dist import make_later
from tests.forkedcommands import run_here, run_program
from tests.posthouse import INSTALLED, ROOT, PostHouse
from tests.promised import FOLDER, dumped, live, surface

VERSIONS = sorted(FOLDER.glob("*"))
EXAMPLES = sorted(FOLDER.glob("*/*[0-9].toml"))


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: str(folder.name))
def test_whatever_could_be_named_can_be_named_still(folder: Path) -> None:
    """Settings, commands and options, keys of ``--json``, exit codes, words of orders, values of templates."""
    now, lacking = surface(ours=True), []
    for what, names in json.loads((folder / "surface.json").read_text("utf-8")).items():
        for name, parts in names.items():
            lacking += [f"{what}: {name}: {part}" for part in set(parts) - set(now[what].get(name, ()))]
            lacking += [f"{what}: {name}"] * (name not in now[what])
    assert lacking == [], (
        f"{folder.name} has promised these (`python -m tests.promised` promises anew, as long as it is not released)"
    )


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_maps_and_scenarios_of_every_version_are_read(file: Path) -> None:
    command = ["scenario"] if file.name.startswith("scenario") else ["map", "check"]
    told = run_here(*command, file)
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: str(folder.name))
def test_an_exported_game_of_every_version_is_verified(folder: Path) -> None:
    told = run_here("verify", folder / "game.json")
    assert told.exit_code == 0, told.output


def next_build(folder: Path) -> dict[str, str]:
    """Make the program as it will be with one more step of its tables; return the environment in which it runs."""
    shutil.copytree(ROOT / "referee", folder / "referee")
    for name in ("templates", "orders", "docs"):
        (folder / name).symlink_to(ROOT / name)
    make_later(folder / "referee")
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT), str(INSTALLED)))}


@pytest.mark.parametrize("version", ["today", *VERSIONS], ids=lambda version: getattr(version, "name", version))
def test_a_club_of_every_version_is_brought_up_to_date_by_a_build_with_one_more_step(
    tmp_path: Path, version: str | Path
) -> None:
    folder = tmp_path / "club"
    if isinstance(version, str):
        live(folder)
    else:
        make_club(folder, {})
        shutil.copy(version / "referee.toml", folder)
        (folder / "referee.db").unlink()
        with closing(sqlite3.connect(folder / "referee.db")) as store:
            store.executescript((version / "club.sql").read_text("utf-8"))
    before = dumped(folder)
    environment = next_build(tmp_path / "next")

    def referee(*words: str) -> str:
        command = [sys.executable, "-m", "referee", "--club", str(folder), *words]
        done = run_program(command, cwd=tmp_path / "next", env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert referee("--version") == "1.1.0\n"
    assert {row["status"] for row in json.loads(referee("letters", "--json"))} == {"done"}
    after = dumped(folder)
    assert "m002_mood" in after
    assert {line for line in before.splitlines() if not line.startswith(("CREATE TABLE", 'INSERT INTO "games"'))} <= {
        *after.splitlines()
    }
    with closing(sqlite3.connect(folder / "referee-before-upgrade-m001.db")) as kept:
        assert "\n".join(kept.iterdump()) + "\n" == before
    referee("verify", "RR1")
    assert "STEP 1" in referee("orders", "RR1", "ANN")
    referee("tick", "--clock-is-right")
    assert "A paragraph" in referee("preview", "RR1")


def test_a_setting_that_will_go_holds_and_is_warned_of_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = [
        msgspec.structs.replace(each, withdrawn="write [club] title") if each.path == "club.name" else each
        for each in SETTINGS
    ]
    monkeypatch.setattr(doctor, "SETTINGS", going)
    with PostHouse(tmp_path / "club", club__name="Our club") as house:
        config = house.club.config
        assert config.club == "Our club"
        told = [str(each) for each in doctor.examine(config, house.clock()) if "club.name" in each.text]
    assert [re.sub(r"\S+referee.toml:\d+", "FILE", each) for each in told] == [
        "warning  settings  FILE: club.name will be gone in a later version: write [club] title"
    ]
