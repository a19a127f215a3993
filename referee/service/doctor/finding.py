"""What the doctor says of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from referee.core.values import Value


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

# Each of a topic and a text, all but those in order with a remedy.
ok, warning, fault = partial(Finding, "ok"), partial(Finding, "warning"), partial(Finding, "fault")
