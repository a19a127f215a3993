"""What a letter means to its game: its readings, the game's orders, what is wrong with them, what they would do. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from referee.core import Complaint, Complaints, Texts, Value, by_line, complaint_of
from referee.core.game import Forecast, Game
from referee.mail.letter.message import Letter
from referee.orderbook import OrderLanguage, Reading, Readings, Trial, on_line, own_words, quote_alike
from referee.orderbook.reading import MOST_SHOWN, beginning, within
from referee.orderbook.returned import BESIDE, DOUBTED, QUOTED

_OF_FORMS = {QUOTED: "note-quoted-form", DOUBTED: "invalid-quoted-form", BESIDE: "invalid-form-beside"}


class InPlay(Value):
    """A game as letters to it are read: its order language, with its names, whose orders are awaited, and for which
    turn. ``asked``, ``salt_fixed``: as of ``GameInPlay``.
    """

    id: str
    turn: int
    asked: Texts
    salt_fixed: bool
    rules: Game
    state: Any
    language: OrderLanguage

    def may_order(self, code: str) -> bool:
        """Return whether orders of that player are taken now."""
        return not self.asked or code in self.asked


class Tried(Value):
    """What orders that are only asked about would do, and what is wrong with them."""

    forecast: Forecast
    complaints: Complaints


class Understanding(Value):
    """A letter as understood: its reading, the game's orders, everything that is wrong, and what the orders would do."""

    reading: Reading
    orders: tuple[Any, ...]
    complaints: Complaints
    forecast: Forecast
    other_turn: bool
    out_of_turn: bool = False  # orders, or commands, of a player who is not asked now
    versions: tuple[Understanding, ...] = ()  # texts of the letter that do not say the same: then none of them counts
    enclosed: bool = False  # it was read from an attachment
    doubted: bool = False  # it stood in a quotation, and its player may not have meant it
    later: bool = False  # it is for a turn that has not come: what it orders is looked at again when that is awaited
    tried: tuple[Tried, ...] = ()

    @property
    def passes(self) -> bool:
        """The player orders nothing: ``PASS``, or orders begun and ended with nothing between."""
        quiet = not self.reading.phrases and not self.complaints
        return not self.orders and (
            "PASS" in self.reading.commands or (self.reading.marked and quiet and not self.reading.speaks)
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
        return not (self.reading.phrases or self.complaints or self.gives_orders or self.reading.speaks)


def understand(game: InPlay, player: str, text: str, readings: Readings) -> Understanding:
    """Return what *text* means as orders of *player*; *readings* are those of its letter."""
    rules, state = game.rules, game.state
    reading = readings.of(text, game.language)
    reading = reading.but(quoted=readings.quoted_orders(reading))
    spoken = reading.press or reading.private or reading.unsigned
    silenced = [Complaint("note-no-press")] if spoken and not rules.takes_press(state) else []
    reading = reading.but(press="", private=(), unsigned="") if silenced else reading
    # A form that came back as it was sent orders nothing, for whatever turn it is.
    orders_something = bool(reading.phrases or reading.commands or (reading.marked and not reading.complaints))
    later = reading.turn > game.turn and orders_something
    if not game.may_order(player) and not later and (orders_something or reading.marked):
        return Understanding(
            reading=reading,
            orders=(),
            complaints=(_not_your_turn(game),),
            forecast=game.rules.forecast(game.state, player, ()),
            other_turn=False,
            out_of_turn=True,
            tried=tuple(_try_out(game, player, trial) for trial in reading.trials),
        )
    understood = rules.understand(state, player, reading.phrases)
    forecast = rules.forecast(state, player, understood.orders)
    other = bool(reading.turn) and reading.turn != game.turn and orders_something
    wrong_turn = [_other_turn(game, reading.game, reading.turn)] if other else []
    late = [Complaint("note-late-salt", text=reading.salt)] if reading.salt and game.salt_fixed else []
    # What the board of today would say of orders for another day is of no use to anybody.
    meant = () if later else (*understood.complaints, *forecast.complaints)
    found = (*wrong_turn, *late, *silenced, *reading.complaints, *readings.questions_on(reading), *meant)
    complaints = _brief(by_line(found))
    return Understanding(
        reading=_show_some(reading, complaints),
        orders=understood.orders,
        complaints=complaints,
        forecast=forecast,
        other_turn=other,
        doubted=reading.doubted,
        later=later and not reading.doubted,
        tried=tuple(_try_out(game, player, trial) for trial in reading.trials),
    )


def understand_letter(game: InPlay, player: str, letter: Letter, readings: Readings) -> Understanding:
    """Return what a letter means. Where two texts in it (as plain text and as HTML, in two parts, in two attachments) give
    different orders it is not guessed which was meant: nothing of it counts, and ``versions`` holds what each of them says.

    An attachment is read only where nothing else in the letter speaks to us.
    """
    known: dict[str, Understanding] = {}

    def read(text: str) -> Understanding:
        if text not in known:
            known[text] = understand(game, player, text, readings)
        return known[text]

    pieces = _outspoken(game, player, (each for each in map(read, letter.pieces) if each.gives_orders))
    if len(pieces) > 1 and not _go_together(game, pieces):
        return _no_understanding(game, player, pieces)
    plain = read(_once(letter, read, pieces))
    others = (quote_alike(text, letter.text) for text in letter.alternatives)
    rich = [read(text) for text in others if own_words(text) != own_words(letter.text)]
    told = [each for each in (plain, *rich) if _speaks(each)]
    if not told or "from-attachment" in letter.problems:
        told += [each.but(enclosed=True) for each in map(read, letter.enclosed) if each.gives_orders]
    ordering = [each for each in told if each.orders or each.reading.commands or not each.is_clean]
    told = ordering or told  # a text that orders nothing says nothing against another
    differing = _outspoken(game, player, told)
    found = told[0] if told else plain
    return _no_understanding(game, player, differing) if len(differing) > 1 else _with_form(found, letter.problems)


def _with_form(read: Understanding, problems: Texts) -> Understanding:
    """Return an understanding with a word about the form that was filled in where the letter quotes it."""
    told = [Complaint(code) for problem, code in _OF_FORMS.items() if problem in problems and read.gives_orders]
    if not told:
        return read
    doubted = DOUBTED in problems  # then it is nothing to be kept either: its writer is asked first
    return read.but(complaints=(*told, *read.complaints), doubted=doubted, later=read.later and not doubted)


def _no_understanding(game: InPlay, player: str, versions: tuple[Understanding, ...]) -> Understanding:
    """Return the understanding of a letter whose texts do not say the same: it does nothing, whoever files it."""
    said = versions[0].reading
    return Understanding(
        reading=said.but(phrases=(), complaints=(), commands=(), press="", note="", salt="", marked=False),
        orders=(),
        complaints=(Complaint("invalid-two-versions"),),
        forecast=game.rules.forecast(game.state, player, ()),
        other_turn=False,
        versions=versions,
    )


def _once(letter: Letter, read: Callable[[str], Understanding], firsts: Iterable[Understanding]) -> str:
    """Return a letter's text; of parts that give the same orders again those alone that are *firsts*."""
    ordering = [(at, text) for at, text in enumerate(letter.pieces) if read(text).gives_orders]
    again = [at for at, text in ordering if read(text) not in firsts or text in letter.pieces[:at]]
    return "\n".join(text for at, text in enumerate(letter.pieces) if at not in again) if again else letter.text


def _go_together(game: InPlay, pieces: Iterable[Understanding]) -> bool:
    """Return whether texts of a letter decide different things: a picture stands between the lines of one set."""
    decided = [{game.rules.about(order) for order in each.orders} for each in pieces]
    alone = not any(each.reading.commands or not each.orders for each in pieces)
    return alone and len(set().union(*decided)) == sum(map(len, decided))


def _speaks(read: Understanding) -> bool:
    return read.gives_orders or bool(
        read.complaints or read.reading.commands or read.reading.questions or read.reading.trials
    )


def _outspoken(game: InPlay, player: str, readings: Iterable[Understanding]) -> tuple[Understanding, ...]:
    """Return those that speak and say different things, the first of each kind."""
    speaking = tuple(filter(_speaks, readings))
    if len(speaking) < 2:
        return speaking
    said: dict[object, Understanding] = {}
    for read in speaking:
        ordered = _order_lines(game, player, read)
        said.setdefault((ordered, read.reading.commands, read.reading.turn, read.reading.salt), read)
    return tuple(said.values())


def _order_lines(game: InPlay, player: str, read: Understanding) -> str:
    """Return what is ordered, whatever stands around it: an order has its line in the letter, which counts for nothing here."""
    if not read.orders:
        return game.rules.encode(())
    phrases = tuple(on_line(phrase, at) for at, phrase in enumerate(read.reading.phrases, start=1))
    return game.rules.encode(game.rules.understand(game.state, player, phrases).orders)


def _try_out(game: InPlay, player: str, trial: Trial) -> Tried:
    """Return what a trial would do; nothing is looked at while it is another's turn, as with orders."""
    rules, state = game.rules, game.state
    if not game.may_order(player):
        return Tried(forecast=rules.forecast(state, player, ()), complaints=(_not_your_turn(game),))
    understood = rules.understand(state, player, trial.phrases)
    forecast = rules.forecast(state, player, understood.orders)
    wrong_turn = trial.turn not in (0, game.turn)
    other = [_other_turn(game, game.id, trial.turn, trial=True)] if wrong_turn else []
    found = by_line((*other, *trial.complaints, *understood.complaints, *forecast.complaints))
    return Tried(forecast=forecast, complaints=_brief(found))


def _brief(complaints: Complaints) -> Complaints:
    """Return complaints that all together quote no more of a letter than is shown of it."""
    room = MOST_SHOWN // (2 * max(len(complaints), 1))
    cut = ((beginning(each.text, room), beginning(each.hint, room)) for each in complaints)
    return tuple(each.but(text=text, hint=hint) for each, (text, hint) in zip(complaints, cut, strict=True))


def _show_some(reading: Reading, complaints: Complaints) -> Reading:
    """Return a reading with so many of its unread lines as may be shown beside complaints."""
    room = MOST_SHOWN - sum(len(each.text) + len(each.hint) for each in complaints)
    unread = within(reading.unread, room)
    below = within(reading.below, room - sum(len(text) for _, text in unread))
    more = reading.more_unread + len(reading.unread) - len(unread)
    return reading.but(unread=unread, below=below, more_unread=more)


def _not_your_turn(game: InPlay) -> Complaint:
    return complaint_of("illegal-not-your-turn", asked=", ".join(game.asked))


def _other_turn(game: InPlay, named: str, turn: int, *, trial: bool = False) -> Complaint:
    """Orders for a turn that is over run only if the player confirms them; those for one that has not come are kept."""
    return complaint_of(
        "note-later-turn" if turn > game.turn and not trial else "invalid-turn",
        text=f"ORDERS {named or game.id} {turn}",
        hint=f"ORDERS {game.id} {game.turn}",
        written=turn,
        awaited=game.turn,
    )
