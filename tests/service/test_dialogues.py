"""Conversations with the referee, as they lie in ``dialogues``: its README.md says what each line does."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from msgspec import Struct

from referee.core import RefereeError
from referee.mail.letter.htmltext import html_text
from referee.service.post.collect import collect
from referee.service.post.observers import watch_code
from referee.service.receive import handle_waiting
from referee.service.tick import Pass
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.opengames import open_game, signup_list
from referee.service.umpire.colleagues import name_umpire, remove_umpire
from referee.service.umpire.filing import file_orders
from referee.service.umpire.overview import standing
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, assert_in_order, line_of, text_of
from tests.tables import frozen_value, repeated

SAMPLES = Path(__file__).parent.parent / "mail" / "bounces"
THEIRS = b"<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"  # in these
FILES = sorted((Path(__file__).parent / "dialogues").glob("*.txt"))
PEOPLE = {"ANN": ANN, "BOB": BOB, "UMPIRE": UMPIRE, "REFEREE": REFEREE}
PEOPLE |= {each: f"{each.lower()}@example.com" for each in ("CECIL", "DORA", "EVE")}
ACTS: dict[str, Callable[..., object]] = {each.__name__: each for each in (file_orders, name_umpire, remove_umpire)}
Block = tuple[str, list[str]]  # a line, and those that are indented below it


class Scene(Struct, frozen=True):
    """A conversation; ``words`` are what a row of its table stands for."""

    name: str
    blocks: list[Block]
    words: dict[str, str]


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    for line in text.splitlines():
        if line.startswith("  "):
            found[-1][1].append(line[2:])
        elif line and not line.startswith("#"):
            found.append((line, []))
    return found


def scenes(file: Path) -> Iterator[Scene]:
    head, *parts = re.split(r"^== ", file.read_text("utf-8"), flags=re.MULTILINE)
    for part in parts:
        title, _, text = part.partition("\n")
        found = blocks(text)
        names, rows = found.pop(0) if found[0][0].startswith("for ") else ("", [""])
        for row in rows:
            words = dict(zip(names[4:].split(" | "), row.split(" | "), strict=True)) if row else {}
            name = f"{file.stem}: {title}" + f", {row[:30]}" * bool(row)
            yield Scene(name, blocks(head)[1:] + found, words)


def words_of(text: str) -> str:
    """Return what is written in a line, where a lone stroke is the end of one in the letter."""
    return re.sub(r" ?(?<!\S)/(?!\S) ?", "\n", repeated(text))


def table(text: str | None) -> dict[str, Any]:
    return frozen_value(tomllib.loads(f"_ = {{{text or ''}}}")["_"])  # type: ignore[no-any-return]


class Played:
    """A conversation that goes on in a club."""

    def __init__(self, clubs: Clubs, scene: Scene) -> None:
        self._clubs, self._scene, self._words = clubs, scene, dict(scene.words)
        self._below: list[str] = []
        self._kept: dict[str, EmailMessage] = {}
        self._passed, self._printed = Pass(), CompletedProcess[str]((), 0)

    @cached_property
    def house(self) -> PostHouse:
        return self._clubs()

    def play(self, told: Sequence[Block]) -> None:
        for line, below in told:
            for name, value in self._words.items():
                line, below = line.replace(f"{{{name}}}", value), [each.replace(f"{{{name}}}", value) for each in below]
            if not line.startswith("when "):
                self._step(line, below)

    def _step(self, line: str, below: list[str]) -> None:
        for way, steps in self._scene.blocks:
            asked = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(way.removeprefix("when ")))
            if way.startswith("when ") and (found := re.fullmatch(asked, line)):
                self._words |= found.groupdict()
                return self.play(blocks("\n".join(steps)))
        for pattern, does in STEPS.items():
            if found := re.fullmatch(pattern.replace("WHO", r"(\S+)").replace("WHICH", WHICH), line):
                self._below = below
                return does(self, *found.groups())
        raise ValueError(f"no step is written so: {line}")

    def letter(self, who: str, kept: str | None, place: str | None, words: str | None) -> EmailMessage:
        if kept:
            return self._kept[kept]
        found = self.house.post(PEOPLE.get(who, who), words or "")
        assert len(found) == 1 or (found and place != "only"), [str(each["Subject"]) for each in found]
        return found[-1 if place != "first" else 0]

    def club(self, settings: str) -> None:
        given = {f"{room}.{name}": value for room, each in table(settings).items() for name, value in each.items()}
        self.house = self._clubs(**given)

    def game(self, begins: str | None, told: str | None) -> None:
        game = self.house.game(**table(told))
        if begins:
            self._passed = self.house.tick()
        self._known(game)

    def new(self, kind: str, board: str, players: str, told: str | None) -> None:
        self._known(self.house.new(kind, board, *players.split(", "), **{"root": "root of the chain"} | table(told)))

    def _known(self, game: str) -> None:
        self._words[f"watch {game}"] = str(watch_code(self.house.club, game))

    def waits(self, seats: str, told: str | None) -> None:
        given = {"kind": "tinyrace", "board": "line", "rhythm": {"days": 7}} | table(told)
        given["players"] = tuple(map(parse_player, given.get("players", ())))
        full = given.pop("when_full", False)
        row = open_game(self.house.club, Proposal(**given), int(seats), when_full=full)
        self.signups(row.id)

    def signups(self, game: str) -> None:
        self._words["word"] = signup_list(self.house.club, game).word

    def writes(self, who: str, how: str, text: str) -> None:
        self.house.write(PEOPLE.get(who, who), words_of(text), **self._fields())
        self._goes_on(how)

    def arrives(self, how: str, text: str) -> None:
        self.house.drop(words_of(text).replace("\n", "\r\n").encode())
        self._goes_on(how)

    def answers(self, who: str, how: str, *told: str | None) -> None:
        *which, of, text = told
        ours = self.letter(of or who, *which)
        self.house.answer(ours, words_of(text or ""), PEOPLE.get(who, who), **self._fields())
        self._goes_on(how)

    def _fields(self) -> dict[str, str]:
        return dict(each.split(": ", 1) for each in words_of("\n".join(self._below)).splitlines())

    def _goes_on(self, how: str) -> None:
        if "drops" not in how:
            self._passed = self.house.tick()

    def later(self, time: str | None, how: str | None) -> None:
        for number, unit in re.findall(r"(\d+) (\w+?)s?\b", time or ""):
            self.house.wait(**{f"{unit}s": int(number)})
        if how != "pass":
            self._passed = self.house.tick()

    def repeat(self, times: str, line: str) -> None:
        for number in range(int(times)):
            self._step(line.replace("{n}", f"{number}"), self._below)

    def post(self) -> None:
        collect(self.house.club)
        handle_waiting(self.house.club)

    def now(self, time: str) -> None:
        self.house.clock.now = datetime.fromisoformat(time).replace(tzinfo=UTC)

    def keeps(self, who: str, *told: str) -> None:
        *which, name = told
        self._kept[name] = letter = self.letter(who, *which)
        code = str(letter["Subject"])[1:].partition("]")[0]
        self._words |= {f"code of {name}": code, f"small code of {name}": code.lower()}

    def reads(self, who: str, how: str, *told: str | None) -> None:
        *which, text = told
        letter = self.letter(who, *which)
        said = html_text(text_of(letter, "html")) if how == "sees" else text_of(letter)
        whole = f"Reply-To: {letter['Reply-To']}\nSubject: {letter['Subject']}\n{said}"
        for each in [text, *self._below] if text else self._below:
            wanted = not each.startswith("not: ") and how != "does not read"
            found = (whole, " ".join(whole.split()))
            assert any(words_of(each.removeprefix("not: ")) in form for form in found) == wanted, (each, whole)

    def in_order(self, who: str, *which: str | None) -> None:
        told = line_of(self.letter(who, *which))
        assert sorted(self._below, key=told.index) == self._below, told

    def once(self, who: str, words: str) -> None:
        assert line_of(self.letter(who, None, None, None)).count(words) == 1

    def comes_back(self, kept: str, server: str) -> None:
        """Let a server's report of that letter arrive; each at another time, as no two servers write alike."""
        raw = (SAMPLES / f"{server}.eml").read_bytes().replace(THEIRS, self._kept[kept]["Message-ID"].encode())
        self.house.drop(raw.replace(b"Subject: ", f"Subject: {self.house.clock.now:%H%M%S%f} ".encode(), 1))
        self._passed = self.house.tick()
        self.house.wait(minutes=1)

    def unreachable(self, wanted: str) -> None:
        assert ", ".join(standing(self.house.club, "RR1").unreachable) == wanted

    def parts(self, who: str, within: str) -> None:
        """Send a letter of several texts: a line for each, with the kind before the text and fields in brackets."""
        told = "".join(
            f"--b\nContent-Type: {kind}; charset=utf-8\n{field or 'MIME-Version: 1.0'}\n\n{words_of(text)}\n"
            for kind, field, text in re.findall(r"^(\S+?)(?: \[(.+)\])?: ?(.*)", "\n".join(self._below), re.M)
        )
        head = {"Content_Type": f"multipart/{within}; boundary=b", "MIME_Version": "1.0"}
        self.house.write(PEOPLE[who], f"{told}--b--\n", **head)
        self._passed = self.house.tick()

    def has(self, who: str, number: str, words: str | None) -> None:
        found = [str(each["Subject"]) for each in self.house.post(PEOPLE.get(who, who), words or "")]
        assert len(found) == int({"no": "0"}.get(number, number)) if number != "a" else found, found

    def turns(self, name: str | None, number: str | None) -> None:
        found = self._passed.turns
        assert len(found) == int(number) if number else found == ((name,) if name else ())

    def untyped(self, turn: str) -> None:
        assert (self._passed.untyped, self._passed.failed) == ((turn,), ())

    def row(self, game: str, field: str, wanted: str) -> None:
        found = getattr(self.house.row(game), field)
        assert (f"{found:%F %H:%M}" if isinstance(found, datetime) else str(found)) == wanted

    def log(self, game: str | None, acts: str) -> None:
        assert ", ".join(self.house.did(game or "RR1")) == acts

    def editions(self, wanted: str) -> None:
        found = ((row.turn, row.edition) for row in self.house.turns())
        assert " ".join(f"{turn}.{edition}".removesuffix(".1") for turn, edition in found) == wanted

    def proves(self) -> None:
        assert_in_order(self.house)

    def store(self, query: str, wanted: str) -> None:
        value, rows = json.loads(wanted), [list(row) for row in self.house.rows(query)]
        flat = [each for row in rows for each in row]
        assert (rows if value and isinstance(value[0], list) else flat) == value

    def execute(self, query: str) -> None:
        with self.house.club.conn:
            self.house.club.execute(query)

    def command(self, line: str) -> None:
        self._printed = self.house.command(*shlex.split(line))

    def printed(self, what: str, whole: str | None, words: str) -> None:
        done = self._printed
        found = {"complains": done.stderr, "ends with": str(done.returncode)}.get(what, done.stdout)
        forms = (found, " ".join(found.split()))
        held = words_of(words) == found.strip() if whole else any(words_of(words) in form for form in forms)
        assert held == (what != "does not print"), found

    def act(self, name: str, told: str | None, more: str | None, because: str | None) -> None:
        if name.isupper():
            self.house.act(f"{name} {told}", words_of(because or ""))
            return
        given = [int(each) if each.isdecimal() else each for each in shlex.split(told or "")]
        ACTS[name](self.house.club, *given, *map(words_of, [because] if because else []), **table(more))

    def refused(self, line: str) -> None:
        why, tables = self._below, ("games", "acts", "outbox")
        before = [self.house.tuples(f"SELECT * FROM {each}") for each in tables]  # noqa: S608 (our own words)
        with pytest.raises(RefereeError) as refused:
            self._step(f"umpire: {line}", [])
        assert all(each in str(refused.value) for each in why), refused.value
        assert [self.house.tuples(f"SELECT * FROM {each}") for each in tables] == before  # noqa: S608


