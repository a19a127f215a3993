"""Whole games, kept as the lines that built-in players wrote in them: to play one again asks none of them, nor takes their time.

``make record`` lets them play anew and writes the files. A game that is played again tells when it is stale: lines are missing
or left over, or built-in players, who are asked in two of its turns, would write others. ``make test-long`` asks them in more.
"""

from collections.abc import Callable, Mapping
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, TypeVar, cast

from filelock import FileLock
from msgspec import field

from referee.core import Value

FOLDER = Path(__file__).parent / "recorded"
PLAYED: Path | None = None  # a folder that the processes of a run of tests have in common
STALE = "the recorded game {name} is stale ({why}): `make record` lets the built-in players play it anew"

Lines = tuple[str, ...]
Writer = Callable[[Any, str], Lines]  # what a player writes in a position
Written = Mapping[str, Lines]  # by player
T = TypeVar("T")


class Stale(AssertionError):
    """The built-in players no longer play a game as it was recorded."""


class Recording(Value):
    """Players who write what they wrote when the game was recorded. ``turns``: by number."""

    name: str
    turns: Mapping[int, Written]
    used: set[tuple[int, str]] = field(default_factory=set)

    def __call__(self, state: Any, player: str) -> Lines:
        lines = self.turns.get(state.turn, {}).get(player)
        if lines is None:
            raise Stale(STALE.format(name=self.name, why=f"no lines of {player} in turn {state.turn}"))
        self.used.add((state.turn, player))
        return lines

    def compare(self, positions: Mapping[int, Any], built_in: Writer, every: int = 0) -> None:
        """Fail if lines are left over, or if built-in players would write others in the longest turn or in the last.

        *positions*: those before each turn that was played. *every*: they are asked in every so manieth turn, too.
        """
        kept = {(turn, player) for turn, written in self.turns.items() for player in written}
        if kept != self.used:
            raise Stale(STALE.format(name=self.name, why=f"left over: {sorted(kept - self.used)}"))
        written = {turn: [line for lines in kept.values() for line in lines] for turn, kept in self.turns.items()}
        longest = max(self.turns, key=lambda turn: len(written[turn]))
        last = max(turn for turn in self.turns if set(written[turn]) != {"PASS"})
        for turn in sorted({longest, last, *(list(self.turns)[::every] if every else ())}):
            for player, lines in self.turns[turn].items():
                self.compare_lines(turn, player, built_in(positions[turn], player), lines)

    def compare_lines(self, turn: int, player: str, written: Lines, kept: Lines) -> None:
        """Fail if what is written is not what was kept."""
        if written != kept:
            raise Stale(STALE.format(name=self.name, why=f"turn {turn}, {player}: {written}, recorded: {kept}"))


def read_recording(game: str, name: str) -> Recording:
    """Return a game as it was recorded."""
    turns: dict[int, dict[str, Lines]] = {}
    player = ""
    for line in path_of(game, name).read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "##":
            turn = turns.setdefault(int(rest), {})
        elif word == "#":
            player = rest
            turn[player] = ()
        else:
            turn[player] += (line,)
    return Recording(name=name, turns=turns)


def once(name: str, play: Callable[[str], T]) -> T:
    """Play a game; where another process of the run has played it, return what that one kept."""
    if not PLAYED:
        return play(name)
    kept = PLAYED / f"{name}.played"
    with FileLock(f"{kept}.lock"):
        if kept.exists():
            return cast("T", ForkingPickler.loads(kept.read_bytes()))
        played = play(name)
        kept.write_bytes(ForkingPickler.dumps(played))
        return played


def write_recording(game: str, name: str, turns: Mapping[int, Written]) -> None:
    """Keep the lines of a game that was played."""
    told: list[str] = []
    for turn, written in turns.items():
        told.append(f"## {turn}")
        for player, lines in written.items():
            told += (f"# {player}", *lines)
    path = path_of(game, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(told) + "\n", "utf-8")


def path_of(game: str, name: str) -> Path:
    """Return where a game is kept."""
    return FOLDER / game / f"{name.replace(' ', '-')}.txt"
