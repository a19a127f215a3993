"""`referee setup`: from an address to a club that works, by options, by answers, and where servers will not have it."""

import plistlib
import pwd
import re
import shlex
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from referee.cli import setup as command
from referee.config import FILE, read_config
from referee.service import setup
from referee.service.doctor import roundtrip
from referee.service.setup import Servers, place_of
from tests.forkedcommands import run_here
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.gateway import gateway
from tests.tables import Tables

CASES = Tables(__file__)

SAID = ["--address", "Ref@club.test", "--umpire", "you@club.test", "--name", "Our club", "--zone", "Europe/Dublin"]


def run(*words: object, typed: str | None = None) -> Result:
    return run_here("setup", *words, input=typed)


def options(dovecot: Dovecot, mailbox: str, port: int, folder: Path) -> list[str]:
    (folder / "secret").write_text(f"{PASSWORD}\n")
    places = ["--imap", f"localhost:{dovecot.ports.imap}/starttls", "--smtp", f"127.0.0.1:{port}/none"]
    login = ["--user", mailbox, "--password-file", str(folder / "secret"), "--ca-file", str(dovecot.ca_file)]
    return [*(word.replace("Ref@", f"{mailbox}@") for word in SAID), *places, *login]


def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_can_ask", lambda: True)


@pytest.mark.dovecot
def test_options_alone_make_a_club_that_works_and_a_second_run_changes_what_it_is_told(
    tmp_path: Path, dovecot: Dovecot, mailbox: str
) -> None:
    club = tmp_path / "the club"
    with gateway(dovecot.lmtp) as port:
        first = run(club, *options(dovecot, mailbox, port, tmp_path), "--timer", "systemd")
        assert first.exit_code == 0, first.output
        assert f"letters to {mailbox}+...@club.test arrive" in first.output
        assert "game open dampfross --map ireland --seats 5\n" in first.output
        before = (club / FILE).read_text()
        second = run(club, "--name", "Other club", "--timer", "cron")
        assert second.exit_code == 0, second.output
        ticked = run_here("--club", club, "tick")
        assert (ticked.exit_code, ticked.output) == (0, "letters handled: 0, letters sent: 0\n"), "its own are put away"
    assert (club / FILE).read_text() == before.replace('"Our club"', '"Other club"')
    config = read_config(club, {})
    assert (config.umpire, config.zone, config.identity.plus) == ("you@club.test", "Europe/Dublin", True)
    private = [club / name for name in ("mail-password", FILE, "referee-the-club.service")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}
    assert PASSWORD not in before + first.output
    unit = (club / "referee-the-club.service").read_text()
    assert f'ReadWritePaths="{club}"' in unit
    assert "%i" not in unit
    assert (club / "referee.cron").read_text().endswith(f"--club {shlex.quote(str(club))} tick > /dev/null\n")
    assert "| crontab -\n" in second.output


def strict(raw: bytes) -> bytes:
    """What a server delivers that takes forged fields out."""
    return b"Authentication-Results: mx.club.test; none\r\n" + re.sub(rb"Authentication-Results:.*\r\n", b"", raw)


def lax(raw: bytes) -> bytes:
    return raw if raw.startswith(b"Auth") else b"Authentication-Results: mx.club.test; none\r\n" + raw


@pytest.mark.dovecot
@pytest.mark.parametrize(
    ("change", "refuses", "plus", "believed", "told"),
    [
        (strict, "", True, "mx.club.test", "takes out a forged Authentication-Results of mx.club.test"),
        (lax, "", True, "", "lets a forged Authentication-Results of mx.club.test through"),
        (bytes, "+", False, "", "takes no letters to REF+...@club.test: 550 5.1.1 no such user"),
        (
            lambda raw: raw.replace(b"<doctor.", b"<lost.") if b"+test-" in raw else raw,
            "",
            False,
            "",
            "one without + is",
        ),
        (
            lambda raw: raw.replace(b"<doctor.", b"<lost."),
            "",
            True,
            "",
            "look for them in the mailbox and among the spam",
        ),
    ],
    ids=["strict", "lax", "refuses", "loses", "loses all"],
)
def test_letters_to_itself_tell_what_the_server_can(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dovecot: Dovecot,
    mailbox: str,
    change: Callable[[bytes], bytes],
    refuses: str,
    plus: bool,
    believed: str,
    told: str,
) -> None:
    if told.startswith(("one", "look")):
        monkeypatch.setattr(roundtrip, "LOOKS", 2)
    with gateway(dovecot.lmtp, change, refuses) as port:
        done = run(tmp_path / "club", *options(dovecot, mailbox, port, tmp_path), "--timer", "none")
        assert told.replace("REF", mailbox) in done.output
        identity = read_config(tmp_path / "club", {}).identity
        assert (identity.plus, identity.authserv_id) == (plus, believed)
        assert ("So identity.plus is false now" in done.output) is not plus
        if refuses:
            (tmp_path / "club" / FILE).write_text(
                (tmp_path / "club" / FILE).read_text().replace("plus = false", "plus = true")
            )
            again = run_here("--club", tmp_path / "club", "doctor", "--send", "you@club.test")
            assert "fault    plus      the mail server takes no letters to" in again.output


