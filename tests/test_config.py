"""Settings of a club, and addresses as they are typed."""

import email
import email.policy
import os
import sys
import tomllib
from pathlib import Path

import pytest

from referee.config import (
    FILE,
    SETTINGS,
    Config,
    SettingValue,
    club_folder,
    line_of,
    read_config,
    sample_toml,
    setting_fault,
    with_settings,
)
from referee.core import ConfigError, beyond_ascii, from_typed
from referee.mail.letter.message import read_letter
from referee.service.club import make_club
from tests.forkedcommands import run_here, run_program
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# ``referee.toml`` and the environment.


def config_of(folder: Path, text: str, **environment: str) -> Config:
    (folder / FILE).write_text(text, "utf-8")
    return read_config(folder, environment)


def test_the_sample_says_every_setting_with_its_default(tmp_path: Path) -> None:
    text = sample_toml({})
    told = tomllib.loads(text)
    assert {f"{section}.{name}" for section in told for name in told[section]} == {each.path for each in SETTINGS}
    assert config_of(tmp_path, text) == config_of(tmp_path, "")
    assert all(f"# {setting.comment.splitlines()[0][:30]}" in text for setting in SETTINGS)


def test_a_setting_of_the_file_holds_and_a_variable_holds_over_it(tmp_path: Path) -> None:
    text = '[deadlines]\ngrace = 5\nweekday = "Friday"\n'
    config = config_of(tmp_path, text, REFEREE_DEADLINES_WEEKDAY="Monday", REFEREE_MAIL_POLL="7")
    assert (config.grace, config.weekday, config.poll) == (5, "Monday", 7)


def test_folders_are_seen_from_the_club(tmp_path: Path) -> None:
    config = config_of(tmp_path, '[mail]\nin = "/var/mail/club"\nout = "out"\n')
    assert config.mail_in == Path("/var/mail/club")
    assert config.mail_out == tmp_path / "out"


@CASES.rows
def test_a_fault_is_told_with_file_and_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / FILE}:{line}: ")
    assert words in str(caught.value)
    assert caught.value.exit_code == 78


def test_settings_of_another_account_are_told_with_whose_they_are(tmp_path: Path) -> None:
    """As somebody who is neither root nor the owner runs it, with the folder's own parent closed to them."""
    folder = tmp_path / "club"
    make_club(folder, {})
    if os.geteuid() != 0:
        pytest.skip("only root can become another account")
    script = (
        "import os; from pathlib import Path; from referee.service.doctor import settings_of; os.setuid(65534); "
        f"print(settings_of(Path({str(folder)!r}))[1])"
    )
    done = run_program([sys.executable, "-c", script], check=True)
    assert "cannot be read by you: run this as the account root, `sudo -u root referee ...`" in done.stdout
    assert "mend" not in done.stdout


def test_settings_are_put_into_a_file_that_is_otherwise_kept() -> None:
    text = "# mine\n[mail]\n# where\naddress = 'a@b.c'\n[imap]\nport = 143\n"
    new = '# mine\n[mail]\n# where\naddress = "x\\"y"\n[imap]\nhost = "h"\nport = 143\n'
    new += "\n[smtp]\nport = 25\n\n[identity]\nplus = false\n"
    given: dict[str, SettingValue] = {"mail.address": 'x"y', "imap.host": "h", "smtp.port": 25, "identity.plus": False}
    assert with_settings(text, given) == new


def test_every_number_has_a_limit_that_no_calendar_breaks() -> None:
    numbers = [setting for setting in SETTINGS if type(setting.default) is int]
    assert all(setting.most > 0 for setting in numbers)
    for number in numbers:
        said = [
            setting_fault(number, value) for value in (number.least - 1, number.least, number.most, number.most + 1)
        ]
        assert [bool(fault) for fault in said] == [True, False, False, True], number.path


@CASES.rows
def test_the_line_of_a_setting(section: str, name: str, number: int, line: int) -> None:
    text = """game = "x"

[rhythm] # of the game
days = 3
[[player]]
code = "A"
rows = [[1, 2]]
[[ player ]]
"code" = "B"
[position.track]
GSW = ["x"]
"""
    assert line_of(text, section, name, number) == line


def test_a_faulty_variable_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="environment variable REFEREE_DEADLINES_GRACE: 'x' is no whole number"):
        config_of(tmp_path, "", REFEREE_DEADLINES_GRACE="x")


