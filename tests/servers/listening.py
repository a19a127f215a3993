"""The loop in which a mail server of a test lives, which leaves no line open when it ends."""

import asyncio
from typing import Any

from aiosmtpd.controller import Controller

_PATIENCE = 20  # seconds for all lines to be cut


class Listening(Controller):
    """The library's server. It would stop its loop whatever is on the wire: a line that is being opened at that moment is
    left to the collector, and its warning falls on whatever test runs then.
    """

    def __init__(self, handler: Any, **settings: Any) -> None:
        super().__init__(handler, **settings)
        self._lines: list[Any] = []

    def factory(self) -> Any:
        line = super().factory()  # type: ignore[no-untyped-call]
        self._lines.append(line)
        return line

    def stop(self, no_assert: bool = False) -> None:
        asyncio.run_coroutine_threadsafe(self._hang_up(), self.loop).result(_PATIENCE)
        super().stop(no_assert)

    async def _hang_up(self) -> None:
        """Cut each line, when it has been opened, and wait until nothing is left to do for it."""
        while len(asyncio.all_tasks()) > 1 or any(line.transport is not None for line in self._lines):
            for line in self._lines:
                if line.transport is not None:
                    line.transport.abort()
            await asyncio.sleep(0)
