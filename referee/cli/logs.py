"""What the program says of its own work, on stderr: for people a line, for programs an object a line.

Below warnings nothing stands in it that a player wrote, no address and no secret: letters, turns and sendings are told by their
numbers (``service/journal``). What comes from libraries is told from warnings on: some log every byte of a line.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

from referee.cli.printing import say, visible
from referee.config import Log

FIELDS = "told"  # the name under which a record carries its fields

_SECRET = re.compile(
    r"(?P<before>\b(?:Bearer|password|passwd|token|AUTH +[A-Z0-9-]+|LOGIN +\S+) *[=:]? *)[^\s,;'\")]+"
    r"|(?<=\+)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=@)"  # the code of a player's reply address
    r"|(?<=\[)[A-Za-z]{1,6}[0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]{8}(?=\])",  # and that of his subjects
    re.I,
)
_GONE = "[...]"


def configure(log: Log) -> None:
    """Say from now on what *log* wants to hear, in its format."""
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Stderr)]:
        root.removeHandler(handler)
    handler = _Stderr()
    handler.setFormatter(JsonLines() if log.format == "json" else Lines())
    root.addHandler(handler)
    level = logging.getLevelNamesMapping()[log.level.upper()]
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("referee").setLevel(level)


def tell(sentence: str) -> None:
    """Say why a command ends, on stderr: as it is for people, as an object where programs read."""
    formats = [each.formatter for each in logging.getLogger().handlers if isinstance(each, _Stderr)]
    if any(isinstance(each, JsonLines) for each in formats):
        logging.getLogger("referee").error("%s", sentence)
    else:
        say(f"referee: {sentence}", err=True)


def without_secrets(text: str) -> str:
    """Return *text* without what looks like a password, token or reply code. No line of ours should hold one; this is the net."""
    return _SECRET.sub(lambda found: (found["before"] or "") + _GONE, text)


class Lines(logging.Formatter):
    """``referee: letter number=3 status=done``; a trace stands on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        words = [visible(record.getMessage(), "")]
        words += [visible(f"{name}={value}", "") for name, value in _fields(record).items() if value not in (None, "")]
        trace = _trace(self, record)
        return without_secrets("referee: " + " ".join(words) + (f"\n{trace}" if trace else ""))


class JsonLines(logging.Formatter):
    """One object a line: ``at`` (UTC), ``level``, ``from`` (the module), ``text``, then the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": without_secrets(record.getMessage()),
            **_fields(record),
        }
        trace = _trace(self, record)
        if trace:
            told["trace"] = without_secrets(trace)
        return json.dumps(told, ensure_ascii=True)  # nothing in a log may steer a terminal


class _Stderr(logging.Handler):
    """Writes to stderr as it is at that moment: a test, or a caller, may have put another in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            return  # nobody listens any more; the work goes on


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return dict(getattr(record, FIELDS, {}))


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    if not record.exc_info:
        return ""
    lines = formatter.formatException(record.exc_info).splitlines()
    return "\n".join(visible(line, "") for line in lines)
