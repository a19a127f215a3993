"""docs/own-words.md: what it shows can be copied into a club's folder as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from referee.service.doctor.folder import own_file_findings
from tests.posthouse import ANN, Clubs, text_of

PAGE = Path(__file__).parent.parent / "docs" / "own-words.md"


def files() -> dict[str, str]:
    """Return the page's files by the place that their first line names."""
    blocks = re.findall(r"^```toml\n# (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return dict(blocks)


def test_its_examples_are_read_and_understood(club: Clubs) -> None:
    house = club()
    for place, text in files().items():
        path = house.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    told = [f"{each.level} {each.text}" for each in own_file_findings(house.club.config)]
    assert told == [
        "ok 1 catalogue of your own can be read",
        "ok 2 files of your own words for orders can be read",
    ]
    house.begin()
    house.send(ANN, "BEFEHLE RR1 1\nKEINE BEFEHLE\nENDE\nHELP")
    answer = house.text(ANN)
    assert "You pass" in answer
    assert "Du tust in diesem Zug nichts" in answer
    assert "Montag 14" in text_of(house.post(ANN)[0])
    assert house.club.positions.order_languages.of("dampfross").words.exactly("sonst")
