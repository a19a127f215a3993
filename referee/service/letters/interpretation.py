"""What a letter says, and what it does to what its player has on file. Values alone: nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from referee.core.game import Forecast
from referee.core.orders import Complaint, Phrase
from referee.mail.letter.message import Letter
from referee.orderbook import Reading, Trial, own_words, quote_alike, read_text
from referee.service.club.positions import Position, format_complaints
from referee.store.database.rows import OrderSet
from referee.store.orders import counts_as_in, set_to_confirm, set_to_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What orders that are only asked about would do, and what is wrong with them."""

    forecast: Forecast
    complaints: tuple[Complaint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """A letter as understood: its reading, the game's orders, everything that is wrong, and what the orders would do."""

    reading: Reading
    orders: tuple[Any, ...]
    complaints: tuple[Complaint, ...]
    forecast: Forecast
    other_turn: bool
    out_of_turn: bool = False  # orders, or commands, of a player who is not asked now
    versions: tuple[Understanding, ...] = ()  # texts of the letter that do not say the same: then none of them counts
    enclosed: bool = False  # it was read from an attachment
    tried: tuple[Tried, ...] = ()

    @property
    def passes(self) -> bool:
        """The player says that he does nothing: ``PASS``, or orders begun and ended with nothing between."""
        quiet = not self.reading.phrases and not self.complaints
        return not self.orders and (
            "PASS" in self.reading.commands or (self.reading.marked and quiet and not self._speaks)
        )

    @property
    def gives_orders(self) -> bool:
        """Whether the letter replaces the player's orders; press, notes and unreadable lines alone do not."""
        return not self.out_of_turn and (bool(self.orders) or self.passes)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong with it."""
        return not any(complaint.is_error for complaint in self.complaints)

    @property
    def says_nothing(self) -> bool:
        """Whether nothing at all in it is meant for us."""
        return not (self.reading.phrases or self.complaints or self.gives_orders or self._speaks)

    @property
    def _speaks(self) -> bool:
        return self.reading.speaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """What a letter does to the file: everything withdrawn, a set confirmed, a set added; ``sets`` is the file afterwards."""

    withdraws: int
    confirms: int
    adds: OrderSet | None
    sets: tuple[OrderSet, ...]
    nothing_to_confirm: bool

    def runs(self, player: str) -> OrderSet | None:
        """Return the player's set that will run."""
        return set_to_run(self.sets, player)


def understand(position: Position, player: str, text: str) -> Understanding:
    """Return what *text* means as orders of *player* in this position."""
    rules, state = position.rules, position.state
    reading = read_text(text, position.book, rules.lexicon(state))
    spoken = reading.press or reading.private or reading.unsigned
    silenced = [Complaint(code="note-no-press")] if spoken and not rules.takes_press(state) else []
    reading = replace(reading, press="", private=(), unsigned="") if silenced else reading
    if not position.may_order(player) and (reading.phrases or reading.commands or reading.marked):
        return _not_asked(position, player, reading)
    understood = rules.understand(state, player, reading.phrases)
    forecast = rules.forecast(state, player, understood.orders)
    other = bool(reading.turn) and reading.turn != position.row.turn and bool(reading.phrases or reading.commands)
    wrong_turn = [_other_turn(position, reading.game, reading.turn)] if other else []
    late = [Complaint(code="note-late-salt", text=reading.salt)] if reading.salt and position.begun else []
    found = (*wrong_turn, *late, *silenced, *reading.complaints, *understood.complaints, *forecast.complaints)
    complaints = tuple(sorted(dict.fromkeys(found), key=lambda complaint: complaint.line))
    return Understanding(
        reading=reading,
        orders=understood.orders,
        complaints=complaints,
        forecast=forecast,
        other_turn=other,
        tried=tuple(_tried(position, player, trial) for trial in reading.trials),
    )


def understand_letter(position: Position, player: str, letter: Letter) -> Understanding:
    """Return what a letter means. Where two texts in it (as plain text and as HTML, in two parts, in two attachments) give
    different orders it is not guessed which was meant: nothing of it counts, and ``versions`` holds what each of them says.

    An attachment is read only where nothing else in the letter speaks to us.
    """

    def read(text: str) -> Understanding:
        return understand(position, player, text)

    pieces = _outspoken(position, player, (each for each in map(read, letter.pieces) if each.gives_orders))
    if len(pieces) > 1:
        return _undecided(position, player, pieces)
    plain = read(_once(letter, read))
    others = (quote_alike(text, letter.text) for text in letter.alternatives)
    rich = [read(text) for text in others if own_words(text) != own_words(letter.text)]
    told = [each for each in (plain, *rich) if _speaks(each)]
    if not told or "from-attachment" in letter.problems:
        told += [replace(each, enclosed=True) for each in map(read, letter.enclosed) if each.gives_orders]
    differing = _outspoken(position, player, told)
    found = told[0] if told else plain
    return _undecided(position, player, differing) if len(differing) > 1 else found


def _undecided(position: Position, player: str, versions: tuple[Understanding, ...]) -> Understanding:
    """Return the understanding of a letter whose texts do not say the same: it does nothing, whoever files it."""
    said = versions[0].reading
    return Understanding(
        reading=replace(said, phrases=(), complaints=(), commands=(), press="", note="", salt="", marked=False),
        orders=(),
        complaints=(Complaint(code="invalid-two-versions"),),
        forecast=position.rules.forecast(position.state, player, ()),
        other_turn=False,
        versions=versions,
    )


def _once(letter: Letter, read: Callable[[str], Understanding]) -> str:
    """Return a letter's text; of parts that give the same orders again the first alone."""
    again = [at for at, text in enumerate(letter.pieces) if read(text).gives_orders][1:]
    return "\n".join(text for at, text in enumerate(letter.pieces) if at not in again) if again else letter.text


def _speaks(read: Understanding) -> bool:
    return read.gives_orders or bool(
        read.complaints or read.reading.commands or read.reading.questions or read.reading.trials
    )


def _outspoken(position: Position, player: str, readings: Iterable[Understanding]) -> tuple[Understanding, ...]:
    """Return those that speak and say different things, the first of each kind."""
    said: dict[object, Understanding] = {}
    for read in readings:
        if _speaks(read):
            ordered = _ordered(position, player, read)
            said.setdefault((ordered, read.reading.commands, read.reading.turn, read.reading.salt), read)
    return tuple(said.values())


def _ordered(position: Position, player: str, read: Understanding) -> str:
    """Return what is ordered, whatever stands around it: an order has its line in the letter, which counts for nothing here."""
    if not read.orders:
        return position.rules.encode(())
    phrases = tuple(_on_line(phrase, at) for at, phrase in enumerate(read.reading.phrases, start=1))
    return position.rules.encode(position.rules.understand(position.state, player, phrases).orders)


def _on_line(phrase: Phrase, line: int) -> Phrase:
    """Return a phrase as if it stood on that line."""
    parts = tuple(_on_line(part, line) if isinstance(part, Phrase) else part for part in phrase.parts)
    return replace(phrase, parts=parts, line=line)


def filing(
    position: Position,
    player: str,
    read: Understanding,
    sets: Iterable[OrderSet],
    letter: int | None,
    arrived: datetime,
) -> Filing:
    """Return what a letter that arrived at *arrived* does to the sets on file for the awaited turn."""
    file = tuple(sets)
    commands = () if read.other_turn or read.out_of_turn else read.reading.commands
    withdraws = 0
    if "CLEAR" in commands:
        taken = [each for each in file if each.player == player and not each.withdrawn and each.arrived <= arrived]
        withdraws = len(taken)
        file = tuple(replace(each, withdrawn=True) if each in taken else each for each in file)
    confirms = "CONFIRM" in commands
    if read.gives_orders:
        new = _new_set(position, player, read, letter, arrived, confirmed=confirms)
        after = tuple(sorted((*file, new), key=lambda each: each.arrived))
        return Filing(withdraws=withdraws, confirms=0, adds=new, sets=after, nothing_to_confirm=False)
    # A letter read late, after ones that came later, speaks of what was on file when it came.
    meant = set_to_confirm((each for each in file if each.arrived <= arrived), player) if confirms else None
    after = tuple(replace(each, confirmed=True) if each == meant else each for each in file)
    number = meant.id if meant else 0
    return Filing(
        withdraws=withdraws, confirms=number, adds=None, sets=after, nothing_to_confirm=confirms and not meant
    )


def is_in(position: Position, sets: Iterable[OrderSet], player: str) -> bool:
    """Return whether a player owes nothing more for the awaited turn."""
    return player not in position.awaited or counts_as_in(set_to_run(sets, player))


def _new_set(
    position: Position, player: str, read: Understanding, letter: int | None, arrived: datetime, *, confirmed: bool
) -> OrderSet:
    return OrderSet(
        game=position.row.id,
        turn=position.row.turn,
        player=player,
        letter=letter,
        orders=position.rules.encode(read.orders),
        complaints=format_complaints(read.complaints),
        text="\n".join(phrase.text for phrase in read.reading.phrases),
        clean=read.is_clean,
        confirmed=confirmed,
        withdrawn=False,
        held=read.other_turn,
        arrived=arrived,
        changed_at=arrived,
    )


def _not_asked(position: Position, player: str, reading: Reading) -> Understanding:
    """Orders of a player who is not asked now are not looked at: when he is, the position will be another one."""
    return Understanding(
        reading=reading,
        orders=(),
        complaints=(_not_your_turn(position),),
        forecast=position.rules.forecast(position.state, player, ()),
        other_turn=False,
        out_of_turn=True,
        tried=tuple(_tried(position, player, trial) for trial in reading.trials),
    )


def _tried(position: Position, player: str, trial: Trial) -> Tried:
    """Return what a trial would do; nothing is looked at while it is another's turn, as with orders."""
    rules, state = position.rules, position.state
    if not position.may_order(player):
        return Tried(forecast=rules.forecast(state, player, ()), complaints=(_not_your_turn(position),))
    understood = rules.understand(state, player, trial.phrases)
    forecast = rules.forecast(state, player, understood.orders)
    wrong_turn = trial.turn not in (0, position.row.turn)
    other = [_other_turn(position, position.row.id, trial.turn)] if wrong_turn else []
    found = dict.fromkeys((*other, *trial.complaints, *understood.complaints, *forecast.complaints))
    return Tried(forecast=forecast, complaints=tuple(sorted(found, key=lambda complaint: complaint.line)))


def _not_your_turn(position: Position) -> Complaint:
    return Complaint(code="illegal-not-your-turn", params=(("asked", ", ".join(position.asked)),))


def _other_turn(position: Position, game: str, turn: int) -> Complaint:
    """Orders written for a turn that is over, or has not come: they run only if the player confirms them."""
    return Complaint(
        code="invalid-turn",
        text=f"ORDERS {game or position.row.id} {turn}",
        hint=f"ORDERS {position.row.id} {position.row.turn}",
        params=(("written", turn), ("awaited", position.row.turn)),
    )
