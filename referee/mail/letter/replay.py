"""Was a letter that is vouched for written to us, and these days? Whoever else got it could hand it on to us as its sender's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from referee.mail.letter.dkim import signed_fields
from referee.mail.letter.headers import Head, parse_date
from referee.mail.letter.identity import addresses

AROUND = timedelta(days=3)  # between the day that a letter names and its arrival


def is_meant(head: Head, is_ours: Callable[[str], bool], arrived: datetime, *, direct: bool) -> bool:
    """Return whether a letter names an address of ours in To or Cc, and a Date near its arrival if any.

    Unless it came *direct* from a server of its sender's, its signatures stand alone: each must cover From, To, Date and the
    field that names us, all of which are there once. Without a signature nothing can have been handed on.
    """
    dates, signatures = head.all("date"), head.all("dkim-signature")
    near = [date for date in map(parse_date, dates) if date and abs(arrived - date) <= AROUND]
    naming = [name for name in ("to", "cc") if any(map(is_ours, addresses(head.all(name))))]
    if direct or not signatures:
        return bool(naming) and len(near) == len(dates)
    covered = set.intersection(*map(signed_fields, signatures))
    return bool(near) and any(
        all(each in covered and len(head.all(each)) == 1 for each in ("from", "to", "date", name)) for name in naming
    )
