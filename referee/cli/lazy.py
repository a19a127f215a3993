"""Commands that are imported when they are called: a tick by cron need not wait for what a demo needs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping

import click

# Examples that commands print below their help: by the words that call each, command lines without the word
# ``referee``.

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "setup": ("setup /var/lib/referee/rail", "setup /var/lib/referee/rail --smtp smtp.provider.example:587"),
    "init": (
        'init club --name "Our club" --address referee@club.example --umpire you@club.example --zone Europe/Dublin',
    ),
    "game new": (
        'game new dampfross --map ireland --player "GSW:red:Ann <ann@example.org>" --player "MGW:blue:Bob <bob@example.org>"',
        "game new --from game.toml",
    ),
    "game list": ("game list", "game list --json"),
    "game export": ("game export RR7 -o RR7.json", "game export RR7 --secrets -o RR7.whole"),
    "import": ("import RR7.whole",),
    "game rules": ("game rules RR7",),
    "game watch": ("game watch RR7",),
    "game umpire": (
        "game umpire RR7",
        'game umpire RR7 "Bea <bea@example.org>"',
        "game umpire RR7 --remove bea@example.org",
    ),
    "status": ("status", "status RR7", "status --json"),
    "log": ("log RR7",),
    "accept": ('accept 214 --because "Your provider held it up."',),
    "preview": ("preview RR7", "preview RR7 GSW"),
    "dice": ("dice RR7", "dice RR7 rolls/2/1=5 rolls/2/2=3", "dice RR7 --forget rolls/2/1"),
    "hold": ('hold RR7 --because "Bob is in hospital"',),
    "resume": ("resume RR7", 'resume RR7 --deadline "2026-12-20 20:00"'),
    "play": ("play RR7 3",),
    "standby": ("standby", 'standby "Cecil <cecil@example.org>"', "standby --remove cecil@example.org"),
    "tick": ("tick", "--club /srv/club tick"),
    "run": ("--club /srv/club run",),
    "read": ("read letter.eml", "read letter.eml --game RR7 --json"),
    "letters": ("letters", "letters --status held", "letters 214"),
    "code": ("code RR7 GSW", "code RR7 GSW --renew"),
    "address": ("address RR7 GSW", "address RR7 GSW ann@example.com"),
    "outbox": ("outbox", "outbox --json"),
    "outbox retry": ("outbox retry", "outbox retry --failed", "outbox retry 301 302"),
    "metrics": ("metrics",),
    "newsletter": (
        "newsletter RR7",
        "newsletter RR7 3 --player GSW",
        "newsletter RR7 3 --edition 1",
        "newsletter RR7 --pdf RR7.pdf --map-paper a3",
    ),
    "board": ("board RR7 -o board.svg", "board RR7 --company GSW -o gsw.png"),
    "replay": ("replay RR7",),
    "map check": ("map check my_land.toml", "map check ireland"),
    "map edit": ("map edit my_land.toml", "map edit my_land.toml --take ~/Downloads/my_land.toml"),
    "map scan": ("map scan sheet.pdf --page 2 -o sheet.png",),
    "map draw": ("map draw my_land.toml -o my_land.svg",),
    "map try": ("map try my_land.toml", "map try my_land.toml --games 20 -o heat.png"),
    "map new": ("map new --cols 30 --rows 40 -o my_land.toml",),
    "verify": ("verify RR7", "verify RR7.json --throws"),
    "doctor": ("doctor", "doctor --local", "doctor --send you@club.example"),
    "forget": ("forget ann@example.org", "forget ann@example.org --yes"),
    "backup": ("backup /srv/backups/2026-12-20",),
    "scenario": ("scenario my_case.toml --explain",),
    "demo": ("demo", "demo volldampf --into volldampf"),
    "practice": (
        "practice",
        "practice volldampf --players 4 --into volldampf",
        "practice dampfross --map bavaria --lang de --no-browser",
        "practice --orders my_orders.txt",
    ),
    "game open": ("game open dampfross --map ireland --seats 5 --when-full",),
    "game invite": ('game invite RR7 "Ann <ann@example.org>" "Bob <bob@example.org>"',),
    "game signups": ("game signups RR7",),
    "game archive": ("game archive RR7",),
    "game start": ("game start RR7",),
    "game close": ('game close RR7 --because "Too few have signed up."',),
}


def leaves(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield what does something, with the words that call it: a command, or all below it."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from leaves(f"{path} {name}".strip(), each)


def with_examples(path: str, command: click.Command) -> click.Command:
    """Return a command, and all below it, with the examples for its help."""
    if path in EXAMPLES:
        lines = "\n".join(f"  referee {line}" for line in EXAMPLES[path])
        command.epilog = f"\b\nExample{'s' if len(EXAMPLES[path]) > 1 else ''}:\n{lines}"
    for name, each in getattr(command, "commands", {}).items():
        with_examples(f"{path} {name}", each)
    return command


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name, in the order in which they were put here; *places* says by groups ``module:name`` of each."""

    def __init__(self, places: Mapping[str, Mapping[str, str]]) -> None:
        self._places = {name: place for group in places.values() for name, place in group.items()}
        self._taken: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._taken:
            module, _, own_name = self._places[name].partition(":")
            command = getattr(importlib.import_module(f"referee.cli.{module}"), own_name)
            self._taken[name] = with_examples(name, command)
        return self._taken[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._places[name], self._taken[name] = "", command

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._taken.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
