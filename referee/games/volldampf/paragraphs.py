"""The paragraphs of the rules as they are numbered, the decisions where editions differ, and the rulings."""

from __future__ import annotations

from referee.core.texts.shipped import shipped_rulings

RULES = (
    *(f"V1.{number}" for number in range(1, 5)),
    *(f"V2.{number}" for number in range(1, 8)),
    "V3",
    "V3.1.1",
    "V3.2.1",
    "V3.3.1",
    "V3.3.2",
    *(f"V3.4.{number}" for number in range(1, 5)),
    "V3.5.1",
    "V3.5.2",
    *(f"V3.6.{number}" for number in range(1, 6)),
    *(f"V3.7.{number}" for number in range(1, 4)),
    *(f"V4.{number}" for number in range(1, 10)),
    "V5.1",
    "V5.2",
    *(f"V6.{number}" for number in range(1, 4)),
    "V7",
    "V9",
    *(f"DIFF {number:02}" for number in range(1, 73)),
)


def paragraphs() -> tuple[str, ...]:
    """Return the paragraphs of the rules, then the rulings."""
    return (*RULES, *shipped_rulings(__package__))
