"""Lets built-in players try the maps that come with the program, for `referee map try`: python -m bench.tried [--games 50]"""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.bots.trial import ANSWERS
from referee.cli import maps
from referee.games import game_named


def main() -> None:
    """Write the figures of each map, in the file where `referee map try` looks for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=maps.GAMES, help="on each map")
    parser.add_argument("-o", "--output", type=Path, default=maps.FIGURES)
    words = parser.parse_args()
    lines = ["# What built-in players make of the maps that come with the program: `make tried` plays and writes it.\n"]
    for kind in ANSWERS:
        for board in game_named(kind).boards():
            *_, tried = maps.try_map(kind, board, words.games)[1]
            figures = "".join(f"{name} = {figure}\n" for name, figure in sorted(tried.means().items()))
            lines.append(f'[{kind}."{board}"]\ngames = {words.games}\n{figures}')
            print(lines[-1], flush=True)
            words.output.write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main()
