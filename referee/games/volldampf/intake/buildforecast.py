"""What a letter's builds come to: link by link what is paid, which cards are left. Rule: V3.5."""

from __future__ import annotations

from referee.core.dice import SeededDice
from referee.core.orders import Complaint
from referee.games.volldampf.board.board import BARGAIN
from referee.games.volldampf.intake.foresight import Foresight, Note
from referee.games.volldampf.phase.building import default_card, do_build, site_fault
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.events import Event
from referee.games.volldampf.position.events.building import LinkBuilt, TrackCardDiscarded
from referee.games.volldampf.position.letters import Letters
from referee.games.volldampf.position.moments import numbers_now
from referee.games.volldampf.position.notation import format_site
from referee.games.volldampf.position.orders import Build, Site
from referee.games.volldampf.position.state import Item

OUT_OF_REACH = "illegal-not-connected"
SPENT = {
    "illegal-no-track-card": "warning-card-gone",
    "illegal-link-taken": "warning-built-before",
    "illegal-too-dear": "warning-too-dear",
    "illegal-no-section": "warning-no-section",
}  # what is told of what only own orders before it spoil


def foresee_builds(sight: Foresight) -> None:
    """Build round after round, as if nobody else did; say which card goes where nothing was ordered. Rule: V3.5.2, R6."""
    builds = {order.number: order for order in sight.of(Build)}
    for number in numbers_now(sight.state, stages.BUILD) if sight.orders else ():
        if not sight.record.state.hands[sight.player]:
            return
        sight.plans(stages.BUILD, number, before=True)
        if number in builds:
            _build(sight, builds[number])
        else:
            card = default_card(sight.record.state, sight.player, ())
            params = (("number", number), ("colour", card))
            sight.complaints.append(Complaint(code="note-no-build", paragraph="V3.5.2", params=params))
            _play(sight, number, ())
        sight.plans(stages.BUILD, number, before=False)


def _build(sight: Foresight, order: Build) -> None:
    since, state = len(sight.complaints), sight.record.state
    # What gives a card up is no wish that a build could be taken for.
    able = [place for place, site in enumerate(order.sites) if not site_fault(state, sight.player, site)[0]]
    serving = next((place for place in able if order.sites[place].link), None)
    for place, site in enumerate(order.sites):
        sight.beside(place, serving, format_site(sight.board, order.sites[serving or 0]))
        _check(sight, order, site)
    sight.beside(0, None, "")
    if not able:
        sight.ask_back(order, since, {*SPENT.values(), "warning-card-spent"})
    events = _play(sight, order.number, (order,))
    sight.tell(order, *(_told(sight, event) for event in events if isinstance(event, LinkBuilt | TrackCardDiscarded)))
    hand = sight.record.state.hands[sight.player]
    if hand:
        sight.told[-1][1].append({"what": "cards-left", "colours": hand})


def _play(sight: Foresight, number: int, orders: tuple[Build, ...]) -> list[Event]:
    """Play a build by the rules of building; they throw no dice."""
    began = len(sight.record.events)
    item = Item(what=stages.BUILD, number=number, player=sight.player)
    do_build(sight.record, item, Letters({sight.player: orders}, ()), SeededDice(""))
    return sight.record.events[began:]


def _check(sight: Foresight, order: Build, site: Site) -> None:
    """Complain of an alternative that cannot be built; of what only own orders before it spoil, warn, and say how."""
    code, params = site_fault(sight.record.state, sight.player, site)
    if not code:
        return
    today, reason = site_fault(sight.state, sight.player, site)
    paragraph, text = "V4.5" if site.bargain else "V3.5.1", format_site(sight.board, site)
    # An own build before it may lead to a link that is out of reach today; what else is wrong stays so.
    if today and (today == code or today != OUT_OF_REACH):
        sight.complain(today, paragraph, order, text=text, hint=_hint(sight, today), **reason)
    if code in SPENT and code != today:
        sight.complain(SPENT[code], paragraph, order, text=text, hint="", **params)
    if site.bargain:
        sight.may_play(order, BARGAIN, paragraph, text=text)


def _hint(sight: Foresight, code: str) -> str:
    """Return the track cards in hand where a colour was named that is none of them."""
    return ", ".join(dict.fromkeys(sight.state.hands[sight.player])) if code == "illegal-no-track-card" else ""


def _told(sight: Foresight, event: LinkBuilt | TrackCardDiscarded) -> Note:
    cash = sight.record.state.cash[sight.player]
    if isinstance(event, TrackCardDiscarded):
        return {"what": "discarded", "colour": event.card, "cash": cash}
    link = sight.board.link_name(event.link)
    return {"what": "built", "link": link, "colour": event.card, "cost": event.cost, "cash": cash}
