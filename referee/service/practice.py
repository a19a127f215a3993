"""A game of one person against built-in players on one machine: letters go through folders, no deadline presses.

Underneath lies a club as any: letters are read, answered and adjudicated by the passes that a year of mail is made of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import asdict

from referee import locale
from referee.bots import SECOND
from referee.bots.trial import scores_of
from referee.config import LONGEST, SettingValue, read_config
from referee.core import N_, Amounts, ConfigError, Texts, Value
from referee.core.agreement import BUILT_IN
from referee.core.game import Game
from referee.games import game_named
from referee.mail.compose import files_in, read_own, text_in
from referee.store import games, letters
from referee.store import orders as filed

from .club import PRACTICE, Club, make_club, open_club
from .deadlines.rescheduling import order_play
from .demo.mailboxes import Answer, plain
from .demo.players import CASTS, Newsletter, read_newsletters
from .demo.show import REFEREE, UNHURRIED, file_newsletter
from .pictures import read_board
from .positions import Position
from .post.attachments import desk_name, old_desk, order_desk
from .post.readers import BUILT_IN_DOMAIN, keep_seats
from .tick import tick
from .turns.gamefile import Invited, Proposal, parse_player
from .turns.newgames import new_game

MARK = PRACTICE  # lies in the folder: what was wished for, as JSON
PREFIX = {"dampfross": "RR", "volldampf": "VD"}  # of games' names
ADDRESS = "you@example.org"
KIND, PLAYERS, LANGUAGE = "dampfross", 3, "en"


class PracticeWish(Value):
    """The game that is wanted; "" and 0 where nothing was said."""

    kind: str = ""
    board: str = ""
    players: int = 0
    language: str = ""
    strength: str = ""
    preset: str = ""


class Practice(Value):
    """An open practice game. ``code``: the person's."""

    club: Club
    game: str
    code: str

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return self.club.position(self.game)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be ordered."""
        return self.position.row.is_over

    @property
    def has_ordered(self) -> bool:
        """Whether orders of the person are on file for the awaited turn."""
        rows = filed.sets(self.club, self.game, self.position.row.turn)
        return any(each.player == self.code and not each.withdrawn for each in rows)

    @property
    def scores(self) -> Amounts:
        """What each player would have if the game ended now."""
        return scores_of(self.position.state, [each.code for each in self.position.players])

    def translate(self, sentence: str) -> str:
        """Return a sentence in the person's language."""
        return locale.translations(self.club.config.language).gettext(sentence)

    def newsletter(self) -> Newsletter:
        """Return the newest one that the person was sent."""
        turn = games.last_turn(self.club, self.game).turn
        return read_newsletters(self.club.config.mail_out, self.game, turn)[0]

    def files(self) -> tuple[Path, Path | None]:
        """Write the newest newsletter, and the order desk of the awaited turn, None when the game is over; return where."""
        folder, position, newsletter = self.club.config.folder, self.position, self.newsletter()
        file_newsletter(folder, self.game, newsletter)
        stem = folder / "newsletters" / f"{self.game}-turn-{newsletter.turn:02}"
        page = next(file for each in (".html", ".txt") if (file := stem.with_name(stem.name + each)).exists())
        if self.is_over or not position.awaited:
            return page, None
        awaited, language = position.row.turn, self.club.config.language
        for turn in range(1, awaited):
            if (played := folder / desk_name(self.game, turn)).exists():
                played.write_bytes(old_desk(self.club, self.game, turn, awaited, language))
        desk = folder / desk_name(self.game, awaited)
        desk.write_bytes(order_desk(self.club, position, language, (position.player(self.code),)))
        return page, desk

    def write(self, text: str) -> Texts:
        """Post a letter, make a pass, and return what the person is answered, with where the files beside that lie."""
        newest = self.newsletter()
        number = letters.highest(self.club) + 1
        raw = plain(
            Answer(
                sender=ADDRESS,
                sender_name="You",
                recipient=newest.reply_to or REFEREE,
                subject=newest.subject,
                text=text,
                original="",
                original_id=newest.message_id,
                written=self.club.now,
                message_id=f"<{number}.{self.game}@example.org>",
            )
        )
        (self.club.config.mail_in / "new" / f"{number:05}.practice").write_bytes(raw)
        return self._pass()

    def play(self) -> Texts:
        """Play the awaited turn, and those after it that ask nothing of the person; return what the others then write to them."""
        for _ in range(200):  # the most that built-in players play among themselves before the person is asked again
            order_play(self.club, self.game, self.position.row.turn)
            tick(self.club)
            if self.is_over or self.code in self.position.awaited:
                break
        return self._pass()

    def _pass(self) -> Texts:
        """Make a pass; return the letters that it brings."""
        folder = self.club.config.mail_out / "new"
        before = {*folder.iterdir()}
        tick(self.club)
        return tuple(map(self._read_answer, sorted({*folder.iterdir()} - before)))

    def _read_answer(self, letter: Path) -> str:
        answer, place = read_own(letter.read_bytes()), self.club.config.folder / "newsletters"
        files = {place / file.name: file.content for file in files_in(answer)}
        for path, content in files.items():
            path.write_bytes(content)
        return "\n".join((text_in(answer), *map(str, files)))


