"""Plays the demo: makes a club and a game, lets the players write, makes passes until the game is over."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from referee.config import FILE, SettingValue
from referee.core import ConfigError, RefereeError, Texts, Value
from referee.locale import SOURCE_LANGUAGE
from referee.mail.letter.tokens import without_tokens

from ..club import Club, make_club, open_club
from ..tick import tick
from ..turns.gamefile import Invited, Proposal, parse_player
from ..turns.newgames import new_game
from ..turns.newsletters import faces_of_turn
from .mailboxes import PROGRAMS, Accounts, Answer, DemoServers, Folders, Mailboxes, tick_until_read
from .players import CASTS, Cast, Newsletter, orders_of

MARK = ".demo"  # lies in a folder that the demo made and may therefore clear away
REFEREE = "referee@example.org"
UNHURRIED: dict[str, SettingValue] = {  # a club that plays by itself, or with one person, on one machine
    "mail.address": REFEREE,
    "mail.replies_per_day": 10_000,  # a year's letters in a minute
    "mail.replies_per_game": 10_000,
    "players.attach": "svg json",  # the players read positions, and the visitor sees boards
    "deadlines.downtime_hold": 0,  # a machine that sleeps meanwhile is no outage
}
SLIP_TURNS = (2, 5)  # when one player mistypes, reads the acknowledgement, and writes again
MOST_TURNS = 2000
PAUSE = 5  # seconds before a pass that is made once more

_ORDERS = re.compile(r"(?ms)^ORDERS .*?^END$")

Told = Callable[[int, int], None]  # (rounds played, rounds in all)


class DemoGame(Value):
    """What the demo leaves behind."""

    folder: Path
    game: str
    players: int
    rounds: int
    turns: int
    letters: int
    final: str  # the last newsletter
    reader: str  # whose newsletters were kept
    newsletters: Path
    faces: Texts  # of the last of them, by their ends: .txt ...
    board: Path


def play_demo(
    folder: Path,
    kind: str,
    told: Told,
    seed: str = "",
    proposal: Proposal | None = None,
    slips: bool = True,
    servers: DemoServers | None = None,
    language: str = SOURCE_LANGUAGE,
) -> DemoGame:
    """Play a whole game by mail in *folder*, which is made anew; *seed* makes the game come out the same each time.

    *proposal*: the game to be played, the usual one if None; *slips*: whether a player mistypes now and then; *servers*: where
    everybody has a mailbox, folders on this machine if None; *language*: in which letters are written, and orders answered.

    Raises:
        ConfigError: the folder is there and was not made by a demo.
        MailDown, LoginRefused: the servers do not do what they should.
        RefereeError: a turn was not played.
    """
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise ConfigError(f"{folder} is not empty and was not made by the demo; name another folder")
        shutil.rmtree(folder)
    if (folder / FILE).exists():
        raise ConfigError(f"{folder} holds a club; name another folder")
    own: dict[str, SettingValue] = {
        "club.name": "The Demo Club",
        "club.language": language,
        "deadlines.early_delay": 0,
    }
    config = make_club(folder, UNHURRIED | own | (servers.settings() if servers else {}))
    (folder / MARK).touch()
    with open_club(config) as club:
        cast = CASTS[kind]
        agreed = proposal or usual(kind)
        game = new_game(club, agreed, root=seed)
        tick(club)
        addresses = tuple(player.address for player in agreed.players)
        with closing(Accounts(club, addresses) if servers else Folders(config)) as mailboxes:
            return _play(club, mailboxes, cast, game, told, agreed.players, slips)


def usual(kind: str, board: str = "") -> Proposal:
    """Return the game of a kind that is shown where nothing else is asked for; *board*: its name, or the path of a file."""
    cast = CASTS[kind]
    players = (parse_player(text) for text in cast.players)
    seats = tuple(player.but(company=cast.companies[player.code]) for player in players)
    return Proposal(kind=kind, board=board or cast.board, players=seats)


def _play(
    club: Club, mailboxes: Mailboxes, cast: Cast, game: str, told: Told, players: tuple[Invited, ...], slips: bool
) -> DemoGame:
    seats = {player.address: player for player in players}
    number = 0
    board = club.position(game).setup.board

    def in_language(found: re.Match[str]) -> str:
        return club.stationery.sentences(cast.kind, club.config.language).spoken.line(found[0])

    def write(newsletter: Newsletter, *, slip: bool) -> None:
        """Post a player's letter; each is written by the next of the mail programs."""
        nonlocal number
        number += 1
        player = seats[newsletter.recipient]
        text = orders_of(cast, newsletter, player.code, game, club.stationery, club.config.language, board)
        answer = Answer(
            sender=player.address,
            sender_name=player.name,
            recipient=newsletter.reply_to or REFEREE,
            subject=newsletter.subject,
            text=_ORDERS.sub(in_language, cast.mistype(text) if slip else text),
            original=newsletter.text,
            original_id=newsletter.message_id,
            written=club.now,
            message_id=f"<{number}.{game}@example.org>",
        )
        mailboxes.write(number, player.address, answer.recipient, PROGRAMS[number % len(PROGRAMS)](answer))

    for turn in range(MOST_TURNS):
        post = mailboxes.newsletters(game, turn)
        if not post:  # as where the machine's clock was set back meanwhile: the next pass plays the turn
            club.source.wait(PAUSE, threading.Event())
            tick(club)
            post = mailboxes.newsletters(game, turn)
        if not post:
            raise RefereeError(
                f"the demo ends here: turn {turn} of {game} was not told. `referee --club {club.config.folder} status` and "
                "`letters` with it say what it waits for"
            )
        file_newsletter(club.config.folder, game, post[0])
        told(*post[0].rounds)
        if post[0].finished:
            return _keep_last(club, game, post[0], seats, number)
        if slips and turn + 1 in SLIP_TURNS:
            write(post[0], slip=True)
            tick_until_read(club, number)
        for newsletter in post:
            asked = newsletter.seen.get("asked")
            if not asked or asked["player"] == seats[newsletter.recipient].code:  # else another company is asked
                write(newsletter, slip=False)
        tick_until_read(club, number)
    raise AssertionError(f"the game was not over after {MOST_TURNS} turns")


