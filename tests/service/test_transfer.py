"""A game that comes from elsewhere: whole from another club, or from the position that the umpire typed."""

import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from referee.core import ConfigError, PositionError, Value
from referee.service.backup import MOST, read_whole_game, seal, take_in, unseal, whole_game
from referee.service.club import Club
from referee.service.turns.gamefile import read_proposal
from referee.service.turns.newgames import new_game
from referee.service.umpire.colleagues import name_umpire, umpires_named
from referee.store import games, outbox
from referee.store import rows as stored
from referee.store.wholegame import TIMES
from tests.posthouse import ANN, BOB, REFEREE, PostHouse, text_of
from tests.tables import Tables

# A whole game taken from one club to another, where it goes on.


pytest.importorskip("cryptography")
Row = dict[str, Any]
Rows = dict[str, list[Any]]
WORDS = "correct horse battery staple"
QUICK = {"n": 2**4, "r": 8, "p": 1, "length": 32}


@pytest.fixture(autouse=True)
def _quick_scrypt() -> Iterator[None]:
    with patch("referee.service.backup._COST", QUICK):
        yield


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of which a turn was played, with orders of Ann's on file for the next one."""
    with PostHouse(tmp_path / "old", identity__policy="token") as made:
        made.begin()
        for player in (ANN, BOB):
            made.answer(player, "STEP 1")
        assert len(made.later(hours=1).turns) == 1
        made.reply(made.last(ANN, "turn"), "STEP 3")
        yield made


@pytest.fixture
def stopped(moving: PostHouse) -> PostHouse:
    """The same, stopped, so that it can move."""
    moving.act("HOLD RR1", "It moves.")
    moving.tick()
    return moving


def exported(house: PostHouse) -> bytes:
    house.act("HOLD RR1", "It moves.")
    house.tick()
    return whole_game(house.club, "rr1", WORDS)


def taken(club: Club, raw: bytes, words: str = WORDS) -> str:
    return take_in(club, read_whole_game(club.config, raw, words))


def test_a_game_goes_on_in_another_club_as_if_nothing_had_been(moving: PostHouse, tmp_path: Path) -> None:
    raw = exported(moving)
    assert ANN.encode() not in raw
    root = moving.row().chain
    with PostHouse(tmp_path / "new", identity__policy="token") as new:
        new.clock.now = moving.clock.now
        assert taken(new.club, raw) == "RR1"
        assert new.row().chain == root
        assert new.faults() == ()
        assert new.did() == ["hold", "export", "import"]
        assert len(outbox.newsletters(new.club, "RR1", 1)) == len(outbox.newsletters(moving.club, "RR1", 1))
        keys = "SELECT key FROM outbox WHERE kind = 'newsletter'"  # by which none is written twice
        assert new.column(keys) == moving.column(keys) != []
        new.act("RESUME RR1", "The game goes on here.")
        new.tick()
        new.answer(new.last(BOB, "The game goes on here."), "STEP 2")
        assert len(new.later(hours=1).turns) == 1
        told = new.told(ANN, "turn 2")
        assert "ANN stands on 7" in told  # by the orders that lay on file in the other club
        assert new.faults() == ()
        with pytest.raises(ConfigError, match="RR1 is here already"):
            taken(new.club, raw)


def test_who_writes_to_the_old_club_is_answered_with_where_the_game_is(moving: PostHouse) -> None:
    """By the umpire's words when it was stopped."""
    exported(moving)
    told = moving.asks(moving.last(BOB, "turn"), "STEP 2")
    assert "The umpire has stopped the game for now" in told
    assert "The umpire writes: | It moves." in told


def test_a_game_that_was_given_away_goes_on_here_only_if_the_umpire_says_so(moving: PostHouse) -> None:
    exported(moving)
    with pytest.raises(ConfigError, match=r"the whole of RR1 was exported \(U2\).*`referee resume RR1 --here`"):
        moving.act("RESUME RR1")
    moving.act("NOTE RR1", "It is with Eve now.")
    with pytest.raises(ConfigError, match="was exported"):
        moving.act("RESUME RR1")
    assert moving.row().stopped_at
    moving.act("RESUME RR1 HERE")
    assert not moving.row().stopped_at
    moving.act("HOLD RR1", "I am away.")
    moving.act("RESUME RR1")
    assert not moving.row().stopped_at


