"""docs/setup.md and the systemd units say nothing that is not so."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.config import FILE, read_config
from referee.service.club.club import make_club
from referee.service.doctor import roundtrip
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.mailhost import PASSWORD as HOST_PASSWORD
from tests.servers.mailhost import USER, MailHost

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "setup.md"
UNITS = sorted((ROOT / "docs" / "systemd").iterdir())

HARDENED = {
    "ProtectSystem=strict",
    "PrivateTmp=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "UMask=0077",
    "ProtectHome=yes",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def told() -> Iterator[tuple[str, list[str]]]:
    """Return each call of the referee in the page and the units: (where it stands, its words)."""
    lines = [("setup.md", line) for block in blocks("sh") for line in block.splitlines()]
    lines += [("setup.md", line) for line in PAGE.read_text("utf-8").splitlines() if re.match(r"    [*0-9]", line)]
    for unit in UNITS:
        lines += [(unit.name, line) for line in unit.read_text("utf-8").splitlines() if line.startswith("ExecStart=")]
    for where, line in lines:
        found = re.search(r"(?:^|=|/bin/|sudo -u referee )referee ((?:--|[a-z]).*)", line)
        if found and not line.startswith("alias"):
            words = re.split(r" [>|] ", found[1].replace("'", "") if where != "setup.md" else found[1])[0]
            yield where, shlex.split(words)


CALLS = list(told())


def test_every_way_to_run_it_is_looked_at() -> None:
    """The page's and the units' calls are found at all."""
    commands = {word for _, words in CALLS for word in words} & set(main.commands)
    assert {"init", "doctor", "game", "tick", "status", "backup", "run"} <= commands
    assert {where for where, _ in CALLS} == {"setup.md", *(unit.name for unit in UNITS if unit.suffix == ".service")}


@pytest.mark.parametrize(("where", "words"), CALLS, ids=[" ".join(words)[:60] for _, words in CALLS])
def test_every_call_and_every_option_of_it_exists(where: str, words: list[str]) -> None:
    command: click.Command = main
    parsed = words
    while parsed:
        context = click.Context(command, info_name=where, resilient_parsing=False)
        parser = command.make_parser(context)
        # Raises click's UsageError where an option is unknown or lacks its value.
        _, rest, _ = parser.parse_args(list(parsed))
        if not isinstance(command, click.Group):
            return
        assert rest, f"{where}: {' '.join(words)} ends before a command"
        assert rest[0] in command.commands, f"{where}: there is no command {rest[0]}"
        command, parsed = command.commands[rest[0]], rest[1:]


@pytest.mark.parametrize("text", blocks("toml"))
def test_every_settings_block_is_taken(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    assert read_config(tmp_path, {}).folder == tmp_path


@pytest.mark.dovecot
def test_with_a_mailbox_as_the_page_tells_the_doctor_finds_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dovecot: Dovecot, mailbox: str
) -> None:
    """The page's first block of settings, with only the hosts and ports of servers that run here; then a letter goes out."""
    monkeypatch.setattr(roundtrip, "LOOKS", 1)  # what is mailed to ourselves stays at this host
    club = tmp_path / "club"
    make_club(club, {})
    text = blocks("toml")[0].replace("referee@club.example", USER)
    ca = f'ca_file = "{dovecot.ca_file}"\nport = {dovecot.ports.imaps}\nuser = "{mailbox}"'
    text = text.replace('host = "imap.provider.example"', f'host = "localhost"\n{ca}')
    with MailHost(mechanisms="PLAIN") as host:
        here = f'host = "127.0.0.1"\nport = {host.port}\nsecurity = "none"'
        text = text.replace('host = "smtp.provider.example"', here)
        (club / FILE).write_text(f"{text}\n", "utf-8")
        for name, password in (("imap-password", PASSWORD), ("smtp-password", HOST_PASSWORD)):
            (club / name).write_text(f"{password}\n", "utf-8")
            (club / name).chmod(0o600)
        result = CliRunner().invoke(main, ["--club", str(club), "doctor", "--send", "ann@example.org"])
        assert result.exit_code == 0, result.output
        assert len(host.to("ann@example.org")) == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """Only the program is put where one lies on this machine."""
    program = Path(sys.executable).parent / "referee"
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text("utf-8").replace("/opt/referee/bin/referee", str(program)))
    units = [str(tmp_path / unit.name) for unit in UNITS]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "referee" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_systemd_finds_the_services_little_exposed(unit: Path) -> None:
    """On systemd's scale from 0 (safe) to 10 (unsafe) no more than 2."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr or "Unknown" in done.stderr:
        pytest.skip("this systemd cannot look at files")
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_the_services_are_hardened(unit: Path) -> None:
    lines = set(unit.read_text("utf-8").splitlines())
    assert lines >= HARDENED
    if unit.name == "referee@.service":
        assert lines >= {"Type=notify", "WatchdogSec=1h", "LoadCredential=imap-password:referee-%i.imap-password"}


def test_the_page_names_every_unit_and_its_own_chapters() -> None:
    text = PAGE.read_text("utf-8")
    assert all(unit.name in text for unit in UNITS)
    links = re.findall(r"\]\(([a-z]+\.md)", text)
    assert all((ROOT / "docs" / link).is_file() for link in links)
