"""The order desk in letters: a link where pages are published, a file for who asks for it, and a code in neither."""

import pytest

from tests.posthouse import ANN, BOB, PostHouse

URL = "https://club.example/trains/"


@pytest.mark.parametrize(("policy", "more"), [("token", ""), ("address", "&to=referee%40club.example")])
def test_newsletters_link_to_the_desk_of_the_next_turn(
    tmp_path_factory: pytest.TempPathFactory, policy: str, more: str
) -> None:
    settings = {"publish__folder": "www", "publish__url": URL, "identity__policy": policy}
    with PostHouse(tmp_path_factory.mktemp("club") / "club", **settings) as house:
        house.begin()
        text = house.last(ANN).get_body(("plain",))
        assert text is not None
        (link,) = [line for line in text.get_content().splitlines() if line.startswith(URL)]
        assert link == f"{URL}RR1/desk/RR1-1.html#c=ANN&l=en{more}"
        assert (house.folder / "www" / "RR1" / "desk" / "RR1-1.html").is_file()


def test_a_club_without_pages_links_to_none_and_attaches_it_to_who_asks(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ATTACH DESK\nORDERS RR1 1\nSTEP 1\nEND")
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/1",)
    names = [[each.get_filename() for each in house.last(who).iter_attachments()] for who in (ANN, BOB)]
    assert "order-desk-RR1-turn-2.html" in names[0]
    assert "order-desk-RR1-turn-2.html" not in names[1]
    letter = house.last(ANN)
    (desk,) = [each for each in letter.iter_attachments() if each.get_filename() == "order-desk-RR1-turn-2.html"]
    assert desk.get_content_type() == "text/html"
    page = desk.get_content()
    assert "RR1, turn 2: order desk" in page
    text = letter.get_body(("plain",))
    assert text is not None
    assert "order-desk-RR1-turn-2.html" in text.get_content()