def test_a_folder_without_settings_is_no_club(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is missing: make a club folder with `referee init"):
        read_config(tmp_path, {})


def test_the_club_is_named_or_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert club_folder("a", {"REFEREE_CLUB": "b"}) == Path("a")
    assert club_folder(None, {"REFEREE_CLUB": "b"}) == Path("b")
    with pytest.raises(ConfigError, match="name the club's folder"):
        club_folder(None, {})
    (tmp_path / FILE).touch()
    assert club_folder(None, {}) == Path()


# Addresses that umpires and players type, with letters of any script: the same that senders are known by.


TYPED, SENT = "ann@bücher.example", "ann@xn--bcher-kva.example"
GAME = ("game", "new", "tinyrace", "--map", "line", "--deadline", "2099-07-03T20:00")
STRANGE = "jürgen@bahn.example"


@pytest.mark.parametrize("text", [TYPED, "ann@BÜCHER.example", "ann@bu\u0308cher.example", SENT, f" {TYPED} "])
def test_an_address_is_known_however_its_domain_is_typed(text: str) -> None:
    """With capitals, with the dots as a letter of their own, with the name that the name servers know."""
    assert from_typed(text) == SENT


@CASES.rows
def test_what_is_typed_and_what_a_letter_says_are_the_same_address(domain: str) -> None:
    letter = read_letter(f"From: Ann <ann@{domain}>\n\nPASS\n".encode())
    assert letter.sender == from_typed(f"ann@{domain}")
    assert letter.answerable


@CASES.rows
def test_what_is_no_address_is_none(text: str) -> None:
    assert (from_typed(text), beyond_ascii(text)) == ("", "")


def test_letters_before_the_at_that_no_server_takes_are_named_each_once() -> None:
    assert beyond_ascii("jürgen.müller-ø@bücher.example") == "üø"
    assert from_typed("jürgen@bücher.example") == ""


def test_the_clubs_own_addresses_may_be_typed_so(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[mail]\naddress = "Referee@BÜCHER.example"\numpire = "du@straße.example"\n', "utf-8")
    config = read_config(tmp_path, {})
    assert (config.address, config.umpire) == ("Referee@xn--bcher-kva.example", "du@xn--strae-oqa.example")


def new_game(folder: Path, address: str) -> tuple[int, str]:
    players = ("--player", f"ANN:red:Ann <{address}>", "--player", f"BOB:blue:Bob <{BOB}>")
    result = run_here("--club", folder, *GAME, *players)
    return result.exit_code, result.stderr


def test_a_player_whose_address_the_umpire_typed_plays(club: Clubs) -> None:
    """The letters go to the name that servers know; what comes from there, however it is written, is the player's."""
    house = club()
    assert new_game(house.folder, TYPED) == (0, "")
    house.tick()
    assert [str(each["To"]) for each in house.post(SENT)] == [f"Ann <{SENT}>"]
    house.send(TYPED, "STEP 3")
    assert "STEP 3" in text_of(house.post(SENT, "Orders for turn 1 received")[0])


@pytest.mark.parametrize(
    "said", ["player ANN: 'jürgen@bahn.example' has ü before the @", "SMTPUTF8", "plain letters (a to z)"]
)
def test_the_umpire_is_told_why_an_address_cannot_be_written_to(club: Clubs, said: str) -> None:
    house = club()
    code, told = new_game(house.folder, STRANGE)
    assert code == 78
    assert said in told
    assert house.rows("SELECT * FROM games") == []


def test_two_spellings_of_one_address_are_one_players(club: Clubs) -> None:
    house = club()
    players = ("--player", f"ANN:red:Ann <{TYPED}>", "--player", f"BOB:blue:Bob <{SENT}>")
    told = run_here("--club", house.folder, *GAME, *players)
    assert f"two players have the address {SENT}" in told.stderr


def test_a_player_moves_to_an_address_of_any_script(club: Clubs) -> None:
    house = club()
    house.game()
    house.send(ANN, f"ADDRESS {TYPED}")
    assert f"A letter was sent to {TYPED}." in house.text(ANN)
    (question,) = house.post(SENT)
    house.reply(question, "CONFIRM", sender="ann@BÜCHER.example")
    assert house.value("SELECT address FROM players WHERE code = 'ANN'") == SENT
    assert SENT in text_of(house.post(UMPIRE, "has a new address")[0])


def test_a_player_is_told_what_of_a_new_address_cannot_be_written_to(club: Clubs) -> None:
    house = club()
    house.game()
    told = house.says(ANN, f"ADDRESS {STRANGE}")
    assert f'Nothing changes: "{STRANGE}" has ü before the @' in told
    assert house.rows("SELECT * FROM address_changes") == []


def test_a_letter_to_such_an_address_is_plain_ascii_on_its_way(club: Clubs) -> None:
    house = club(mail__address="referee@bücher.example")
    assert new_game(house.folder, TYPED) == (0, "")
    house.tick()
    (file,) = (path for path in house.sent_files() if SENT.encode() in path.read_bytes())
    head = file.read_bytes().partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert email.message_from_bytes(head, policy=email.policy.default)["Message-ID"].endswith("@xn--bcher-kva.example>")
