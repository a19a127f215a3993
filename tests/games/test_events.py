"""Every kind of event changes the position, is told and names a paragraph of the rules: in all games, and by type."""

from typing import Any, get_args

import pytest
from msgspec.structs import fields

from referee.core import Value
from referee.core.game import Game
from referee.core.record import Record
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.dampfross.events import Event as DampfrossEvent
from referee.games.dampfross.report.story import BUILDS, RACES
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.games.volldampf.events import Event as VolldampfEvent
from tests.tinygame import GAME as TINYRACE
from tests.tinygame import Event as TinyraceEvent

each_game = pytest.mark.parametrize(
    ("game", "event"),
    [(DAMPFROSS, DampfrossEvent), (VOLLDAMPF, VolldampfEvent), (TINYRACE, TinyraceEvent)],
    ids=lambda value: value.name if isinstance(value, Game) else "",
)


class Flooded(Value):
    """An event of no game."""


@each_game
def test_every_kind_of_event_changes_the_position(game: Game, event: Any) -> None:
    assert all(callable(game.changes[kind]) for kind in get_args(event))


@each_game
def test_kinds_of_events_are_listed_in_one_order(game: Game, event: Any) -> None:
    """As faults of scenario files list them."""
    assert game.event_kinds == get_args(event)


@each_game
def test_every_kind_of_event_names_a_paragraph(game: Game, event: Any) -> None:
    assert [kind for kind in game.event_kinds if "paragraph" not in {field.name for field in fields(kind)}] == []


@each_game
def test_an_event_of_another_game_is_an_error(game: Game, event: Any) -> None:
    with pytest.raises(KeyError, match="Flooded"):
        game.apply(None, Flooded())
    with pytest.raises(KeyError, match="Flooded"):
        Record[Any, Any](None, game.changes).add(Flooded())


@each_game
def test_a_stored_value_with_a_field_that_its_kind_has_not_is_refused(game: Game, event: Any) -> None:
    kind = get_args(event)[0].__name__
    with pytest.raises(ValueError, match="Unexpected keyword argument 'flood'"):
        game.codec.decode(f'{{"kind": "{kind}", "flood": 1}}')


def test_every_kind_of_event_has_its_place_in_the_story() -> None:
    alone = {kind.__name__ for kind in {*DAMPFROSS.event_kinds} - {*BUILDS, *RACES}}
    by_position = {"GameStarted", "PositionTaken", "Ruled", "RollsThrown", "NothingReceived", "Asked", "GameEnded"}
    by_values = {
        "HomeChosen",
        "OrderRefused",
        "BuildingEnded",
        "RacesDrawn",
        "RaceCancelled",
        "EntryDeclared",
        "RoundEnded",
    }
    assert alone == by_position | by_values
