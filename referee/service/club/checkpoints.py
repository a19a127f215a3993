"""Labelled places in the work at which a test may cut the power."""

from __future__ import annotations

import os

from referee import system

PASS_STEPS = (
    "receive:found",  # a letter lies in the Maildir
    "receive:storing",  # inside the transaction that keeps its bytes
    "receive:stored",
    "receive:moved",
    "receive:begun",  # it is about to be handled
    "receive:filing",  # inside the transaction of order set, press and answer
    "receive:handled",
    "adjudicate:computed",
    "adjudicate:writing",  # inside the transaction of turn, events and newsletters
    "adjudicate:written",
    "send:leased",
    "send:ready",
    "send:sent",
    "send:marked",
    "tick:done",
)
GUARD_STEPS = (  # of a pass after an outage
    "guard:noted",
    "guard:moving",  # inside the transaction of a moved deadline and its letters
    "guard:moved",
    "guard:told",
)
RECOVERY_STEPS = (  # of a pass with a database that lost something
    "recovery:noticed",
    "recovery:brought",
    "recovery:done",
)
MISSING_STEPS = ("missing:telling",)  # inside the transaction that gives a turn more time
STEPS = (*PASS_STEPS, *GUARD_STEPS, *RECOVERY_STEPS, *MISSING_STEPS)


def step(name: str, crash_at: str) -> None:
    """Do nothing, unless *crash_at* (``Config.crash_at``) names this step: then the process is killed at once.

    Raises:
        ValueError: *name* is not in ``STEPS``, so no test would try it.
    """
    if name not in STEPS:
        raise ValueError(f"step {name!r} is not listed")
    if name == crash_at:
        os.kill(os.getpid(), system.KILL)
