"""Passes: one by cron, or one after the other until stopped. A pass by cron need not wait for what other commands need."""

from __future__ import annotations

import logging
from datetime import datetime

import click

from referee.core import RefereeError, Texts
from referee.service.club import Club
from referee.service.tick import Pass, Progress, Undelivered, events
from referee.service.tick import tick as make_pass

from .base import FIELDS, SOFTWARE, CommandMaker
from .printing import say

command = CommandMaker(__file__)

log = logging.getLogger(__name__)


@command("tick")
def tick(club: Club, clock_is_right: bool) -> None:
    """Make one pass over the post and the games.

    Letters are collected and acknowledged, turns that are due adjudicated, letters sent.
    """
    began = club.now
    try:
        done = make_pass(club, _print_progress, believed=clock_is_right)
    except Undelivered as error:
        _log_pass(club, error.done, began)
        _print_pass(error.done)
        raise
    except RefereeError:
        _log_pass(club, None, began)
        raise
    _log_pass(club, done, began)
    _print_pass(done)
    if done.failed:
        raise click.exceptions.Exit(SOFTWARE)


@command("run")
def run(club: Club) -> None:
    """Make passes until stopped.

    This is `referee tick` in a loop; SIGTERM or Ctrl-C end it after the pass being made.
    """
    from referee.daemon import run as run_daemon

    waiting: Texts = ()
    began = club.now

    def report(done: Pass) -> None:
        nonlocal waiting, began
        _log_pass(club, done, began)
        began = club.now
        if done.letters or done.turns or done.sent or done.failed or done.untyped != waiting:
            _print_pass(done)
        waiting = done.untyped

    run_daemon(club, report, _print_progress)


def _log_pass(club: Club, done: Pass | None, began: datetime) -> None:
    """Log what a pass did, after it is done, or (None) broken off: what was rolled back is not told."""
    if log.isEnabledFor(logging.INFO) and not (done and done.elsewhere):
        for event in events(club, done, began):
            log.info(event.name, extra={FIELDS: event.fields})


def _print_progress(progress: Progress) -> None:
    post = f"letters handled: {progress.letters}, letters sent: {progress.sent}"
    say(f"turns played so far: {progress.turns}, games still to be looked at: {progress.games}, {post}")


def _print_pass(done: Pass) -> None:
    if done.elsewhere:
        say("another process is making a pass: nothing done")
        return
    played = f", turns played: {', '.join(done.turns)}" if done.turns else ""
    left = f", left for the next minute: {done.left}" if done.left else ""
    say(f"letters handled: {done.letters}{played}, letters sent: {done.sent}{left}")
    for turn in done.untyped:
        say(f"turn {turn} waits for throws that you type: see `referee dice {turn.partition('/')[0]}`")
    for name in done.failed:
        say(f"referee: the turn of {name} could not be played; its state is untouched", err=True)
