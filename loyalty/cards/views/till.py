"""The till's first page: finding members, and what its user has done today. See "Till" in docs/behaviour/loyalty.md."""

import re
from operator import attrgetter
from typing import Any, NamedTuple

from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from loyalty import rules
from loyalty.cards import queries
from loyalty.cards.views import till_forms
from loyalty.members import serializers as members_serializers
from loyalty.members.models import Member
from loyalty.members.views import member_session
from loyalty.points.queries.search import SEARCH_ROWS, members_named, search_members
from loyalty.rewards.queries.till_today import handed_out_today, latest_awards, totals_today
from web.forms import is_page
from web.reporting import local_zone
from web.searching import digits_of, has_terms, marked_where, plain, terms_of
from web.views import ObjectResponse, PageView

LATEST = 5  # purchases; there the others of the day are folded
MOST_TODAY = 200  # purchases, and rewards


class Till(PageView):
    """Find members at the till."""

    access = member_session.AT_TILL
    template_name = "loyalty/cards/till_start.html"
    context_object_name = "till"

    @extend_schema(
        parameters=[OpenApiParameter("q", str, description="Part of a name, an email or a phone; or a code.")],
        responses={200: members_serializers.Till},
    )
    def get(self, request: Request) -> Any:
        text = request.query_params.get("q", "").strip()[:500]
        page = till_forms.page_of_code(text)
        if page is not None and is_page(request):
            till_forms.warn_of_other_code(request, request.query_params.get("for", ""))
            bill = till_forms.bill_query(request.query_params.dict())
            return HttpResponseRedirect(till_forms.for_bill(page, bill, timezone.now()))
        self.now, self.user_name = timezone.now(), request.user.get_username()
        most = MOST_TODAY if is_page(request) and not text else LATEST
        latest = latest_awards(self.user_name, now=self.now, zone=local_zone(), most=most)
        members = search_members(text, most=SEARCH_ROWS + 1)
        till = queries.Till(text, members[:SEARCH_ROWS], is_cut=len(members) > SEARCH_ROWS, latest=latest)
        return ObjectResponse(members_serializers.Till(till))

    def page_context(self, till: queries.Till) -> dict[str, Any]:
        # Who gave the points may take them back as long as this, managers too; later on the guest's page.
        reversible = [award.pk for award in till.latest if award.created_at > self.now - rules.UNDO_WINDOW]
        return {"reversible": reversible, **(_in_groups(till) if till.query else self._start(till))}

    def _start(self, till: queries.Till) -> dict[str, Any]:
        zone = local_zone()
        handed_out = handed_out_today(self.user_name, now=self.now, zone=zone, most=MOST_TODAY)
        entries = sorted([*till.latest, *handed_out], key=attrgetter("created_at"), reverse=True)
        return {
            **till_forms.location_choice(self.request),
            "latest": entries[:LATEST],
            "earlier": entries[LATEST:],
            "today": totals_today(self.user_name, now=self.now, zone=zone),
        }


def _in_groups(till: queries.Till) -> dict[str, Any]:
    """Return first those members of whose names a word begins with the query."""
    named = members_named(till.query) if till.is_cut else []
    named = named or [member for member in till.members if _begins(member.name, till.query)]
    others = [member for member in till.members if member not in named][: SEARCH_ROWS - len(named)]
    return {
        "named": [_marked(member, till.query) for member in named],
        "others": [_marked(member, till.query) for member in others],
    }


class MarkedMember(NamedTuple):
    """A member in whose texts the match is marked.

    Of an email and a phone there is no more than tells two guests apart, unless it alone matches.
    """

    member: Member
    name: SafeString
    email: SafeString | str
    phone: SafeString


def _marked(member: Member, query: str) -> MarkedMember:
    terms = terms_of(query)
    name = marked_where(member.name, _beginning(terms) if _begins(member.name, query) else _anywhere(terms))
    return MarkedMember(member, name, _email(member, terms), _phone(member.phone, terms))


def _begins(name: str, query: str) -> bool:
    """Return whether words of the name begin with those of the query, as `members_named` asks the database."""
    return all(re.search(_beginning([term]), plain(name)) for term in terms_of(query))


def _anywhere(terms: list[str]) -> str:
    return "|".join(re.escape(plain(term)) for term in sorted(terms, key=len, reverse=True))


def _beginning(terms: list[str]) -> str:
    return rf"(?<!\w)(?:{_anywhere(terms)})"


def _email(member: Member, terms: list[str]) -> SafeString | str:
    sought = [term for term in terms if has_terms(member.email, [term]) and not has_terms(member.name, [term])]
    return marked_where(member.email, _anywhere(sought)) if sought else member.masked_email


def _phone(phone: str, terms: list[str]) -> SafeString:
    numbers = [r"\D*".join(digits.strip()) for term in terms for digits in digits_of(term)]
    for pattern in [_anywhere(terms), *numbers]:
        if not phone or re.search(pattern, plain(phone)):
            return marked_where(phone, pattern)
    return format_html('<span class="visually-hidden">{}</span> …{}', _("Phone"), phone[-4:])
