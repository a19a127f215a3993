"""From phrases to orders: names become hexes, abbreviated runs are written out, whatever cannot be meant is complained of."""

from __future__ import annotations

from itertools import pairwise, starmap

from referee.core import (
    Complaint,
    Hex,
    Hexes,
    LetterReader,
    Numbers,
    Path,
    Phrase,
    Phrases,
    Texts,
    Understood,
    Word,
    complaint_of,
    of_kind,
    side,
    straight_run,
)

from .board import ends_of
from .names import (
    aim_of,
    as_written,
    coming_run,
    end_name,
    format_path,
    land_run,
    legs_of,
    place_name,
    spare_points,
    text_of,
    track_run,
    writing_of,
)
from .round import builds_before, may_build
from .state import (
    DAVID,
    Build,
    ChooseHome,
    Condition,
    Order,
    Piece,
    Race,
    Route,
    Run,
    State,
    about,
    all_homes,
    homes_of,
)


def understand(state: State, player: str, phrases: Phrases) -> Understood:
    """Return the orders of a player's phrases and what was wrong with them; good lines and good pieces count."""
    reader = _Reader(state, player)
    reader.plan(phrases)
    for phrase in phrases:
        reader.read(phrase)
    reader.assume_homes()
    first = state.companies_under(player)[0]
    orders = tuple(order.but(company="") if order.company == first else order for order in reader.orders)
    return Understood(orders=orders, complaints=tuple(reader.complaints))


