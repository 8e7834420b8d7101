"""The page of the segments."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.segments import SPENT_MUCH, SPENT_SOME, Segment, Segments
from web.reporting import PageData, Table, Tile, clauses, grouped, percent_text, share, table_of, tile
from web.templatetags.plots import tick_text


class Words(NamedTuple):
    label: Promise
    definition: Promise
    next_step: Promise


SPENT = {"much": SPENT_MUCH, "some": SPENT_SOME}  # in the definitions

# In the order in which they are tried.
SEGMENTS = {
    "champions": Words(
        gettext_lazy("Champions"),
        gettext_lazy("Active in the last 30 days, earned points 4 times or more, spent %(much)s or more."),
        gettext_lazy("Thank them, and show them first what is new."),
    ),
    "loyal": Words(
        gettext_lazy("Loyal"),
        gettext_lazy("Active in the last 30 days, earned points twice or more."),
        gettext_lazy("Name the reward that comes next."),
    ),
    "potential_loyalist": Words(
        gettext_lazy("Potential loyalists"),
        gettext_lazy("Active in the last 60 days, spent %(some)s or more."),
        gettext_lazy("Ask them back within the month."),
    ),
    "at_risk": Words(
        gettext_lazy("At risk"),
        gettext_lazy("Not active for more than 90 days, spent %(some)s or more."),
        gettext_lazy("Win them back before half a year is over."),
    ),
    "hibernating": Words(
        gettext_lazy("Hibernating"),
        gettext_lazy("Not active for more than 180 days, spent less than %(some)s."),
        gettext_lazy("One last offer, or none."),
    ),
    "new_or_casual": Words(
        gettext_lazy("New or casual"),
        gettext_lazy("Everyone else, including members who never earned points."),
        gettext_lazy("Make the second visit worth it."),
    ),
}


def page(report: Segments) -> PageData:
    counts = {each.name: each.members for each in report.segments}
    members = sum(counts.values())
    table = _by_segment(report.segments, members)
    order = ", ".join(str(words.label) for words in SEGMENTS.values())
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
        "segment_rows": list(zip(table["rows"], table["names"], table["widths"], strict=True)),
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
    """From the best to those who left, in the order in which they are tried. `names`, `widths` of a bar: row by row."""
    found = {each.name: each for each in segments}
    names = list(SEGMENTS)
    counts = [found[name].members if name in found else 0 for name in names]
    rows = [
        _row(name, count, found[name].average_spend if name in found else None, members)
        for name, count in zip(names, counts, strict=True)
    ]
    columns = [
        (_("Segment"), "text"), (_("Members"), "number"), (_("Share"), "percent"), (_("Average spend"), "money"),
        (_("Definition"), "text"), (_("Next step"), "text"),
    ]  # fmt: skip
    note = "" if members else _("No members yet.")
    widths = [100 * count // max(*counts, 1) for count in counts]
    return table_of(_("Members by segment"), columns, rows, names=names, widths=widths, note=note)


def _row(name: str, count: int, spend: object, members: int) -> list[object]:
    words = SEGMENTS[name]
    definition = str(words.definition) % {each: tick_text(amount, "money") for each, amount in SPENT.items()}
    return [str(words.label), count, share(count, members), spend, definition, str(words.next_step)]
