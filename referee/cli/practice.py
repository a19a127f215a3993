"""Practice: a newcomer against built-in players, orders at a prompt; and the demo, which plays by itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import click

from referee.config import Log
from referee.core import N_, Amounts, ConfigError, RefereeError
from referee.orderbook.names import Verb
from referee.service.demo.mailboxes import DemoServers
from referee.service.demo.players import CASTS
from referee.service.demo.show import play_demo, usual
from referee.service.practice import Practice, PracticeWish, open_practice

from .base import CommandMaker, configure, private, tell
from .printing import say

command = CommandMaker(__file__)

ORDERS = "orders.txt"
LARGEST = 100_000  # bytes of a file of orders
HINT = N_("""\
Paste or type your orders; a line END or an empty line sends them, as often as you like: the last ones count.
HELP explains how orders are written, RULES the game. And here:
  play          plays the turn
  newsletter    prints the newsletter
  open          opens its page and the order desk once more
  hint          says what a strong player would order, and why
  file FILE     sends what is written in a file; {orders} is sent by an empty line
  quit          ends; the same command goes on where you stopped""")


@command("practice")
def practice(
    kind: str,
    board: str,
    players: int,
    folder: Path,
    language: str,
    strength: str | None,
    preset: str,
    file: Path | None,
    closed: bool,
) -> None:
    """Play against built-in players, on this machine alone: no mail, no club to set up.

    The newsletter and the order desk open in your browser. Orders are pasted at the prompt or come from a file, and the answer
    to them is printed; "play" plays the turn, "quit" ends for today.
    """
    configure(Log(level="error", format="text"))  # what a club's log tells is for umpires
    wish = PracticeWish(
        kind=kind.casefold(), board=board, players=players, language=language, strength=strength or "", preset=preset
    )
    with private(), open_practice(folder, wish) as game:
        _Prompt(game, folder, closed=closed).run(file)


class _Prompt:
    """The prompt at which somebody plays."""

    def __init__(self, game: Practice, folder: Path, *, closed: bool) -> None:
        self._game, self._closed = game, closed
        self._dropped = folder / ORDERS
        self._lines = sys.stdin.buffer
        self._warned = 0  # the turn for which the player was asked: is nothing to be sent?
        self._acts: dict[str, Callable[[], None]] = {
            "play": self._play,
            "newsletter": lambda: say(game.newsletter().text),
            "open": self._show,
            "?": self._hint,
        }

    def run(self, file: Path | None) -> None:
        """Ask until the game is over, or nobody is there to answer."""
        position, game = self._game.position, self._game.game
        others = ", ".join(each.code for each in position.players if each.code != self._game.code)
        said = N_("{game}: {title}. You are {code}, against {others} (built-in players).")
        self._say(said, game=game, title=position.rules.title, code=self._game.code, others=others)
        self._show()
        if not self._game.is_over:
            self._hint()
        if file:
            self._send_file(file)
        while not self._game.is_over:
            line = self._read("\n> ")
            words = (line or "quit").split()
            if words[:1] in (["quit"], ["exit"]) and len(words) == 1:
                self._say(N_("The same command goes on here."))
                return
            self._do(words, line or "")
        self._say(N_("This game is over. Another begins with --into and the name of a new folder."))

    def _do(self, words: list[str], line: str) -> None:
        """Do what one line asks, and say what stands in its way."""
        try:
            if not words and self._dropped.is_file():
                self._send_file(self._dropped)
                self._dropped.replace(self._dropped.with_name("orders.sent.txt"))  # so that it is sent once
            elif not words:
                return
            elif len(words) == 1 and words[0].casefold() in self._acts:
                self._acts[words[0].casefold()]()
            elif words[0].casefold() == "file" and len(words) > 1:
                self._send_file(Path(line.split(maxsplit=1)[1].strip()).expanduser())
            else:
                self._send(self._whole(line))
        except RefereeError as error:
            tell(str(error))

    def _whole(self, first: str) -> str:
        """Return a letter: a question at once, else all lines up to END, or to an empty one where no ORDERS stands above."""
        language = self._game.position.order_language
        if _begins(first, language.of_kind("question")):
            return first
        lines, framed = [first.rstrip("\n")], _begins(first, language.of_kind("begin"))
        while True:
            line = self._read("")
            if line is None or not (line.strip() or framed):
                return "\n".join(lines)
            lines.append(line.rstrip("\n"))
            if _begins(line, language.of_kind("end")) and len(line.split()) == 1:
                return "\n".join(lines)

    def _send(self, text: str) -> None:
        answers = self._game.write(text)
        for answer in answers:
            say(answer)
        if answers and self._game.has_ordered:
            self._say(N_('The other players are ready: "play" plays the turn at once.'))
        if not answers:
            self._say(N_("The referee has no answer to that; ? says what can be done here."))

    def _send_file(self, file: Path) -> None:
        try:
            if file.stat().st_size > LARGEST:
                raise ConfigError(f"{file} is too large for a letter of orders: at most {LARGEST} bytes")
            text = file.read_text("utf-8-sig")
        except OSError as error:
            raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
        except ValueError:
            raise ConfigError(f"{file} is no text in UTF-8: save it as plain text") from None
        self._send(text)

    def _play(self) -> None:
        turn = self._game.position.row.turn
        if not self._game.has_ordered and self._warned != turn:
            self._warned = turn
            self._say(
                N_(
                    "You have no orders on file for turn {turn}. Send some, or say play once more to play it without any."
                ),
                turn=turn,
            )
            return
        before = self._game.scores
        told = self._game.play()
        self._say(N_("Turn {turn} was played."), turn=turn)
        self._tell_scores(before)
        self._show()
        for letter in told:
            say(letter)
        if self._game.is_over:
            say(self._game.newsletter().text)

    def _tell_scores(self, before: Amounts) -> None:
        """Say what a turn brought everybody, and who leads."""
        scores = self._game.scores
        most = max(scores.values())
        brought = ", ".join(f"{code} {score} ({score - before[code]:+})" for code, score in scores.items())
        winners = self._game.position.state.winners
        leaders = ", ".join(winners or [code for code, score in scores.items() if score == most])
        told = N_("{brought}. Winner: {leaders}.") if winners else N_("{brought}. In front: {leaders}.")
        self._say(told, brought=brought, leaders=leaders)

    def _say(self, sentence: str, **values: object) -> None:
        """Print a sentence in the player's language."""
        say(self._game.translate(sentence).format(**values))

    def _show(self) -> None:
        """Say where newsletter and desk lie, and open them."""
        newsletter, desk = self._game.files()
        self._say(N_("newsletter: {page}"), page=newsletter)
        if desk:
            self._say(N_("order desk: {page}"), page=desk)
        pages = [each for each in (newsletter, desk) if each]
        if not self._closed and any(click.launch(str(page.resolve())) for page in pages):
            self._closed = True
            tell(
                self._game.translate(
                    N_("no browser could be opened: open these files yourself (--no-browser spares the trial)")
                )
            )

    def _read(self, prompt: str) -> str | None:
        """Return the next line that was typed, None at the end of all."""
        say(prompt, end="")
        return self._lines.readline().decode("utf-8", "replace") or None

    def _hint(self) -> None:
        self._say(HINT, orders=self._dropped)


