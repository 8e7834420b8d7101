"""Finding members by parts of name, email or phone, and transactions by their members or their texts.

PostgreSQL's own index of trigrams (pg_trgm) is an extension, which the embedded one does not have. So members have an
index of arrays, of what the function `trigrams` makes of their texts.
"""

import re
from uuid import UUID

from django.contrib.postgres.lookups import DataContains
from django.db.models import F, Q, QuerySet, TextField, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from loyalty.members.models import Member, trigrams
from loyalty.points.models import PointTransaction
from web.searching import digits_of, plain, terms_of

SEARCH_ROWS = 20
TRIGRAM = 3  # characters
PROBED = 1_000  # members who came last
COMMON = 50  # of these: where so many match, so many match at all that the index of trigrams takes longer than none
FEW = 2_000  # members that are looked up by their ids
LATEST = 10_000  # transactions whose own texts are read
_RECENT_GUESTS = 10_000  # whose names are read, where more names match than are shown
_LAST_VISIT_FIRST = (F("last_activity_at").desc(nulls_last=True), "name", "id")


class MemberSearch:
    """The members whose name, email or phone has each of the terms, as `terms_of` returns them."""

    def __init__(self, members: QuerySet[Member], terms: list[str]) -> None:
        self._members, self._terms, self._by_index = members, terms, _by_index(terms)

    def for_page(self) -> QuerySet[Member]:
        """Return the members, for a page in any order.

        Few are looked up by their ids. Of many, a page is found soon by reading members in its order. In one statement
        PostgreSQL takes one of these ways for both, and so reads a million members to find one.
        """
        ids = _few(self._terms, self._by_index)
        return self._members.filter(_matches(self._terms)) if ids is None else self._members.filter(pk__in=ids)


def search_members(text: str, *, most: int = SEARCH_ROWS) -> list[Member]:
    """Return at most so many members who have these words in name, email or phone, most recently active first."""
    terms = terms_of(text)
    if not terms or "\0" in text:
        return []
    members = MemberSearch(Member.objects.filter(erased_at=None), terms).for_page()
    return list(members.order_by(*_LAST_VISIT_FIRST)[:most])


def members_named(text: str) -> list[Member]:
    """Return those of the most recent guests whose names have words that begin as those typed, the last visit first."""
    recent = Member.objects.filter(erased_at=None).order_by(*_LAST_VISIT_FIRST).values("pk")[:_RECENT_GUESTS]
    # The name is the first line.
    words = [Q(search_text__regex=rf"^([^\n]*[^\n\w])?{re.escape(plain(term))}") for term in terms_of(text)]
    named = Member.objects.filter(*words, pk__in=recent)
    return list(named.order_by(*_LAST_VISIT_FIRST)[:SEARCH_ROWS])


def search_transactions(rows: QuerySet[PointTransaction], terms: list[str]) -> QuerySet[PointTransaction]:
    """Return the transactions that have each of the terms: in the member, the description or who entered them.

    No index has the texts of transactions. So all of the members who match are found, if these are few, and of the
    others those among the LATEST: what is older is found by a filter or a date.
    """
    ids = _few(terms, _by_index(terms))
    times = rows.order_by("-created_at").values_list("created_at", flat=True)
    older = times[LATEST : LATEST + 1].first()
    anywhere = transaction_matches(terms)
    return rows.filter(anywhere if older is None else Q(customer__in=ids or []) | Q(created_at__gt=older) & anywhere)


def transaction_matches(terms: list[str]) -> Q:
    """Return a condition for which every transaction is read."""
    return Q(*(_transaction_contains(term) for term in terms))


def _transaction_contains(term: str) -> Q:
    names = ("description", "staff_id", "recorded_by")
    texts = Q(*((f"{name}__typed", term) for name in names), _connector=Q.OR)
    return texts | _contains("customer__search_text", term)


def _matches(terms: list[str]) -> Q:
    return Q(*(_contains("search_text", term) for term in terms))


def _contains(name: str, term: str) -> Q:
    # Not LIKE, which takes as long with three processes as this with one.
    parts = (Q(GreaterThan(StrIndex(F(name), Value(text)), 0)) for text in _written(term))
    return Q(*parts, _connector=Q.OR)


def _written(term: str) -> list[str]:
    """Return the texts of which a member has one that this term finds."""
    return [plain(term), *digits_of(term)]


def _by_index(terms: list[str]) -> list[Q]:
    """Return conditions of the matching members that the index of trigrams knows; none where it doesn't help."""
    long_terms = [texts for texts in map(_written, terms) if min(map(len, texts)) >= TRIGRAM]
    if not long_terms or _are_common(terms):
        return []
    own = trigrams("search_text")
    return [
        Q(*(Q(DataContains(own, trigrams(Value(text, TextField())))) for text in texts), _connector=Q.OR)
        for texts in long_terms
    ]


def _are_common(terms: list[str]) -> bool:
    last = Member.objects.order_by(F("last_activity_at").desc(nulls_last=True))
    return Member.objects.filter(_matches(terms), pk__in=last.values("pk")[:PROBED]).count() >= COMMON


def _few(terms: list[str], by_index: list[Q]) -> list[UUID] | None:
    """Return the ids of the matching members, None for more than FEW."""
    members = Member.objects.filter(_matches(terms), *by_index)
    ids = list(members.values_list("pk", flat=True)[: FEW + 1])
    return ids if len(ids) <= FEW else None
