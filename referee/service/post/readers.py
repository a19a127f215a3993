"""What readers wish of our letters and pages: language, faces, a name; and which seats nobody is mailed at."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from referee import locale
from referee.config import FILES, FORMATS, INKS, MAPS, NO_FILES, PAGES, files_fault
from referee.core import ConfigError, Pair, Texts, Value, View, Words
from referee.store import APPEARS, FACES, LANGUAGE, Database, fact, facts, facts_named, games, transaction, write_fact

from ..club import Club
from ..umpires import Command, CommandFault, log_act

# In which language somebody is written to: as they have said themselves, else as the umpire has, else the club's.


@cache
def _words() -> View:
    """Return what people write, by the tables of ``readers.toml``."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


_IN = "en"  # in French, and the code of English


def known_languages() -> tuple[Pair, ...]:
    """Return the languages in which letters can be written: code and name."""
    return tuple((code, _words()["languages"].get(code, (code,))[0]) for code in locale.languages())


def parse_language(text: str) -> str:
    """Return the code of the language that is named (``de``, ``de-AT``, ``Deutsch``), "" where there is no such one."""
    words = [
        word
        for word in re.findall(r"[^\W\d_]+(?:[-_][A-Za-z]{2}\b)?", text.lower())
        if word not in _words()["beside-language"]
    ]
    words = [word for word in words if word != _IN] if len(words) > 1 else words
    if len(words) != 1:
        return ""
    called = (code for code, names in _words()["languages"].items() if words[0] in map(str.lower, names))
    codes = {re.split("[-_]", words[0])[0], *called}
    return next((code for code, _ in known_languages() if code in codes), "")


def language_of(club: Club, address: str) -> str:
    """Return the language of whoever reads at an address, the club's of one who has said nothing."""
    return fact(club, language_name(address)) or club.config.language


def language_name(address: str) -> str:
    """Return the name of the fact that keeps which language somebody wants."""
    return f"{LANGUAGE} {address.lower()}"


def speak(club: Club, address: str, language: str) -> None:
    """Have all letters to an address written in a language from now on, whatever its reader plays. Inside a transaction."""
    write_fact(club, language_name(address), language)
    games.write_language(club, address, language)


# How players appear on the club's pages, as they have said themselves: by a name of their choice, or by their companies.

COMPANY = "-"  # by their company, whatever the club says
LONGEST = 40  # characters of a name


def fact_name(address: str) -> str:
    """Return the name of the fact that keeps how somebody appears."""
    return f"{APPEARS} {address.lower()}"


def parse_appearance(text: str) -> str:
    """Return how somebody wants to appear, as it is kept; "" where that is no name: too long, or with something of an address."""
    words = text.split()
    name = " ".join(words[1:] if words[:1] and words[0].lower() in _words()["before-name"] else words)
    if name.lower().strip(".!") in _words()["company"]:
        return COMPANY
    fits = len(name) <= LONGEST and name.isprintable() and any(char.isalpha() for char in name)
    return name if fits and not set(name) & set("@<>") else ""


# Seats of built-in players: which they are, and that nobody is mailed there.

BUILT_IN_DOMAIN = "built-in.invalid"  # RFC 2606: no mail is ever delivered there

_FACT = "built-in seats"


def is_built_in(address: str) -> bool:
    """Return whether an address is that of a built-in player."""
    return address.lower().endswith(f"@{BUILT_IN_DOMAIN}")


def seats_kept(club: Club) -> tuple[tuple[str, str, str], ...]:
    """Return game, code and strength of each seat that a built-in player was given."""
    return tuple((game, code, strength) for game, code, strength in json.loads(fact(club, _FACT) or "[]"))


def keep_seats(club: Club, seats: Sequence[tuple[str, str, str]]) -> None:
    """Write which seats built-in players have. Inside a transaction."""
    write_fact(club, _FACT, json.dumps(list(dict.fromkeys(seats))))


# The faces of a letter: which of them its reader is sent, as the reader wishes, else as the game, else as the club says.

FORMAT, ATTACH = "format", "attach"
_GREY = re.compile(r"\b(?:gray|grau|gris|grijs)\b")


class Faces(Value):
    """``format``: of FORMATS; ``files``: of FILES, which stand beside the letter (a page has its pictures in it anyway).
    ``paper``, of PAGES, and ``map_paper``, of PAGES and MAPS: of a PDF's pages and its board, whose ground is white
    where it is ``grey``. ``said``: somebody named the files.
    """

    format: str
    files: Texts
    said: bool
    paper: str = PAGES[0]
    map_paper: str = PAGES[0]
    grey: bool = False


