"""What has been understood of a letter so far, and what was wrong with it."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.orders import Complaint, Param, Phrase, Word, of_alternative
from referee.games.volldampf.position.orders import Build, Extra, Move, Order, Plan, Sabotage, Steal, Subsidy, about
from referee.games.volldampf.position.schedule import asked_verbs, comes_later, is_for_now, numbers_now, verb_of
from referee.games.volldampf.position.state import State

UNKNOWN = "UNKNOWN"


class OrderReader:
    """One letter being understood; complaints carry the line of the phrase that is read."""

    def __init__(self, state: State, player: str) -> None:
        self.state = state
        self.board = state.table.board
        self.player = player
        self.orders: list[Order] = []
        self.complaints: list[Complaint] = []
        self.phrase = Phrase(rule="", parts=())

    def turn_to(self, phrase: Phrase) -> None:
        """Go on to the next order of the letter."""
        self.phrase = phrase

    def add(self, order: Order) -> None:
        """Take an order, unless its moment is another one or it was given before."""
        if not is_for_now(self.state, order):
            self._not_now(order)
        elif self._is_taken(order):
            self.complain("invalid-twice", text=self.phrase.text)
        else:
            self.orders.append(replace(order, line=self.phrase.line))

    def complain(self, code: str, paragraph: str = "", text: str = "", hint: str = "", **params: Param) -> None:
        """Complain of the phrase that is read."""
        told = tuple(params.items())
        line = self.phrase.line
        found = Complaint(code=code, line=line, text=text, paragraph=paragraph, hint=hint, params=told)
        self.complaints.append(found)

    def beside(self, since: int) -> None:
        """Make warnings of what was complained of *since* so many complaints: another alternative of the order can be meant.

        Whether that one serves today, the forecast says.
        """
        self.complaints[since:] = [of_alternative(each) for each in self.complaints[since:]]

    def which(self, what: str, verb: str, most: int) -> int | None:
        """Return the number that the order begins with; without one, that of the only such decision asked for now.

        None where there is none: complained of. *most*: the highest number there can be.
        """
        written = [int(word.value) for word in words(self.phrase) if word.kind == "NUMBER"]
        asked = numbers_now(self.state, what)
        if not written and len(asked) == 1:
            return asked[0]
        if not written:
            self.complain("invalid-which", text=self.phrase.text, hint=f"{verb} 1", verb=verb)
            return None
        if not 1 <= written[0] <= most:
            self.complain("invalid-number-of", text=self.phrase.text, verb=verb, read=written[0], most=most)
            return None
        return written[0]

    def _not_now(self, order: Order) -> None:
        verb, asked = verb_of(self.state, order), asked_verbs(self.state)
        if comes_later(self.state, order):
            self.complain("illegal-not-now", "V3", text=self.phrase.text, verb=verb, asked=asked)
            return
        last = self.state.round >= self.state.table.numbers.rounds
        hint = "" if last else str(self.state.round + 1)
        self.complain("illegal-too-late", "V3", text=self.phrase.text, hint=hint, verb=verb, asked=asked)

    def _is_taken(self, order: Order) -> bool:
        """Return whether such an order stands already; those that play a card may stand once for each card there is."""
        alike = sum(_key(order) == _key(each) for each in self.orders)
        return alike >= (self.board.action_cards if isinstance(order, Extra | Plan | Sabotage) else 1)


def words(phrase: Phrase) -> tuple[Word, ...]:
    """Return the words that stand in a phrase itself."""
    return tuple(part for part in phrase.parts if isinstance(part, Word))


def phrases(phrase: Phrase, *rules: str) -> tuple[Phrase, ...]:
    """Return the phrases of these rules that stand in a phrase, in order of writing."""
    return tuple(part for part in phrase.parts if isinstance(part, Phrase) and part.rule in rules)


def known(found: tuple[Word, ...]) -> tuple[str, ...] | None:
    """Return what words mean; None where one is unknown, which was complained of when the line was read."""
    return None if any(word.kind == UNKNOWN for word in found) else tuple(word.value for word in found)


def _key(order: Order) -> tuple[object, ...]:
    return about(order) if isinstance(order, Build | Move | Subsidy | Steal) else (type(order),)
