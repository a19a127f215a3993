"""The settings of a calendar of deadlines, and of what becomes of a turn whose orders are missing."""

from __future__ import annotations

from referee.config.faults import (
    LONGEST,
    choice_fault,
    closed_fault,
    every_fault,
    hour_fault,
    hours_fault,
    weekday_fault,
)
from referee.config.values import Setting

LATE = ("refuse", "until-adjudication")
MISSING = ("extend", "hold-over", "stand-by", "play")

DEADLINES: tuple[Setting, ...] = (
    Setting(
        path="deadlines.days",
        default=14,
        least=1,
        most=LONGEST,
        comment="So many days lie between deadlines, where a game says nothing else.",
    ),
    Setting(
        path="deadlines.every",
        default="",
        fault=every_fault,
        comment='The same in words, as "10 days", "3 weeks" or "1 month"; empty: so many days.',
    ),
    Setting(
        path="deadlines.weekday",
        default="",
        fault=weekday_fault,
        comment='The day on which deadlines fall, as Friday, or several, as "Sunday, Wednesday"; empty: any day.',
    ),
    Setting(
        path="deadlines.hour", default="20:00", fault=hour_fault, comment="The time of day at which deadlines fall."
    ),
    Setting(
        path="deadlines.closed",
        default="",
        fault=closed_fault,
        comment="Days on which no deadline falls, with commas between them: weekdays, dates, dates of every year, or from one\n"
        'to another, as "Sunday, 2027-03-26, 12-24..01-06".',
    ),
    Setting(
        path="deadlines.notice",
        default=-1,
        least=-1,
        most=LONGEST * 24,
        comment="So many hours lie at least between a newsletter and the deadline that it names; -1: half the time from one\n"
        "deadline to the next.",
    ),
    Setting(
        path="deadlines.grace",
        default=10,
        most=LONGEST * 24 * 60,
        comment="Minutes after the deadline in which a letter is still in time.",
    ),
    Setting(
        path="deadlines.early_delay",
        default=12,
        least=-1,
        most=LONGEST * 24,
        comment="When everybody's clean orders are in, a turn is adjudicated so many hours after the last change; -1: never\n"
        "before its deadline.",
    ),
    Setting(
        path="deadlines.late",
        default="refuse",
        fault=choice_fault(*LATE),
        comment='Orders after deadline and grace: "refuse", or take them "until-adjudication".',
    ),
    Setting(
        path="deadlines.reminders",
        default="72, 24",
        fault=hours_fault,
        comment="So many hours before the deadline those are reminded whose orders are missing or have errors, with commas\n"
        "between them; what falls into the first half of a turn is left out.",
    ),
    Setting(
        path="deadlines.outlook",
        default=24,
        most=LONGEST * 24,
        comment="So many hours before the deadline the umpire is told who is in, who is missing and what is doubtful; 0: never.",
    ),
    Setting(
        path="deadlines.missing",
        default="extend",
        fault=choice_fault(*MISSING),
        comment='What becomes of a turn whose orders are missing at its deadline: "extend" (once, by a few days), "hold-over"\n'
        '(once, to the next deadline of the calendar), "stand-by" (the same, and then a stand-by has the seat), or "play" (on\n'
        "without them). Who has errors in his orders is not missing.",
    ),
    Setting(
        path="deadlines.missing_from",
        default=1,
        least=1,
        most=99,
        comment="So many players must be missing for that; with fewer the turn is played without them.",
    ),
    Setting(
        path="deadlines.extension", default=3, least=1, most=LONGEST, comment="So many days a turn is extended by."
    ),
    Setting(
        path="deadlines.stop_from",
        default=2,
        most=99,
        comment="If so many are still missing after that, the game waits, and the umpire decides; 0: it is always played on.",
    ),
    Setting(
        path="deadlines.absence",
        default=7,
        most=LONGEST,
        comment="A turn waits for players who said before its deadline when they are away (ABSENT), if they are back within so\n"
        "many days after it, and once; else it is played without them. 0: it never waits.",
    ),
    Setting(
        path="deadlines.statements",
        default=14,
        most=LONGEST,
        comment="So many days after the last turn players may send closing statements, which are then mailed to all;\n"
        "0: none are asked for.",
    ),
    Setting(
        path="deadlines.downtime_hold",
        default=24,
        most=LONGEST * 24,
        comment="If letters could not be read or sent for so many hours, no deadline falls in as many hours after that; nor if\n"
        "the clock was set over it. 0: never moved.",
    ),
)
