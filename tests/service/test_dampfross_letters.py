"""What the letters of Dampfross say of boards, options and grids, and that it is true."""

import json
import re
from collections import deque
from collections.abc import Sequence
from gettext import NullTranslations

import pytest

from referee.bots.trial import ANSWERS
from referee.core import Hex, OptionError, neighbours
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import read_map
from referee.report.renderer import svg
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.service.post.attachments import order_desk
from referee.service.tick import tick
from referee.service.turns.gamefile import Proposal, parse_player, read_proposal
from referee.service.turns.newgames import new_game
from referee.service.umpire.overview import board_drawing
from referee.store import transaction
from tests.posthouse import PostHouse, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# What the letters of Dampfross say of a board's and an option's special rules, and that it is true.


PLAYERS = tuple(
    parse_player(f"{code}:{colour}:{name} <{name.lower()}@example.org>")
    for code, colour, name in (
        ("GSW", "red", "Ann"),
        ("MGW", "blue", "Bob"),
        ("BNC", "green", "Cyd"),
        ("DSE", "black", "Dan"),
    )
)
ANN, BOB, CYD, DAN = ("ann@example.org", "bob@example.org", "cyd@example.org", "dan@example.org")

IRELAND = read_map(GAME.board_text("ireland"), "ireland")
# Of the permitted build between GSW's two lines, from Füssen to the other side of Garmisch, nobody has built anything.
GARMISCH = CASES.listed("GARMISCH")


def begin(house: PostHouse, board: str, players: int = 3, **more: object) -> None:
    """Begin a game and send its first letters."""
    new_game(house.club, Proposal(kind="dampfross", board=board, players=PLAYERS[:players], **more), root="root")  # type: ignore[arg-type]
    house.tick()


def told(house: PostHouse, address: str) -> str:
    """Return the newest letter to a player as one line, without the bars before complaints."""
    return " ".join(house.text(address).replace("\n  | ", " ").split())


def builds_told(house: PostHouse, address: str) -> str:
    """Return what the newest newsletter to a player says of builds, without prices."""
    builds = told(house, address).partition("Builds ------ ")[2].partition(" Accounts")[0]
    return builds.partition(" Prices: ")[0]


def test_track_of_the_neutral_railway_is_named_explained_and_may_be_ordered_by_that_name(house: PostHouse) -> None:
    """Its tolls go to nobody, and the table adds up all the same. Rule: D2.6, R24."""
    begin(house, "bavaria", position=json.dumps(GARMISCH))
    house.send(ANN, "RUN 1: München - O32 - Füssen - P35 [neutral] - Q35 [neutral] - Garmisch")
    answer = told(house, ANN).replace(" |", "")
    assert "tolls 3[neutral] Prices: " in answer
    assert "] [neutral]: a neutral railway has what" in answer
    assert "Not in order" not in told(house, ANN)
    house.write(BOB, "PASS")
    assert house.send(CYD, "PASS").turns == ("RR1/8",)
    letter = told(house, CYD)
    assert "Füssen - P35 [neutral] - Q35 [neutral] - Garmisch Units: GSW 20-3[neutral]" in letter
    assert "[neutral]: a neutral railway has what nobody has built of a permitted build" in letter
    assert "every race gave 0, 20 or 30 less its tolls to the neutral railway" in letter
    assert "DOES NOT ADD UP" not in letter


