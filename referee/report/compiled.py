"""Templates are compiled once in a process, whatever their readers' languages and zones."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.runtime import Context


class Compiled(jinja2.BytecodeCache):
    """Keeps the code of each template file, until its text is another.

    It is shared by all environments of ``bare_environment``, so that nothing of a reader may be compiled in: see ``at_reading``.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the code of a template, if it was compiled from the text that stands there now."""
        checksum, code = self._kept.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        if bucket.code is not None:
            self._kept[bucket.key] = (bucket.checksum, bucket.code)


COMPILED = Compiled()


def at_reading(filtered: Callable[..., str]) -> Callable[..., str]:
    """Return a filter that Jinja2 does not apply to a constant when it compiles: what it gives is another's to another reader."""

    @jinja2.pass_context
    def apply(_: Context, *values: Any, **named: Any) -> str:
        return filtered(*values, **named)

    return apply
