"""The cache of a club: spares work, and is passed over wherever it could be wrong."""

from __future__ import annotations

import os
from pathlib import Path

import jinja2
import pytest

from referee import cache as made_by
from referee.cache import MOST, Cache
from referee.orderbook.language.tokens import tables_of
from referee.report.templates import bare_environment
from referee.resources import order_texts
from tests.posthouse import ANN, PostHouse


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
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    for made in ("referee.report.templates._KEPT", "referee.service.club.positions._PARSERS"):
        monkeypatch.setattr(made, {})  # as in a new process
    house.game()
    house.send(ANN, "STEP 3")
    files = list((house.club.config.folder / "cache").iterdir())
    assert files
    for file in files:
        file.write_bytes(b"spoiled")
    house.send(ANN, "STEP 2")
    assert "STEP 2" in house.text(ANN)
