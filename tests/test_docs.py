"""What pages of docs/ say is so."""

import ast
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from referee.cli import main
from referee.config import FILE, read_config
from referee.config.settings import SETTINGS
from referee.service.club import make_club
from referee.service.doctor import roundtrip
from referee.service.doctor.folder import own_file_findings
from tests.forkedcommands import run_here, run_program
from tests.posthouse import ANN, BOB, Clubs, PostHouse, text_of
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.mailhost import PASSWORD as HOST_PASSWORD
from tests.servers.mailhost import USER, MailHost

# docs/threats.md names for every threat the tests that show what is promised, docs/promises.md those of what stays.


ROOT = Path(__file__).parent.parent


def rows() -> list[tuple[str, list[str]]]:
    """Return the number and the cells of each row of the table."""
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    cells = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("| ")
    ]
    return [(number, row) for row in cells[2:] if (number := row[0].strip("| "))]


def named() -> list[tuple[str, str]]:
    """Return (row, test) for every test that the pages name."""
    promised = (ROOT / "docs" / "promises.md").read_text("utf-8")
    return [(number, name) for number, row in rows() for name in re.findall(r"`(tests/[^`]+)`", row[3])] + [
        ("promises.md", name) for name in re.findall(r"`(tests/[^`]+::\w+)`", promised)
    ]


@cache
def functions_of(path: str) -> frozenset[str]:
    if path.endswith(".txt"):  # conversations, each below its title
        return frozenset(re.findall("^== (.*)", (ROOT / path).read_text("utf-8"), re.MULTILINE))
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_threat_has_its_row() -> None:
    numbers = [number for number, _ in rows()]
    assert {*map(str, range(1, 34))} <= set(numbers)
    assert [number for number in numbers if numbers.count(number) > 1] == []
    assert all(len(row) == 4 and row[1] and row[2] for _, row in rows())


def test_every_promise_is_shown_by_a_test() -> None:
    assert [number for number, row in rows() if "`tests/" not in row[3]] == []
    promises = re.findall(r"^\| [A-Z`].*", (ROOT / "docs" / "promises.md").read_text("utf-8"), re.MULTILINE)
    assert len(promises) > 10
    assert [row for row in promises if "::test_" not in row] == []


def test_every_test_that_is_named_is_there() -> None:
    missing = []
    for number, name in named():
        path, _, test = name.partition("::")
        if not (ROOT / path).is_file() or test not in functions_of(path):
            missing.append((f"row {number}", name))
    assert missing == []


# docs/setup.md and the systemd units say nothing that is not so.


PAGE = ROOT / "docs" / "setup.md"
UNITS = sorted((ROOT / "docs" / "systemd").iterdir())

