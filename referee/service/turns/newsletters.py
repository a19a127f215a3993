"""The newsletter of a turn: to every player their own letter, with the board and what they may see of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial

from referee.config import FILES, language_fault
from referee.core import ConfigError, NotFound, Pair, RefereeError, View
from referee.core.picture import Drawing, Print, closeup
from referee.mail.compose import Attachment, Attachments, content_id
from referee.report.renderer import NotInstalled
from referee.report.templates import SUBJECT, Rendered
from referee.store import OutboxRow, PlayerRow, games, orders, outbox

from ..club import Club
from ..letters.interpretation import newest_texts
from ..pictures import Picture, board_key, legible_name
from ..positions import NOTE, OPENING, Position, apply_rulings, parse_orders, rulings_for, standing
from ..post.attachments import KIND, deadline_file, desk_file, link_for, order_desk
from ..post.codes import UNWATCH, address_of, tag_of
from ..post.observers import reachable_observers
from ..post.readers import Faces, faces_of
from ..post.writing import Occasion, render, signed_text, somebody, to_reader
from ..umpires import umpires_of
from .turnnews import TurnNews, common_values, correction_values, ruling_values


class _Telling:
    """What the newsletters of a turn have in common: each thing is made once, for whom it is the same."""

    def __init__(self, club: Club, news: TurnNews) -> None:
        self.news, self._pictures, self._club = news, club.pictures, club
        self.after = news.position.but(state=news.state)
        self._rules, self._stationery, self._translate = news.position.rules, club.stationery, club.stationery.translate
        self.board, self.chart, self.busiest = cache(self._board), cache(self._chart), cache(self._busiest)
        self.own, self.keepsake = cache(self._own), cache(self._keepsake)
        self.desk = cache(partial(order_desk, club, self.after, players=self.after.players, enclosed=True))
        self._domain = club.config.address.rpartition("@")[2]
        self.view = cache(partial(self._rules.view, news.state))
        self.faces = cache(partial(faces_of, club, news.position.id))
        self._story = cache(partial(self._rules.story, news.state, news.events))
        self._said: dict[Hashable, str] = {}
        self.values = common_values(club, news)

    def to(self, reader: PlayerRow, code: str | None) -> View:
        """Return what a reader's letter may tell, a player's who has a *code*.

        What a template encloses by ``{% call once(name) %}`` is made once for all who are told the same in the same words.
        """
        view, story = self.view_of(code), self.story(code)

        def once(name: str, caller: Callable[[], str]) -> str:
            # The values live as long as this does, so that no other ones can have their ids.
            key = (name, reader.language, reader.zone, id(view), id(story))
            if key not in self._said:
                self._said[key] = caller()
            return self._said[key]

        language = reader.language
        board, chart, keepsake = self.board(language), self.chart(language), self.keepsake(language)
        return {
            **self.values,
            "view": view,
            "story": story,
            "once": once,
            "pictures": {
                "board": self._show(board, f"{self.name}.png") if board.png and not keepsake else None,
                "closeups": [self._show(each, file) for file, each in self._closeups(language, code).items()],
                "chart": self._show(chart, f"{self.name}-chart.png") if chart else None,
            },
            "hexes_file": self._hexes_file(reader),
            "booked": json.loads(self.news.row.booked or "{}").get(code),
            "decided": list(self.news.decided.get(code, ())) if code else [],
            **dict(zip(("desk", "desk_file"), self.desk_of(reader), strict=True)),
        }

    @property
    def name(self) -> str:
        """What the turn's files are called, without ending."""
        news = self.news
        return f"{news.position.id}-turn-{news.turn}" + (
            f"-edition-{news.correction.number}" if news.correction else ""
        )

    def desk_of(self, reader: PlayerRow) -> Pair:
        """Return where a reader finds the order desk, and what it is called beside the letter; "" for what there is not."""
        file = desk_file(self._club, self.after, reader, self.faces(reader.address), opening=not self.news.turn)
        return link_for(self._club, self.after, reader), file

    def files(self, language: str, faces: Faces, code: str | None, *, fine: bool = True) -> Attachments:
        """Return the pictures of the turn (*fine*: one with all names of hexes, too) and what else a player of a *code* wants."""
        page, board = faces.format == "html", self.board(language)
        board = board if fine else board.but(legible=b"")
        # At the end a page shows the keepsake in its place.
        made = board.files(self.name, {*faces.files, "png"} if page and not self.keepsake(language) else faces.files)
        shown = self._closeups(language, code) if page or "png" in faces.files else {}
        if page and (chart := self.chart(language)):
            shown[f"{self.name}-chart.png"] = chart
        made += tuple(
            Attachment(name=file, media_type="image/png", content=each.png, shown=True) for file, each in shown.items()
        )
        if "json" in faces.files:
            seen = json.dumps(self.view_of(code), ensure_ascii=False, sort_keys=True, indent=1).encode()
            made += (Attachment(name=f"{self.name}.json", media_type="application/json", content=seen),)
        if KIND in faces.files and self.news.deadline:
            made += (deadline_file(self._club, self.news.position, language, self.news.next_turn, self.news.deadline),)
        return made

    def paper(
        self,
        reader: PlayerRow,
        rendered: Rendered,
        paper: str = "a4",
        map_paper: str = "a4",
        *,
        grey: bool = False,
        needed: bool = False,
    ) -> Attachments:
        """Return the newsletter as PDF, nothing where none can be made, unless it is *needed*: then that is an error. Raises
        ConfigError with file and line where the umpire's own template is wrong.
        """
        from referee.report.paper import CHART, TEMPLATE, BrokenTemplate, letter_pdf

        language = reader.language
        board = self.board(language).drawing
        if grey:
            asked = Print(events=self.news.events, paper=True)
            board = self._rules.drawing(self.news.state, self._translate(language), asked)
        # A keepsake is for a wall: in a column nobody could read it.
        near = {} if self.keepsake(language) else self._closeups(language, reader.code)
        pictures = {part: each.drawing for part, each in {CHART: self.chart(language), **near}.items() if each}
        place = self._stationery.place(TEMPLATE, self._rules.name)
        try:
            source = place.read_text(encoding="utf-8")
            made = letter_pdf(source, rendered.subject, language, rendered.page, board, pictures, paper, map_paper)
        except RefereeError as error:
            if isinstance(error, BrokenTemplate) and not self._stationery.is_shipped(str(place), self._rules.name):
                raise ConfigError(f"{place}:{error.line}: {error.why}") from error
            if needed:
                raise
            return ()
        return (Attachment(name=f"{self.name}.pdf", media_type="application/pdf", content=made),)

    def with_pictures(self, page: str, files: Iterable[Attachment]) -> str:
        """Return a page with the pictures in it that a letter has beside it."""
        for file in files:
            inside = f"data:{file.media_type};base64,{base64.b64encode(file.content).decode()}"
            page = page.replace(f"cid:{content_id(file.name, self._domain)}", inside)
        return page

    def _hexes_file(self, reader: PlayerRow) -> str:
        """Return the file on which a reader finds the names of all hexes, "" for none: the order desk says them, too."""
        faces = self.faces(reader.address)
        has_png = ("png" in faces.files or faces.format == "html") and not any(self.desk_of(reader))
        return legible_name(self.name) if has_png and self.board(reader.language).legible else ""

    def _show(self, picture: Picture, file: str) -> dict[str, str]:
        shown = picture.drawing
        return {"cid": content_id(file, self._domain), "title": shown.title, "what": shown.description}

    def story(self, reader: str | None) -> Mapping[str, object]:
        """Return the turn as it is told to a player, or to somebody who is none."""
        return self._story(None if self._rules.tells_all_alike and self.news.turn else reader)

    def view_of(self, reader: str | None) -> Mapping[str, object]:
        """Return what a reader may see of the position."""
        return self.view(None if self._rules.tells_all_alike else reader)

    def _board(self, language: str) -> Picture:
        """Return the board after the turn, with its words in a language."""
        shown = partial(self._rules.drawing, self.news.state, self._translate(language), Print(events=self.news.events))
        return self._pictures.of(board_key(self.news.position, self.news.row.hash, language), shown)

    def _beside(self, language: str, what: str, drawing: Drawing | None) -> Picture | None:
        """Return what is shown beside it; None where nothing is, or it cannot be had."""
        key = *board_key(self.news.position, self.news.row.hash, language), what
        picture = self._pictures.of(key, lambda: drawing) if drawing else None
        return picture if picture and picture.png else None

    def _chart(self, language: str) -> Picture | None:
        """Return how the players have fared, None where there is no such picture."""
        drawing = self._rules.chart(self.news.state, self._translate(language)) if self.news.turn else None
        return self._beside(language, "chart", drawing)

    def _busiest(self, language: str) -> Picture | None:
        """Return where most happened, None where nothing did."""
        return self._beside(
            language, "closeup", closeup.busiest(self.board(language).drawing, self._translate(language))
        )

    def _own(self, language: str, code: str) -> Picture | None:
        """Return a player's close-up, None where they need none."""
        return self._beside(language, code, closeup.own(self.board(language).drawing, code, self._translate(language)))

    def _closeups(self, language: str, code: str | None) -> dict[str, Picture]:
        """Return the close-ups that a reader sees, by their files: the reader's own, and where most happened; at the end the
        keepsake.
        """
        if keepsake := self.keepsake(language):
            return {f"{self.news.position.id}-keepsake.png": keepsake}
        found = {code: self.own(language, code) if code else None, "closeup": self.busiest(language)}
        return {f"{self.name}-{what}.png": each for what, each in found.items() if each}

    def _keepsake(self, language: str) -> Picture | None:
        """Return the board for a wall when the game is over, None before, and where nothing is made for one."""
        if self._rules.awaiting(self.news.state) or not self.board(language).drawing.focus:
            return None
        drawing = self._rules.drawing(self.news.state, self._translate(language), Print(keepsake=True))
        return self._beside(language, "keepsake", drawing)

    def letter(self, reader: PlayerRow, name: str, unsubscribe: str = "") -> OutboxRow:
        """Return the newsletter of a player, or of somebody who plays no part, the umpire perhaps: what everybody may see. A
        correction answers the one that it replaces; all go on with a player's thread.
        """
        club, news, faces = self._club, self.news, self.faces(reader.address)
        game, replaced = news.position.id, None
        if news.correction:
            replaced = outbox.written(club, key_of_newsletter(game, news.turn, name, news.correction.replaces.edition))
        rendered = self.render_for(reader, replaced, paged=True if "pdf" in faces.files else None)
        sent = outbox.newsletter_ids(club, game, reader.code) if reader.code else ()
        last = replaced.message_id if replaced else sent[-1] if sent else ""
        occasion = Occasion(
            key=key_of_newsletter(game, news.turn, name, news.row.edition),
            kind="newsletter",
            turn=news.turn,
            asks=news.next_turn,
            attachments=self.beside(reader, rendered),
            follows=(*sent[:1], last) if last else (),
            unsubscribe=unsubscribe,
        )
        rendered = rendered if faces.format == "html" else rendered.but(page="")
        return to_reader(club, news.position, reader, rendered, occasion)

    def render_for(
        self, reader: PlayerRow, replaced: OutboxRow | None = None, *, paged: bool | None = None
    ) -> Rendered:
        """Return the newsletter's words for a reader; *replaced*: the one that this corrects, if they were sent one."""
        news, code = self.news, reader.code or None
        values = self.to(reader, code) | self._word_of_umpire(code)
        if news.correction:
            told = correction_values(news.position, news.correction, news.state, code)
            values |= {"correction": {**told, "sent": replaced.created if replaced else None}}
        return render(self._club, "newsletter" if news.turn else "opening", news.position, reader, values, paged=paged)

    def beside(self, reader: PlayerRow, rendered: Rendered) -> Attachments:
        """Return what a reader is sent beside the words."""
        faces, language = self.faces(reader.address), reader.language
        link, name = self.desk_of(reader)
        files = self.files(language, faces, reader.code or None, fine=not (link or name))
        if "pdf" in faces.files:
            files += self.paper(reader, rendered, faces.paper, faces.map_paper, grey=faces.grey)
        return (*files, Attachment(name, "text/html", self.desk(language))) if name else files

    def _word_of_umpire(self, reader: str | None) -> View:
        """Return what the umpire has ruled for the turn, and says besides."""
        news, position = self.news, self.news.position
        notes = standing(self._club, position.id, news.turn, NOTE) if news.turn else ()
        if not position.rulings and not notes:
            return {}
        last = news.before or position.decode(games.last_turn(self._club, position.id).state)
        rulings = ruling_values(position.rules, last, position.rulings, reader)
        return {"umpire": {"rulings": rulings, "notes": [note.reason for note in notes]}}


