"""Numbers for a monitor."""

from __future__ import annotations

import click

from referee.cli.base import Where
from referee.cli.printing import say


@click.command()
@click.pass_obj
def metrics(where: Where) -> None:
    """Print how the club is doing in the text format of Prometheus.

    Letters in and out by what became of them, the oldest that waits, turns due and late, bounces, seconds of CPU, size of the
    database. With the setting `log.metrics` each pass writes the same into a file for the node exporter.
    """
    from referee.service.metrics import exposition  # here, because all other commands need not wait for it

    with where.opened() as club:
        say(exposition(club).rstrip("\n"))