class _Reader(LetterReader[Order]):
    """One player's letter being understood."""

    def __init__(self, state: State, company: str) -> None:
        super().__init__()
        self.state, self.board = state, state.board
        self.player = self.company = company
        self.homes_named: set[str] = set()
        self.words: list[tuple[Hex, str]] = []  # the hexes of the phrase, each as it was written
        self.planned = state  # with the track that the letter orders to lay before a race that comes up later

    def plan(self, phrases: Phrases) -> None:
        """Look ahead to what the letter builds: a route may lead over it, on whatever line it stands. Rule: R32."""
        if not self.state.is_racing or self.state.one_by_one:
            return
        ahead = _Reader(self.state, self.player)
        for phrase in phrases:
            if phrase.rule in ("company", "build"):
                ahead.read(phrase)
        track = dict(self.state.track)
        for order in ahead.orders:
            for piece in order.pieces if isinstance(order, Build) else ():
                for index, laid in enumerate(starmap(side, pairwise(piece.path)), start=1):
                    if index not in piece.jumps:
                        track[laid] = (*track.get(laid, ()), order.company)
        self.planned = self.state.but(track=track)

    def read(self, phrase: Phrase) -> None:
        """Read one order phrase of the grammar (home, build, run)."""
        self.phrase, self.words = phrase, []
        readers = {"home": self._home, "build": self._build, "company": self._company}
        readers.get(phrase.rule, self._run)()

    def _company(self) -> None:
        """Turn to another company that the player leads. Rule: D8."""
        word, led = self.phrase.words[0], self.state.companies_under(self.player)
        self.company = word.value if word.value in led else ""  # nobody's: no line below is taken for another company's
        if not self.company and word.kind == "COMPANY":  # an unknown name was complained of when the line was read
            self.complain("illegal-not-your-company", "D8.2", text=word.text, hint=" / ".join(led))

    def _is_twice(self, kind: type[Order], number: int) -> bool:
        """Complain where this was ordered on a line before."""
        is_twice = (self.company, kind, number) in map(about, self.orders)
        if is_twice:
            self.complain("invalid-twice")
        return is_twice

    def assume_homes(self) -> None:
        """Take the start of a company's first piece as its home where none was named, and say so. Rule: D1.3, R15."""
        for company in self.state.companies_under(self.player):
            own = [order for order in self.orders if order.company == company]
            # A home that was named and refused is never replaced by a guess: the choice cannot be undone.
            named = company in self.homes_named or any(isinstance(order, ChooseHome) for order in own)
            builds = of_kind(Build, own)
            if company not in self.state.home and not named and builds:
                self._assume_home(company, sorted(builds, key=lambda order: order.roll))  # in the order of laying

    def _assume_home(self, company: str, builds: list[Build]) -> None:
        homes = homes_of(self.state, company)
        starts = [piece.path[0] for build in builds for piece in build.pieces if piece.path]
        if company == DAVID and (leader := self.state.david_leader(1)) != self.player:
            self.complain("warning-davids-home", "R25", "", line=builds[0].line, leader=leader)
        elif starts and starts[0] in homes:
            home = place_name(self.board, starts[0])
            self.complain("note-home-assumed", "D1.3", text=home, hint=f"HOME {home}", line=builds[0].line)
            self.orders.insert(0, ChooseHome(cities=(starts[0],), company=company, line=builds[0].line))
        else:
            self.complain("illegal-no-home", "D1.3", "", self._names(homes), line=builds[0].line)

    # --- homes ---

    def _home(self) -> None:
        if not self.company:
            return
        if self.company in self.state.home:
            self.complain("illegal-home-chosen", "D1.3", home=place_name(self.board, self.state.home[self.company]))
            return
        if self._is_twice(ChooseHome, 0):
            return
        self.homes_named.add(self.company)
        if self.company == DAVID and (leader := self.state.david_leader(1)) != self.player:
            self.complain("illegal-not-davids-home", "R25", leader=leader)
            return
        homes = homes_of(self.state, self.company)
        names = self._names(homes)
        cities, taken = [], []
        for word in self.phrase.words:
            city = self._place(word)
            if city in homes:
                cities.append(city)
            elif city in all_homes(self.state):
                taken.append(word.text)
            elif city is not None:
                self.complain("illegal-home", "D1.3", text=word.text, hint=names)
        for text in taken:
            if cities:  # no mistake where another home is named, too
                self.complain("note-home-taken", "D1.3", text=text)
            else:
                self.complain("illegal-home-taken", "D1.3", text=text, hint=names)
        if cities:
            self.orders.append(ChooseHome(cities=tuple(cities), company=self.company, line=self.phrase.line))

    # --- building ---

    def _build(self) -> None:
        roll = self._roll()
        if roll is None or not self.company:
            return
        if self.company == DAVID and self.state.is_racing:
            self.complain("illegal-david-no-building", "R25")
            return
        if self._is_twice(Build, roll):
            return
        pieces = tuple(self._piece(phrase) for phrase in self.phrase.phrases("piece"))
        self.orders.append(Build(roll=roll, pieces=pieces, company=self.company, line=self.phrase.line))

    def _roll(self) -> int | None:
        """Return which roll a build line spends: ``1a)`` names round and roll, ``BUILD 1:`` the roll."""
        state = self.state
        if not may_build(state):
            self.complain("illegal-no-building", "D7.1", round=state.round)
            return None
        rolls = state.options.rolls_per_round if state.is_building else 1
        labels = self.phrase.phrases("label")
        words = [part for head in (*labels, *self.phrase.phrases("roll")) for part in head.words]
        numbers = [int(word.value) for word in words if word.kind == "NUMBER"]
        letters = [word.value.lower() for word in words if word.kind == "LETTER"]
        if (labels or letters or state.is_racing) and numbers and numbers[0] != state.round:
            if not (state.is_racing and not labels and not letters and numbers[0] == 1):
                hint = f"{state.round}{letters[0] if letters else ''})"
                self.complain("invalid-round", hint=hint, read=numbers[0], round=state.round)
                return None
            numbers = []
        roll = 1
        if letters:
            roll = ord(letters[0]) - ord("a") + 1
        elif not labels and numbers and state.is_building:
            roll = numbers[0]
        elif rolls > 1:
            self.complain("invalid-which-roll", hint=f"{state.round}a)", rolls=rolls)
            return None
        if not 1 <= roll <= rolls:
            self.complain("invalid-roll", "D4.4", rolls=rolls)
            return None
        return roll

    def _piece(self, phrase: Phrase) -> Piece:
        """Return a piece up to the point where its writing can be followed. Rule: D4.3, R1."""
        path, named = Path(), list[int]()
        jumps: Numbers = ()
        fault: Complaint | None = None
        for word, is_jump in legs_of(phrase):
            label = self._place(word)
            if label is None:
                fault = complaint_of("illegal-unreadable", "D4.3", word.text)
                break
            if not path or label == path[-1]:
                path = path or (label,)  # the same place said twice
                continue
            if is_jump:
                jumps = (*jumps, len(path))
                path = (*path, label)
                continue
            run = land_run(self.board, path[-1], label)
            if isinstance(run, Complaint):
                self.blame(run)
                fault = run.but(hint="")
                break
            # Say how a run that is not straight was understood. Rule: R1.
            written, short = format_path(self.board, run), format_path(self.board, (path[-1], label))
            if written != short and not any(map(self.board.is_city, run[1:-1])):
                self.complain("note-bent-run", "R1", text=short, hint=written)
            path += run[1:]
            named.append(len(path) - 1)
        if len(path) < 2 and not fault:
            self.complain("invalid-short-piece", "D2.2", text=text_of(phrase))
        writing, spare = writing_of(self.board, self.words), spare_points(self.board, path, named)
        fault = as_written(fault, writing) if fault else None
        return Piece(path=path, jumps=jumps, fault=fault, named=spare, writing=writing)

    # --- races ---

    def _run(self) -> None:
        state = self.state
        number = int(self.phrase.words[0].value)
        race = next((race for race in state.offered_races() if race.number == number), None)
        if not race:
            code = "illegal-race" if state.is_racing else "illegal-no-races"
            self.complain(code, "D5.6", hint=", ".join(str(race.number) for race in state.offered_races()), race=number)
            return
        if not self.company or self.phrase.rule == "idle":  # RUN 6: none
            return
        if self._is_twice(Run, number):
            return
        partner = self._partner()
        conditions = self.phrase.phrases("condition")
        condition = self._condition(conditions[0]) if conditions else None
        if partner is None or (conditions and not condition):
            return
        written = [part for part in self.phrase.parts if isinstance(part, Phrase) and part.rule in ("route", "aim")]
        ways = (self._route(each, race) if each.rule == "route" else aim_of(each) for each in written)
        routes = tuple(way for way in ways if way)
        if routes or (partner and not written):
            self.orders.append(
                Run(
                    race=number,
                    routes=routes,
                    partner=partner,
                    condition=condition,
                    company=self.company,
                    line=self.phrase.line,
                )
            )
        elif not written:
            self.complain("illegal-no-route", "D6.1", race=number)

    def _condition(self, phrase: Phrase) -> Condition | None:
        """Return a condition on another company's entry. Rule: D6.1."""
        words = {word.kind: word for word in phrase.words}
        word = words.get("COMPANY") or words["UNKNOWN"]
        race = int(words["NUMBER"].value)
        rivals = [code for code in self.state.codes if code != self.company]
        if word.kind == "UNKNOWN":
            return None
        if word.value not in rivals or not any(each.number == race for each in self.state.offered_races()):
            self.complain("invalid-condition", "D6.1", text=text_of(phrase), hint=" / ".join(rivals))
            return None
        turned = "NOT" in words, bool(phrase.phrases("unless")), bool(phrase.phrases("negated"))
        return Condition(company=word.value, runs=sum(turned) % 2 == 0, race=race)

    def _partner(self) -> str | None:
        """Return the partner of a joint run, "" without one, None where it cannot be. Rule: D6.5."""
        for phrase in self.phrase.phrases("partner"):
            word = phrase.words[0]
            if word.kind == "UNKNOWN":
                return None  # complained of when the line was read
            if word.value == self.company or word.value not in self.state.codes:
                rivals = ", ".join(code for code in self.state.codes if code != self.company)
                self.complain("invalid-partner", "D6.5", text=word.text, hint=rivals)
                return None
            return word.value
        return ""

    def _route(self, phrase: Phrase, race: Race) -> Route | None:
        """Return a route written out over the track that lies, or will lie, None where it cannot be followed."""
        stops = phrase.phrases("stop")
        path, over = Path(), Texts()
        named, detours = list[int](), list[Path]()
        for place, stop in enumerate(stops):
            company = next((each.value for each in stop.words if each.kind == "COMPANY"), "")  # over whose track it is
            label = self._place(stop.words[0], race if place in (0, len(stops) - 1) else None)
            if label is None:
                return None
            if not path or label == path[-1]:
                path = path or (label,)
                continue
            leg = self.company, path[-1], label, company
            # Over the track that lies today or, where that may change before the race, then.
            later = builds_before(self.state, race)
            run = coming_run(self.state, self.planned, *leg) if later else track_run(self.state, *leg)
            if isinstance(run, Complaint):
                self.blame(run)
                return None
            if run != straight_run(path[-1], label):
                detours.append(run)
            path += run[1:]
            named.append(len(path) - 1)
            over += (company,) * (len(run) - 1)
        if len(path) < 2:
            self.complain("invalid-short-route", "D6.2", text=text_of(phrase))
            return None
        self._note_detours(detours)
        route = self._facing(Route(path=path, over=over), race)
        points = named if route.path == path else [len(path) - 1 - index for index in named]
        writing = writing_of(self.board, self.words)
        return route.but(named=spare_points(self.board, route.path, points), writing=writing)

    def _note_detours(self, runs: list[Path]) -> None:
        """Say how legs that are not straight were understood: each follows the only shortest way over track. Rule: R1."""
        if runs:
            short = ", ".join(f"{place_name(self.board, run[0])} - {place_name(self.board, run[-1])}" for run in runs)
            lie = all(self.state.runnable(side(*pair)) for run in runs for pair in pairwise(run))
            ways = ", ".join(format_path(self.board, run) for run in runs)
            self.complain("note-detour" if lie else "note-later-run", "R1", text=short, hint=ways)

    def _facing(self, route: Route, race: Race) -> Route:
        """Turn a route round that was written from the destination to the start, and say so."""
        starts, ends = ends_of(self.board, race.start), ends_of(self.board, race.end)
        if route.path[0] in ends and route.path[-1] in starts and route.path[0] not in starts:
            names = f"{end_name(self.board, race.start)} - {end_name(self.board, race.end)}"
            self.complain("note-turned-round", "D6.2", race=race.number, ends=names)
            return route.but(path=route.path[::-1], over=route.over[::-1])
        return route

    # --- places ---

    def _names(self, hexes: Hexes) -> str:
        return " / ".join(place_name(self.board, label) for label in hexes)

    def _place(self, word: Word, race: Race | None = None) -> Hex | None:
        """Return the hex a word means; None (already complained of by the order book, or here) where it means none.

        A key of several towns is only clear where it names one town; a special's number stands for its only hex.
        """
        if word.kind == "PLACE":
            self.words.append((word.value, word.text))
            return word.value
        if word.kind != "NUMBER":
            return None
        number = int(word.value)
        is_drawn = race is not None and number in (race.start, race.end)
        hexes = ends_of(self.board, number) if is_drawn or number in self.board.ends_of else ()
        if len(hexes) == 1:
            return hexes[0]
        code = "invalid-which-town" if hexes else "invalid-key"
        self.complain(code, "D5.5", text=word.text, hint=self._names(hexes), key=number)
        return None

    def blame(self, complaint: Complaint) -> None:
        """Note a complaint in which hexes are called as the player wrote them."""
        super().blame(as_written(complaint, writing_of(self.board, self.words)))
