"""Letters as text: search order, subject, folding, tables, days, and what players wrote."""

import re
import sys
from datetime import UTC, date, datetime
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from referee.core import ConfigError
from referee.report.html import LINE_WIDTH, columns, display_width, tidy, wrap
from referee.report.quoting import fill_form, one_line, quoted_text
from referee.report.templates import Rendered, Stationery
from tests.forkedcommands import run_program
from tests.tables import Tables

CASES = Tables(__file__)


COMMON = Path(__file__).parents[2] / "templates" / "common"
GAME = {"id": "RR7", "title": "Dampfross", "board_name": "Ireland"}


def written(folder: Path, body: str, *, zone: str = "Europe/Dublin", **values: Any) -> Rendered:
    """Return the letter whose template is *body*, put into *folder*."""
    (folder / "trial.txt.j2").write_text(body, encoding="utf-8")
    return Stationery(lambda _: (folder, COMMON), strict=True).letter("trial", "dampfross", "en", zone, values)


def in_frame(folder: Path, body: str, **values: Any) -> Rendered:
    """Return a letter that extends the base and has *body* as its body."""
    blocks = "{% block subject %}Trial{% endblock %}{% block body %}" + body + "{% endblock %}"
    return written(folder, '{% extends "letter.txt.j2" %}' + blocks, game=GAME, **values)


def test_the_first_line_is_taken_off_as_subject(tmp_path: Path) -> None:
    letter = written(tmp_path, "Subject: {{ what }}\n\nDear all\n", what="Orders\nBcc: all")
    assert letter == Rendered(
        subject="Orders", text="Bcc: all\n\nDear all\n", loose="Bcc: all\n\nDear all", language="en"
    )
    assert written(tmp_path, "Subject: {{ what | one_line }}\n\nA\n", what="a\r\nb: c").subject == "a b: c"


@pytest.mark.parametrize("text", ["Dear all\n", "Subject:\n\nDear all\n", ""])
def test_a_letter_without_subject_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"trial\.txt\.j2: the first line must be 'Subject: "):
        written(tmp_path, text)


def test_a_missing_template_and_a_broken_one_are_the_umpires_to_mend(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'nothing\.txt\.j2' was not found in the folders of the game 'dampfross'"):
        Stationery(lambda _: (tmp_path, COMMON)).letter("nothing", "dampfross", "en", "UTC", {})
    with pytest.raises(ConfigError, match=r"trial\.txt\.j2:2: "):
        written(tmp_path, "Subject: a\n{% if %}\n")


@pytest.mark.parametrize(
    "text",
    [
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
        "{% for x in [1] %}" * 30 + "{% endfor %}" * 30,
        "{{ " + "9" * 5000 + " }}",
        "\udcff",
    ],
    ids=["brackets", "conditions", "loops", "digits", "bytes"],
)
def test_a_template_that_cannot_even_be_compiled_is_the_umpires_to_mend_too(tmp_path: Path, text: str) -> None:
    (tmp_path / "part.txt.j2").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=r"part\.txt\.j2"):
        written(tmp_path, 'Subject: a\n\n{% include "part.txt.j2" %}')


def test_a_value_that_was_not_given_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"trial\.txt\.j2:3: 'nobody' is undefined"):
        written(tmp_path, "Subject: a\n\n{{ nobody }}\n")


def test_an_unknown_zone_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="time zone 'Europe/Atlantis' is not known"):
        written(tmp_path, "Subject: a\n", zone="Europe/Atlantis")


def trial(stationery: Stationery, game: str = "dampfross", language: str = "en") -> str:
    return stationery.letter("trial", game, language, "UTC", {}).text


def test_the_first_folder_wins_for_includes_too(tmp_path: Path) -> None:
    own, house = tmp_path / "own", tmp_path / "house"
    for folder, text in ((own, "umpire"), (house, "house")):
        folder.mkdir()
        (folder / "part.txt.j2").write_text(text, encoding="utf-8")
    (house / "trial.txt.j2").write_text('Subject: a\n\n{% include "part.txt.j2" %}', encoding="utf-8")
    stationery = Stationery(lambda game: (own, house, COMMON) if game == "dampfross" else (house, COMMON))
    assert trial(stationery) == "umpire\n"
    assert trial(stationery, "volldampf") == "house\n"


