"""The bill of a table, and its payments."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.billing import queries, serializers
from restaurant.billing.services import payments
from restaurant.billing.services.bills import prepare_print
from restaurant.billing.views import bill_page
from restaurant.errors import SessionUnknown, TableUnknown
from restaurant.ordering.queries.sessions import session_of_staff
from restaurant.ordering.views import guests
from restaurant.tables.queries import parse_table_number
from web import idempotency
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


class Bill(guests.GatedView):
    """`GET /table/{tableNumber}/bill`: public by the session's id; staff may leave it out for the open session."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = bill_page.TEMPLATE
    context_object_name = "bill"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", str, description="Staff may leave it out.")],
        responses={200: serializers.StaffBill, **dict.fromkeys((403, 404), ErrorResponse)},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        session_id = request.query_params.get("sessionId")
        self.is_staff = staff.may(request, staff.TAKE_PAYMENT)
        if self.is_staff:
            session = session_of_staff(number, session_id)
        else:
            session = guests.session_of(request, number, session_id)
            if not bill_page.is_from_paper(request):
                guests.require_scan(request, session)
        serializer = serializers.StaffBill if self.is_staff else serializers.Bill
        return ObjectResponse(serializer(queries.bill_of(session)), headers={"Cache-Control": "private, no-store"})

    def page_context(self, bill: queries.Bill) -> dict[str, Any]:
        return bill_page.context(self.request, bill, is_staff=self.is_staff)


class PrintBill(PageView):
    """`POST /table/{tableNumber}/bill/print`: the bill gets its number before staff print it; again, it keeps it."""

    access = staff.TAKE_PAYMENT
    template_name = bill_page.TEMPLATE

    @extend_schema(
        request=serializers.PrintBody,
        responses={200: serializers.BillNumber, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        values = valid(serializers.PrintBody(data=body_of(request, optional=("sessionId",))))
        session = prepare_print(table_number=parse_table_number(table_number), session_id=values["session_id"])
        page = f"{session.bill_url}&paper={values['paper']}&print=1"
        return FormResponse(serializers.BillNumber(session), redirect_to=page)


class Payments(PageView):
    """`POST /table/{tableNumber}/payments`"""

    access = staff.TAKE_PAYMENT
    template_name = bill_page.TEMPLATE

    @extend_schema(
        request=serializers.PaymentBody,
        parameters=[idempotency.PARAMETER],
        responses={201: serializers.TakenPayment, **dict.fromkeys((400, 401, 403, 404, 409), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        form = body_of(request, numbers=("amount", "tip"), optional=("sessionId", "amount", "tip"))
        values = valid(serializers.PaymentBody(data=form))
        payment = payments.take(
            table_number=number,
            **values,
            user=request.user,
            key=idempotency.key_of(request, values["method"], values["amount"], values["tip"]),
        )
        page = f"{payment.session.bill_url}&payment={payment.pk}"
        return FormResponse(serializers.TakenPayment(payment), status=201, redirect_to=page)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Show the bill again, with what was entered beside what is due now."""
        form = form_fields(self.request)
        if form is None:
            return None
        try:
            number = parse_table_number(self.kwargs["table_number"])
            session = session_of_staff(number, form.get("sessionId"))
        except (TableUnknown, SessionUnknown):
            return None
        entered = {name: form.get(name, "") for name in ("method", "amount", "tip")}
        return bill_page.error_page(self.request, session, error, **entered)


class Void(PageView):
    """`POST /payments/{paymentId}/void`"""

    access = staff.VOID_PAYMENT
    template_name = bill_page.TEMPLATE

    @extend_schema(
        request=serializers.VoidBody,
        responses={200: serializers.VoidedPayment, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request, payment_id: str) -> Response:
        values = valid(serializers.VoidBody(data=request.data))
        payment, due = payments.void(payment_id=payment_id, user_name=staff.name_of(request), note=values["note"] or "")
        data = serializers.VoidedPayment({"id": payment.pk, "due": due})
        return FormResponse(data, redirect_to=f"{payment.session.bill_url}&payment={payment.pk}")

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Show the bill again, with the note that was refused."""
        form = form_fields(self.request)
        if form is None:
            return None
        payment_id: str = self.kwargs["payment_id"]
        session = queries.session_of_payment(payment_id)
        return bill_page.error_page(self.request, session, error, note=form.get("note", ""), voiding=payment_id)
