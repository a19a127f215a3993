"""``referee metrics`` and the file of ``log.metrics``: read by a reader of the format, right in numbers, silent about people."""

from __future__ import annotations

import json
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from tests.posthouse import ANN, ROOT, PostHouse


def read(text: str) -> dict[str, float]:
    """Return the samples of an exposition by name and labels, without the club's."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            assert sample.labels.pop("club")
            found[" ".join([sample.name, *(sample.labels[name] for name in sorted(sample.labels))])] = sample.value
    return found


def test_metrics_count_letters_in_and_out(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 3")
    house.send("stranger@example.com", "hello", subject="hello")
    said = read(house.command("metrics").stdout)
    assert (said["referee_letters filed done"], said["referee_letters stranger ignored"]) == (1, 1)
    assert said["referee_outbox sent"] == len(house.ours("state = 'sent'"))
    assert (said["referee_turns_due"], said["referee_games running"]) == (0, 1)
    assert said["referee_cpu_seconds_total"] > 0
    assert said["referee_database_bytes"] > 100_000
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert [name for name in said if f"`{name.split()[0]}" not in page] == []


def test_each_pass_writes_them_for_the_node_exporter(tmp_path: Path) -> None:
    file = tmp_path / "rail.prom"
    with PostHouse(tmp_path / "club", log__metrics=str(file)) as house:
        house.game()
        house.send(ANN, "STEP 3")
    assert read(file.read_text("utf-8"))["referee_letters filed done"] == 1
    assert file.stat().st_mode & 0o777 == 0o644
    assert ANN not in file.read_text("utf-8")
    assert list(tmp_path.glob("*.part")) == []


def test_a_turn_that_waits_is_due_and_then_late(tmp_path: Path) -> None:
    file = tmp_path / "rail.prom"
    with PostHouse(tmp_path / "club", log__metrics=str(file), deadlines__grace=120) as house:
        house.game(options=(("wind", "typed"),))
        told = []
        for hours in (7 * 24 + 9, 2):
            house.later(hours=hours)
            told.append(read(file.read_text("utf-8")))
    assert [(each["referee_turns_due"], each["referee_turns_late"]) for each in told] == [(1, 0), (1, 1)]


def test_a_file_that_cannot_be_written_stops_no_pass_and_is_told(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", log__metrics="/nowhere/rail.prom") as house:
        told = house.command("tick")
    assert (told.returncode, "log.metrics: /nowhere/rail.prom cannot be written" in told.stderr) == (0, True)


def test_log_json_on_the_command_line_goes_before_the_settings(house: PostHouse) -> None:
    told = house.command("--log", "json", "play", "RR9", "1")
    assert json.loads(told.stderr)["level"] == "error"
