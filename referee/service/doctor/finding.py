"""What the doctor says of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from referee.core import Value


class Finding(Value, kw_only=False):
    """One line: a fault keeps the club from its work, a warning will or may; ``remedy`` is what to do, "" for nothing."""

    level: Literal["ok", "warning", "fault"]
    topic: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{self.level:8} {self.topic:9} {self.text}"
        return f"{line}: {self.remedy}" if self.remedy else line


Findings = Iterator[Finding]

# Each of a text, all but those in order with a remedy; whoever looks says what they are about.
ok, warning, fault = partial(Finding, "ok", ""), partial(Finding, "warning", ""), partial(Finding, "fault", "")


def about(topic: str, findings: Findings) -> Findings:
    """Yield findings with a topic, where they have none."""
    for each in findings:
        yield each if each.topic else each.but(topic=topic)