def test_a_built_in_player_asks_a_person_for_a_joint_run_and_one_line_is_the_answer(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(house, "bavaria", position=json.dumps(GARMISCH))
    run = "RUN 1 WITH GSW: München - O32 - Füssen - P35 [neutral] - Q35 [neutral] - Garmisch"
    monkeypatch.setitem(ANSWERS, "dampfross", lambda *_: (run,))
    house.act("REPLACE RR1 MGW BUILT-IN", "Bob is away.")
    house.tick()
    (letter,) = house.post(ANN, "writes to GSW")
    assert "Shall we run race 1, " in " ".join(text_of(letter).replace("| ", "").split())
    assert not house.post(CYD, "writes to GSW")
    house.write(ANN, "JOINT 1 WITH MGW")
    assert house.send(CYD, "PASS").turns == ("RR1/8",)
    assert "GSW+MGW (joint)" in told(house, CYD)


def test_a_built_in_player_answers_who_asks_for_a_joint_run(house: PostHouse) -> None:
    """It runs with another where half of that train promises more than its own beside theirs."""
    begin(house, "ireland", position=json.dumps(CASES.listed("JOINT")))
    house.act("REPLACE RR1 MGW BUILT-IN", "Bob is away.")
    house.tick()
    house.send(ANN, "PRESS TO MGW: Fine weather here, 12 degrees. END PRESS")
    house.tick()
    assert not house.post(ANN, "writes to GSW")
    for _ in range(2):  # it answers once
        house.send(ANN, "PRESS TO MGW: Shall we run races 1 and 2 together? END PRESS")
        house.tick()
    (letter,) = house.post(ANN, "writes to GSW")
    words = " ".join(text_of(letter).replace("| ", "").split())
    assert "Yes, race 1, Belfast – Galway, together." in words
    assert "among your orders this is enough: JOINT 1 WITH MGW" in words
    assert "I shall not run race 2, Belfast – Westport, with you" in words
    house.write(ANN, "JOINT 1 WITH MGW")
    assert house.send(CYD, "PASS").turns == ("RR1/7",)
    assert "GSW+MGW (joint)" in told(house, CYD)


def test_an_allowance_in_hexes_is_told_in_hexes(house: PostHouse) -> None:
    begin(house, "bavaria", position=json.dumps(GARMISCH), options=(("race_building", "hexes:3"),))
    house.send(ANN, "8) (Füssen) - N34 - N33 - M33 - L33")
    answer = told(house, ANN)
    assert "up to 3 hexes: 3 used, 0 left; costs 7" in answer
    assert "Fees to rivals" not in answer  # it meets nobody's track
    assert "Bonuses if nobody" not in answer
    house.write(ANN, "CONFIRM")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    assert "8) up to 3 hexes: (Füssen) - N34 - N33 - M33" in told(house, BOB)


def test_a_round_that_is_for_building_alone_is_told_as_that(house: PostHouse) -> None:
    """Rule: R34: both races were cancelled; the next ones are drawn on the track that lies after the building."""
    cancelled = [{"number": number, "start": 11, "end": 0, "round": 8, "status": "cancelled"} for number in (1, 2)]
    homes = {"GSW": "Dublin", "MGW": "Belfast", "BNC": "Dublin"}
    position = {"round": 8, "phase": "race", "homes": homes, "races": cancelled}
    begin(house, "ireland", position=json.dumps(position), preset="laurin")
    letter = told(house, ANN)
    assert (
        "you build before the next ones are drawn. Each may build for up to 10 points, paid from the account" in letter
    )
    assert "may enter" not in letter
    assert "RUN" not in letter.partition("Order form")[2]
    house.write(ANN, "8) (Dublin) - AB16")
    house.write(BOB, "PASS")
    assert house.send(CYD, "PASS").turns == ("RR1/8",)
    letter = told(house, BOB)
    assert "8) up to 10 points: (Dublin) - AB16" in letter
    assert "Column check: every race gave 0, 20 or 30" in letter


def test_the_opening_tells_how_many_may_start_where(house: PostHouse) -> None:
    begin(house, "kentucky_tennessee", players=4)
    assert "Louisville or Nashville. There is room for 2 in Louisville and 2 in Nashville." in told(house, ANN)


def test_the_opening_tells_by_how_many_hex_sides_a_home_is_left_and_shows_no_more(house: PostHouse) -> None:
    begin(house, "russia")
    letter = told(house, ANN)
    assert "In the first round each company leaves its home by 1 hex-side only." in letter
    assert "RULES the rules): 1a) (Moskwa) - " in letter
    assert " ; (Moskwa)" not in letter


def test_the_form_asks_for_davids_home_whoever_chooses_it(house: PostHouse) -> None:
    """Rule: R25: who leads David in the first roll. The other one may build, too, and the answer can be sent again as it is."""
    begin(house, "ireland", players=2, options=(("two_players", "david"),))
    forms = [told(house, who).partition("Order form")[2].partition(" END ")[0] for who in (ANN, BOB)]
    assert [form.partition("FOR DAVID")[2].split()[:1] for form in forms] == [["HOME"], ["1a)"]]
    # 1 point: any roll pays it
    house.send(BOB, "HOME Belfast\nFOR DAVID\n1b) (Dublin) - AC19")
    answer = told(house, BOB)
    assert "GSW chooses it, and your pieces for him are laid only if they lie on its network" in answer
    assert "Not in order" not in answer
    assert "HOME Dublin" not in answer


def test_each_reader_sees_a_line_from_their_own_home(house: PostHouse) -> None:
    position = {"round": 2, "rolls": [1, 2, 3], "homes": {"GSW": "Cork", "MGW": "Dublin", "BNC": "Belfast"}}
    begin(house, "ireland", position=json.dumps(position))
    for address, home in ((ANN, "Cork"), (BOB, "Dublin"), (CYD, "Belfast")):
        assert f"RULES the rules): 2a) ({home}) - " in told(house, address)


def test_of_companies_asked_one_by_one_only_the_one_who_was_asked_is_told(house: PostHouse) -> None:
    """And of its rolls only the one it was asked for."""
    position = {"round": 1, "rolls": [5, 4], "homes": {"GSW": "Dublin", "MGW": "Dublin", "BNC": "Belfast"}}
    options = (("rolls_per_round", 2),)
    begin(house, "ireland", position=json.dumps(position), preset="laurin", pace="one-by-one", options=options)
    house.send(ANN, "1a) (Dublin) - AA18")
    assert builds_told(house, CYD) == "GSW (red), Ann 1a) roll 5: (Dublin) - AA18"
    house.send(BOB, "PASS")
    assert builds_told(house, CYD) == "MGW (blue), Bob 1a) roll 5: -"
    house.send(CYD, "1a) (Belfast) - AC8")
    assert builds_told(house, ANN) == "BNC (green), Cyd 1a) roll 5: (Belfast) - AC8"


def test_building_that_ends_because_nobody_builds_is_told_as_that(house: PostHouse) -> None:
    """Rule: R20."""
    begin(house, "ireland", preset="laurin")
    for turn in (1, 2, 3):
        for address in (ANN, BOB, CYD):
            house.write(address, "PASS")
        assert house.tick().turns == (f"RR1/{turn}",)
        assert ("building is over" in told(house, ANN)) == (turn == 3)
    assert "Nobody has laid track for three rounds: building is over." in told(house, ANN)
    assert "So few cities are left" not in told(house, ANN)


@pytest.mark.parametrize(
    ("rhythm", "said"),
    [
        ({}, "There are no hints in this game: its umpire decides"),
        ({"hints": True}, "Why: this track leads where keys, first connections and races to come bring the most"),
    ],
)
def test_a_hint_is_given_where_the_umpire_lets_players_ask(house: PostHouse, rhythm: object, said: str) -> None:
    begin(house, "ireland", rhythm=rhythm)
    answered = house.says(ANN, "HINT")
    assert said in answered
    assert ("HOME " in answered) == bool(rhythm)
    assert ("What a strong player would order in your place" in house.says(ANN, "HELP")) == bool(rhythm)
    desk = order_desk(house.club, house.position(), "en", ())
    assert (b'"hints":true' in desk.replace(b" ", b"")) == bool(rhythm)


def test_a_letter_with_fewer_lines_says_what_it_withdraws(house: PostHouse) -> None:
    begin(house, "bavaria", position=json.dumps(GARMISCH))
    house.send(ANN, "RUN 1: FASTEST\n8) (Füssen) - N34")
    assert "THIS LETTER WITHDRAWS" not in told(house, ANN)
    house.send(ANN, "RUN 1: CHEAPEST")
    letter = told(house, ANN)
    assert "THIS LETTER WITHDRAWS what you had on file and it has no line for: 8) (Füssen) - N34" in letter
    assert letter.count("RUN 1") >= 1


def test_the_price_stands_behind_the_first_mention_of_a_charge_and_not_again(house: PostHouse) -> None:
    """In answers and newsletters, a step that the roll could not pay too; prices are those of the game's options."""
    position = {"round": 2, "rolls": [6, 5, 4], "homes": {"GSW": "Dublin", "MGW": "Dublin", "BNC": "Belfast"}}
    position["track"] = {"MGW": ["Dublin - Y17 - X17"]}
    begin(house, "ireland", position=json.dumps(position), options=(("parallel_fee", 3),))
    house.write(ANN, "2a) (Dublin) - AA18 - Z18 - Z17\n2b) (Dublin) - AA18")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    parallel, plain = "for each half-hex: 3 [D3.3]", "plain to plain, cities too: 1 [D2.3]"
    joining = "joining or crossing a rival's track in a hex, once for each hex: 1 [D3.2]"
    answer = told(house, ANN).replace(" |", "")
    assert "left Prices: " + plain in answer
    assert [answer.count(price) for price in (plain, joining, parallel)] == [1, 1, 1]
    assert house.send(ANN, "CONFIRM").turns == ("RR1/2",)
    letter = told(house, BOB)
    assert [letter.count(price) for price in (plain, joining, parallel)] == [1, 1, 1]


def test_tolls_prizes_and_climbs_have_their_price_behind_them(house: PostHouse) -> None:
    """Rule: D6.3, D6.6, D6.8. Where throws do not add up the climbs are told."""
    begin(house, "bavaria", position=json.dumps(GARMISCH))
    house.write(ANN, "RUN 1: München - O32 - Füssen - P35 - Q35 - Garmisch")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    toll = "each hex of a rival's track that you touch, to its owner: 1 (so two for a single hex-side) [D6.3]"
    assert f"Prices: {toll}" in told(house, ANN).replace(" |", "")
    letter = told(house, CYD)
    assert f"Prices: {toll}; a train without rivals: 20 [D6.8]" in letter


def test_races_that_nobody_entered_are_one_line(house: PostHouse) -> None:
    begin(house, "bavaria", position=json.dumps(GARMISCH | {"round": 9}))
    for who in (ANN, BOB, CYD):
        house.write(who, "PASS")
    assert house.tick().turns == ("RR1/9",)
    before, _, letter = told(house, ANN).partition("The round =")
    assert "Nobody entered, offered again: 1 (63 " in letter
    assert letter.count("Nobody entered") == 1
    assert "Standings, with the change since the round before: 1= GSW 20 (0)" in before


def test_nobody_is_told_that_they_were_first_where_all_had_the_same(house: PostHouse) -> None:
    begin(house, "ireland", 3)
    house.write(ANN, "HOME Dublin\n1a) (Dublin) - Dun Laoghaire")
    for who in (BOB, CYD):
        house.write(who, "HOME Dublin\n1a) none")
    house.tick()
    assert "round before: 1. GSW 26 (+6), 2= MGW 20 (0), 2= BNC 20 (0)" in told(house, ANN)


def test_a_slip_of_spelling_is_told_its_player_alone(house: PostHouse) -> None:
    """Everybody reads that the rest could not be read, not what was written. Rule: D4.3."""
    begin(house, "ireland", 3)
    house.send(ANN, "HOME Dublin\n1a) (Dublin) - Qwertzuiop\n1b) none\n1c) none")
    assert "Qwertzuiop" in told(house, ANN)
    for address, text in ((ANN, "CONFIRM"), (BOB, "PASS"), (CYD, "PASS")):
        house.write(address, text)
    assert house.tick().turns == ("RR1/1",)
    assert "Qwertzuiop" not in told(house, BOB)
    assert "piece 1 stopped: the rest of the piece could not be read" in told(house, BOB)
    own = told(house, ANN).partition("Your round")[2]
    assert "GSW, 1a) piece 1: the piece ends before 'Qwertzuiop', which is no place on this map" in own


def way(start: Hex, goals: Sequence[Hex]) -> list[Hex]:
    """Return the hexes of a shortest way over land in Ireland."""
    ways, seen = deque([[start]]), {start}
    while ways[0][-1] not in goals:
        here = ways.popleft()
        beyond = [each for each in neighbours(here[-1]) if each in IRELAND.ground and each not in seen]
        seen.update(beyond)
        ways.extend([*here, each] for each in beyond)
    return ways[0]


def test_before_the_first_races_lines_are_shown_that_can_be_sent_as_they_are(house: PostHouse) -> None:
    """Who has never entered a race sees how that is written; later nobody is told again."""
    position = {"round": 6, "rolls": [1, 1, 1], "homes": {"GSW": "Dublin", "MGW": "Dublin", "BNC": "Belfast"}}
    dublin, start, finish = (IRELAND.ends_of[key] for key in (12, 25, 61))  # the first race that is drawn
    line = way(start[0], finish)
    position["track"] = {"GSW": [" - ".join(line), " - ".join(way(dublin[0], line))]}
    begin(house, "ireland", position=json.dumps(position))
    for who in (ANN, BOB, CYD):
        house.write(who, "PASS")
    assert house.tick().turns == ("RR1/6",)
    letter = house.text(ANN)
    shown = [line.strip() for line in letter.partition("look like this:")[2].splitlines() if "RUN" in line][:2]
    assert shown[0] == "RUN 1: FASTEST"
    assert "After 7) you write what you build after the races" in told(house, ANN)
    house.send(ANN, "\n".join(shown[1:]))
    assert "cannot be read" not in told(house, ANN)
    for who in (ANN, BOB, CYD):
        house.write(who, "PASS")
    assert house.tick().turns == ("RR1/7",)
    assert "look like this" not in told(house, ANN)


def test_the_opening_tells_what_the_game_is_about_and_whose_rolls_these_are(house: PostHouse) -> None:
    begin(house, "ireland")
    opening = told(house, ANN)
    assert "You lead a railway company. First all lay track from their homes" in opening
    assert "share what it pays [D4.2]" in opening
    assert ", the same for every company" in opening
    assert "HOME may name several, your favourite first: HOME Belfast OR Dublin." in opening
    assert "README" not in opening


def test_companies_in_order_of_building_are_not_said_to_build_at_once(house: PostHouse) -> None:
    begin(house, "ireland", options=(("order_of_building", "in-turn"),))
    assert "All build at the same moment" not in told(house, ANN)


# A game that chose the map's numbered grid: everything that is mailed speaks it, and both grids are read.


NUMBERED = (("grid", "numbered"),)
OF_LETTERS = re.compile(r"\b(?!RR)[A-Z]{2}[1-9][0-9]?\b")  # AE5; there is none on the numbered grid
RACING = CASES.listed("RACING")


def test_answers_newsletters_and_forms_speak_the_grid_of_the_game(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    assert "E41" not in (example := told(house, ANN).partition("may look like this")[2])
    assert re.search(r"\b[A-Z](3[7-9]|[4-7][0-9])\b", example)  # beside Dublin are columns that begin again at A
    house.write(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - X17\n1b) (Dublin) - B52\n1c) (X17) - E42")
    house.write(BOB, "HOME Dublin\n1a) (Dublin) - B51")
    house.send(CYD, "HOME Belfast\n1a) (Belfast) - B46")
    assert "1b) (Dublin) - B52" in told(house, ANN)
    for who in (ANN, BOB, CYD):
        assert not OF_LETTERS.findall(told(house, who).partition("Not in order")[0])
    for who in (ANN, BOB, CYD):
        house.write(who, "CONFIRM")
    house.tick()
    for who in (ANN, BOB, CYD):
        assert not OF_LETTERS.findall(house.text(who))
    house.send(ANN, "STATUS\nMAP")
    assert not OF_LETTERS.findall(told(house, ANN))


def test_the_boards_hexes_have_the_names_of_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    (board,) = (part for part in house.last(ANN).iter_attachments() if (part.get_filename() or "").endswith("svg"))
    drawn = board.get_content()
    drawn = drawn if isinstance(drawn, str) else drawn.decode()
    assert "<title>E41</title>" in drawn
    assert "<title>AE5</title>" not in drawn
    assert ">A+36<" in drawn


def test_a_map_without_a_numbered_grid_refuses_the_option(house: PostHouse) -> None:
    with pytest.raises(OptionError, match=r"grid = numbered .* map 'Bayern.*' declares none"):
        house.new("dampfross", "bavaria", *PLAYERS[:3], options=NUMBERED)


def test_a_race_names_hexes_on_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED, position=json.dumps(RACING))
    house.write(ANN, "RUN 1: Belfast - AB8")
    house.send(BOB, "RUN 1: Dublin - B52")
    assert "and AB8 (B44) is not that station" in told(house, ANN)
    assert not OF_LETTERS.findall(told(house, BOB))


