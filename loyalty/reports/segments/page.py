"""The page of the segments."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from loyalty.reports.re_engagement import LEAST_POINTS, LIMIT
from loyalty.reports.segments import OTHERS, SLIPPING, SPENT_MUCH, SPENT_SOME, Segment, Segments
from web.formats import listed
from web.reporting import Column, PageData, Table, Tile, clauses, share, with_count
from web.templatetags.plots import tick_text
from web.templatetags.reports import may_be_chance, shown


class SegmentText(NamedTuple):
    label: Promise
    definition: Promise
    next_step: Promise


STAYING_AWAY = {SLIPPING, "at_risk", "hibernating"}
SPENT = {"much": SPENT_MUCH, "some": SPENT_SOME}  # in the definitions

REGULARS = ("champions", "loyal")  # they come: one of them who is to be won back came 30 days ago
TO_WRITE_TO = {"potential_loyalist", SLIPPING, "at_risk"}  # by their next step

# In the order in which they are tried.
SEGMENTS = {
    "champions": SegmentText(
        gettext_lazy("Champions"),
        gettext_lazy("Active in the last 30 days; earned points 4 times or more and spent %(much)s or more in all."),
        gettext_lazy("Thank them, and show them first what is new."),
    ),
    "loyal": SegmentText(
        gettext_lazy("New and returning"),
        gettext_lazy("Active in the last 30 days; earned points twice or more in all, the sign-up bonus included."),
        gettext_lazy("Name the reward that comes next."),
    ),
    "potential_loyalist": SegmentText(
        gettext_lazy("Good spenders"),
        gettext_lazy("Last active 31 to 60 days ago, or first active in the last 30; spent %(some)s or more in all."),
        gettext_lazy("Ask them back within the month."),
    ),
    SLIPPING: SegmentText(
        gettext_lazy("Slipping away"),
        gettext_lazy("Last active 61 to 90 days ago; spent %(some)s or more in all."),
        gettext_lazy("Write to them before they are at risk."),
    ),
    "at_risk": SegmentText(
        gettext_lazy("At risk"),
        gettext_lazy("Not active for more than 90 days; spent %(some)s or more in all."),
        gettext_lazy("Write to them now, with something to come for."),
    ),
    "hibernating": SegmentText(
        gettext_lazy("Hibernating"),
        gettext_lazy("Not active for more than 180 days; spent less than %(some)s in all."),
        gettext_lazy("One last offer, or none."),
    ),
    "new_or_casual": SegmentText(
        gettext_lazy("Everyone else"),
        gettext_lazy("In no other segment, including members who never earned points."),
        gettext_lazy("Give them a reason to come again."),
    ),
}

NAMES_IN_FILE = {
    "loyal": gettext_lazy("Loyal"),
    "potential_loyalist": gettext_lazy("Potential loyalists"),
    "new_or_casual": gettext_lazy("New or casual"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A segment on the page.

    `change`: in 30 days, None if nobody was a member then; `tone`: "up" or "down" for good or bad news.
    `bar`: percent of the members of the largest segment.
    `agreed`: how many may be written to; `to_win_back`: those whom the next step finds on the list of that name;
    `gone`: those who have been away for too long for it; `left_out`: why they and others are not there, in words. Both
    only where there is somebody to write to, or that is the next step.
    """

    name: str
    label: str
    members: int
    share: Decimal
    bar: Decimal
    change: int | None
    tone: str
    average_spend: Decimal | None
    definition: str
    next_step: str
    agreed: int
    to_win_back: int
    gone: int
    left_out: str


