"""The words with which mail programs quote, in all their languages (``quotations.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from referee.core.texts.wording import nfkc


@cache
def words(key: str) -> tuple[str, ...]:
    """Return the words of a table, those of ``header`` by ``from``, ``sent``, ``to`` and ``subject``; the longest first."""
    told = _tables()[key].strip().splitlines()
    found = (word.strip() for line in told for word in nfkc(line.partition(":")[2]).casefold().split(";"))
    return tuple(sorted(dict.fromkeys(found), key=len, reverse=True))


def any_of(key: str) -> str:
    """Return an expression for any of these words."""
    return "|".join(map(re.escape, words(key)))


@cache
def _tables() -> Mapping[str, str]:
    tables = tomllib.loads((resources.files(__package__) / "quotations.toml").read_text(encoding="utf-8"))
    return {**tables, **tables["header"]}