def test_complaints_name_a_hex_as_the_player_wrote_it_with_ours_in_brackets(house: PostHouse) -> None:
    """In a game of either grid; a town that was written as a hex, too."""
    begin(house, "ireland")
    house.send(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - B52\n1b) (Dublin) - Y17 - e41")
    answer = told(house, ANN)
    assert "Y17 - B52 (AB16) is no straight run" in answer
    assert "Y17 - e41 (Larne) is no straight run" in answer


def test_the_newsletter_names_a_hex_as_the_player_wrote_it(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED, position=json.dumps(RACING))
    house.write(ANN, "RUN 1: AD7 - AB8\n7) (AC12) - AC11")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    assert "race 1 ends at 12, and AB8 (B44) is not that station" in told(house, ANN)
    house.send(ANN, "CONFIRM")
    letter = told(house, BOB)
    assert "GSW's entry is void: race 1 ends at 12, and AB8 (B44) is not that station" in letter
    assert "AC12 (C48) is not on your network" in letter


def test_answer_and_newsletter_say_the_same_of_a_race_that_no_track_joins(house: PostHouse) -> None:
    begin(house, "ireland", position=json.dumps(RACING))
    house.write(ANN, "RUN 1: FASTEST")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    why = "nobody's track joins Belfast and Dublin, so that no train can run in race 1"
    assert why in told(house, ANN)
    house.send(ANN, "CONFIRM")
    assert f"GSW's entry is void: {why}" in told(house, BOB)


