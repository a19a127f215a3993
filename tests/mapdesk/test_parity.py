"""What the map desk calls right or wrong `map check` does, in the same words: random edits in a browser, each fault counted.

``MAPDESK_EDITS=40000`` makes so many of them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.core import MapError
from referee.core.texts.boardfields import FORM_FAULTS
from referee.core.texts.shipped import shipped_faults
from referee.games.dampfross.board import FAULTS
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.editor import remarks
from tests.mapdesk.pages import FEATURES, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EDITS = int(os.environ.get("MAPDESK_EDITS", "5000"))
BATCH = 200
SCRIPT = (Path(__file__).parent / "random_edits.js").read_text("utf-8")
SAYS = {
    code: text
    for each in (FORM_FAULTS, FAULTS)
    for code, text in shipped_faults(each).items()
    if isinstance(text, str) and not code.startswith("sketch-")  # no map file is called a sketch
}


def said(text: str) -> tuple[list[str], list[str]]:
    """Return the faults and the remarks of a map."""
    try:
        return [], sorted(remarks(read_map(text, "x")))
    except MapError as error:
        return sorted(sentence for _, sentence in error.faults), []


# What is said within other faults, and remarks: they are known by their words.
PATTERNS = {code: re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))) for code, text in SAYS.items()}
WITHIN = ("not-hex", "off-sheet", "not-land", "not-side", "not-neighbours")


@pytest.mark.browser
@pytest.mark.testdesk
def test_the_desk_says_what_the_referee_says_of_random_edits(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, FEATURES)
    counts: Counter[str] = Counter()
    good = 0
    for seed in range(0, EDITS, BATCH):
        for text, faults, found, noted in page.evaluate(SCRIPT, [seed // BATCH, BATCH]):
            expected = said(text)
            assert (sorted(faults), sorted(noted)) == expected, text
            good += not faults
            counts.update(found)
            counts.update(code for code in WITHIN for sentence in faults if PATTERNS[code].search(sentence))
            counts.update(code for code in SAYS for sentence in noted if PATTERNS[code].fullmatch(sentence))
    print(f"{EDITS} edits, {good} maps in order; {dict(counts.most_common())}")
    if EDITS >= 5000:
        assert sorted(set(SAYS) - set(counts)) == [], "these never occurred"
