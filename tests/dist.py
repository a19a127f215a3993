"""``python -m tests.dist`` (``make dist``): wheel and sdist, the same bytes wherever they are built, and beside them an SBOM.

The SBOM (CycloneDX) names what an installation with all extras brings along, in the versions of this environment.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from referee import __version__
from tests.posthouse import ROOT

NAME = "railway-referee"
FOR_MAKERS = {"dev", "docs"}  # extras of no installation
LEFT_OUT = shutil.ignore_patterns(".venv*", ".git", "node_modules", "__pycache__", ".*_cache", "*.mo", "dist", "build")


def build(folder: Path, root: Path = ROOT) -> tuple[Path, ...]:
    """Build sdist and, out of it, the wheel into *folder*; files are as old as ``SOURCE_DATE_EPOCH`` says, else of 2020-02-02."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    return tuple(sorted(each for each in folder.iterdir() if each.suffix in (".whl", ".gz")))


def make_later(program: Path) -> None:
    """Make of the folder ``referee`` of a copy that of version 1.1.0, whose tables take one more step."""
    steps, version = program / "store" / "storefile.py", program / "__init__.py"
    text = steps.read_text("utf-8")
    told = "step.__name__: step for step in (m001_schema,)"
    assert told in text
    step = "def m002_mood(db: sqlite_utils.Database) -> None:\n    db.execute('ALTER TABLE games ADD COLUMN mood TEXT')\n\n\n"
    text = text.replace(told, told.replace("(m001_schema,)", "(m001_schema, m002_mood)"))
    steps.write_text(text.replace("STEPS: ", f"{step}STEPS: "), "utf-8")
    version.write_text(re.sub('__version__ = ".*"', '__version__ = "1.1.0"', version.read_text("utf-8")), "utf-8")


def bill(folder: Path) -> Path:
    """Write the SBOM into *folder*: what the tool says of this environment, less what only we who make it need."""
    with tempfile.NamedTemporaryFile(suffix=".json") as told:
        asked = ["environment", "--output-reproducible", "--pyproject", str(ROOT / "pyproject.toml"), "-o", told.name]
        command = [sys.executable, "-m", "cyclonedx_py", *asked, sys.executable]
        subprocess.run(command, check=True, capture_output=True)
        whole: dict[str, Any] = json.loads(Path(told.name).read_bytes())
    needs = _needs()
    root = whole["metadata"]["component"]
    kept = {str(canonicalize_name(each["name"])): each for each in whole["components"]}
    refs = {name: kept[name]["bom-ref"] for name in needs if name in kept} | {NAME: root["bom-ref"]}
    whole["components"] = [kept[name] for name in sorted(refs) if name != NAME]
    whole["dependencies"] = [
        {"ref": refs[name], "dependsOn": sorted(refs[each] for each in needs[name])} for name in sorted(refs)
    ]
    root |= {"version": __version__, "purl": f"pkg:pypi/{NAME}@{__version__}"}
    made = folder / f"{NAME}-{__version__}.cdx.json"
    made.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", "utf-8")
    return made


def _needs() -> dict[str, set[str]]:
    """Return what an installation with all extras brings along, each with what it needs itself."""
    found: dict[str, set[str]] = {}
    front = [(NAME, frozenset({*metadata.metadata(NAME).get_all("Provides-Extra", ())} - FOR_MAKERS))]
    while front:
        name, extras = front.pop()
        asked = [Requirement(each) for each in metadata.requires(name) or ()]
        needed = [
            each
            for each in asked
            if not each.marker or any(each.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        ]
        new = {str(canonicalize_name(each.name)) for each in needed} - found.get(name, set())
        found[name] = found.get(name, set()) | new
        front += [
            (str(canonicalize_name(each.name)), frozenset(each.extras))
            for each in needed
            if canonicalize_name(each.name) in new
        ]
    return found


def main() -> None:
    """Build all into a fresh folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    parser.add_argument("--build", choices=["now", "later"], default="now", help="later: what upgrades are tried with")
    asked = parser.parse_args()
    shutil.rmtree(asked.into, ignore_errors=True)
    asked.into.mkdir(parents=True)
    if asked.build == "later":
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(ROOT, copy, ignore=LEFT_OUT, dirs_exist_ok=True)
            make_later(Path(copy) / "referee")
            build(asked.into, Path(copy))
    else:
        for made in (*build(asked.into), bill(asked.into)):
            print(made.name, made.stat().st_size)


if __name__ == "__main__":
    main()
