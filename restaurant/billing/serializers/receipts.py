"""The receipt of a bill, or of a part of it."""

from rest_framework import serializers

from restaurant.billing.models import Payment
from restaurant.billing.serializers import BodyOfBill, PartAdjustment, Tax, WithChange, WithRounding
from restaurant.ordering.serializers.orders import OrderedOption
from restaurant.ordering.serializers.sessions import SessionSummary
from restaurant.tables.serializers.tables import TableSummary
from web.fields import Identifier, Line, Money, OmitEmptySerializer, Text


class PayerBody(serializers.Serializer):
    name = Line(max_length=200)
    address = Text(max_length=500)
    vatNumber = Line(max_length=50, allow_blank=True, required=False, default="", source="vat_number")


class ReceiptBody(BodyOfBill):
    partId = Identifier(required=False, allow_null=True, default=None, source="part_id")
    billTo = PayerBody(required=False, allow_null=True, default=None, source="payer")
    email = serializers.EmailField(required=False, allow_blank=True, allow_null=True, default=None)


class ReceiptLine(OmitEmptySerializer):
    name = serializers.CharField(source="item.display_name")
    quantity = serializers.CharField(help_text="A whole number, or a fraction such as `1/3`.")
    total = Money()
    options = OrderedOption(many=True, source="item.options", required=False)


class ReceiptPayment(WithChange):
    method = serializers.ChoiceField(Payment.Method.choices)
    amount = Money()
    tip = Money()
    tendered = Money(required=False, help_text="Only for cash that was handed over.")
    at = serializers.DateTimeField(source="created_at")


class ReceiptRefund(WithRounding):
    amount = Money()
    at = serializers.DateTimeField()


# Shows a `restaurant.billing.queries.Bill`, the whole or a part.
class Receipt(OmitEmptySerializer):
    number = serializers.CharField(allow_blank=True, help_text="Of a part `12-2`. Empty: a preview.")
    at = serializers.DateTimeField(source="session.billed_at", allow_null=True)
    table = TableSummary(source="session.table")
    session = SessionSummary()
    part = serializers.CharField(source="part.name", required=False, default="")
    billTo = PayerBody(source="payer", required=False)
    items = ReceiptLine(many=True, source="lines")
    subtotal = Money(source="sums.subtotal")
    adjustments = PartAdjustment(many=True, required=False)
    total = Money()
    taxes = Tax(many=True, source="sums.taxes")
    payments = ReceiptPayment(many=True, source="standing")
    refunds = ReceiptRefund(many=True, required=False)
    paid = Money()
    due = Money()
