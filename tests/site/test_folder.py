"""A folder of pages: written where something changed, whole at any moment, and nothing of others is touched."""

from pathlib import Path

import pytest

from referee.core import ConfigError
from referee.service.site.publish import MANIFEST, Files, Part, write_parts


def part(name: str, mark: str, files: Files, made: list[str] | None = None) -> Part:
    def make() -> Files:
        if made is not None:
            made.append(name)
        return files

    return Part(name=name, mark=mark, make=make)


def test_a_part_is_made_where_its_mark_changed_and_written_where_it_reads_otherwise(tmp_path: Path) -> None:
    folder, made = tmp_path / "club" / "www", list[str]()
    first = write_parts(
        folder, [part("a", "1", {"a/index.html": b"one"}, made), part("b", "1", {"b.html": b"two"}, made)]
    )
    assert (first.written, made) == (("a/index.html", "b.html"), ["a", "b"])
    stamp = (folder / "b.html").stat().st_mtime_ns
    again = [part("a", "1", {"a/index.html": b"not asked"}, made), part("b", "2", {"b.html": b"two"}, made)]
    assert write_parts(folder, again).written == ()
    assert made == ["a", "b", "b"]
    assert ((folder / "a/index.html").read_bytes(), (folder / "b.html").stat().st_mtime_ns) == (b"one", stamp)
    assert write_parts(folder, again, anew=True).written == ("a/index.html",)


def test_a_file_that_somebody_deleted_comes_back(tmp_path: Path) -> None:
    pages = [part("a", "1", {"a.html": b"one"})]
    write_parts(tmp_path / "www", pages)
    (tmp_path / "www/a.html").unlink()
    assert write_parts(tmp_path / "www", pages).written == ("a.html",)


def test_what_is_gone_is_removed_and_what_is_not_ours_stays(tmp_path: Path) -> None:
    write_parts(tmp_path, [part("a", "1", {"RR1/index.html": b"one", "RR1/board.png": b"two"})])
    (tmp_path / "RR1/notes.txt").write_text("the umpire's own")
    done = write_parts(tmp_path, [part("a", "2", {"RR1/index.html": b"one"})])
    assert done.removed == ("RR1/board.png",)
    assert sorted(path.name for path in (tmp_path / "RR1").iterdir()) == ["index.html", "notes.txt"]
    write_parts(tmp_path, [])
    assert [path.name for path in (tmp_path / "RR1").iterdir()] == ["notes.txt"]


def test_a_list_that_names_files_elsewhere_removes_none_of_them(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("")
    write_parts(tmp_path / "www", [part("a", "1", {"a.html": b"one"})])
    (tmp_path / "www" / MANIFEST).write_text('{"a": {"mark": "1", "files": {"../kept": "0", "a.html": "0"}}}')
    write_parts(tmp_path / "www", [])
    assert kept.exists()
    assert not (tmp_path / "www/a.html").exists()


def test_everybody_may_read_pages_whatever_the_umask(tmp_path: Path) -> None:
    write_parts(tmp_path / "www", [part("a", "1", {"RR1/a.html": b"one"})])
    modes = [(tmp_path / place).stat().st_mode & 0o777 for place in ("www", "www/RR1", "www/RR1/a.html")]
    assert modes == [0o755, 0o755, 0o644]


def test_a_crash_in_the_middle_leaves_the_old_page_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parts(tmp_path, [part("a", "1", {"a.html": b"old", "b.html": b"old"})])
    real, left = Path.replace, [2]

    def dies(self: Path, target: Path) -> Path:
        if not self.name.startswith(f".{MANIFEST}"):
            left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return real(self, target)

    newer = [part("a", "2", {"a.html": b"newer", "b.html": b"newer"})]
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", dies)
        with pytest.raises(KeyboardInterrupt):
            write_parts(tmp_path, newer)
    assert [(tmp_path / name).read_bytes() for name in ("a.html", "b.html")] == [b"newer", b"old"]
    assert write_parts(tmp_path, newer).written == ("b.html",)
    assert sorted(path.name for path in tmp_path.iterdir()) == [MANIFEST, "a.html", "b.html"]


def test_a_folder_with_something_in_it_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "thesis.odt").write_text("")
    with pytest.raises(ConfigError, match="is not empty and holds no pages of ours"):
        write_parts(tmp_path, [part("a", "1", {"a.html": b"one"})])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.odt"]


def test_a_damaged_list_has_everything_made_anew(tmp_path: Path) -> None:
    pages = [part("a", "1", {"a.html": b"one"})]
    write_parts(tmp_path, pages)
    (tmp_path / MANIFEST).write_text("[1")
    (tmp_path / "a.html").write_bytes(b"other")
    assert write_parts(tmp_path, pages).written == ("a.html",)
