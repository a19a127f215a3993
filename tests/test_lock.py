"""requirements.lock names one version of all that pyproject.toml asks for, and of what that asks for, by hashes alone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
EXTRAS = {name: each for name, each in PROJECT["optional-dependencies"].items() if name not in ("dev", "docs")}
LOCKED = dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", LOCK, re.MULTILINE))


def test_what_the_project_asks_for_is_locked_at_a_version_that_it_takes() -> None:
    asked = [Requirement(each) for each in sum(EXTRAS.values(), PROJECT["dependencies"])]
    wanted = [each for each in asked if each.name != PROJECT["name"]]
    lacking = [str(each) for each in wanted if Version(LOCKED.get(each.name, "0")) not in each.specifier]
    assert lacking == [], "make lock"


def test_each_is_known_by_hashes_and_no_place_is_named() -> None:
    blocks = re.split(r"\n(?=[a-z])", LOCK)
    assert [each.split()[0] for each in blocks[1:] if "--hash=sha256:" not in each] == []
    assert "://" not in LOCK
    told = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"--extra ([a-z]+)", told)) == set(EXTRAS)