def faces_of(club: Club, game: str, address: str) -> Faces:
    """Return what a reader is sent of a game: the reader's own wish counts before what the umpire said of the game."""
    of_reader, of_game = wish_name(address), wish_name(game)
    kept = facts(club, (of_reader, of_game))
    said = {
        FORMAT: club.config.format,
        ATTACH: club.config.attach,
        **_words_in(kept, of_game),
        **_words_in(kept, of_reader),
    }
    named = said[ATTACH].split()
    paper = next((each for each in PAGES if each in named), PAGES[0])
    map_paper = next((each for each in MAPS if each in named), paper)
    files = _files(said[FORMAT], said[ATTACH])
    grey = INKS[0] in named
    return Faces(format=said[FORMAT], files=files, said=bool(said[ATTACH]), paper=paper, map_paper=map_paper, grey=grey)


def parse_format(text: str) -> str:
    """Return the format that is named, "" for none."""
    words = {_words()["formats"].get(word, word) for word in re.findall(r"[a-z]+", text.lower())} - {
        *_words()["beside-files"]
    }
    return words.pop() if len(words) == 1 and words <= {*FORMATS} else ""


def parse_attach(text: str) -> str:
    """Return the files that are named, with sizes of paper for PDF, as they are kept, ``none`` for none, "" where a word is
    neither, or where two sizes contradict each other.
    """
    beside = _words()["beside-files"]
    words = [word for word in re.findall(r"[a-z0-9]+", _GREY.sub(INKS[0], text.lower())) if word not in beside]
    if words and {*words} <= {*_words()["no-files"]}:
        return NO_FILES
    sizes = [[each for each in kind if each in words] for kind in (PAGES, MAPS, INKS)]
    if not set(words) <= {*FILES, *PAGES, *MAPS, *INKS} or any(len(each) > 1 for each in sizes):
        return ""
    printed = {"pdf"} if any(sizes) else set()
    return " ".join([*(each for each in FILES if each in {*words, *printed}), *chain(*sizes)])


def wish_name(whose: str) -> str:
    """Return the name of the fact that keeps what is wished, by an address or for a game."""
    return f"{FACES} {whose.lower()}"


def wish(club: Club, address: str, more: Words) -> None:
    """Keep that a reader wishes *more*, beside what they said before. Inside a transaction."""
    name = wish_name(address)
    write_fact(club, name, _text({**_words_in(facts(club, (name,)), name), **more}))


def faces(club: Club, command: Command) -> View:
    """Tell which faces the letters of a game have, and change it for all who have no wish of their own. An empty value is said no
    more: then the club's counts.

    Raises:
        NotFound: there is no such game.
        ConfigError: a value is wrong.
    """
    said = [tuple(map(str.strip, each.partition("="))) for each in command.changes]
    given = {name.lower(): value for name, value in command.given.items()} | {name: value for name, _, value in said}
    named = given.get(FORMAT, "")
    if {*given} - {FORMAT, ATTACH} or not all(equals for _, equals, _ in said) or named != parse_format(named):
        raise CommandFault("no-faces")
    if fault := files_fault(given.get(ATTACH, "")):
        raise ConfigError(f"--attach: {fault}")
    row = games.game(club, command.game)
    if given:
        with transaction(club):
            name = wish_name(row.id)
            kept = {**_words_in(facts(club, (name,)), name), **given}
            write_fact(club, name, _text({name: value for name, value in kept.items() if value}))
            log_act(club, row, "faces", given)
    seen = faces_of(club, row.id, "")
    return {"game": row.id, "faces": {FORMAT: seen.format, ATTACH: seen.files}}


def wished_files(db: Database) -> Texts:
    """Return the files that readers wish, and umpires for their games."""
    return tuple(json.loads(each).get(ATTACH, "") for each in facts_named(db, FACES).values())


def _words_in(kept: Words, name: str) -> dict[str, str]:
    return json.loads(kept.get(name) or "{}")  # type: ignore[no-any-return]


def _text(said: Words) -> str:
    return json.dumps(dict(said), sort_keys=True)


def _files(format_: str, attach: str) -> Texts:
    """Return the files that are meant: who reads text alone and said nothing has the board beside it."""
    if not attach:
        return ("png",) if format_ == "text" else ()
    return tuple(each for each in FILES if each in attach.split())
