"""Finding members by a part of a name, an email or a phone, and lines of the ledger by their members or their texts.

The index of trigrams for that is an extension, which the embedded PostgreSQL does not have. So an index of the texts
alone is read from its beginning to its end, in a sixth of the time that three ILIKE on the members' rows take.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from loyalty.models import Member, PointTransaction

FEW = 2_000  # members that are looked up by their ids
LATEST = 10_000  # lines of the ledger whose own texts are read


class _Lowered(Func):
    """A subquery: otherwise a prepared statement lowers the same text again for each row."""

    template = "(SELECT LOWER(%(expressions)s))"
    output_field = TextField()


def members_with(members: QuerySet[Member], parts: Iterable[str]) -> QuerySet[Member]:
    """Of these members those whose name, email or phone has each of the parts, in any case.

    Few are looked up by their ids. Of many, a page in any order is found soon by reading members in that order. In one
    statement PostgreSQL takes one of these ways for both, and so reads a million members in order to find one.
    """
    parts = list(parts)
    if not _can_be_found(parts):
        return members.none()
    ids = _few(parts)
    return members.filter(_with(parts)) if ids is None else members.filter(pk__in=ids)


def lines_with(lines: QuerySet[PointTransaction], parts: Iterable[str]) -> QuerySet[PointTransaction]:
    """Of these lines those that have each of the parts: in the member, the description or who entered them.

    No index has the texts of the lines. So all lines of the members who have the parts are found, if these are few,
    and of the others those among the LATEST: what is older is found by a filter or a date.
    """
    parts = list(parts)
    ids = _few(parts) if _can_be_found(parts) else []
    times = lines.order_by("-created_at").values_list("created_at", flat=True)
    older = times[LATEST : LATEST + 1].first()
    anywhere = all_lines_with(parts)
    return lines.filter(anywhere if older is None else Q(customer__in=ids or []) | Q(created_at__gt=older) & anywhere)


def all_lines_with(parts: Iterable[str]) -> Q:
    """Reads every line."""
    return Q(*(_in_line(part) for part in parts))


def _in_line(part: str) -> Q:
    names = ("description", "staff_id", "recorded_by")
    texts = Q(*((f"{name}__icontains", part) for name in names), _connector=Q.OR)
    return texts | _contains("customer__search_text", part) if _can_be_found([part]) else texts


def _can_be_found(parts: list[str]) -> bool:
    return not any("\n" in part for part in parts)  # it stands between a name, an email and a phone


def _with(parts: list[str]) -> Q:
    return Q(*(_contains("search_text", part) for part in parts))


def _contains(name: str, part: str) -> Q:
    # Not LIKE, which takes as long with three processes as this with one.
    return Q(GreaterThan(StrIndex(F(name), _Lowered(Value(part))), 0))


def _few(parts: list[str]) -> list[UUID] | None:
    """The ids of the members, None for more than FEW."""
    ids = list(Member.objects.filter(_with(parts)).values_list("pk", flat=True)[: FEW + 1])
    return ids if len(ids) <= FEW else None