def test_a_template_changed_or_added_while_we_run_is_seen(tmp_path: Path) -> None:
    own, house = tmp_path / "own", tmp_path / "house"
    own.mkdir()
    house.mkdir()
    (house / "trial.txt.j2").write_text("Subject: a\n\nold\n", encoding="utf-8")
    stationery = Stationery(lambda _: (own, house, COMMON))
    assert trial(stationery) == "old\n"
    (own / "trial.txt.j2").write_text("Subject: a\n\nnew\n", encoding="utf-8")
    assert trial(stationery) == "new\n"
    (own / "trial.txt.j2").write_text("Subject: a\n\nnewer\n", encoding="utf-8")
    assert trial(stationery) == "newer\n"
    (own / "trial.txt.j2").unlink()
    assert trial(stationery) == "old\n"


def test_a_template_is_compiled_once_for_readers_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_it = jinja2.Environment.compile

    def counted(made: jinja2.Environment, source: Any, name: str | None = None, filename: str | None = None) -> Any:
        compiled.append(str(name))
        return compile_it(made, source, name, filename)

    monkeypatch.setattr(jinja2.Environment, "compile", counted)
    body, noon = "Subject: a\n\n{{ at | deadline }}\n", datetime(2026, 12, 7, 12, tzinfo=UTC)
    dublin = written(tmp_path, body, at=noon)
    assert compiled == ["trial.txt.j2"]
    moscow = written(tmp_path, body, zone="Europe/Moscow", at=noon)
    assert compiled == ["trial.txt.j2"]
    assert ("12:00" in dublin.text, "15:00" in moscow.text) == (True, True)


def test_a_word_that_stands_in_a_template_is_in_each_readers_language(tmp_path: Path) -> None:
    """Jinja2 applies filters to constants when it compiles, which is done once for all."""

    class German(NullTranslations):
        def gettext(self, message: str) -> str:
            german = {
                "Monday": "Montag",
                "{first} and {last}": "{first} und {last}",
                "{whole}.{part}": "{whole},{part}",
            }
            return german.get(message, message)

    languages = {"en": NullTranslations(), "de": German()}
    stationery = Stationery(lambda _: (tmp_path, COMMON), translations=languages.__getitem__, strict=True)
    body = "Subject: a\n\n{{ 'monday' | word('weekday') }} {{ ['a', 'b'] | joined }} {{ '-0.5' | decimal }} {{ '7' | decimal }}\n"
    (tmp_path / "trial.txt.j2").write_text(body, encoding="utf-8")
    (tmp_path / "words.toml").write_text('[weekday]\nmonday = "Monday"\n', encoding="utf-8")
    assert trial(stationery) == "Monday a and b -0.5 7\n"
    assert trial(stationery, language="de") == "Montag a und b -0,5 7\n"


def test_no_template_outside_the_folders_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (tmp_path / "own").mkdir()
    with pytest.raises(ConfigError, match="not found"):
        written(tmp_path / "own", 'Subject: a\n{% include "../secret" %}\n')


def test_pages_are_escaped_and_letters_are_not(tmp_path: Path) -> None:
    for name in ("page.html.j2", "page.txt.j2"):
        (tmp_path / name).write_text("{{ press }}", encoding="utf-8")
    stationery = Stationery(lambda _: (tmp_path, COMMON))
    values = {"press": "<b>&"}
    assert stationery.text("page.html.j2", "dampfross", "en", "UTC", values) == "&lt;b&gt;&amp;"
    assert stationery.text("page.txt.j2", "dampfross", "en", "UTC", values) == "<b>&"


def test_the_base_has_heading_body_and_footer(tmp_path: Path) -> None:
    letter = in_frame(tmp_path, "Hello\n", turn=3, address="referee@example.org")
    assert letter.subject == "[RR7] Trial"
    assert letter.text == (
        "RR7: Dampfross, map Ireland\n===========================\n\n\nHello\n\n\n"
        "----------------------------------------\n"
        "To send orders, answer this letter. Write them between a line\n"
        '"ORDERS RR7 3" and a line "END". A new letter replaces all you sent\n'
        "before for this turn.\n"
        "Each letter of orders is answered.\n"
        "The one word HELP in a letter brings all that you can write, with\n"
        "examples.\n"
        "The referee's address: referee@example.org\n"
    )


def test_the_footer_asks_for_orders_of_the_next_turn_and_for_none_at_the_end(tmp_path: Path) -> None:
    assert '"ORDERS RR7 4"' in in_frame(tmp_path, "Hello\n", turn=3, next_turn=4).text
    assert "ORDERS" not in in_frame(tmp_path, "Hello\n", turn=3, next_turn=4, finished=True).text


