"""Options of Volldampf: the presets say what their texts say, what cannot be is refused with a sentence."""

import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from referee.core import OptionError
from referee.core.game import Option
from referee.games.volldampf.options import ALLOWED, PRESETS, Options, choose_options
from tests.games.volldampf.wanted import VALUES
from tests.tables import Tables

CASES = Tables(__file__)

DOCS = Path(__file__).parents[3] / "docs" / "options-volldampf.md"


def told(name: str) -> list[str]:
    """Return the cells of an option's row in the docs."""
    row = re.search(rf"^\| `{name}` \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert row
    return [cell.strip() for cell in row[1].split("|")]


def other_than_default(preset: str) -> dict[str, Option]:
    usual = asdict(Options())
    return {name: value for name, value in asdict(PRESETS[preset]).items() if value != usual[name]}


def test_every_option_has_values_and_a_check() -> None:
    assert list(VALUES) == list(asdict(Options())) == list(ALLOWED)


def test_the_default_of_every_option_is_the_first_value_of_the_digest() -> None:
    assert asdict(Options()) == {name: values[0] for name, values in VALUES.items()}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
def test_every_value_is_taken_as_typed_and_as_text(name: str, value: Option) -> None:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    for given in (value, written):
        assert asdict(choose_options("referee", ((name, given),)))[name] == value


@pytest.mark.parametrize("value", ["nonsense", -1, 1000, "", "1–5"])
def test_a_value_that_is_none_is_refused_with_those_there_are(value: Option) -> None:
    for name in ALLOWED:
        with pytest.raises(OptionError, match=rf"^option {name} = {re.escape(repr(value))}: it is "):
            choose_options("post", ((name, value),))


def test_phase_6_may_be_written_as_a_number() -> None:
    assert choose_options("post", (("neue_planung_phases", 6),)).neue_planung_phases == "6"


def test_a_number_is_no_yes_or_no() -> None:
    with pytest.raises(OptionError, match="must_stop = 1: it is one of true, false"):
        choose_options("post", (("must_stop", 1),))
    with pytest.raises(OptionError, match="opening_min = True: it is one of 1, 0"):
        choose_options("post", (("opening_min", True),))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_contradicts_nothing(preset: str) -> None:
    assert choose_options(preset, ()) == PRESETS[preset]


@CASES.rows
def test_a_preset_differs_from_the_digest_where_its_texts_do(preset: str, differs: dict[str, Option]) -> None:
    assert other_than_default(preset) == differs


def test_a_contradiction_is_refused_with_a_sentence() -> None:
    with pytest.raises(OptionError, match="red_passes_red = true is an exception to must_stop = true"):
        choose_options("french", (("red_passes_red", True),))
    assert choose_options("french", (("red_passes_red", True), ("must_stop", True))).red_passes_red


def test_an_unknown_option_or_preset_names_what_there_is() -> None:
    with pytest.raises(OptionError, match=r"'must_go' is not known; there are: .*must_stop"):
        choose_options("post", (("must_go", 1),))
    with pytest.raises(OptionError, match=r"preset 'german' is not known; there are: post, referee, english"):
        choose_options("german", ())


def test_the_docs_tell_every_option_with_its_values() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", DOCS.read_text("utf-8"), re.MULTILINE)
    assert rows == list(ALLOWED)
    for name, values in VALUES.items():
        words = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
        missing = [word for word in words if word not in told(name)[0] and not word.isdigit()]
        assert not missing, name


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "referee"])
def test_the_docs_tell_where_a_preset_differs(preset: str) -> None:
    differs = other_than_default(preset)
    named = {name for name in ALLOWED if preset in re.split(r"\W+", told(name)[1])}
    assert named == set(differs)
    assert all(
        str(value).lower().removeprefix("second_passer_only_") in told(name)[1] for name, value in differs.items()
    )
