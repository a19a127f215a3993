"""Letters of ours that have not left yet."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.listing import list_rows
from referee.cli.options import JSON
from referee.cli.printing import say
from referee.core.texts.wording import counted
from referee.service.post.deliver import retry as retry_letters
from referee.service.post.deliver import why_paused
from referee.store import deliveryqueue
from referee.store.database.rows import OutboxRow

HEADS = {
    "number": "no",
    "status": "status",
    "tries": "tries",
    "next_try": "next try",
    "recipient": "recipient",
    "game": "game",
    "what": "what",
    "reason": "reason",
}


@click.group(invoke_without_command=True)
@JSON
@click.pass_context
def outbox(ctx: click.Context, as_json: bool) -> None:
    """List the letters that wait to be sent, or have failed.

    A line each: number, status, tries, next try, recipient, game, what it is, reason: on a terminal a table, in a pipe with tabs
    and times in UTC. If the mail server is left alone for a while, stderr says why.
    """
    if ctx.invoked_subcommand is not None:
        return
    with ctx.obj.opened() as club:
        rows = [_told(row) for row in deliveryqueue.unsent(club.db)]
        list_rows(rows, HEADS, club.config.zone, as_json=as_json)
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


def _told(row: OutboxRow) -> dict[str, object]:
    return {
        "number": row.id,
        "status": row.state,
        "tries": row.attempts,
        "next_try": row.next_try,
        "recipient": row.recipient,
        "game": row.game,
        "what": row.kind,
        "reason": row.error,
    }
