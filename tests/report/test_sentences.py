"""Complaints as sentences, and that every code has one."""

import ast
import re
from gettext import NullTranslations
from pathlib import Path

import pytest

from referee.core import Complaint, ConfigError
from referee.report.sentences import Sentences, merged_toml
from tests.games import lines

ROOT = Path(__file__).parents[2]
COMMON = ROOT / "templates" / "common"
CODE = re.compile(r"(?:invalid|illegal|asked|warning|note)(?:-[a-z0-9]+)+")

CATALOGUE = """
[invalid-hex]
sentence = "hex '{text}' is not on this map"

[illegal-budget]
sentence = "{over} unit more than the roll"
plural = "{over} units more than the roll"
count = "over"
hint = "stop at {hint}"

[invalid-town]
sentence = "'{text}' may be {hint}"
"""


def sentences(folder: Path, *, strict: bool = True) -> Sentences:
    """Return the catalogue above with the common words."""
    (folder / "complaints.toml").write_text(CATALOGUE, encoding="utf-8")
    return Sentences((folder, COMMON), NullTranslations(), strict=strict)


def test_line_reason_suggestion_and_paragraph_make_one_sentence(tmp_path: Path) -> None:
    complaint = Complaint(code="invalid-hex", line=4, text="Z99", hint="Z9", paragraph="D2.2")
    told = sentences(tmp_path).complaint(complaint)
    assert told == "line 4: hex 'Z99' is not on this map (did you mean Z9?) [D2.2]"


def test_what_is_not_known_is_not_said(tmp_path: Path) -> None:
    assert sentences(tmp_path).complaint(Complaint(code="invalid-hex", text="Z")) == "hex 'Z' is not on this map"


def test_a_sentence_may_count_and_say_its_hint_in_its_own_words(tmp_path: Path) -> None:
    told = [
        sentences(tmp_path).complaint(Complaint(code="illegal-budget", hint="Y17", params=(("over", over),)))
        for over in (1, 3)
    ]
    assert told == ["1 unit more than the roll (stop at Y17)", "3 units more than the roll (stop at Y17)"]
    assert (
        sentences(tmp_path).complaint(Complaint(code="invalid-town", text="Du", hint="Dublin")) == "'Du' may be Dublin"
    )


def test_a_players_words_stay_on_one_line(tmp_path: Path) -> None:
    told = sentences(tmp_path).complaint(Complaint(code="invalid-hex", text="Z\r\n\u202e{line}\x00"))
    assert told == "hex 'Z {line}' is not on this map"


def test_a_code_or_parameter_without_words_fails_a_test_but_never_a_letter(tmp_path: Path) -> None:
    unknown = Complaint(code="illegal-thing", line=2, text="x\ny", paragraph="D9", params=(("n", 3),))
    incomplete = Complaint(code="illegal-budget")
    for complaint in (unknown, incomplete):
        with pytest.raises(KeyError):
            sentences(tmp_path).complaint(complaint)
    patient = sentences(tmp_path, strict=False)
    assert patient.complaint(unknown) == "line 2: illegal-thing (text: x y, n: 3) [D9]"
    assert patient.complaint(incomplete) == "illegal-budget"
    assert patient.word("weekday", "8") == "8"


def test_the_umpires_words_go_before_the_games_and_the_common_ones(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('[weekday]\n1 = "Moonday"\n', encoding="utf-8")
    words = Sentences((tmp_path, COMMON), NullTranslations(), strict=True)
    assert (words.word("weekday", "1"), words.word("weekday", "2")) == ("Moonday", "Tuesday")


@pytest.mark.parametrize(("text", "fault"), [("[a", "Expected"), ("a = 1\n", "'a' stands outside a \\[table\\]")])
def test_a_catalogue_that_cannot_be_read_is_the_umpires_to_mend(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "words.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"words\.toml: .*{fault}"):
        Sentences((tmp_path, COMMON), NullTranslations())


def codes_of(folder: Path) -> dict[str, str]:
    """Return every code of a complaint that stands in the source, with the file it stands in."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                found.setdefault(node.value, file.relative_to(ROOT).as_posix())
    return found


@pytest.mark.parametrize("room", ["orderbook", "mail", "service"])
def test_every_code_of_the_house_has_a_sentence(room: str) -> None:
    catalogue = merged_toml((COMMON,), "complaints.toml")
    assert {code: file for code, file in codes_of(ROOT / "referee" / room).items() if code not in catalogue} == {}


@pytest.mark.parametrize(
    "game", sorted(path.parent.name for path in (ROOT / "referee" / "games").glob("*/__init__.py"))
)
def test_every_code_of_a_game_has_a_sentence(game: str) -> None:
    package = ROOT / "referee" / "games" / game
    catalogue = merged_toml((package / "templates", ROOT / "templates" / game, COMMON), "complaints.toml")
    assert {code: file for code, file in codes_of(package).items() if code not in catalogue} == {}


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_every_reason_why_a_line_is_asked_about_has_a_sentence(game: str) -> None:
    reasons = {f"asked-{each.name}" for each in lines.order_language(game).doubts}
    assert reasons - set(merged_toml((ROOT / "templates" / game, COMMON), "complaints.toml")) == set()


@pytest.mark.parametrize(
    "file", sorted((ROOT / "templates").rglob("complaints.toml")), ids=lambda file: file.parent.name
)
def test_every_entry_is_a_code_with_a_sentence(file: Path) -> None:
    for code, entry in merged_toml((file.parent,), file.name).items():
        assert CODE.fullmatch(code), code
        assert entry["sentence"].strip(), code
        assert set(entry) <= {"sentence", "plural", "count", "hint"}, code
        assert ("plural" in entry) == ("count" in entry), code
        assert not entry["sentence"].endswith("."), f"{code}: the frame goes on after the sentence"
