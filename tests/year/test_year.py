"""The short form of a year: a handful of games, from January to December."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.year.audit import faults, too_few
from tests.year.games import SHORT
from tests.year.year import Year, figures, live


@pytest.mark.testlong
def test_a_year_of_a_club(tmp_path: Path) -> None:
    """Every game ends or stands where it should, every log verifies, no letter is lost or answered twice."""
    year = Year(games=SHORT, people=12, every=timedelta(hours=12), gone=2, resigned=1, away=2, standbys=2)
    with live(tmp_path, year, "short") as (made, umpire):
        assert faults(made, umpire) == []
        told = figures(made)
        done = ("accept", "play", "withdraw", "note", "hold", "resume")
        assert too_few(made, {"undo": 3, "adjust": 2, "replace": 1} | dict.fromkeys(done, 1)) == []
    assert told["games"] == {"finished": 4}