def test_a_game_that_was_given_away_can_be_put_away(moving: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 is not over: turn 2 is awaited"):
        moving.act("ARCHIVE RR1")
    exported(moving)
    moving.act("ARCHIVE RR1")
    assert moving.row().is_archived
    assert "RR1" not in moving.command("status").stdout
    moving.act("RESUME RR1 HERE")
    assert not moving.row().is_archived


def test_what_is_no_such_file_or_has_another_passphrase_is_one_sentence(moving: PostHouse, tmp_path: Path) -> None:
    raw = exported(moving)
    with PostHouse(tmp_path / "new") as new:
        for given, words, said in (
            (raw, "another passphrase", "another passphrase opens this file"),
            (raw[:-9], WORDS, "damaged or was cut off"),
            (raw.replace(raw[-20:-10], b"0123456789"), WORDS, "damaged or was cut off"),
            (b"PK\3\4", WORDS, "this is no whole game"),
        ):
            with pytest.raises(ConfigError, match=said):
                taken(new.club, given, words)
        assert games.all_names(new.club) == frozenset()


def test_a_game_that_does_not_verify_or_is_of_a_newer_release_is_not_kept(moving: PostHouse, tmp_path: Path) -> None:
    plain = unseal(exported(moving), WORDS)
    plain["rows"]["turns"][1]["salts"] = "forged"
    with PostHouse(tmp_path / "new") as new:
        with pytest.raises(ConfigError, match="RR1 is not in order, nothing is kept of it: turn 1"):
            taken(new.club, seal(plain, WORDS))
        plain["rows"]["turns"][1]["weather"] = "fine"
        with pytest.raises(ConfigError, match="another release of the referee: table turns has no column weather"):
            taken(new.club, seal(plain, WORDS))
        assert games.all_names(new.club) == frozenset()
        assert new.rows("SELECT * FROM letters") == []


def test_a_game_that_runs_or_has_letters_to_send_stays_where_it_is(moving: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 runs, and would be played here and there: `referee hold RR1"):
        whole_game(moving.club, "RR1", WORDS)
    moving.act("HOLD RR1", "It moves.")
    with pytest.raises(ConfigError, match="letters about RR1 wait to be sent"):
        whole_game(moving.club, "RR1", WORDS)
    moving.tick()
    with pytest.raises(ConfigError, match="the passphrase has 5 characters"):
        whole_game(moving.club, "RR1", "short")
    assert moving.did() == ["hold"]


CASES = Tables(__file__)


def spoil(which: str, table: str, values: Row, rows: Rows) -> None:
    found = rows[table]
    if which in ("new", "copy"):
        found.append({**found[0], **values} if which == "copy" else values)
    else:
        for each in found[: 1 if which == "first" else None]:
            each.update(values)


ATTACKS: dict[str, tuple[Callable[[Rows], object], str]] = {
    **{name: (partial(spoil, *told), said) for name, *told, said in CASES.listed("ATTACKS")},
    "a number too long": (lambda rows: rows["turns"][0].update(turn=10**400), "a row of turns: turn is int"),
    "a game that runs at once": (
        lambda rows: rows["games"][0].update(stopped_at=None),
        "a row of games: it runs: it must be stopped",
    ),
    "a table of the club's": (lambda rows: rows.update(news=[]), "there is no table news"),
    "a player at the referee's own address": (
        lambda rows: [rows["players"][0].update(address=REFEREE), rows.pop("outbox")],
        "is the referee's own address",
    ),
    "a file under another's name": (
        lambda rows: rows["files"][0].update(packed=zlib.compress(b"of Eve's")),
        "its bytes are not those that were written",
    ),
    "a file that grows": (
        lambda rows: rows["files"][0].update(packed=zlib.compress(bytes(60_000_000))),
        "more than 50,000,000 bytes are packed in it",
    ),
}


@pytest.mark.parametrize(("change", "said"), ATTACKS.values(), ids=ATTACKS)
def test_nothing_is_kept_of_a_file_in_which_anything_is_not_that_games(
    stopped: PostHouse, tmp_path: Path, change: Callable[[Rows], object], said: str
) -> None:
    plain = unseal(whole_game(stopped.club, "RR1", WORDS), WORDS)
    change(plain["rows"])
    with PostHouse(tmp_path / "new") as new:
        before = [new.rows(f"SELECT count(*) FROM {table}")[0][0] for table in plain["rows"] if table != "news"]  # noqa: S608
        with pytest.raises(ConfigError, match=said):
            taken(new.club, seal(plain, WORDS))
        assert before == [new.rows(f"SELECT count(*) FROM {table}")[0][0] for table in plain["rows"] if table != "news"]  # noqa: S608


@CASES.rows
def test_what_is_no_games_id_comes_in_under_no_name(stopped: PostHouse, name: object) -> None:
    """Not even if it is the game's in every row of it."""
    plain = unseal(whole_game(stopped.club, "RR1", WORDS), WORDS)
    for table, rows in plain["rows"].items():
        for row in rows:
            row.update({"id" if table == "games" else "game": name})
    with pytest.raises(ConfigError, match=r"is no game's id|fits here"):
        taken(stopped.club, seal({**plain, "game": name}, WORDS))


@CASES.rows
def test_what_is_no_whole_game_under_its_seal_is_one_sentence(moving: PostHouse, plain: object) -> None:
    with pytest.raises(ConfigError, match="this is no whole game"):
        taken(moving.club, seal(plain, WORDS))


def test_a_file_that_would_unpack_to_more_than_anybody_has_is_refused_before_it_does(moving: PostHouse) -> None:
    raw = seal("0" * (MOST + 1), WORDS)
    assert len(raw) < MOST / 500
    tracemalloc.start()
    with pytest.raises(ConfigError, match="more than 100,000,000 bytes are packed in it"):
        taken(moving.club, raw)
    assert tracemalloc.get_traced_memory()[1] < 2.5 * MOST
    tracemalloc.stop()
    with pytest.raises(ConfigError, match="it has more than 100,000,000 bytes"):
        taken(moving.club, bytes(MOST + 1))


def test_nobody_is_asked_for_a_passphrase_in_vain(race: PostHouse, tmp_path: Path) -> None:
    (file := tmp_path / "RR1.json").write_text("{}")
    for words, told in {
        ("import", str(file)): "this is no whole game: `referee game export GAME --secrets` writes one",
        (
            "game",
            "export",
            "RR1",
            "--secrets",
            "-o",
            str(tmp_path / "w"),
        ): "RR1 runs, and would be played here and there",
    }.items():
        done = race.command(*words)
        assert (done.returncode, done.stdout, told in done.stderr) == (78, "", True)


def test_the_importer_reads_what_is_taken_and_says_yes(stopped: PostHouse, tmp_path: Path) -> None:
    name_umpire(stopped.club, "RR1", "Eve <eve@example.org>")
    stopped.tick()
    file, words = tmp_path / "RR1.whole", tmp_path / "words"
    with patch("referee.service.backup._COST", {**QUICK, "n": 2**16}):  # the command is a process of its own
        file.write_bytes(whole_game(stopped.club, "RR1", WORDS))
    words.write_text(WORDS)
    with PostHouse(tmp_path / "new") as new:
        given = ("import", str(file), "--passphrase-file", str(words))
        asked = new.command(*given)
        assert asked.returncode == 1
        assert asked.stdout.split("\n")[:8] == [
            "RR1: Tiny Race, map line, preset plain",
            "  ANN: Ann <ann@example.org>",
            "  BOB: Bob <bob@example.net>",
            "Turns played: 1; turn 2 is awaited",
            "Umpires of its own, who may command it here: Eve <eve@example.org>",
            "Observers, who are sent its newsletters: none",
            "Letters: 3 that came, 9 of the referee's",
            f"The file has {file.stat().st_size:,} bytes",
        ]
        assert games.all_names(new.club) == frozenset()
        assert "RR1 is in this club, and verified" in new.command(*given, "--yes").stdout
        assert [each.name for each in umpires_named(new.club, "RR1")] == ["Eve"]


@pytest.mark.parametrize("moved", [("RR1",), ("RR2",), ("RR1", "RR2"), ("RR2", "RR1")], ids="+".join)
def test_a_letter_about_two_games_goes_with_each_and_is_there_once(tmp_path: Path, moved: tuple[str, ...]) -> None:
    with PostHouse(tmp_path / "old") as house, PostHouse(tmp_path / "new") as new:
        for _ in range(2):
            house.game()
        house.send(ANN, "ADDRESS ann@new.example\nORDERS RR1 1\nSTEP 1\nEND")
        house.club.execute("UPDATE address_changes SET game = 'RR2'")
        for game in moved:
            house.act(f"HOLD {game}", "It moves.")
            house.tick()
            taken(new.club, whole_game(house.club, game, WORDS))
        (letter,) = new.rows("SELECT id, raw FROM letters")
        assert letter["raw"] == house.value("SELECT raw FROM letters")
        names = [
            *new.rows("SELECT game, letter FROM order_sets"),
            *new.rows("SELECT game, letter FROM address_changes"),
        ]
        assert {(row["game"], row["letter"]) for row in names} == {(game, letter["id"]) for game in moved}


def test_letters_that_would_have_the_key_of_one_of_ours_have_another(stopped: PostHouse, tmp_path: Path) -> None:
    plain = unseal(whole_game(stopped.club, "RR1", WORDS), WORDS)
    for row, key in zip(plain["rows"]["outbox"], ("newsletter:RR2:1:ANN:1", "move:1:ask"), strict=False):
        row["key"] = key
    with PostHouse(tmp_path / "new") as new:
        taken(new.club, seal(plain, WORDS))
        assert new.column("SELECT key FROM outbox ORDER BY id LIMIT 2") == [
            "moved:RR1:newsletter:RR2:1:ANN:1",
            "moved:RR1:move:1:ask",
        ]


def test_who_had_a_seat_and_who_neither_plays_nor_watches_stay_behind(moving: PostHouse, tmp_path: Path) -> None:
    moving.act("REPLACE RR1 BOB Cecil <cecil@example.org>", "Bob has left.")
    moving.tick()
    plain = unseal(exported(moving), WORDS)
    assert {row["recipient"] for row in plain["rows"]["outbox"]} == {ANN, "cecil@example.org", "nobody@example.invalid"}
    with PostHouse(tmp_path / "new") as new:
        assert taken(new.club, seal(plain, WORDS)) == "RR1"


def test_every_time_of_every_row_is_known_as_one() -> None:
    kinds = [each for each in vars(stored).values() if isinstance(each, type) and issubclass(each, Value)]
    named = {name for kind in kinds for name, told in kind.__annotations__.items() if str(told).startswith("datetime")}
    assert named
    assert [name for name in sorted(named) if not TIMES.fullmatch(name)] == []


# A club brings a running game to the referee: it goes on from the position that the umpire typed in.


GAME = """
game = "dampfross"
map = "ireland"
"""
PLAYERS = "".join(
    f'[[player]]\ncode = "{code}"\ncolour = "{colour}"\nname = "{code.title()}"\naddress = "{code.lower()}@example.org"\n'
    for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
)
BUILDING = """
[position]
round = 4
rolls = [3, 5, 2]
balances = { GSW = 31, MGW = 17, BNC = 24 }
homes = { GSW = "Dublin", MGW = "Dublin", BNC = "Belfast" }
connected = ["Dublin", "Belfast", "Drogheda", "Dundalk"]

[position.track]
GSW = ["Dublin - Drogheda - AB14 - AA14 - Dundalk"]
BNC = ["(Belfast) - AD8 - AD9"]
"""
RACING = """
[position]
round = 12
homes = { GSW = "Dublin", MGW = "Dublin", BNC = "Belfast" }
balances = { GSW = 131, MGW = 90, BNC = 90 }
races = [
  { number = 36, start = 12, end = 15, round = 12 },
  { number = 35, start = 21, end = 16, round = 11, status = "run" },
]

[position.track]
GSW = ["Dublin - Drogheda - AB14 - AA14 - Dundalk"]
MGW = ["Dublin - Drogheda"]
"""


def brought(house: PostHouse, position: str) -> str:
    """Make the game of a file with this position; return its id."""
    file = house.folder / "game.toml"
    file.write_text(GAME + position + PLAYERS, "utf-8")
    return new_game(house.club, read_proposal(file), root="root of the chain")


def test_the_opening_letter_tells_the_position_instead_of_the_first_round(house: PostHouse) -> None:
    brought(house, BUILDING)
    house.tick()
    (letter,) = house.post("mgw@example.org")
    told = text_of(letter)
    assert letter["Subject"] == "[RR1] Ireland: the game goes on from round 4"
    assert "The position at the beginning of round 4" in told
    assert [line.split() for line in told.splitlines() if line.startswith("GSW ")][1:] == [["GSW", "Dublin", "31", "6"]]
    assert "Choose your home terminal" not in told
    assert "Every account begins" not in told
    assert "Rolls of round 4" in told
    assert "3, 5, 2" in told
    assert "ORDERS RR1 4" in told


def test_the_game_goes_on_from_the_position_by_mail(house: PostHouse) -> None:
    brought(house, BUILDING)
    house.tick()
    house.write("gsw@example.org", "ORDERS RR1 4\n4a) (Dundalk) - AA12\nEND", subject="Re: [RR1] orders")
    house.write("mgw@example.org", "ORDERS RR1 4\n4a) (Dublin) - AB17\nEND", subject="Re: [RR1] orders")
    house.send("bnc@example.org", "ORDERS RR1 4\nPASS\nEND", subject="Re: [RR1] orders")
    (newsletter,) = house.post("bnc@example.org", "Round 4 of 12")
    told = text_of(newsletter)
    assert "Rolls of round 5" in told
    assert "AB17 [-3 GSW]" in told  # MGW builds along the line that was typed in
    assert house.differences() == [(), ()]


def test_a_game_brought_for_its_last_round_ends_with_it(house: PostHouse) -> None:
    brought(house, RACING)
    house.tick()
    house.write("gsw@example.org", "ORDERS RR1 12\nRUN 36: Dublin - Drogheda\nEND", subject="Re: [RR1] orders")
    house.later(days=20)
    (newsletter,) = house.post("gsw@example.org", "final table")
    told = text_of(newsletter)
    assert "GSW wins the game\n\nThe game is over.\n" in told
    head, _, row = told[told.index("The game, round by round") :].splitlines()[2:5]
    assert head.split() == ["company", "11", "12"]
    assert row.split() == ["GSW", "131", "151"]
    assert house.differences() == [(), ()]


@CASES.rows
def test_a_position_with_a_fault_makes_no_game(house: PostHouse, position: str, sentence: str) -> None:
    with pytest.raises(PositionError) as fault:
        brought(house, position)
    assert sentence in str(fault.value)
    assert house.rows("SELECT * FROM games") == []


def test_every_fault_of_a_position_is_told_at_once(house: PostHouse) -> None:
    with pytest.raises(PositionError) as fault:
        brought(house, '[position]\nrond = 3\nbalances = { GSW = "many", XYZ = 3 }\n')
    assert len(fault.value.faults) == 3


def test_a_position_that_is_no_table_names_the_file(house: PostHouse) -> None:
    file = house.folder / "game.toml"
    file.write_text("position = 3\n", "utf-8")
    with pytest.raises(Exception, match=r"game\.toml:1: position must be a table"):
        read_proposal(Path(file))
