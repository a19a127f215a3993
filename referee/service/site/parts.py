"""All pages of a club, in parts that are made where something changed."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from markupsafe import Markup

from referee.core import Fields, Pair, View
from referee.games import game_named
from referee.report.ics import calendar
from referee.resources import shipped_folder
from referee.store import facts, games, opengames
from referee.store import games as rows

from ..club import Club
from ..letters.reliability import persons
from ..post.attachments import FOLDER, desk_name
from ..post.readers import fact_name, is_built_in
from ..turns.opengames import signup_list
from .games import (
    SITE,
    Shown,
    article,
    clippings,
    desk_files,
    ending_values,
    film_values,
    fingerprint,
    person,
    plain,
    show,
    standings,
    values_of,
    wall_files,
    whole_file,
    winners,
    with_pages,
)
from .publish import Files, Part

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


# Ratings of players over all games that are over, reckoned anew each time: the model of Plackett and Luce, by
# openskill.
#
# What is told is the mean that a player is thought to have less three times the doubt about it: 0 for a newcomer.

Rows = list[View]
METHOD = "Plackett-Luce (openskill)"


def ratings(club: Club, told: Iterable[Shown] | None = None) -> dict[str, float]:
    """Return the rating of each person (``persons``) who has played a game to its end against others, with one digit behind the
    point; nothing where openskill is not installed.
    """
    if not find_spec("openskill"):
        return {}
    from openskill.models import PlackettLuce

    model, whose = PlackettLuce(), persons(club)
    found: dict[str, PlackettLuceRating] = {}
    over = [each for each in told or [show(club, row) for row in games.all_games(club)] if each.is_over]
    for game in sorted(over, key=lambda each: (each.updated, each.row.id)):
        places = {each["code"]: each["place"] for each in standings(game)} if game.told else {}
        seats = [each for each in games.players(club, game.row.id) if each.code in places]
        people = {whose(each.address): places[each.code] for each in seats if not is_built_in(each.address)}
        if len(people) > 1:
            teams = [[found.get(each) or model.rating()] for each in people]
            rated = model.rate(teams, ranks=[float(place) for place in people.values()])
            found |= {each: team[0] for each, team in zip(people, rated, strict=True)}
    return {each: round(rating.ordinal(), 1) for each, rating in found.items()}


# Statistics over all games of a club that are over: who has won, who plays how, what each map brings.


def records(club: Club, games: Iterable[Shown]) -> View:
    """Return ``fame`` (games with their winners, the newest first), ``people`` and ``maps`` for templates.

    Counted together are the games of those who appear by their names; others are seen in the games alone.
    """
    over = [game for game in games if game.is_over and standings(game)]
    return {
        "fame": [
            {
                "id": game.row.id,
                "game": game.rules.title,
                "board": game.position.board_title,
                "at": game.updated,
                "players": len(game.players),
                "winners": winners(game),
                "ending": ending_values(game),
            }
            for game in sorted(over, key=lambda each: each.updated, reverse=True)
        ],
        "people": _people(club, over, ratings(club, over)),
        "method": METHOD,
        "maps": _maps(over),
    }


def _people(club: Club, over: list[Shown], rated: Mapping[str, float]) -> Rows:
    found: dict[Pair, Rows] = defaultdict(list)
    whose = persons(club)
    for game in over:
        won = [each["code"] for each in winners(game)]
        places = {each["code"]: each | {"won": each["code"] in won} for each in standings(game)}
        players = rows.players(club, game.row.id)
        said = facts(club, [fact_name(each.address) for each in players])
        for player in players:
            name = person(club.config, player, said)
            if name and player.code in places:
                found[whose(player.address), name].append(places[player.code] | {"of": len(players)})
    told = [
        {
            "name": name,
            "games": len(all_of),
            "won": sum(each["won"] for each in all_of),
            "place": _tenths(sum(each["place"] * 10 for each in all_of), len(all_of)),
            "most": max(each["amount"] for each in all_of),
            "rating": rated.get(one, ""),
        }
        for (one, name), all_of in found.items()
    ]
    return sorted(told, key=lambda each: (-each["won"], each["games"], each["name"]))


def _maps(over: list[Shown]) -> Rows:
    found: dict[Pair, list[Shown]] = defaultdict(list)
    for game in over:
        found[game.rules.title, game.position.board_title].append(game)
    told = []
    for (title, board), all_of in sorted(found.items()):
        first = [standings(game)[0] for game in all_of]
        best = max(first, key=lambda each: each["amount"])
        told.append(
            {
                "game": title,
                "board": board,
                "games": len(all_of),
                "turns": _tenths(sum(10 * len(game.told) for game in all_of), len(all_of)),
                "winning": _tenths(sum(10 * each["amount"] for each in first), len(first)),
                "most": best["amount"],
                "by": best["name"],
            }
        )
    return told


def _tenths(sum_of_tenths: int, number: int) -> str:
    """Return a mean with one digit behind the point, from ten times its sum."""
    tenths = (2 * sum_of_tenths + number) // (2 * number)
    return f"{tenths // 10}.{tenths % 10}"


STYLE = "style.css"
_HEADLINE = re.compile("<h1>(.*?)</h1>", re.DOTALL)


def parts_of(club: Club) -> tuple[Part, ...]:
    """Return all pages, those of archived games too."""
    return tuple(_Site(with_pages(club)).parts())


class _Site:
    def __init__(self, club: Club) -> None:
        self._club, self._config = club, club.config
        self._games = [show(club, row) for row in games.all_games(club)]
        self._waiting = [_waiting(club, row.id) for row in opengames.waiting(club)]
        self._fingerprint = cache(partial(fingerprint, club))
        self._article = cache(self._made_article)  # by game and turn: three pages show the last one

    def parts(self) -> Iterator[Part]:
        style = shipped_folder("templates").joinpath(SITE, "site.css")
        yield Part("style", "", lambda: {STYLE: style.read_bytes()})
        for game in self._games:
            name, mark = game.row.id, self._mark(game)
            for row in game.told:
                yield Part(
                    f"{name}/{row.turn}",
                    self._turn_mark(game, row.turn),
                    partial(self._turn, game, row.turn),
                )
            yield Part(name, mark, partial(self._game, game))
            yield Part(f"{name}/film", mark, partial(self._film, game))
            desk = f"{self._mark(game)} {game.position.mark} {self._fingerprint(FOLDER)}"
            yield Part(f"{name}/{FOLDER}", desk, partial(desk_files, self._club, game))
        for kind in sorted({game.rules.name for game in self._games}):
            yield Part(f"rules/{kind}", self._fingerprint(kind), partial(self._rules, kind))
        whole = repr(([self._mark(game) for game in self._games], self._waiting, self._fingerprint("")))
        yield Part("club", hashlib.sha256(whole.encode()).hexdigest(), self._pages)

    def _mark(self, game: Shown) -> str:
        return f"{game.mark} {self._fingerprint(game.rules.name)}"

    def _turn_mark(self, game: Shown, turn: int) -> str:
        """Return what the page of a turn goes by: the last one goes on to change, with its deadline and what follows it."""
        following = next((each for each in game.turns if each.turn == turn + 1), None)
        if not following:
            return self._mark(game)
        this = next(each for each in game.turns if each.turn == turn)
        told = (this.hash, this.edition, str(following.deadline), [each.name for each in game.players], game.is_over)
        config = self._config
        of_club = (config.publish, config.club, config.zone, config.language)
        return hashlib.sha256(repr((told, of_club, self._fingerprint(game.rules.name))).encode()).hexdigest()

    def _turn(self, game: Shown, turn: int) -> Files:
        name = game.row.id
        told = self._article(name, turn)
        values = values_of(self._club, game) | {
            "article": told["page"],
            "heading": told["subject"],
            "turn": turn,
            "following": any(each.turn == turn + 1 for each in game.turns),
            "image": f"{name}/{next(iter(told['pictures']), '')}" if told["pictures"] else "",
        }
        return self._html(f"{name}/turn-{turn}.html", "turn", values, game) | self._draw(game, turn)

    def _draw(self, game: Shown, turn: int) -> Files:
        drawn = self._article(game.row.id, turn)["pictures"].items()
        return {f"{game.row.id}/{file}": content for file, content in drawn}

    def _game(self, game: Shown) -> Files:
        name, values = game.row.id, values_of(self._club, game)
        pictures = self._pictures(game)
        values |= {
            "image": f"{name}/{pictures[0]}" if pictures else "",
            "board": pictures[0] if pictures else "",
            "press": clippings(self._club, game),
            "chart": next((file for file in pictures if file.endswith("-chart.png")), ""),
            "desk": "" if game.is_over else f"{FOLDER}/{desk_name(name, game.rules.turn(game.position.state))}",
        }
        values["articles"] = articles = [self._article(name, each.turn) for each in game.told]
        said = self._club.stationery.translate(self._config.language)("%(id)s: the whole game") % {"id": name}
        paper = whole_file(self._club, game, [each["page"] for each in articles], said)
        wall = wall_files(self._club, game)
        values |= {"printed": bool(paper), "wall": [file.rpartition("/")[2] for file in wall]}
        made = paper | wall | self._draw(game, game.turns[-1].turn)
        made |= self._html(f"{name}/index.html", "game", values, game)
        made |= self._html(f"{name}/whole.html", "whole", values, game)
        made |= self._text(
            f"{name}/feed.xml",
            "feed",
            values | {"articles": articles[::-1], "updated": game.updated, "feed_of": name},
            game,
        )
        moments = [values["moment"]] if values["moment"] else []
        return made | {f"{name}/deadline.ics": calendar(moments, f"{name}, {self._config.club}")}

    def _film(self, game: Shown) -> Files:
        folder, values, made = game.row.id, values_of(self._club, game), {}
        for told in film_values(self._club, game):
            name = f"keepsake-{told['keeper']['code']}" if told["keeper"] else "film"
            text = self._render("film.html.j2", f"{folder}/film.html", values | told, game)
            made[f"{folder}/{name}.html"] = text.encode()
        return made

    def _rules(self, kind: str) -> Files:
        rules = game_named(kind)
        book = rules.rulebook(self._config.language)
        return (
            self._html(f"rules/{kind}.html", "rules", {"book": book, "image": "", "name": rules.title}) if book else {}
        )

    def _pages(self) -> Files:
        told = [
            values_of(self._club, game)
            | {
                "updated": game.updated,
                "still": next(iter(self._pictures(game)), ""),
                "newest": self._article(game.row.id, game.told[-1].turn) if game.told else {},
            }
            for game in self._games
        ]
        latest = sorted(
            ((each.adjudicated_at, game.row.id, each.turn) for game in self._games for each in game.told), reverse=True
        )[:20]
        articles = [self._article(name, turn) for _, name, turn in latest]
        values: View = {
            "games": told,
            "waiting": self._waiting,
            "latest": articles,
            "image": f"{latest[0][1]}/{next(iter(articles[0]['pictures']), '')}" if latest else "",
            "kinds": sorted({(game.rules.name, game.rules.title) for game in self._games if game.rules.rulebook("en")}),
            "address": self._config.address if self._config.publish.invite else "",
        }
        made = self._html("index.html", "index", values)
        made |= self._html("records.html", "records", values | records(self._club, self._games))
        if latest:
            made |= self._text(
                "feed.xml", "feed", values | {"articles": articles, "updated": latest[0][0], "feed_of": ""}
            )
        moments = [each["moment"] for each in told if each["moment"]]
        made |= {"deadlines.ics": calendar(moments, self._config.club)}
        if self._config.publish.url:
            numbers = {each["game"]["id"]: [f"turn-{turn['number']}.html" for turn in each["turns"]] for each in told}
            pages = [f"{name}/{page}" for name, turns in numbers.items() for page in ("", "whole.html", *turns)]
            pages += [f"{game.row.id}/film.html" for game in self._games]
            pages += [f"rules/{kind}.html" for kind, _ in values["kinds"]]
            made |= self._text("sitemap.xml", "sitemap", {"pages": ["", "records.html", *pages]})
        return made

    def _pictures(self, game: Shown) -> list[str]:
        """Return the files of the last turn's pictures, the board first."""
        return list(self._article(game.row.id, game.turns[-1].turn)["pictures"])

    def _made_article(self, name: str, turn: int) -> View:
        """Return the newsletter of a turn for templates; ``pictures``: by file what it shows."""
        game = next(each for each in self._games if each.row.id == name)
        rendered, files = article(self._club, game, turn)
        return {
            "game": name,
            "turn": turn,
            "at": next(each.adjudicated_at for each in game.turns if each.turn == turn),
            "page": Markup(rendered.page),  # noqa: S704 (escaped by its template)
            "headline": Markup("".join(_HEADLINE.findall(rendered.page)[:1])),  # noqa: S704 (likewise)
            "subject": rendered.subject,
            "pictures": {each.name: each.content for each in files},
        }

    def _html(self, place: str, template: str, values: Fields, game: Shown | None = None) -> Files:
        made = self._render(f"{template}.html.j2", place, values, game)
        return {place: plain(made).encode()}

    def _text(self, place: str, template: str, values: Fields, game: Shown | None = None) -> Files:
        return {place: self._render(f"{template}.xml.html.j2", place, values, game).lstrip().encode()}

    def _render(self, template: str, place: str, values: Fields, game: Shown | None) -> str:
        config, kind = self._config, game.rules.name if game else ""
        common = {
            "club": config.club,
            "up": "../" * place.count("/"),
            "place": place.removesuffix("index.html"),
            "url": config.publish.url,
            "language": config.language,
            "style": STYLE,
        }
        return self._club.stationery.text(template, kind, config.language, config.zone, {**common, **values})


def _waiting(club: Club, name: str) -> View:
    """Return what is told of a game that waits for players; who they are is not."""
    listed = signup_list(club, name)
    stand = {key: listed.stand[key] for key in ("title", "board", "seats", "free", "end")}
    return {"id": name, "stand": stand, "word": listed.word if club.config.publish.invite else ""}