@pytest.mark.dovecot
def test_answers_are_asked_again_where_they_are_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dovecot: Dovecot, mailbox: str
) -> None:
    """Its own address for the umpire's, a zone of three letters, no server found, TLS at the port of STARTTLS, a password, none,
    no token command, a server that is not there: each alone is asked again.
    """
    asked(monkeypatch)
    monkeypatch.setattr(command, "discover", lambda *_: None)
    with gateway(dovecot.lmtp) as port:
        imap, smtp = f"localhost:{dovecot.ports.imap}", f"127.0.0.1:{port}/none"
        answers = [f"{mailbox}@club.test", f"{mailbox}@club.test", "you@club.test", "Our club", "IST", "Europe/Dublin"]
        answers += ["what?", imap, "127.0.0.1:1/none", "wrong", f"{imap}/starttls", mailbox, "", "", "", "/no/such"]
        answers += [mailbox, PASSWORD, smtp, "none"]
        done = run(tmp_path / "club", "--ca-file", dovecot.ca_file, typed="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    told = ["its own", "'IST' is no time zone (as Europe/Dublin)", "Nobody names the mail", "'what?' is no server"]
    told += ['set imap.security to "starttls", or imap.port to 993', "does not let", "'/no/such' cannot be run"]
    told += ["SMTP server 127.0.0.1:1", f"--club {tmp_path / 'club'} tick"]
    at = [done.output.find(each) for each in told[1:]]
    assert at == sorted(at)
    assert -1 not in at
    assert "that is the referee's own address" in done.output
    assert PASSWORD not in done.output


def test_commands_for_who_came_with_sudo_are_run_as_the_clubs_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "you")
    monkeypatch.setattr("referee.service.setup.our_id", lambda: pwd.getpwnam("nobody").pw_uid)
    told = setup.write_timer(tmp_path, "cron")
    assert told.startswith("(sudo -u nobody crontab -l 2> /dev/null |")
    assert told.endswith(f"; sudo -u nobody cat {tmp_path / 'referee.cron'}) | sudo -u nobody crontab -")
    monkeypatch.delenv("SUDO_USER")
    assert "sudo" not in setup.write_timer(tmp_path, "cron")


def test_windows_and_macos_have_timers_of_their_own(tmp_path: Path) -> None:
    club = tmp_path / "100 % Züge"
    club.mkdir()
    begun = [sys.executable, "-m", "referee", "--club", str(club), "tick"]
    told = setup.write_timer(club, "launchd")
    assert told.endswith(f"launchctl load -w ~/Library/LaunchAgents/referee-{club.name}.plist")
    assert plistlib.loads((club / f"referee-{club.name}.plist").read_bytes()) == {
        "Label": f"referee-{club.name}",
        "ProgramArguments": begun,
        "StartInterval": 300,
    }
    told = setup.write_timer(club, "schtasks")
    assert told.startswith("schtasks /Create /SC MINUTE /MO 5 /TN ")
    assert (club / "tick.cmd").read_text("utf-8").splitlines()[
        1
    ] == f"@{shlex.join(begun).replace(chr(39), chr(34))} >nul".replace("%", "%%")


@pytest.mark.dovecot
def test_what_a_server_refuses_writes_nothing(tmp_path: Path, dovecot: Dovecot, mailbox: str) -> None:
    with gateway(dovecot.lmtp) as port:
        said = options(dovecot, mailbox, port, tmp_path)
        (tmp_path / "secret").write_text("wrong")
        done = run(tmp_path / "club", *said, "--timer", "none")
    assert done.exit_code == 75
    assert f"does not let {mailbox} in" in done.output
    assert not (tmp_path / "club").exists()


@CASES.rows
def test_without_a_terminal_it_says_what_is_missing_or_wrong_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str], told: str
) -> None:
    monkeypatch.setattr(command, "discover", lambda *_: None)
    done = run(tmp_path / "club", *said)
    assert (done.exit_code, told in done.output) == (2, True), done.output
    assert not (tmp_path / "club").exists()


def test_servers_that_somebody_on_the_way_may_have_named_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imap, smtp = place_of("mail.thief.test", "imap"), place_of("mail.thief.test", "smtp")
    assert imap
    assert smtp
    named = Servers(imap=imap, smtp=smtp, by="the SRV records of club.test", vouched=False)
    monkeypatch.setattr(command, "discover", lambda *_: named)
    done = run(tmp_path / "club", *SAID, "--timer", "none", "--token-command", "x")
    assert done.exit_code == 2
    assert "mail.thief.test:993/tls" in done.output
    asked(monkeypatch)
    refused = run(tmp_path / "club", *SAID, "--timer", "none", "--token-command", "x", typed="n\nlocalhost:1\n")
    assert "Is that right?" in refused.output
    assert "The SMTP server" in refused.output