def test_a_hex_on_no_sheet_is_one_sentence_with_its_line_and_nothing_is_guessed(house: PostHouse) -> None:
    """E41 to E72 lie in the second block of letters; there is no third."""
    begin(house, "ireland", options=NUMBERED)
    house.send(ANN, "HOME Dublin\n1a) (Dublin) - E80")
    answer = told(house, ANN)
    assert answer.count("hex 'E80' is not on this map") == answer.count("1a) (Dublin) - E80") == 1
    assert "1a) none" in answer


def test_points_that_the_player_named_stand_in_the_answer(house: PostHouse) -> None:
    begin(
        house, "ireland", position=json.dumps(RACING | {"round": 6, "phase": "build", "rolls": [6, 5, 4], "races": []})
    )
    house.send(BOB, "6a) (Y17) - X16 - W16 - V15")
    assert "6a) (Y17) - X16 - W16 - V15" in told(house, BOB)


def test_points_of_a_route_that_the_player_named_stand_in_the_answer(house: PostHouse) -> None:
    """Also where the route is turned round."""
    begin(house, "ireland", position=json.dumps(RACING))
    house.write(ANN, "RUN 1: AB8 - AC8 - Belfast")
    house.send(BOB, "RUN 1: (Dublin) - AA18 - Y17")
    assert "RUN 1: AB8 - AC8 - Belfast" in told(house, ANN)
    assert "RUN 1: Dublin - AA18 - Y17" in told(house, BOB)


