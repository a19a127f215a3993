"""Letters from templates: Jinja2, gettext and the words of a game, for one reader at a time."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from functools import lru_cache
from gettext import NullTranslations
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markupsafe import Markup

from referee import locale
from referee.cache import NOTHING_KEPT, Cache
from referee.core import ConfigError, Fields, Value, Words
from referee.core.agreement import BUILT_IN

from . import html
from .ics import DayWriter
from .quoting import bar_lines, fill_form, one_line, quoted_text, stop_once
from .sentences import Folder, Folders, FoldersLoader, Sentences, Spoken, SpokenTranslations, merged_toml, with_names

# Templates are compiled once, whatever their readers' languages and zones: in a process, and in a club's cache for
# all.

_KEPT: dict[str, tuple[str, CodeType]] = {}  # in this process: checksum and code by Jinja2's key


class Compiled(jinja2.BytecodeCache):
    """Keeps the code of each template file, until its text is another.

    It is shared by all environments of ``bare_environment``, so that nothing of a reader may be compiled in: see ``at_reading``.
    """

    def __init__(self, cache: Cache = NOTHING_KEPT, options: str = "") -> None:
        """*options*: by what else than its text a template's code is made."""
        self._cache = cache
        self._options = f"{jinja2.__version__} {options}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the code of a template, if it was compiled from the text that stands there now."""
        checksum, code = _KEPT.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif (found := self._cache.read(self._key(bucket))) is not None:
            bucket.bytecode_from_string(found)
            self._keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        if self._keep(bucket):
            self._cache.write(self._key(bucket), bucket.bytecode_to_string())

    def _keep(self, bucket: Bucket) -> bool:
        if bucket.code is not None:
            _KEPT[bucket.key] = (bucket.checksum, bucket.code)
        return bucket.code is not None

    def _key(self, bucket: Bucket) -> str:
        return sha256(f"template {self._options} {bucket.key} {bucket.checksum}".encode()).hexdigest()


def at_reading(filtered: Callable[..., str]) -> Callable[..., str]:
    """Return a filter that Jinja2 does not apply to a constant when it compiles: what it gives is another's to another reader."""

    @jinja2.pass_context
    def apply(_: Context, *values: Any, **named: Any) -> str:
        return filtered(*values, **named)

    return apply


SUBJECT = "Subject:"
EXTENSIONS = ("jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols")
READERS_KEPT = 64  # environments with compiled templates: one for each game, language and zone


class Rendered(Value):
    """A letter before it is mail: ``text`` has lines of at most 72 columns (but for tables) and ends with an end of line.

    ``loose``: the text as its template gave it, with ties between words that stay together. ``page``: the letter as HTML,
    "" for one that is text alone. ``language``: the one it is written in.
    """

    subject: str
    text: str
    loose: str = ""
    page: str = ""
    language: str = ""


