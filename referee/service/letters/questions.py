"""What a letter asks, and what is answered: HELP, STATUS, RULES, MAP, RESEND, ORDERS?, HINT, WHATIF. Nothing is changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from referee.core import RefereeError, View, Words, as_written
from referee.core.game import Game, Option
from referee.core.picture import Drawing, Print
from referee.core.texts.shipped import Paragraph, Rulebook
from referee.mail.compose import Attachment, Attachments, content_id, files_in, read_own, text_in
from referee.orderbook import Question
from referee.orderbook.language import (
    BEGIN,
    COMMAND,
    FINISH,
    ORDER,
    QUESTION,
    TEXT,
    TEXT_END,
    TEXT_TO,
    TEXT_UNSIGNED,
    TRIAL,
    VALUE,
)
from referee.reader.understanding import Understanding
from referee.report.html import LINE_WIDTH, TIE
from referee.store import OrderSet, OutboxRow, PlayerRow, games, orders, outbox, with_files

from ..club import Club
from ..duetimes import rhythm_of
from ..pictures import board_key
from ..positions import Position
from ..post.attachments import desk_files, link_for
from ..post.readers import faces_of
from .identify import Found
from .interpretation import counts_as_in, is_in, newest_texts, on_file, set_to_run, set_values

# The rules as a letter asks for them: whole, or paragraph by paragraph, with the options of the game that they depend
# on.

_NUMBER = re.compile(r"[A-Z]? ?\d+(?:\.\d+)*")
_MARKED = re.compile(r"`([^`]+)`")
_GAME = re.compile(r"[A-Z]{2,6}\d{1,6}(?!\S)")  # a paragraph has one letter


def rules_values(rules: Game, preset: str, options: Mapping[str, Option], language: str, asked: list[str]) -> View:
    """Return what ``answers.txt.j2`` tells of the rules. *asked*: the words behind RULES, "" for none: then all of them."""
    book = rules.rulebook(language)
    if not book:
        return {"kind": "rules", "title": "", "preface": [], "paragraphs": [], "missing": [], "chapters": []}
    numbers = [_NUMBER.findall(_GAME.sub("", value.upper(), count=1)) for value in asked]
    whole = not all(numbers)
    names = list(dict.fromkeys(number for each in numbers for number in each))
    found = [paragraph for name in names for paragraph in book.find(name)]
    agreed = {**rules.presets[preset], **options}
    return {
        "kind": "rules",
        "title": book.title,
        "preface": [plain(block) for block in book.preface] if whole else [],
        "paragraphs": [
            _paragraph_view(book, each, agreed) for each in (book.paragraphs if whole else dict.fromkeys(found))
        ],
        "missing": [name for name in names if not book.find(name)],
        "chapters": [f"{each.number} {each.title}" for each in book.paragraphs if "." not in each.number],
    }


def _paragraph_view(book: Rulebook, paragraph: Paragraph, options: Mapping[str, Option]) -> View:
    return {
        "number": paragraph.number,
        "title": paragraph.title,
        "about": book.paragraphs_of(paragraph),
        "chapter": "." not in paragraph.number and paragraph in book.paragraphs,
        "blocks": [plain(block) for block in paragraph.blocks],
        "options": [f"{name}{TIE}={TIE}{as_written(options[name])}" for name in paragraph.quoted if name in options],
        "rulings": [each.number for each in book.rulings_on(paragraph)],
    }


def plain(block: str) -> str:
    """Return a block without the marks of Markdown: what might be read as a word of the sentence stands in quotes."""

    def quote(match: re.Match[str]) -> str:
        word = match[1]
        is_name = word.isupper() or ("_" in word and " = " not in word)
        return word if is_name else f'"{word.replace(" ", TIE)}"'

    return _MARKED.sub(quote, block)


MOST_RESENT = 3  # newsletters in one answer

# A newsletter of a turn told anew for a player, its text and its files; None where that cannot be.
Retell = Callable[[Club, Position, PlayerRow, int], tuple[str, Attachments] | None]

_GROUPS = {
    "orders": (ORDER,),
    "letter": (BEGIN, FINISH, COMMAND, VALUE, TRIAL),
    "press": (TEXT, TEXT_TO, TEXT_UNSIGNED, TEXT_END),
    "questions": (QUESTION,),
}


def only_asks(read: Understanding) -> bool:
    """Return whether a letter wants nothing but answers."""
    said = read.reading
    orders_something = read.gives_orders or said.phrases or said.complaints or said.marked
    speaks = said.commands or said.press or said.note or said.salt or said.private or said.unsigned or said.trials
    return bool(said.questions) and not orders_something and not speaks


_REASONS = {"PASS": "pass", "RUN": "races", "BUILD": "links", "MOVE": "trips", "SUBSIDY": "trips"}  # of a hint, by verb


class Questions:
    """What a letter asks, answered: ``values`` for ``answers.txt.j2`` in the order of telling, ``files`` beside the letter."""

    def __init__(self, club: Club, found: Found, read: Understanding, sets: Iterable[OrderSet], retell: Retell) -> None:
        """*sets*: what is on file for the awaited turn, this letter's orders among it. *retell* brings a newsletter of a turn
        in the language that its player has now.
        """
        self._club, self._position, self._player = club, found.position, found.player
        self._sets, self._retell = tuple(sets), retell
        many = len(read.tried) > 1
        self.values: list[View] = [
            {"kind": "trial", "number": number if many else 0, "forecast": each.forecast, "complaints": each.complaints}
            for number, each in enumerate(read.tried, 1)
        ]
        self.files: list[Attachment] = []
        simple = {"HELP": self._help, "STATUS": self._status, "ORDERS?": self._on_file, "HINT": self._hint}
        resent = 0
        for question in read.reading.questions:
            if question.verb in simple:
                self.values.append(simple[question.verb]())
            elif question.verb == "RULES" and not any(each["kind"] == "rules" for each in self.values):
                asked = [each.value for each in read.reading.questions if each.verb == "RULES"]
                rules, setup = self._position.rules, self._position.setup
                told = rules_values(rules, setup.preset, dict(setup.options), self._player.language, asked)
                self.values.append(told)
            elif question.verb == "MAP":
                self._add_board(question)
            elif question.verb == "RESEND" and resent < MOST_RESENT:
                resent += 1
                self._add_newsletter(question)
            elif question.verb in self._desk() and (verb := self._position.order_language.verb(question.verb)):
                self.values.append({"kind": "desk", "verb": verb.name, "help": self._say(verb.help)})

    def _hint(self) -> View:
        """Return what a player of the third strength would order on what this one sees, where the umpire lets players ask."""
        from referee.bots import THIRD
        from referee.bots.trial import ANSWERS  # here, because few readers ask for it

        position, code = self._position, self._player.code
        kind = position.rules.name
        allowed = kind in ANSWERS and rhythm_of(self._club.config, position.row).hints
        if not allowed or code not in position.awaited:
            return {"kind": "hint", "lines": [], "allowed": allowed}
        seen = json.loads(json.dumps(position.rules.view(position.state, code)))
        lines = ANSWERS[kind](seen, code, THIRD, position.setup.board)
        verbs = {line.split()[0] for line in lines}
        why = next((reason for verb, reason in _REASONS.items() if verb in verbs), kind)
        return {"kind": "hint", "lines": list(lines), "why": why, "allowed": True}

    def _help(self) -> View:
        """Return the words of a game by groups, those left out that lead to nothing here."""
        position, player = self._position, self._player
        rules = position.rules
        examples = {**self._common_examples(), **rules.examples(position.state, player.code)}
        silent = () if rules.takes_press(position.state) else (TEXT_TO, TEXT_UNSIGNED, TEXT_END)
        hidden = silent if self._club.config.unsigned_press else (*silent, TEXT_UNSIGNED)
        groups = []
        for name, kinds in _GROUPS.items():
            verbs = position.order_language.of_kind(*(kind for kind in kinds if kind not in hidden))
            kept = [
                verb
                for verb in verbs
                if not (silent and verb.name == "PRESS") and examples.get(verb.name, verb.example)
            ]
            groups.append({"name": name, "verbs": [self._verb(verb, examples) for verb in kept]})
        link = link_for(self._club, position, player)
        return {"kind": "help", "groups": groups, "desk": self._desk(), "link": link}

    def _common_examples(self) -> dict[str, str]:
        """Return by verb a line of this game in the place of what the order language shows; "" for a verb of no use any more."""
        row = self._position.row
        others = [each.code for each in self._position.players if each.code != self._player.code]
        to = f"PRESS TO {', '.join(others[:2])}: Shall we share a bridge?"
        book = self._position.rules.rulebook(self._player.language)
        rules = [each.number for each in book.paragraphs if "." in each.number] if book else []
        examples = {"ORDERS": f"ORDERS {row.id} {row.turn}", "PRESS TO": to}
        examples |= {"RULES": f"RULES {rules[len(rules) // 2]}"} if rules else {}
        examples |= {} if rhythm_of(self._club.config, row).hints else {"HINT": ""}
        return examples | ({"SALT": ""} if row.turn > 1 else {})

    def _verb(self, verb: Any, examples: Words) -> dict[str, str]:
        example = examples.get(verb.name, verb.example)
        head, colon, prose = example.partition(": ")
        if colon and verb.kind in (TEXT, TEXT_TO, TEXT_UNSIGNED):
            example = f"{head}: {self._say(prose)}"  # what a player would write there is in the reader's language, too
        return {"name": verb.name, "example": example, "help": self._say(verb.help)}

    def _say(self, sentence: str) -> str:
        """Return a sentence of ours about orders in the player's language, and in its words for orders."""
        spoken = self._club.stationery.sentences(self._position.rules.name, self._player.language)
        return spoken.translations.gettext(sentence)

    def _desk(self) -> list[str]:
        return [verb.name for verb in self._position.order_language.of_kind("desk")]

    def _status(self) -> View:
        club, position, player = self._club, self._position, self._player
        played = dict.fromkeys(seat.game for seat in games.seats_of(club, player.address))
        others = [games.game(club, game) for game in played if game != position.id]
        tells = club.config.tell_awaited and not position.asked
        rules, state = position.rules, position.state
        return {
            "kind": "status",
            "view": rules.view(state, player.code),
            "story": rules.story(state, (), player.code),
            "turn": position.row.turn,
            "deadline": position.row.deadline,
            "finished": position.row.is_over,
            "asked": list(position.asked),
            "waits": bool(orders.waiting(club, *position.row.turn_key)),
            "owes": player.code in position.awaited,
            "awaited": [code for code in position.awaited if not is_in(position, self._sets, code)] if tells else None,
            "others": [{"game": row.id, "turn": row.turn, "deadline": row.deadline} for row in others if row.deadline],
        }

    def _on_file(self) -> View:
        position, player = self._position, self._player
        runs, newest = set_to_run(self._sets, player.code), on_file(self._sets, player.code)[-1:]
        ahead = orders.kept_of(self._club, position.id, player.code)
        beside = [each for each in newest if each is not runs and not counts_as_in(each)]
        return {
            "kind": "file",
            "turn": position.row.turn,
            "runs": set_values(position, runs) if runs else None,
            "beside": set_values(position, beside[0]) if beside else None,
            "later": [
                {"turn": each.turn, "arrived": each.arrived, "standby": each.if_standby}
                for each in ahead
                if each.turn + each.if_standby > position.row.turn
            ],
            **{kind: self._text(kind) for kind in ("press", "unsigned", "note", "salt")},
        }

    def _text(self, kind: str) -> str:
        position = self._position
        if kind == "salt" and position.salt_fixed:
            return ""
        rows = orders.texts(self._club, *position.row.turn_key, kind)
        return next((row.text for row in newest_texts(rows) if row.player == self._player.code), "")

    def _add_board(self, question: Question) -> None:
        """Add the board as the last newsletter showed it, or one company's lines alone, with the files that are wished."""
        club, position, language = self._club, self._position, self._player.language
        faces = faces_of(club, position.id, self._player.address)
        alone = next(
            (code for code in position.setup.codes if code == question.value.upper()), ""
        )  # "": the whole board is meant
        last = games.last_turn(club, position.id)
        picture = club.pictures.of(
            board_key(position, f"{position.mark}{alone}", language),
            lambda: position.rules.drawing(
                position.state,
                club.stationery.translate(language),
                Print(events=position.decode(last.events), alone=alone),
            ),
        )
        kinds = {"png", *faces.files}
        name = f"{position.id}-turn-{last.turn}{'-' * bool(alone)}{alone}"
        files = (*picture.files(name, kinds), *_board_on_paper(picture.drawing, name, kinds))
        files += desk_files(club, position, self._player, faces)
        shown = {"title": picture.drawing.title, "what": picture.drawing.description}
        cids = (content_id(file.name, club.config.address.rpartition("@")[2]) for file in files if file.shown)
        pictures = [{"cid": cid, **shown} for cid in cids]
        self.values.append({"kind": "map", "files": [file.name for file in files], "pictures": pictures})
        self._attach(files)

    def _add_newsletter(self, question: Question) -> None:
        """Add a newsletter as it was sent, told anew if its player has another language now: its text in the answer, so that it
        can be read and answered anywhere, its files beside.
        """
        number = re.search(r"\b(\d{1,4})$|[a-z](\d{1,4})$", question.value.rpartition(" ")[2].lower())
        named = re.fullmatch(r"[A-Za-z]{1,6}\d{1,6}", question.value) and not question.value.lower().startswith(
            ("turn", "round")
        )
        turn = int(number[1] or number[2]) if number and not named else None
        sent = outbox.newsletter_to(self._club, self._position.id, self._player.code, turn)
        text, files = content_of(with_files(self._club, sent)) if sent else ("", [])
        language = self._player.language
        raw = sent.raw if sent else b""
        is_foreign = bool(raw) and read_own(raw).get("Content-Language", language) != language
        if sent and (is_foreign or self._lacks(sent, files)):
            again = self._retell(self._club, self._position, self._player, sent.turn or 0)
            told, more = _show(*again) if again else ("", [])
            text, files = (told, more) if again and is_foreign else (text, [*files, *more])
        self.values.append({"kind": "resend", "turn": sent.turn if sent else turn, "text": text})
        self._attach(files)

    def _lacks(self, sent: OutboxRow, files: Iterable[Attachment]) -> bool:
        """Return whether a newsletter left without a file that its reader wishes now."""
        has = {file.media_type for file in files}
        wished = faces_of(self._club, self._position.id, self._player.address).files
        is_last = sent.turn == games.last_turn(self._club, self._position.id).turn
        lacks = {"pdf": "application/pdf" not in has, "desk": is_last and "text/html" not in has}
        return any(lacks.get(kind) for kind in wished)

    def _attach(self, files: Iterable[Attachment]) -> None:
        known = {file.name for file in self.files}
        self.files += [file for file in files if file.name not in known]


def _board_on_paper(drawing: Drawing, name: str, kinds: set[str]) -> Iterator[Attachment]:
    """Yield the board as PDF, nothing where none is wanted or can be made."""
    if "pdf" in kinds:
        from referee.report.paper import board_file  # here, because few readers ask for it

        with suppress(RefereeError):
            yield Attachment(f"{name}.pdf", "application/pdf", board_file(drawing, ".pdf", 0))


def content_of(sent: OutboxRow) -> tuple[str, list[Attachment]]:
    """Return the text of a letter of ours as an answer shows it, and the files beside it."""
    message = read_own(sent.raw)
    return _show(text_in(message), files_in(message))


def _show(text: str, files: Iterable[Attachment]) -> tuple[str, list[Attachment]]:
    # Tables may be wider than a letter's lines: they stay as they were. A file that is empty is damaged.
    lines = (line.replace(" ", TIE) if len(line) > LINE_WIDTH else line for line in text.strip("\n").split("\n"))
    return "\n".join(lines), [file for file in files if file.content]
