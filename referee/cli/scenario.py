"""Scenario files: run, compared, told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.cli.printing import say
from referee.core.errors import ConfigError
from referee.scenario import BrokenOffError, Result, Scenario, read_scenarios, run_scenario
from referee.scenario.run import event_lines, verdict_lines

DIFFERS = 1
DAMAGED = 78  # sysexits.h: mend the file


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--explain", is_flag=True, help="Print what each letter was answered, and every event with its paragraph."
)
def scenario(files: tuple[Path, ...], explain: bool) -> None:
    """Run scenario files and compare what comes with what they expect.

    A line for each file and variant, or what differs. Exit code 1 if anything differs, 78 if a file cannot be run; no club is
    needed.
    """
    results = [result for file in files for result in _told(file, explain)]
    if None in results:
        raise click.exceptions.Exit(DAMAGED)
    if any(result.differences for result in results if result):
        raise click.exceptions.Exit(DIFFERS)


def _told(file: Path, explain: bool) -> Iterator[Result | None]:
    """Run a file with all its variants and print what came; yield None for what cannot be run."""
    try:
        scenarios = read_scenarios(file)
    except ConfigError as error:
        _print_faults(error)
        yield None
        return
    for each in scenarios:
        yield _run(each, explain)


def _run(scenario: Scenario, explain: bool) -> Result | None:
    try:
        result = run_scenario(scenario)
    except BrokenOffError as error:
        _print_faults(error)
        for line in _broken_lines(error.result, explain):
            say(line)
        return None
    for line in (*verdict_lines(result), *(event_lines(result) if explain else ())):
        say(line)
    return result


def _print_faults(error: ConfigError) -> None:
    say("\n".join(f"referee: {line}" for line in str(error).split("\n")), err=True)


def _broken_lines(result: Result, explain: bool) -> Iterator[str]:
    """Yield what came as far as it was played; where throws were made up nothing can be compared."""
    if result.differences and not result.made_up:
        yield from verdict_lines(result)
    if explain:
        yield from event_lines(result)
