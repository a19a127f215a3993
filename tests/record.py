"""Lets the built-in players play the recorded games anew and writes them down: python -m tests.record [PART OF A NAME]"""

import sys
from collections.abc import Callable, Mapping
from functools import partial

from tests.games.dampfross import recordedgames as dampfross
from tests.games.recorded import Written, write_recording
from tests.games.volldampf import wholegame as volldampf

Played = Mapping[int, Written]  # the lines by turn


def games() -> dict[tuple[str, str], Callable[[], Played]]:
    """Return what plays each recorded game anew, by the kind and the name of the game."""
    return {
        **{("dampfross", name): partial(dampfross.played_anew, name) for name in dampfross.games()},
        **{("volldampf", name): partial(volldampf.played_anew, name) for name in volldampf.games()},
    }


def main(part: str = "") -> None:
    """Record the games whose names hold *part*."""
    for (kind, name), play in games().items():
        if part in f"{kind} {name}":
            written = play()
            write_recording(kind, name, written)
            print(f"{kind} {name}: {len(written)} turns", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