def key_of_newsletter(game: str, turn: int, reader: str, edition: int) -> str:
    """Return what makes the newsletter of an edition of a turn to a reader unlike any other letter."""
    return f"newsletter:{game}:{turn}:{reader}:{edition}"


def newsletters(club: Club, news: TurnNews) -> tuple[OutboxRow, ...]:
    """Return everybody's newsletter, ready for the outbox."""
    game, telling = news.position.id, _Telling(club, news)
    made = [telling.letter(player, player.code) for player in news.position.players]
    for each in reachable_observers(club, game) if news.turn else ():
        # How the observer gets no more of them.
        unsubscribe = address_of(club, tag_of(club, UNWATCH, game, each.address)) or club.config.address
        made.append(telling.letter(somebody(club, game, each.address), f"observer-{each.id}", unsubscribe))
    known = {each.recipient.lower() for each in made}
    copied = umpires_of(club, game) if club.config.umpire_newsletters else ()
    copies = (telling.letter(somebody(club, game, each.address), f"umpire-{each.address}") for each in copied)
    return (*made, *(each for each in copies if each.recipient.lower() not in known))


def public_faces(club: Club, news: TurnNews) -> tuple[Rendered, Attachments]:
    """Return what somebody who plays no part may read of a turn, as text and as page, and the pictures that the page shows."""
    telling, reader = _Telling(club, news), somebody(club, news.position.id, "")
    files = telling.files(reader.language, Faces(format="html", files=(), said=True), None)
    return telling.render_for(reader, paged=True), files


