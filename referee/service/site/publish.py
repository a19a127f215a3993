"""Writes the club's pages: when the umpire says so, and at the end of each pass after which something would read otherwise."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from referee import __version__
from referee.config import FILE
from referee.core import ConfigError, Pair, RefereeError, Texts, Value
from referee.store import fact, format_time, state_of_pages, transaction, write_fact
from referee.system import write_whole

from ..club import Club
from ..post.codes import files_out
from ..post.writing import tell_umpire
from ..tally import alone

# A folder of pages, written part by part where something changed. Each file is written beside and then renamed: whoever reads
# one, or cuts the power, finds the old one or the new one whole.

MANIFEST = ".referee-pages.json"  # by it a folder is ours, and files in it that are no longer wanted are known

Files = dict[str, bytes]  # by their places, with / between folders


class Part(Value, kw_only=False):
    """Pages that belong together. ``mark`` is another one whenever they might read otherwise; "": they are made in any case."""

    name: str
    mark: str
    make: Callable[[], Files]


class Published(Value):
    """What was done to a folder: places of files that were written, and of those removed."""

    written: Texts = ()
    removed: Texts = ()


class _Kept(Value):
    mark: str
    files: dict[str, str]  # SHA-256 by place


def write_parts(folder: Path, parts: Iterable[Part], *, anew: bool = False) -> Published:
    """Write what changed and remove what is gone of ours; what else lies in the folder stays. *anew*: make every part, whatever
    its mark.

    Raises:
        ConfigError: the folder cannot be written, or holds something and is not ours.
    """
    try:
        return _write(folder, parts, anew)
    except OSError as error:
        raise ConfigError(f"{folder}: the pages cannot be written: {error.strerror or error}") from error


def _write(folder: Path, parts: Iterable[Part], anew: bool) -> Published:
    before = _take(folder)
    kept: dict[str, _Kept] = {}
    written: list[str] = []
    for part in parts:
        # Everybody may read the list, and a mark holds words that pages do not.
        known, mark = before.get(part.name), part.mark and hashlib.sha256(part.mark.encode()).hexdigest()
        if (
            known
            and mark
            and known.mark == mark
            and not anew
            and all((folder / place).is_file() for place in known.files)
        ):
            kept[part.name] = known
            continue
        files = part.make()
        written += [place for place, content in files.items() if _put(folder / place, content)]
        hashes = {place: hashlib.sha256(content).hexdigest() for place, content in files.items()}
        kept[part.name] = _Kept(mark=mark, files=hashes)
        _write_manifest(folder, before | kept)
    wanted = {place for part in kept.values() for place in part.files}
    gone = sorted({place for part in before.values() for place in part.files} - wanted)
    for path in (folder / place for place in gone):
        if folder.resolve() in path.resolve().parents:  # the list may be anybody's
            path.unlink(missing_ok=True)
            with suppress(OSError):
                path.parent.rmdir()  # if nothing else is in it
    _write_manifest(folder, kept)
    return Published(written=tuple(written), removed=tuple(gone))


def _take(folder: Path) -> dict[str, _Kept]:
    """Return what we wrote into a folder; one that is not there is made, an empty one becomes ours."""
    manifest = folder / MANIFEST
    _make(folder)
    try:
        return msgspec.json.decode(manifest.read_bytes(), type=dict[str, _Kept])
    except FileNotFoundError:
        if any(folder.iterdir()):
            raise ConfigError(
                f"{folder} is not empty and holds no pages of ours: name an empty folder, or one that is not there"
            ) from None
    except msgspec.DecodeError:
        pass  # a damaged list: all is made anew
    _write_manifest(folder, {})
    return {}


def _write_manifest(folder: Path, kept: Mapping[str, _Kept]) -> None:
    _put(folder / MANIFEST, msgspec.json.encode(kept, order="sorted"))


def _put(path: Path, content: bytes) -> bool:
    """Write a file that everybody may read, unless that stands in it already; return whether it was written."""
    with suppress(OSError):
        if path.read_bytes() == content:
            return False
    _make(path.parent)
    write_whole(path, content, 0o644)
    return True


def _make(folder: Path) -> None:
    """Make a folder that everybody may look into, with those above it; one that is there stays as it is."""
    for each in reversed([folder, *folder.parents]):
        if not each.is_dir():
            each.mkdir()
            each.chmod(0o755)


LOCK = "publish.lock"
DONE, TROUBLE = "published", "publish-trouble"
Watch = Callable[[tuple[Part, ...]], Iterator[Part]]

log = logging.getLogger(__name__)


def publish(club: Club, folder: Path, *, anew: bool = True, watch: Watch = iter) -> Published:
    """Write the club's pages into a folder; files in it that are not ours stay. *watch* is given their parts, and hands them on.

    Raises:
        ConfigError: it cannot be written, holds something and is not ours, or another process writes the pages just now.
    """
    from .parts import parts_of

    with alone(club.config.folder / LOCK) as ours:
        if not ours:
            raise ConfigError("another process writes the club's pages just now; give the command again in a moment")
        parts = tuple(each.but(make=partial(_clean, club, each)) for each in parts_of(club))
        return write_parts(folder, watch(parts), anew=anew)


def _clean(club: Club, part: Part) -> Files:
    return files_out(club, part.make())


def publish_after_pass(club: Club) -> None:
    """Write the pages into ``publish.folder`` if something has changed since they were written. What is in the way is told to the
    umpire once, in a letter and by `referee status`, and tried again with each pass: a pass never fails by it.
    """
    settings = (club.config.folder / FILE).stat().st_mtime_ns
    state = hashlib.sha256(f"{__version__} {settings} {state_of_pages(club)}".encode()).hexdigest()
    if fact(club, DONE) == state:
        return
    try:
        publish(club, club.config.folder / club.config.publish.folder, anew=False)
    except RefereeError as error:
        _note(club, str(error))
    except Exception as error:  # a fault of ours: the games go on
        log.exception("the club's pages could not be written")
        _note(club, f"a fault of the referee's own: {type(error).__name__}: {error}")
    else:
        with transaction(club):
            write_fact(club, DONE, state)
            write_fact(club, TROUBLE, "")


def trouble(club: Club) -> Pair:
    """Return since when the pages cannot be written and why, two empty texts if they can."""
    told = fact(club, TROUBLE)
    since, why = json.loads(told) if told else ("", "")
    return (since, why) if club.config.publish.folder else ("", "")


def _note(club: Club, why: str) -> None:
    since, before = trouble(club)
    if why == before:
        return
    since = since or format_time(club.now)
    with transaction(club):
        write_fact(club, TROUBLE, json.dumps((since, why), ensure_ascii=False))
        tell_umpire(club, f"unpublished:{since}", "unpublished", {"why": why})
