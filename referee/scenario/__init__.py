"""Scenario files: a position, orders as letters, throws by name, and what must come of it. Pure but for reading files."""

from .file import *
from .run import *
