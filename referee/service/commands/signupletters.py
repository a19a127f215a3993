"""Letters about a game that waits for its players, to those who sign up for it."""

from __future__ import annotations

import json
from typing import Any

from referee.core import N_, View
from referee.store import opengames
from referee.store.opengames import OpenGameRow, SignupRow
from referee.store.rows import OutboxRow

from ..club import Club
from ..duetimes import club_rhythm, rhythm_values
from ..post.codes import SIGNUP, WATCH_WAITS, tag_of
from ..post.readers import faces_of
from ..post.writing import Occasion, imprint_values, to_newcomer

NAMELESS = N_("Newcomer")  # who signs up by letters that tell no name


def signup_letter(
    club: Club, game: OpenGameRow, signup: SignupRow, state: str, occasion: Occasion, **more: Any
) -> OutboxRow:
    """Return a letter to somebody who signs up for a game, ready for the outbox. *state*: as of ``signup.txt.j2``; what answers
    it carries speaks for him, where the occasion has a tag.
    """
    since, told = signup.waits_since, json.loads(game.told)
    others = (each for each in opengames.in_turn(club, game.id) if each.id != signup.id)
    values = {
        "game": {"id": game.id, "held": False, "title": told["title"], "name": game.kind, "board_name": told["board"]},
        "reader": {
            **dict.fromkeys(("code", "company", "colour"), ""),
            "name": signup.name,
            "zone": signup.zone,
            "language": signup.language,
        },
        **imprint_values(club),
        "state": state,
        "open": open_values(club, game, signup),
        "mine": {
            "colours": signup.colours.split(",") if signup.colours else [],
            "name": "" if signup.name == nameless(club) else signup.name,
            "code": signup.code,
            "company": signup.company,
            "salt": signup.salt,
            "orders": signup.orders is not None,
        },
        "days": WATCH_WAITS.days,
        "place": 1 + len([each for each in others if since is None or (each.waits_since or since) <= since]),
        "games": club.config.late_games,
        "because": "",
        "unread": (),
        "asked": (),
        "claimed": (),
        "rules": None,
        **more,
    }
    reader = (game.kind, signup.language, signup.zone, values)
    rendered = club.stationery.letter("signup", *reader)
    if faces_of(club, game.id, signup.address).format == "html":
        rendered = rendered.but(page=club.stationery.page("signup", *reader, rendered))
    return to_newcomer(club, game.id, (signup.address, signup.name), rendered, occasion)


def open_values(club: Club, game: OpenGameRow, signup: SignupRow | None = None) -> View:
    """Return how an open game stands, as it is told to everybody; the seat of *signup* is counted too."""
    told: View = json.loads(game.told)
    seated = [each for each in opengames.seated(club, game.id) if signup is None or each.id != signup.id]
    if signup is not None and signup.seated_at is not None and signup.ended_at is None:
        seated = sorted((*seated, signup), key=lambda each: (each.seated_at, each.id))
    names = [each.name for each in seated]
    # When turns are due, as it would begin now.
    proposed = json.loads(game.proposal)["rhythm"]
    said = dict(proposed["map"]) if proposed else {}
    rhythm = club_rhythm(club.config).but(**{"every": "", **said} if "days" in said else said)
    return {
        **told,
        "game": game.id,
        "seats": game.seats,
        "taken": len(names),
        "names": [] if told.get("anonymous") else names,
        "free": max(0, game.seats - len(names)),
        "lacking": max(0, told["least"] - len(names)),
        "when_full": game.when_full,
        "rhythm": rhythm_values(rhythm),
    }


def nameless(club: Club) -> str:
    """Return how somebody is called who has told no name: all read of him, so it is a word of the club's language."""
    return club.stationery.translate(club.config.language)(NAMELESS)


def tagged(club: Club, occasion: Occasion, signup: SignupRow) -> Occasion:
    """Return an occasion whose answers speak for a seat."""
    return occasion.but(tag=tag_of(club, SIGNUP, signup.game, signup.address))
