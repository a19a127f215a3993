"""Files and words of the umpire's that were made to keep us busy: refused with a sentence, in time in proportion to them."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.address import beyond_ascii, canonical, typed
from referee.core.errors import ConfigError, RefereeError
from referee.core.orders import Term
from referee.core.texts.tomltext import load_toml
from referee.games import game_named
from referee.orderbook.language.names import Lexicon
from referee.scenario import read_scenarios
from referee.service.audit.export import parse_revealed, read_revealed
from referee.service.club.pictures import read_board
from referee.service.club.positions import OrderLanguages
from referee.service.turns.proposals import parse_player, read_proposal
from referee.service.umpire.maps import check_map
from tests.growth import assert_grows_with, pumped

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
@pytest.mark.parametrize("act", [typed, beyond_ascii, canonical])
def test_an_address_of_any_length(act: Callable[[str], str], name: str) -> None:
    assert_grows_with(act, ADDRESSES[name])
    assert typed(ADDRESSES[name](2000)) == ""


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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = 1\nb = 2\n" + "c." * 30 + "d = 3\n", "key of more than 20 parts (at line 3, column 1)"),
        ("[" + "c." * 30 + "d]\n", "key of more than 20 parts (at line 1, column 2)"),
        ("a = 1\nb = " + "[\n" * 60, "nested too deep (at line 52, column 1)"),
    ],
)
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
