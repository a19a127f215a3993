"""What docs/promises.md promises, as this version has it: written down by ``python -m tests.promised`` before a release.

A file a version lies in ``tests/promises``. It is never changed after its release; ``tests/test_promises.py`` holds every later
program to it.
"""

import json
import re
import sqlite3
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import jinja2
import jinja2.nodes
from jinja2.meta import find_undeclared_variables

from referee import __version__, core
from referee.cli import main
from referee.cli.base import leaves
from referee.config.settings import SETTINGS
from referee.games import games
from referee.report.templates import bare_environment
from tests.posthouse import ANN, BOB, INSTALLED, ROOT, PostHouse

Lists = dict[str, list[str]]

FOLDER = ROOT / "tests" / "promises"
JSON_CALLS = (
    "status", "status RR1", "game list", "game signups RR2", "game umpire RR1", "game watch RR1", "game faces RR1", "letters",
    "letters 1", "outbox", "players", "standby", "log RR1", "dice RR1", "explain RR1 1", "verify RR1", "replay RR1",
    "calendar RR1", "doctor --local",
)  # fmt: skip
EXAMPLES = {"scenario": "scenarios", "map": "maps", "board": "boards"}  # what is copied of which pages of docs/


def shape(value: Any, path: str = "") -> Iterator[str]:
    """Yield every key of a JSON value as ``[].number: int``; keys that are names of people, letters or throws are ``*``."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from shape(each, f"{path}.{key if re.fullmatch('[a-z][a-z_]*', key) else '*'}".lstrip("."))
    elif isinstance(value, list):
        for each in value:
            yield from shape(each, f"{path}[]")
    elif value is not None:
        yield f"{path}: {type(value).__name__}"


def printed_json(house: PostHouse) -> Lists:
    """Return the shape of what each command prints with ``--json`` of a club with something in every listing."""
    house.game()
    house.send(ANN, "STEP 3")
    house.later(days=8)
    house.send(ANN, "x" * 2_100_000)
    house.game()
    house.command("standby", "Cecil <cecil@example.com>")
    house.command("game", "umpire", "RR1", "Bea <bea@example.org>")
    house.command("game", "open", "tinyrace", "--map", "line")
    house.command("note", "RR1", "A paragraph")
    told = {call: house.command(*call.split(), "--json").stdout for call in JSON_CALLS}
    return {call: sorted(set(shape(json.loads(text)))) for call, text in told.items() if text.strip()}


def command_line() -> Lists:
    """Return arguments and options of every command."""
    return {
        path: sorted(
            name
            for parameter in command.params
            for name in (
                parameter.opts if isinstance(parameter, click.Option) else [parameter.make_metavar(click.Context(main))]
            )
        )
        for path, command in leaves("", main)
    }


def words_of_orders() -> Lists:
    """Return the words that letters may use for each verb, word and number of the order languages."""
    found: Lists = {}
    for file in sorted((ROOT / "orders").glob("*/verbs.toml")):
        tables = tomllib.loads(file.read_text("utf-8"))
        for name, verb in tables.get("verb", {}).items():
            given = [*verb.get("aliases", ()), *(word for words in verb.get("in", {}).values() for word in words)]
            found[f"{file.parent.name} {name}"] = sorted({name, *given})
        for section in ("words", "numbers"):
            found |= {
                f"{file.parent.name} {section}.{name}": sorted(words) for name, words in tables.get(section, {}).items()
            }
    return found


def values_of_templates(*, ours: bool) -> Lists:
    """Return what each shipped template is given, as far as it reads it: ``game``, ``game.id``, the filter ``|day``.

    Names that any template sets itself are *ours*, which an included one may read: they are no promise.
    """
    environment = bare_environment()
    files = sorted(file for game in ("common", *games()) for file in (ROOT / "templates" / game).glob("*.j2"))
    trees = {file: environment.parse(file.read_text("utf-8")) for file in files}
    own = {"_", "gettext", "ngettext"}
    for tree in trees.values():
        own |= {node.name for node in tree.find_all(jinja2.nodes.Name) if node.ctx != "load"}
        own |= {node.target for node in tree.find_all(jinja2.nodes.Import)}
    found: Lists = {}
    for file, tree in trees.items():
        filters = {node.name for node in tree.find_all(jinja2.nodes.Filter)}
        environment.filters |= dict.fromkeys(filters - set(environment.filters), str)
        given = find_undeclared_variables(tree) - (set() if ours else own)
        chains = {_chain(node) for node in tree.find_all(jinja2.nodes.Getattr)}
        read = {chain for chain in chains if chain.partition(".")[0] in given}
        found[str(file.relative_to(ROOT / "templates"))] = sorted(given | read | {f"|{name}" for name in filters})
    return found


def _chain(node: jinja2.nodes.Node) -> str:
    if isinstance(node, jinja2.nodes.Getattr):
        return f"{_chain(node.node)}.{node.attr}"
    return node.name if isinstance(node, jinja2.nodes.Name) else ""


def surface(*, ours: bool) -> dict[str, Any]:
    """Return all that can be looked up by its name."""
    with tempfile.TemporaryDirectory() as folder, PostHouse(Path(folder) / "club") as house:
        printed = printed_json(house)
    codes = {each.exit_code for each in vars(core).values() if hasattr(each, "exit_code")}
    return {
        "settings": {setting.path: [type(setting.default).__name__] for setting in SETTINGS},
        "commands": command_line(),
        "json": printed,
        "exit codes": {str(code): [] for code in sorted(codes)},
        "orders": words_of_orders(),
        "templates": values_of_templates(ours=ours),
    }


def examples() -> dict[str, str]:
    """Return scenarios, a map and a board that docs/ prints, by the names of their files."""
    found: dict[str, str] = {}
    for what, page in EXAMPLES.items():
        text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
        blocks = re.findall(r"^```toml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        whole = [block for block in blocks if block.startswith(("title = ", 'format = "'))]
        found |= {
            f"{what}{number}.toml": block for number, block in enumerate(whole if what == "scenario" else whole[:1], 1)
        }
    return found


def exported_game() -> str:
    """Return what has been revealed of a game that is over."""
    with tempfile.TemporaryDirectory() as folder, PostHouse(Path(folder) / "club") as house:
        house.game()
        for _ in range(4):
            house.send(ANN, "STEP 3")
            house.later(days=8)
        return house.export()


def live(folder: Path) -> None:
    """Make a club in *folder* with what an upgrade must keep: a played turn, letters, an act, one that waits for its player."""
    with PostHouse(folder, club__name="Our club") as house:
        house.game()
        house.send(ANN, "STEP 3\nPRESS: Good morning!")
        house.send(BOB, "STEP 2")
        house.later(days=8)
        house.send(ANN, "STEP 1")
        house.command("note", "RR1", "A paragraph")


def dumped(folder: Path) -> str:
    """Return the database of a club as SQL."""
    with closing(sqlite3.connect(folder / "referee.db")) as store:
        return "\n".join(store.iterdump()) + "\n"


def club() -> dict[str, str]:
    """Return the files of a club that was lived in."""
    with tempfile.TemporaryDirectory() as folder:
        live(Path(folder) / "club")
        settings = (Path(folder) / "club" / "referee.toml").read_text("utf-8")
        return {"club.sql": dumped(Path(folder) / "club"), "referee.toml": settings}


def write(version: str) -> None:
    """Write what a version promises into its folder."""
    folder = FOLDER / version
    folder.mkdir(parents=True, exist_ok=True)
    said = json.dumps(surface(ours=False), indent=1, sort_keys=True, ensure_ascii=False)
    files = {"surface.json": said + "\n", "game.json": exported_game(), **examples(), **club()}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.path.append(str(INSTALLED))  # the tiny game of the tests, as tests/conftest.py has it
    write(__version__)
