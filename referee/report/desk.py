"""The order desk as one HTML file: it runs its own script and nothing else, and cannot send anything to anybody."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from referee import locale
from referee.core import ConfigError, Fields, RefereeError, Texts, how_to_install
from referee.core.picture import Drawing
from referee.core.texts import load_toml
from referee.resources import shipped_folder

from .renderer import elements
from .sentences import COMPLAINTS, WORDS
from .templates import Stationery

DESK = "desk"  # the folder of its templates, and the table of its words
PLAIN = "plain"
SCRIPTS: Mapping[str, Texts] = {
    "dampfross": ("dampfross-hexes", "dampfross-building", "dampfross-trains", "dampfross-orders", "dampfross"),
    "volldampf": ("volldampf-rules", "volldampf-orders", "volldampf-reckoning", "volldampf"),
}

_CODE = re.compile(r"\b(?:illegal|invalid|warning|note)-[a-z-]+")


def desk_page(
    stationery: Stationery,
    kind: str,
    language: str,
    told: Fields,
    position: Fields,
    board: Drawing | None,
    *,
    enclosed: bool = False,
) -> str:
    """Return the page of a turn. *enclosed* beside a letter it is a quarter as long: it unpacks itself.

    *kind*: the game, whose script it is; *told*: club, game, turn, players [{code, name}], url (of this page) and page (where
    the newest one is found), "" where nothing is published, domain (to which alone letters are made, "" for
    none); *position*: what the script reads: ``Game.desk``, or {forms: lines by player}.
    """
    scripts = SCRIPTS.get(kind, (PLAIN,))
    script = script_of(stationery, scripts)
    languages = locale.languages()
    language = next((each for each in (language, language[:2]) if each in languages), locale.SOURCE_LANGUAGE)
    shown = board.for_screen.whole if board else None
    words = {each: _words(stationery, each) for each in languages}
    title = words[language]["title"].format(game=told["game"], turn=told["turn"])
    values = {
        "language": language,
        "title": title,
        "url": told["url"],
        "page": told["page"],
        "said": words[language].__getitem__,
        "csp": policy(script),
        "style": Markup(stationery.source("desk.css", DESK)),  # noqa: S704 (our own)
        "script": Markup(script),  # noqa: S704 (our own)
        "board": shown,
        "svg": Markup(elements(shown.parts, titled=False)) if shown else "",  # noqa: S704 (escaped by ``svg``)
        "position": as_json(stationery.name_players(position, language)),
        "told": as_json(stationery.name_players({**told, "language": language}, language)),
        "words": as_json(words),
        "spoken": as_json({each: stationery.sentences(kind, each).spoken.words for each in languages}),
        "sentences": as_json({each: _sentences(stationery, kind, each, script) for each in languages}),
    }
    page = stationery.text("desk.html.j2", DESK, language, "UTC", values)
    if not enclosed:
        return page
    loader = stationery.source("unpack.js", DESK)
    values["packed"] = b64encode(gzip.compress(page.encode(), mtime=0)).decode()
    values |= {"csp": policy(loader, script), "script": Markup(loader)}  # noqa: S704 (our own)
    return stationery.text("unpack.html.j2", DESK, language, "UTC", values)


def script_of(stationery: Stationery, scripts: Texts) -> str:
    """Return the whole script of a desk, as it is written into the page and hashed."""
    files = ("board", "speech", *scripts, "shell")
    return "\n".join([*(stationery.source(f"{file}.js", DESK) for file in files), "Shell.start();"])


def as_json(value: Any) -> Markup:
    """Return a value as JSON that ends no script, whatever words are in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (nothing in it can end the script)


