"""Says what a year of a club is: python -m bench.year [--short] [--seed WORDS] [--into DIRECTORY]

Forty games of both kinds with 200 addresses from January to December, with players who are late, away or gone, outages, undone
turns, rulings, replacements, a move and a lost database (tests/year); at the end everything is looked through, and what is not as
promised is printed. Boards in letters are one pixel large, as in the tests. It takes some twenty minutes of a processor.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from unittest.mock import patch

from referee.service.pictures import Pictures
from tests.pictures import tiny_png
from tests.year.audit import faults, too_few
from tests.year.games import SHORT, WHOLE
from tests.year.year import Year, figures, live

LEAST = {"undo": 3, "adjust": 2, "replace": 5}  # of a full year
FULL = Year(games=WHOLE, people=200, every=timedelta(hours=1), gone=9)
BRIEF = Year(games=SHORT, people=12, every=timedelta(hours=8), gone=2, resigned=1, away=2, standbys=2)


def main() -> None:
    """Let the year pass, and print what it was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a handful of games, as `make test-long` plays")
    parser.add_argument("--seed", default="a year", help="words from which everything is drawn")
    parser.add_argument("--into", type=Path, help="an empty folder to keep the club in")
    words = parser.parse_args()
    with ExitStack() as stack:
        stack.enter_context(patch.object(Pictures, "png", tiny_png))
        folder = words.into or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        year = BRIEF if words.short else FULL
        told = partial(print, file=sys.stderr, flush=True)
        made, umpire = stack.enter_context(live(folder, year, words.seed, told))
        print(json.dumps(figures(made), indent=1, ensure_ascii=False))
        found = faults(made, umpire) + ([] if words.short else too_few(made, LEAST))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
