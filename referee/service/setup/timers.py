"""What makes a pass every five minutes, a timer of systemd or a line of cron: written into the club's folder."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
import sys
from pathlib import Path

from referee.resources import shipped

_HOMES = ("/home/", "/root/", "/run/user/")  # which a unit with ProtectHome=yes does not see


def write_timer(folder: Path, kind: str) -> str:
    """Write what ``systemd`` or ``cron`` needs for the club in *folder*, and return the command that puts it in place."""
    return {"systemd": _systemd, "cron": _cron}[kind](folder)


def tick_command(folder: Path) -> str:
    """Return the command of one pass, as this very program is run."""
    return shlex.join([sys.executable, "-m", "referee", "--club", str(folder), "tick"])


def _systemd(folder: Path) -> str:
    name = "referee-" + re.sub(r"[^A-Za-z0-9_-]", "-", folder.name)
    club, tick = str(folder).replace("%", "%%"), tick_command(folder).replace("%", "%%")
    owner = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
    at_home = any(str(place).startswith(_HOMES) for place in (folder, Path(sys.executable), Path(__file__)))
    lines = {  # of the unit for a club in /var/lib/referee, and what stands there for this one
        "ExecStart=": f"ExecStart={tick}",
        "User=": f"User={owner[0]}",
        "Group=": f"Group={owner[1]}",
        "StateDirectory=": f'ReadWritePaths="{club}"',
        "StateDirectoryMode=": "",
        "WorkingDirectory=": f"WorkingDirectory={club}",
        "LoadCredential=": "",
        "ProtectHome=": f"ProtectHome={'no' if at_home else 'yes'}",
        "# One pass": "# One pass of the referee; the timer of the same name starts it.",
    }
    files = [folder / f"{name}.service", folder / f"{name}.timer"]
    for file in files:
        text = (
            shipped("docs/systemd")
            .joinpath(f"referee-tick@{file.suffix}")
            .read_text("utf-8")
            .replace("%i", folder.name)
        )
        said = [next((new for old, new in lines.items() if line.startswith(old)), line) for line in text.splitlines()]
        file.write_text("\n".join(said) + "\n", "utf-8")
    return f"sudo cp {shlex.join(map(str, files))} /etc/systemd/system/ && sudo systemctl enable --now {name}.timer"


def _cron(folder: Path) -> str:
    tick, file = tick_command(folder), folder / "referee.cron"
    file.write_text(f"*/5 * * * * {tick} > /dev/null\n".replace("%", "\\%"), "utf-8")
    sudo = as_owner()
    others = f"{sudo}crontab -l 2> /dev/null | grep -vF {shlex.quote(tick)}"
    return f"({others}; {sudo}cat {shlex.quote(str(file))}) | {sudo}crontab -"


def as_owner() -> str:
    """Return what is typed before a command of ours by who came here with sudo, to be again who he is now."""
    return f"sudo -u {pwd.getpwuid(os.geteuid()).pw_name} " if "SUDO_USER" in os.environ and os.geteuid() else ""