def policy(*scripts: str) -> str:
    """Return what the page allows itself: these scripts and styles, pictures in the page, and nothing from or to elsewhere."""
    digests = (b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    ours = " ".join(f"'sha256-{each}'" for each in digests)
    return (
        f"default-src 'none'; script-src {ours}; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; base-uri 'none'"
    )


def _words(stationery: Stationery, language: str) -> dict[str, str]:
    translate = stationery.translate(language)
    return {key: translate(text) for key, text in stationery.table(DESK, WORDS)[DESK].items()}


def _sentences(stationery: Stationery, kind: str, language: str, script: str) -> dict[str, dict[str, str]]:
    """Return the entries of all complaints that the script makes, in a language."""
    translations = stationery.translations(language)
    translate, plural = translations.gettext, translations.ngettext
    made: dict[str, dict[str, str]] = {}
    complaints = stationery.table(kind, COMPLAINTS)
    for code in sorted({*_CODE.findall(script)} & {*complaints}):
        entry = complaints[code]
        made[code] = {key: translate(entry[key]) for key in ("sentence", "hint") if key in entry}
        if "plural" in entry:
            one, more = plural(entry["sentence"], entry["plural"], 1), plural(entry["sentence"], entry["plural"], 2)
            made[code] |= {"sentence": one, "plural": more, "count": entry["count"]}
    return made


# The map desk as one HTML file, on which a map is painted: as the order desk it runs its own script, and sends nothing.

MAP_SCRIPTS = ("sheet", "check", "mapfile", "edits", "tools", "paint", "scan", "panel", "desk")
SAID = re.compile(r'\bT\("([^"]+)"')  # what the script says; words that it chooses among stand in sentences.toml

_GAP = re.compile(r'\{\{ (?:_\("([^"]+)"\)|(\w+)) \}\}')


def map_page(told: Fields, language: str) -> str:
    """Return the page of a map. *told*: its file and text, ``doc`` its values, ``kit`` of the game's atlas."""
    script, say = map_script(), locale.translations(language).gettext
    sentences = load_toml(_source("sentences.toml"))
    words = {*SAID.findall(script), *sentences.pop("words")["others"]}
    kit = {**told["kit"], "says": _say(told["kit"]["says"], say), "types": _say(told["kit"]["types"], say)}
    values = {
        "language": escape(language),
        "title": escape(told["doc"].get("title", told["file"])),
        "csp": escape(policy(script)),
        "style": _source("mapdesk.css"),
        "script": script,
        "told": as_json(
            {**told, "kit": kit, **_say(sentences, say), "words": {each: say(each) for each in sorted(words)}}
        ),
    }
    return _GAP.sub(lambda gap: str(escape(say(gap[1]))) if gap[1] else values[gap[2]], _source("mapdesk.html"))


def _say(told: Any, say: Callable[[str], str]) -> Any:
    """Return tables and lists with what stands in them in a language; keys of the keyboard stay."""
    if isinstance(told, str):
        return say(told) if len(told) > 1 else told
    return (
        {name: _say(each, say) for name, each in told.items()}
        if isinstance(told, Mapping)
        else [_say(each, say) for each in told]
    )


def map_script() -> str:
    """Return the whole script, as it is written into the page and hashed."""
    return "\n".join([*(_source(f"{file}.js") for file in MAP_SCRIPTS), "Desk.start();"])


def _source(file: str) -> str:
    return (shipped_folder("templates") / "mapdesk" / file).read_text("utf-8")


def page_picture(file: Path, number: int, dpi: int) -> bytes:
    """Return a page of a PDF, counted from 1, as PNG.

    Raises:
        ConfigError: it cannot be read, is no PDF or has no such page.
        RefereeError: what reads PDFs is not installed.
    """
    try:
        import pypdfium2
    except ModuleNotFoundError as error:
        raise RefereeError(
            f"pages of PDFs need the extra scan, which is not installed: {how_to_install('scan')}"
        ) from error
    try:
        document = pypdfium2.PdfDocument(file)
    except FileNotFoundError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror or 'there is no such file'}") from error
    except pypdfium2.PdfiumError as error:
        raise ConfigError(f"{file} is no PDF that can be read: {error}") from error
    with document:
        if not 1 <= number <= len(document):
            raise ConfigError(f"{file} has {len(document)} pages: there is no page {number}")
        picture = io.BytesIO()
        document[number - 1].render(scale=dpi / 72).to_pil().save(picture, "PNG")
    return picture.getvalue()
