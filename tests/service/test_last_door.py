"""A code of the umpire's and one of a player's, planted wherever a person's words go: nothing that leaves holds either."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.audit.export import format_revealed, revealed
from referee.service.site.publish import publish
from referee.service.turns.opengames import open_game, signup_list, start
from referee.service.turns.proposals import Proposal
from referee.service.umpire.rulings import note
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of
from tests.secrecy import codes_in_text

CECIL, DORA = "cecil@example.com", "dora@example.com"
SHAPES = ("[{tag}]", "<referee+{low}@club.example>", "mailto:referee%2B{low}%40club.example", "{low}")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(
        tmp_path / "club", identity__policy="token", publish__folder="www", players__unsigned_press=True
    ) as made:
        made.begin()
        yield made


def given(house: PostHouse) -> list[str]:
    """Return a code of Ann's and one of the umpire's, which is open, as letters brought them."""
    house.send(UMPIRE, "LOG RR1", "a question")
    subjects = (str(house.last(who)["Subject"]) for who in (ANN, UMPIRE))
    return [found[1] for subject in subjects if (found := re.match(r"\[([A-Z0-9-]+)\]", subject))]


def planted(tags: list[str]) -> str:
    """Return words of a person's with these codes as programs write them."""
    return " and ".join(shape.format(tag=tag, low=tag.lower()) for tag in tags for shape in SHAPES)


def held_by(house: PostHouse, tags: list[str], more: str = "") -> list[str]:
    """Return where one of the tags stands that is not the reader's, or stands in words: letters, pages, exports, what is kept."""
    publish(house.club, house.folder / "www")
    files = {str(path): path.read_bytes() for path in (house.folder / "www").rglob("*") if path.is_file()}
    kept = (
        "SELECT text FROM press",
        "SELECT reason, parameters FROM acts",
        "SELECT text FROM log",
        "SELECT name, company FROM players",
    )
    files |= {sql: str([tuple(row) for row in house.rows(sql)]).encode() for sql in kept}
    files["export"] = (format_revealed(revealed(house.club, "RR1")) + more).encode()
    found = [name for name, content in files.items() for tag in tags if tag.encode() in content.upper()]
    found += [str(row.kind) for row in house.ours() if codes_in_text(row.raw)]
    others = [row for row in house.ours() if row.recipient not in (ANN, UMPIRE)]
    return found + [row.kind for row in others for tag in tags if tag.encode() in row.raw.upper()]


def test_words_of_persons_carry_no_code_out(house: PostHouse) -> None:
    tags = given(house)
    words = planted(tags)
    for command in (
        f"NOTE RR1\n{words}",
        f"HOLD RR1\n{words}",
        f"RESUME RR1 HERE\n{words}",
        f"ADJUST RR1 money.ANN+=1\n{words}",
    ):
        house.clock.advance(minutes=1)
        house.send(UMPIRE, command, "a command")
        house.reply(house.last(UMPIRE, "Once more"), "CONFIRM")
    note(house.club, "RR1", f"typed on the machine: {words}")
    texts = (f"PRESS: {words}\nEND PRESS", f"PRESS TO BOB: {words}\nEND PRESS", f"PRESS ANONYMOUS: {words}\nEND PRESS")
    house.answer(house.last(ANN), "\n".join(("STEP 1", *texts, f"NOTE: {words}", "END NOTE")))
    house.answer(
        house.last(BOB), f"STEP 1\n\nI had this from Ann: {words}", Subject=f"Re: {house.last(BOB)['Subject']}"
    )
    house.send("stranger@example.com", f"Dear umpire, {words}", subject=words)
    house.later(days=8)
    log = house.command("log", "RR1").stdout
    assert len(house.rows("SELECT * FROM acts")) == 5
    assert "typed on the machine" in house.text(BOB, "turn 1")
    assert held_by(house, tags, log) == []


