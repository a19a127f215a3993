"""Letters of ours that have not left yet."""

from __future__ import annotations

import sys

import click

from referee.cli.base import Where, counted, utc
from referee.cli.printing import say, say_row
from referee.service.post.outbox import retry as retry_letters
from referee.service.post.outbox import why_paused
from referee.store import deliveryqueue
from referee.store.database.rows import OutboxRow

LETTERS = ("no", "status", "tries", "next try (UTC)      ", "recipient", "game", "what", "reason")


@click.group(invoke_without_command=True)
@click.pass_context
def outbox(ctx: click.Context) -> None:
    """List the letters that wait to be sent, or have failed.

    A line each: number, status, tries, next try (UTC), recipient, game, what it is, reason, separated by tabs; on a terminal
    with a heading. If the mail server is left alone for a while, stderr says why.
    """
    if ctx.invoked_subcommand is not None:
        return
    if sys.stdout.isatty():
        say_row(*LETTERS)
    with ctx.obj.opened() as club:
        for row in deliveryqueue.unsent(club.db):
            say_row(*_told(row))
        paused = why_paused(club)
    if paused:
        say(f"referee: {paused}", err=True)


@outbox.command()
@click.argument("numbers", metavar="[NUMBER]...", type=int, nargs=-1)
@click.option("--failed", is_flag=True, help="All that have failed.")
@click.pass_obj
def retry(where: Where, numbers: tuple[int, ...], failed: bool) -> None:
    """Send letters with the next pass: those of these NUMBERs, else all that wait.

    The mail server is tried again at once, even if it was to be left alone.
    """
    if numbers and failed:
        raise click.UsageError("name letters by number, or all that have failed with --failed, not both")
    with where.opened() as club:
        count = retry_letters(club, numbers, failed=failed)
    say(f"{counted(count, 'letter is', 'letters are')} sent with the next pass")


def _told(row: OutboxRow) -> tuple[str, ...]:
    next_try = utc(row.next_try) if row.next_try is not None else "-"
    reason = row.error or "-"
    return (str(row.id), row.state, str(row.attempts), next_try, row.recipient, row.game or "-", row.kind, reason)
