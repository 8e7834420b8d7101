"""The page of the segments."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.segments import SLIPPING, SPENT_MUCH, SPENT_SOME, Segment, Segments
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
        gettext_lazy("Coming back"),
        gettext_lazy("Active in the last 30 days, earned points twice or more."),
        gettext_lazy("Name the reward that comes next."),
    ),
    "potential_loyalist": Words(
        gettext_lazy("Good spenders"),
        gettext_lazy("Active in the last 60 days, spent %(some)s or more."),
        gettext_lazy("Ask them back within the month."),
    ),
    SLIPPING: Words(
        gettext_lazy("Slipping away"),
        gettext_lazy("Last active 61 to 90 days ago, spent %(some)s or more."),
        gettext_lazy("Write to them before they are at risk."),
    ),
    "at_risk": Words(
        gettext_lazy("At risk"),
        gettext_lazy("Not active for more than 90 days, however long, spent %(some)s or more."),
        gettext_lazy("Write to them now, with something to come for."),
    ),
    "hibernating": Words(
        gettext_lazy("Hibernating"),
        gettext_lazy("Not active for more than 180 days, spent less than %(some)s."),
        gettext_lazy("One last offer, or none."),
    ),
    "new_or_casual": Words(
        gettext_lazy("Everyone else"),
        gettext_lazy("In none of these, including members who never earned points."),
        gettext_lazy("Make the second visit worth it."),
    ),
}

NAMES_IN_FILE = {
    "loyal": gettext_lazy("Loyal"),
    "potential_loyalist": gettext_lazy("Potential loyalists"),
    "new_or_casual": gettext_lazy("New or casual"),
}


def page(report: Segments) -> PageData:
    found = {each.name: each for each in report.apart}
    counts = {name: each.members for name, each in found.items()}
    members = sum(counts.values())
    names_in_file = {name: NAMES_IN_FILE.get(name, SEGMENTS[name].label) for name in SEGMENTS if name != SLIPPING}
    file = _by_segment(report.segments, members, names_in_file)
    table = _by_segment(report.apart, members, {name: words.label for name, words in SEGMENTS.items()})
    regulars = counts.get("champions", 0) + counts.get("loyal", 0)
    others = [
        _tile(_("At risk"), counts.get("at_risk", 0), members),
        _tile(_("Hibernating"), counts.get("hibernating", 0), members),
        tile(_("Members"), members),
    ]
    return {
        "heading": _("Member segments"),
        "sentence": _sentence(regulars, counts.get("at_risk", 0), members),
        "until": report.until,
        "tiles": [_tile(_("Champions and loyal"), regulars, members), *others],
        "moved": _moved(found),
        "tables": [file],
        "by_segment": table,
        "spend_title": _("Spend per member"),
        "segment_rows": list(zip(table["rows"], SEGMENTS, strict=True)),
        "notes": _notes(file),
        "page_notes": _notes(table),
    }


def _notes(table: Table) -> list[str]:
    return [
        _("Each member is in the first segment that fits: %(segments)s.")
        % {"segments": ", ".join(row[0] for row in table["rows"])},
        _("Members are active when they earn points. Days are full days of 24 hours."),
        _("Spend covers all orders that earned points. The sign-up bonus counts as earning points once."),
    ]


def _sentence(regulars: int, leaving: int, members: int) -> str:
    if not members:
        return _("No members yet.")
    coming = ngettext(
        "%(count)s of %(all)s members keeps coming back", "%(count)s of %(all)s members keep coming back", regulars
    ) % {"count": grouped(regulars), "all": grouped(members)}
    at_risk = ngettext(
        "%(count)s who spent %(some)s or more has not come for 90 days",
        "%(count)s who spent %(some)s or more have not come for 90 days",
        leaving,
    ) % {"count": grouped(leaving), "some": tick_text(SPENT["some"], "money")}
    return clauses(coming, at_risk if leaving else "")


def _tile(label: str, count: int, members: int) -> Tile:
    percent = percent_text(share(count, members))
    return tile(label, count, note=_("%(share)s of members") % {"share": percent})


def _moved(found: dict[str, Segment]) -> str:
    """How many came into the segments of those who stay away, of which alone that is known."""
    to = _("%(count)s to %(segment)s")
    moves = [
        to % {"count": grouped(segment.came), "segment": words.label}
        for name, words in SEGMENTS.items()
        if (segment := found.get(name)) and segment.came
    ]
    return _("Moved in the last 30 days: %(moves)s.") % {"moves": ", ".join(moves)} if moves else ""


def _by_segment(segments: list[Segment], members: int, names: Mapping[str, Promise]) -> Table:
    """From the best to those who left, in the order in which they are tried: those with `names`."""
    found = {each.name: each for each in segments}
    rows = [_row(name, label, found.get(name), members) for name, label in names.items()]
    columns = [
        (_("Segment"), "text"), (_("Members"), "number"), (_("Share"), "percent"), (_("Average spend"), "money"),
        (_("Definition"), "text"), (_("Next step"), "text"),
    ]  # fmt: skip
    note = "" if members else _("No members yet.")
    return table_of(_("Members by segment"), columns, rows, note=note)


def _row(name: str, label: Promise, segment: Segment | None, members: int) -> list[Any]:
    words, count = SEGMENTS[name], segment.members if segment else 0
    definition = str(words.definition) % {each: tick_text(amount, "money") for each, amount in SPENT.items()}
    spend = segment.average_spend if segment else None
    return [str(label), count, share(count, members), spend, definition, str(words.next_step)]
