"""What words of orders are called in the language of whoever reads them: we keep orders in English, and read all languages."""

from __future__ import annotations

import tomllib
from functools import lru_cache

SAID = "said"  # the table of words that stand inside orders, for each language
COMMANDS = "commands"  # that of the umpire's commands by mail
# All tables of a file of words.
TABLES = (*["verb", "words", "kinds", "courtesies", "lines", "elsewhere", "hands", "numbers", "doubts"], SAID, COMMANDS)


@lru_cache(maxsize=16)
def spoken_words(texts: tuple[str, ...], language: str) -> dict[str, str]:
    """Return, by a word as we write it (``ORDERS``, ``FASTEST``, ``none``), what a language calls it; nothing for English.

    *texts*: the files of words of a game, as ``orders/common/verbs.toml``: of a verb the first name that it has in the language,
    of what stands inside orders the word in the table ``said``.
    """
    found: dict[str, str] = {}
    for text in texts:
        tables = tomllib.loads(text)
        found |= {
            name: entry["in"][language][0] for name, entry in tables["verb"].items() if language in entry.get("in", {})
        }
        found |= tables.get(SAID, {}).get(language, {})
    return found


@lru_cache(maxsize=4)
def _english(text: str) -> dict[str, str]:
    tables = tomllib.loads(text)[SAID]
    return {said: word for table in tables.values() for word, said in table.items()}


def in_english(word: str, text: str) -> str:
    """Return a word as we write it that a language says so in the table ``said`` of *text*; others as they are."""
    return _english(text).get(word, word)
