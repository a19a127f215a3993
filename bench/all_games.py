"""Plays every combination of map, preset, pace and number of players, and says how each ended: python -m bench.all_games"""

from __future__ import annotations

import sys
import time
from itertools import product

from referee.core.game import ONE_BY_ONE, TOGETHER
from referee.games.dampfross import GAME
from tests.games.dampfross.everymap import check_money, check_turn
from tests.games.dampfross.recordedgames import agreed
from tests.games.dampfross.wholegame import play_game


def main(only: str = "") -> None:
    """Play them all, or those on the map *only*; a line each."""
    for board, preset, pace, players in product(GAME.boards(), GAME.presets, (TOGETHER, ONE_BY_ONE), range(2, 7)):
        if only and board != only:
            continue
        began = time.perf_counter()
        setup = agreed(board, preset, pace, players)
        opening, turns = play_game(setup, f"{board} {preset} {pace} {players}")
        check_money(opening, turns)
        for turn in turns:
            check_turn(setup, turn)
        final = turns[-1].outcome.state
        run = sum(race.status == "run" for race in final.races)
        words = f"{board:<20}{preset:<9}{pace:<12}{players} players: {len(turns):>4} turns, {run:>2} races, "
        print(f"{words}balances {sorted(final.balance.values(), reverse=True)}, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:2])
