"""The bill of a table, and its payments."""

from typing import Any

from django.conf import settings
from django.utils import translation
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.billing import paper, queries, serializers
from restaurant.billing.models import Adjustment, Payment
from restaurant.billing.services import adjustments, drawers, parts, payments
from restaurant.billing.services.bills import prepare_print
from restaurant.billing.views import bill_entries, bill_page
from restaurant.errors import OnlyYourPart
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries.orders import phone_key
from restaurant.ordering.views import guests
from restaurant.tables.queries import parse_table_number
from web import idempotency
from web.fields import ErrorResponse, FormText
from web.forms import body_of, form_fields, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

MOST_BILLS = 50


class Bill(guests.GatedView):
    """`GET /table/{tableNumber}/bill`: public by the session's id; staff may leave it out for the open session."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = bill_page.TEMPLATE
    context_object_name = "bill"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", str, description="Staff may leave it out.")],
        responses={200: serializers.StaffBill, 403: ErrorResponse},
    )
    def get(self, request: Request, table_number: str) -> Response:
        session = bill_page.readable_session(request, table_number, request.query_params.get("sessionId"))
        return ObjectResponse(_shown(request, session), headers={"Cache-Control": "private, no-store"})

    def page_context(self, bill: queries.Bill) -> dict[str, Any]:
        return bill_page.context(self.request, bill)


def _shown(request: Request, session: TableSession) -> serializers.Bill:
    shown = serializers.StaffBill if staff.may(request, staff.TAKE_PAYMENT) else serializers.Bill
    return shown(queries.bill_of(session))


class Bills(PageView):
    """`GET /bills`: bills, open and closed, by the number of their table or their own, their day, and an amount."""

    access = staff.TAKE_PAYMENT
    template_name = "restaurant/billing/bills.html"
    context_object_name = "found"

    @extend_schema(parameters=[serializers.BillsQuery], responses={200: serializers.FoundBills, 400: ErrorResponse})
    def get(self, request: Request) -> Response:
        sent = {name: text.strip() for name, text in request.query_params.dict().items() if text.strip()}
        if "amount" in sent:
            sent["amount"] = FormText(sent["amount"])
        values = valid(serializers.BillsQuery(data=sent))
        bills = queries.find_bills(values["q"], values["day"], values["amount"])[:MOST_BILLS]
        return ObjectResponse(serializers.FoundBills({"bills": list(bills)}))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return Page(self.template_name)


class PrintBill(PageView):
    """`POST /table/{tableNumber}/bill/print`: the bill gets its number before staff print it; again, it keeps it.

    Where there is a receipt printer it prints, else the browser.
    """

    access = staff.TAKE_PAYMENT
    template_name = bill_page.TEMPLATE

    @extend_schema(request=serializers.PrintBody, responses=serializers.BillNumber)
    def post(self, request: Request, table_number: str) -> Response:
        body = body_of(request, numbers=("printerId",), optional=("sessionId", "partId"))
        values = valid(serializers.PrintBody(data=body))
        session = prepare_print(table_number=parse_table_number(table_number), session_id=values["session_id"])
        sheet = queries.receipt_of(session, values["part_id"])
        page = sheet.receipt_url if sheet.is_paid or sheet.part else session.bill_url
        printer = drawers.printer_of(None, values["printer_id"])
        if printer is not None:
            with translation.override(settings.LANGUAGE_CODE):
                paper.print_sheet(printer, sheet)
        page += f"&sent={printer.pk}" if printer else "&print=1"
        data = serializers.BillNumber({"session": session, "printer": printer})
        return FormResponse(data, redirect_to=f"{page}&paper={values['paper']}")


# --- forms of the bill's page -------------------------------------------------------------------------


class _FormOfBill(PageView):
    """A refused form shows the bill again, with what was entered beside what is due now."""

    access = staff.TAKE_PAYMENT
    template_name = bill_page.TEMPLATE
    error_statuses = PageView.error_statuses | {403}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return bill_page.refused(self.request, error, **self.kwargs)


class Payments(_FormOfBill):
    """`POST /table/{tableNumber}/payments`"""

    error_statuses = PageView.error_statuses | {404}  # a guest may have made another part meanwhile

    @idempotency.described(serializers.PaymentBody, serializers.TakenPayment)
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        amounts = ("amount", "tip", "tendered", "drawerId")
        form = body_of(request, numbers=amounts, optional=("sessionId", "partId", *amounts))
        values = valid(serializers.PaymentBody(data=form))
        content = [values["method"], values["amount"], values["tip"], *filter(None, [values["part_id"]])]
        key = idempotency.key_of(request, *content)
        payment = payments.take(table_number=number, **values, user=request.user, key=key)
        return FormResponse(serializers.TakenPayment(payment), status=201, redirect_to=_page_of(payment))


class Void(_FormOfBill):
    """`POST /payments/{paymentId}/void`"""

    access = staff.VOID_PAYMENT
    error_statuses = PageView.error_statuses

    @extend_schema(request=serializers.VoidBody, responses={200: serializers.ChangedBill, 409: ErrorResponse})
    def post(self, request: Request, payment_id: str) -> Response:
        values = valid(serializers.VoidBody(data=request.data))
        payment, due = payments.void(payment_id=payment_id, user_name=staff.name_of(request), note=values["note"] or "")
        return FormResponse(serializers.ChangedBill({"id": payment.pk, "due": due}), redirect_to=_page_of(payment))


class Refund(_FormOfBill):
    """`POST /payments/{paymentId}/refund`"""

    @idempotency.described(serializers.RefundBody, serializers.ChangedBill)
    def post(self, request: Request, payment_id: str) -> Response:
        staff.ask_for_password(request)
        values = valid(serializers.RefundBody(data=body_of(request, numbers=("amount",), optional=("amount", "note"))))
        refund, due = payments.refund(
            payment_id=payment_id,
            **staff.answering(request, values),
            asked_by=request.user,
            key=idempotency.key_of(request, payment_id, values["amount"], values["reason"]),
        )
        data = {"id": refund.pk, "amount": refund.amount, "due": due}
        data |= {"rounding": refund.rounding} if refund.rounding else {}
        data["refunded"] = refund.payment.amount - refund.payment.refundable
        return FormResponse(serializers.ChangedBill(data), status=201, redirect_to=_page_of(refund.payment))


def _page_of(payment: Payment) -> str:
    return f"{payment.session.bill_url}&payment={payment.pk}#pay"


class Adjustments(_FormOfBill):
    """`POST /table/{tableNumber}/adjustments`: what changes the bill."""

    @idempotency.described(serializers.AdjustmentBody, serializers.ChangedBill)
    def post(self, request: Request, table_number: str) -> Response:
        body = body_of(request, numbers=("percent", "amount"), optional=("sessionId", "percent", "amount", "note"))
        if form_fields(request) is not None:
            body["items"] = bill_entries.chosen_items(request)
        values = valid(serializers.AdjustmentBody(data=body))
        adjustment = adjustments.adjust(
            table_number=parse_table_number(table_number),
            **staff.answering(request, values),
            key=idempotency.key_of(
                request, *(values[name] for name in ("kind", "percent", "amount", "reason", "items"))
            ),
        )
        return _changed(adjustment, status=201, kind=adjustment.kind, amount=adjustment.value)


class VoidAdjustment(_FormOfBill):
    """`POST /adjustments/{adjustmentId}/void`: by whoever may make it."""

    @extend_schema(request=staff.ApprovableBody, responses=serializers.ChangedBill)
    def post(self, request: Request, adjustment_id: str) -> Response:
        values = valid(staff.ApprovableBody(data=request.data))
        return _changed(adjustments.void(adjustment_id=adjustment_id, **staff.answering(request, values)), status=200)


def _changed(adjustment: Adjustment, *, status: int, **said: Any) -> Response:
    bill = queries.bill_of(adjustment.session)
    data = {"id": adjustment.pk, **said, "total": bill.total, "due": bill.due}
    return FormResponse(serializers.ChangedBill(data), status=status, redirect_to=f"{bill.session.bill_url}#bill")


class Parts(guests.GatedView):
    """`POST /table/{tableNumber}/parts`: divides the bill. Guests make their own part alone."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = bill_page.TEMPLATE

    @extend_schema(request=serializers.PartsBody, responses={201: serializers.StaffBill, 409: ErrorResponse})
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(serializers.PartsBody(data=bill_entries.parts_body(request)))
        new: list[parts.NewPart] = values["parts"]
        session = bill_page.readable_session(request, table_number, values["session_id"])
        is_staff = staff.may(request, staff.TAKE_PAYMENT)
        if not is_staff:
            guests.require_scan(request, session)
        where: Any = {"table_number": number, "session_id": str(session.pk)}
        if is_staff and not values["add"]:
            session = parts.divide(**where, by=values["by"], count=values["count"] or 0, parts=new)
        elif values["by"] == "items" and len(new) == 1:
            phone = "" if is_staff else phone_key(guests.guest_of(request))
            method = "" if is_staff else values["method"]
            session = parts.add(**where, phone=phone, name=new[0].name, items=new[0].items, method=method)
        else:
            raise OnlyYourPart
        return FormResponse(_shown(request, session), status=201, redirect_to=f"{session.bill_url}#pay")

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return super().error_page(error, status) or bill_page.refused(self.request, error, **self.kwargs)
