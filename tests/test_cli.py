"""The umpire's commands, run as commands."""

import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import click
import pytest
from click.testing import Result

from referee import __version__
from referee.bots import STRENGTHS
from referee.cli import main
from referee.cli.base import leaves
from referee.config import FORMATS, POLICIES
from referee.config.settings import SECURITY
from referee.core.game import PACES
from referee.games import dampfross
from referee.games.dampfross.report import picture as palette
from referee.report import raster
from referee.report.zine import LAYOUTS
from referee.service.demo.players import CASTS
from referee.service.pictures import read_board
from tests.forkedcommands import run_here
from tests.posthouse import ANN, BOB, INSTALLED, ROOT, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)

PLAYERS = ("--player", f"ANN:red:Ann <{ANN}>", "--player", f"BOB:blue:Bob <{BOB}>")
NEW = ("game", "new", "tinyrace", "--map", "line", *PLAYERS)


class Office:
    """A club's folder and the commands on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: str) -> Result:
        return run_here("--club", self.folder, *arguments)

    def says(self, *arguments: str) -> str:
        result = self.run(*arguments)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return result.stdout

    def letter(self, text: str, sender: str = ANN) -> Path:
        letter = EmailMessage()
        letter["From"], letter["Subject"], letter["Message-ID"] = (
            sender,
            "[RR1] my orders",
            f"<{time.time()}@x.example>",
        )
        letter.set_content(text)
        path = self.folder / f"{time.time()}.eml"
        path.write_bytes(letter.as_bytes())
        return path

    def drop(self, path: Path) -> None:
        path.rename(self.folder / "mail" / "in" / "new" / path.name)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    made = Office(tmp_path / "club")
    init = ["init", str(made.folder), "--zone", "Europe/Dublin", "--identity", "address"]
    assert run_here(*init).exit_code == 0
    return made


def every_command(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from every_command(each, f"{path} {name}".strip())


@pytest.mark.parametrize(
    ("path", "command"), tuple(every_command(main)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_command_and_option_has_its_help(path: str, command: click.Command) -> None:
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option)), path
    assert run_here(*path.split(), "--help").exit_code == 0


@CASES.rows
def test_a_new_game_warns_of_words_that_could_mean_two_companies(
    office: Office, kind: str, board: str, players: tuple[str, ...], warnings: list[str]
) -> None:
    """A company's acronym goes before another one's colour, a player's code before another one's name."""
    seats = [word for each in players for word in ("--player", f"{each} <{each[:3]}@example.org>")]
    result = office.run("game", "new", kind, "--map", board, *seats)
    assert (result.exit_code, result.stdout) == (0, "RR1\n")
    lines = result.stderr.splitlines()
    assert len(lines) == len(warnings)
    assert all(f"referee: warning: {words}" in line for words, line in zip(warnings, lines, strict=True))


@pytest.mark.parametrize(
    ("path", "option", "known"),
    [
        ("init", "--identity", POLICIES),
        ("game faces", "--format", ("", *FORMATS)),
        ("game new", "--pace", PACES),
        ("practice", "--strength", STRENGTHS),
        ("replace", "--strength", STRENGTHS),
        ("demo", "kind", tuple(CASTS)),
        ("demo", "--security", SECURITY),
        ("zine", "--layout", LAYOUTS),
    ],
)
def test_what_can_be_chosen_is_what_the_program_knows(path: str, option: str, known: tuple[str, ...]) -> None:
    command = dict(leaves("", main))[path]
    kinds = [each.type for each in command.params if option in each.opts]
    assert [tuple(each.choices) for each in kinds if isinstance(each, click.Choice)] == [known]


def test_what_is_missing_or_unknown_is_named(office: Office) -> None:
    office.says(*NEW)
    for words, told in {
        ("game", "new"): "name the KIND of game: dampfross, ",
        ("desk", "RR1", "--lang", "xx"): "--lang: no letters can be written in 'xx' yet (there is en, de, fr, nl)",
        ("orders", "RR1", "ANN", "--because", "x"): "name behind PLAYER a FILE with the orders",
        ("stop", "RR1"): "Did you mean `referee hold`?",
    }.items():
        result = office.run(*words)
        assert told in result.stderr, words
        assert result.exit_code in (2, 78)


def test_a_game_with_a_single_map_needs_none_to_be_named(office: Office) -> None:
    seats = [f"{code}:{colour}:{code} <{code}@example.org>" for code, colour in (("ANN", "red"), ("BOB", "blue"))]
    office.says("game", "new", "volldampf", *(word for each in seats for word in ("--player", each)))
    assert "Deutschland, um 1925" in office.says("status")


def test_a_map_is_found_by_its_name_with_a_capital_letter(tmp_path: Path) -> None:
    """The name as it is told is the file's."""
    name, text = read_board(dampfross.GAME, "Ireland", tmp_path)
    assert (name, text) == ("ireland", dampfross.GAME.board_text("ireland"))


