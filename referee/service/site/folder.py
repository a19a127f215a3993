"""A folder of pages, written part by part where something changed. Each file is written beside and then renamed: whoever reads
one, or cuts the power, finds the old one or the new one whole.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from referee.core.errors import ConfigError
from referee.core.values import Value

MANIFEST = ".referee-pages.json"  # by it a folder is ours, and files in it that are no longer wanted are known

Files = dict[str, bytes]  # by their places, with / between folders


class Part(Value):
    """Pages that belong together. ``mark`` is another one whenever they might read otherwise; "": they are made in any case."""

    name: str
    mark: str
    make: Callable[[], Files]


class Written(Value):
    """What was done to a folder: places of files that were written, and of those removed."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class _Kept(Value):
    mark: str
    files: dict[str, str]  # SHA-256 by place


def write_parts(folder: Path, parts: Iterable[Part], *, anew: bool = False) -> Written:
    """Write what changed and remove what is gone of ours; what else lies in the folder stays. *anew*: make every part, whatever
    its mark.

    Raises:
        ConfigError: the folder cannot be written, or holds something and is not ours.
    """
    try:
        return _write(folder, parts, anew)
    except OSError as error:
        raise ConfigError(f"{folder}: the pages cannot be written: {error.strerror or error}") from error


def _write(folder: Path, parts: Iterable[Part], anew: bool) -> Written:
    before = _take(folder)
    kept: dict[str, _Kept] = {}
    written: list[str] = []
    for part in parts:
        # Everybody may read the list, and a mark holds words that pages do not.
        known, mark = before.get(part.name), part.mark and hashlib.sha256(part.mark.encode()).hexdigest()
        if known and mark and known.mark == mark and not anew and _is_there(folder, known):
            kept[part.name] = known
            continue
        files = part.make()
        written += [place for place, content in files.items() if _put(folder / place, content)]
        hashes = {place: hashlib.sha256(content).hexdigest() for place, content in files.items()}
        kept[part.name] = _Kept(mark=mark, files=hashes)
        _write_manifest(folder, before | kept)
    wanted = {place for part in kept.values() for place in part.files}
    gone = sorted({place for part in before.values() for place in part.files} - wanted)
    for place in gone:
        _remove(folder, place)
    _write_manifest(folder, kept)
    return Written(written=tuple(written), removed=tuple(gone))


def _take(folder: Path) -> dict[str, _Kept]:
    """Return what we wrote into a folder; one that is not there is made, an empty one becomes ours."""
    manifest = folder / MANIFEST
    _make(folder)
    try:
        told = json.loads(manifest.read_text("utf-8"))
        return {name: _Kept(mark=mark, files=files) for name, (mark, files) in told.items()}
    except FileNotFoundError:
        if any(folder.iterdir()):
            raise ConfigError(
                f"{folder} is not empty and holds no pages of ours: name an empty folder, or one that is not there"
            ) from None
    except (ValueError, TypeError, AttributeError):
        pass  # a damaged list: all is made anew
    _write_manifest(folder, {})
    return {}


def _write_manifest(folder: Path, kept: Mapping[str, _Kept]) -> None:
    told = {name: (part.mark, part.files) for name, part in kept.items()}
    _put(folder / MANIFEST, json.dumps(told, indent=1, sort_keys=True).encode())


def _is_there(folder: Path, part: _Kept) -> bool:
    return all((folder / place).is_file() for place in part.files)


def _put(path: Path, content: bytes) -> bool:
    """Write a file that everybody may read, unless that stands in it already; return whether it was written."""
    with suppress(OSError):
        if path.read_bytes() == content:
            return False
    _make(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(0o644)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return True


def _make(folder: Path) -> None:
    """Make a folder that everybody may look into, with those above it; one that is there stays as it is."""
    for each in reversed([folder, *folder.parents]):
        if not each.is_dir():
            each.mkdir()
            each.chmod(0o755)


def _remove(folder: Path, place: str) -> None:
    path = folder / place
    if folder.resolve() not in path.resolve().parents:  # the list may be anybody's
        return
    path.unlink(missing_ok=True)
    with suppress(OSError):
        path.parent.rmdir()  # if nothing else is in it
