"""What a pass need not do again, and what the benches measure."""

import os
import sys
from pathlib import Path

import jinja2
import pytest

from referee import cache as made_by
from referee.cache import MOST, Cache
from referee.config import read_config
from referee.core import ConfigError
from referee.orderbook.tokens import tables_of
from referee.report.templates import bare_environment
from referee.resources import order_texts, own_verbs, shipped_folder, template_folders
from referee.service.club import make_club, open_club
from referee.service.tick import tick
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.newgames import new_game
from tests.forkedcommands import run_program
from tests.posthouse import ANN, Clubs
from tests.servers.dovecot import why_no_dovecot, why_no_lmtp

# The cache of a club: spares work, and is passed over wherever it could be wrong.


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def only_file(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "cache").iterdir()
    return file


def test_what_is_kept_is_found_under_its_key_alone(cache: Cache, tmp_path: Path) -> None:
    cache.write("one", b"content")
    assert (cache.read("one"), cache.read("two")) == (b"content", None)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert Cache(None).read("one") is None


def test_what_another_version_kept_is_not_found(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write("one", b"content")
    monkeypatch.setattr(made_by, "__version__", "0.0.0")
    assert cache.read("one") is None


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "grown"])
def test_a_damaged_file_is_passed_over_and_written_anew(cache: Cache, tmp_path: Path, damage: str) -> None:
    cache.write("one", b"content")
    file = only_file(tmp_path)
    whole = file.read_bytes()
    file.write_bytes({"cut": whole[:-1], "changed": whole[:-1] + b"x", "empty": b"", "grown": whole + b"x"}[damage])
    assert cache.read("one") is None
    cache.write("one", b"content")
    assert cache.read("one") == b"content"


def test_a_file_that_others_may_write_or_that_is_a_link_is_passed_over(cache: Cache, tmp_path: Path) -> None:
    cache.write("one", b"content")
    file = only_file(tmp_path)
    file.chmod(0o666)
    assert cache.read("one") is None
    file.chmod(0o600)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert cache.read("one") is None


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    cache = Cache(tmp_path / "file" / "cache")
    cache.write("one", b"content")
    assert cache.read("one") is None


def test_a_draft_that_another_process_left_does_not_stop_others(cache: Cache, tmp_path: Path) -> None:
    cache.write("one", b"before")
    only_file(tmp_path).with_suffix(f".{os.getpid() + 1}").write_bytes(b"half")
    cache.write("one", b"after")
    assert cache.read("one") == b"after"


def test_the_folder_does_not_grow_without_end(cache: Cache, tmp_path: Path) -> None:
    for number in range(MOST + 3):
        cache.write(str(number), b"content")
    assert len(list((tmp_path / "cache").iterdir())) <= MOST
    assert cache.read(str(MOST + 2)) == b"content"


