"""Files of a club: private, bounded, and backed up."""

import json
import os
import shutil
import sqlite3
import stat
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from referee.cli.maps import check_map
from referee.core import ConfigError, RefereeError, Term, beyond_ascii, canonical, from_typed
from referee.core.texts import load_toml
from referee.games import game_named
from referee.orderbook.names import Lexicon
from referee.scenario.file import read_scenarios
from referee.service.audit.export import parse_revealed, read_revealed
from referee.service.backup import back_up
from referee.service.pictures import read_board
from referee.service.positions import OrderLanguages
from referee.service.turns.gamefile import parse_player, read_proposal
from tests.forkedcommands import run_here
from tests.growth import assert_grows_with, pumped
from tests.posthouse import ANN, BOB, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)


# What a club keeps is its owner's alone: orders are secret, and so are the dice to come.


GAME = ("game", "new", "tinyrace", "--map", "line", "--deadline", "2099-07-03T20:00", "--option", "speed=6")
PLAYERS = ("--player", f"ANN:red:Ann <{ANN}>", "--player", f"BOB:blue:Bob <{BOB}>")
LARGE = 2_100_000  # bytes: parked, and only its beginning kept


@pytest.fixture
def careless() -> Iterator[None]:
    """A shell whose new files everybody can read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


def referee(folder: Path, *arguments: str) -> str:
    result = run_here("--club", folder, *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def write(folder: Path, sender: str, text: str, number: int) -> None:
    head = (
        f"From: {sender}\r\nTo: referee@localhost\r\nSubject: [RR1] orders\r\nMessage-ID: <{number}.{sender}>\r\n\r\n"
    )
    (folder / "mail" / "in" / "new" / f"{number}.{sender}").write_text(f"{head}{text}\r\n")


@pytest.mark.usefixtures("careless")
def test_after_a_whole_game_nobody_else_can_read_anything_of_the_club(tmp_path: Path) -> None:
    """Folders are 0700 and files 0600, whatever the umask: settings, database, locks, letters that came and that left."""
    folder = tmp_path / "club"
    init = ["init", str(folder), "--early-delay", "0", "--umpire", "umpire@example.org"]
    assert run_here(*init).exit_code == 0
    settings = folder / "referee.toml"
    settings.write_text(settings.read_text().replace('policy = "token"', 'policy = "address"'))
    referee(folder, *GAME, *PLAYERS)
    for turn in range(1, 10):
        for sender in (ANN, BOB):
            write(folder, sender, f"ORDERS RR1 {turn}\r\nSTEP 3\r\nEND", turn)
        if turn == 1:
            write(folder, ANN, "x" * LARGE, 99)
        referee(folder, "tick")
        if "finished" in referee(folder, "game", "list"):
            break
    referee(folder, "backup", str(folder / "copies" / "monday"))
    paths = [folder, *(path for path in folder.rglob("*") if not came_by_hand(path, folder))]
    open_to_others = {
        str(path.relative_to(tmp_path)): oct(mode)
        for path in paths
        if (mode := stat.S_IMODE(path.stat().st_mode)) != (0o700 if path.is_dir() else 0o600)
    }
    assert open_to_others == {}
    names = {path.name for path in paths}
    assert {"referee.db", "referee.toml", "tick.lock", ".Parked", "monday"} <= names
    assert len(list((folder / "mail" / "out" / "new").iterdir())) >= 4


@pytest.mark.usefixtures("careless")
def test_a_club_is_closed_to_others_by_whoever_makes_it(tmp_path: Path) -> None:
    """Not only by the commands, which narrow the umask besides: with folders above it, Maildirs elsewhere, a backup."""
    with PostHouse(tmp_path / "new" / "club", mail__out="../post/out") as house:
        house.game()
        house.drop(b"x" * LARGE)
        house.tick()
        back_up(house.club.config, tmp_path / "copies" / "monday")
        paths = [path for path in tmp_path.rglob("*") if not came_by_hand(path, house.folder)]
        modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in paths}
    assert {name: oct(mode) for name, mode in modes.items() if mode != (0o700 if Path(name).is_dir() else 0o600)} == {}
    assert {"post", "copies", "out", "referee.db", "maildirfolder"} <= {path.name for path in paths}


def came_by_hand(path: Path, folder: Path) -> bool:
    """Letters that came are files of whoever delivered them; the folder around them is closed."""
    return path.is_file() and path.is_relative_to(folder / "mail" / "in") and path.parent.name in ("new", "cur")


# Files and words of the umpire's that were made to keep us busy: refused with a sentence, in time in proportion to them.


Text = Callable[[int], str]


def refused(act: Callable[[], object], *errors: type[Exception]) -> str:
    with pytest.raises(errors) as caught:
        act()
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        pumped("A", " ", "x"),
        pumped("A:b:", " ", ""),
        pumped("", ":", "<"),
        pumped("A:b:c<", " ", ""),
        pumped("", " ", ""),
    ],
    ids=["blanks", "blanks-behind-colons", "colons", "blanks-in-brackets", "nothing"],
)
def test_a_player_on_the_command_line(text: Text) -> None:
    assert_grows_with(lambda player: refused(lambda: parse_player(player), ConfigError), text)


ADDRESSES = {
    "marks-before-the-at": pumped("a", "\u0315\u0300", "@example.org"),
    "marks-behind-it": pumped("a@exa", "\u0315\u0300", "mple.org"),
    "labels": pumped("a@", "ü.", "org"),
    "ats": pumped("", "@", ""),
}


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("act", [from_typed, beyond_ascii, canonical])
def test_an_address_of_any_length(act: Callable[[str], str], name: str) -> None:
    assert_grows_with(act, ADDRESSES[name])
    assert from_typed(ADDRESSES[name](2000)) == ""


MAPS = {
    "a-dotted-key": pumped("a", ".a", " = 1\n"),
    "a-dotted-heading": pumped("[a", ".a", "]\nb = 1\n"),
    "a-dotted-key-in-a-table": pumped("a = {b", ' . "b"', " = 1}\n"),
    "lists-in-lists": pumped("a = ", "[", ""),
    "tables-in-tables": pumped("a = ", "{b=", ""),
    "blanks-in-a-heading": pumped("[", " ", ""),
    "blanks-in-an-open-heading": pumped("[a", " ", "]x"),
    "empty-lines": pumped("", "\n", "x"),
    "unknown-fields": lambda size: "".join(f"k{number}=1\n" for number in range(size // 8)),
    "open-quotes": pumped('a = "', "'''\"", ""),
}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("kind", ["dampfross", "volldampf", ""])
def test_a_map_file(kind: str, name: str, tmp_path: Path) -> None:
    def check(text: str) -> None:
        (tmp_path / "map.toml").write_text(text, "utf-8")
        assert check_map(kind, str(tmp_path / "map.toml")).faults

    assert_grows_with(check, MAPS[name])


def test_a_name_of_any_length() -> None:
    assert_grows_with(lambda name: Lexicon((Term(kind="hex", name=name, value="A1"),)), pumped("", "A", ""))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"pitch_km = {'9' * 40}\n", "at most 999 expected."),
        ("[[station]]\nnumbers = [" + "11, " * 1001 + "]\n", "(at most 1000) expected."),
        ("[[station]]\n" * 1001, "(at most 1000) expected."),
    ],
    ids=["a-wide-hex", "keys-of-a-town", "towns"],
)
def test_a_map_has_no_more_than_anybody_draws(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "map.toml").write_text(text)
    assert any(each.endswith(says) for each in check_map("dampfross", str(tmp_path / "map.toml")).faults)


@CASES.rows
def test_what_is_too_much_is_named_with_its_place(text: str, says: str) -> None:
    assert says in refused(lambda: load_toml(text), ValueError)


def test_dots_and_brackets_in_words_and_remarks_are_no_keys() -> None:
    many = ". . . ." * 40 + "[" * 80 + "a.b" * 40
    text = f'# {many}\na = \'{many}\'\nb = \'\'\'\n{many}\n\'\'\'\nc = """\n{many} \\" """\nd = "\\"{many}"\n'
    assert load_toml(text)["a"] == many
    assert set(load_toml(text)) == {"a", "b", "c", "d"}


