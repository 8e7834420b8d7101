"""The till: points for a purchase, and finding members."""

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards.queries import till_card
from loyalty.cards.views import till_forms, till_found
from loyalty.errors import UnusualTotal
from loyalty.members import queries as members_queries
from loyalty.members import serializers as members_serializers
from loyalty.members.views import member_session
from loyalty.points import queries as points_queries
from loyalty.points import serializers as points_serializers
from loyalty.points.services import points, reversals
from loyalty.rewards.queries import till_today
from web import idempotency
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, is_page, notify
from web.reporting import local_zone
from web.views import FormResponse, Page, PageView

# Paths in codes that a keyboard-like scanner types into the search field.
_CODE_PATHS = re.compile(r"/(member|use)/[A-Za-z0-9-]{1,64}|/[qQ]/[0-9A-Za-z]{8}", re.ASCII)


_TRANSACTION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[200], description="`/transactions/{id}`, to take it back."
)


# See "Points for a purchase" in docs/behaviour/loyalty.md.
class Earn(PageView):
    """Award points for a purchase."""

    access = member_session.AWARD_POINTS
    template_name = "loyalty/cards/till.html"
    _unusual: points_queries.UnusualAward | None = None  # about which the page asks

    @extend_schema(
        request=points_serializers.EarnBody,
        parameters=[idempotency.PARAMETER, _TRANSACTION],
        responses={200: points_serializers.Earned, **dict.fromkeys((404, 409), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        scanned = (form_fields(request) or {}).get("orderTotal", "").strip()
        if is_page(request) and _page_of_code(scanned):
            # A scanner typed into the amount; with JavaScript the page goes there itself.
            search = urlencode({"for": till_forms.POINTS, "q": scanned})
            return FormResponse({}, redirect_to=f"/till?{search}")
        body = points_serializers.EarnBody(data=body_of(request, numbers=("orderTotal",)))
        body.is_valid(raise_exception=True)
        values = body.validated_data
        customer_id, location_id, total = values["customerId"], values["locationId"], values["orderTotal"]
        staff_id = values["staffId"] or ""
        if is_page(request):
            self._ask_about(customer_id, total)
        award = points.award(
            member_id=customer_id,
            location_id=location_id,
            order_total=total,
            staff_id=staff_id or request.user.get_username(),
            recorded_by=member_session.recorded_by(request),
            key=idempotency.key_of(request, customer_id, location_id, total, staff_id),
        )
        words = {"message": award.message, "balance": award.balance}
        notify(request, _("%(message)s New balance: %(balance)d.") % words, about=customer_id)
        response = FormResponse(
            points_serializers.Earned(award),
            redirect_to=f"/member/{customer_id}",
            headers={"Location": f"/transactions/{award.transaction_id}"},
        )
        if form_fields(request) is not None:
            member_session.remember_location(response, location_id)
        return response

    def _ask_about(self, customer_id: str, total: Decimal) -> None:
        """The page asks before it gives points for an unusual bill. Programs know what they send."""
        unusual = points_queries.unusual_award(customer_id, total)
        if unusual is not None and (form_fields(self.request) or {}).get("confirmedTotal") != str(total):
            self._unusual = unusual
            raise UnusualTotal

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        entered = form_fields(self.request)
        if entered is None:
            return None
        card = till_card(members_queries.member(entered.get("customerId", "")), now=timezone.now())
        form = till_forms.award_form(self.request, card, entered.get("locationId", ""))
        if self._unusual is not None:  # the same form again: its key is unused
            form["idempotency_key"] = entered.get("idempotencyKey", "")
        # Else its key belongs to another amount. The new form has a new key, so that sending it again counts.
        context = {"entered": entered, "sent_before": status == 409, "unusual": self._unusual}
        return Page(self.template_name, {"card": card, **form, **context})


# See "Taking back a purchase" in docs/behaviour/loyalty.md.
class Reverse(PageView):
    """Take back the points for a purchase."""

    access = member_session.AWARD_POINTS
    template_name = "loyalty/cards/till.html"

    @extend_schema(
        request=points_serializers.ReverseBody,
        responses={200: points_serializers.Reversed, **dict.fromkeys((404, 409), ErrorResponse)},
    )
    def post(self, request: Request, transaction_id: str) -> Response:
        body = points_serializers.ReverseBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        reversal = reversals.take_back_purchase(
            transaction_id=transaction_id,
            note=body.validated_data["note"] or "",
            recorded_by=request.user.get_username(),
            is_manager=member_session.may_take_back_any(request),
        )
        notify(request, reversal.sentence, about=str(reversal.customer_id))
        return FormResponse(points_serializers.Reversed(reversal), redirect_to=f"/member/{reversal.customer_id}")


LATEST = 5  # awards on the start page of the till; there the others of the day are folded
MOST_TODAY = 200  # of awards, and of rewards


# See "Till" in docs/behaviour/loyalty.md.
class Till(PageView):
    """Find members at the till."""

    access = member_session.AWARD_POINTS
    template_name = "loyalty/cards/till_start.html"

    @extend_schema(
        parameters=[OpenApiParameter("q", str, description="Part of a name, an email or a phone; or a code.")],
        responses={200: members_serializers.Till},
    )
    def get(self, request: Request) -> Any:
        text = request.query_params.get("q", "").strip()[:500]
        page = _page_of_code(text)
        if page is not None and is_page(request):
            till_forms.warn_of_other_code(request, request.query_params.get("for", ""))
            return HttpResponseRedirect(page)
        found = points_queries.search_members(
            text, most=points_queries.SEARCH_ROWS + 1
        )  # one more tells that the list is cut
        self.found, self.is_cut = found[: points_queries.SEARCH_ROWS], len(found) > points_queries.SEARCH_ROWS
        self.now = timezone.now()
        most = MOST_TODAY if is_page(request) and not text else LATEST
        self.latest = till_today.latest_awards(request.user.get_username(), now=self.now, zone=local_zone(), most=most)
        return Response(
            members_serializers.Till({"query": text, "members": self.found, "latest": self.latest[:LATEST]}).data
        )

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        start = {} if data["query"] else self._start()
        # Who gave the points may take them back as long as this, managers too; later on the guest's page.
        reversible = [each.pk for each in self.latest if each.created_at > self.now - members_queries.UNDO_WINDOW]
        found = self._in_groups(data["query"])
        return {**found, "reversible": reversible, **start}

    def _in_groups(self, text: str) -> dict[str, Any]:
        """Those first of whose names a word begins with what was typed."""
        named = points_queries.members_named(text) if self.is_cut else []
        named = named or [each for each in self.found if till_found.begins(each.name, text)]
        others = [each for each in self.found if each not in named][: points_queries.SEARCH_ROWS - len(named)]
        return {
            "named": till_found.rows(named, text),
            "others": till_found.rows(others, text),
            "is_cut": self.is_cut,
            "most": points_queries.SEARCH_ROWS,
        }

    def _start(self) -> dict[str, Any]:
        user_name, zone = self.request.user.get_username(), local_zone()
        guests = till_today.done(user_name, self.latest, now=self.now, zone=zone, most=MOST_TODAY)
        return {
            **till_forms.location_choice(self.request),
            "latest": guests[:LATEST],
            "earlier": guests[LATEST:],
            "done": till_today.at_till(user_name, now=self.now, zone=zone),
        }


def _page_of_code(text: str) -> str | None:
    """The path that a redemption code, or the address in a scanned code, leads to on this installation."""
    code = members_queries.normalized_code(text)
    if re.fullmatch(r"RWD-[A-Z0-9]{6}", code, re.ASCII):
        return f"/use/{code}"
    try:
        path = urlsplit(text).path if "://" in text else ""
    except ValueError:
        return None
    return path if _CODE_PATHS.fullmatch(path) else None