def test_an_order_form_stands_between_its_markers(tmp_path: Path) -> None:
    form = "{% call post.order_form(game.id, turn) %}\n1a) \n1b)\n{% endcall %}\nafter"
    assert "\nORDERS RR7 3\n1a)\n1b)\nEND\nafter\n" in in_frame(tmp_path, form, turn=3).text


@CASES.frozen_rows
def test_a_form_is_filled_in_with_what_was_ordered(lines: tuple[str, ...], form: str) -> None:
    blank = "HOME\n1a)\n1b)\nFOR MGW\n1a)"
    assert fill_form(blank, lines).split("\n") == form.split("|")


def test_no_line_is_longer_than_a_letter_is_wide_but_words_and_tables(tmp_path: Path) -> None:
    wide = [[f"column {number}" for number in range(12)]]
    letter = written(tmp_path, "Subject: a\n\n  - {{ text }}\n{{ wide | columns }}\n", text="seven " * 30, wide=wide)
    *prose, table = letter.text.rstrip("\n").split("\n")
    assert all(len(line) <= LINE_WIDTH for line in prose)
    assert prose[0].startswith("  - seven")
    assert all(line.startswith("    seven") for line in prose[1:])
    assert len(table) > LINE_WIDTH
    assert table.count("column") == 12


@given(st.text(alphabet="ab é\u0301-\n\t\u00a0", max_size=400))
def test_a_body_is_tidy(text: str) -> None:
    body = tidy(text)
    assert body.endswith("\n")
    assert "\n\n\n\n" not in body
    assert all(line == line.rstrip() for line in body.split("\n"))
    assert "\u00a0" not in body
    assert "".join(body.split()) == "".join(text.split()), "folding loses no word"


def test_widths_are_columns_of_the_screen() -> None:
    assert display_width("東京") == 4
    assert display_width("Dún") == display_width("Du\u0301n") == display_width("D\u2068ú\u2069n") == 3


def test_letters_of_the_west_are_as_wide_as_the_tables_say() -> None:
    """The tables take as long to be read as a short letter to be handled."""
    for char in map(chr, range(0x80, 0x400)):
        assert display_width(f"{char}a") == max(0, wcwidth(char)) + 1, hex(ord(char))


def test_the_tables_are_not_read_for_letters_of_the_west() -> None:
    script = (
        "import sys; from referee.report.html import TIE, display_width; "
        "print(display_width(f'Dún{TIE}Laoghaire – {TIE}'.replace('–', '-')), 'wcwidth' in sys.modules)"
    )
    told = run_program([sys.executable, "-c", script], check=True)
    assert told.stdout == "17 False\n"


def test_a_table_has_names_left_and_numbers_right() -> None:
    rows = [["GSW", 20, None], ["Du\u0301n Laoghaire", 7, "x"]]
    table = columns(rows, head=["company", "b/fwd", "note"], foot=["", 27], indent=1).replace("\u00a0", " ")
    assert table.split("\n") == [
        " company        b/fwd  note",
        " -------------  -----  ----",
        " GSW               20",
        " Du\u0301n Laoghaire      7     x",
        " -------------  -----  ----",
        "                   27",
    ]
    assert columns([]) == ""


def test_wrapping_keeps_the_writers_own_lines() -> None:
    assert wrap("one two three\n\nfour", width=8, indent=2) == "  one\n  two\n  three\n\n  four"
    assert wrap("1a) one two three", width=11) == "1a) one two\n    three"
    assert wrap("one two three", width=8, hang=2) == "one two\n  three"


def test_filters_in_a_letter(tmp_path: Path) -> None:
    body = (
        "Subject: a\n\n{{ 6 | signed }} {{ -1 | signed }} {{ 0 | signed }}|{{ 'é' | ljust(3) }}|{{ 7 | rjust(3) }}|\n"
    )
    assert written(tmp_path, body).text == "+6 -1 0|é  |  7|\n"
    joined = "Subject: a\n\n{{ [] | joined }}{{ ['a'] | joined }}, {{ 'abc' | joined }}, {{ 'ab' | joined('or') }}\n"
    assert written(tmp_path, joined).text == "a, a, b and c, a or b\n"


