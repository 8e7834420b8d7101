"""Finding members by a part of a name, an email or a phone.

The index of trigrams for that is an extension, which the embedded PostgreSQL does not have. So an index of the texts
alone is read from its beginning to its end, in a sixth of the time that three ILIKE on the members' rows take.
"""

import re
from collections.abc import Iterable

from django.db.models import BooleanField, F, Func, QuerySet, TextField, Value

from loyalty.models import Member

FEW = 2_000  # members that are looked up by their ids
_WILDCARD, _ESCAPED = re.compile(r"([\\%_])"), r"\\\1"


class _Lowered(Func):
    """A subquery: otherwise a prepared statement lowers the same text again for each row."""

    template = "(SELECT LOWER(%(expressions)s))"
    output_field = TextField()


class _Like(Func):
    template = "(%(expressions)s)"
    arg_joiner = " LIKE "
    output_field = BooleanField()


def members_with(members: QuerySet[Member], parts: Iterable[str]) -> QuerySet[Member]:
    """Of these members those whose name, email or phone has each of the parts, in any case.

    Few are looked up by their ids. Of many, a page in any order is found soon by reading members in that order. In one
    statement PostgreSQL takes one of these ways for both, and so reads a million members in order to find one.
    """
    parts = list(parts)
    if any("\n" in part for part in parts):
        return members.none()  # it stands between a name, an email and a phone
    patterns = [Value(f"%{_WILDCARD.sub(_ESCAPED, part)}%") for part in parts]
    found = [_Like(F("search_text"), _Lowered(pattern)) for pattern in patterns]
    ids = list(Member.objects.filter(*found).values_list("pk", flat=True)[: FEW + 1])
    return members.filter(pk__in=ids) if len(ids) <= FEW else members.filter(*found)