class Stationery:
    """Writes letters from the templates of a game.

    A template sees its values, gettext (``_``, ``{% trans %}``), ``word(section, key)``, ``once`` and the filters listed in
    ``_filters``. A value it names but was not given is an error: in one of the umpire's own a ConfigError with file and line, in
    one of ours, which is our fault, ``jinja2.UndefinedError``.
    """

    def __init__(
        self,
        folders: Callable[[str], Folders],
        *,
        translations: Callable[[str], NullTranslations] = locale.translations,
        spoken: Callable[[str, str], Words] = lambda game, language: {},
        strict: bool = False,
        cache: Cache = NOTHING_KEPT,
        alone: bool = False,
    ) -> None:
        """*alone*: for somebody who practises (``alone`` in templates).

        *folders*: a game's name to its template folders, the first wins. *spoken*: a game's name and a language to its words
        of orders (``Spoken``). *strict*: see ``Sentences``.
        """
        self._cache, self._alone = cache, alone
        self._spoken = spoken
        self._folders = folders
        self.translations = translations
        self._strict = strict
        self._environment = lru_cache(maxsize=READERS_KEPT)(self._new_environment)

    def letter(self, name: str, game: str, language: str, zone: str, values: Fields) -> Rendered:
        """Return the letter ``NAME.txt.j2`` for a reader of *language* who lives in *zone*.

        Raises:
            ConfigError: there is no such template or zone, a template cannot be read, one of the umpire's own fails (with file
                and line), or its first line is no subject.
        """
        text = self.text(f"{name}.txt.j2", game, language, zone, values)
        first, _, body = text.lstrip("\n").partition("\n")
        subject = one_line(first.removeprefix(SUBJECT))
        if not first.startswith(SUBJECT) or not subject:
            raise ConfigError(f"{name}.txt.j2: the first line must be '{SUBJECT} ...', read was {first[:60]!r}")
        return Rendered(subject=subject, text=html.tidy(body), loose=body.strip("\n"), language=language)

    def page(self, name: str, game: str, language: str, zone: str, values: Fields, letter: Rendered) -> str:
        """Return a letter as HTML, with its styles where every mail program sees them: ``NAME.html.j2``, or, where there is none,
        what the *letter* says as text, in ``plain.html.j2``.

        Raises ConfigError as ``letter`` does.
        """
        file = f"{name}.html.j2"
        heading, said = html.split_title(letter.loose, letter.subject)
        file = file if self.has(file, game) else "plain.html.j2"
        values = {**values, "about": letter.subject.rpartition("] ")[2], "heading": heading, "said": said}
        return html.with_dashes(self.style(self.text(file, game, language, zone, values)))

    def style(self, page: str) -> str:
        """Return a page with its styles at what they are for."""
        import css_inline  # here, because not every pass writes letters

        inline = css_inline.CSSInliner(minify_css=True, load_remote_stylesheets=False).inline
        return inline(page).replace("&nbsp;", "\N{NO-BREAK SPACE}")  # a third of its bytes, and there are hundreds

    def has(self, file: str, game: str) -> bool:
        """Return whether there is such a file among a game's templates."""
        return any(folder.joinpath(file).is_file() for folder in self._folders(game))

    def source(self, file: str, game: str) -> str:
        """Return a file of the templates that Jinja does not read: the first there is."""
        return self.place(file, game).read_text(encoding="utf-8")

    def place(self, file: str, game: str) -> Folder:
        """Return where it lies."""
        places = (folder.joinpath(file) for folder in self._folders(game))
        return next(place for place in places if place.is_file())

    def table(self, game: str, name: str) -> Mapping[str, Fields]:
        """Return the tables of a game's ``words.toml`` or ``complaints.toml``, untranslated. Raises ConfigError."""
        return merged_toml(self._folders(game), name)

    def text(self, template: str, game: str, language: str, zone: str, values: Fields) -> str:
        """Return what a template gives, as it stands. Raises ConfigError as ``letter`` does."""
        environment = self._environment(game, language, zone)
        assert isinstance(environment.loader, FoldersLoader)
        environment.loader.begin_letter()
        try:
            return environment.get_template(template).render(self.name_players(values, language))
        except jinja2.TemplateSyntaxError as error:
            raise ConfigError(f"{error.filename or error.name}:{error.lineno}: {error.message}") from error
        except jinja2.TemplateNotFound as error:
            raise ConfigError(f"template {error.name!r} was not found in the folders of the game {game!r}") from error
        except Exception as error:
            place = _place_of(error)
            if place is None or self.is_shipped(place[0], game):
                raise
            raise ConfigError(f"{place[0]}:{place[1]}: {error}") from error

    def name_players(self, values: Fields, language: str) -> Fields:
        """Return values with names of players as a reader of *language* knows them."""
        translate = self.translate(language)
        is_same = translate(BUILT_IN) == BUILT_IN
        return values if is_same else {key: with_names(each, translate) for key, each in values.items()}

    def is_shipped(self, file: str, game: str) -> bool:
        """Return whether a template came with the referee, whose folders are the last: then what is wrong in it is our fault."""
        return Path(file).is_relative_to(Path(str(self._folders(game)[-1])).parent)

    def translate(self, language: str) -> Callable[[str], str]:
        """Return what gives a reader of *language* the words of a board: the catalogue's, English where it has none."""
        return self.translations(language).gettext

    def sentences(self, game: str, language: str) -> Sentences:
        """Return what says things of a game in a language, to whoever reads it."""
        spoken = Spoken(self._spoken(game, language))
        return Sentences(
            self._folders(game), SpokenTranslations(self.translations(language), spoken), spoken, strict=self._strict
        )

    def _new_environment(self, game: str, language: str, zone: str) -> jinja2.Environment:
        sentences = self.sentences(game, language)
        translations = sentences.translations
        made = bare_environment(FoldersLoader(self._folders(game)), self._cache)
        made.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]  # of ext.i18n
        made.globals |= _fill_in(translations)
        made.globals["word"] = sentences.word
        # What ``{% call once(name) %}`` encloses is told anew, unless the values bring a ``once`` that keeps it for others.
        made.globals["once"] = lambda _, caller: caller()
        made.globals["alone"] = self._alone
        made.filters.update(_filters(sentences, DayWriter(zone, sentences)))
        return made