HARDENED = {
    "ProtectSystem=strict",
    "PrivateTmp=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "UMask=0077",
    "ProtectHome=yes",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def told() -> Iterator[tuple[str, list[str]]]:
    """Return each call of the referee in the page and the units: (where it stands, its words)."""
    lines = [("setup.md", line) for block in blocks("sh") for line in block.splitlines()]
    lines += [("setup.md", line) for line in PAGE.read_text("utf-8").splitlines() if re.match(r"    [*0-9]", line)]
    for unit in UNITS:
        lines += [(unit.name, line) for line in unit.read_text("utf-8").splitlines() if line.startswith("ExecStart=")]
    for where, line in lines:
        found = re.search(r"(?:^|=|/bin/|sudo -u referee )referee ((?:--|[a-z]).*)", line)
        if found and not line.startswith("alias"):
            words = re.split(r" [>|] ", found[1].replace("'", "") if where != "setup.md" else found[1])[0]
            yield where, shlex.split(words)


CALLS = list(told())


def test_every_way_to_run_it_is_looked_at() -> None:
    """The page's and the units' calls are found at all."""
    commands = {word for _, words in CALLS for word in words} & set(main.commands)
    assert {"init", "doctor", "game", "tick", "status", "backup", "run"} <= commands
    assert {where for where, _ in CALLS} == {"setup.md", *(unit.name for unit in UNITS if unit.suffix == ".service")}


@pytest.mark.parametrize(("where", "words"), CALLS, ids=[" ".join(words)[:60] for _, words in CALLS])
def test_every_call_and_every_option_of_it_exists(where: str, words: list[str]) -> None:
    command: click.Command = main
    parsed = words
    while parsed:
        context = click.Context(command, info_name=where, resilient_parsing=False)
        parser = command.make_parser(context)
        # Raises click's UsageError where an option is unknown or lacks its value.
        _, rest, _ = parser.parse_args(list(parsed))
        if not isinstance(command, click.Group):
            return
        assert rest, f"{where}: {' '.join(words)} ends before a command"
        assert rest[0] in command.commands, f"{where}: there is no command {rest[0]}"
        command, parsed = command.commands[rest[0]], rest[1:]


@pytest.mark.parametrize("text", blocks("toml"))
def test_every_settings_block_is_taken(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    assert read_config(tmp_path, {}).folder == tmp_path


@pytest.mark.dovecot
def test_with_a_mailbox_as_the_page_tells_the_doctor_finds_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dovecot: Dovecot, mailbox: str
) -> None:
    """The page's first block of settings, with only the hosts and ports of servers that run here; then a letter goes out."""
    monkeypatch.setattr(roundtrip, "LOOKS", 1)  # what is mailed to ourselves stays at this host
    club = tmp_path / "club"
    make_club(club, {})
    text = blocks("toml")[0].replace("referee@club.example", USER)
    ca = f'ca_file = "{dovecot.ca_file}"\nport = {dovecot.ports.imaps}\nuser = "{mailbox}"'
    text = text.replace('host = "imap.provider.example"', f'host = "localhost"\n{ca}')
    with MailHost(mechanisms="PLAIN") as host:
        here = f'host = "127.0.0.1"\nport = {host.port}\nsecurity = "none"'
        text = text.replace('host = "smtp.provider.example"', here)
        (club / FILE).write_text(f"{text}\n", "utf-8")
        for name, password in (("imap-password", PASSWORD), ("smtp-password", HOST_PASSWORD)):
            (club / name).write_text(f"{password}\n", "utf-8")
            (club / name).chmod(0o600)
        result = run_here("--club", club, "doctor", "--send", "ann@example.org")
        assert result.exit_code == 0, result.output
        assert len(host.to("ann@example.org")) == 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """Only the program is put where one lies on this machine."""
    program = Path(sys.executable).parent / "referee"
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text("utf-8").replace("/opt/referee/bin/referee", str(program)))
    units = [str(tmp_path / unit.name) for unit in UNITS]
    done = run_program(["systemd-analyze", "verify", "--man=no", *units])
    ours = [line for line in done.stderr.splitlines() if "referee" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_systemd_finds_the_services_little_exposed(unit: Path) -> None:
    """On systemd's scale from 0 (safe) to 10 (unsafe) no more than 2."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = run_program(command)
    if "unrecognized option" in done.stderr or "Unknown" in done.stderr:
        pytest.skip("this systemd cannot look at files")
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_the_services_are_hardened(unit: Path) -> None:
    lines = set(unit.read_text("utf-8").splitlines())
    assert lines >= HARDENED
    if unit.name == "referee@.service":
        assert lines >= {"Type=notify", "WatchdogSec=1h", "LoadCredential=imap-password:referee-%i.imap-password"}


def test_the_page_names_every_unit_and_its_own_chapters() -> None:
    text = PAGE.read_text("utf-8")
    assert all(unit.name in text for unit in UNITS)
    links = re.findall(r"\]\(([a-z]+\.md)", text)
    assert all((ROOT / "docs" / link).is_file() for link in links)


# The page on the umpire's desk tells the truth: its session is run line by line, and says what it prints.


DESK = (Path(__file__).parent.parent / "docs" / "desk.md").read_text("utf-8")
AT = re.compile(r"\w+day \d+ \w+ \d{4}, \d\d:\d\d UTC(?=, turn)")  # when an act was done


def session() -> list[tuple[list[str], list[str]]]:
    """Return the command lines of the page's session, each with the lines that it prints."""
    done: list[tuple[list[str], list[str]]] = []
    block = re.search(r"    \$ (?:.+\n|\n(?=    ))+", DESK)
    assert block
    for line in (line[4:] for line in block[0].rstrip().split("\n")):
        if line.startswith("$ referee "):
            done.append((shlex.split(line)[2:], []))
        else:
            done[-1][1].append(line)
    return done


def test_the_session_of_the_page_prints_what_it_says(race: PostHouse) -> None:
    race.write(ANN, "STEP 1")
    assert race.send(BOB, "STEP 1").turns == ("RR1/1",)
    lines = session()
    assert len(lines) == 6
    for words, told in lines:
        result = race.command(*words)
        assert result.returncode == 0, words
        assert AT.sub("AT", result.stderr + result.stdout).splitlines() == [AT.sub("AT", line) for line in told]


# docs/own-words.md: what it shows can be copied into a club's folder as it stands.


OWN_WORDS = Path(__file__).parent.parent / "docs" / "own-words.md"


def files() -> dict[str, str]:
    """Return the page's files by the place that their first line names."""
    blocks = re.findall(r"^```toml\n# (\S+)\n(.*?)^```$", OWN_WORDS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
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


# The handbook is true: it can be built, its commands exist, and its first games are played as they stand there.


DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# Indented, in a block of shell lines, or in the midst of a sentence.
CALL = re.compile(
    rf"^ {{4}}(?:\$ )?(referee .*)$|^(referee (?:--club|{'|'.join(main.commands)})\b.*)$|`(referee [a-z][^`]*)`",
    re.MULTILINE,
)
FIRST_GAMES = {
    "first-game.md": ("Round 2 of 12", "All is in order", "newsletter-1"),
    "erste-partie.md": ("Runde 2 von 12", "All is in order", "rundbrief-1"),
}


def calls() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return every call of the referee in the handbook, in a block or in the midst of a sentence: (page, its words)."""
    for page in PAGES:
        for indented, block, inline in CALL.findall(page.read_text("utf-8").replace("\\\n", "")):
            line = re.sub(r"""\"[^"]*\"|'[^']*'""", "WORDS", indented or block or inline.replace("\n", " "))
            yield page.name, tuple(re.split(r" [#|>] ", line)[0].split()[1:])


