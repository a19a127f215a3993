"""What a stranger installs is whole: templates and order languages travel in the wheel."""

import json
import shutil
import site
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from referee import __version__
from tests.dist import bill, build

pytestmark = pytest.mark.testlong  # to build takes as long as a hundred tests

ROOT = Path(__file__).parent.parent
RENDER = """
from referee.games import game_named
from referee.orderbook import OrderLanguage
from referee.report.templates import Stationery
from referee.resources import order_texts, shipped, template_folders
assert "_templates" in str(shipped("templates")), shipped("templates")
book = OrderLanguage.of(**order_texts("dampfross"))
stationery = Stationery(lambda game: template_folders(game, None))
print(stationery.text("words.toml", "dampfross", "en", "UTC", {}).splitlines()[0])
game = game_named("dampfross")
print(game.board_text("ireland").splitlines()[0])
from referee import locale
assert {"de", "fr"} <= {*locale.languages()}
print(locale.translations("de").gettext("Friday"))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist as they are published: the wheel built from the sdist, not from the checkout."""
    wheel, sdist = build(tmp_path_factory.mktemp("dist"))
    return wheel, sdist


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, Path]) -> Path:
    return built[0]


def test_they_are_the_same_bytes_built_at_another_place(built: tuple[Path, Path], tmp_path: Path) -> None:
    elsewhere = tmp_path / "Löß and blanks"
    left_out = shutil.ignore_patterns(".venv", ".git", "node_modules", "__pycache__", ".*_cache", "*.mo", "dist")
    shutil.copytree(ROOT, elsewhere, ignore=left_out)
    again = build(tmp_path / "dist", elsewhere)
    assert [each.read_bytes() for each in again] == [each.read_bytes() for each in built]


def test_they_hold_what_they_need_and_nothing_else(built: tuple[Path, Path]) -> None:
    inside = zipfile.ZipFile(built[0])
    names = [name for name in inside.namelist() if ".dist-info/" not in name]
    needed = {
        f"referee/_{path.relative_to(ROOT)}"
        for folder in ("templates", "orders", "docs/systemd")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "letters" not in path.parts and path.name != "README.md"
    }
    shipped = {name for name in names if name.startswith("referee/_") and "/" in name.removeprefix("referee/_")}
    assert shipped == needed
    assert {Path(name).suffix for name in names} == {
        *(
            ".py",
            ".toml",
            ".md",
            ".j2",
            ".html",
            ".js",
            ".css",
            ".typ",
            ".lark",
            ".mo",
            ".ttf",
            ".sql",
            ".service",
            ".timer",
        ),
    }
    assert [name for name in names if not name.startswith("referee/")] == []
    with tarfile.open(built[1]) as sdist:
        tops = {name.split("/")[1] for name in sdist.getnames()}
        texts = {each.name: file.read() for each in sdist if (file := sdist.extractfile(each))}
    assert tops == {
        *("referee", "templates", "orders", "tests", "docs", "bench", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"),
        *("LICENSE", "NOTICE", "Makefile", "hatch_build.py", "pyproject.toml", "PKG-INFO", ".gitignore"),
        *("deploy", "Containerfile", ".dockerignore", "compose.yaml", "requirements.lock"),
    }
    texts |= {name: inside.read(name) for name in inside.namelist()}
    own = (str(ROOT).encode(), str(Path.home()).encode() + b"/.", str(Path(sys.prefix)).encode())
    assert [name for name, text in texts.items() if any(path in text for path in own)] == []


def test_the_bill_of_materials_names_what_an_installation_brings_and_nothing_of_ours(tmp_path: Path) -> None:
    told = json.loads(bill(tmp_path).read_text("utf-8"))
    assert (told["bomFormat"], told["metadata"]["component"]["name"]) == ("CycloneDX", "railway-referee")
    names = {each["name"].lower() for each in told["components"]}
    assert {"click", "jinja2", "markupsafe", "msgspec", "sqlite-utils", "typst", "dkimpy", "pillow"} <= names
    assert names.isdisjoint({"pytest", "mypy", "sphinx", "hatchling", "cyclonedx-bom", "railway-referee"})
    assert all(each["version"] and each["purl"].startswith("pkg:pypi/") for each in told["components"])
    assert str(ROOT) not in json.dumps(told)
    assert bill(tmp_path).read_text("utf-8") == json.dumps(told, indent=1, sort_keys=True) + "\n"


def test_the_wheel_holds_the_lettering_and_its_licence(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    faces = {f"referee/report/fonts/{face.name}" for face in (ROOT / "referee/report/fonts").glob("*.ttf")}
    assert len(faces) >= 4
    assert faces < inside
    (notice,) = (name for name in inside if name.endswith("/NOTICE"))
    assert "Bitstream Vera is a trademark of Bitstream, Inc." in zipfile.ZipFile(wheel).read(notice).decode()


def test_an_installed_wheel_runs_and_renders(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    fresh = next((home / "lib").glob("python*")) / "site-packages"
    target = ["--target", str(fresh), "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *target, str(wheel)], check=True)
    # The dependencies come from this environment: a path alone, so that its own (editable) referee is not seen.
    (fresh / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    python = home / "bin" / "python"
    version = subprocess.run(
        [python, "-m", "referee", "--version"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert version.stdout.strip() == __version__
    rendered = subprocess.run([python, "-c", RENDER], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert rendered.stdout.splitlines()[2:] == ["Freitag"]