def page(report: Segments, before: Mapping[str, int]) -> PageData:
    """`before`: the members of each segment 30 days ago."""
    segments = {segment.name: segment for segment in report.apart}
    counts = {name: segment.members for name, segment in segments.items()}
    members = sum(counts.values())
    names_in_file = {name: NAMES_IN_FILE.get(name, SEGMENTS[name].label) for name in SEGMENTS if name != SLIPPING}
    together = dict(before)
    if SLIPPING in together:
        together[OTHERS] = together.get(OTHERS, 0) + together.pop(SLIPPING)
    file = _by_segment(report.segments, members, names_in_file, together)
    table = _by_segment(report.apart, members, {name: texts.label for name, texts in SEGMENTS.items()}, before)
    regulars = sum(counts.get(name, 0) for name in REGULARS)
    largest = max(counts.values(), default=0)
    rows = [
        _row_of_page(segments.get(name, Segment(name)), row, before.get(name, 0), largest)
        for name, row in zip(SEGMENTS, table.rows, strict=True)
    ]
    to_write_to = sum(row.to_win_back for row in rows)
    others = [
        _tile(_("At risk"), counts.get("at_risk", 0), members),
        _tile(_("Hibernating"), counts.get("hibernating", 0), members),
        Tile(_("Members"), members),
    ]
    return {
        "heading": _("Member segments"),
        "sentence": _sentence(rows, regulars, counts.get("at_risk", 0), members, to_write_to),
        "until": report.until,
        "tiles": [_tile(_("Champions and loyal"), regulars, members), *others],
        "tables": [file],
        "by_segment": table,
        "together": _together(table, members),
        "segment_rows": rows,
        "to_write_to": to_write_to,
        "former_champions": _former_champions({row.name: row for row in rows}),
        "least_points": LEAST_POINTS,
        "notes": _notes(file),
        "page_notes": _notes(table),
    }


def _row_of_page(segment: Segment, row: list[Any], before: int, largest: int) -> Row:
    label, count, percent, change, spend, definition, next_step = row
    name = segment.name
    to_win_back = 0 if name in REGULARS else min(segment.to_win_back, LIMIT)
    explains = to_win_back > 0 or name in TO_WRITE_TO
    return Row(
        name=name,
        label=label,
        members=count,
        share=percent,
        bar=share(count, largest),
        change=change,
        tone="" if change is None else _tone(name, count, before),
        average_spend=spend,
        definition=definition,
        next_step=next_step,
        agreed=segment.agreed,
        to_win_back=to_win_back,
        gone=segment.gone if explains else 0,
        left_out=_left_out(segment) if explains else "",
    )


def _former_champions(rows: Mapping[str, Row]) -> Row | None:
    """Return the row that former champions are in, if there are fewer champions: who stays away is a good spender."""
    return rows["potential_loyalist"] if rows["champions"].tone == "down" else None


def _left_out(segment: Segment) -> str:
    lately = segment.agreed - segment.to_win_back - segment.written - segment.gone - segment.poor
    reasons = [
        (segment.written, ngettext_lazy("%(count)s had a letter lately", "%(count)s had a letter lately", "number")),
        (segment.poor, ngettext_lazy("%(count)s under %(least)s points", "%(count)s under %(least)s points", "number")),
        (lately, ngettext_lazy("%(count)s came lately", "%(count)s came lately", "number")),
        (segment.gone, ngettext_lazy("%(count)s away over 180 days", "%(count)s away over 180 days", "number")),
    ]
    values = {"least": shown(LEAST_POINTS, "number")}
    return listed(
        phrase % {"number": count, "count": shown(count, "number"), **values} for count, phrase in reasons if count
    )


def _tone(name: str, count: int, before: int) -> str:
    """More of those who stay away is bad news, more of those who come often is good; not where it may be chance.

    More good spenders are new ones, or others who come less often than they did. Fewer who slip away may be at risk.
    """
    if name in {OTHERS, "potential_loyalist", SLIPPING} or may_be_chance(count, before):
        return ""
    return "up" if (count > before) != (name in STAYING_AWAY) else "down"


def _notes(table: Table) -> list[str]:
    return [
        _("Each member is in the first segment that fits: %(segments)s.")
        % {"segments": ", ".join(row[0] for row in table.rows)},
        _("Members are active when they earn points. Days are full days of 24 hours."),
        _("The change is from 30 days ago. Bills that were taken back since are left out of both counts."),
        _("A change is green or red where it is clearly good or bad news, and too large to be chance."),
        _("Spend, and how often points were earned, are of all time. The sign-up bonus counts as earning points once."),
    ]