def file_newsletter(folder: Path, game: str, newsletter: Newsletter) -> None:
    """Keep a newsletter with all its faces where a visitor finds them: text, page, pictures, board."""
    place = folder / "newsletters"
    place.mkdir(exist_ok=True)
    name = f"{game}-turn-{newsletter.turn:02}"
    (place / f"{name}.txt").write_text(f"Subject: {without_tokens(newsletter.subject)}\n\n{newsletter.text}", "utf-8")
    page = newsletter.page
    for file in newsletter.files:
        kept = file.name  # as its words call it
        if file.shown or file.name.endswith((".svg", ".json")):
            kept = kept.replace(f"{game}-turn-{newsletter.turn}", name)
        (place / kept).write_bytes(file.content)
        page = re.sub(rf'cid:{re.escape(file.name)}@[^"]+', kept, page)
    if page:
        (place / f"{name}.html").write_text(page, "utf-8")


def _keep_last(club: Club, game: str, last: Newsletter, seats: dict[str, Invited], letters: int) -> DemoGame:
    """Keep of the last newsletter what it could have had beside it, too: the position and, where that can be made, a PDF."""
    reader, place = seats[last.recipient], club.config.folder / "newsletters"
    name = f"{game}-turn-{last.turn:02}"
    for file, content in faces_of_turn(club, game, last.turn, reader.code).items():
        kept = place / f"{name}{Path(file).suffix}"
        if not kept.exists() and "chart" not in file:
            kept.write_bytes(content)
    return DemoGame(
        folder=club.config.folder,
        game=game,
        players=len(seats),
        rounds=last.rounds[0],
        turns=last.turn,
        letters=letters,
        final=last.text,
        reader=reader.name,
        newsletters=place,
        faces=tuple(sorted({path.suffix for path in place.glob(f"{name}.*")})),
        board=place / f"{name}.svg",
    )
