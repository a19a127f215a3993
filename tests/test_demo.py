"""The demo: a club that plays by itself, in folders and by real servers."""

import json
import os
import re
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from wcwidth import wcswidth

from referee.bots.trial import ANSWERS
from referee.config import read_config
from referee.core import RefereeError
from referee.games import game_named
from referee.mail.compose import read_own, text_in
from referee.mail.letter.message import read_letter
from referee.orderbook.expressions import spoken_words
from referee.report.templates import Stationery
from referee.resources import template_folders, word_texts
from referee.service.audit.export import format_revealed, reveal
from referee.service.audit.replay import replay
from referee.service.audit.verify import verify_game
from referee.service.club import open_club
from referee.service.demo import show
from referee.service.demo.mailboxes import PROGRAMS, Answer, Program
from referee.service.demo.players import CASTS, orders_of
from referee.service.demo.show import DemoGame, play_demo
from referee.service.umpire.explain import explain
from referee.service.umpires import Command
from tests.forkedcommands import run_forked, run_program
from tests.posthouse import ROOT, environment, verdict_on
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.gateway import gateway

# The demo: a whole game by mail, in many mail programs' ways of writing.


# Words that no letter in another language has, and no press of the demo's players.
ENGLISH = re.compile(
    r"(?<![\w-])(?:your|you|turn|round|orders|letter|paid|built|received|umpire|game|player|with|from|this|for|and|must|each"
    r"|every|their|costs)(?![\w-])",
    re.IGNORECASE,
)
TEXT = "Hello,\n\nORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - Y17 ; (Dublin) - Dún Laoghaire\nEND\n\nBest wishes\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> DemoGame:
    """A demo game, played once for all tests here."""
    return play_demo(tmp_path_factory.mktemp("demo") / "club", "dampfross", lambda rounds, of: None, "a fixed seed")


@pytest.mark.testlong
def test_the_demo_plays_twelve_rounds_to_the_final_table(played: DemoGame) -> None:
    assert played.turns == 12
    assert "The game is over." in played.final
    assert "Column check: every race gave 0, 20 or 30" in " ".join(played.final.split())
    assert "DOES NOT ADD UP" not in played.final


def test_press_of_a_demo_is_in_its_language_and_about_the_round_that_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, "dampfross", lambda seen, code, board: ("PASS",))
    cast = CASTS["dampfross"]
    names = [{"code": code, "name": f"{code}-Bahn"} for code in ("A", "B", "C")]
    totals = {"A": [20, 30, 35], "B": [20, 25, 45], "C": [20, 22, 21]}
    newsletter: Any = SimpleNamespace(turn=2, seen={"totals": totals, "companies": names, "round": 3, "asked": None})
    stationery = Stationery(lambda game: template_folders(game, None))

    def printed(language: str) -> list[str]:
        letters = (orders_of(cast, newsletter, code, "RR1", stationery, language) for code in "ABC")
        return [letter.partition("PRESS: ")[2].partition("\n")[0] for letter in letters]

    english, german = printed("en"), printed("de")
    assert german[0] == "Nach Runde 2: Gut gefahren, B-Bahn. Bei uns am Bahnhof steht Tee, wenn Sie halten."
    assert english[1] == "After round 2: B-Bahn takes its natural place: the first. The band will play at noon."
    assert not {*english} & {*german}


@pytest.mark.testlong
@pytest.mark.parametrize("language", ["de", "fr", "nl"])
@pytest.mark.parametrize("kind", CASTS)
def test_a_whole_game_is_written_and_read_in_a_language(tmp_path: Path, kind: str, language: str) -> None:
    """Orders in it are understood, no word is left in English in any letter, and no line is too long."""
    told = play_demo(tmp_path / "club", kind, lambda played, of: None, "a fixed seed", language=language)
    words = {word: said for word, said in spoken_words(word_texts(kind), language).items() if word not in said}
    english = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})(?![\w?])")
    with sqlite3.connect(told.folder / "referee.db") as db:
        clean = db.execute("select clean from order_sets").fetchall()
        letters = db.execute("select raw from letters").fetchall()
    db.close()
    assert (clean.count((0,)), len(clean)) == (2, told.letters)
    begun = {read_letter(raw).text.partition(" RR1 ")[0].split()[-1] for (raw,) in letters}
    assert begun == {words["ORDERS"]}
    lines = [
        line
        for path in sorted((told.folder / "mail" / "out" / "new").iterdir())
        for line in text_in(read_own(path.read_bytes())).split("\n")
        if not line.startswith("|")  # press
    ]
    assert [line for line in lines if wcswidth(line) > 78] == []
    assert sorted({(found[0], line) for line in lines if (found := english.search(line))}) == []
    assert sorted({line for line in lines if ENGLISH.search(line)}) == []


