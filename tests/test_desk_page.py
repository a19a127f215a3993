"""The page on the umpire's desk tells the truth: its session is run line by line, and says what it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.posthouse import ANN, BOB, PostHouse

PAGE = (Path(__file__).parent.parent / "docs" / "desk.md").read_text("utf-8")
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def session() -> list[tuple[list[str], list[str]]]:
    """Return the command lines of the page's session, each with the lines that it prints."""
    done: list[tuple[list[str], list[str]]] = []
    for line in (line[4:] for line in PAGE[PAGE.index("    $ ") :].split("\n\n")[0].split("\n")):
        if line.startswith("$ referee "):
            done.append((shlex.split(line)[2:], []))
        else:
            done[-1][1].append(line)
    return done


def test_the_session_of_the_page_prints_what_it_says(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/1",)
    lines = session()
    assert len(lines) == 6
    for words, told in lines:
        result = house.command(*words)
        assert result.returncode == 0, words
        assert AT.sub("AT", result.stderr + result.stdout).splitlines() == [AT.sub("AT", line) for line in told]
