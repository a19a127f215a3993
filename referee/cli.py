"""The umpire's commands: read arguments, call the service, print. What they print on stdout is for people and scripts alike."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from referee import __version__
from referee.config import Value, club_folder, read_config
from referee.core.errors import RefereeError
from referee.daemon import run as run_daemon
from referee.service import umpire
from referee.service.club import Club, make_club, open_club
from referee.service.demo.show import play_demo
from referee.service.games import new_game
from referee.service.proposals import Proposal, merged, parse_option, parse_player, read_proposal
from referee.service.replay import chain_end
from referee.service.replay import replay as replayed
from referee.service.tick import Pass
from referee.service.tick import tick as make_pass
from referee.store import games, letters

SOFTWARE = 70  # sysexits.h: a fault of ours


@dataclass(slots=True)
class Where:
    """The club folder as given on the command line, None if it was not."""

    club: str | None

    @contextmanager
    def opened(self) -> Iterator[Club]:
        """Open the club. Raises ConfigError."""
        with open_club(read_config(club_folder(self.club))) as club:
            yield club


class Commands(click.Group):
    """A group whose commands end with one sentence on stderr and the exit code of the mistake."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a ``RefereeError`` is told, not thrown."""
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            click.echo(f"referee: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--club", metavar="DIR", help="The club's folder; else $REFEREE_CLUB, else the current folder.")
@click.version_option(__version__, message="%(version)s")
@click.pass_context
def main(ctx: click.Context, club: str | None) -> None:
    """Referee railway games played by post: letters in, newsletters out.

    Exit codes: 0 done, 65 no such thing, 70 a fault of ours, 75 try again later, 78 mend the configuration.
    """
    logging.basicConfig(format="referee: %(message)s", level=logging.WARNING)
    ctx.obj = Where(club)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--name", help="The club's name.")
@click.option("--address", help="The referee's own mail address.")
@click.option("--umpire", "umpire_address", metavar="ADDRESS", help="The umpire's address, told of trouble.")
@click.option("--zone", help="The club's time zone, as Europe/Dublin.")
@click.option(
    "--early-delay", type=click.IntRange(min=0), metavar="HOURS", help="Hours a turn waits after the last orders."
)
def init(folder: Path, **settings: Value | None) -> None:
    """Make a club's folder.

    It holds referee.toml, referee.db and the Maildirs mail/in and mail/out. What is there already stays as it is.
    """
    paths = {
        "name": "club.name",
        "zone": "club.zone",
        "address": "mail.address",
        "umpire_address": "mail.umpire",
        "early_delay": "deadlines.early_delay",
    }
    given: dict[str, Value] = {paths[name]: value for name, value in settings.items() if value is not None}
    config = make_club(folder, given)
    click.echo(f"{config.folder}: letters arrive in {config.mail_in}, letters leave through {config.mail_out}")


@main.group()
def game() -> None:
    """Make games and list them."""


@game.command("new")
@click.argument("kind", required=False, default="")
@click.option(
    "--map",
    "board",
    metavar="NAME",
    default="",
    help="A map of the game or of the club's maps folder, or a .toml file.",
)
@click.option("--preset", default="", help="A set of options; the game's own choice if not given.")
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="One option other than the preset's; may be repeated.",
)
@click.option(
    "--player", "players", metavar='"CODE:COLOUR:NAME <ADDRESS>"', multiple=True, help="One player; repeated for each."
)
@click.option(
    "--from", "file", type=click.Path(path_type=Path, dir_okay=False), help="A TOML file that says all this, and more."
)
@click.option("--deadline", default="", metavar="TIME", help="The first deadline, as 2026-12-04T20:00.")
@click.option("--days", type=click.IntRange(min=1), help="Days a turn lasts.")
@click.pass_obj
def game_new(
    where: Where,
    kind: str,
    board: str,
    preset: str,
    options: tuple[str, ...],
    players: tuple[str, ...],
    file: Path | None,
    deadline: str,
    days: int | None,
) -> None:
    """Make a new game and print its id.

    KIND names the rules, as dampfross. The opening newsletter is written at once; the letters leave with the next `referee tick`.
    """
    said = Proposal(
        kind=kind,
        board=board,
        preset=preset,
        options=tuple(parse_option(text) for text in options),
        players=tuple(parse_player(text) for text in players),
        rhythm={} if days is None else {"days": days},
        deadline=deadline,
    )
    with where.opened() as club:
        click.echo(new_game(club, merged(read_proposal(file), said) if file else said))