# A turn that was played, told anew by the templates that lie there now: the umpire looks at what the letters look like.


def reprint(
    club: Club, game_id: str, turn: int | None = None, players: tuple[PlayerRow, ...] | None = None
) -> TurnNews:
    """Return a turn as it was played, the last one if none is named, to be told anew; a correction is told as a turn of its own.
    *players*: as its readers shall know them.

    Raises:
        NotFound: there is no such game, or it has no such turn.
        ConfigError: a file of the umpire's own is wrong.
    """
    row = games.game(club, game_id)
    played = {each.turn: each for each in games.turns(club, row.id)}
    number = max(played) if turn is None else turn
    if number not in played:
        raise NotFound(f"turn {number} of {row.id} was not played (there is {OPENING} to {max(played)})")
    this, position = played[number], club.position(row, players)
    rules, state = position.rules, position.decode(this.state)
    before = position.decode(played[number - 1].state) if number else state
    begun, rulings = apply_rulings(rules, before, rulings_for(club, row.id, number)) if number else (before, ())
    over = not rules.awaiting(state)
    following = played.get(number + 1)
    sent = parse_orders(rules, this.orders, position.setup)
    position = position.but(state=begun, rulings=rulings, salt_fixed=number > 1, row=row.but(turn=number))
    texts = {kind: newest_texts(orders.texts(club, row.id, number, kind)) for kind in ("press", "unsigned")}
    return TurnNews(
        position=position,
        row=this,
        state=state,
        events=position.decode(this.events),
        next_turn=number if over else rules.turn(state),
        deadline=None if over else following.deadline if following else row.deadline,
        press=texts["press"] if number else (),
        unsigned=texts["unsigned"] if number else (),
        missing=tuple(code for code in position.awaited if number and code not in sent),
        before=before,
        at=this.adjudicated_at,
    )


