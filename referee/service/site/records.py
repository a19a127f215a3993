"""Statistics over all games of a club that are over: who has won, who plays how, what each map brings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from referee.service.club.club import Club
from referee.service.post.appearance import fact_name
from referee.service.site.games import Shown, person, standings
from referee.store import games as rows
from referee.store.club import facts


def records(club: Club, games: Iterable[Shown]) -> dict[str, Any]:
    """Return ``fame`` (games with their winners, the newest first), ``people`` and ``maps`` for templates.

    Counted together are the games of those who appear by their names; others are seen in the games alone.
    """
    over = [game for game in games if game.is_over and standings(game)]
    return {
        "fame": [_won(game) for game in sorted(over, key=lambda each: each.turns[-1].adjudicated_at, reverse=True)],
        "people": _people(club, over),
        "maps": _maps(over),
    }


def _won(game: Shown) -> dict[str, Any]:
    return {
        "id": game.row.id,
        "game": game.rules.title,
        "board": game.position.board_title,
        "at": game.turns[-1].adjudicated_at,
        "players": len(game.players),
        "winners": [each for each in standings(game) if each["place"] == 1],
    }


def _people(club: Club, over: list[Shown]) -> list[dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for game in over:
        places = {each["code"]: each for each in standings(game)}
        players = rows.players(club.db, game.row.id)
        said = facts(club.db, [fact_name(each.address) for each in players])
        for player in players:
            name = person(club.config, player, said)
            if name and player.code in places:
                found[name].append(places[player.code] | {"of": len(players)})
    told = [
        {
            "name": name,
            "games": len(all_of),
            "won": sum(each["place"] == 1 for each in all_of),
            "place": _tenths(sum(each["place"] * 10 for each in all_of), len(all_of)),
            "most": max(each["amount"] for each in all_of),
        }
        for name, all_of in found.items()
    ]
    return sorted(told, key=lambda each: (-each["won"], each["games"], each["name"]))


def _maps(over: list[Shown]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for game in over:
        found[game.rules.title, game.position.board_title].append(game)
    told = []
    for (title, board), all_of in sorted(found.items()):
        first = [standings(game)[0] for game in all_of]
        best = max(first, key=lambda each: each["amount"])
        told.append(
            {
                "game": title,
                "board": board,
                "games": len(all_of),
                "turns": _tenths(sum(10 * len(game.told) for game in all_of), len(all_of)),
                "winning": _tenths(sum(10 * each["amount"] for each in first), len(first)),
                "most": best["amount"],
                "by": best["name"],
            }
        )
    return told


def _tenths(sum_of_tenths: int, number: int) -> str:
    """Return a mean with one digit behind the point, from ten times its sum."""
    tenths = (2 * sum_of_tenths + number) // (2 * number)
    return f"{tenths // 10}.{tenths % 10}"