def test_a_games_file_says_it_too(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("game = " + "[" * 100_000, "utf-8")
    assert "nested too deep" in refused(lambda: read_proposal(path), RefereeError)


EXPORTS = {
    "names": lambda size: json.dumps({f"n{number}": 1 for number in range(size // 10)}),
    "turns": pumped("[", '{"turn": 1, "rules": 1},', ""),
    "turns-in-turns": lambda size: '{"turn": 1, "rules": [' * 800 + "1," * (size // 2) + "x",
    "half-turns": pumped("", '{ "turn":', ""),
    "blanks": pumped("{", " ", "x"),
    "lists": pumped("", "[", ""),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export(name: str) -> None:
    assert_grows_with(lambda text: refused(lambda: parse_revealed(text.encode()), ValueError), EXPORTS[name])


def test_a_name_that_stands_twice_is_told() -> None:
    assert "'b' stands twice" in refused(lambda: parse_revealed(b'{"a": 1, "b": 2, "c": 3, "b": 4}'), ValueError)


def laid(path: Path) -> Path:
    """Return a folder of an umpire's own words, one file of which is another name of *path*."""
    (folder := path.parent / "common").mkdir()
    (folder / "verbs.toml").symlink_to(path)
    return path.parent


READERS: dict[str, Callable[[Path], object]] = {
    "map": lambda path: check_map("dampfross", str(path)).faults,
    "board": lambda path: check_map("volldampf", str(path)).faults,
    "board of the umpire's": lambda path: read_board(game_named("dampfross"), path.stem, path.parent.parent),
    "game": read_proposal,
    "own words": lambda path: OrderLanguages(laid(path)).of("dampfross"),
    "scenario": read_scenarios,
    "export": read_revealed,
}
FILES = {
    "a whole number": "cols = " + "9" * 1_900_000,
    "a whole number below nothing": "cols = -" + "9" * 1_900_000,
    "a hexadecimal number": "cols = 0x" + "f" * 1_900_000,
    "a number with a point": "cols = 1." + "9" * 1_900_000,
    "a whole number in JSON": '{"turns": ' + "9" * 4_000_000 + "}",
    "4 MB": "#" * 4_000_000,
    "a gigabyte": "",  # most of it a hole
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("reader", READERS)
def test_a_long_file_or_number_is_one_short_sentence_in_little_memory(tmp_path: Path, reader: str, file: str) -> None:
    path = tmp_path / "maps" / "hostile.toml"
    path.parent.mkdir()
    path.write_text(FILES[file])
    if not FILES[file]:
        os.truncate(path, 1_000_000_000)
    tracemalloc.start()
    try:
        told = str(READERS[reader](path))
    except RefereeError as error:
        told = str(error)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(told) < 300
    assert told.count("\n") <= 1
    assert "hostile.toml" in told.replace("verbs.toml", path.name)
    assert peak < 130_000_000


# A copy of the club from which it goes on.


def commanded(folder: Path, *arguments: str) -> Result:
    return run_here("--club", folder, *arguments)


def test_a_copy_made_while_somebody_writes_is_whole(race: PostHouse, tmp_path: Path) -> None:
    """The writer's transaction is not in it, and what was committed but still lies in the -wal file is."""
    race.club.execute("BEGIN IMMEDIATE")
    race.club.execute("UPDATE games SET turn = 7")
    copy = tmp_path / "copies" / "monday"
    told = commanded(race.folder, "backup", str(copy))
    race.club.conn.rollback()
    assert (told.exit_code, told.stdout) == (0, f"{copy}: referee.toml, referee.db\n")
    with sqlite3.connect(copy / "referee.db") as db:
        assert db.execute("SELECT id, turn FROM games").fetchall() == [("RR1", 1)]
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert sorted(path.name for path in copy.parent.iterdir()) == ["monday"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in copy.iterdir()} == {0o600}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700


def test_the_umpires_own_files_are_copied_and_passwords_are_not(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", imap__password_file="secret") as house:  # noqa: S106 (a file)
        (house.folder / "secret").write_text("hush")
        (house.folder / "templates" / "tinyrace").mkdir(parents=True)
        (house.folder / "templates" / "tinyrace" / "words.toml").write_text("[own]\n")
        (house.folder / "maps").mkdir()
        (house.folder / "maps" / "mine.toml").write_text("goal = 7")
    told = commanded(house.folder, "backup", str(tmp_path / "copy"))
    copied = sorted(str(path.relative_to(tmp_path / "copy")) for path in (tmp_path / "copy").rglob("*.*"))
    assert copied == ["maps/mine.toml", "referee.db", "referee.toml", "templates/tinyrace/words.toml"]
    assert "not copied, keep it elsewhere: what imap.password_file stands for" in told.stdout


def test_a_backup_is_never_overwritten(house: PostHouse, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    told = commanded(house.folder, "backup", str(tmp_path / "copy"))
    assert told.exit_code == 78
    assert "is there already" in told.stderr
    assert list((tmp_path / "copy").iterdir()) == []
    below = house.club.config.database / "copy"
    assert f"{below} cannot be written: File exists" in commanded(house.folder, "backup", str(below)).stderr


def test_a_damaged_database_is_not_taken_for_a_backup(house: PostHouse, tmp_path: Path) -> None:
    house.club.db.close()
    house.club.config.database.write_bytes(b"no database at all, but long enough" * 100)
    told = commanded(house.folder, "backup", str(tmp_path / "copy"))
    assert told.exit_code == 74
    assert "is damaged: file is not a database" in told.stderr
    assert not (tmp_path / "copy").exists()


def test_a_restored_club_counts_the_letters_that_came_after_the_backup(tmp_path: Path) -> None:
    """As docs/setup.md tells: the copy goes back, and what came since is put into the inbox again; nothing counts twice."""
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.send(ANN, "STEP 3")
        assert commanded(house.folder, "backup", str(tmp_path / "copy")).exit_code == 0
        assert house.send(BOB, "STEP 3").turns == ("RR1/1",)
    shutil.move(house.folder, tmp_path / "broken")
    shutil.copytree(tmp_path / "copy", tmp_path / "club")
    assert run_here("init", tmp_path / "club").exit_code == 0
    for path in (tmp_path / "broken" / "mail" / "in" / "cur").iterdir():
        shutil.move(path, tmp_path / "club" / "mail" / "in" / "new" / path.name)
    with PostHouse(tmp_path / "club") as again:
        assert again.tick().turns == ("RR1/1",)
        assert again.column("SELECT status FROM letters ORDER BY id") == ["done", "done"]
        assert again.value("SELECT count(*) FROM order_sets") == 2
