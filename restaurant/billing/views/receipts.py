"""The receipt of a bill, or of a part of it."""

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import gateway as loyalty
from restaurant import staff
from restaurant.billing import queries
from restaurant.billing.serializers import receipts as serializers
from restaurant.billing.services import bills
from restaurant.billing.views import bill_page
from restaurant.ordering.views import guests
from restaurant.tables.queries import parse_table_number
from web import languages
from web.errors import sentence_of
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.permissions import PUBLIC
from web.templatetags.money import format_money
from web.views import FormResponse, ObjectResponse, Page


class Receipt(guests.GatedView):
    """`GET /table/{tableNumber}/receipt`: public as the bill is; `POST` makes it out to somebody, and mails it."""

    access = {"GET": PUBLIC, "POST": staff.TAKE_PAYMENT}
    throttle_scope = "public"
    template_name = "restaurant/billing/receipt.html"
    context_object_name = "sheet"

    @extend_schema(
        parameters=[
            OpenApiParameter("sessionId", str, description="Staff may leave it out."),
            OpenApiParameter("partId", str, description="Of a bill that is divided."),
        ],
        responses={200: serializers.Receipt, 403: ErrorResponse},
    )
    def get(self, request: Request, table_number: str) -> Response:
        session = bill_page.readable_session(request, table_number, request.query_params.get("sessionId"))
        sheet = queries.receipt_of(session, request.query_params.get("partId"))
        return ObjectResponse(serializers.Receipt(sheet), headers={"Cache-Control": "private, no-store"})

    @extend_schema(request=serializers.ReceiptBody, responses=serializers.Receipt)
    def post(self, request: Request, table_number: str) -> Response:
        values = valid(serializers.ReceiptBody(data=_body(request)))
        email = values.pop("email")
        sheet = bills.make_out(table_number=parse_table_number(table_number), **values, by_name=staff.name_of(request))
        if email:
            with translation.override(languages.of_reader(queries.language_of(sheet))):
                _mail(sheet, email)
            notify(request, _("The receipt is on its way to %(email)s.") % {"email": email})
        return FormResponse(serializers.Receipt(sheet), redirect_to=sheet.receipt_url)

    def page_context(self, sheet: queries.Bill) -> dict[str, Any]:
        entered = serializers.PayerBody(sheet.payer).data if sheet.payer else {}
        return {**bill_page.sheet_context(self.request, sheet), "is_receipt": True, "entered": entered}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        form = form_fields(self.request)
        if form is None or status == 403:
            return super().error_page(error, status)
        session = bill_page.readable_session(self.request, self.kwargs["table_number"], form.get("sessionId"))
        shown = self.page_context(queries.receipt_of(session, form.get("partId")))
        return Page(self.template_name, shown | {"entered": form, "wrong": sentence_of(error)})


def _body(request: Request) -> Any:
    """Return the body in the shape of JSON: a form has the payer's fields beside the others."""
    body = body_of(request, optional=("sessionId", "partId", "name", "address", "vatNumber"))
    if form_fields(request) is not None:
        body["billTo"] = {name: body[name] for name in ("name", "address", "vatNumber") if name in body} or None
    return body


def _mail(sheet: queries.Bill, email: str) -> None:
    signature = bill_page.paper_signature(str(sheet.session.pk))
    page = f"{settings.APP_BASE_URL}{sheet.receipt_url}&printed={signature}"
    total = _("Total: %(amount)s") % {"amount": format_money(sheet.sums.total)}
    lines = [f"{line.quantity} × {line.item.local_name}: {format_money(line.total)}" for line in sheet.lines]
    subject = _("Receipt %(number)s") % {"number": sheet.number}
    loyalty.send_mail(
        email, subject=subject, paragraphs=[*lines, total, page], link=page, link_label=_("Open the receipt")
    )
