"""What a stranger installs is whole: templates and order languages travel in the wheel."""

import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it is published: built from the sdist, not from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_template_and_order_file(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "orders"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file():
                assert f"referee/_{path.relative_to(ROOT)}" in inside


def test_the_wheel_holds_the_lettering_and_its_licence(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    faces = {f"referee/report/fonts/{face.name}" for face in (ROOT / "referee/report/fonts").glob("*.ttf")}
    assert len(faces) == 4
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
    assert version.stdout.strip() == "0.1.0"
    rendered = subprocess.run([python, "-c", RENDER], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert rendered.stdout.splitlines()[2:] == ["Freitag"]
