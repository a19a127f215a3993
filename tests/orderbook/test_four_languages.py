"""Orders in four languages and of two games."""

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from referee.core import Phrase, Term, fold
from referee.orderbook import OrderLanguage, PrivatePress, Question
from referee.orderbook.expressions import spoken_words
from referee.orderbook.names import Lexicon
from referee.orderbook.quotations import without_courtesies
from referee.report.sentences import Spoken
from referee.resources import order_texts, word_texts
from tests import catalogue
from tests.orderbook.conftest import Read, Reads
from tests.tables import Tables, each_frame

CASES = Tables(__file__)

# Words of every language are read in every letter, and none of them means two things.


GAMES = ("dampfross", "volldampf")
LANGUAGES = ("de", "fr", "nl")
MAPS = {"dampfross": ("maps", "station", ("name", "alt")), "volldampf": ("maps", "city", ("name", "aliases"))}
LETTER = {
    "de": "AUFTRÄGE RR7 3\n{orders}\nENDE\n",
    "fr": "ORDRES RR7 3\n{orders}\nFIN\n",
    "nl": "OPDRACHTEN RR7 3\n{orders}\nEINDE\n",
}


def verbs(game: str) -> dict[str, dict[str, Any]]:
    """Return the tables of all verbs of a game, as they are shipped."""
    texts = order_texts(game)
    return {**tomllib.loads(texts["common"])["verb"], **tomllib.loads(texts["verbs"])["verb"]}


def spoken(entry: Mapping[str, Any]) -> list[str]:
    return [name for language in LANGUAGES for name in entry.get("in", {}).get(language, ())]


def places(game: str) -> dict[str, str]:
    """Return the towns of all shipped maps of a game, with their other names, as they are compared."""
    folder, table, keys = MAPS[game]
    found = {}
    for file in sorted((catalogue.ROOT / "referee" / "games" / game / folder).glob("*.toml")):
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        towns = written[table]
        for town in (*(towns.values() if isinstance(towns, dict) else towns), *written.get("junction", ())):
            told = [town.get(key, ()) for key in keys]
            for name in (name for each in told for name in ([each] if isinstance(each, str) else each)):
                found[fold(name)] = f"{name} ({file.stem})"
    return found


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_an_order_means_two_things_in_two_languages(game: str) -> None:
    meant: dict[str, str] = {}
    twice = []
    foreign = {name for entry in verbs(game).values() for name in spoken(entry)}
    for verb, entry in verbs(game).items():
        for name in (verb, *entry["aliases"], *spoken(entry)):
            other = meant.setdefault(f"{fold(name)}{'?' * name.endswith('?')}", verb)
            if other != verb and name in foreign:
                twice.append(f"{name}: {other} and {verb}")
    assert twice == []


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_an_order_is_a_town_of_a_map(game: str) -> None:
    towns = places(game)
    assert len(towns) > 30
    assert {
        name: towns[fold(name)] for entry in verbs(game).values() for name in spoken(entry) if fold(name) in towns
    } == {}


@pytest.mark.parametrize("game", GAMES)
def test_an_example_means_the_same_with_every_name_of_its_verb(
    game: str,
    reads: Reads,
    spell: Callable[[Phrase], str],
    order_languages: Mapping[str, OrderLanguage],
) -> None:
    def heard(order: str, language: str) -> tuple[object, ...]:
        reading = reads[game](LETTER[language].format(orders=order))
        assert (reading.game, reading.turn, reading.marked) == ("RR7", 3, True), (language, order)
        questions = [(each.verb, each.value) for each in reading.questions]
        phrases = [spell(phrase) for phrase in reading.phrases]
        return phrases, questions, reading.commands, reading.press, reading.note, [c.code for c in reading.complaints]

    tried, wrong = 0, []
    for verb, entry in verbs(game).items():
        if entry["kind"] in ("begin", "end", "trial", "desk") or not entry["example"].startswith(verb):
            continue
        for language, names in entry.get("in", {}).items():
            for name in names:
                tried += 1
                order = name + entry["example"].removeprefix(verb)
                if heard(order, language) != heard(entry["example"], language):
                    wrong.append(order)
    assert wrong == []
    assert tried > 40


@pytest.mark.parametrize("begin", ["WHATIF", "WAS WÄRE WENN", "WASWENN", "ET SI", "WAT ALS"])
def test_a_question_what_orders_would_do_begins_so_in_every_language(begin: str, read: Read) -> None:
    said = read(f"{begin}\n1a) J19 J15\nENDE\n")
    assert (len(said.trials), said.phrases) == (1, ())
    assert not read(f"{begin.capitalize()} we all go?\n").trials


LINES = CASES.frozen("LINES")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_line_as_our_letters_say_it_in_a_language_means_the_same(
    game: str, language: str, reads: Reads, spell: Callable[[Phrase], str]
) -> None:
    words = Spoken(spoken_words(word_texts(game), language))

    def heard(line: str) -> tuple[object, ...]:
        reading = reads[game](f"ORDERS RR7 3\n{line}\nEND\n")
        return (
            [spell(phrase) for phrase in reading.phrases],
            reading.commands,
            [each.code for each in reading.complaints],
        )

    for line in LINES[game]:
        assert heard(words.line(line)) == heard(line), words.line(line)
        assert words.line(line) != line or "BONDS" not in line
    assert all(heard(line)[0] and not heard(line)[2] for line in LINES[game])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_names_words_of_orders_in_the_readers_language(language: str) -> None:
    words = spoken_words(word_texts("dampfross"), language)
    spoken = Spoken(words)
    said = spoken.sentence("between a line ORDERS RR7 3 and END; ORDERS? asks, FASTEST runs, an order none knows")
    begin, end = LETTER[language].split()[0], LETTER[language].split()[-1]
    assert begin in said
    assert end in said
    assert "none knows" in said
    assert "FASTEST" not in said
    assert (" ORDERS? asks" in said) == ("ORDERS?" not in words or words["ORDERS?"] == "ORDERS?")


