"""The log of a game as values: its turns in every edition, what was agreed, the umpire's acts; and what of it is revealed."""

from __future__ import annotations

import json

from msgspec.structs import replace

from referee.core.codec import canonical
from referee.core.dice import CHAIN_END, next_seed
from referee.core.values import Value
from referee.games import game_named
from referee.service.club.club import Club
from referee.store import games
from referee.store.database.hashes import LoggedTurn, hash_of_agreement, hash_of_reason, hash_of_turn
from referee.store.database.rows import ActRow
from referee.store.games import acts

Edition = tuple[int, int]  # turn and edition

_OF_ORDERS = ("orders", "accept", "note")  # acts whose reasons may speak of orders


class GameLog(Value):
    """A game as its log tells it, or as much of it as is revealed. ``setup`` is JSON; ``end`` of the chain of seeds; the last
    turn by number and hash; what the umpire did besides, and the turns that he has ``undone``, in the order in which they were
    played.
    """

    game: str
    setup: str
    end: str
    turns: tuple[LoggedTurn, ...]
    last: tuple[int, str]
    acts: tuple[ActRow, ...] = ()
    undone: tuple[LoggedTurn, ...] = ()

    @property
    def agreed(self) -> str:
        """The hash of what was agreed before the opening."""
        return hash_of_agreement(self.game, self.setup, self.end)

    @property
    def played(self) -> tuple[LoggedTurn, ...]:
        """All turns in the order in which they were played."""
        return tuple(sorted((*self.turns, *self.undone), key=lambda each: (each.edition, each.turn)))

    def before(self, turn: LoggedTurn) -> LoggedTurn | None:
        """Return the turn that was the last in force when *turn* was played: editions never fall."""
        known = [each for each in (*self.turns, *self.undone) if each.turn < turn.turn and each.edition <= turn.edition]
        return max(known, key=edition_of, default=None)

    @property
    def salts(self) -> str:
        """The salts that all turns must have: the opening's, else those of the first turn that was played."""
        return next((each.salts for each in self.played[:2] if each.salts), "")

    def thrown_with(self, turn: LoggedTurn) -> str:
        """Return the salts in a turn's throws: those that the turn before it printed, in the opening its own."""
        before = self.before(turn)
        return self.salts if before and before.turn else self.turns[0].salts

    def hashed(self, turn: LoggedTurn, before: str) -> str:
        """Return the hash that a turn has over the hash *before* it."""
        return hash_of_turn(before, self.game, turn)

    def is_seed(self, turn: LoggedTurn) -> bool:
        """Return whether a turn's seed leads to the end of the chain."""
        seed = turn.seed
        for _ in range(turn.turn - CHAIN_END):
            seed = next_seed(seed)
        return seed == self.end


def edition_of(turn: LoggedTurn) -> Edition:
    """Return what a turn is known by among all editions."""
    return turn.turn, turn.edition


def revealed(club: Club, game_id: str) -> GameLog:
    """Return what has been revealed of a game: of one with secrets, no turn at all before it is over. Raises NotFound."""
    log = whole_log(club, game_id)
    row = games.game(club.db, game_id)
    if game_named(row.kind).has_secrets and row.status == "running":
        return replace(log, setup=_without_position(log.setup), turns=(), acts=(), undone=())
    last = log.last[0]
    return replace(log, acts=tuple(_withheld(act) if tells_orders(act, last) else act for act in log.acts))


def whole_log(club: Club, game_id: str) -> GameLog:
    """Return every turn of a game, whether it may be known or not: for the club's own eyes. Raises NotFound."""
    row = games.game(club.db, game_id)
    turns = tuple(_logged(each) for each in games.turns(club.db, row.id))
    undone = tuple(_logged(each) for each in games.superseded(club.db, row.id))
    last = (turns[-1].turn, turns[-1].hash)
    end, done = games.chain_end(row), acts(club.db, row.id)
    return GameLog(game=row.id, setup=row.setup, end=end, turns=turns, last=last, acts=done, undone=undone)


def _logged(row: LoggedTurn) -> LoggedTurn:
    """Return of a stored turn what the log tells."""
    return LoggedTurn(**{name: getattr(row, name) for name in LoggedTurn.__struct_fields__})


def _without_position(setup: str) -> str:
    """Return a setup without the position that a brought game began with: it names hands."""
    return canonical({**json.loads(setup), "position": ""})


def tells_orders(act: ActRow, last: int) -> bool:
    """Return whether an act's reason may speak of orders that were not played when *last* was the last turn."""
    return act.kind in _OF_ORDERS and act.turn > last


def _withheld(act: ActRow) -> ActRow:
    return replace(act, reason="", withheld=hash_of_reason(act.reason))
