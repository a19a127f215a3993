"""How we prove who we are: secrets are taken from where they are safe, and shown to nobody."""

# ruff: noqa: S106 (of servers that live as long as a test)
import shlex
import sys
from pathlib import Path

import pytest

from referee.config import SettingValue, read_config, sample_toml
from referee.config.values import password_of
from referee.core import ConfigError, LoginRefused
from referee.mail.servers.login import Login, credentials, mechanism, oauthbearer, token_of, xoauth2
from referee.service.club import login_of, source_of
from tests.tables import Tables

CASES = Tables(__file__)


def club(folder: Path, **settings: SettingValue) -> Path:
    given = {name.replace("__", "."): value for name, value in settings.items()}
    (folder / "referee.toml").write_text(sample_toml(given))
    return folder


def password(folder: Path, **environment: str) -> str:
    return password_of(read_config(folder, {}).imap, "imap", folder, environment)


def says(words: str) -> str:
    """Return a command that runs some Python."""
    return shlex.join((sys.executable, "-c", words))


def test_a_password_comes_from_variable_file_or_credential_in_that_order(tmp_path: Path) -> None:
    folder = club(tmp_path, imap__password_file="secret")
    (folder / "secret").write_text("of the file\n")
    (folder / "secret").chmod(0o600)
    (folder / "imap-password").write_text("of systemd")
    everywhere = {"CREDENTIALS_DIRECTORY": str(folder)}
    assert password(folder, **everywhere, REFEREE_IMAP_PASSWORD="of the variable") == "of the variable"
    assert password(folder, **everywhere) == "of the file"
    assert password(club(tmp_path), **everywhere) == "of systemd"
    assert password(club(tmp_path)) == ""


@CASES.rows
def test_a_password_that_others_may_touch_is_refused(tmp_path: Path, mode: int) -> None:
    folder = club(tmp_path, imap__password_file="secret")
    (folder / "secret").write_text("hidden")
    (folder / "secret").chmod(mode)
    with pytest.raises(ConfigError, match="can be read by others: `chmod 600") as caught:
        password(folder)
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hidden\nwords", b"hidden\0", b"hidden\r\nX: y", b"hidden\xff", b"x" * 1001]
)
def test_what_is_no_password_is_told_without_repeating_it(tmp_path: Path, content: bytes) -> None:
    folder = club(tmp_path, imap__password_file="secret")
    (folder / "secret").write_bytes(content)
    (folder / "secret").chmod(0o600)
    with pytest.raises(ConfigError, match=r"holds no password|is not UTF-8") as caught:
        password(folder)
    assert "hidden" not in str(caught.value)


def test_a_missing_file_or_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        password(club(tmp_path, imap__password_file="nowhere"))
    (tmp_path / "folder").mkdir(mode=0o700)
    with pytest.raises(ConfigError, match=r"cannot be read|is no file"):
        password(club(tmp_path, imap__password_file="folder"))


def test_a_token_is_the_first_line_that_a_command_prints_and_no_shell_reads_it() -> None:
    assert token_of(says("print('ya29.token-1_x=');print('more')")) == "ya29.token-1_x="
    with pytest.raises(LoginRefused, match="printed no token"):
        token_of("echo $(id) ; echo x")


@CASES.rows
def test_a_command_without_a_token_is_a_login_refused(words: str, why: str) -> None:
    with pytest.raises(LoginRefused, match=why) as caught:
        token_of(says(words))
    assert "hidden" not in str(caught.value)


def test_a_command_that_hangs_is_given_up() -> None:
    with pytest.raises(LoginRefused, match=r"said nothing for 0\.2 seconds"):
        token_of(says("import time; time.sleep(60)"), timeout=0.2)


@pytest.mark.parametrize("command", ["/nowhere/at/all", "'", " "])
def test_what_is_no_command_is_for_the_umpire_to_mend(command: str) -> None:
    with pytest.raises(ConfigError, match="token"):
        token_of(command)


def test_a_login_is_asked_anew_each_time() -> None:
    passwords = ["one", "two"]
    ask = credentials("me", lambda: passwords.pop(0), "")
    assert (ask(), ask()) == (Login(user="me", password="one"), Login(user="me", password="two"))
    assert credentials("me", lambda: "unused", says("print('t')"))() == Login(user="me", token="t")


def test_what_a_client_says_for_each_mechanism() -> None:
    login = Login(user="me,=@example.org", token="abc")
    assert xoauth2(login) == "user=me,=@example.org\1auth=Bearer abc\1\1"
    told = "n,a=me=2C=3D@example.org,\1host=imap.example.org\1port=993\1auth=Bearer abc\1\1"
    assert oauthbearer(login, "imap.example.org", 993) == told
    assert mechanism(frozenset({"PLAIN", "OAUTHBEARER"})) == "OAUTHBEARER"
    assert mechanism(frozenset({"XOAUTH2", "OAUTHBEARER"})) == "XOAUTH2"
    assert mechanism(frozenset()) == "XOAUTH2"


@CASES.rows
def test_an_unencrypted_line_never_leaves_the_machine(tmp_path: Path, host: str, right: bool) -> None:
    config = read_config(club(tmp_path, imap__host=host, imap__security="none"), {})
    if right:
        source_of(config, lambda: pytest.fail("nobody needs the time")).close()
    else:
        with pytest.raises(ConfigError, match=r'imap\.security: "none" is for a server on this machine alone'):
            login_of(config, "imap")
        with pytest.raises(ConfigError):
            source_of(config, lambda: pytest.fail("nobody needs the time"))
