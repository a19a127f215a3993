"""How a club is doing, in the text format of Prometheus: numbers and words of ours, nothing that a player wrote, no address."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator

from referee import __version__
from referee.service.club import Club
from referee.service.duetimes import last_moment
from referee.service.tally import cpu_seconds
from referee.store import games
from referee.store.club import last_tick
from referee.store.database import parse_time
from referee.store.letters import Fate

Sample = tuple[str, float]  # its labels, as name="value" with commas, and the value

log = logging.getLogger(__name__)

_FATES = sorted(Fate, key=len, reverse=True)  # of two that begin alike the longer one is meant

_COUNTED = (  # metric, what it says, its label, and the query
    (
        "outbox",
        "Letters of ours, by what became of them.",
        "state",
        "SELECT state AS said, count(*) AS number FROM outbox GROUP BY state",
    ),
    ("bounces_total", "Letters of ours that came back.", "", "SELECT count(*) AS number FROM bounces"),
    (
        "games",
        "Games, by how they stand.",
        "status",
        "SELECT status AS said, count(*) AS number FROM games GROUP BY status",
    ),
    ("reading_seconds_total", "Processor time of reading letters.", "", "SELECT total(seconds) AS number FROM letters"),
)
_AGES = (
    (
        "letter_oldest_seconds",
        "Age of the oldest letter that is not answered yet.",
        "SELECT min(arrived) AS oldest FROM letters WHERE status = 'stored'",
    ),
    (
        "outbox_oldest_seconds",
        "Age of the oldest letter of ours that has not left.",
        "SELECT min(created) AS oldest FROM outbox WHERE state = 'waiting'",
    ),
)


def exposition(club: Club) -> str:
    """Return all metrics of a club, each series labelled with the name of its folder."""
    lines = []
    name = club.config.folder.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    for metric, kind, told, samples in _metrics(club):
        lines += [f"# HELP referee_{metric} {told}", f"# TYPE referee_{metric} {kind}"]
        for labels, value in samples:
            lines.append(f'referee_{metric}{{club="{name}"{labels and ","}{labels}}} {value:.15g}')
    return "\n".join(lines) + "\n"


def write_metrics(club: Club) -> None:
    """Write them into the file of the setting ``log.metrics``, whole or not at all. That it cannot be written stops nothing."""
    path = club.config.folder / club.config.log.metrics
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.write_text(exposition(club), "utf-8")
        draft.chmod(0o644)  # the node exporter is somebody else
        draft.replace(path)
    except OSError as error:
        log.warning("log.metrics: %s cannot be written: %s", path, error.strerror)


def _metrics(club: Club) -> Iterator[tuple[str, str, str, list[Sample]]]:
    """Yield name, type, help and samples of each metric."""
    db, now = club.db, club.clock()
    yield "info", "gauge", "The version of the program.", [(f'version="{__version__}"', 1)]
    fates = Counter[str]()
    for row in db.query("SELECT status, reason, count(*) AS number FROM letters GROUP BY status, reason"):
        disposition = _disposition(row["status"], row["reason"])
        fates[f'status="{row["status"]}",disposition="{disposition}"'] += row["number"]
    yield "letters", "gauge", "Letters received, by what became of them.", [*fates.items()]
    for metric, told, label, sql in _COUNTED:
        samples = [(label and f'{label}="{row["said"]}"', row["number"]) for row in db.query(sql)]
        yield metric, "counter" if metric.endswith("_total") else "gauge", told, samples
    for metric, told, sql in _AGES:
        oldest = next(iter(db.query(sql)))["oldest"]
        yield metric, "gauge", told, [("", max(0.0, (now - parse_time(oldest)).total_seconds()) if oldest else 0)]
    due = [row for row in games.running_games(db) if row.stopped_at is None and row.deadline and row.deadline <= now]
    late = [row for row in due if (last := last_moment(club.config, row)) and last < now]
    yield "turns_due", "gauge", "Turns whose deadline is over and that are not played.", [("", len(due))]
    yield "turns_late", "gauge", "Those of them whose grace is over too.", [("", len(late))]
    ended = last_tick(db)
    last_pass = [("", ended.timestamp() if ended else 0)]
    yield "last_pass_timestamp_seconds", "gauge", "When the last whole pass ended.", last_pass
    used = [("", cpu_seconds(club.config.folder))]
    yield "cpu_seconds_total", "counter", "Processor time of all passes, without that of reading letters.", used
    files = club.config.database.parent.glob(f"{club.config.database.name}*")
    size = sum(file.stat().st_size for file in files if not file.name.endswith("-shm"))
    yield "database_bytes", "gauge", "Size of the database with its log.", [("", size)]


def _disposition(status: str, reason: str) -> str:
    """Return the name of what became of a letter, ``stored`` for one that waits."""
    if status == "stored":
        return status
    return next((fate.name for fate in _FATES if reason.startswith(fate)), "other").lower()