def test_the_version_is_told() -> None:
    assert run_here("--version").stdout == f"{__version__}\n"


def test_init_makes_a_club_and_leaves_one_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    words = ["--address", "referee@club.example", "--name", "Our club", "--language", "de"]
    told = run_here("init", folder, *words)
    assert told.exit_code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names[:3] == ["mail", "referee.db", "referee.toml"]
    assert (folder / "mail" / "in" / "new").is_dir()
    text = (folder / "referee.toml").read_text()
    assert 'address = "referee@club.example"' in text
    assert 'language = "de"' in text
    assert 'name = "Der Spielleiter"' in text
    assert run_here("init", folder, "--name", "Another").exit_code == 0
    assert (folder / "referee.toml").read_text() == text


def test_init_says_that_a_club_was_there_already(tmp_path: Path) -> None:
    folder = str(tmp_path / "club")
    assert "already" not in run_here("init", folder).stdout
    again = run_here("init", folder).stdout
    assert f"{folder}: there was a club already, its referee.toml was kept as it is\n" in again
    renamed = run_here("init", folder, "--name", "Another").stdout
    assert "was kept as it is; what you say here was not written into it\n" in renamed


@CASES.rows
def test_a_wrong_command_line_ends_with_2(office: Office, line: str, words: str) -> None:
    result = office.run(*shlex.split(line.format(new=shlex.join(NEW))))
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.skipif(not Path("/dev/ptmx").exists(), reason="there is no terminal device")
def test_letters_have_a_heading_on_a_terminal_alone(office: Office) -> None:
    office.says(*NEW)
    office.drop(office.letter("STEP 3"))
    office.says("tick")
    assert office.says("letters").startswith("1\t")
    screen, terminal = os.openpty()
    command = [sys.executable, "-m", "referee", "--club", str(office.folder), "letters"]
    subprocess.run(command, cwd=ROOT, stdout=terminal, check=True, timeout=60)
    os.close(terminal)
    shown = os.read(screen, 10_000).decode().splitlines()
    os.close(screen)
    assert [click.unstyle(line).split()[0] for line in shown] == ["no", "1"]


def test_one_parked_letter_is_one_letter(office: Office) -> None:
    office.says(*NEW)
    for count, words in ((1, "1 letter is parked:"), (2, "2 letters are parked:")):
        office.drop(office.letter(f"STEP {count}\n" + "x" * 2_000_000))
        office.says("tick")
        assert words in office.says("status")


def test_init_with_a_wrong_setting_makes_nothing(tmp_path: Path) -> None:
    told = run_here("init", tmp_path / "club", "--zone", "Europe/Dublim")
    assert told.exit_code == 78
    assert "did you mean 'Europe/Dublin'?" in told.stderr
    assert not (tmp_path / "club").exists()


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o755, 0o2770])
def test_init_closes_an_empty_folder_to_others(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    folder.chmod(mode)
    assert run_here("init", folder).exit_code == 0
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775])
@pytest.mark.parametrize("content", ["notes.txt", "referee.toml"])
def test_init_makes_no_club_where_others_may_write(tmp_path: Path, mode: int, content: str) -> None:
    (tmp_path / content).touch()
    tmp_path.chmod(mode)
    told = run_here("init", tmp_path)
    assert (told.exit_code, told.stdout) == (78, "")
    assert "others may write into this folder" in told.stderr
    assert f"chmod go-w {tmp_path}" in told.stderr
    assert [path.name for path in tmp_path.iterdir()] == [content]
    tmp_path.chmod(0o755)
    assert "others may write" not in run_here("init", tmp_path).stderr