@game.command("list")
@click.pass_obj
def game_list(where: Where) -> None:
    """List the games.

    A line each: id, kind, status, awaited turn, deadline (UTC), separated by tabs.
    """
    with where.opened() as club:
        for row in games.all_games(club.db):
            due = _utc(row.deadline) if row.deadline else "-"
            click.echo("\t".join((row.id, row.kind, row.status, str(row.turn), due)))


@main.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def status(where: Where, game_id: str | None, as_json: bool) -> None:
    """Say how the games stand: turn, deadline, whose orders are in."""
    with where.opened() as club:
        names = [games.game(club.db, game_id).id] if game_id else [row.id for row in games.all_games(club.db)]
        standings = [umpire.standing(club, name) for name in names]
        if as_json:
            click.echo(json.dumps([asdict(each) for each in standings], default=_utc, ensure_ascii=False))
        else:
            for each in standings:
                _print_standing(each, club.config.zone)
            if not game_id:
                parked = len(letters.listed(club.db, "parked"))
                if parked:
                    click.echo(f"{parked} letters are parked: see `referee letters --status parked`")


@main.command()
@click.pass_obj
def tick(where: Where) -> None:
    """Make one pass over the post and the games.

    Letters are collected and acknowledged, turns that are due adjudicated, letters sent.
    """
    with where.opened() as club:
        done = make_pass(club)
    _print_pass(done)
    if done.failed:
        raise click.exceptions.Exit(SOFTWARE)


@main.command()
@click.pass_obj
def run(where: Where) -> None:
    """Make passes until stopped.

    This is `referee tick` in a loop; SIGTERM or Ctrl-C end it after the pass being made.
    """
    with where.opened() as club:
        run_daemon(
            club, lambda done: _print_pass(done) if done.letters or done.turns or done.sent or done.failed else None
        )


@main.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--game", "game_id", metavar="GAME", default="", help="Read it as a letter about this game.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def read(where: Where, file: Path, game_id: str, as_json: bool) -> None:
    """Say what a letter would be understood as.

    FILE is the letter as a mail program saves it (.eml); nothing is stored and nobody is answered.
    """
    with where.opened() as club:
        read_as = umpire.read_as(club, file.read_bytes(), game_id)
    if as_json:
        told: dict[str, Any] = {"sender": read_as.sender, "subject": read_as.subject, "reason": read_as.reason}
        if read_as.told is not None:
            told |= {"game": read_as.game, "player": read_as.player, "turn": read_as.turn, **read_as.told}
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    elif read_as.reason:
        click.echo(f"not taken: {read_as.reason} (from {read_as.sender or 'nobody'})")
    else:
        click.echo(read_as.reply, nl=False)


@main.command("letters")
@click.option(
    "--status", "wanted", type=click.Choice(["stored", "done", "refused", "parked", "ignored"]), help="Only these."
)
@click.pass_obj
def letters_(where: Where, wanted: str | None) -> None:
    """List the letters received.

    A line each: number, arrival (UTC), status, sender, game, reason, separated by tabs.
    """
    with where.opened() as club:
        for row in letters.listed(club.db, wanted or ""):
            told = (str(row.id), _utc(row.arrived), row.status, row.sender or "-", row.game or "-", row.reason or "-")
            click.echo("\t".join(told))


@main.command()
@click.argument("number", type=int)
@click.option("--trace", is_flag=True, help="Print what went wrong with it instead.")
@click.pass_obj
def letter(where: Where, number: int, trace: bool) -> None:
    """Print a letter as it came, byte by byte."""
    with where.opened() as club:
        row = letters.letter(club.db, number)
    if trace:
        click.echo(row.trace or row.reason or row.status)
    else:
        click.echo(row.raw, nl=False)


