"""What stands in a phrase of the grammar: its words, the phrases within it, the places of a piece or route."""

from __future__ import annotations

from referee.core.orders import Phrase, Word
from referee.games.dampfross.orders import Route


def words_of(phrase: Phrase) -> tuple[Word, ...]:
    """Return the words that stand in the phrase itself."""
    return tuple(part for part in phrase.parts if isinstance(part, Word))


def parts_of(phrase: Phrase, rule: str) -> tuple[Phrase, ...]:
    """Return the phrases of one rule of the grammar that stand in the phrase."""
    return tuple(part for part in phrase.parts if isinstance(part, Phrase) and part.rule == rule)


def legs_of(phrase: Phrase) -> list[tuple[Word, bool]]:
    """Return a piece's places in order of writing, the start first, each with whether it is jumped to."""
    legs: list[tuple[Word, bool]] = []
    for part in phrase.parts:
        if isinstance(part, Word):
            legs.append((part, False))
        else:
            legs += [(word, part.rule == "jump") for word in words_of(part)]
    return legs


def stop_of(phrase: Phrase) -> tuple[Word, str]:
    """Return a stop's place and the company over whose track the leg to it runs, "" where none is named."""
    words = words_of(phrase)
    companies = [word.value for word in words if word.kind == "COMPANY"]
    return words[0], companies[0] if companies else ""


def text_of(phrase: Phrase) -> str:
    """Return the words of a phrase as they were written."""
    return " - ".join(part.text if isinstance(part, Word) else text_of(part) for part in phrase.parts if part)


def aim_of(phrase: Phrase) -> Route:
    """Return what the referee is to find: the quickest or cheapest way, for so many units of toll at the most (-1: any)."""
    aims = {"FASTEST": "fastest", "CHEAPEST": "cheapest"}
    named = [aims[word.kind] for word in words_of(phrase) if word.kind in aims]
    most = [int(words_of(part)[0].value) for part in parts_of(phrase, "most")]
    if any(word.kind == "OWN" for word in words_of(phrase)):
        most = [0]  # nothing is paid to others
    return Route(aim=named[0] if named else "fastest", most=most[0] if most else -1)
