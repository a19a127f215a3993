"""The tables, as the steps in which they came about. A step that has been released is never changed; a new one goes at the end
of the last file, or into a new one here.

Nothing a player sent and nothing the referee decided is deleted but by the umpire's will (``m027``): order sets are withdrawn, an
adjudicated turn stays as it is, and its correction is a further edition beside it.
"""

from __future__ import annotations

import re

from sqlite_utils import Migrations

from referee.store.database.migrations import m001_to_m008, m009_to_m015, m016_files, m017_to_m023, m024_onwards

MIGRATIONS = Migrations("referee")

for _steps in (m001_to_m008, m009_to_m015, m016_files, m017_to_m023, m024_onwards):
    for _name, _step in vars(_steps).items():
        if re.match(r"m\d{3}_", _name):
            MIGRATIONS()(_step)
