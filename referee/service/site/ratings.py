"""Ratings of players over all games that are over, reckoned anew each time: the model of Plackett and Luce, by openskill.

What is told is the mean that a player is thought to have less three times the doubt about it: 0 for a newcomer.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from referee.service.club.club import Club
from referee.service.letters.reliability import persons
from referee.service.post.readers import is_built_in
from referee.service.site.games import Shown, shown, standings
from referee.store import games

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

METHOD = "Plackett-Luce (openskill)"


def ratings(club: Club, told: Iterable[Shown] | None = None) -> dict[str, float]:
    """Return the rating of each person (``persons``) who has played a game to its end against others, with one digit behind the
    point; nothing where openskill is not installed.
    """
    if find_spec("openskill") is None:
        return {}
    from openskill.models import PlackettLuce

    model, whose = PlackettLuce(), persons(club.db)
    found: dict[str, PlackettLuceRating] = {}
    over = [each for each in told or [shown(club, row) for row in games.all_games(club.db)] if each.is_over]
    for game in sorted(over, key=lambda each: (each.turns[-1].adjudicated_at, each.row.id)):
        places = {each["code"]: each["place"] for each in standings(game)} if game.told else {}
        seats = [each for each in games.players(club.db, game.row.id) if each.code in places]
        people = {whose(each.address): places[each.code] for each in seats if not is_built_in(each.address)}
        if len(people) > 1:
            teams = [[found.get(each) or model.rating()] for each in people]
            rated = model.rate(teams, ranks=[float(place) for place in people.values()])
            found |= {each: team[0] for each, team in zip(people, rated, strict=True)}
    return {each: round(rating.ordinal(), 1) for each, rating in found.items()}