def test_the_umpire_is_told_why_on_the_games_grid(house: PostHouse) -> None:
    begin(house, "ireland", options=NUMBERED)
    house.write(ANN, "HOME Dublin\n1a) (Dublin) - Y17 - X17\n1b) (Dublin) - B53")
    house.write(BOB, "PASS")
    house.send(CYD, "PASS")
    house.send(ANN, "CONFIRM")
    reasons = " ".join(reason["text"] for reason in house.act("EXPLAIN RR1 1 GSW")["explained"]["reasons"])
    assert "Dublin" in reasons
    assert re.search(r"\b[A-Z](3[7-9]|[4-7][0-9])\b", reasons)
    assert not OF_LETTERS.findall(reasons)


# Boards in the language of who reads them; points banked for a bridge, told in every letter that should tell them.


GERMAN = {
    "{map} after round {round}": "{map} nach Runde {round}",
    "city with its key": "Stadt mit Schlüsselzahl",
    "red": "rot",
}

STRAIT_GAME = """
game = "dampfross"
map = "strait"
options = { rolls_per_round = 2 }

[[player]]
code = "GSW"
colour = "red"
name = "Ann"
address = "ann@example.org"

[[player]]
code = "MGW"
colour = "blue"
name = "Bob"
address = "bob@example.org"

[[player]]
code = "BNC"
colour = "green"
name = "Cyd"
address = "cyd@example.org"

[position]
round = 2
rolls = [3, 5]
homes = { GSW = "Aber", MGW = "Bor", BNC = "Bor" }
"""
STRAIT = """
format = "rrmap-1"
id = "strait"
title = "The Strait"
cols = 6
rows = 4
home_areas = ["N"]
foreign_build = "none"

[areas]
N = "Shore"

[home_terminals]
any = ["Aber", "Bor"]

[[station]]
numbers = [11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36]
name = "Aber"
hex = "A1"

[[station]]
numbers = [41, 42, 43, 44, 45, 46, 51, 52, 53, 54, 55, 56, 61, 62, 63, 64, 65, 66]
name = "Bor"
hex = "F1"

[[bridge]]
name = "Great Bridge"
edges = "B1-C1"
points = 9
banked = true

[[causeway]]
name = "Dam"
edges = "D1-E1"

[cells]
grid = \"\"\"
     A  B  C  D  E  F
 1: N. N. N. N. N. N.
 2: ~~ ~~ ~~ ~~ ~~ ~~
 3: ~~ ~~ ~~ ~~ ~~ ~~
 4: ~~ ~~ ~~ ~~ ~~ ~~
\"\"\"
"""


