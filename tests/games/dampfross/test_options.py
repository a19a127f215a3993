"""Options: the table in docs/options.md is what the code plays, and contradictions are refused with a sentence."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from referee.core.errors import OptionError
from referee.games.dampfross.options import ALLOWED, PRESETS, Options, choose_options

DOCS = Path(__file__).parents[3] / "docs" / "options.md"


def table() -> dict[str, list[str]]:
    """Return the rows of the table: option, then its values and the value in each preset."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows}


def shown(value: object) -> str:
    """Return a value as the table writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_table_names_every_option_and_no_other() -> None:
    assert list(table()) == list(asdict(Options())) == list(ALLOWED)


@pytest.mark.parametrize(("column", "preset"), list(enumerate(("postal", "laurin", "schmidt"), start=1)))
def test_the_table_tells_the_presets(column: int, preset: str) -> None:
    told = {name: cells[column] for name, cells in table().items()}
    assert told == {name: shown(value) for name, value in asdict(PRESETS[preset]).items()}


@pytest.mark.parametrize("name", list(ALLOWED))
def test_every_value_of_the_table_is_accepted_and_others_are_refused(name: str) -> None:
    for value in re.split(r", | or ", table()[name][0]):
        words = value.removesuffix(" per half-hex").removesuffix(" hex-sides").removesuffix(" a round")
        sample = re.sub(r"\bn\b", "40" if name == "game_ends" else "2", words)
        read: str | int | bool = sample
        if sample in ("true", "false"):
            read = sample == "true"
        elif sample.isdigit():
            read = int(sample)
        assert ALLOWED[name](read) == "", (name, read)
    assert ALLOWED[name]("nonsense")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_contradicts_nothing(preset: str) -> None:
    assert choose_options(preset, ()) == PRESETS[preset]


@pytest.mark.parametrize(
    ("preset", "chosen", "words"),
    [
        ("postal", ("specials", "numbers"), "race_schedule = sectors"),
        ("laurin", ("specials", "sectors"), "race_schedule = dice"),
        ("postal", ("races_per_turn", 2), "races_per_turn = round"),
        ("laurin", ("races_per_turn", "round"), "races_per_turn"),
        ("postal", ("game_ends", "target"), "game_ends = target"),
        ("schmidt", ("races", 12), "races = n"),
        ("laurin", ("race_building", "points:20"), "race_building"),
        ("postal", ("race_building", "10 per 2 races"), "race_building"),
        ("postal", ("building_ends", "rounds:0"), "building_ends = rounds:0"),
        ("schmidt", ("roll", "typed"), "roll = typed"),
    ],
)
def test_a_contradiction_is_refused_with_a_sentence(preset: str, chosen: tuple[str, str | int], words: str) -> None:
    with pytest.raises(OptionError, match=re.escape(words)):
        choose_options(preset, (chosen,))


def test_an_unknown_option_or_value_names_what_there_is() -> None:
    with pytest.raises(OptionError, match=r"'jump' is not known; there are: .*jumps"):
        choose_options("postal", (("jump", 1),))
    with pytest.raises(OptionError, match="jumps = 3: it is one of 0, 1, 2"):
        choose_options("postal", (("jumps", 3),))
    with pytest.raises(OptionError, match=r"preset 'queen' is not known"):
        choose_options("queen", ())
