"""The page of the segments."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.segments import Segment, Segments
from web.reporting import PageData, Table, Tile, clauses, grouped, percent_text, share, table_of, tile

# Name and definition, in the order in which they are tried.
SEGMENTS = {
    "champions": (
        gettext_lazy("Champions"),
        gettext_lazy("Active in the last 30 days, earned points 4 times or more, spent 200 or more."),
    ),
    "loyal": (
        gettext_lazy("Loyal"),
        gettext_lazy("Active in the last 30 days, earned points twice or more."),
    ),
    "potential_loyalist": (
        gettext_lazy("Potential loyalists"),
        gettext_lazy("Active in the last 60 days, spent 100 or more."),
    ),
    "at_risk": (
        gettext_lazy("At risk"),
        gettext_lazy("Not active for more than 90 days, spent 100 or more."),
    ),
    "hibernating": (
        gettext_lazy("Hibernating"),
        gettext_lazy("Not active for more than 180 days, spent less than 100."),
    ),
    "new_or_casual": (
        gettext_lazy("New or casual"),
        gettext_lazy("Everyone else, including members who never earned points."),
    ),
}


def page(report: Segments) -> PageData:
    counts = {each.name: each.members for each in report.segments}
    members = sum(counts.values())
    table = _by_segment(report.segments, members)
    order = ", ".join(str(name) for name, _definition in SEGMENTS.values())
    return {
        "heading": _("Member segments"),
        "sentence": _sentence(counts, members),
        "until": report.until,
        "tiles": [
            _tile(_("Champions and loyal"), counts.get("champions", 0) + counts.get("loyal", 0), members),
            _tile(_("At risk"), counts.get("at_risk", 0), members),
            _tile(_("Hibernating"), counts.get("hibernating", 0), members),
            tile(_("Members"), members),
        ],
        "tables": [table],
        "by_segment": table,
        "chart": _chart(counts, members),
        "notes": [
            _("Each member is in the first segment that fits: %(segments)s.") % {"segments": order},
            _("Members are active when they earn points. Days are full days of 24 hours."),
            _("Spend covers all orders that earned points. The sign-up bonus counts as earning points once."),
        ],
    }


def _sentence(counts: dict[str, int], members: int) -> str:
    if not members:
        return _("No members yet.")
    best, leaving = counts.get("champions", 0) + counts.get("loyal", 0), counts.get("at_risk", 0)
    regulars = ngettext(
        "%(count)s of %(all)s members is a champion or loyal",
        "%(count)s of %(all)s members are champions or loyal",
        best,
    ) % {"count": grouped(best), "all": grouped(members)}
    at_risk = ngettext(
        "%(count)s who spent well has not come for 90 days",
        "%(count)s who spent well have not come for 90 days",
        leaving,
    ) % {"count": grouped(leaving)}
    return clauses(regulars, at_risk if leaving else "")


def _tile(label: str, count: int, members: int) -> Tile:
    percent = percent_text(share(count, members))
    return tile(label, count, note=_("%(share)s of members") % {"share": percent})


def _by_segment(segments: list[Segment], members: int) -> Table:
    """Those with members by average spend, then the empty ones."""
    found = {each.name for each in segments}
    rows = [_row(each.name, each.members, each.average_spend, members) for each in segments]
    rows += [_row(name, 0, None, members) for name in SEGMENTS if name not in found]
    columns = [
        (_("Segment"), "text"), (_("Members"), "number"), (_("Share"), "percent"), (_("Average spend"), "money"),
        (_("Definition"), "text"),
    ]  # fmt: skip
    note = _("Highest average spend first.") if members else _("No members yet.")
    return table_of(_("Members by segment"), columns, rows, note=note)


def _chart(counts: dict[str, int], members: int) -> Table:
    """The most loyal first."""
    rows = [_row(name, counts.get(name, 0), None, members)[:3] for name in SEGMENTS]
    columns = [(_("Segment"), "text"), (_("Members"), "number"), (_("Share"), "percent")]
    return table_of(_("Members by segment"), columns, rows)


def _row(name: str, count: int, spend: object, members: int) -> list[object]:
    label, definition = SEGMENTS[name]
    return [str(label), count, share(count, members), spend, str(definition)]