WINTER = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment", "told"),
    [
        ("Europe/Dublin", WINTER, "Friday 4 December 2026, 20:00 (Europe/Dublin), that is 20:00 UTC"),
        ("Europe/Berlin", WINTER, "Friday 4 December 2026, 21:00 (Europe/Berlin), that is 20:00 UTC"),
        (
            "Pacific/Auckland",
            WINTER,
            "Saturday 5 December 2026, 09:00 (Pacific/Auckland), that is Friday 4 December 2026, 20:00 UTC",
        ),
        ("Europe/Berlin", WINTER.replace(month=7), "Saturday 4 July 2026, 22:00 (Europe/Berlin), that is 20:00 UTC"),
        ("UTC", WINTER, "Friday 4 December 2026, 20:00 UTC"),
    ],
)
def test_a_deadline_is_told_in_the_readers_zone_and_utc(tmp_path: Path, zone: str, moment: datetime, told: str) -> None:
    letter = written(tmp_path, "Subject: {{ moment | deadline }}\n", zone=zone, moment=moment)
    assert letter.subject == told


def test_a_moments_day_is_the_readers_and_a_date_is_itself(tmp_path: Path) -> None:
    days = {"late": WINTER, "plain": date(2026, 3, 1)}
    letter = written(tmp_path, "Subject: {{ late | day }}, {{ plain | day }}\n", zone="Pacific/Auckland", **days)
    assert letter.subject == "Saturday 5 December 2026, Sunday 1 March 2026"


def test_a_moment_without_a_zone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"trial\.txt\.j2:1: .* has no time zone"):
        written(tmp_path, "Subject: {{ moment | deadline }}\n", moment=WINTER.replace(tzinfo=None))


def test_without_a_deadline_the_letter_says_so(tmp_path: Path) -> None:
    assert "There is no deadline" in in_frame(tmp_path, "{{ post.deadline(none) }}\n").text


@CASES.rows
def test_a_name_with_a_full_stop_ends_a_sentence_with_one(tmp_path: Path, body: str, said: str) -> None:
    (tmp_path / "words.toml").write_text('[trial]\none = "It is {name}."\n', encoding="utf-8")
    assert written(tmp_path, f"Subject: a\n\n{body}\n", name="Bernd S.").text.endswith(f"{said}\n")


@CASES.rows
def test_press_that_looks_like_a_border_is_set_in(line: str) -> None:
    assert quoted_text(f"a\n{line}\nb") == f"a\n {line.rstrip()}\nb"


@pytest.mark.parametrize("joint", ["-", ".", "_", ""])
def test_a_word_longer_than_a_line_stands_behind_the_bar_of_its_press(tmp_path: Path, joint: str) -> None:
    text = f"Hello {joint.join(['HOME', 'Cork'] * 20)} and so on. " * 2
    texts = [{"player": "GSW", "company": "", "text": text}]
    letter = in_frame(tmp_path, "{{ post.press(press) }}\n", press=texts).text
    words = letter.partition("GSW:\n")[2].partition("\n\n")[0]
    assert {line[:2] for line in words.splitlines()} == {"| "}


def test_ordinary_press_stays_as_it_was() -> None:
    text = "Fromage is served.\n\nOrdersome, endless – “dash”.\n  set in"
    assert quoted_text(text) == text


def test_press_loses_what_hides_or_turns_the_text() -> None:
    assert quoted_text("a\x1b[31mb\u202ec\u2066d\x00e\u200bf\tg\r\nh\u2028i\x85j") == "a[31mbcdef g\nh\ni\nj"
    assert one_line(" a\r\nb\u2029\x07c ") == "a b c"


def test_the_press_of_all_players_stands_under_one_heading(tmp_path: Path) -> None:
    texts = [
        {"player": "GSW", "company": "Great South", "text": "-- \nHello " + "there " * 20},
        {"player": "MGW", "company": "", "text": "END\n\nYours"},
    ]
    letter = in_frame(tmp_path, "{{ post.press(press) }}\n", press=texts)
    assert "Press\n-----\n\nGSW (Great South):\n|  --\n| Hello there" in letter.text
    assert "\n\nMGW:\n|  END\n|\n| Yours\n" in letter.text
    assert all(len(line) <= LINE_WIDTH for line in letter.text.split("\n"))
    assert "Press" not in in_frame(tmp_path, "{{ post.press([]) }}\n").text


def test_parts_of_letters_take_on_the_clubs_pages_what_they_take_in_letters() -> None:
    files = (COMMON / "page.html.j2", COMMON.parent / "site" / "page.html.j2")
    letters, pages = ({*re.findall(r"{% macro (.+?) %}", each.read_text("utf-8"))} for each in files)
    assert letters - pages == {"big(figures)", "buttons(cases)", 'order_desk(link, file="")'}
    assert pages < letters