@pytest.mark.testlong
def test_the_demo_of_volldampf_plays_four_rounds_to_the_final_table(tmp_path: Path) -> None:
    """Two slips are made and mended; no line is too long."""
    rounds: list[tuple[int, int]] = []
    told = play_demo(tmp_path / "club", "volldampf", lambda played, of: rounds.append((played, of)), "a fixed seed")
    assert (told.players, told.rounds, told.turns) == (4, 4, 12)
    assert rounds == sorted(rounds)
    assert (rounds[0], rounds[-1]) == ((0, 4), (4, 4))
    assert re.search(r"\w wins the game The game is over\.", " ".join(told.final.split()))
    with sqlite3.connect(told.folder / "referee.db") as db:
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert faulty == 2
    assert told.letters == 4 * 12 + 2
    faces = {path.suffix: path for path in sorted(told.newsletters.iterdir())}
    assert set(faces) == {".txt", ".html", ".png", ".svg", ".json", ".pdf"} == set(told.faces)
    assert faces[".pdf"].read_bytes().startswith(b"%PDF")
    shown = re.findall(r'src="([^"]*)"', faces[".html"].read_text("utf-8"))
    assert shown
    assert all((told.newsletters / name).read_bytes().startswith(b"\x89PNG") for name in shown)
    assert len(set(shown)) == len(shown)  # the board is not its close-up
    for path in told.newsletters.glob("*.txt"):
        assert all(len(line) <= 84 for line in path.read_text("utf-8").splitlines()), path


@pytest.mark.testlong
def test_every_letter_of_the_demo_was_read_and_answered_once(played: DemoGame) -> None:
    with sqlite3.connect(played.folder / "referee.db") as db:
        letters = dict(db.execute("select status, count(*) from letters group by status"))
        answers = db.execute("select count(*) from outbox where kind = 'acknowledgement'").fetchone()[0]
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert letters == {"done": played.letters}
    assert answers == played.letters
    assert faulty == 2  # the two slips that the demo makes and mends


@pytest.mark.testlong
def test_no_line_of_a_newsletter_is_too_long_but_for_tables(played: DemoGame) -> None:
    for path in (played.folder / "mail" / "out" / "new").iterdir():
        body = read_own(path.read_bytes()).get_body(("plain",))
        assert body is not None
        for line in body.get_content().splitlines():
            assert len(line) <= 72, line


@pytest.mark.testlong
def test_stored_orders_give_the_same_events_byte_for_byte(played: DemoGame) -> None:
    with open_club(read_config(played.folder)) as club:
        compared = list(replay(club, played.game))
    assert [each.turn for each in compared] == list(range(13))
    assert not any(each.differs for each in compared)
    assert sum(each.events for each in compared) > 500


def test_a_train_that_is_not_there_yet_has_no_points_left(played: DemoGame) -> None:
    with open_club(read_config(played.folder)) as club:
        told = explain(club, Command(line="", name="EXPLAIN", words=(played.game, "9"), reason=""))["explained"][
            "reasons"
        ]
    thrown = [each["text"] for each in told if "hex-sides are behind it" in each["text"]]
    assert any(text.endswith(", - left over") for text in thrown)
    assert not any("-1" in text for text in thrown)


@pytest.mark.testlong
def test_an_export_of_the_demo_is_in_order_and_an_altered_one_is_not(played: DemoGame) -> None:
    with open_club(read_config(played.folder)) as club:
        assert verify_game(club, played.game).faults == ()
        text = format_revealed(reveal(club, played.game))
    found = verdict_on(text)
    assert (found.faults, len(found.played), found.over) == ((), 13, True)
    assert len(found.throws) > 200
    assert "a fixed seed" not in text
    assert "@" not in text
    told = json.loads(text)
    throw = next(event for event in told["turns"][9]["events"] if event["kind"] == "TrainMoved")
    throw["throw"] = throw["throw"] % 6 + 1
    faults = verdict_on(told).faults
    assert {fault.turn for fault in faults} == {9}
    assert any('{"kind": "TrainMoved", "throw": ' in fault.text for fault in faults)


def test_a_turn_that_one_pass_left_is_played_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "PAUSE", 0)
    monkeypatch.setattr(show, "tick_until_read", lambda club, number: None)

    class Enough(Exception): ...

    def told(rounds: int, of: int) -> None:
        if rounds == 2:
            raise Enough

    with pytest.raises(Enough):
        play_demo(tmp_path / "club", "dampfross", told, "a fixed seed")


