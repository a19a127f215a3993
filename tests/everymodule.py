"""Imports all of the referee, for the process from which commands are forked."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import referee

for _found in walk_packages(referee.__path__, "referee."):
    if not _found.name.endswith("__main__"):
        import_module(_found.name)
import_module("tests.forkedcommands")
