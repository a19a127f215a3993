"""Regular expressions that are compiled when they are first used.

A pass that finds one letter loads some three hundred of them and uses a third: compiling them all was a seventh of its work.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class Regex:
    """Stands for a compiled one, whose methods it takes over when the first of them is asked for."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        self.__dict__ |= {each: getattr(compiled, each) for each in dir(compiled) if not each.startswith("_")}
        return getattr(compiled, name)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what ``re.compile`` returns to those who use its methods. Functions of ``re`` do not take it."""
    return cast("re.Pattern[AnyStr]", Regex(pattern, flags))