def _together(table: Table, members: int) -> str:
    """Say what the rows add up to; empty without members."""
    joined = sum(row[3] or 0 for row in table.rows)
    text = with_count(ngettext("%(count)s member", "%(count)s members", members), members)
    if joined > 0:
        text = _("%(members)s, %(joined)s more than 30 days ago") % {
            "members": text,
            "joined": shown(joined, "number"),
        }
    return text if members else ""


def _sentence(rows: list[Row], regulars: int, leaving: int, members: int, to_write_to: int) -> str:
    """The two segments that changed the most, and how many can be written to.

    Without such news it says how many come and how many stay away.
    """
    if not members:
        return _("No members yet.")
    coming = ngettext(
        "%(count)s of %(all)s members is in %(first)s or %(second)s",
        "%(count)s of %(all)s members are in %(first)s or %(second)s",
        regulars,
    )
    first, second = (str(SEGMENTS[name].label) for name in REGULARS)
    coming %= {"count": shown(regulars, "number"), "all": shown(members, "number"), "first": first, "second": second}
    news = _news(rows)
    if news:
        can = ngettext(
            "%(count)s of the %(all)s members who get offers is due a letter",
            "%(count)s of the %(all)s members who get offers are due a letter",
            to_write_to,
        )
        named = {"count": shown(to_write_to, "number"), "all": shown(sum(row.agreed for row in rows), "number")}
        return clauses(news, can % named if to_write_to else coming)
    at_risk = ngettext(
        "%(count)s who spent %(some)s or more has not come for 90 days",
        "%(count)s who spent %(some)s or more have not come for 90 days",
        leaving,
    ) % {"count": shown(leaving, "number"), "some": tick_text(SPENT["some"], "money")}
    return clauses(coming, at_risk if leaving else "")


def _news(rows: list[Row]) -> str:
    """Return an empty text where none changed by more than chance."""
    changed = sorted((row for row in rows if row.tone), key=lambda row: -abs(row.change or 0))
    news: list[str] = []
    for row in changed[:2]:
        change = row.change or 0
        named = {"count": shown(abs(change), "number"), "segment": row.label}
        if news:
            news.append((_("%(count)s more %(segment)s") if change > 0 else _("%(count)s fewer %(segment)s")) % named)
        elif change > 0:
            news.append(_("%(count)s more %(segment)s than 30 days ago") % named)
        else:
            news.append(_("%(count)s fewer %(segment)s than 30 days ago") % named)
    return ", ".join(news)


def _tile(label: str, count: int, members: int) -> Tile:
    percent = shown(share(count, members), "percent")
    return Tile(label, count, note=_("%(share)s of members") % {"share": percent})


def _by_segment(
    segments: list[Segment], members: int, names: Mapping[str, Promise], before: Mapping[str, int]
) -> Table:
    """Return the segments with `names`, from the best to those who left, in the order in which they are tried."""
    by_name = {segment.name: segment for segment in segments}
    rows = [_row(by_name.get(name, Segment(name)), label, members, before) for name, label in names.items()]
    columns = [
        Column(_("Segment")), Column(_("Members"), "number"), Column(_("Share"), "percent"),
        Column(_("30-day change"), "signed"), Column(_("Average spend"), "money"), Column(_("Definition")),
        Column(_("Next step")),
    ]  # fmt: skip
    note = "" if members else _("No members yet.")
    return Table(_("Members by segment"), columns, rows, note=note)


def _row(segment: Segment, label: Promise, members: int, before: Mapping[str, int]) -> list[Any]:
    texts, count = SEGMENTS[segment.name], segment.members
    definition = str(texts.definition) % {key: tick_text(amount, "money") for key, amount in SPENT.items()}
    spend = segment.average_spend if count else None
    change = count - before.get(segment.name, 0) if before else None
    return [str(label), count, share(count, members), change, spend, definition, str(texts.next_step)]