def test_names_carry_no_code_out(house: PostHouse) -> None:
    tags = given(house)
    joining = signup_list(
        house.club, open_game(house.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 2).id
    ).word
    for person, words in (
        (CECIL, f"RAILWAY GSW = {tags[1].lower()} Line"),
        (DORA, f"NAME Dora {tags[1]}"),
    ):
        house.send(person, f"{joining}\n{words}", subject="a game", From=f"Me {tags[0]} <{person}>")
        house.reply(house.last(person), "CONFIRM")
    start(house.club, "RR2", "")
    house.tick()
    assert "GSW" in [row["code"] for row in house.rows("SELECT code FROM players WHERE game = 'RR2'")]
    assert held_by(house, tags) == []


DISGUISES = ("_", " - ", ".", " ", "", "\n", "%2d", "&#45;", " / ", "‐", "*")


@pytest.mark.parametrize("joint", DISGUISES)
def test_a_code_in_disguise_leaves_without_itself(house: PostHouse, joint: str) -> None:
    """Letters and digits of a code are compared alone; a code that nobody was given is words."""
    game, player, token = given(house)[0].split("-")
    spelt = [joint.join(parts) for parts in ((game, player, token), (*game, *player.lower(), *token.lower()))]
    prose = f"RR1: ANN plays faster, RR1 - ANN - {token[::-1]}"
    house.reply(house.last(ANN), f"STEP 1\nPRESS: Look: {spelt[0]}, and {spelt[1]}! {prose}\nEND PRESS")
    house.write(ANN, "CONFIRM", subject=f"Re: {house.last(ANN)['Subject']}")
    house.later(days=8)
    publish(house.club, house.folder / "www")
    told = house.text(BOB, "turn 1")
    assert prose[:22] in " ".join(told.replace("\n|", "").split())
    assert token[::-1] in told
    pages = [path.read_text("latin-1") for path in (house.folder / "www").rglob("*") if path.is_file()]
    letters = [row.raw.decode("latin-1") for row in house.ours() if row.recipient == BOB]
    plain = [
        re.sub(r"&(?:amp;)?#?\w+;|%2d|[\W_]", "", text, flags=re.IGNORECASE).upper()
        for text in (told, *pages, *letters)
    ]
    assert [text for text in plain if game + player + token in text] == []


@pytest.mark.parametrize("joint", DISGUISES[:6])
def test_the_letters_of_his_own_code_alone_are_kept_from_the_words_of_a_letter_that_it_came_with(
    house: PostHouse, joint: str
) -> None:
    token = given(house)[0].split("-")[2]
    spelt = f"mine is {joint.join(token.lower())}, or {token[:4]}{joint}{token[4:]}"
    house.reply(house.last(ANN), f"STEP 1\nPRESS: Look, {spelt}!\nEND PRESS\nNOTE: {spelt}")
    house.later(days=8)
    letters = [text_of(each) for each in house.post()]
    assert any("Look, mine is" in text for text in letters)
    assert [text for text in letters if token in re.sub(r"[\W_]", "", text).upper()] == []


def test_what_was_kept_with_a_code_leaves_without_it(house: PostHouse) -> None:
    """The last door alone: as if a station before it had looked away."""
    tags = given(house)
    kept = house.club.db
    kept.execute("UPDATE players SET company = ? WHERE code = 'ANN'", [f"{tags[0]} {tags[1]} Line"])
    house.reply(house.last(ANN), "STEP 1\nPRESS: old words\nEND PRESS")
    kept.execute("UPDATE press SET text = ?", [f"old words {planted(tags)}"])
    kept.conn.commit()
    house.later(days=8)
    publish(house.club, house.folder / "www")
    assert "old words [RR1] and" in house.text(BOB, "turn 1")
    pages = [path for path in (house.folder / "www").rglob("*") if path.is_file()]
    assert [path for path in pages for tag in tags if tag.encode() in path.read_bytes().upper()] == []
