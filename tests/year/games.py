"""What a year plays: games of both kinds, on all maps, in all presets and both paces."""

from dataclasses import dataclass, field

from referee.core.game import ONE_BY_ONE, TOGETHER, Option

Times = dict[str, str | int]

COLOURS = {
    "dampfross": ("red", "blue", "green", "black", "orange", "purple"),
    "volldampf": ("blue", "red", "green", "orange", "yellow", "black"),
}
CODES = {
    "dampfross": ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR"),
    "volldampf": ("PRE", "SAX", "BAY", "BAD", "WUR", "HES"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What is agreed for a game before it begins."""

    kind: str
    board: str
    preset: str
    players: int
    pace: str = TOGETHER
    options: dict[str, Option] = field(default_factory=dict)
    rhythm: Times

    @property
    def pairs(self) -> bool:
        """Whether each of two players leads two companies."""
        return self.kind == "dampfross" and self.players == 2 and self.preset != "laurin"


SLOW: Times = {"every": "3 weeks", "weekday": "Friday", "zone": "Europe/Dublin", "early_delay": -1}
MONTHLY: Times = {"every": "1 month", "missing": "hold-over", "closed": "12-24..01-06", "grace": 60}
BRISK: Times = {"days": 10, "missing": "stand-by", "notice": 48}
QUICK: Times = {"days": 7, "early_delay": 6}
HASTY: Times = {"days": 3, "early_delay": 0, "reminders": "12", "extension": 1, "outlook": 0}
FRIENDLY: Times = {"days": 14, "early_delay": -1, "missing": "play"}
SOON: dict[str, Option] = {"building_ends": "cities-left:27", "races": 4}


def _dampfross(board: str, preset: str, players: int, rhythm: Times, **options: Option) -> Agreed:
    return Agreed(kind="dampfross", board=board, preset=preset, players=players, rhythm=rhythm, options=options)


def _volldampf(preset: str, players: int, rhythm: Times) -> Agreed:
    return Agreed(kind="volldampf", board="deutschland-1925", preset=preset, players=players, rhythm=rhythm)


def one_by_one(agreed: Agreed) -> Agreed:
    """Return the same game with its players asked one after the other."""
    options = agreed.options | ({"order_of_building": "in-turn"} if agreed.kind == "dampfross" else {})
    rhythm = agreed.rhythm | HASTY
    names = {name: getattr(agreed, name) for name in ("kind", "board", "preset", "players")}
    return Agreed(**names, pace=ONE_BY_ONE, options=options, rhythm=rhythm)


MAPS = ("ireland", "bavaria", "russia", "kentucky_tennessee")
WHOLE = (
    *(_dampfross(board, "postal", 5, SLOW) for board in MAPS),
    *(
        _dampfross(board, "postal", 6, rhythm)
        for board, rhythm in zip(MAPS, (BRISK, MONTHLY, BRISK, QUICK), strict=True)
    ),
    *(_dampfross(board, "postal", 4, MONTHLY) for board in MAPS),
    *(_dampfross(board, "laurin", players, QUICK, **SOON) for board, players in zip(MAPS[:3], (5, 6, 5), strict=True)),
    _dampfross("kentucky_tennessee", "laurin", 6, QUICK, building_ends="cities-left:20", races=4),
    _dampfross("ireland", "schmidt", 6, QUICK, game_ends="target:60", building_ends="cities-left:20"),
    _dampfross("bavaria", "postal", 2, BRISK, building_ends="rounds:4"),
    one_by_one(_dampfross("ireland", "laurin", 2, HASTY, **SOON)),
    one_by_one(_dampfross("russia", "postal", 3, HASTY, building_ends="rounds:2", races=6)),
    *(_volldampf("post", players, SLOW) for players in (6, 6, 5, 5)),
    *(_volldampf("post", players, BRISK) for players in (4, 6, 6, 6)),
    *(
        _volldampf("referee", players, rhythm)
        for players, rhythm in ((3, QUICK), (4, FRIENDLY), (5, QUICK), (6, FRIENDLY))
    ),
    *(_volldampf(preset, players, BRISK) for preset, players in (("dutch", 6), ("dutch", 5), ("english", 6))),
    *(_volldampf(preset, players, QUICK) for preset, players in (("english", 5), ("french", 6), ("french", 6))),
    one_by_one(_volldampf("post", 2, HASTY)),
    one_by_one(_volldampf("referee", 3, HASTY)),
)
SHORT = (
    _dampfross("ireland", "postal", 3, SLOW),
    _dampfross("bavaria", "laurin", 2, BRISK, **SOON),
    _volldampf("post", 3, {"days": 17, "missing": "stand-by", "notice": 48}),
    _volldampf("referee", 3, {**FRIENDLY, "days": 13}),
)
