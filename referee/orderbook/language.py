"""One game's order language, read from its texts: verbs, how a line must begin to be an order, the grammar of an order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import chain, islice

from referee.core import ConfigError, Fields, Pair, Term, Terms, Texts, View, fold

from . import expressions
from .expressions import TABLES, Prose, doubts_of, overlay
from .names import (
    Begun,
    Expression,
    Hand,
    Head,
    Lexicon,
    LookUps,
    Slips,
    TextHead,
    Valued,
    Verb,
    courteous_names,
    hand_of,
    lexicon_of,
    verb_of,
)
from .tokens import END, Parser, Tongue, tables_of

BEGIN, FINISH, TEXT, TEXT_END, COMMAND, VALUE, ORDER = "begin", "end", "text", "text-end", "command", "value", "order"
# A block that is only asked about; a text for named readers, and one without its writer; what is asked, and what the umpire does.
TRIAL, TEXT_TO, TEXT_UNSIGNED, QUESTION, DESK = "trial", "text-to", "text-unsigned", "question", "desk"
ASKED = (QUESTION, DESK)
NOTE = "NOTE"  # the text for the umpire alone
_BULLET = re.compile(r"(?:[*•·]|[-–—]\s)\s*")
_LOOK_AHEAD = 8  # words that decide whether a line is an order
LONGEST_LINE = 2000  # characters of an order
_LONGEST_BEGINNING = LONGEST_LINE + 1  # in which a line's beginning is looked for: one that is too long is seen to be
_LONGEST_HEAD = 300  # of a text, with its readers
_LONGEST_VALUE = 320  # behind a verb that takes a word: an address between < and >
_LONGEST_KEPT = 120  # characters of a line that only says that its order stays
LONGEST_LABEL = 4  # words behind a verb, which the order form prints before the blank: 1 c ) :
OF_A_LABEL = frozenset({"NUMBER", "LETTER", "COLON", "RPAR", "DOT"})
_FEW_WORDS = 6  # in which a command in capitals was meant as one


class OrderLanguage:
    """The order language of one game. Built once, used for all its letters: see ``naming`` and ``having``."""

    names = Lexicon(())
    tongue: Tongue

    def __init__(self, tables: Fields, grammar: str, parser: bytes = b"") -> None:
        """*tables*: the merged tables ``verb``, ``words``, ``kinds``, ``courtesies``, ``lines``, ``elsewhere``, ``hands``,
        ``numbers``; see ``of``. *parser*: the tables of the grammar's parser, if they are there already.
        """
        self.verbs = tuple(verb_of(name, entry) for name, entry in tables["verb"].items())
        self.terminals = frozenset(re.findall(r"\b_?[A-Z]+\b", " ".join(re.findall(r"(?m)^%declare (.*)$", grammar))))
        self.parser = Parser(parser or tables_of(grammar))
        self.words = Lexicon(
            Term(kind=kind, name=name, value=kind) for kind, names in tables["words"].items() for name in names
        )
        self.numbers = {fold(name): number for number, names in tables["numbers"].items() for name in names}
        entries = tables["verb"].items()
        # Words behind which something must follow, so that they join a line to the next.
        lines = tables["lines"]
        self.joints = self.words.kinds - set(lines.get("last", ()))
        # Words that go on a line left open though they look like a verb; kinds of names with which no order or signature begins;
        # marks with which the rest of a line begins; kinds of which all names are told where none is near.
        self.holds, self.onward, self.leads, self.listed = (
            frozenset(lines.get(key, ())) for key in ("holds", "onward", "leads", "listed")
        )
        self.waits = tuple(lines.get("waits", (";", ":")))  # marks behind which places or names follow on the next line
        self.strange = str(lines.get("strange", ""))  # what a name like nothing known is taken for
        self.lacks: dict[str, str] = lines.get("lacks", {})  # by the kind of what a line lacks: what is said of that
        self._elsewhere = {game: expressions.own(shape) for game, shape in tables["elsewhere"].items()}
        self._opens, bare, self._nearly, nearly_bare, labelled, self._shouted = (
            {name: expressions.of_kinds(entry.get(key, ()), tables["kinds"]) for name, entry in entries}
            for key in ("opens", "bare", "nearly", "nearly_bare", "labelled", "shouted")
        )
        self._unnamed = next((name for name, shapes in bare.items() if shapes), "")  # what a line without a verb has
        # Of lines without a verb it does not matter whose shape they have: a line's words are looked at once.
        self._bare, self._nearly_bare, self._labelled = (
            tuple(chain.from_iterable(shapes.values())) for shapes in (bare, nearly_bare, labelled)
        )
        self._values = {name: expressions.own(entry["value"]) for name, entry in entries if "value" in entry}
        self._valued = expressions.of_values(
            alias for verb in self.verbs if verb.name in self._values for alias in verb.aliases
        )
        # ORDERS? is asked, ORDERS begins.
        plain = [(fold(alias), verb) for verb in self.verbs for alias in verb.aliases if not alias.endswith("?")]
        self._folded = dict(plain)
        self._asked = {fold(alias): verb for kind in ASKED for verb in self.of_kind(kind) for alias in verb.aliases}
        said = tables["courtesies"]
        self._courteous = courteous_names(self.of_kind(COMMAND, *ASKED), said)
        turns = [word for verb in self.of_kind(BEGIN, TRIAL) for word in tables["verb"][verb.name].get("turn", ())]
        self._turns = frozenset(map(fold, turns))
        self._starts = expressions.of_orders(self._names(ORDER))
        self._amending, self._same = (expressions.of_words(said.get(key, ())) for key in ("amending", "same"))
        self._after = frozenset(map(fold, ("", *said["after"])))
        self.prose = Prose(said)
        self._announcing = frozenset(map(fold, said.get("announcing", ())))
        self._greetings, self._closings = (
            expressions.of_courtesies(said.get(key, ())) for key in ("greetings", "closings")
        )
        self._within = expressions.within_lines(self._names(ORDER))
        self.doubts = doubts_of(tables["doubts"], tables["kinds"])
        self._hands = tuple(hand_of(expressions.own(entry["line"]), entry) for entry in tables["hands"].values())
        self._begins = expressions.of_blocks(self._names(BEGIN, TRIAL), turns)
        self._unheard = expressions.of_texts(
            alias
            for verb in self.verbs
            if verb.kind in (TEXT_TO, TEXT_UNSIGNED) or verb.name == NOTE
            for alias in verb.aliases
        )
        self._slip_names = Lexicon(
            Term(kind=verb.kind, name=alias, value=verb.name)
            for verb in self.verbs
            for alias in verb.aliases
            # Prose is full of words that are nearly MAP, HELP or FIN.
            if verb.kind != DESK
            and alias.isalpha()
            and len(alias) > (5 if verb.kind == QUESTION or alias in verb.foreign else 2)
        )

    @classmethod
    def of(cls, *, common: str, verbs: str, grammar: str) -> OrderLanguage:
        """Return the language of these texts (``orders/common/verbs.toml`` and the game's ``verbs.toml`` and ``grammar.lark``).

        Raises:
            ConfigError: a text cannot be read.
        """
        return cls.with_own((common, verbs), grammar, ())

    @classmethod
    def with_own(cls, verbs: Iterable[str], grammar: str, own: Sequence[Pair], parser: bytes = b"") -> OrderLanguage:
        """Return the language of these texts with what an umpire lays over them, each as (its file, its text).
        *parser*: as of ``OrderLanguage``.

        Raises:
            ConfigError: a text cannot be read.
        """
        tables: dict[str, View] = {name: {} for name in TABLES}
        try:
            for text in verbs:
                for name, table in tomllib.loads(text).items():
                    tables[name].update(table)
            for where, text in own:
                tables = overlay(tables, where, text)
            return cls(tables, grammar, parser)
        except (ValueError, KeyError, TypeError, AttributeError, re.error) as error:
            whose = " and ".join(where for where, _ in own) or "order language"
            raise ConfigError(f"{whose}: {type(error).__name__}: {error}") from error

    def naming(self, terms: Terms) -> OrderLanguage:
        """Return the language with the names of a game."""
        made = copy(self)
        made.names = lexicon_of(terms)
        return made

    def having(self, look_ups: LookUps, verb_look_ups: LookUps) -> OrderLanguage:
        """Return the language as the lines of one letter may speak it."""
        slips, verbs = Slips(self.names, look_ups), Slips(self._slip_names, verb_look_ups)
        made = copy(self)
        made.tongue = Tongue(self.names, self.words, slips, verbs, self.numbers)
        return made

    def of_kind(self, *kinds: str) -> tuple[Verb, ...]:
        """Return the verbs of these kinds, in the order of the texts."""
        return tuple(verb for verb in self.verbs if verb.kind in kinds)

    def _names(self, *kinds: str) -> Texts:
        return tuple(alias for verb in self.of_kind(*kinds) for alias in verb.aliases)

    def verb(self, name: str) -> Verb | None:
        """Return the verb with this canonical name."""
        return next((verb for verb in self.verbs if verb.name == name), None)

    def read_beginning(self, line: str) -> Begun | None:
        """Return what an ORDERS line says, None for any other line.

        Orders may stand behind it on the same line. Anything else may not, unless game and turn make plain that it is one:
        ``ORDERS RR7 3 hello`` begins a block, ``Orders will follow`` does not.
        """
        match = self._begins.match(line[:_LONGEST_BEGINNING])
        if not match or self._is_asked(line):
            return None
        trial = self._folded[fold(match["begin"])].kind == TRIAL
        if trial and " " in match["begin"] and not match["begin"].isupper():
            return None  # What if we met in Dublin?
        rest = line[match.end() :]
        plain = match["game"] and (match["turn"] or line[: match.end("begin")].isupper())
        if rest and (match["odd"] is not None or not (plain or self.is_for_us(rest))):
            return None
        return Begun(game=(match["game"] or "").upper(), turn=int(match["turn"] or 0), rest=rest, trial=trial)

    def is_for_us(self, line: str) -> bool:
        """Return whether a line is a command, begins a text, or begins like an order or nearly so."""
        return bool(self.alone(line) or self.text_head(line) or self.opening(line) or self.nearly(line))

    def alone(self, line: str, *, courteous: bool = True) -> Verb | None:
        """Return the verb that is all of this line: a command, END, the end of a text, a question. A *courteous* one is:
        ``I pass.`` Without courtesies a question must be shouted.
        """
        line = line[:_LONGEST_BEGINNING]
        folded = fold(line)
        verb = self._asked.get(folded) if self._is_asked(line) else self._folded.get(folded)
        if verb and (verb.kind in (COMMAND, FINISH, TEXT_END) or (verb.kind in ASKED and line.isupper())):
            return verb
        return self._courteous.get(folded) if courteous else None

    def ends(self, line: str) -> bool:
        """Return whether a line is END."""
        verb = self.alone(line)
        return verb is not None and verb.kind == FINISH

    def command_within(self, line: str) -> Verb | None:
        """Return the command that stands in capitals among a few other words, where it is none: ``CONFIRM my last ones``."""
        words = line[:_LONGEST_BEGINNING].split()
        if len(words) > _FEW_WORDS:
            return None
        spoken = (re.sub(r"[\W_]", "", word) for word in words)
        verbs = (self._folded.get(fold(word)) for word in spoken if word.isupper() and len(word) > 1)
        return next((verb for verb in verbs if verb and verb.kind == COMMAND), None)

    def elsewhere(self, line: str, *, strict: bool) -> str:
        """Return the title of the game whose order this line is, "" if it is no other game's.

        Where prose may stand (not *strict*) its first word must be in capitals or a number: ``HOME Dublin``, ``1a) …``.
        """
        line = _strip_bullet(line[:_LONGEST_BEGINNING])
        if not strict and not line[:1].isdigit() and not line.partition(" ")[0].isupper():
            return ""
        return next((game for game, shape in self._elsewhere.items() if shape.fullmatch(line)), "")

    def text_head(self, line: str, *, titled: bool = True) -> TextHead | None:
        """Return how a text begins where one does: ``PRESS: …``, ``PRESS TO GSW, MGW: …``, ``PRESS``, *titled* ``Press`` too.
        What is not for everybody must never go on with what is: shouted it begins without its colon too.
        """
        head, colon, _ = line[:_LONGEST_HEAD].partition(":")
        rest = line[len(head + colon) :]
        verb = self._folded.get(fold(head))
        named = colon or head.isupper() or (titled and head.istitle())
        if named and verb and verb.kind in (TEXT, TEXT_UNSIGNED):
            return TextHead(verb=verb, rest=rest.strip())
        match = self._unheard.match(head)
        if not match or not (colon or match[1].isupper()):
            return None
        verb = self._folded[fold(match[1])]
        if verb.kind != TEXT_TO:
            return TextHead(verb=verb, rest=f"{match[2]}{colon}{rest}".strip())
        names = (name.strip() for name in re.split(r"[,;/&+]|\b(?:and|und|et|en)\b", match[2], flags=re.IGNORECASE))
        return TextHead(verb=verb, to=tuple(filter(None, names)), rest=rest.strip())

    def read_value(self, line: str) -> Valued | None:
        """Return what a line says that begins with a verb that takes a word."""
        heads = (shape.fullmatch(line[:_LONGEST_BEGINNING]) for shape in self._valued)
        found = ((match[2], self._folded.get(fold(match[1]))) for match in heads if match)
        value, verb = next(((value, verb) for value, verb in found if verb and verb.name in self._values), ("", None))
        fits = verb and len(value) <= _LONGEST_VALUE and self._values[verb.name].fullmatch(value)
        return Valued(verb=verb, value=value if fits else "") if verb else None

    def head(self, line: str) -> Head | None:
        """Return the order verb at the line's beginning, whatever follows."""
        text = _strip_bullet(line[:_LONGEST_BEGINNING])
        match = self._starts.match(text)
        verb = self._folded.get(fold(match[1])) if match else None
        return Head(verb.name, match.end(1), text) if match and verb else None

    def amending(self, line: str) -> list[tuple[int, int]]:
        """Return the places, each from its beginning to its end, of what asks to keep the rest: ``… rest as before``."""
        return [match.span() for match in self._amending.finditer(line[:_LONGEST_BEGINNING])]

    def label(self, line: str) -> Pair:
        """Return a line's label and what stands behind it: ``RUN 7:``, ``1c)``, ``HOME``; "" and the line where it has none."""
        head = self.head(line) or Head("", 0, _strip_bullet(line[:_LONGEST_BEGINNING]))
        end = head.end
        for token in (
            islice(self.tongue.tokens(head.text, end), LONGEST_LABEL) if end or head.text[:1].isdigit() else ()
        ):
            if token.kind not in OF_A_LABEL:
                break
            end = token.end
        return head.text[:end].strip(), head.text[end:].strip()

    def read_kept(self, line: str) -> str:
        """Return the label of a line that says that its order stays as it is on file: ``1c) same as last time``; "" else."""
        match = self._same.search(line) if len(line) <= _LONGEST_KEPT else None
        if not match or fold(line[match.end() :]) not in self._after:
            return ""
        label, rest = self.label(line)
        if len(fold(label)) < 2:
            return ""  # b) below 3a) is none of its own
        return label if not fold(rest[: -len(line[match.start() :].rstrip())]) else ""

    def titles(self, line: str) -> bool:
        """Return whether a line only names the turn: ``Round 3:``"""
        words = re.findall(r"\w++", line[:_LONGEST_BEGINNING])
        return len(words) == 2 and fold(words[0]) in self._turns and words[1].isdigit()

    def greets(self, line: str) -> bool:
        """Return whether a line is a greeting and no more."""
        return self._greetings.fullmatch(line[:_LONGEST_BEGINNING]) is not None

    def announces(self, words: Sequence[str]) -> bool:
        """Return whether words only say that orders follow: ``Hi Peter, here are my orders for round 3``.

        Behind a greeting one may be a name.
        """
        others = sum(fold(word) not in self._announcing for word in words)
        return len(words) > 1 and others <= self.greets(words[0])

    def closes(self, line: str) -> bool:
        """Return whether a line closes a letter and says no more."""
        return self._closings.fullmatch(line[:_LONGEST_BEGINNING]) is not None

    def hands_at(self, line: str) -> Iterator[tuple[Hand, re.Match[str]]]:
        """Yield what a line begins with that is also written where an order should begin."""
        text = line[:_LONGEST_BEGINNING]
        found = ((hand, hand.line.match(text)) for hand in self._hands)
        yield from ((hand, match) for hand, match in found if match)

    def heads_within(self, line: str, most: int) -> list[int]:
        """Return the first *most* places in a line where an order may begin."""
        return [match.start() for match in islice(self._within.finditer(line[:_LONGEST_BEGINNING]), most)]

    def opening(self, line: str) -> Head | None:
        """Return the beginning of an order; None where the line is prose, whatever its first word."""
        head = self.head(line)
        if head and self._fits(self._opens[head.verb], head.text, head.end):
            return head
        return self._bare_as(self._bare, line)

    def nearly(self, line: str) -> Head | None:
        """Return the beginning of what is no order as it stands, but hardly ever prose: ``1b) from Dublin to AA19``."""
        head = self.head(line)
        if head:
            shouted = self._shouted[head.verb] if head.text[: head.end].isupper() else ()
            if self._fits((*self._nearly[head.verb], *shouted), head.text, head.end):
                return head
        return self.nearly_bare(line) or self._bare_as(self._labelled, line)

    def nearly_bare(self, line: str) -> Head | None:
        """Return the same of a line without a verb, whatever stands around it."""
        return self._bare_as(self._nearly_bare, line)

    def _bare_as(self, shapes: tuple[Expression, ...], line: str) -> Head | None:
        text = _strip_bullet(line[:_LONGEST_BEGINNING])
        if (text.startswith("(") or text[:1].isdigit()) and self._fits(shapes, text, 0):
            return Head("", 0, text)
        return None

    def slip(self, line: str) -> tuple[str, str, int] | None:
        """Return (word, verb it was meant for, its end) where a line begins with a slip of the pen for a verb."""
        match = re.match(r"[^\W\d_]{3,12}\b", line)
        if not match or fold(match[0]) in self._folded or fold(match[0]) in self._turns:
            return None  # Round 3: is a heading, no slip for RUN
        close = self.tongue.verbs.nearest(match[0])
        return (match[0], self._folded[fold(close)].name, match.end()) if close else None

    def slip_opens(self, line: str) -> bool:
        """Return whether a line with a slip would be an order with the right verb: ``BIULD 1a: (Dublin) - Y17``."""
        slip = self.slip(line)
        return slip is not None and self._fits(self._opens[slip[1]], line[:_LONGEST_BEGINNING], slip[2])

    def rule_of(self, verb: str) -> Verb | None:
        """Return the verb of an order; for one written without a verb, the verb it stands for."""
        return self.verb(verb or self._unnamed)

    def _is_asked(self, line: str) -> bool:
        """Return whether a line is a question with its mark: ``ORDERS?``"""
        return len(line) < _LONGEST_BEGINNING and line.endswith("?") and fold(line) in self._asked

    def _fits(self, patterns: tuple[Expression, ...], line: str, start: int) -> bool:
        if not patterns:
            return False
        firsts: list[str] = []
        lasts: list[str] = []
        for token in self.tongue.tokens(line, start):
            if len(firsts) == _LOOK_AHEAD:
                break
            firsts.append(self.tongue.kind_at_opening(token))
            lasts.append(token.kinds[-1][0] if len(token.kinds) > 1 else firsts[-1])
        if len(firsts) < _LOOK_AHEAD:
            firsts, lasts = [*firsts, END], [*lasts, END]
        spoken = {"".join(f"{kind} " for kind in kinds) for kinds in (firsts, lasts)}
        return any(pattern.match(kinds) for pattern in patterns for kinds in spoken)


def _strip_bullet(line: str) -> str:
    return _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
