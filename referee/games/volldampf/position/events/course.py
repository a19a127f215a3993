"""What happens between the phases: the game and its rounds begin and end, orders are asked for, kept and refused."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.orders import Complaint
from referee.core.rulings import Ruled
from referee.core.values import Value
from referee.games.volldampf.position.orders import Order
from referee.games.volldampf.position.state import Item


class GameStarted(Value):
    """Money is handed out; ``order`` are the holders of sequence cards 1, 2, …; piles are as of the number of players.

    ``removed`` are the track cards taken out at random: secret unless removed_cards = shown. Rule: V2.1-V2.5.
    """

    cash: int
    order: tuple[str, ...]
    removed: tuple[str, ...] = ()
    paragraph: str = "V2"


class PositionTaken(Value):
    """A running game comes to the referee: ``told`` is its position as typed, in JSON. Applied in ``position``."""

    told: str
    paragraph: str = ""


class RoundBegan(Value):
    """A round begins; round 1 follows the setup. Rule: V3."""

    round: int
    paragraph: str = "V3"


class Asked(Value):
    """What is still to do; the first item is what is asked for now. ``turn``: its number."""

    agenda: tuple[Item, ...]
    turn: int
    paragraph: str = ""


class NothingReceived(Value):
    """A player said nothing for what was asked. Rule: DIFF 71."""

    player: str
    stage: str
    paragraph: str = "V7"


class OrderKept(Value):
    """An order is kept in the position until its moment: a sealed bid or bonds, a standing sabotage. Secret. Rule: V9."""

    player: str
    order: Order
    paragraph: str = "V9"


class KeptDropped(Value):
    """Kept orders are spent or out of date: all of ``player``'s of that ``order_kind`` (a class name of ``orders``). Secret."""

    player: str
    order_kind: str
    paragraph: str = "V9"


class OrderRefused(Value):
    """An order could not be obeyed, or only an alternative further down. Told to its player alone where ``secret``."""

    player: str
    complaint: Complaint
    secret: bool = False
    paragraph: str = ""


class RoundEnded(Value):
    """A round is over; ``income`` after it by player. Rule: V3.7."""

    round: int
    income: Mapping[str, int]
    paragraph: str = "V3.7"


class GameEnded(Value):
    """The game is over. ``winners`` share the win when score and cash are equal. Rule: V5."""

    scores: Mapping[str, int]
    winners: tuple[str, ...]
    paragraph: str = "V5.2"


Event = (
    GameStarted
    | PositionTaken
    | Ruled
    | RoundBegan
    | Asked
    | NothingReceived
    | OrderKept
    | KeptDropped
    | OrderRefused
    | RoundEnded
    | GameEnded
)
