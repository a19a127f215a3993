"""Practice: a person plays against built-in players at a prompt, and everything else is a club as any."""

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from referee.config import read_config
from referee.service.club import open_club
from referee.service.post.readers import seats_kept
from referee.store import orders
from tests.forkedcommands import run_here
from tests.tables import Tables

CASES = Tables(__file__)

Played = Callable[..., Result]
FEATURES = Path(__file__).parent / "games" / "dampfross" / "maps" / "features.toml"


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Play in a folder of its own: the words of a command line, and what is typed."""
    monkeypatch.chdir(tmp_path)

    def played(*words: str, typed: str = "") -> Result:
        return run_here("practice", *words, input=typed)

    return played


def file_of(told: str, what: str) -> Path:
    """Return the newest page that was named."""
    return Path([line.partition(": ")[2] for line in told.splitlines() if line.startswith(what)][-1])


def test_two_rounds_are_played_with_a_slip_mended_and_the_game_goes_on_another_day(
    play: Played, tmp_path: Path
) -> None:
    first = play(
        "--no-browser",
        typed="HELP\nORDERS RR1 1\nHOME Dublin\n\n1a) (Dublin) - ZZ99\nEND\nHOME Dublin\n\nplay\nnewsletter\nquit\n",
    )
    assert first.exit_code == 0, first.output
    assert "You are GSW, against MGW, BNC (built-in players)." in first.output
    help_, slip, mended = first.output.split("> RR1: Dampfross, map Ireland\n")[1:4]
    assert "What you can write" in help_
    assert "line 4: hex 'ZZ99' is not on this map" in slip
    assert "If you have the turn played now" in slip
    assert "deadline" not in slip
    assert "HOME Dublin" in slip  # the empty line within ORDERS and END ended nothing
    assert "Not in order" not in mended
    assert '"play" plays the turn at once' in mended
    assert "Turn 1 was played." in mended
    assert "Round 1 of 12" in first.output
    assert file_of(first.output, "newsletter").read_text("utf-8").count("MGW") > 3
    assert "RR1-2.html" in Path("practice/RR1-1.html").read_text("utf-8")
    assert "played" in Path("practice/RR1-1.html").read_text("utf-8")

    Path("practice/orders.txt").write_text("\ufeffPASS\n", "utf-8")
    second = play("--no-browser", typed="\n\nplay\n")
    assert second.exit_code == 0, second.output
    assert second.output.count("Turn 2: your letter") == 1  # what lay in the folder was sent, once
    assert Path("practice/orders.sent.txt").is_file()
    assert "Turn 2 was played." in second.output
    assert "goes on here" in second.output  # nobody typed any more
    with open_club(read_config(tmp_path / "practice")) as club:
        ordered = {(each.turn, each.player) for turn in (1, 2) for each in orders.sets(club.db, "RR1", turn)}
    assert ordered == {(turn, code) for turn in (1, 2) for code in ("GSW", "MGW", "BNC")}


def test_volldampf_in_german_pages_open_in_the_browser(play: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(click, "launch", lambda url: opened.append(Path(url).name))
    done = play("volldampf", "--players", "6", "--lang", "de", typed="STATUS\nhint\nnewsletter\nplay\nplay\nquit\n")
    assert done.exit_code == 0, done.output
    assert "gegen SAX, BAY, BAD" in done.output
    letter = next(Path("practice/newsletters").glob("*00.txt")).read_text("utf-8")
    assert "Württembergische" in letter
    assert "Oldenburgische" in letter
    assert "Hallo Du, " in done.output
    assert "  ANLEIHEN " in done.output.partition("Ein Tipp")[2]
    assert "Der Zug wird gespielt, sobald du es sagst." in done.output
    assert "Für Zug 1 liegen keine Aufträge von dir vor." in done.output
    assert "Zug 1 ist gespielt." in done.output
    assert opened[-1] == "VD1-2.html"
    assert "VD1-turn-01.html" in opened


def test_orders_come_from_a_file_and_no_browser_is_needed(play: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "launch", lambda url: 1)
    Path("mine.txt").write_text("HOME Belfast\n", "utf-8")
    done = play("--orders", "mine.txt", typed="file nowhere.txt\nfile mine.txt\nopen\n")
    assert done.exit_code == 0, done.output
    assert done.stderr.count("no browser could be opened") == 1
    assert done.output.count("HOME Belfast") == 2
    assert "nowhere.txt cannot be read" in done.stderr


@CASES.rows
def test_what_cannot_be_is_said_in_one_sentence(play: Played, words: list[str], sentence: str) -> None:
    Path("other").mkdir()
    Path("other/photo.png").write_bytes(b"\x89PNG\xff")
    Path("huge.txt").write_text("PASS\n" * 30_000)
    Path("broken").mkdir()
    Path("broken/.practice").write_text("{")
    if "there" in words:
        assert play("--into", "there", "--players", "2", "--no-browser").exit_code == 0
    done = play("--no-browser", *words)
    assert sentence in done.stderr
    assert done.exit_code in (65, 78), done.output
    assert "Traceback" not in done.output
    assert sorted(each.name for each in Path("other").iterdir()) == ["photo.png"]


def test_practice_goes_on_a_map_of_ones_own_and_its_faults_come_first(play: Played, tmp_path: Path) -> None:
    land = tmp_path / "land.toml"
    text = FEATURES.read_text("utf-8")
    land.write_text(text.replace("numbers = [34]", "numbers = [37]"), "utf-8")
    refused = play("--map", "land.toml", "--no-browser")
    assert refused.exit_code == 78
    assert "Station Jura has the key 37" in refused.output
    saddle = '[[junction]]\nname = "Saddle"\nhex = "B5"\nbonus = 3\n\n[[special]]'
    land.write_text(text.replace("[[special]]", saddle, 1), "utf-8")
    typed = "1a) (Alton) - Saddle\n\nplay\nplay\nquit\n"
    played = play("--map", "land.toml", "--no-browser", typed=typed)
    assert played.exit_code == 0, played.output
    assert "1a) (Alton) - Saddle [+3]\n" in played.output  # a bonus for a hex that is no town
    assert "Crail, Dunn and Saddle: 3 [D3.1]" in played.output
    assert "Saddle +3" in Path("practice/newsletters/RR1-turn-00.svg").read_text("utf-8")
    told = Path("practice/newsletters/RR1-turn-01.txt").read_text("utf-8")
    assert re.search(r"\(Alton\) - Saddle \[\+[123]", told)  # of three, whoever else comes there
    assert "Turn 1 was played." in played.output
    with open_club(read_config(tmp_path / "practice")) as club:
        assert len(orders.sets(club.db, "RR1", 1)) == 3  # both built-in players knew what to order on it
    again = play("--map", "land.toml", "--preset", "Postal", "--no-browser", typed="quit\n")
    assert again.exit_code == 0, again.output  # the same words go on with it


def test_what_is_said_is_true_there_and_in_the_readers_language(play: Played) -> None:
    """No deadline presses, no letter is answered, HELP is short; who leads is told at the prompt."""
    told = play("--no-browser", "--lang", "de", typed="HILFE\nHOME Dublin\n\nplay\nquit\n").output
    for untrue in ("Abgabetermin", "antworte auf diesen Brief", "referee@example.org", "BEOBACHTEN", "VERTRETUNG"):
        assert untrue not in told, untrue
    assert "RR1: Dampfross. Du bist GSW, gegen MGW, BNC (eingebaute Spieler)." in told
    assert "Der Zug wird gespielt, sobald du es sagst." in told
    assert "Zug 1 ist gespielt.\nGSW 20 (+0), MGW" in told
    assert "Vorn: " in told
    help_ = told.split("> RR1")[1]
    assert len(help_.splitlines()) < 120


def test_a_game_is_called_after_its_kind_and_its_players_are_as_strong_as_was_asked_for(
    play: Played, tmp_path: Path
) -> None:
    told = play("volldampf", "--no-browser", "--strength", "third", "--preset", "English", typed="quit\n")
    assert "VD1: Volldampf. You are PRE" in told.output
    with open_club(read_config(tmp_path / "practice")) as club:
        assert club.position("VD1").setup.preset == "english"
        assert {strength for _, _, strength in seats_kept(club)} == {"third"}


def test_a_hint_says_what_a_strong_player_would_order_and_why(play: Played) -> None:
    told = play("--no-browser", typed="HINT\nquit\n").output
    assert "on what you see and\nno more:\n\n  HOME " in told
    assert "\n  1a) (" in told
    assert "Why: this track leads where keys, first connections and races to" in told


def test_a_hint_of_volldampf_says_why_by_what_is_asked(play: Played) -> None:
    told = " ".join(
        play("volldampf", "--no-browser", typed="HINT\nplay\nplay\nHINT\nplay\nplay\nHINT\nquit\n").output.split()
    )
    reasons = (
        "Why: groups are ranked by the ways",
        "Why: with the sections that lie already",
        "Why: these trips move you",
    )
    assert [told.count(reason) for reason in reasons] == [1, 1, 1]


def test_every_picture_that_a_newsletter_names_lies_beside_it(play: Played) -> None:
    newsletter = file_of(play("--no-browser", typed="quit\n").output, "newsletter").with_suffix(".txt")
    (named,) = set(re.findall(r"RR1\S+\.png", newsletter.read_text("utf-8")))
    assert (newsletter.parent / named).read_bytes().startswith(b"\x89PNG")


def test_the_board_that_an_answer_names_lies_where_it_says(play: Played) -> None:
    told = play("--no-browser", typed="ATTACH DESK\nMAP\n\nquit\n").output
    places = {Path(line).name: Path(line) for line in told.splitlines() if Path(line).is_absolute()}
    assert {"RR1-turn-0.png", "RR1-turn-0-hexes.png", "order-desk-RR1-turn-1.html"} <= {*places}
    assert min(place.stat().st_size for place in places.values()) > 0


def test_each_play_plays_a_turn_though_nobody_but_the_built_in_players_orders(play: Played) -> None:
    told = play("--no-browser", typed="play\nplay\nplay\nplay\nquit\n").output
    assert re.findall(r"Turn \d+ was played", told) == ["Turn 1 was played", "Turn 2 was played"]
    assert [Path(each).name for each in re.findall(r"newsletter: (\S+)", told)[1:]] == [
        "RR1-turn-01.html",
        "RR1-turn-02.html",
    ]


def test_a_game_that_is_over_asks_for_nothing_more(play: Played) -> None:
    """Neither a closing statement, which nobody would mail, nor orders when the folder is opened again."""
    told = play("volldampf", "--players", "2", "--no-browser", "--strength", "first", typed="play\n" * 50).output
    assert "The game is over." in told
    assert "Closing statements" not in told
    again = play("--no-browser", typed="play\n").output
    assert "Paste or type your orders" not in again
    assert again.endswith("This game is over. Another begins with --into and the name of a new folder.\n")


@pytest.mark.parametrize("wish", ["ATTACH NONE", "ATTACH JSON", "ATTACH PDF SVG", "FORMAT TEXT"])
def test_a_game_goes_on_whatever_files_are_wished_for(play: Played, wish: str) -> None:
    assert "Turn 1 was played." in play("--no-browser", typed=f"{wish}\nplay\nplay\nquit\n").output
    again = play("--no-browser", typed="quit\n").output
    newsletter = file_of(again, "newsletter")
    assert newsletter.name == f"RR1-turn-01.{'txt' if wish == 'FORMAT TEXT' else 'html'}"
    found = {each.suffix for each in newsletter.parent.glob("RR1-turn-*1.*")}
    assert found >= {f".{name.lower()}" for name in wish.split()[1:] if name in ("JSON", "PDF", "SVG")}
    assert not re.search(r"\b365\b", newsletter.read_text("utf-8"))  # days; hashes may have it
