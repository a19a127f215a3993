"""The file of an order desk is whole, small, and does what its policy allows; how letters bring it; the types of its scripts."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from referee.games.dampfross import GAME
from referee.report.desk import MAP_SCRIPTS, SCRIPTS
from tests.desk.pages import page_of
from tests.forkedcommands import run_program
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


def test_pages_have_a_desk_for_the_awaited_turn_and_a_word_for_those_before(race: PostHouse) -> None:
    race.write(ANN, "STEP 1")
    assert race.send(BOB, "STEP 1").turns == ("RR1/1",)
    assert race.command("publish", str(race.folder / "www")).returncode == 0
    folder = race.folder / "www" / "RR1" / "desk"
    assert sorted(each.name for each in folder.iterdir()) == ["RR1-1.html", "RR1-2.html"]
    assert 'href="RR1-2.html"' in (folder / "RR1-1.html").read_text("utf-8")
    assert "STEP" in (folder / "RR1-2.html").read_text("utf-8")
    assert 'href="desk/RR1-2.html"' in (folder.parent / "index.html").read_text("utf-8")


def test_the_umpire_writes_a_desk_by_hand(race: PostHouse) -> None:
    file = race.folder / "d.html"
    done = race.command("desk", "rr1", "-o", str(file))
    assert (done.returncode, done.stdout) == (0, f"{file}\n")
    assert "RR1, turn 1: order desk" in file.read_text("utf-8")
    assert race.command("desk", "RR9").returncode == 65


# In letters: a link where pages are published, a file for who asks for it, and a code in neither.


URL = "https://club.example/trains/"


@pytest.mark.parametrize(("policy", "more"), [("token", ""), ("address", "&to=referee%40club.example")])
def test_newsletters_link_to_the_desk_of_the_next_turn(
    tmp_path_factory: pytest.TempPathFactory, policy: str, more: str
) -> None:
    settings = {"publish__folder": "www", "publish__url": URL, "identity__policy": policy}
    with PostHouse(tmp_path_factory.mktemp("club") / "club", **settings) as house:
        house.begin()
        text = house.last(ANN).get_body(("plain",))
        assert text is not None
        (link,) = [line for line in text.get_content().splitlines() if line.startswith(URL)]
        assert link == f"{URL}RR1/desk/RR1-1.html#c=ANN&l=en{more}"
        assert (house.folder / "www" / "RR1" / "desk" / "RR1-1.html").is_file()


def test_a_club_without_pages_links_to_none_and_attaches_it_to_who_asks(race: PostHouse) -> None:
    race.write(ANN, "ATTACH DESK\nORDERS RR1 1\nSTEP 1\nEND")
    assert race.send(BOB, "STEP 1").turns == ("RR1/1",)
    names = [[each.get_filename() for each in race.last(who).iter_attachments()] for who in (ANN, BOB)]
    assert "order-desk-RR1-turn-2.html" in names[0]
    assert "order-desk-RR1-turn-2.html" not in names[1]
    letter = race.last(ANN)
    (desk,) = [each for each in letter.iter_attachments() if each.get_filename() == "order-desk-RR1-turn-2.html"]
    assert desk.get_content_type() == "text/html"
    page = desk.get_content()
    assert "RR1, turn 2: order desk" in page
    text = letter.get_body(("plain",))
    assert text is not None
    assert "order-desk-RR1-turn-2.html" in text.get_content()


# The types that the desks' scripts state in their comments agree: TypeScript looks at each desk as it is put together.


ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
OPTIONS = "--checkJs --allowJs --noEmit --strict --strictNullChecks false --noImplicitAny false --target ES2022"


def checked(folder: Path, scripts: tuple[str, ...], beside: tuple[str, ...] = ("board", "speech", "shell")) -> str:
    """Return what is wrong with the types of a desk."""
    if not TSC.exists():
        pytest.skip("typescript is not installed (npm install --no-save typescript)")
    files = [str(folder / f"{name}.js") for name in (*beside[:2], *scripts, *beside[2:])]
    call = [str(TSC), *OPTIONS.split(), "--lib", "ES2022,DOM,DOM.Iterable", "--types", "", *files]
    return run_program(call).stdout


@pytest.mark.parametrize("scripts", [("plain",), *SCRIPTS.values()], ids=" ".join)
def test_the_types_of_a_desk_agree(scripts: tuple[str, ...]) -> None:
    assert checked(ROOT / "templates" / "desk", scripts) == ""


def test_the_types_of_the_map_desk_agree() -> None:
    assert checked(ROOT / "templates" / "mapdesk", MAP_SCRIPTS, ()) == ""


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    for file in (ROOT / "templates" / "desk").glob("*.js"):
        (tmp_path / file.name).write_text(
            file.read_text("utf-8").replace("Script.write(position, reader, ", "Script.write(")
        )
    assert "error TS" in checked(tmp_path, ("plain",))
