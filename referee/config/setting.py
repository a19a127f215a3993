"""One line of ``referee.toml``."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.values import Value

SettingValue = str | int | bool


class Setting(Value):
    """One setting. ``path`` is ``section.name``; ``fault`` says what is wrong with a text, "" if nothing; numbers lie between
    ``least`` and ``most``. ``withdrawn``: what to write instead, where it will be gone with the next version but one.
    """

    path: str
    default: SettingValue
    comment: str
    fault: Callable[[str], str] | None = None
    least: int = 0
    most: int = 0
    withdrawn: str = ""

    @property
    def section(self) -> str:
        """The heading under which it stands."""
        return self.path.split(".")[0]

    @property
    def name(self) -> str:
        """What stands before the ``=``."""
        return self.path.split(".")[1]
