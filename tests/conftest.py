"""The tiny game is installed beside the referee, as any game that is not ours; folders of tests lie in memory where they can."""

import gc
import logging
import os
import secrets
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from functools import cache, lru_cache
from pathlib import Path

import pytest
from hypothesis import settings
from markupsafe import escape

from hatch_build import compile_catalogues
from referee.config import SettingValue
from referee.core.texts import load_toml
from referee.games import games
from referee.mail.compose import Composed, Outgoing, letter_bytes
from referee.mail.letter.tokens import Tag
from referee.reader import limitedprocess
from referee.service.club import Club
from referee.service.pictures import Pictures
from referee.service.post.codes import letter_out
from referee.store import Database, create_store, open_store, transaction
from tests.browser import browser, chromium  # noqa: F401 (fixtures)
from tests.forkedcommands import PARENT
from tests.forkedreader import forking
from tests.games import recorded
from tests.pictures import tiny_png
from tests.posthouse import INSTALLED, Clubs, PostHouse
from tests.secrecy import codes_in_text
from tests.servers.fixtures import dovecot, mailbox  # noqa: F401 (fixtures)

DRAWN = Pictures.png
MEMORY, ROOM = Path("/dev/shm"), 2 * 1024**3  # noqa: S108 (pytest makes a folder of its own there); ROOM in bytes

gc.disable()  # until all tests are found: a third of the time in which they are would go into looking for garbage
sys.path.append(str(INSTALLED))
games.cache_clear()
compile_catalogues()
settings.register_profile("patient", deadline=None)  # how long an example takes says how busy the machine is
settings.load_profile("patient")


def _has_room(memory: Path) -> bool:
    """Return whether tests may have their folders there: to wait for a disk takes a third of their time and shows nothing."""
    try:
        found = os.statvfs(memory)
    except OSError:
        return False
    return os.access(memory, os.W_OK) and not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize > ROOM


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are processors: tests wait for servers, browsers and processes of theirs."""
    return (yield) + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of long tests the longest, which come by mail, lie at the end: they go first, so that no worker waits for the other's."""
    if config.option.markexpr == "testlong":
        items.reverse()


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays until the end: it need not be looked through for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


if _has_room(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture
def club(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Clubs]:
    """Opens clubs in a folder of their own, with settings; all are closed when the test is over. How they begin is copied from
    other tests where the test does not meddle with the referee.
    """
    folder = tmp_path / "club"

    def opened(**settings: SettingValue) -> PostHouse:
        alike = "monkeypatch" not in request.fixturenames and not folder.exists()
        house = houses.enter_context(PostHouse(folder, **settings))
        return house.copied() if alike else house

    with ExitStack() as houses:
        yield opened


@pytest.fixture
def house(club: Clubs) -> PostHouse:
    """A club on Monday 7 December 2026, 12:00 UTC, without early delay."""
    return club()


@pytest.fixture
def race(house: PostHouse) -> PostHouse:
    """A tiny race between Ann and Bob, its opening not yet sent."""
    house.game()
    return house


@pytest.fixture
def begun(race: PostHouse) -> PostHouse:
    """The same with its opening sent."""
    race.tick()
    return race


@pytest.fixture
def coded(club: Clubs) -> PostHouse:
    """The same in a club whose letters carry codes."""
    made = club(identity__policy="token")
    made.begin()
    return made


@pytest.fixture(autouse=True, scope="session")
def _quick_pictures() -> Iterator[None]:
    """Boards in letters are one pixel large: thousands of turns are played. A test that looks at them asks for real_pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pictures, "png", tiny_png)
        yield


@pytest.fixture
def real_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards in letters are drawn as in a club."""
    monkeypatch.setattr(Pictures, "png", DRAWN)


@pytest.fixture(autouse=True)
def _levels_of_logs_are_set_back() -> Iterator[None]:
    """What a command of a test wants to hear is not what the next test's logs are."""
    yield
    logging.getLogger().setLevel(logging.WARNING)
    logging.getLogger("referee").setLevel(logging.NOTSET)


@pytest.fixture(autouse=True, scope="session")
def _readers_are_forked() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limitedprocess, "_start", forking(PARENT))
        yield


@pytest.fixture(autouse=True, scope="session")
def _every_letter_names_the_club_and_no_text_a_code() -> Iterator[None]:
    """Whatever a test has us write."""

    def signed(club: Club, letter: Outgoing, own: Tag | None, buttons: tuple[Tag, ...] = ()) -> Outgoing:
        assert letter.text.endswith(f"\n{club.config.club}\n")
        assert f">{escape(club.config.club)}</p>" in letter.page or not letter.page
        assert club.config.club in letter.sender_name
        return letter_out(club, letter, own, buttons)

    def looked_at(letter: Outgoing) -> Composed:
        made = letter_bytes(letter)
        assert codes_in_text(made.words, made.files) == []
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.mail.compose.letter_bytes", looked_at)
        patch.setattr("referee.service.post.writing.letter_out", signed)
        yield


@pytest.fixture(autouse=True, scope="session")
def _settings_are_parsed_once() -> Iterator[None]:
    """Thousands of clubs have a few texts of settings: what stands in one is the same for all (it is only looked at)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.config.reading.load_toml", lru_cache(load_toml))
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_spares_work_is_common_to_all_clubs_and_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    own = tmp_path_factory.getbasetemp()
    common = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorded, "PLAYED", common)
        patch.setattr("referee.service.club.CACHE", common / "cache")
        yield


@pytest.fixture(autouse=True, scope="session")
def _new_stores_are_copied() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.service.club.create_store", copied_store)
        yield


def copied_store(path: Path) -> Database:
    """Return a store as ``create_store`` does, with a key of its own."""
    if path.exists():
        return create_store(path)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(_new_store())
    made = open_store(path)
    with transaction(made):
        made.execute("UPDATE club SET value = ? WHERE name = 'token-key'", [secrets.token_hex(32)])
    return made


@cache
def _new_store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "referee.db")
        create_store(path).close()
        return path.read_bytes()
