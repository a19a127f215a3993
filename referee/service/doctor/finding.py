"""What the doctor says of one thing."""

from __future__ import annotations

from typing import Literal

from referee.core.values import Value

Level = Literal["ok", "warning", "fault"]


class Finding(Value):
    """One line: a fault keeps the club from its work, a warning will or may; ``remedy`` is what to do, "" for nothing."""

    level: Level
    topic: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{self.level:8} {self.topic:9} {self.text}"
        return f"{line}: {self.remedy}" if self.remedy else line


def ok(topic: str, text: str) -> Finding:
    """Return that a thing is in order."""
    return Finding(level="ok", topic=topic, text=text)


def warning(topic: str, text: str, remedy: str) -> Finding:
    """Return that a thing works, but may not always."""
    return Finding(level="warning", topic=topic, text=text, remedy=remedy)


def fault(topic: str, text: str, remedy: str) -> Finding:
    """Return that a thing does not work."""
    return Finding(level="fault", topic=topic, text=text, remedy=remedy)