COMMANDS = sorted(set(calls()))


def test_every_call_names_a_command_and_options_that_are_there() -> None:
    for page, words in COMMANDS:
        assert_there(page, words)


@pytest.mark.parametrize("folder", ["referee", "templates"])
def test_every_call_that_the_program_itself_names_is_there(folder: str) -> None:
    for file in (each for kind in ("py", "toml", "sql") for each in (ROOT / folder).rglob(f"*.{kind}")):
        for _, _, call in CALL.findall(file.read_text("utf-8")):
            words = call.split(" --because")[0].split()[1:]
            if words and not words[0].startswith("{"):
                assert_there(file.name, tuple(words))


def assert_there(page: str, words: tuple[str, ...]) -> None:
    command: click.Command = main
    rest = list(words)
    while rest:
        context = click.Context(command, info_name=page, ignore_unknown_options=False)
        opts = {name for param in command.params if isinstance(param, click.Option) for name in param.opts}
        if isinstance(command, click.Group):
            _, rest, _ = command.make_parser(context).parse_args(rest)
            assert rest, f"{page}: referee {' '.join(words)} ends before a command"
            assert rest[0] in command.commands, f"{page}: there is no command {rest[0]}"
            command, rest = command.commands[rest[0]], rest[1:]
        else:
            unknown = [
                word for word in rest if re.match(r"--?[a-z]", word) and word.split("=")[0] not in opts | {"--help"}
            ]
            assert unknown == [], f"{page}: referee {' '.join(words)}"
            return


def test_the_calls_are_found_at_all() -> None:
    assert len(COMMANDS) > 150
    assert {page for page, _ in COMMANDS} >= {
        "year.md",
        "troubleshooting.md",
        "first-game.md",
        "erste-partie.md",
        "desk.md",
    }


def test_every_page_has_its_place_in_the_list_of_pages() -> None:
    listed = set(re.findall(r"^([a-z-]+)$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE))
    assert {page.stem for page in PAGES} - {"index"} <= listed


@pytest.mark.testlong
def test_the_handbook_is_made_without_a_warning(tmp_path: Path) -> None:
    """Sphinx names whatever is not as it should be: a link to a page, a heading or a file that is not there, above all."""
    words = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-c", str(DOCS)]
    for builder in ("html", "man"):  # the pages are read once for both, as `make docs` does
        done = run_program([*words, "-b", builder, "-d", str(tmp_path / "trees"), str(ROOT), str(tmp_path / builder)])
        assert (builder, done.returncode, done.stderr) == (builder, 0, "")
    page = re.sub("<[^>]*>", "", (tmp_path / "html" / "docs" / "settings.html").read_text("utf-8"))
    assert [each.path for each in SETTINGS if f"{each.name} = " not in page] == []
    assert "REFEREE UNDO" in (tmp_path / "man" / "referee.1").read_text("utf-8").upper()


@pytest.mark.testlong
@pytest.mark.parametrize("page", FIRST_GAMES)
def test_the_first_games_come_to_their_second_turn(tmp_path: Path, page: str) -> None:
    """Their lines are run as a reader copies them."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = run_program(["bash", "-euc", "".join(blocks)], cwd=tmp_path, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    turn, order, folder = FIRST_GAMES[page]
    assert turn in done.stdout
    assert order in done.stdout
    assert "turns played: RR1/1," in done.stdout
    assert (tmp_path / folder / "RR1-turn-1.html").is_file()
