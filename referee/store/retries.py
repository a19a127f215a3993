"""How often, and how long, a letter that could not be sent is tried again."""

from __future__ import annotations

from datetime import datetime, timedelta

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=1)
GIVEN_UP = timedelta(days=5)


def wait_after(since: datetime, now: datetime) -> timedelta:
    """Return how long to wait after a try at *now*: 5, 10, 20 and 40 minutes from the first trouble on, then hours."""
    return min(FIRST_WAIT + max(now - since, timedelta()), LONGEST_WAIT)
