"""From phrases to orders: names become hexes, abbreviated runs are written out, whatever cannot be meant is complained of."""

from __future__ import annotations

from dataclasses import replace

from referee.core.hexes import Hex
from referee.core.orders import Complaint, Param, Phrase, Understood, Word
from referee.games.dampfross.adjudicate import allowance
from referee.games.dampfross.homes import homes_of
from referee.games.dampfross.names import end_name, format_path, place_name
from referee.games.dampfross.orders import Build, ChooseHome, Order, Piece, Route, Run
from referee.games.dampfross.paths import land_run, track_run
from referee.games.dampfross.schedule import ends_of
from referee.games.dampfross.state import BUILD, RACE, Race, State


def understand(state: State, player: str, phrases: tuple[Phrase, ...]) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good pieces count."""
    reader = _Reader(state, player)
    for phrase in phrases:
        reader.read(phrase)
    reader.assume_home()
    return Understood(orders=tuple(reader.orders), complaints=tuple(reader.complaints))


class _Reader:
    """One letter being understood; complaints carry the line of the phrase they belong to."""

    def __init__(self, state: State, company: str) -> None:
        self.state = state
        self.board = state.table.board
        self.company = company
        self.orders: list[Order] = []
        self.complaints: list[Complaint] = []
        self.phrase = Phrase(rule="", parts=())

    def read(self, phrase: Phrase) -> None:
        """Read one order phrase of the grammar (home, build, run)."""
        self.phrase = phrase
        readers = {"home": self._home, "build": self._build, "run": self._run}
        readers[phrase.rule]()

    def assume_home(self) -> None:
        """Take the start of the first piece as the home where none was named, and say so. Rule: D1.3."""
        if self.company in self.state.home or any(isinstance(order, ChooseHome) for order in self.orders):
            return
        builds = [order for order in self.orders if isinstance(order, Build)]
        homes = homes_of(self.state, self.company)
        starts = [piece.path[0] for build in builds for piece in build.pieces if piece.path]
        if not builds:
            return
        names = " / ".join(place_name(self.board, home) for home in homes)
        if starts and starts[0] in homes:
            home = place_name(self.board, starts[0])
            self._note("note-home-assumed", "D1.3", text=home, hint=f"HOME {home}")
            self.orders.insert(0, ChooseHome(cities=(starts[0],), line=builds[0].line))
        else:
            self._complain("illegal-no-home", "D1.3", hint=names)

    # --- homes ---

    def _home(self) -> None:
        if self.company in self.state.home:
            home = place_name(self.board, self.state.home[self.company])
            self._complain("illegal-home-chosen", "D1.3", text=self.phrase.text, home=home)
            return
        if any(isinstance(order, ChooseHome) for order in self.orders):
            self._complain("invalid-twice", text=self.phrase.text)
            return
        homes = homes_of(self.state, self.company)
        cities = []
        for word in _words(self.phrase):
            city = self._place(word)
            if city in homes:
                cities.append(city)
            elif city is not None:
                names = " / ".join(place_name(self.board, home) for home in homes)
                self._complain("illegal-home", "D1.3", text=word.text, hint=names)
        if cities:
            self.orders.append(ChooseHome(cities=tuple(cities), line=self.phrase.line))

    # --- building ---

    def _build(self) -> None:
        roll = self._roll()
        if roll is None:
            return
        if any(isinstance(order, Build) and order.roll == roll for order in self.orders):
            self._complain("invalid-twice", text=self.phrase.text)
            return
        pieces = tuple(self._piece(phrase) for phrase in _phrases(self.phrase, "piece"))
        self.orders.append(Build(roll=roll, pieces=pieces, line=self.phrase.line))

    def _roll(self) -> int | None:
        """Return which roll a build line spends: ``1a)`` names round and roll, ``BUILD 1:`` the roll."""
        state = self.state
        if state.phase == RACE and not allowance(state):
            self._complain("illegal-no-building", "D7.1", text=self.phrase.text, round=state.round)
            return None
        rolls = len(state.rolls) if state.phase == BUILD else 1
        labels = _phrases(self.phrase, "label")
        words = [part for head in (*labels, *_phrases(self.phrase, "roll")) for part in _words(head)]
        numbers = [int(word.value) for word in words if word.kind == "NUMBER"]
        letters = [word.value.lower() for word in words if word.kind == "LETTER"]
        if (labels or letters or state.phase == RACE) and numbers and numbers[0] != state.round:
            if not (state.phase == RACE and not labels and not letters and numbers[0] == 1):
                hint = f"{state.round}{letters[0] if letters else ''})"
                self._complain("invalid-round", text=self.phrase.text, hint=hint, read=numbers[0], round=state.round)
                return None
            numbers = []
        roll = 1
        if letters:
            roll = ord(letters[0]) - ord("a") + 1
        elif not labels and numbers and state.phase == BUILD:
            roll = numbers[0]
        elif rolls > 1:
            self._complain("invalid-which-roll", text=self.phrase.text, hint=f"{state.round}a)", rolls=rolls)
            return None
        if not 1 <= roll <= rolls:
            self._complain("invalid-roll", "D4.4", text=self.phrase.text, rolls=rolls)
            return None
        return roll

    def _piece(self, phrase: Phrase) -> Piece:
        """Return a piece up to the point where its writing can be followed. Rule: D4.3, R1."""
        starts = _phrases(phrase, "start")
        words = [*(_words(starts[0]) if starts else ()), *_words(phrase)]
        path: tuple[Hex, ...] = ()
        for word in words:
            label = self._place(word)
            if label is None:
                fault = Complaint(code="illegal-unreadable", paragraph="D4.3", text=word.text)
                return Piece(path=path, fault=fault)
            if not path:
                path = (label,)
                continue
            run = land_run(self.board, path[-1], label)
            if isinstance(run, Complaint):
                self.complaints.append(replace(run, line=self.phrase.line))
                return Piece(path=path, fault=replace(run, hint=""))
            self._note_bend(path[-1], label, run)
            path += run[1:]
        if len(path) < 2:
            self._complain("invalid-short-piece", "D2.2", text=_text(phrase))
        return Piece(path=path)

    def _note_bend(self, start: Hex, end: Hex, run: tuple[Hex, ...]) -> None:
        """Say how a run that is not straight was understood. Rule: R1."""
        written = format_path(self.board, run)
        short = f"{place_name(self.board, start)} - {place_name(self.board, end)}"
        towns = any(self.board.is_city(label) for label in run[1:-1])
        if written != short and not towns:
            self._note("note-bent-run", "R1", text=short, hint=written)

    # --- races ---

    def _run(self) -> None:
        state = self.state
        number = int(_words(self.phrase)[0].value)
        race = next((race for race in state.offered() if race.number == number), None)
        if race is None:
            offered = ", ".join(str(race.number) for race in state.offered())
            code = "illegal-race" if state.phase == RACE else "illegal-no-races"
            self._complain(code, "D5.6", text=self.phrase.text, hint=offered, race=number)
            return
        if any(isinstance(order, Run) and order.race == number for order in self.orders):
            self._complain("invalid-twice", text=self.phrase.text)
            return
        partner = self._partner()
        if partner is None:
            return
        written = _phrases(self.phrase, "route")
        routes = tuple(route for phrase in written if (route := self._route(phrase, race)) is not None)
        if routes or (partner and not written):
            self.orders.append(Run(race=number, routes=routes, partner=partner, line=self.phrase.line))
        elif not written:
            self._complain("illegal-no-route", "D6.1", text=self.phrase.text, race=number)

    def _partner(self) -> str | None:
        """Return the partner of a joint run, "" without one, None where it cannot be. Rule: D6.5."""
        for phrase in _phrases(self.phrase, "partner"):
            word = _words(phrase)[0]
            if word.value == self.company or word.value not in self.state.table.codes:
                rivals = ", ".join(code for code in self.state.table.codes if code != self.company)
                self._complain("invalid-partner", "D6.5", text=word.text, hint=rivals)
                return None
            return word.value
        return ""

    def _route(self, phrase: Phrase, race: Race) -> Route | None:
        """Return a route written out over the track that lies now, None where it cannot be followed."""
        stops = _phrases(phrase, "stop")
        path: tuple[Hex, ...] = ()
        over: tuple[str, ...] = ()
        for place, stop in enumerate(stops):
            word, company = _stop(stop)
            label = self._place(word, race if place in (0, len(stops) - 1) else None)
            if label is None:
                return None
            if not path:
                path = (label,)
                continue
            run = track_run(self.state, path[-1], label, company)
            if isinstance(run, Complaint):
                self.complaints.append(replace(run, line=self.phrase.line))
                return None
            path += run[1:]
            over += (company,) * (len(run) - 1)
        if len(path) < 2:
            self._complain("invalid-short-route", "D6.2", text=_text(phrase))
            return None
        return self._facing(Route(path=path, over=over), race)

    def _facing(self, route: Route, race: Race) -> Route:
        """Turn a route round that was written from the destination to the start, and say so."""
        starts, ends = ends_of(self.board, race.start), ends_of(self.board, race.end)
        if route.path[0] in ends and route.path[-1] in starts and route.path[0] not in starts:
            names = f"{end_name(self.board, race.start)} - {end_name(self.board, race.end)}"
            self._note("note-turned-round", "D6.2", text=self.phrase.text, race=race.number, ends=names)
            return replace(route, path=route.path[::-1], over=route.over[::-1])
        return route

    # --- places ---

    def _place(self, word: Word, race: Race | None = None) -> Hex | None:
        """Return the hex a word means; None (already complained of by the order book, or here) where it means none.

        A key of several towns is only clear where it names one town; a special's number stands for its only hex.
        """
        if word.kind == "PLACE":
            return word.value
        if word.kind != "NUMBER":
            return None
        number = int(word.value)
        known = number in self.board.ends_of or (race is not None and number in (race.start, race.end))
        hexes = ends_of(self.board, number) if known else ()
        if len(hexes) == 1:
            return hexes[0]
        code = "invalid-which-town" if hexes else "invalid-key"
        names = " / ".join(place_name(self.board, label) for label in hexes)
        self._complain(code, "D5.5", text=word.text, hint=names, key=number)
        return None

    # --- complaints ---

    def _complain(self, code: str, paragraph: str = "", text: str = "", hint: str = "", **params: Param) -> None:
        self.complaints.append(
            Complaint(
                code=code,
                line=self.phrase.line,
                text=text,
                paragraph=paragraph,
                hint=hint,
                params=tuple(params.items()),
            )
        )

    _note = _complain


def _words(phrase: Phrase) -> tuple[Word, ...]:
    return tuple(part for part in phrase.parts if isinstance(part, Word))


def _phrases(phrase: Phrase, rule: str) -> tuple[Phrase, ...]:
    return tuple(part for part in phrase.parts if isinstance(part, Phrase) and part.rule == rule)


def _stop(phrase: Phrase) -> tuple[Word, str]:
    """Return a stop's place and the company over whose track the leg to it runs, "" where none is named."""
    words = _words(phrase)
    companies = [word.value for word in words if word.kind == "COMPANY"]
    return words[0], companies[0] if companies else ""


def _text(phrase: Phrase) -> str:
    """Return the words of a phrase as they were written."""
    return " - ".join(part.text if isinstance(part, Word) else _text(part) for part in phrase.parts if part)
