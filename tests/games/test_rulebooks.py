"""The rules as players read them: whole, and the same that code, letters and rulings speak of."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.game import Game
from referee.core.texts.shipped import Paragraph, Rulebook, parse_rulebook, shipped_rulebook
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.dampfross.options import ALLOWED as DAMPFROSS_VALUES
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.games.volldampf.options import ALLOWED as VOLLDAMPF_VALUES
from referee.orderbook.expressions import spoken_words
from referee.report.sentences import Spoken
from referee.resources import word_texts
from tests.tables import Tables

CASES = Tables(__file__)


ROOT = Path(__file__).parent.parent.parent
MAPS = ROOT / "referee" / "games" / "dampfross" / "maps"
LETTERS = {"dampfross": "D", "volldampf": "V"}

each_game = pytest.mark.parametrize("game", [DAMPFROSS, VOLLDAMPF], ids=lambda game: game.name)

SMALL = """# Trains

About trains,
and more.

## T1 Words

- train: a thing
  that moves
- track: another

## T2 Money

### T2.1 Fees

<!-- DIFF 7, Fees abroad -->

A fee is `fee` units; with `debt = none` it is nothing.

Really.

### T2.10 Prizes
Ten.
"""

RULINGS = """# Rulings

Some words.

- **R1** (T2.1, T2.10) Both at once
  if possible.

More words.

- **R2** Nobody knows.
- **R3** (DIFF 6, 7, T4) Fees.
"""


def rules_text(language: str) -> str:
    return (MAPS.parent / "rules" / f"{language}.md").read_text("utf-8")


def rulebook(game: Game, language: str = "en") -> Rulebook:
    found = game.rulebook(language)
    assert found
    return found


def test_a_text_is_cut_into_paragraphs() -> None:
    book = parse_rulebook(SMALL, RULINGS)
    assert book.title == "Trains"
    assert book.preface == ("About trains, and more.",)
    assert book.paragraphs == (
        Paragraph(number="T1", title="Words", blocks=("- train: a thing that moves", "- track: another")),
        Paragraph(number="T2", title="Money"),
        Paragraph(
            number="T2.1",
            title="Fees",
            blocks=("A fee is `fee` units; with `debt = none` it is nothing.", "Really."),
            also=("DIFF 7", "Fees abroad"),
        ),
        Paragraph(number="T2.10", title="Prizes", blocks=("Ten.",)),
    )
    assert book.paragraphs[2].quoted == ("fee", "debt")
    assert book.rulings == (
        Paragraph(number="R1", blocks=("Both at once if possible.",), about=("T2.1", "T2.10")),
        Paragraph(number="R2", blocks=("Nobody knows.",)),
        Paragraph(number="R3", blocks=("Fees.",), about=("DIFF 6", "DIFF 7", "T4")),
    )
    assert [each.number for each in book.rulings_on(book.paragraphs[2])] == ["R1", "R3"]
    assert book.paragraphs_of(book.rulings[2]) == ("T2.1",)


@CASES.rows
def test_a_paragraph_is_found_as_people_write_it(name: str, numbers: list[str]) -> None:
    assert [each.number for each in parse_rulebook(SMALL, RULINGS).find(name)] == numbers


@each_game
def test_rules_that_nobody_has_translated_yet_are_read_in_english(game: Game) -> None:
    assert rulebook(game, "xx_XX") == rulebook(game, "en")


def test_rules_in_a_language_serve_its_countries_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "trains_in_two_languages"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "RULINGS.md").write_text(RULINGS, encoding="utf-8")
    for language, title in (("en", "Trains"), ("de", "Züge")):
        (package / "rules" / f"{language}.md").write_text(f"# {title}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    titles = [shipped_rulebook(package.name, language).title for language in ("de", "de_AT", "de-CH", "fr", "en")]
    assert titles == ["Züge", "Züge", "Züge", "Trains", "Trains"]


@each_game
def test_a_translation_has_the_same_paragraphs_with_the_same_names_and_options(game: Game) -> None:
    english = rulebook(game)
    languages = [file.stem for file in (ROOT / "referee/games" / game.name / "rules").glob("*.md")]
    assert "de" in languages
    for language in languages:
        translated = rulebook(game, language)
        assert [each.number for each in translated.paragraphs] == [each.number for each in english.paragraphs]
        for ours, original in zip(translated.paragraphs, english.paragraphs, strict=True):
            assert (ours.number, ours.also) == (original.number, original.also)
            # Words of orders, in capitals, are each reader's own.
            options = [{word for word in each.quoted if word.islower()} for each in (ours, original)]
            assert (ours.number, options[0]) == (original.number, options[1])
        decided = [rulebook(game, each).rulings for each in (language, "en")]
        assert language == "en" or decided[0] != decided[1]
        for ours, original in zip(*decided, strict=True):
            assert (ours.number, ours.about) == (original.number, original.about)
            options = [{word for word in each.quoted if word.islower()} for each in (ours, original)]
            assert (ours.number, options[0]) == (original.number, options[1])


@each_game
def test_the_rules_are_in_order(game: Game) -> None:
    book = rulebook(game)
    numbers = [each.number for each in book.paragraphs]
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number[1:].split(".")])
    assert {number[0] for number in numbers} == {LETTERS[game.name]}
    chapters = {number for number in numbers if any(other.startswith(f"{number}.") for other in numbers)}
    assert [each.number for each in book.paragraphs if not each.blocks and each.number not in chapters] == []
    assert [each.number for each in book.rulings if not each.blocks] == []


def speaking(game: Game) -> Iterator[Path]:
    """Yield every file in which paragraphs of a game's rules are named."""
    yield from (ROOT / "referee" / "games" / game.name).rglob("*.py")
    yield ROOT / "referee" / "games" / game.name / "RULINGS.md"
    for folder in (ROOT / "templates" / game.name, ROOT / "orders" / game.name):
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from (ROOT / "referee" / "games" / game.name / "rules").iterdir()
    yield from (ROOT / "docs").glob("*.md")
    yield from (ROOT / "referee" / "bots").rglob("*.py")
    yield from (ROOT / "referee" / "service").rglob("*.py")
    yield from (ROOT / "tests" / "games" / game.name / "scenarios").glob("*.toml")