WHICH = r"(?: to)?(?: <(\w+)>)?(?: the (first|only))?(?: \"(.*?)\")?"
STEPS: dict[str, Callable[..., None]] = {
    r"a club with (.+)": Played.club,
    r"a game( begins)?(?: with (.+))?": Played.game,
    r"a game of (\S+) on (\S*) between (.+?)(?: with (.+))?": Played.new,
    r"a game waits for (\d) players(?: with (.+?))?": Played.waits,
    r"the sign-ups of (\w+)": Played.signups,
    r"WHO (writes|drops): ?(.*)": Played.writes,
    r"a letter (arrives|drops in): (.+)": Played.arrives,
    r"WHO (answers|drops an answer)WHICH(?: of WHO)?: ?(.*)": Played.answers,
    r"(\d+) times: (.+)": Played.repeat,
    r"(\d.+) (later|pass)|a pass": Played.later,
    r"the post is read": Played.post,
    r"it is (.+)": Played.now,
    r"WHO keepsWHICH as (\w+)": Played.keeps,
    r"WHO readsWHICH in order:": Played.in_order,
    r"WHO reads once: (.+)": Played.once,
    r"WHO (reads|sees|does not read)(?: in)?WHICH:(?: (.+))?": Played.reads,
    r"<(\w+)> comes back as (\S+)": Played.comes_back,
    r"unreachable: ?(.*)": Played.unreachable,
    r"WHO sends as (\w+):": Played.parts,
    r"WHO has (no|a|\d+) letters?(?: with \"(.+)\")?": Played.has,
    r"no turn is played|(RR\S+) is played|(\d) turns? (?:is|are) played": Played.turns,
    r"(RR\S+) waits for throws": Played.untyped,
    r"(RR\d+) (\w+): (.*)": Played.row,
    r"the log(?: of (RR\d+))?: ?(.*)": Played.log,
    r"turns in force: (.+)": Played.editions,
    r"the log proves itself": Played.proves,
    r"(SELECT .+) gives (.+)": Played.store,
    r"in the database: (.+)": Played.execute,
    r"\$ (.+)": Played.command,
    r"(prints|does not print|complains|ends with)( all)?: ?(.*)": Played.printed,
    r"umpire: (\w+)(?: (.*?))?(?: \((.+?)\))?(?:: (.+))?": Played.act,
    r"not done: (.*)": Played.refused,
}


@pytest.mark.parametrize("scene", [pytest.param(each, id=each.name) for file in FILES for each in scenes(file)])
def test_dialogue(club: Clubs, scene: Scene) -> None:
    Played(club, scene).play(scene.blocks)
