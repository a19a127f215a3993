"""In which language somebody is written to: as he has said himself, else as the umpire has, else the club's."""

from __future__ import annotations

import re

from referee import locale
from referee.service.club.club import Club
from referee.store import games
from referee.store.club import LANGUAGE, fact, write_fact

# How people call a language, in their own and in the others; the first is what its speakers say.
NAMES = {
    "en": ("English", "englisch", "anglais", "engels"),
    "de": ("Deutsch", "german", "allemand", "duits"),
    "fr": ("français", "french", "französisch", "franzoesisch", "francais", "frans"),
    "nl": ("Nederlands", "dutch", "niederländisch", "niederlaendisch", "néerlandais", "neerlandais"),
}
_POLITE = (
    "please",
    "bitte",
    "svp",
    "s",
    "il",
    "vous",
    "plaît",
    "plait",
    "merci",
    "alsjeblieft",
    "alstublieft",
    "graag",
    "aub",
)
_BESIDE = (*_POLITE, "in", "to", "auf", "het")
_IN = "en"  # in French, and the code of English


def known_languages() -> tuple[tuple[str, str], ...]:
    """Return the languages in which letters can be written: code and name."""
    return tuple((code, NAMES.get(code, (code,))[0]) for code in locale.languages())


def parse_language(text: str) -> str:
    """Return the code of the language that is named (``de``, ``de-AT``, ``Deutsch``), "" where there is no such one."""
    words = [word for word in re.findall(r"[^\W\d_]+(?:[-_][A-Za-z]{2}\b)?", text.lower()) if word not in _BESIDE]
    words = [word for word in words if word != _IN] if len(words) > 1 else words
    codes = {re.split("[-_]", words[0])[0], *_called(words[0])} if len(words) == 1 else set()
    return next((code for code, _ in known_languages() if code in codes), "")


def language_of(club: Club, address: str) -> str:
    """Return the language of whoever reads at an address, the club's of one who has said nothing."""
    return fact(club.db, language_name(address)) or club.config.language


def language_name(address: str) -> str:
    """Return the name of the fact that keeps which language somebody wants."""
    return f"{LANGUAGE} {address.lower()}"


def speak(club: Club, address: str, language: str) -> None:
    """Have all letters to an address written in a language from now on, whatever he plays. Inside a transaction."""
    write_fact(club.db, language_name(address), language)
    games.write_language(club.db, address, language)


def _called(word: str) -> tuple[str, ...]:
    return tuple(code for code, names in NAMES.items() if word in (name.lower() for name in names))
