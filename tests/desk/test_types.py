"""The types that the desks' scripts state in their comments agree: TypeScript looks at each desk as it is put together."""

import subprocess
from pathlib import Path

import pytest

from referee.report.desk import MAP_SCRIPTS, SCRIPTS

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
OPTIONS = "--checkJs --allowJs --noEmit --strict --strictNullChecks false --noImplicitAny false --target ES2022"


def checked(folder: Path, scripts: tuple[str, ...], beside: tuple[str, ...] = ("board", "speech", "shell")) -> str:
    """Return what is wrong with the types of a desk."""
    if not TSC.exists():
        pytest.skip("typescript is not installed (npm install --no-save typescript)")
    files = [str(folder / f"{name}.js") for name in (*beside[:2], *scripts, *beside[2:])]
    call = [str(TSC), *OPTIONS.split(), "--lib", "ES2022,DOM,DOM.Iterable", "--types", "", *files]
    return subprocess.run(call, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("scripts", [("plain",), *SCRIPTS.values()], ids=" ".join)
def test_the_types_of_a_desk_agree(scripts: tuple[str, ...]) -> None:
    assert checked(ROOT / "templates" / "desk", scripts) == ""


def test_the_types_of_the_map_desk_agree() -> None:
    assert checked(ROOT / "templates" / "mapdesk", MAP_SCRIPTS, ()) == ""


def test_a_wrong_type_is_found(tmp_path: Path) -> None:
    for file in (ROOT / "templates" / "desk").glob("*.js"):
        (tmp_path / file.name).write_text(
            file.read_text("utf-8").replace("Script.write(position, reader, ", "Script.write(")
        )
    assert "error TS" in checked(tmp_path, ("plain",))
