"""Whether a club can do its work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from referee.cli.base import Where
from referee.cli.listing import COLOURS
from referee.cli.options import JSON
from referee.cli.printing import say, say_coloured
from referee.config import address_fault, club_folder
from referee.core.address import typed
from referee.core.errors import ConfigError
from referee.service.club.club import utc_now

if TYPE_CHECKING:
    from referee.service.doctor import Finding

FAULTS = 1


@click.command()
@click.option("--local", is_flag=True, help="Look at this machine alone: ask no mail server and no name server.")
@click.option(
    "--send",
    metavar="ADDRESS",
    default="",
    help="Send a test letter to this address, and others to ourselves: through the plus address, and a forged one.",
)
@click.option("--dkim-selector", "selector", metavar="NAME", default="", help="Look up the DKIM key of this name.")
@JSON
@click.pass_obj
def doctor(where: Where, local: bool, send: str, selector: str, as_json: bool) -> None:
    """Look whether the club can do its work, and say what to do where it cannot.

    A line for each thing: `ok`, `warning` or `fault`, what it is about, what was found, what to do. Settings, permissions, disk,
    database, clock, your own templates and maps, mailboxes, mail servers, DNS records (with the extra `dns`). Nothing is changed
    but that folders for letters are made on the IMAP server where they are missing. Ends with 1 if there is a fault.
    """
    # Here, because a `referee tick` by cron should not wait for it.
    from referee.service.doctor import dns_lookup, examine, examine_post, settings_of

    if send and (local or address_fault(send)):
        raise ConfigError("--send goes without --local" if local else f"--send: {address_fault(send)}")
    config, first = settings_of(club_folder(where.club))
    found = [first]
    if not as_json:
        say_finding(first)
    if config is not None:
        now = utc_now()
        post = iter(()) if local else examine_post(config, now, dns_lookup(), selector, typed(send))
        found += _told(chain(examine(config, now), post), as_json)
    if as_json:
        say(json.dumps([to_builtins(finding) for finding in found], ensure_ascii=False, indent=1))
    if config is None:
        raise click.exceptions.Exit(ConfigError.exit_code)
    if any(finding.level == "fault" for finding in found):
        raise click.exceptions.Exit(FAULTS)


def say_finding(finding: Finding) -> None:
    """Print what was found; on a terminal its first word has a colour."""
    line = str(finding)
    say_coloured((line[: len(finding.level)], COLOURS.get(finding.level)), (line[len(finding.level) :], None))


def _told(findings: Iterator[Finding], as_json: bool) -> Iterator[Finding]:
    """Print each finding as it is made: a server may let us wait."""
    for finding in findings:
        if not as_json:
            say_finding(finding)
        yield finding
