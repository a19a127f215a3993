"""How players appear on the club's pages, as they have said themselves: by a name of their choice, or by their companies."""

from __future__ import annotations

from referee.store.club import APPEARS

COMPANY = "-"  # by his company, whatever the club says
_COMPANY = ("company", "my company", "railway", "my railway", "nobody", "gesellschaft", "compagnie", "maatschappij")
_AS = ("as", "als", "comme")
LONGEST = 40  # characters of a name


def fact_name(address: str) -> str:
    """Return the name of the fact that keeps how somebody appears."""
    return f"{APPEARS} {address.lower()}"


def parse_appearance(text: str) -> str:
    """Return how somebody wants to appear, as it is kept; "" where that is no name: too long, or with something of an address."""
    words = text.split()
    name = " ".join(words[1:] if words[:1] and words[0].lower() in _AS else words)
    if name.lower().strip(".!") in _COMPANY:
        return COMPANY
    fits = len(name) <= LONGEST and name.isprintable() and any(char.isalpha() for char in name)
    return name if fits and not set(name) & set("@<>") else ""