def test_a_turn_that_is_not_played_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "PAUSE", 0)
    monkeypatch.setattr(show, "tick", lambda club: None)
    with pytest.raises(
        RefereeError, match=r"turn 0 of RR1 was not told\. `referee --club .*club status` and `letters`"
    ):
        play_demo(tmp_path / "club", "dampfross", lambda rounds, of: None)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_mail_program_says_the_same(program: Program) -> None:
    """Whatever the program does to the letter, the referee reads the player's lines and none of the quoted ones."""
    answer = Answer(
        sender="ann@example.org",
        sender_name="Ann",
        recipient="referee@example.org",
        subject="[RR1] Ireland: the game opens",
        text=TEXT,
        original="ORDERS RR1 1\n1a) (Belfast) - AD5\nEND\n",
        original_id="<1@example.org>",
        written=datetime(2026, 11, 20, 18, tzinfo=UTC),
        message_id="<2@example.org>",
    )
    letter = read_letter(program(answer))
    own = [line for line in letter.text.split("\n") if line.strip() and not line.startswith(">")]
    assert "ORDERS RR1 1" in own
    assert "1a) (Dublin) - Y17 ; (Dublin) - Dún Laoghaire" in own
    assert not any("Belfast" in line for line in own)
    assert not letter.robot


def test_a_slip_names_what_is_nowhere() -> None:
    assert CASTS["dampfross"].mistype("ORDERS\n1a) (Dublin) - Y17\nEND\n") == "ORDERS\n1a) (Dublin) - Y17 - ZZ99\nEND\n"
    slip = CASTS["volldampf"].mistype("ORDERS\nBUILD 1: Berlin-Dresden\nBUILD 2: Berlin-Leipzig\nEND\n")
    assert slip == "ORDERS\nBUILD 1: Atlantis-Berlin-Dresden\nBUILD 2: Berlin-Leipzig\nEND\n"
    for kind, word in (("dampfross", "ZZ99"), ("volldampf", "Atlantis")):
        assert word not in game_named(kind).board_text(CASTS[kind].board)


# The demo over real mail servers, set up as the docs tell an umpire.


ARGUMENTS = ("--security", "none", "--seed", "a fixed seed")


@pytest.mark.testlong
@pytest.mark.dovecot
def test_a_whole_game_is_played_over_imap_and_smtp(tmp_path: Path, dovecot: Dovecot) -> None:
    secret = tmp_path / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    club = tmp_path / "club"
    with gateway(dovecot.lmtp) as smtp:
        places = ("--imap", f"127.0.0.1:{dovecot.ports.imap}", "--smtp", f"127.0.0.1:{smtp}")
        command = (sys.executable, "-m", "referee", "demo", "--into", str(club), "--password-file", str(secret))
        done = run_program((*command, *places, *ARGUMENTS), cwd=ROOT, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "The game is over." in done.stdout
    with closing(sqlite3.connect(club / "referee.db")) as db:
        statuses = dict(db.execute("SELECT status, count(*) FROM letters GROUP BY status"))
        sent = dict(db.execute("SELECT state, count(*) FROM outbox GROUP BY state"))
    assert set(statuses) == {"done"}
    assert set(sent) == {"sent"}
    assert dovecot.folder_letters("referee") == []
    assert len(dovecot.folder_letters("referee", "Referee.Processed")) == statuses["done"]
    players = ("ann", "bill", "cate", "donal", "eva")
    received = sum(len(dovecot.folder_letters(player, "Referee.Processed")) for player in players)
    received += sum(len(dovecot.folder_letters(player)) for player in players)
    assert received == sent["sent"]
    with open_club(read_config(club)) as opened:
        assert verify_game(opened, "RR1").faults == ()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--imap", "localhost:993"), "go together"),
        (("--imap", "localhost", "--smtp", "localhost:465", "--password-file", __file__), "'localhost' is no server"),
        (("--imap", "h:993", "--smtp", "h:99999", "--password-file", __file__), "'h:99999' is no server"),
    ],
)
def test_servers_that_are_named_wrongly_are_told(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run_forked(("demo", "--into", str(tmp_path / "club"), *arguments), environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.dovecot
def test_what_is_wrong_is_told_in_the_words_of_the_command(tmp_path: Path, dovecot: Dovecot) -> None:
    secret = tmp_path / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    place = f"localhost:{dovecot.ports.imaps}"
    servers = ("--imap", place, "--smtp", place, "--password-file", str(secret))
    done = run_forked(("demo", "--into", str(tmp_path / "club"), *servers), environment())
    assert done.returncode == 75
    assert "certificate is not trusted" in done.stderr
    assert "--ca-file can name a certificate" in done.stderr
    assert "imap.ca_file" not in done.stderr