def resend(club: Club, position: Position, player: PlayerRow, turn: int) -> tuple[str, Attachments] | None:
    """Return a newsletter in the language that its player has now, its text and files; None if the turn was undone meanwhile."""
    try:
        telling = _Telling(club, reprint(club, position.id, turn))
    except NotFound:
        return None
    rendered = telling.render_for(player)
    return rendered.text, telling.beside(player, rendered)


def faces_of_turn(
    club: Club, game_id: str, turn: int | None = None, code: str = "", language: str = ""
) -> dict[str, bytes]:
    """Return a newsletter with every face that it can have, by the names of files: the text with its subject, the page with its
    pictures in it, the pictures, the drawing, the position, and all of it as PDF where that can be made; the first player's, in
    that player's language, unless said otherwise.

    Raises:
        NotFound: there is no such game, turn or player.
        ConfigError: no letters are written in that language, or a file of the umpire's own is wrong.
    """
    telling, player = _reprint(club, game_id, turn, code)
    if fault := language_fault(language) if language else "":
        raise ConfigError(f"--lang: {fault}")
    player = player.but(language=language or player.language)
    rendered = telling.render_for(player, paged=True)
    files = telling.files(player.language, Faces(format="html", files=FILES, said=True), player.code)
    made = {f"{telling.name}.txt": f"{SUBJECT} {rendered.subject}\n\n{signed_text(club, rendered)}".encode()}
    made[f"{telling.name}.html"] = telling.with_pictures(rendered.page, files).encode()
    with suppress(NotInstalled):
        files += telling.paper(player, rendered, needed=True)
    return made | {file.name: file.content for file in files}


def paper_of_turn(club: Club, game_id: str, turn: int | None, code: str, paper: str, map_paper: str) -> bytes:
    """Return a newsletter as PDF. Raises as ``faces_of_turn``, and as ``report.paper.letter_pdf``."""
    telling, player = _reprint(club, game_id, turn, code)
    rendered = telling.render_for(player, paged=True)
    return telling.paper(player, rendered, paper, map_paper, needed=True)[0].content


def _reprint(club: Club, game_id: str, turn: int | None, code: str) -> tuple[_Telling, PlayerRow]:
    news = reprint(club, game_id, turn)
    return _Telling(club, news), news.position.player(code) if code else news.position.players[0]
