"""The merchandise cards of a board file, and the numbers that depend on the players: do the cards last?"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.texts.boardfields import BoardReader
from referee.core.texts.tomltext import Where
from referee.games.volldampf.board.board import Merchandise, Numbers
from referee.games.volldampf.board.cities import Cities
from referee.games.volldampf.board.fields import MERCHANDISE, NUMBERS, PLAYER_NUMBERS

CITIES_OF_A_CARD = 3  # Rule: V1.2


def read_cards(reader: BoardReader, cities: Cities) -> tuple[Merchandise, ...]:
    """Return the merchandise cards, numbered from 1 in order of the file."""
    if "cards" not in reader.table("merchandise", MERCHANDISE):
        return ()
    cards: list[Merchandise] = []
    for line, words in reader.source.content(Where(section="merchandise"), "cards"):
        named = [cities.named(line, word.strip(), "on a merchandise card") for word in words.split(",")]
        if len(named) != CITIES_OF_A_CARD:
            says = f'"{words}" names {len(named)}: {CITIES_OF_A_CARD} cities with commas between them expected.'
            reader.blame(line, says)
        elif all(named) and len(set(named)) < len(named):
            reader.blame(line, f'"{words}" names a city twice.')
        cards.append(Merchandise(number=len(cards) + 1, cities=tuple(named)))
    return tuple(cards)


def read_numbers(reader: BoardReader) -> Mapping[int, Numbers]:
    """Return the numbers for each number of players: those of the rules, and what the file sets in their place."""
    written = reader.top.get("players", {})
    for name in written:
        if name not in map(str, NUMBERS):
            says = f'There are no games for "{name}" players: [players.2] to [players.6] expected.'
            reader.blame_field(Where(section=f"players.{name}"), "", says)
    read = {}
    for count, numbers in NUMBERS.items():
        where = Where(section=f"players.{count}")
        fields = (
            reader.fields(written[str(count)], where, PLAYER_NUMBERS, f"[players.{count}]")
            if str(count) in written
            else {}
        )
        read[count] = replace(numbers, **fields)
    return read


def check_lasting(
    reader: BoardReader, numbers: Mapping[int, Numbers], colours: int, track_cards: int, merchandise: int
) -> None:
    """Blame numbers of players for which track cards, sections or merchandise cards run out. Rule: V8.1-V8.3, R32."""
    needs = {
        "track cards": {
            n: (n * it.group_size * it.rounds, deck(it, colours, track_cards)) for n, it in numbers.items()
        },
        "track sections each": {n: (it.group_size * it.rounds, it.sections) for n, it in numbers.items()},
        "merchandise cards": {
            n: (it.setup_cards + it.rounds * it.round_cards, merchandise) for n, it in numbers.items()
        },
    }
    for what, pairs in needs.items():
        short = {n: pair for n, pair in pairs.items() if pair[0] > pair[1]}
        short_of = {n: f"{n} players need {needed} {what}, there are {there}" for n, (needed, there) in short.items()}
        _blame_short(reader, short_of, "merchandise" if what.startswith("merchandise") else "colour")


def _blame_short(reader: BoardReader, short_of: Mapping[int, str], section: str) -> None:
    """Blame the numbers of players with a table of their own there, all others together where the cards are listed."""
    own = reader.top.get("players", {})
    for count, words in short_of.items():
        if str(count) in own:
            reader.blame_field(Where(section=f"players.{count}"), "", f"{words}.")
    usual = [words for count, words in short_of.items() if str(count) not in own]
    if usual:
        reader.blame_field(Where(section=section), "", f"{'; '.join(usual)}.")


def deck(numbers: Numbers, colours: int, track_cards: int) -> int:
    """Return how many track cards are played with. Rule: V2.4."""
    return colours * (track_cards - numbers.remove_per_colour) - numbers.remove_random
