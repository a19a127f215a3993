"""A letter that a real mail client hands to a real SMTP server: swaks → gateway → Dovecot → the referee."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.posthouse import ANN
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.gateway import gateway
from tests.service.test_post_by_imap import imap_house


@pytest.mark.dovecot
def test_a_letter_sent_with_a_real_client_is_read_and_answered(tmp_path: Path, dovecot: Dovecot, mailbox: str) -> None:
    swaks = shutil.which("swaks")
    if swaks is None:
        pytest.skip("swaks is not installed")
    with imap_house(tmp_path / "club", dovecot.ports.imap, mailbox) as house, gateway(dovecot.lmtp) as port:
        house.game()
        sent = subprocess.run(
            [
                *(swaks, "--server", f"127.0.0.1:{port}", "--helo", "client.example.org"),
                *("--auth", "PLAIN", "--auth-user", "ann", "--auth-password", PASSWORD),
                *("--from", ANN, "--to", f"{mailbox}+rr1@example.org"),
                *("--header", "Subject: my orders for RR1", "--body", "ORDERS RR1 1\nSTEP 3\nEND\n"),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert sent.returncode == 0, sent.stdout + sent.stderr
        house.tick()
        (answer,) = house.post(ANN, "Orders for turn 1 received")
        assert "STEP 3" in answer.as_string()
        (row,) = house.rows("SELECT status, raw FROM letters")
        assert row["status"] == "done"
        assert b"Delivered-To:" in row["raw"]
