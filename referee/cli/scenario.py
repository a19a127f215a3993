"""Scenario files: run, compared, told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.core.errors import ConfigError
from referee.scenario import BrokenOffError, Result, read_scenario, run_scenario
from referee.scenario.telling import event_lines, verdict_lines

DIFFERS = 1
DAMAGED = 78  # sysexits.h: mend the file


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--explain", is_flag=True, help="Print every event with its paragraph.")
def scenario(files: tuple[Path, ...], explain: bool) -> None:
    """Run scenario files and compare what comes with what they expect.

    A line for each file, or what differs. Exit code 1 if anything differs, 78 if a file cannot be run; no club is needed.
    """
    results = [_told(file, explain) for file in files]
    if None in results:
        raise click.exceptions.Exit(DAMAGED)
    if any(result.differences for result in results if result):
        raise click.exceptions.Exit(DIFFERS)


def _told(file: Path, explain: bool) -> Result | None:
    """Run a file and print what came; return None if it cannot be run."""
    try:
        result = run_scenario(read_scenario(file))
    except ConfigError as error:
        click.echo("\n".join(f"referee: {line}" for line in str(error).split("\n")), err=True)
        for line in _broken_lines(error.result, explain) if isinstance(error, BrokenOffError) else ():
            click.echo(line)
        return None
    for line in (*verdict_lines(result), *(event_lines(result) if explain else ())):
        click.echo(line)
    return result


def _broken_lines(result: Result, explain: bool) -> Iterator[str]:
    """Yield what came as far as it was played; where throws were made up nothing can be compared."""
    if result.differences and not result.made_up:
        yield from verdict_lines(result)
    if explain:
        yield from event_lines(result)
