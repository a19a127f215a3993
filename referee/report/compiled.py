"""Templates are compiled once, whatever their readers' languages and zones: in a process, and in a club's cache for all."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.runtime import Context

from referee.cache import NOTHING_KEPT, Cache

_KEPT: dict[str, tuple[str, CodeType]] = {}  # in this process: checksum and code by Jinja2's key


class Compiled(jinja2.BytecodeCache):
    """Keeps the code of each template file, until its text is another.

    It is shared by all environments of ``bare_environment``, so that nothing of a reader may be compiled in: see ``at_reading``.
    """

    def __init__(self, cache: Cache = NOTHING_KEPT, options: str = "") -> None:
        """*options*: by what else than its text a template's code is made."""
        self._cache = cache
        self._options = f"{jinja2.__version__} {options}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the code of a template, if it was compiled from the text that stands there now."""
        checksum, code = _KEPT.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif (found := self._cache.read(self._key(bucket))) is not None:
            bucket.bytecode_from_string(found)
            self._keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        if self._keep(bucket):
            self._cache.write(self._key(bucket), bucket.bytecode_to_string())

    def _keep(self, bucket: Bucket) -> bool:
        if bucket.code is not None:
            _KEPT[bucket.key] = (bucket.checksum, bucket.code)
        return bucket.code is not None

    def _key(self, bucket: Bucket) -> str:
        return sha256(f"template {self._options} {bucket.key} {bucket.checksum}".encode()).hexdigest()


def at_reading(filtered: Callable[..., str]) -> Callable[..., str]:
    """Return a filter that Jinja2 does not apply to a constant when it compiles: what it gives is another's to another reader."""

    @jinja2.pass_context
    def apply(_: Context, *values: Any, **named: Any) -> str:
        return filtered(*values, **named)

    return apply
