"""The settings of a club, read from ``settings.toml``, which explains each."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from referee.config import faults
from referee.config.values import Setting

_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _choices(section: str, name: str) -> tuple[str, ...]:
    return tuple(_ROWS[section][name]["choices"])


SECURITY = _choices("imap", "security")
POLICIES = _choices("identity", "policy")
FORMATS = _choices("players", "format")
LOG_FORMATS = _choices("log", "format")


def _fault(name: str) -> Callable[[str], str] | None:
    """Return a function of ``faults``; with ``?`` at the end of its name nothing at all is right too."""
    look: Callable[[str], str] | None = getattr(faults, f"{name.rstrip('?')}_fault") if name else None
    return (lambda text: look(text) if text else "") if look and name.endswith("?") else look


def _settings() -> Iterator[Setting]:
    for section, rows in _ROWS.items():
        for name, row in rows.items():
            told = dict(row)
            look = _fault(told.pop("fault", ""))
            if "choices" in told:
                look = faults.choice_fault(*told.pop("choices"))
            elif "pattern" in told:
                look = faults.pattern_fault(told.pop("pattern"), told.pop("wrong"))
            yield Setting(path=f"{section}.{name}", fault=look, **told)


SETTINGS: tuple[Setting, ...] = tuple(_settings())
