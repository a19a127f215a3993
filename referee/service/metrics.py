"""How a club is doing, in the text format of Prometheus: numbers and words of ours, nothing that a player wrote, no address."""

from __future__ import annotations

import logging
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from referee import __version__
from referee.core import Words
from referee.store import Fate, games, last_tick, parse_time
from referee.system import write_whole

from .club import Club
from .duetimes import last_moment
from .tally import cpu_seconds

Sample = tuple[str, float]  # its labels, as name="value" with commas, and the value

log = logging.getLogger(__name__)

_FATES = sorted(Fate, key=len, reverse=True)  # of two that begin alike the longer one is meant


def exposition(club: Club) -> str:
    """Return all metrics of a club, each series labelled with the name of its folder."""
    lines, known = [], _samples(club)
    name = club.config.folder.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    for metric, row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items():
        lines += [f"# HELP referee_{metric} {row['help']}", f"# TYPE referee_{metric} {row['type']}"]
        for labels, value in known[metric] if metric in known else _samples_of(club, row):
            lines.append(f'referee_{metric}{{club="{name}"{labels and ","}{labels}}} {value:.15g}')
    return "\n".join(lines) + "\n"


def write_metrics(club: Club) -> None:
    """Write them into the file of the setting ``log.metrics``, whole or not at all. That it cannot be written stops nothing."""
    path = club.config.folder / club.config.log.metrics
    try:  # for the node exporter, too, who is somebody else
        write_whole(path, exposition(club).encode(), 0o644, lasting=False)
    except OSError as error:
        log.warning("log.metrics: %s cannot be written: %s", path, error.strerror)


def _samples_of(club: Club, row: Words) -> Iterator[Sample]:
    """Yield what a query finds, or how old the oldest is that it finds."""
    for found in club.query(row["sql"]):
        if "oldest" in found:
            yield "", max(0.0, (club.now - parse_time(found["oldest"])).total_seconds() if found["oldest"] else 0)
        else:
            yield row.get("label", "").format(**found), found["number"]


def _samples(club: Club) -> dict[str, list[Sample]]:
    """Return the samples of what no query alone can tell."""
    db, now = club, club.now
    fates = Counter[str]()
    for row in db.query("SELECT status, reason, count(*) AS number FROM letters GROUP BY status, reason"):
        status, reason = row["status"], row["reason"]
        told = (
            "stored" if status == "stored" else next((f.name for f in _FATES if reason.startswith(f)), "other").lower()
        )
        fates[f'status="{status}",disposition="{told}"'] += row["number"]
    due = [row for row in games.running_games(db) if not row.stopped_at and row.deadline and row.deadline <= now]
    late = [row for row in due if (last := last_moment(club.config, row)) and last < now]
    ended = last_tick(db)
    files = club.config.database.parent.glob(f"{club.config.database.name}*")
    return {
        "info": [(f'version="{__version__}"', 1)],
        "letters": [*fates.items()],
        "turns_due": [("", len(due))],
        "turns_late": [("", len(late))],
        "last_pass_timestamp_seconds": [("", ended.timestamp() if ended else 0)],
        "cpu_seconds_total": [("", cpu_seconds(club.config.folder))],
        "database_bytes": [("", sum(file.stat().st_size for file in files if not file.name.endswith("-shm")))],
    }
