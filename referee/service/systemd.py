"""Tells systemd how the service is (sd_notify): one datagram with a few words."""

from __future__ import annotations

import logging
import socket

from referee.config.secrets import notify_socket

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"

log = logging.getLogger(__name__)


def notify(words: str) -> None:
    """Tell systemd *words*, if it started us and wants to hear. That it cannot be told stops nothing."""
    path = notify_socket()
    if not path:
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told:
            told.connect(address)
            told.send(words.encode())
    except OSError as error:
        log.warning("systemd cannot be told %s: %s", words, error)
