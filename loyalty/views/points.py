"""The till: points for a purchase, and finding whose they are."""

import re
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponseRedirect
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import queries, serializers
from loyalty.services import points
from loyalty.views import members, proof
from web import idempotency
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, is_page, notify
from web.views import FormResponse, Page, PageView

# What a scanner that types what it reads may leave in the search field, after the host.
_OUR_PATHS = re.compile(r"/(member|use)/[A-Za-z0-9-]{1,64}|/[qQ]/[0-9A-Za-z]{8}", re.ASCII)


class Earn(PageView):
    """`POST /earn`: points for a purchase (document 2, decision 4.4)."""

    access = proof.TILL
    template_name = "loyalty/till.html"

    @extend_schema(
        request=serializers.EarnBody,
        parameters=[idempotency.PARAMETER],
        responses={200: serializers.Earned, **dict.fromkeys((404, 409), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        body = serializers.EarnBody(data=body_of(request, numbers=("orderTotal",)))
        body.is_valid(raise_exception=True)
        values = body.validated_data
        customer_id, location_id, total = values["customerId"], values["locationId"], values["orderTotal"]
        staff_id = values["staffId"] or ""
        answer = points.award(
            member_id=customer_id,
            location_id=location_id,
            order_total=total,
            staff_id=staff_id or request.user.get_username(),
            key=idempotency.key_of(request, customer_id, location_id, total, staff_id),
        )
        sentence = _("%(message)s New balance: %(balance)d.")
        words = {"message": answer["message"], "balance": answer["newBalance"]}
        notify(request, sentence % words, about=customer_id)
        response = FormResponse(answer, redirect_to=f"/member/{customer_id}")
        if form_fields(request) is not None:
            proof.remember_till(response, location_id)
        return response

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        entered = form_fields(self.request)
        page = None if entered is None else members.till_page(self.request, entered.get("customerId", ""), entered)
        if page is not None:
            # The same form again with another amount: the page says more than the API does, and has a new key.
            page.context["sent_before"] = status == 409
        return page


class Till(PageView):
    """`GET /till?q=`: for staff, finds a member by name, email or phone, and opens whatever a scanner types."""

    access = proof.TILL
    template_name = "loyalty/till_start.html"

    @extend_schema(
        parameters=[OpenApiParameter("q", str, description="Part of a name, an email or a phone; or a code.")],
        responses={200: serializers.Till},
    )
    def get(self, request: Request) -> Any:
        text = request.query_params.get("q", "").strip()[:500]
        address = self._address(text)
        if address is not None and is_page(request):
            return HttpResponseRedirect(address)
        return Response({"query": text, "members": queries.search_members(text)})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"is_cut": len(data["members"]) == queries.FOUND}

    @staticmethod
    def _address(text: str) -> str | None:
        """Where a typed redemption code, or the address in a scanned code, leads on this installation."""
        if re.fullmatch(r"RWD-[A-Z0-9]{6}", queries.normal_code(text), re.ASCII):
            return f"/use/{queries.normal_code(text)}"
        try:
            path = urlsplit(text).path if "://" in text else ""
        except ValueError:
            return None
        return path if _OUR_PATHS.fullmatch(path) else None
