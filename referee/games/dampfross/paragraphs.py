"""The paragraphs of the rules as they are numbered, and the rulings."""

from __future__ import annotations

from referee.core.texts.shipped import shipped_rulings

_SECTIONS = {1: 3, 2: 7, 3: 6, 4: 4, 5: 6, 6: 10, 7: 2, 8: 2}  # chapter to the number of its paragraphs
_MAPS = ("Bavaria", "Russia", "Kentucky & Tennessee", "Ireland")

RULES = (
    *(f"D{chapter}.{number}" for chapter, count in _SECTIONS.items() for number in range(1, count + 1)),
    "D9",
    *(f"D10 {title}" for title in _MAPS),
)


def paragraphs() -> tuple[str, ...]:
    """Return the paragraphs of the rules, then the rulings."""
    return (*RULES, *shipped_rulings(__package__))
