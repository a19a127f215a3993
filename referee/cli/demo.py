"""The demo."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from referee.cli.printing import say
from referee.config.settings import SECURITY
from referee.core.errors import RefereeError
from referee.service.demo.mailboxes import Servers
from referee.service.demo.players import CASTS
from referee.service.demo.show import play_demo, usual

_OPTIONS = {
    "host": "--{}",
    "port": "--{}",
    "security": "--security",
    "ca_file": "--ca-file",
    "password_file": "--password-file",
}  # by the setting that each stands for


@click.command()
@click.argument(
    "kind",
    metavar="[dampfross|volldampf]",
    type=click.Choice(list(CASTS), case_sensitive=False),
    default="dampfross",
)
@click.option(
    "--into",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="The folder to play in; one that an earlier demo made is cleared.",
)
@click.option(
    "--lang",
    "language",
    default="en",
    show_default=True,
    metavar="LANGUAGE",
    help="The language of all letters, and of the orders in them: en, de, fr or nl.",
)
@click.option("--seed", default="", help="Words to draw the dice from: the same words give the same game.")
@click.option("--map", "--board", "board", metavar="NAME", default="", help="Another map of the game, or a file.")
@click.option("--imap", "imap", metavar="HOST:PORT", help="Play over real servers: where everybody has a mailbox.")
@click.option("--smtp", "smtp", metavar="HOST:PORT", help="The server to send through.")
@click.option(
    "--password-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The password of all these mailboxes, in a file readable by you alone.",
)
@click.option("--security", type=click.Choice(SECURITY), default="tls", show_default=True, help="Of both servers.")
@click.option("--ca-file", type=click.Path(exists=True, dir_okay=False), help="Certificates to trust.")
def demo(
    kind: str,
    folder: Path,
    language: str,
    seed: str,
    board: str,
    imap: str | None,
    smtp: str | None,
    password_file: Path | None,
    security: str,
    ca_file: str | None,
) -> None:
    """Play a whole game by mail on this machine: built-in players read their newsletters and write letters.

    With --imap, --smtp and --password-file it is played over mail servers, on which referee@example.org and each player
    (ann@example.org ...) have mailboxes with one password, and which deliver between them.
    """
    servers = None
    if imap or smtp or password_file:
        if not imap or not smtp or not password_file:
            raise click.UsageError("--imap, --smtp and --password-file go together")
        addresses = {"imap": _place(imap), "smtp": _place(smtp)}
        servers = Servers(**addresses, password_file=password_file, security=security, ca_file=ca_file or "")
    proposal = usual(kind, board)
    say(f"{len(CASTS[kind].players)} players play {kind.title()} by mail in {folder}:", err=True)
    with click.progressbar(length=1, label="rounds", file=sys.stderr) as bar:

        def show_progress(rounds: int, of: int) -> None:
            bar.length = of
            bar.update(rounds - bar.pos)

        try:
            played = play_demo(folder, kind, show_progress, seed, proposal, servers=servers, language=language)
        except RefereeError as error:
            error.args = (_in_options(str(error)),)
            raise
    say(played.final)
    say(f"{played.rounds} rounds were played in {played.turns} turns, with {played.letters} letters of orders.")
    faces = ", ".join(played.faces)
    say(f"newsletters:    {played.newsletters} (as {played.reader} read them; the last one as {faces})")
    say(f"the last board: {played.board}")
    say(f"all letters:    {played.folder / 'mail'}")


def _in_options(sentence: str) -> str:
    """Return a sentence about settings with the options of this command in their places: the demo's settings are its own."""
    return re.sub(r"\b(imap|smtp)\.(\w+)\b", lambda found: _OPTIONS.get(found[2], found[0]).format(found[1]), sentence)


def _place(text: str) -> tuple[str, int]:
    """Return the host and port of a server as the command line names it."""
    host, colon, port = text.rpartition(":")
    if not host or not colon or not port.isdigit() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"{text!r} is no server (as mail.example.org:993)")
    return host, int(port)