class German(NullTranslations):
    """A small catalogue."""

    def gettext(self, message: str) -> str:
        return GERMAN.get(message, message)


def languages(language: str) -> NullTranslations:
    return German() if language == "de" else NullTranslations()


def begun(house: PostHouse) -> str:
    (house.folder / "maps").mkdir(exist_ok=True)
    (house.folder / "maps" / "strait.toml").write_text(STRAIT, "utf-8")
    file = house.folder / "game.toml"
    file.write_text(STRAIT_GAME, "utf-8")
    return new_game(house.club, read_proposal(file), root="root of the chain")


def test_a_board_speaks_the_language_of_the_club(house: PostHouse) -> None:
    """Heading, legend and colours come from the catalogue; without one they are English."""
    game = begun(house)
    stationery = Stationery(lambda name: template_folders(name, None), translations=languages)
    tools = house.club.tools.having(stationery=stationery)
    german = house.club.but(tools=tools, config=house.club.config.but(language="de"))
    assert ">The Strait nach Runde 1<" in svg(board_drawing(german, game))
    assert ">Stadt mit Schlüsselzahl<" in svg(board_drawing(german, game))
    assert ">rot" in svg(board_drawing(german, game))
    assert ">city with its key<" in svg(board_drawing(house.club, game))


def test_every_player_gets_the_board_in_their_own_language(house: PostHouse) -> None:
    """A language is drawn once; who reads another one gets another board."""
    begun(house)
    with transaction(house.club):
        house.club.execute("UPDATE players SET language = 'de' WHERE code = 'MGW'")
    stationery = Stationery(lambda name: template_folders(name, None), translations=languages)
    for name in ("ann", "bob", "cyd"):
        house.write(f"{name}@example.org", "ORDERS RR1 2\nPASS\nEND", subject="Re: [RR1] orders")
    tick(house.club.but(tools=house.club.tools.having(stationery=stationery)))
    ann, bob, cyd = (_board_of(house, name) for name in ("ann", "bob", "cyd"))
    assert ">The Strait nach Runde 2<" in bob
    assert ">Stadt mit Schlüsselzahl<" in bob
    assert ">The Strait after round 2<" in ann
    assert ann == cyd