def named(game: Game) -> dict[str, str]:
    """Return every paragraph that is named anywhere, with one place where it is. Hexes are called D4 and V9, too: a chapter
    is only looked for in lines that cite rules."""
    letter, found = LETTERS[game.name], dict[str, str]()
    for path in speaking(game):
        text = path.read_text(encoding="utf-8")
        cited = " ".join(re.findall(r"(?:Rule: |paragraph(?:: str)? = ).*", text))
        names = [*re.findall(rf"\b{letter}\d+\.\d+(?:\.\d+)*\b", text), *re.findall(rf"\b{letter}\d+\b(?!\.\d)", cited)]
        names += re.findall(r"\bDIFF \d\d\b", text) if game is VOLLDAMPF else []
        names += re.findall(r"\bR\d+\b", cited) if game.name in path.parts else []
        found |= dict.fromkeys(names, str(path.relative_to(ROOT)))
    return found


@each_game
def test_every_paragraph_that_is_named_exists(game: Game) -> None:
    book, names = rulebook(game), named(game)
    assert len(names) > 40  # the search finds something
    assert {name: place for name, place in names.items() if not book.find(name)} == {}
    assert [name for name in game.paragraphs() if not book.find(name)] == []


@each_game
def test_every_paragraph_is_one_that_scenarios_may_name(game: Game) -> None:
    """Nothing is told to players that nothing proves."""
    told = [each for each in rulebook(game).paragraphs if not re.match(r"D10\b", each.number)]
    single = [each for each in told if not any(other.number.startswith(f"{each.number}.") for other in told)]
    assert [each.number for each in single if each.number not in game.paragraphs()] == []


@each_game
def test_every_option_is_told_of(game: Game) -> None:
    told = {word for each in rulebook(game).paragraphs for word in each.quoted}
    assert set(game.presets[game.default_preset]) - told == set()


@each_game
def test_options_and_their_values_in_the_rules_exist(game: Game) -> None:
    """A value may stand alone behind its option: with `debt = allowed` …, with `refused` …"""
    allowed = DAMPFROSS_VALUES if game is DAMPFROSS else VOLLDAMPF_VALUES
    words = {"true": True, "false": False}
    for each in rulebook(game).paragraphs:
        options = [name for name in each.quoted if name in allowed]
        for name, value in re.findall(r"`([a-z]\w*) = ([^`]+)`", " ".join(each.blocks)):
            typed = words.get(value, int(value) if value.isdigit() else value.replace(":n", ":1"))
            assert not allowed[name](typed), f"{each.number}: {name} = {value}"
        for word in re.findall(r"`([a-z0-9][^`=]*)`", " ".join(each.blocks)):
            typed = int(word) if word.isdigit() else word.replace(":n", ":1")
            assert word in options or not all(allowed[name](typed) for name in options), f"{each.number}: {word}"


@each_game
def test_every_ruling_settles_a_paragraph(game: Game) -> None:
    book = rulebook(game)
    assert [each.number for each in book.rulings if not book.paragraphs_of(each)] == []


@each_game
@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_a_translated_rulebook_names_words_of_orders_as_its_readers_write_them(game: Game, language: str) -> None:
    folder = ROOT / "referee" / "games" / game.name
    told = "".join((folder / name / f"{language}.md").read_text(encoding="utf-8") for name in ("rules", "rulings"))
    quoted = [words for words in re.findall(r"`([^`]*)`", told) if re.search(r"[A-Z]{2}", words)]
    spoken = Spoken(spoken_words(word_texts(game.name), language))
    assert len(quoted) > 3
    assert [words for words in quoted if spoken.sentence(words) != words] == []


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_the_places_of_every_special_of_the_four_maps_of_the_rules_are_named(language: str) -> None:
    """Of other maps the opening names them."""
    text = " ".join(rules_text(language).split())
    names = ("bavaria", "ireland", "kentucky_tennessee", "russia")
    boards = [tomllib.loads((MAPS / f"{name}.toml").read_text("utf-8")) for name in names]
    specials = [special for board in boards for special in board.get("special", ())]
    assert len(specials) == 18
    for special in specials:
        assert [town for town in special.get("towns", ()) if town not in text] == [], special["title"]