def test_a_tour_of_the_commands(office: Office) -> None:
    assert office.says(*NEW) == "RR1\n"
    assert re.fullmatch(r"RR1\ttinyrace\trunning\t1\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n", office.says("game", "list"))
    assert office.says("tick") == "letters handled: 0, letters sent: 2\n"
    assert "Hello Ann, the goal is 12" in office.says("newsletter", "RR1")
    office.drop(office.letter("ORDERS RR1 1\nSTEP 3\nEND"))
    assert office.says("tick") == "letters handled: 1, letters sent: 1\n"
    status = office.says("status", "rr1")
    assert status.startswith("RR1  Tiny Race, line  turn 1, due ")
    assert "  ANN      in\n  BOB      missing\n" in status
    assert json.loads(office.says("status", "--json"))[0]["orders"] == {"ANN": "in", "BOB": "missing"}
    assert re.fullmatch(rf"1\t\S+Z\tdone\t{ANN}\tRR1\t-\n", office.says("letters"))
    assert "STEP 3" in office.says("letter", "1")
    replay = office.says("replay", "RR1").splitlines()
    assert re.fullmatch(r"RR1\tturn 0\trules 1\t1 events\t\d+ bytes\tsame", replay[0])
    assert re.fullmatch(r"RR1\tend of the chain of seeds\t[0-9a-f]{64}", replay[1])


def test_newsletters_of_another_turn_and_player(office: Office) -> None:
    office.says(*NEW)
    assert "Hello Bob" in office.says("newsletter", "RR1", "0", "--player", "bob")
    assert office.run("newsletter", "RR1", "3").exit_code == 65


def test_the_board_is_printed_or_written(office: Office) -> None:
    office.says(*NEW)
    assert office.says("board", "RR1").startswith("<?xml")
    office.says("board", "RR1", "-o", str(office.folder / "board.svg"))
    assert (office.folder / "board.svg").read_text("utf-8").startswith("<?xml")
    pytest.importorskip("PIL")
    office.says("board", "RR1", "-o", str(office.folder / "board.png"))
    assert (office.folder / "board.png").read_bytes().startswith(b"\x89PNG")
    office.says("board", "RR1", "-o", str(office.folder / "board.pdf"))
    assert (office.folder / "board.pdf").read_bytes().startswith(b"%PDF")
    office.says("board", "RR1", "--keepsake", "-o", str(office.folder / "wall.pdf"))
    assert b"1190.55" in (office.folder / "wall.pdf").read_bytes()  # points, the longer side of A3


def test_a_board_for_paper_or_of_one_company(office: Office) -> None:
    seats = [
        word
        for each in ("GSW:red:Ann", "MGW:blue:Bob", "BNC:green:Cyd")
        for word in ("--player", f"{each} <{each[-3:]}@example.org>")
    ]
    office.says("game", "new", "dampfross", "--map", "ireland", *seats)
    whole, code = office.says("board", "RR1"), "GSW"
    assert palette.COLOURS["sea"] in whole
    assert palette.COLOURS["sea"] not in office.says("board", "RR1", "--paper")
    assert f": {code} alone<" in office.says("board", "RR1", "--company", code.lower())
    result = office.run("board", "RR1", "--company", "NOBODY")
    assert (result.exit_code, result.stderr.count("\n")) == (65, 1)
    assert "nobody has the code 'NOBODY' in RR1: there is " in result.stderr


def test_a_board_is_refused_by_an_ending_that_cannot_be_drawn(office: Office) -> None:
    office.says(*NEW)
    for name, read in (("board.jpg", ".jpg was asked for"), ("board", "a file without ending was asked for")):
        result = office.run("board", "RR1", "-o", str(office.folder / name))
        assert (result.exit_code, result.stderr) == (78, f"referee: a board is drawn as .svg, .png, .pdf; {read}\n")
        assert not (office.folder / name).exists()


def test_what_was_read_from_a_letter_is_shown_with_its_answer(office: Office) -> None:
    office.says(*NEW)
    office.says("tick")
    office.drop(office.letter("ORDERS RR1 1\nSTEP 3\nEND"))
    office.says("tick")
    told = office.says("letters", "1")
    assert told.startswith(f"letter 1 from {ANN}: done, RR1 ANN\n\nread as orders for turn 1, ")
    assert "STEP 3" in told.partition("answered:")[0]
    assert "Your orders as understood" in told.partition("answered:")[2]
    assert office.says("letter", "1", "--read") == told
    result = office.run("letters", "9")
    assert (result.exit_code, "letter 9" in result.stderr) == (65, True)


