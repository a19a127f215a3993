"""Gettext catalogues: ``referee.pot`` (all msgids) and ``<language>/LC_MESSAGES/referee.mo`` for each translation."""

from __future__ import annotations

import gettext
import re
from functools import cache, lru_cache
from importlib.resources import files

from referee.core import Texts

DOMAIN = "referee"
SOURCE_LANGUAGE = "en"  # the language of the msgids: it needs no catalogue

_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([A-Za-z]{2}))?")


@lru_cache(maxsize=32)
def translations(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language (``de``, ``de-AT``); English where there is none. Never raises.

    A regional language takes what it lacks from its base language.
    """
    found: gettext.NullTranslations | None = None
    match = _LANGUAGE.fullmatch(language.strip())  # what is no language would become a path
    names = (match[1], *((f"{match[1]}_{match[2].upper()}",) if match[2] else ())) if match else ()
    for name in names:  # the most exact one last
        catalogue = files(__name__).joinpath(name, "LC_MESSAGES", f"{DOMAIN}.mo")
        if not catalogue.is_file():
            continue
        with catalogue.open("rb") as stream:
            translated = gettext.GNUTranslations(stream)
        if found:
            translated.add_fallback(found)
        found = translated
    return found if found else gettext.NullTranslations()


@cache
def languages() -> Texts:
    """Return the languages that letters can be written in: the one of the msgids, then every one with a catalogue."""
    folders = (each for each in files(__name__).iterdir() if each.joinpath("LC_MESSAGES", f"{DOMAIN}.mo").is_file())
    return (SOURCE_LANGUAGE, *sorted({each.name for each in folders} - {SOURCE_LANGUAGE}))
