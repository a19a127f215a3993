"""Changes one operator or constant of the house at a time, and tells which of the changes its tests notice: `make mutants`

Each change stands in a copy of the tree, and the tests of its room (``TESTS``) are run on it. A change that says the same as
what stood there cannot be told from one that no test notices: both have lived.
"""

import argparse
import ast
import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired

ROOT = Path(__file__).parents[1]
# The tests of each room, the nearest first; the last room that a file begins with is its own.
TESTS = {
    "": "tests/test_*.py tests/service",
    "bots": "tests/bots tests/games",
    "core": "tests/games tests/test_cli_maps.py tests/scenario tests/report tests/orderbook tests/store",
    "games/dampfross": "tests/games/dampfross tests/test_cli_maps.py tests/games/test_*.py tests/report",
    "games/volldampf": "tests/games/volldampf tests/test_cli_maps.py tests/games/test_*.py tests/report",
    "mail": "tests/mail tests/orderbook tests/letters tests/reader tests/service",
    "orderbook": "tests/orderbook tests/letters tests/games tests/reader tests/service",
    "reader": "tests/reader tests/orderbook tests/service",
    "report": "tests/report tests/games tests/site tests/service tests/test_p*.py",
    "scenario": "tests/scenario tests/test_cli_maps.py",
    "service": "tests/service tests/site tests/letters tests/test_[b-d]*.py tests/test_[p-s]*.py",
    "store": "tests/store tests/service tests/test_files.py",
}
_UNUSED = {".git", ".venv", ".mypy_cache", "node_modules", "build", "dist", "demo"}
_PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv)),
)
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of a file; ``number`` counts those that the file can have."""

    file: str
    number: int
    change: str

    @property
    def room(self) -> str:  # the key in TESTS
        return [room for room in TESTS if self.file.removeprefix("referee/").startswith(room)][-1]


def mutants_in(file: str) -> Iterator[tuple[Mutant, ast.Module]]:
    """Yield each change a module can have, with the module, which is as before once the next one is asked for."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    nodes = [(node, *found) for node in _code(tree) if (found := _other(node))]
    for number, (node, field, other) in enumerate(nodes):
        value, before = getattr(node, field), ast.unparse(node)
        setattr(node, field, other)
        change = " ".join(f"{before[:70]} -> {ast.unparse(node)[:70]}".split())
        yield Mutant(file, number, f"{file}:{getattr(node, 'lineno', 0)}  {change}"), tree
        setattr(node, field, value)


def _other(node: ast.AST) -> tuple[str, object] | None:
    """Return which field of a node can have what else."""
    match node:
        case ast.Constant(value=bool() as value):
            return "value", not value
        case ast.Constant(value=int() as value):
            return "value", value + 1
        case ast.UnaryOp(op=ast.Not()):
            return "operand", ast.UnaryOp(ast.Not(), node.operand)
        case ast.Compare(ops=[first, *more]):
            return "ops", [_OTHER[type(first)](), *more]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _OTHER:
            return "op", _OTHER[type(op)]()
    return None


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, without what only the type checker reads."""
    yield node
    for field, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST) and field not in ("annotation", "returns"):
                yield from _code(each)


def draw(seed: str, count: int, part: str) -> tuple[list[Mutant], int]:
    """Return as many changes as asked for, and how many there are; a change elsewhere in the house draws no others."""
    files = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "referee").rglob("*.py")))
    mutants = [each for file in files if file.startswith(part) for each, _ in mutants_in(file)]
    lots = {each: hashlib.sha256(f"{seed} {each.file} {each.number}".encode()).digest() for each in mutants}
    drawn = set(sorted(mutants, key=lots.__getitem__)[:count])
    return [each for each in mutants if each in drawn], len(mutants)


def outcome(tree: Path, room: str, limit: float, file: str = "") -> str:
    """Return what the tests of a room say to a tree: ``killed`` where one fails, ``lived`` or ``timeout`` (seconds).

    Those that import the changed *file* begin.
    """
    paths = (path for each in TESTS[room].split() for path in sorted(tree.glob(each)))
    found = [test for path in paths for test in sorted(path.rglob("test_*.py")) or [path]]
    module = file.removesuffix(".py").replace("/", ".")
    found.sort(key=lambda test: module not in test.read_text("utf-8"))
    wanted = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not testlong and not testdesk"]
    command = [sys.executable, "-m", "pytest", *wanted, *dict.fromkeys(map(str, found))]
    told = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    with Popen(command, cwd=tree, env=told, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True) as tests:
        try:
            return "killed" if tests.wait(limit) else "lived"
        except TimeoutExpired:
            return "timeout"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(tests.pid, signal.SIGKILL)


def main() -> None:
    says = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition("\n")[0])
    says.add_argument("--seed", default="1")
    says.add_argument("--count", type=int, default=50)
    says.add_argument("--part", default="referee", help="what files begin with, such as referee/games/dampfross")
    says.add_argument("--limit", type=float, default=900, help="seconds that the tests of one change may take")
    asked = says.parse_args()
    mutants, share = draw(asked.seed, asked.count, asked.part)
    print(f"{len(mutants)} of {share} changes in {asked.part}, seed {asked.seed}")
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=lambda folder, _: _UNUSED if Path(folder) == ROOT else ())
        for room in sorted({each.room for each in mutants}):
            if outcome(tree, room, asked.limit) != "lived":
                sys.exit(
                    f"the tests of referee/{room} fail, or take longer than {asked.limit} seconds, without a change"
                )
        for each in mutants:
            changed = next(ast.unparse(module) for mutant, module in mutants_in(each.file) if mutant == each)
            (tree / each.file).write_text(changed, "utf-8")
            outcomes.append(outcome(tree, each.room, asked.limit, each.file))
            shutil.copy2(ROOT / each.file, tree / each.file)
            print(f"{outcomes[-1]:8}{each.change}", flush=True)
    print(f"{outcomes.count('killed')} of {len(outcomes)} killed, {outcomes.count('timeout')} timed out")


if __name__ == "__main__":
    main()