def test_init_tells_where_letters_arrive(tmp_path: Path) -> None:
    """In the Maildir, or on the server that a referee.toml which is there already names."""
    folder = tmp_path / "club"
    assert f"letters arrive in {folder}" in run_here("init", folder).stdout
    file = folder / "referee.toml"
    before, imap, after = file.read_text("utf-8").partition("[imap]")
    file.write_text(before + imap + after.replace('host = ""', 'host = "mail.example.org"', 1), "utf-8")
    told = run_here("init", folder).stdout
    assert "letters arrive on mail.example.org, letters leave through" in told


def test_a_board_that_cannot_be_drawn_or_written_is_a_sentence(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.says(*NEW)
    result = office.run("board", "RR1", "-o", str(office.folder / "nowhere" / "board.svg"))
    assert (result.exit_code, result.stderr.count("\n")) == (78, 1)
    monkeypatch.setattr(raster, "find_spec", lambda _: None)
    raster.thorvg.cache_clear()
    result = office.run("board", "RR1", "-o", str(office.folder / "board.png"))
    assert result.exit_code == 78
    assert "run `pip install '.[png]'` in the folder of this program" in result.stderr
    assert not (office.folder / "board.png").exists()


def test_reading_a_letter_stores_nothing(office: Office) -> None:
    office.says(*NEW)
    path = office.letter("STEP 3\nSTEP 7\nHello\nPRESS: Onwards!")
    told = json.loads(office.says("read", str(path), "--json"))
    assert (told["game"], told["player"], told["turn"]) == ("RR1", "ANN", 1)
    assert told["orders"] == ["STEP 3", "STEP 1"]
    assert [(each["code"], each["line"]) for each in told["complaints"]] == [("illegal-step", 2)]
    assert (told["unread"], told["press"], told["clean"]) == ([[3, "Hello"]], "Onwards!", False)
    assert "'STEP 7' is no step of 1 to 3" in office.says("read", str(path), "--game", "rr1")
    assert office.says("letters") == ""
    assert office.says("read", str(office.letter("STEP 1", "eve@example.com"))) == (
        "not taken: stranger (from eve@example.com)\n"
    )
    assert office.run("read", str(path), "--game", "RR7").exit_code == 65


def test_a_game_from_a_file_with_all_that_a_command_line_cannot_say(office: Office) -> None:
    file = office.folder / "game.toml"
    file.write_text(
        f"""
game = "tinyrace"
map = "line"
deadline = "2099-07-03T20:00"

[options]
speed = 4

[rhythm]
days = 7
weekday = "Friday"
hour = "20:00"
zone = "Europe/Dublin"

[[player]]
code = "ANN"
colour = "red"
name = "Ann"
address = "{ANN}"
company = "Ann's Line"
zone = "Europe/Berlin"
language = "en"
"""
    )
    assert (
        office.says("game", "new", "--from", str(file), "--player", f"BOB:blue:Bob <{BOB}>", "--option", "wind=true")
        == "RR1\n"
    )
    assert office.says("game", "list").split("\t")[-1] == "2099-07-03T19:00:00Z\n"
    assert "Friday 3 July 2099, 21:00 (Europe/Berlin), that is 19:00 UTC" in office.says("newsletter", "RR1")


@CASES.rows
def test_a_wrong_command_is_one_sentence_and_changes_nothing(office: Office, line: str, words: str) -> None:
    known = {"new": shlex.join(NEW), "alone": shlex.join(NEW[:-2]), "players": shlex.join(PLAYERS)}
    result = office.run(*shlex.split(line.format(**known)))
    assert result.exit_code in (65, 78)
    assert result.stdout == ""
    assert result.stderr.startswith("referee: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert office.says("game", "list") == ""


@CASES.rows
def test_a_faulty_file_of_a_game_is_told_by_its_name(office: Office, text: str, words: str) -> None:
    (office.folder / "game.toml").write_text(text)
    result = office.run("game", "new", "--from", str(office.folder / "game.toml"))
    assert result.exit_code == 78
    assert words in result.stderr


PEOPLE = f"""
[[player]]
code = "ANN"
colour = "red"
name = "Ann"
address = "{ANN}"
[[player]]
code = "BOB"
colour = "blue"
name = "Bob"
address = "{BOB}"
"""
PLAY = "game = 'tinyrace'\nmap = 'line'\n"


@CASES.rows
def test_a_fault_found_later_is_told_with_the_games_file_and_line(
    office: Office, text: str, line: int, words: str
) -> None:
    file = office.folder / "game.toml"
    file.write_text(text + PEOPLE)
    result = office.run("game", "new", "--from", str(file))
    assert result.exit_code in (65, 78)
    assert result.stderr.startswith(f"referee: {file}:{line}: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@CASES.rows
def test_a_fault_of_a_player_is_told_with_the_games_file_and_line(
    office: Office, before: str, after: str, line: int, words: str
) -> None:
    file = office.folder / "game.toml"
    file.write_text(PLAY + PEOPLE.replace(before, after))
    result = office.run("game", "new", "--from", str(file))
    assert result.exit_code == 78
    assert result.stderr.startswith(f"referee: {file}:{line}: ")
    assert words in result.stderr


def test_what_the_command_line_says_is_not_blamed_on_the_file(office: Office) -> None:
    file = office.folder / "game.toml"
    file.write_text(PLAY + PEOPLE)
    result = office.run("game", "new", "--from", str(file), "--preset", "fancy")
    assert result.stderr == "referee: Tiny Race has no preset 'fancy' (there is plain)\n"
    result = office.run("game", "new", "--from", str(file), "--player", "EVE:pink:Eve <e@f.g>")
    assert result.stderr.startswith("referee: player EVE: there is no colour 'pink'")


def test_a_file_can_name_second_companies_and_the_pace(office: Office) -> None:
    file = office.folder / "game.toml"
    second = 'name = "Bob"\nsecond_code = "B2"\nsecond_colour = "green"\nsecond_company = "B & B"'
    file.write_text(f"pace = 'one-by-one'\n{PLAY}" + PEOPLE.replace('name = "Bob"', second))
    office.says("game", "new", "--from", str(file))
    office.says(*NEW[:-2], "--pace", "one-by-one", "--player", f"BOB+B2:blue+green:Bob <{BOB}>")
    for game, company in (("RR1", "B & B"), ("RR2", "")):
        setup = json.loads(office.says("game", "export", game))["setup"]
        assert setup["pace"] == "one-by-one"
        bob = setup["players"][1]
        assert (bob["second_code"], bob["second_colour"], bob["second_company"]) == ("B2", "green", company)


def test_a_damaged_map_is_told_with_file_and_line(office: Office) -> None:
    board = office.folder / "mine.toml"
    board.write_text("goal: 12")
    result = office.run("game", "new", "tinyrace", "--map", str(board), *PLAYERS)
    assert (result.exit_code, result.stderr) == (78, f"referee: {board}:1: a board is one line: goal = 12\n")


def test_a_map_in_the_clubs_folder_goes_before_the_games_own(office: Office) -> None:
    (office.folder / "maps").mkdir()
    (office.folder / "maps" / "line.toml").write_text("goal = 99")
    office.says(*NEW)
    assert "the goal is 99" in office.says("newsletter", "RR1")


def test_a_damaged_setting_ends_every_command_with_78(office: Office) -> None:
    (office.folder / "referee.toml").write_text("[mail]\nadress = 'a@b.c'\n")
    result = office.run("tick")
    assert result.exit_code == 78
    assert result.stderr == f"referee: {office.folder}/referee.toml:2: unknown setting adress (did you mean address?)\n"


def test_mail_that_is_down_ends_with_75(office: Office) -> None:
    office.says(*NEW)
    (office.folder / "mail" / "out" / "tmp").rmdir()
    result = office.run("tick")
    assert result.exit_code == 75
    assert "letters wait in the outbox" in result.stderr


def test_a_second_tick_at_the_same_moment_does_nothing(office: Office) -> None:
    office.says(*NEW)
    with (office.folder / "tick.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert office.says("tick") == "another process is making a pass: nothing done\n"
    assert office.says("tick") == "letters handled: 0, letters sent: 2\n"


def test_a_turn_that_cannot_be_played_ends_with_70(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.club.execute("UPDATE games SET kind = 'nosuch', deadline = '2001-01-01T00:00:00.000000Z'")
    result = Office(house.folder).run("tick")
    assert result.exit_code == 70
    assert "the turn of RR1 could not be played" in result.stderr


def test_the_loop_answers_and_stops_when_told(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", mail__poll=1) as house:
        house.clock.today()
        house.game()
        house.write(ANN, "STEP 3")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(INSTALLED))),
        "REFEREE_CLUB": str(house.folder),
    }
    loop = subprocess.Popen(
        [sys.executable, "-m", "referee", "run"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert loop.stdout
    first = loop.stdout.readline()
    loop.send_signal(signal.SIGTERM)
    rest, errors = loop.communicate(timeout=30)
    assert (first, rest, errors, loop.returncode) == ("letters handled: 1, letters sent: 3\n", "", "", 0)


def test_the_umpire_moves_stops_and_plays_a_game_by_commands(office: Office) -> None:
    office.says(*NEW, "--days", "7")
    said = office.says("deadline", "RR1", "2099-12-20 20:00", "--because", "a long way off")
    assert said.startswith("RR1: turn 1 is due Sunday 20 December 2099, 20:00 (Europe/Dublin)")
    assert "\nThe deadline was: " in said
    assert "Turn 1 is due Sunday 20 December 2099, 20:00 (Europe/Dublin)" in office.says("deadline", "RR1")
    told = office.says("calendar", "RR1", "every=3 weeks", "early_delay=-1", "--because", "slower").splitlines()
    assert told[0] == "RR1: the turns after this one go by it, and all players are told:"
    assert {"- every=3 weeks", "- early_delay=-1"} <= {*told}
    assert not [line for line in told if line.startswith("- days=")]
    said = office.says("hold", "RR1", "--because", "a ruling")
    assert said.startswith(
        "RR1 is stopped, and all players are told; `referee resume RR1` lets it go on.\nThe deadline was: "
    )
    assert "stopped for now" in office.says("status", "RR1")
    assert "Turn 1 is awaited; the game is stopped." in office.says("deadline", "RR1")
    result = office.run("play", "RR1", "1")
    assert (result.exit_code, result.stderr) == (
        78,
        "referee: RR1 is stopped: first let it go on with `referee resume RR1`\n",
    )
    assert "turn 1 is due Monday 21 December 2099, 20:00" in office.says("resume", "RR1", "--deadline", "2099-12-21")
    assert office.says("play", "RR1", "1").startswith("RR1: turn 1 was played; letters sent: ")
    assert "turn 1 was played; turn 2 is awaited: `referee play RR1 2`" in office.run("play", "RR1", "1").stderr
    kinds = [each["kind"] for each in json.loads(office.says("log", "RR1", "--json"))]
    assert kinds == ["deadline", "calendar", "hold", "resume", "play"]
    assert [each["stopped"] for each in json.loads(office.says("status", "--json"))] == [False]


@CASES.rows
def test_a_reason_that_is_missing_is_a_wrong_command_line(office: Office, line: str) -> None:
    """And one of blanks is none. What needs it always, says so in its help."""
    office.says(*NEW)
    for more in ((), ("--because", "  ")):
        result = office.run(*line.split(), *more)
        assert (result.exit_code, "--because" in result.stderr) == (2, True), result.output
    told = " ".join(office.run(line.split()[0], "--help").output.split())
    assert "[required" in told[told.index("--because TEXT") :]
    assert office.says("log", "RR1") == "Nothing was done.\n"


def test_the_umpire_gives_a_seat_to_another_person(office: Office) -> None:
    office.says(*NEW)
    told = office.says("replace", "RR1", "bob", "Cecil <cecil@example.com>", "--because", "Bob is gone")
    assert told == "RR1: Cecil <cecil@example.com> plays BOB from now on; all are told.\n"
    assert office.says("address", "RR1", "BOB") == "cecil@example.com\n"
    assert "write name and address as" in office.run("replace", "RR1", "BOB", "Cecil", "--because", "x").stderr


def test_the_first_stand_by_has_a_seat_if_the_umpire_wants_it(office: Office) -> None:
    office.says(*NEW)
    seat = ("replace", "RR1", "BOB", "--standby", "--because", "Bob is gone")
    assert "nobody stands by for this game" in office.run(*seat).stderr
    assert office.says("standby", "Cecil <cecil@example.com>").startswith("- Cecil <cecil@example.com>, since ")
    assert "or say STANDBY or BUILT-IN" in office.run(*seat, "Dora <dora@example.com>").stderr
    assert office.says(*seat) == "RR1: Cecil <cecil@example.com> plays BOB from now on; all are told.\n"
    assert (office.says("standby"), office.says("standby", "--json")) == ("Nobody stands by.\n", "[]\n")
    assert json.loads(office.says("calendar", "RR1", "--json"))["missing"] == "extend"
