"""Points for a purchase."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.cards.queries import till_card
from loyalty.cards.views import till_forms
from loyalty.errors import UnusualTotal
from loyalty.members.queries import member_by_id
from loyalty.members.views import member_session
from loyalty.points.models import TAKE_BACK_ANY
from loyalty.points.queries.programme import UnusualAward, unusual_award
from loyalty.points.serializers import EarnBody, Earned, ReverseBody, Reversed
from loyalty.points.services import points, reversals
from web import idempotency
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, is_page, notify, valid
from web.views import FormResponse, Page, PageView

_TRANSACTION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[200], description="`/transactions/{id}`, to take it back."
)


# See "Points for a purchase" in docs/behaviour/loyalty.md.
class Earn(PageView):
    """Award points for a purchase."""

    access = member_session.AWARD_POINTS
    template_name = "loyalty/cards/till.html"
    _unusual: UnusualAward | None = None  # about which the page asks

    @extend_schema(
        request=EarnBody,
        parameters=[idempotency.PARAMETER, _TRANSACTION],
        responses={200: Earned, **dict.fromkeys((404, 409), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        scanned = (form_fields(request) or {}).get("orderTotal", "").strip()
        if is_page(request) and till_forms.page_of_code(scanned):
            # A scanner typed into the amount; with JavaScript the page goes there itself.
            search = urlencode({"for": till_forms.POINTS, "q": scanned})
            return FormResponse({}, redirect_to=f"/till?{search}")
        values = valid(EarnBody(data=body_of(request, numbers=("orderTotal",))))
        customer_id = values["customerId"]
        award = self._award(request, values)
        given = {"message": award.message, "balance": award.balance}
        notify(request, _("%(message)s New balance: %(balance)d.") % given, about=customer_id)
        headers = {"Location": f"/transactions/{award.transaction_id}"} if award.transaction_id else {}
        response = FormResponse(Earned(award), redirect_to=f"/member/{customer_id}", headers=headers)
        if form_fields(request) is not None and "locationId" in values:
            member_session.remember_location(response, values["locationId"])
        return response

    def _award(self, request: Request, values: dict[str, Any]) -> points.Award:
        if "sessionId" in values:
            return points.settle(member_id=values["customerId"], session_id=values["sessionId"])
        customer_id, location_id, total = values["customerId"], values["locationId"], values["orderTotal"]
        staff_id = values["staffId"] or ""
        if is_page(request):
            self._ask_about(customer_id, total)
        return points.award(
            member_id=customer_id,
            location_id=location_id,
            order_total=total,
            staff_id=staff_id or request.user.get_username(),
            recorded_by=member_session.recorded_by(request),
            key=idempotency.key_of(request, customer_id, location_id, total, staff_id),
        )

    def _ask_about(self, customer_id: str, total: Decimal) -> None:
        """Raise UnusualTotal, so that the page asks before it gives points. Programs know what they send."""
        unusual = unusual_award(customer_id, total)
        if unusual is not None and (form_fields(self.request) or {}).get("confirmedTotal") != str(total):
            self._unusual = unusual
            raise UnusualTotal

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        entered = form_fields(self.request)
        if entered is None:
            return None
        card = till_card(member_by_id(entered.get("customerId", "")), now=timezone.now())
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
        request=ReverseBody,
        responses={200: Reversed, **dict.fromkeys((404, 409), ErrorResponse)},
    )
    def post(self, request: Request, transaction_id: str) -> Response:
        values = valid(ReverseBody(data=body_of(request)))
        reversal = reversals.take_back_purchase(
            transaction_id=transaction_id,
            note=values["note"] or "",
            recorded_by=request.user.get_username(),
            is_manager=request.user.has_perm(TAKE_BACK_ANY),
        )
        notify(request, reversal.sentence, about=str(reversal.customer_id))
        return FormResponse(Reversed(reversal), redirect_to=f"/member/{reversal.customer_id}")