@main.command()
@click.argument("game_id", metavar="GAME")
@click.argument("turn", type=click.IntRange(min=0), required=False)
@click.option("--player", default="", metavar="CODE", help="Whose; else the first player's.")
@click.pass_obj
def newsletter(where: Where, game_id: str, turn: int | None, player: str) -> None:
    """Print the newsletter of a turn.

    Turn 0 is the opening; if none is named, it is the last turn played.
    """
    with where.opened() as club:
        click.echo(umpire.newsletter(club, game_id, turn, player), nl=False)


@main.command()
@click.argument("game_id", metavar="GAME")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A .svg or .png file; else SVG is printed."
)
@click.option("--width", type=click.IntRange(200, 4000), default=1600, show_default=True, help="Width of a PNG.")
@click.pass_obj
def board(where: Where, game_id: str, output: Path | None, width: int) -> None:
    """Draw the board of a game as it stands."""
    with where.opened() as club:
        drawn = umpire.board_svg(club, game_id)
    if output is None:
        click.echo(drawn)
    elif output.suffix.lower() == ".png":
        output.write_bytes(umpire.board_png(drawn, width))
    else:
        output.write_text(drawn, "utf-8")


@main.command()
@click.argument("game_id", metavar="GAME")
@click.pass_obj
def replay(where: Where, game_id: str) -> None:
    """Play a game's stored turns again and compare.

    Each turn is adjudicated from its stored orders and seed; events and states must be the same, byte by byte.
    """
    with where.opened() as club:
        name = games.game(club.db, game_id).id
        compared = list(replayed(club, name))
        for each in compared:
            result = f"differs: {', '.join(each.differs)}" if each.differs else "same"
            click.echo(
                f"{name}\tturn {each.turn}\trules {each.rules}\t{each.events} events\t{each.size} bytes\t{result}"
            )
        click.echo(f"{name}\tend of the chain of seeds\t{chain_end(club, name)}")
    if any(each.differs for each in compared):
        raise click.exceptions.Exit(SOFTWARE)


@main.command()
@click.option(
    "--into",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="The folder to play in; one that an earlier demo made is cleared.",
)
@click.option(
    "--game", "kind", type=click.Choice(["dampfross"]), default="dampfross", show_default=True, help="What is played."
)
@click.option("--seed", default="", help="Words to draw the dice from: the same words give the same game.")
def demo(folder: Path, kind: str, seed: str) -> None:
    """Play a whole game by mail on this machine: built-in players read their newsletters and write letters."""
    click.echo(f"Five companies play {kind} by mail in {folder}:", err=True)
    with click.progressbar(length=1, label="rounds", file=sys.stderr) as bar:

        def told(rounds: int, of: int) -> None:
            bar.length = of
            bar.update(rounds - bar.pos)

        played = play_demo(folder, kind, told, seed)
    click.echo(played.final)
    click.echo(f"{played.turns} rounds were played with {played.letters} letters of orders.")
    click.echo(f"newsletters:    {played.newsletters}")
    click.echo(f"the last board: {played.board}")
    click.echo(f"all letters:    {played.folder / 'mail'}")


def _print_pass(done: Pass) -> None:
    if done.held:
        click.echo("another process is making a pass: nothing done")
        return
    played = f", turns played: {', '.join(done.turns)}" if done.turns else ""
    click.echo(f"letters handled: {done.letters}{played}, letters sent: {done.sent}")
    for name in done.failed:
        click.echo(f"referee: the turn of {name} could not be played; its state is untouched", err=True)


def _print_standing(each: umpire.Standing, zone: str) -> None:
    head = f"{each.game}  {each.title}, {each.board}  "
    if each.deadline is None:
        click.echo(f"{head}over after turn {each.turn}")
        return
    due = each.deadline.astimezone(ZoneInfo(zone))
    click.echo(f"{head}turn {each.turn}, due {due:%a %Y-%m-%d %H:%M} {zone}")
    for code, orders in each.orders.items():
        click.echo(f"  {code:<8} {orders}")


def _utc(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
