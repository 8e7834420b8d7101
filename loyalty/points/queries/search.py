"""Finding members by a part of a name, an email or a phone, and lines of the ledger by their members or their texts.

PostgreSQL's own index of trigrams (pg_trgm) is an extension, which the embedded one does not have. So members have an
index of arrays, of what the function `trigrams` makes of their texts.
"""

from collections.abc import Iterable
from uuid import UUID

from django.contrib.postgres.lookups import DataContains
from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Lower, StrIndex
from django.db.models.lookups import GreaterThan

from loyalty.members.models import Member, trigrams
from loyalty.points.models import PointTransaction

TRIGRAM = 3  # characters
PROBED = 1_000  # members who came last
COMMON = 50  # of these: where so many have a text, so many have it that the index of trigrams takes longer than none
FEW = 2_000  # members that are looked up by their ids
LATEST = 10_000  # lines of the ledger whose own texts are read


class _Lowered(Func):
    """A subquery: otherwise a prepared statement lowers the same text again for each row."""

    template = "(SELECT LOWER(%(expressions)s))"
    output_field = TextField()


class Found:
    """Of these members those whose name, email or phone has each of the parts, in any case."""

    def __init__(self, members: QuerySet[Member], parts: Iterable[str]) -> None:
        self._members, self._parts = members, list(parts)
        self._can_be_found = _can_be_found(self._parts)
        self._by_index = _by_index(self._parts) if self._can_be_found else []

    def to_sort(self) -> QuerySet[Member]:
        """Few are looked up by their ids. Of many, a page in any order is found soon by reading members in that order.

        In one statement PostgreSQL takes one of these ways for both, and so reads a million members to find one.
        """
        if not self._can_be_found:
            return self._members.none()
        ids = _few(self._parts, self._by_index)
        return self._members.filter(_with(self._parts)) if ids is None else self._members.filter(pk__in=ids)

    def to_count(self) -> QuerySet[Member]:
        """As the index of trigrams finds them, in no order."""
        if not self._can_be_found:
            return self._members.none()
        return self._members.filter(_with(self._parts), *self._by_index)


def lines_with(lines: QuerySet[PointTransaction], parts: Iterable[str]) -> QuerySet[PointTransaction]:
    """Of these lines those that have each of the parts: in the member, the description or who entered them.

    No index has the texts of the lines. So all lines of the members who have the parts are found, if these are few,
    and of the others those among the LATEST: what is older is found by a filter or a date.
    """
    parts = list(parts)
    ids = _few(parts, _by_index(parts)) if _can_be_found(parts) else []
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


def _by_index(parts: list[str]) -> list[Q]:
    """What members with these parts meet as well, and the index of trigrams knows; none where it doesn't help."""
    long = [part for part in parts if len(part) >= TRIGRAM]
    if not long or _are_common(parts):
        return []
    has = trigrams("search_text")
    return [Q(DataContains(has, trigrams(Lower(Value(part, TextField()))))) for part in long]


def _are_common(parts: list[str]) -> bool:
    last = Member.objects.order_by(F("last_activity_at").desc(nulls_last=True))
    return Member.objects.filter(_with(parts), pk__in=last.values("pk")[:PROBED]).count() >= COMMON


def _few(parts: list[str], by_index: list[Q]) -> list[UUID] | None:
    """The ids of the members, None for more than FEW."""
    found = Member.objects.filter(_with(parts), *by_index)
    ids = list(found.values_list("pk", flat=True)[: FEW + 1])
    return ids if len(ids) <= FEW else None
