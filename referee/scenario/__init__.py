"""Scenario files: a position, orders as letters, throws by name, and what must come of it. Pure but for reading files."""

from referee.scenario.file import read_scenario
from referee.scenario.run import BrokenOffError, Result, run_scenario

__all__ = ["BrokenOffError", "Result", "read_scenario", "run_scenario"]