def _board_of(house: PostHouse, name: str) -> str:
    """Return the board that came with a player's newsletter of round 2."""
    (letter,) = house.post(f"{name}@example.org", "Round 2 of 12")
    (board,) = [part for part in letter.iter_attachments() if part.get_content_type() == "image/svg+xml"]
    content = board.get_content()
    return content.decode("utf-8") if isinstance(content, bytes) else str(content)


def test_points_banked_for_a_bridge_are_told_in_answer_and_newsletter(house: PostHouse) -> None:
    """Rule: R28."""
    begun(house)
    house.tick()
    house.write("ann@example.org", "ORDERS RR1 2\n2a) (Aber) - B1 - C1\n2b) none\nEND", subject="Re: [RR1] orders")
    house.write("bob@example.org", "ORDERS RR1 2\nPASS\nEND", subject="Re: [RR1] orders")
    house.send("cyd@example.org", "ORDERS RR1 2\n2a) (Bor) - D1\nEND", subject="Re: [RR1] orders")
    (answer,) = house.post("ann@example.org", "Orders for turn 2 received")
    assert "2a) (Aber) - B1 - C1\n  | on today's board: (Aber) - B1\n  | roll 3: costs 3, 0 left\n" in text_of(answer)
    assert "  | 2 points banked for Great Bridge: 2 of 9 so far\n" in text_of(answer)
    (newsletter,) = house.post("bob@example.org", "Round 2 of 12")
    told = text_of(newsletter)
    assert "  2a) roll 3: (Aber) - B1\n      Prices: plain to plain, cities too: 1 [D2.3]\n" in told
    assert "[D2.3]\n      2 points banked for Great Bridge: 2 of 9 so far\n" in told
    assert "GSW has banked 2 of the 9 points for Great Bridge.\n" in told


def test_a_causeway_is_crossed_for_nothing(house: PostHouse) -> None:
    """Rule: R29: of a roll of 3 one point is left, for the second hex-side of three costs nothing."""
    begun(house)
    house.tick()
    house.send("cyd@example.org", "ORDERS RR1 2\n2a) (Bor) - E1 - D1 - C1\nEND", subject="Re: [RR1] orders")
    (answer,) = house.post("cyd@example.org", "Orders for turn 2 received")
    assert "2a) (Bor) - E1 - D1 - C1\n  | roll 3: costs 2, 1 left\n" in text_of(answer)