def _begins(line: str, verbs: tuple[Verb, ...]) -> bool:
    """Return whether a line begins with the name of one of some verbs."""
    said = f"{' '.join(line.upper().rstrip(':.!').split())} "
    return any(said.startswith(f"{alias.upper()} ") for verb in verbs for alias in verb.aliases)


_OPTIONS = {
    "host": "--{}",
    "port": "--{}",
    "security": "--security",
    "ca_file": "--ca-file",
    "password_file": "--password-file",
}  # by the setting that each stands for


@command("demo")
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
        servers = DemoServers(**addresses, password_file=password_file, security=security, ca_file=ca_file or "")
    proposal = usual(kind, board)
    say(f"{len(CASTS[kind].players)} players play {kind.title()} by mail in {folder}:", err=True)
    with click.progressbar(length=1, label="rounds", file=sys.stderr) as bar:

        def show_progress(rounds: int, of: int) -> None:
            bar.length = of
            bar.update(rounds - bar.pos)

        try:
            played = play_demo(folder, kind, show_progress, seed, proposal, servers=servers, language=language)
        except RefereeError as error:
            # The demo's settings are its own: the options of this command stand in their places.
            told = re.sub(
                r"\b(imap|smtp)\.(\w+)\b", lambda found: _OPTIONS.get(found[2], found[0]).format(found[1]), str(error)
            )
            error.args = (told,)
            raise
    say(played.final)
    say(f"{played.rounds} rounds were played in {played.turns} turns, with {played.letters} letters of orders.")
    faces = ", ".join(played.faces)
    say(f"newsletters:    {played.newsletters} (as {played.reader} read them; the last one as {faces})")
    say(f"the last board: {played.board}")
    say(f"all letters:    {played.folder / 'mail'}")


def _place(text: str) -> tuple[str, int]:
    """Return the host and port of a server as the command line names it."""
    host, colon, port = text.rpartition(":")
    if not host or not colon or not port.isdigit() or not 0 < int(port) < 65_536:
        raise click.UsageError(f"{text!r} is no server (as mail.example.org:993)")
    return host, int(port)
