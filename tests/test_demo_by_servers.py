"""The demo over real mail servers, set up as the docs tell an umpire."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from referee.config import read_config
from referee.service.audit.verify import verify_game
from referee.service.club.club import open_club
from tests.forkedcommands import run_forked
from tests.posthouse import ROOT, environment
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.gateway import gateway

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
        done = subprocess.run(
            (*command, *places, *ARGUMENTS), cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
        )
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