def test_a_template_is_compiled_once_for_all_processes(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = jinja2.DictLoader({"a": "{{ number + 1 }}"})
    first = bare_environment(loader, cache).get_template("a").render(number=1)
    monkeypatch.setattr("referee.report.templates._KEPT", {})  # as in a new process
    second = bare_environment(loader, cache)
    monkeypatch.setattr(second, "_generate", None)  # nothing is compiled any more
    assert first == second.get_template("a").render(number=1) == "2"


def test_the_tables_of_a_grammar_are_made_once(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = order_texts("dampfross")["grammar"]
    made = tables_of(grammar, cache)
    monkeypatch.setattr("lark.lark.load_grammar", None)  # nothing is made any more
    assert tables_of(grammar, cache) == made


def test_letters_are_answered_alike_with_a_full_cache_and_a_spoiled_one(
    club: Clubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.club.CACHE", "cache")
    house = club()
    for made in ("referee.report.templates._KEPT", "referee.service.positions._PARSERS"):
        monkeypatch.setattr(made, {})  # as in a new process
    house.game()
    house.send(ANN, "STEP 3")
    files = list((house.club.config.folder / "cache").iterdir())
    assert files
    for file in files:
        file.write_bytes(b"spoiled")
    house.send(ANN, "STEP 2")
    assert "STEP 2" in house.text(ANN)


# What a pass imports: a cron job makes one every five minutes for years, and most find nothing to do.


MOST_MODULES = 285  # 282, of them 60 a bare interpreter's and 23 the lock's; 497 when this was not looked at
NOT_NEEDED = ("jinja2", "lark", "referee.report", "referee.games", "referee.orderbook", "referee.mail.letter.message")
MOST_FOR_A_LETTER = 600  # 572; its reader has a process of its own
_UMPIRES = tuple(f"referee.service.umpire.{each}" for each in ("ahead", "commands", "digest", "letters", "overview"))
NOT_FOR_A_LETTER = ("lark", "ssl", "http", "statistics", "referee.report.paper", *_UMPIRES)
_SCRIPT = """
import sys
from referee.cli import main
main(['--club', sys.argv[1], 'tick'], standalone_mode=False)
print(*sorted(sys.modules), file=sys.stderr)
"""


def modules_of_a_pass(club: Path, told: str) -> list[str]:
    done = run_program([sys.executable, "-c", _SCRIPT, club], check=True)
    assert done.stdout == told
    return done.stderr.split()


def test_a_pass_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    make_club(folder, {"mail.address": "referee@example.org", "identity.policy": "address"})
    players = ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>")
    with open_club(read_config(folder)) as club:
        new_game(club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
        tick(club)
    modules = modules_of_a_pass(folder, "letters handled: 0, letters sent: 0\n")
    assert [name for name in modules if name.startswith(NOT_NEEDED)] == []
    assert len(modules) <= MOST_MODULES
    for roll in (1, 2):  # the first fills the cache
        letter = f"From: ann@example.org\n\nORDERS RR1 1\nHOME Dublin\n{roll}a) (Dublin) - Dun Laoghaire\nEND\n"
        (folder / "mail" / "in" / "new" / str(roll)).write_text(letter)
        modules = modules_of_a_pass(folder, "letters handled: 1, letters sent: 1\n")
    assert [name for name in modules if name.startswith(NOT_FOR_A_LETTER)] == []
    assert len(modules) <= MOST_FOR_A_LETTER


# Each benchmark runs, in its shortest form: what nobody runs rots.


ROOT = Path(__file__).parents[1]
SHORTEST = {
    "bots": ("--games", "1", "--map", "ireland", "--table", "third,first,before"),
    "due": ("--games", "2", "--due", "2"),
    "fastest": ("--map", "ireland", "--seed", "bench"),
    "hosting": ("--short",),
    "rounds": ("--map", "ireland"),
    "tick": ("--short",),
    "tried": ("--games", "1", "-o", "/dev/null"),
    "turn": (),
    "volldampf": ("1",),
    "weight": (),
    "mail": ("7",),
}
ELSEWHERE = {"__init__", "__main__", "rows", "beside"}
ELSEWHERE |= {"all_games", "year"}  # of which tests play a part: tests/games/dampfross/test_every_map.py, tests/year


def test_all_benchmarks_are_run() -> None:
    assert {path.stem for path in (ROOT / "bench").glob("*.py")} - ELSEWHERE == set(SHORTEST)


@pytest.mark.testlong
@pytest.mark.parametrize("name", SHORTEST)
def test_a_benchmark_prints_a_table(name: str) -> None:
    if name == "mail" and (why := why_no_dovecot() or why_no_lmtp()):
        pytest.skip(why)
    done = run_program([sys.executable, "-m", f"bench.{name}", *SHORTEST[name]], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2


# Where templates and order languages are found in a checkout; the wheel has its own test.


HOUSE = Path(__file__).parent.parent


def test_a_checkout_has_its_folders_beside_the_package() -> None:
    assert Path(str(shipped_folder("templates"))) == HOUSE / "templates"
    assert Path(str(shipped_folder("orders"))) == HOUSE / "orders"


def test_a_folder_that_was_not_shipped_is_a_fault_of_the_installation() -> None:
    with pytest.raises(ConfigError, match="timetables"):
        shipped_folder("timetables")


def test_a_game_has_the_common_verbs_its_own_and_a_grammar() -> None:
    texts = order_texts("dampfross")
    assert "[verb.PASS]" in texts["common"]
    assert "[verb.BUILD]" in texts["verbs"]
    assert "%declare" in texts["grammar"]


def test_the_umpires_words_for_all_games_come_before_those_for_one(tmp_path: Path) -> None:
    assert own_verbs("dampfross", tmp_path) == (tmp_path / "common/verbs.toml", tmp_path / "dampfross/verbs.toml")


def test_a_game_of_another_package_brings_its_own_orders() -> None:
    assert "[verb.STEP]" in order_texts("tinyrace")["verbs"]


def test_a_game_without_an_order_language_is_a_fault_of_the_installation() -> None:
    with pytest.raises(ConfigError, match=r"orders/tiddlywinks/verbs\.toml"):
        order_texts("tiddlywinks")


def test_templates_are_looked_for_at_the_umpires_then_in_the_game_then_where_they_were_shipped(tmp_path: Path) -> None:
    folders = [Path(str(folder)) for folder in template_folders("dampfross", tmp_path)]
    assert folders == [
        tmp_path / "dampfross",
        tmp_path / "common",
        HOUSE / "referee/games/dampfross/templates",
        HOUSE / "templates/dampfross",
        HOUSE / "templates/common",
    ]
    assert [Path(str(folder)) for folder in template_folders("dampfross", None)] == folders[2:]
