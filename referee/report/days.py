"""Days and deadlines in the reader's own zone and language. Names and forms stand in ``words.toml``, never in a locale."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from referee.core.errors import ConfigError
from referee.report.sentences import Sentences


class Calendar:
    """Writes days for one reader."""

    def __init__(self, zone: str, sentences: Sentences) -> None:
        """*zone*: an IANA name (``Europe/Dublin``).

        Raises:
            ConfigError: there is no such zone.
        """
        try:
            self._zone = ZoneInfo(zone)
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(f"time zone {zone!r} is not known (a name as Europe/Dublin is expected)") from error
        self._name = zone
        self._sentences = sentences

    def day(self, value: date) -> str:
        """Return ``Friday 4 December 2026``; a moment's day is the day in the reader's zone.

        Raises:
            ValueError: a moment without a zone.
        """
        return self._day(self._here(value) if isinstance(value, datetime) else value)

    def deadline(self, value: datetime) -> str:
        """Return ``Friday 4 December 2026, 20:00 (Europe/Dublin), that is 20:00 UTC``; UTC's day where it differs.

        Raises:
            ValueError: a moment without a zone.
        """
        here, there = self._here(value), value.astimezone(UTC)
        if self._name in ("UTC", "Etc/UTC"):
            form = "deadline-utc"
        else:
            form = "deadline" if here.date() == there.date() else "deadline-other-day"
        return self._sentences.word(
            "when",
            form,
            day=self._day(here),
            time=f"{here:%H:%M}",
            zone=self._name,
            utc_day=self._day(there),
            utc_time=f"{there:%H:%M}",
        )

    def _here(self, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return value.astimezone(self._zone)

    def _day(self, value: date) -> str:
        return self._sentences.word(
            "when",
            "first-day" if value.day == 1 else "day",
            weekday=self._sentences.word("weekday", str(value.isoweekday())),
            day=value.day,
            month=self._sentences.word("month", str(value.month)),
            year=value.year,
        )
