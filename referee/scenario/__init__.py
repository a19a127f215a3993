"""Scenario files: a position, orders as letters, throws by name, and what must come of it. Pure but for reading files."""

from .file import Scenario, read_scenarios
from .run import BrokenOffError, Result, run_scenario

__all__ = ["BrokenOffError", "Result", "Scenario", "read_scenarios", "run_scenario"]
