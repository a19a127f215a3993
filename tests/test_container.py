"""Containerfile and compose.yaml, their steps run in a folder: no engine is needed, and the program comes to run as they have it.

What depends on the image alone (its Python, useradd, which account) is read, not run.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import site
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from referee import __version__
from tests.posthouse import ROOT

TEXT = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text("utf-8"), flags=re.MULTILINE)
STAGES = TEXT.split("\nFROM ")[-2:]
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]


def steps(stage: str, word: str) -> list[str]:
    return re.findall(rf"^{word} (.+)$", stage, re.MULTILINE)


def test_it_has_two_stages_and_no_root_inside() -> None:
    build, image = STAGES
    assert steps(build, "COPY") == [". ."]
    assert steps(image, "USER") == ["referee"]
    assert image.index("USER") < image.index("ENTRYPOINT")
    assert steps(image, "VOLUME") == ["/club"]
    assert "pip" not in image
    assert "--uid 10001" in image
    manifest = (ROOT / "deploy" / "kubernetes" / "club.yaml").read_text("utf-8")
    assert manifest.count("10001") == 3


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "deploy/kubernetes/club.yaml", "docs/hosting.md"])
def test_the_image_is_called_by_the_version(name: str) -> None:
    assert {*re.findall(r"railway-referee:([0-9.]+)", (ROOT / name).read_text("utf-8"))} == {__version__}


def test_what_is_sent_to_the_engine_is_what_the_wheel_needs(tmp_path: Path) -> None:
    told = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    taken = [line[1:] for line in told if line.startswith("!")]
    for name in taken:
        assert (ROOT / name).exists(), name
    assert not any(fnmatch(".venv", name) or fnmatch("tests", name) for name in taken)


@pytest.mark.testlong
def test_its_steps_build_and_run_a_club(tmp_path: Path) -> None:
    """Stage by stage: without an index, with this environment's packages in the place of those that would be fetched."""
    build, image = STAGES
    src, home, dist, club = (tmp_path / name for name in ("src", "opt/referee", "dist", "club"))
    src.mkdir()
    for name in [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, src / name)
    here = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    offline = {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "false",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }

    def placed(step: str) -> str:
        places = {"/opt/referee": home, "/src": src, "/dist": dist, "/club": club}
        return re.sub("|".join(places), lambda found: str(places[found[0]]), step)

    for number, step in enumerate(steps(build, "RUN")):
        subprocess.run(["/bin/sh", "-c", placed(step)], cwd=src, env=os.environ | here | offline, check=True)
        if number == 0:
            packages = next((home / "lib").glob("python*")) / "site-packages"
            (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    shutil.rmtree(src)  # the second stage has the program alone
    club.mkdir(mode=0o700)
    (environment,) = steps(image, "ENV")
    given = {"HOME": str(club), "LANG": "C.UTF-8"} | dict(
        each.split("=", 1) for each in shlex.split(placed(environment))
    )
    given["PATH"] = given["PATH"].replace("$PATH", os.environ["PATH"])
    (entry,) = re.findall(r'"(.+)"', steps(image, "ENTRYPOINT")[0])
    (health,) = re.findall(r"^HEALTHCHECK .* CMD (.+)$", image, re.MULTILINE)

    def healthy() -> bool:
        return subprocess.run(["/bin/sh", "-c", placed(health)], env=given, check=False).returncode == 0

    made = subprocess.run([entry, *map(placed, SERVICES["init"]["command"])], env=given, cwd=club, check=False)
    assert (made.returncode, healthy()) == (0, False)
    running = subprocess.Popen([entry, *SERVICES["referee"]["command"]], env=given, cwd=club, stderr=subprocess.PIPE)
    with running:
        while not healthy():
            assert running.poll() is None
        running.terminate()
        assert running.wait() == 0
    version = subprocess.run([entry, "--version"], env=given, cwd=club, check=True, capture_output=True, text=True)
    assert version.stdout.strip() == re.findall(r"railway_referee-(.*?)-", next(dist.iterdir()).name)[0]


def test_the_settings_of_compose_are_settings(tmp_path: Path) -> None:
    """The club that its ``init`` makes is read with the variables of its ``referee``."""
    command = [sys.executable, "-m", "referee"]
    init = [str(tmp_path / "club") if word == "/club" else word for word in SERVICES["init"]["command"]]
    subprocess.run([*command, *init], cwd=ROOT, check=True, capture_output=True)
    variables = {name: str(value) for name, value in SERVICES["referee"]["environment"].items()}
    variables["REFEREE_IMAP_PORT"] = variables["REFEREE_SMTP_PORT"] = "1"  # nobody is there
    told = subprocess.run(
        [*command, "--club", str(tmp_path / "club"), "--log", "json", "tick"],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 75, told.stderr
    assert "127.0.0.1" in told.stderr