@pytest.mark.parametrize(
    "line", ["1a) J19 J15\nRest wie gehabt", "1a) J19 J15\nle reste comme avant", "1a) J19 J15\nde rest zoals eerst"]
)
def test_the_rest_as_before_in_four_languages(line: str, read: Read) -> None:
    english = read("ORDERS RR7 3\n1a) J19 J15\nrest as before\nEND\n")
    other = read(f"ORDERS RR7 3\n{line}\nEND\n")
    assert english.amends
    assert (len(other.amends), other.complaints, other.unread) == (
        len(english.amends),
        english.complaints,
        english.unread,
    )


@CASES.rows
def test_courtesies_stand_around_a_command_in_every_language(line: str, read: Read) -> None:
    assert read(f"ORDERS RR7 3\n{line}\nEND\n").commands == ("PASS",)


@CASES.rows
def test_it_is_confirmed_as_people_say_it(line: str, read: Read) -> None:
    assert read(f"{line}\n").commands == ("CONFIRM",)


ASKED = CASES.frozen("ASKED")


@pytest.mark.parametrize("verb", ASKED)
def test_what_stands_behind_a_word_is_said_in_every_language(verb: str, read: Read) -> None:
    lines, meant = ASKED[verb]
    for line in lines:
        (question,) = read(f"{line}\n").questions
        value = meant or line.partition(" ")[2]
        assert question == Question(verb=verb, value=value), line


@pytest.mark.parametrize(
    "line", ["PRESS TO GSW and MGW", "PRESSE AN GSW und MGW", "PRESSE À GSW et MGW", "PERSBERICHT AAN GSW en MGW"]
)
def test_press_names_its_readers_in_every_language(line: str, read: Read) -> None:
    assert read(f"{line}: 1876\n").private == (PrivatePress(to=("GSW", "MGW"), text="1876"),)


@CASES.rows
def test_the_turn_is_named_in_every_language(begin: str, read: Read) -> None:
    said = read(f"{begin}\n1a) (J19) - J15\nEND\n")
    assert (said.game, said.turn, said.complaints) == ("RR7", 3, ())


LETTERS_AROUND = {
    "de": ("Guten Tag, Herr Spielleiter!", "Hier sind meine Aufträge für Runde 3.", "Mit freundlichem Gruß"),
    "fr": ("Bonsoir,", "Voici mes ordres pour le tour 3 :", "Bien cordialement,"),
    "nl": ("Hoi spelleider,", "Hierbij mijn opdrachten voor ronde 3.", "Vriendelijke groeten"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_what_is_only_polite_nobody_is_told(language: str, read: Read, order_language: OrderLanguage) -> None:
    hello, announced, bye = LETTERS_AROUND[language]
    text = f"{hello}\n\n{announced}\n\n{LETTER[language].format(orders='1a) J19 J15')}\n{bye}\nAnn\n"
    told = list(without_courtesies(read(f"{text}\nWer sind Sie und wo ist mein Zug?\n").unread, order_language))
    assert [line for _, line in told] == ["Wer sind Sie und wo ist mein Zug?"]


@CASES.rows
def test_a_single_line_stays_in_every_language(line: str, read: Read) -> None:
    assert [each.code for each in read(f"ORDERS RR7 3\n{line}\nEND\n").complaints] == [
        "invalid-kept"
    ]  # nothing is on file


# What one order book does for games that speak differently: names of things, the other game's orders, wrapped lists.


@CASES.rows
@each_frame
def test_an_order_of_the_other_game_is_told_as_such(frame: str, game: str, line: str, other: str, reads: Reads) -> None:
    reading = reads[game](frame.format(line))
    assert reading.phrases == ()
    assert [(found.code, found.params) for found in reading.complaints] == [("invalid-other-game", (("game", other),))]


@pytest.mark.parametrize("line", ["Move 1 was fine", "Bonds are dear", "Home is where the heart is", "Run 7 was great"])
def test_prose_is_no_order_of_any_game(line: str, reads: Reads) -> None:
    for read in reads.values():
        assert (read(f"Hello,\n{line}\n").phrases, read(f"Hello,\n{line}\n").complaints) == ((), ())


def test_a_plus_divides_names(reads: Reads) -> None:
    phrase = reads["volldampf"]("RANK green+pink + C").phrases[0]
    assert "green" in str(phrase)
    assert "purple" in str(phrase)
    assert "UNKNOWN" not in str(phrase)


def test_of_a_thing_with_several_names_only_the_likeliest_is_suggested() -> None:
    names = (("HAM", "Hamburg"), ("HAM", "Hambourg"), ("HOM", "Homburg"))
    lexicon = Lexicon(Term(kind="PLACE", name=name, value=value) for value, name in names)
    assert lexicon.nearest("Hamborg") == ("Hambourg", "Homburg")