def _fill_in(translations: NullTranslations) -> dict[str, Callable[..., str]]:
    """Return what takes the place of Jinja's own ``gettext`` and ``ngettext``: a value may end with a full stop."""

    def fill(context: Context, sentence: str, values: Fields) -> str:
        return (Markup(sentence) if context.eval_ctx.autoescape else sentence) % stop_once(sentence, values)  # noqa: S704 (ours)

    @jinja2.pass_context
    def gettext(context: Context, sentence: str, /, **values: Any) -> str:
        return fill(context, translations.gettext(sentence), values)

    @jinja2.pass_context
    def ngettext(context: Context, sentence: str, plural: str, number: int, /, **values: Any) -> str:
        return fill(context, translations.ngettext(sentence, plural, number), {"num": number, **values})

    return {"gettext": gettext, "ngettext": ngettext}


class _Environment(jinja2.Environment):
    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return what a template names: mostly a dict's item; to ask a dict for attributes first takes five times as long."""
        return obj[attribute] if type(obj) is dict and attribute in obj else super().getattr(obj, attribute)


def bare_environment(loader: jinja2.BaseLoader | None = None, cache: Cache = NOTHING_KEPT) -> jinja2.Environment:
    """Return the environment that reads our templates, without a reader; the catalogue is extracted with the same."""
    made = _Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        extensions=EXTENSIONS,
        bytecode_cache=Compiled(cache, " ".join(EXTENSIONS)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Letters are plain text; a page (.html.j2) is escaped.
        autoescape=jinja2.select_autoescape(("html", "html.j2"), default=False),
    )
    made.policies["ext.i18n.trimmed"] = True  # a paragraph of a template is one msgid, however it is wrapped there
    return made


def _place_of(error: Exception) -> tuple[str, int] | None:
    """Return file and line of the template in which something failed, None where that was in none."""
    frames = traceback.extract_tb(error.__traceback__)
    return next(((each.filename, each.lineno or 0) for each in reversed(frames) if each.filename.endswith(".j2")), None)


def _filters(sentences: Sentences, calendar: DayWriter) -> dict[str, Callable[..., str]]:
    said = ("complaint", "joined", "decimal", "apart", "price", "named")
    return {
        **{name: at_reading(getattr(sentences, name)) for name in said},
        "deadline": at_reading(calendar.deadline),
        "day": at_reading(calendar.day),
        "orders": at_reading(lambda lines: sentences.spoken.line(str(lines))),
        "word": at_reading(lambda key, section: sentences.word(section, str(key))),
        "quoted_text": quoted_text,
        "barred": bar_lines,
        "one_line": one_line,
        "filled": fill_form,
        "wrap": html.wrap,
        "columns": html.columns,
        "ljust": html.ljust,
        "rjust": html.rjust,
        "underlined": html.underline,
        "signed": format_gain,
        "as_text": html.as_text,
        "as_paragraphs": at_reading(
            lambda said: html.as_paragraphs(said, *map(sentences.spoken.line, ("ORDERS", "END")))
        ),
        "chip_style": html.chip_style,
        "chipped": html.mark_chips,
    }


def format_gain(number: int) -> str:
    """Return ``+6``, ``-1`` or ``0``: gains and losses as the hobby writes them."""
    return f"{number:+d}" if number else "0"
