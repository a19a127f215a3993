"""Prints what the house weighs, in tokens of Python and in files: python -m bench.weight [FOLDER] [--beside REV]

A token is one of ``tokenize``, without comments, docstrings, line ends and indents. FOLDER: another checkout than this one.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import tarfile
import tempfile
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path

_WEIGHTLESS = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_RULES_HALF = ("referee/core", "referee/games", "referee/scenario", "referee/bots")
_RULES_TESTS = ("tests/games", "tests/scenario", "tests/bots")
_TOTALS = (_RULES_HALF, _RULES_TESTS, ("referee",), ("tests",), ("bench",))


@dataclass(frozen=True, slots=True)
class Weight:
    """Tokens, and the files they stand in."""

    tokens: int
    files: int


def weight_of(*folders: Path) -> Weight:
    """Return the weight of all Python below some folders; nothing where there is no such folder."""
    texts = [file.read_text("utf-8") for folder in folders for file in sorted(folder.rglob("*.py"))]
    return Weight(sum(map(tokens_in, texts)), len(texts))


def tokens_in(text: str) -> int:
    """Return how many tokens a module has that weigh something."""
    docstrings = set(_docstrings(ast.parse(text)))
    return sum(
        each.type not in _WEIGHTLESS and not (each.type == tokenize.STRING and each.start in docstrings)
        for each in tokenize.generate_tokens(StringIO(text).readline)
    )


def _docstrings(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield (line, column) where each docstring begins."""
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].lineno, node.body[0].col_offset


def _rows(root: Path) -> dict[str, Weight]:
    rooms = sorted(each for each in (root / "referee").iterdir() if each.is_dir() and any(each.rglob("*.py")))
    rows = {f"referee/{room.name}": weight_of(room) for room in rooms}
    return rows | {" + ".join(names): weight_of(*(root / name for name in names)) for names in _TOTALS}


def _unpack(revision: str, into: Path) -> None:
    packed = subprocess.run(["git", "archive", revision], check=True, capture_output=True).stdout  # noqa: S603, S607
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(into)  # noqa: S202 - of our own repository


def main() -> None:
    """Print a row for each room of the referee and for the whole, with the same of another commit beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="a checkout (default: this one)")
    parser.add_argument("--beside", metavar="REV", help="weigh another commit of this repository, too")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if words.beside:
            _unpack(words.beside, Path(scratch))
        before = _rows(Path(scratch)) if words.beside else {}
        for name, now in _rows(words.folder).items():
            then = before.get(name, Weight(0, 0))
            beside = f"{then.tokens:>12,} {then.files:>5}{now.tokens - then.tokens:>+10,}" if before else ""
            print(f"{name:<62}{now.tokens:>9,} {now.files:>5}{beside}")


if __name__ == "__main__":
    main()
