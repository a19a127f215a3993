"""The file of an order desk: it is whole, small, and its policy allows its own script and nothing else."""

import base64
import hashlib
import json
import re

import pytest

from referee.games.dampfross import GAME
from tests.desk.pages import page_of
from tests.games.dampfross.recordedgames import recorded_game
from tests.posthouse import ANN, BOB, PostHouse

LARGEST = 500_000  # bytes, that letters may carry it


@pytest.fixture(scope="module")
def page() -> str:
    return page_of(recorded_game("russia postal together 4")[2][11].before)


def test_the_largest_map_is_a_small_file(page: str) -> None:
    assert 200_000 < len(page.encode()) < LARGEST


@pytest.mark.parametrize(
    "name",
    ["bavaria schmidt together 5", "russia postal together 4", "kentucky_tennessee schmidt together 6", "usual 6 d"],
)
def test_the_file_of_every_map_is_small_late_in_the_game(name: str) -> None:
    turns = recorded_game(name)[2]
    late = max((turn.before for turn in turns if turn.before.phase == "race"), key=lambda state: len(state.track))
    assert 200_000 < len(page_of(late).encode()) < LARGEST


def test_the_policy_allows_the_one_script_and_no_connection(page: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.replace("&#39;", "'").split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "form-action 'none'",
        "base-uri 'none'",
    ]
    assert page.index('charset="utf-8"') < 300
    assert not re.search(r"""(?:src|href)=["']?(?!#)(?:https?:|//)|\bfetch\(|XMLHttp|WebSocket|atob""", page)


def test_all_that_the_script_reads_is_json_that_ends_no_script(page: str) -> None:
    values = dict(re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.DOTALL))
    assert set(values) == {"position", "told", "words", "sentences", "spoken"}
    words = json.loads(values["words"])
    assert {"en", "de", "fr", "nl"} == set(words)
    assert len({each["undo"] for each in words.values()}) == 4
    assert all("<" not in each for each in values.values())


def test_every_complaint_of_the_script_has_its_sentence(page: str) -> None:
    sentences = json.loads(re.findall(r'id="sentences">(.*?)</script>', page)[0])
    assert {"illegal-over-budget", "illegal-off-network", "warning-toll-cap"} < set(sentences["de"])
    assert sentences["de"]["illegal-over-budget"]["plural"] != sentences["en"]["illegal-over-budget"]["plural"]


def test_nothing_is_compiled_when_the_game_is_over() -> None:
    assert GAME.desk(recorded_game("usual 3 a")[2][-1].outcome.state) == {}


def test_pages_have_a_desk_for_the_awaited_turn_and_a_word_for_those_before(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/1",)
    assert house.command("publish", str(house.folder / "www")).returncode == 0
    folder = house.folder / "www" / "RR1" / "desk"
    assert sorted(each.name for each in folder.iterdir()) == ["RR1-1.html", "RR1-2.html"]
    assert 'href="RR1-2.html"' in (folder / "RR1-1.html").read_text("utf-8")
    assert "STEP" in (folder / "RR1-2.html").read_text("utf-8")
    assert 'href="desk/RR1-2.html"' in (folder.parent / "index.html").read_text("utf-8")


def test_the_umpire_writes_a_desk_by_hand(house: PostHouse) -> None:
    house.game()
    file = house.folder / "d.html"
    done = house.command("desk", "rr1", "-o", str(file))
    assert (done.returncode, done.stdout) == (0, f"{file}\n")
    assert "RR1, turn 1: order desk" in file.read_text("utf-8")
    assert house.command("desk", "RR9").returncode == 65