@contextmanager
def open_practice(folder: Path, wish: PracticeWish) -> Iterator[Practice]:
    """Open the practice game of a folder, or begin one there.

    Raises:
        ConfigError: the folder holds something else, or another game than is wished for; or there is no such game.
        NotFound: there is no such game.
    """
    wished = _wish_in(folder, wish) or _make(folder, _complete(wish))
    with open_club(read_config(folder)) as club:
        if not games.all_games(club):
            _begin(club, wished)
        tick(club)
        (row,) = games.all_games(club)
        code = next(each.code for each in club.position(row).players if each.address == ADDRESS)
        yield Practice(club=club, game=row.id, code=code)


def _wish_in(folder: Path, wish: PracticeWish) -> PracticeWish | None:
    """Return what was wished for in a folder where a practice game lies, None in an empty one. Raises ConfigError."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file; name a folder with --into")
    if not folder.exists() or not any(folder.iterdir()):
        return None
    if not (folder / MARK).is_file():
        raise ConfigError(f"{folder} holds something else than a practice game; name another folder with --into")
    try:
        there = PracticeWish(**json.loads((folder / MARK).read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"{folder / MARK} is damaged: begin anew in another folder with --into ({error})") from None
    wanted = _complete(wish.but(kind=wish.kind or there.kind))
    for name, asked in asdict(wish).items():
        if asked and getattr(wanted, name) != getattr(there, name):
            told = f"a game with {name} {getattr(there, name)} is being played in {folder}, not with {asked}"
            raise ConfigError(f"{told}; leave that out to go on with it, or begin another with --into")
    return there


def _complete(wish: PracticeWish) -> PracticeWish:
    """Return a wish with everything said. Raises ConfigError, NotFound."""
    rules = game_named(wish.kind or KIND)
    if rules.name not in CASTS:
        raise ConfigError(f"{rules.title} has no built-in players to practise against (there is {', '.join(CASTS)})")
    own = wish.board.endswith(".toml")
    board = str(Path(wish.board).resolve()) if own else wish.board.casefold() or CASTS[rules.name].board
    if own:
        read_board(rules, board, Path())  # what is wrong with it is said before a folder is made
    elif board not in rules.boards():
        raise ConfigError(f"{rules.title} has no map {wish.board!r} (there is {', '.join(rules.boards())})")
    preset = wish.preset.casefold() or rules.default_preset
    if preset not in rules.presets:
        raise ConfigError(f"{rules.title} has no preset {wish.preset!r} (there is {', '.join(rules.presets)})")
    least, most = rules.players
    if wish.players and not least <= wish.players <= most:
        raise ConfigError(
            f"{rules.title} is for {least} to {most} players, you among them; {wish.players} was asked for"
        )
    return PracticeWish(
        kind=rules.name,
        board=board,
        players=wish.players or PLAYERS,
        language=wish.language or LANGUAGE,
        strength=wish.strength or SECOND,
        preset=preset,
    )


def _make(folder: Path, wish: PracticeWish) -> PracticeWish:
    """Make the folder and the club in it; return the wish."""
    own: dict[str, SettingValue] = {
        "club.name": locale.translations(wish.language).gettext(N_("Practice")),
        "club.language": wish.language,
        "identity.policy": "address",
        "players.hints": True,
        "deadlines.days": LONGEST,  # turns are played when the person says so
        "deadlines.early_delay": -1,
        "games.prefix": PREFIX[wish.kind],
    }
    make_club(folder, UNHURRIED | own)
    (folder / MARK).write_text(json.dumps(asdict(wish)), "utf-8")
    return wish


def _begin(club: Club, wish: PracticeWish) -> None:
    players = _seats(game_named(wish.kind), wish)
    bots = [each.code for each in players[1:]]
    proposal = Proposal(kind=wish.kind, board=wish.board, preset=wish.preset, players=players)
    new_game(
        club, proposal, beside=lambda made: keep_seats(club, [(made.row.id, code, wish.strength) for code in bots])
    )


def _seats(rules: Game, wish: PracticeWish) -> tuple[Invited, ...]:
    """Return the person's seat and those of built-in players, with the companies of the demo's cast."""
    cast = CASTS[rules.name]
    known = [parse_player(text) for text in (*cast.players, *cast.more)]
    seats = [
        each.but(
            name=f"{BUILT_IN} {each.code}",
            address=f"{each.code.lower()}@{BUILT_IN_DOMAIN}",
            company=cast.companies[each.code],
        )
        for each in known
    ]
    seats[0] = seats[0].but(name=locale.translations(wish.language).gettext(N_("You")), address=ADDRESS)
    if wish.players == 2 and rules.presets[wish.preset].get("two_players") == "pairs":
        return tuple(  # each leads their own company and another
            one.but(second_code=other.code, second_colour=other.colour, second_company=other.company)
            for one, other in zip(seats[:2], seats[2:4], strict=True)
        )
    return tuple(seats[: wish.players])
