"""Bills and payments."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from restaurant.billing.models import Adjustment, BillPart, Payment, Refund
from restaurant.billing.queries.chosen import Chosen
from restaurant.billing.services.parts import NewPart
from restaurant.ordering.serializers.orders import OrderedOption
from restaurant.ordering.serializers.sessions import SessionIdentifier, SessionSummary
from restaurant.staff import ApprovableBody
from restaurant.tables.serializers.tables import TableSummary
from web.fields import AmountField, Identifier, Line, Money, OmitEmptySerializer, Text, TrueOrFalse, WholeNumber
from web.money import NOTHING, most

METHODS = dict(Payment.Method.choices)
_NOT_A_METHOD = gettext_lazy("Please say how it is paid: %(all)s.") % {"all": ", ".join(METHODS)}
PAPERS = ("80mm", "a4")
MAX_PARTS = 30

# --- requests -----------------------------------------------------------------------------------------


class Positive(AmountField):
    """An amount above 0."""

    def to_internal_value(self, data: Any) -> Decimal:
        amount = super().to_internal_value(data)
        if not amount:
            raise serializers.ValidationError(_("An amount above 0 is needed."))
        return amount


class Percent(Positive):
    places = 2


class BodyOfBill(serializers.Serializer):
    # Without it: the table's open session.
    sessionId = SessionIdentifier(required=False, default=None, source="session_id")


class PaymentBody(BodyOfBill):
    method = serializers.ChoiceField(
        Payment.Method.choices,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), _NOT_A_METHOD),
    )
    # Without it: what is due.
    amount = Positive(required=False, allow_null=True, default=None)
    tip = AmountField(required=False, allow_null=True, default=None)
    # Of a bill that is divided: who pays.
    partId = Identifier(required=False, allow_null=True, default=None, source="part_id")
    # Cash alone: what the guest hands over.
    tendered = AmountField(required=False, allow_null=True, default=None)
    # Without it: the drawer that the member of staff has opened, or the only open one.
    drawerId = WholeNumber(
        min_value=1, max_value=2**31 - 1, required=False, allow_null=True, default=None, source="drawer_id"
    )

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["tendered"] is not None and values["method"] != Payment.Method.CASH:
            raise serializers.ValidationError({"tendered": _("Change is given for cash alone.")})
        return values

    def validate_tip(self, tip: Decimal | None) -> Decimal:
        if tip and tip > most():
            raise serializers.ValidationError(_("A tip can be at most %(most)s.") % {"most": f"{most():,}"})
        return tip or NOTHING


class ChosenEntryBody(serializers.Serializer):
    orderId = Identifier(source="order_id")
    position = WholeNumber(min_value=0, max_value=999)
    # Without it: all that are left.
    quantity = WholeNumber(min_value=1, max_value=9999, required=False, default=None)

    def to_internal_value(self, data: Any) -> Chosen:
        return Chosen(**super().to_internal_value(data))


class AdjustmentBody(BodyOfBill, ApprovableBody):
    """A discount has a percent or an amount, service too; what is on the house has its items alone."""

    kind = serializers.ChoiceField(Adjustment.Kind.choices)
    percent = Percent(required=False, allow_null=True, default=None)
    amount = Positive(required=False, allow_null=True, default=None)
    # Without them: the whole bill.
    items: Any = serializers.ListSerializer(child=ChosenEntryBody(), required=False, default=list, max_length=500)
    reason = serializers.ChoiceField(Adjustment.Reason.choices)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        asked = [name for name in ("percent", "amount") if values[name] is not None]
        is_comp = values["kind"] == Adjustment.Kind.COMP
        if is_comp and (asked or not values["items"]):
            raise serializers.ValidationError(_("Please say which dishes are on the house, and no percent or amount."))
        if not is_comp and len(asked) != 1:
            raise serializers.ValidationError(_("Please give either a percent or an amount."))
        if values["percent"] is not None and values["percent"] > 100:
            raise serializers.ValidationError({"percent": _("At most 100 percent can be taken off.")})
        if values["kind"] == Adjustment.Kind.SERVICE and values["items"]:
            raise serializers.ValidationError({"items": _("Service is for the whole bill.")})
        return values


class ShareField(Text):
    """A part of one entry, such as `1/3`."""

    def to_internal_value(self, data: Any) -> Any:
        found = re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)", super().to_internal_value(data), re.ASCII)
        if found is None or int(found[1]) > int(found[2]):
            raise serializers.ValidationError(_("A share is written like 1/3."))
        return Fraction(int(found[1]), int(found[2]))


class PartEntryBody(ChosenEntryBody):
    share = ShareField(required=False, default=None)

    def validate(self, chosen: Any) -> Any:
        if chosen.share is not None and chosen.quantity is not None:
            raise serializers.ValidationError(_("Please give either a quantity or a share."))
        return chosen


class PartBody(serializers.Serializer):
    name = Line(max_length=100, allow_blank=True, required=False, default="")
    items: Any = serializers.ListSerializer(child=PartEntryBody(), max_length=500)

    def to_internal_value(self, data: Any) -> NewPart:
        return NewPart(**super().to_internal_value(data))


class PartsBody(BodyOfBill):
    by = serializers.ChoiceField(BillPart.By.choices)
    count = WholeNumber(min_value=2, max_value=MAX_PARTS, required=False, default=None)
    parts: Any = serializers.ListSerializer(child=PartBody(), required=False, default=list, max_length=MAX_PARTS)
    # By items: one more part beside those that there are. A guest's always is.
    add = TrueOrFalse(required=False, default=False)
    # Of a guest's part: calls somebody who takes the money for it.
    method = serializers.ChoiceField(["card", "cash"], required=False, default="")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["by"] == BillPart.By.PEOPLE and values["count"] is None:
            raise serializers.ValidationError({"count": _("By how many people?")})
        if values["by"] == BillPart.By.ITEMS and not values["parts"]:
            raise serializers.ValidationError({"parts": _("Please say who pays for which dishes.")})
        if values["method"] and not any(part.items for part in values["parts"]):
            raise serializers.ValidationError({"parts": _("Please tick what you pay for.")})
        return values


class RefundBody(ApprovableBody):
    # Without it: all that is left of the payment.
    amount = Positive(required=False, allow_null=True, default=None)
    reason = serializers.ChoiceField(Refund.Reason.choices)


class BillsQuery(serializers.Serializer):
    q = Text(max_length=20, allow_blank=True, default="", help_text="The number of a table or of a bill.")
    day = serializers.DateField(required=False, default=None)
    amount = AmountField(required=False, default=None, help_text="What it comes to, or what somebody has paid.")


class PrintBody(BodyOfBill):
    paper = serializers.ChoiceField(PAPERS, required=False, default=PAPERS[0])
    # Of a bill that is divided: whose part, for a receipt printer.
    partId = Identifier(required=False, default=None, source="part_id")
    # A receipt printer. Without it: the only one, if there is one.
    printerId = WholeNumber(min_value=0, max_value=2**31 - 1, required=False, default=None, source="printer_id")


class VoidBody(serializers.Serializer):
    note = Text(max_length=200, allow_blank=True, allow_null=True, default="")


# --- responses ----------------------------------------------------------------------------------------


class BillLine(OmitEmptySerializer):
    menuItemId = serializers.UUIDField(source="item.menu_item_id")
    name = serializers.CharField(source="item.display_name")
    quantity = serializers.IntegerField()
    price = Money(source="item.price")
    total = Money()
    options = OrderedOption(many=True, source="item.options", required=False, help_text="Only where some were chosen.")


class Tax(serializers.Serializer):
    rate = Money(help_text="Percent.")
    net = Money()
    tax = Money()
    gross = Money()


class BillPayment(serializers.Serializer):
    id = serializers.UUIDField()
    method = serializers.ChoiceField(Payment.Method.choices)
    amount = Money()
    tip = Money()
    at = serializers.DateTimeField(source="created_at")
    takenBy = serializers.CharField(source="taken_by_name", allow_blank=True)
    voidedAt = serializers.DateTimeField(source="voided_at", allow_null=True)
    voidedBy = serializers.CharField(source="voided_by_name", allow_blank=True)
    voidNote = serializers.CharField(source="void_note", allow_blank=True)


class AdjustedEntry(serializers.Serializer):
    orderId = serializers.UUIDField(source="item.order_id")
    position = serializers.IntegerField(source="item.position")
    quantity = serializers.IntegerField()


class BillAdjustment(OmitEmptySerializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(Adjustment.Kind.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    percent = Money(required=False)
    amount = Money(source="value", help_text="Below zero where it takes something off.")
    items = AdjustedEntry(many=True, source="items.all", required=False, help_text="Only where it is of some.")
    reason = serializers.ChoiceField(Adjustment.Reason.choices)


class PartLine(serializers.Serializer):
    orderId = serializers.UUIDField(source="item.order_id")
    position = serializers.IntegerField(source="item.position")
    name = serializers.CharField(source="item.display_name")
    quantity = serializers.CharField(help_text="A whole number, or a fraction such as `1/3`.")
    total = Money()


class PartAdjustment(serializers.Serializer):
    id = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]
    amount = Money(source="value")


class Part(OmitEmptySerializer):
    id = serializers.UUIDField(source="part.pk")
    name = serializers.CharField(source="part.name")
    items = PartLine(many=True, source="lines")
    adjustments = PartAdjustment(many=True, required=False)
    total = Money()
    taxes = Tax(many=True, source="sums.taxes")
    paid = Money()
    due = Money()


class Bill(OmitEmptySerializer):
    table = TableSummary(source="session.table")
    session = SessionSummary()
    items = BillLine(many=True, source="lines")
    subtotal = Money(source="sums.subtotal", required=False, help_text="Before adjustments; only where there are some.")
    adjustments = BillAdjustment(many=True, required=False, help_text="Only where there are some.")
    total = Money()
    taxes = Tax(many=True, source="sums.taxes", help_text="One for each rate in use, the lowest first.")
    paid = Money()
    due = Money()
    overpaid = Money(help_text="Only where more was paid than is on the bill now.", required=False)
    parts = Part(many=True, required=False, help_text="Only where the bill is divided.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        record = super().to_representation(instance)
        return {name: value for name, value in record.items() if name != "subtotal" or instance.adjustments}


class WithRounding(OmitEmptySerializer):
    rounding = Money(required=False, help_text="Of cash, to the smallest coin. Only where it is not 0.")


class WithChange(WithRounding):
    change = Money(required=False, help_text="Only for cash that was handed over.")

    def to_representation(self, instance: Payment) -> dict[str, Any]:
        record = super().to_representation(instance)
        return record if instance.change is None else {**record, "change": instance.change}


class StaffBill(Bill):
    payments = BillPayment(many=True, required=False, help_text="Only for staff, where there are some.")


class FoundBill(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table.table_number")
    sessionId = serializers.UUIDField(source="pk")
    number = serializers.IntegerField(source="bill_number", allow_null=True)
    startedAt = serializers.DateTimeField(source="started_at")
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    total = Money()
    due = Money(help_text="Below zero where more was paid.")


class FoundBills(serializers.Serializer):
    """The first 50: open ones, then the latest."""

    bills = FoundBill(many=True)


class BillNumber(OmitEmptySerializer):
    number = serializers.IntegerField(
        source="session.bill_number", read_only=True, allow_null=True, help_text="Null while nothing is on the bill."
    )
    printer = serializers.CharField(
        source="printer.name", required=False, help_text="The receipt printer that it was sent to."
    )


class TakenPayment(WithChange):
    id = serializers.UUIDField()
    method = serializers.ChoiceField(Payment.Method.choices)
    amount = Money()
    tip = Money()
    due = Money(source="due_after", help_text="Of the part that was paid, or of the bill.")


class ChangedBill(serializers.Serializer):
    """Of a payment that was voided or given back, or a change of the bill that was made or voided."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(Adjustment.Kind.choices, required=False)
    amount = Money(required=False)
    rounding = Money(required=False, help_text="As of a payment.")
    refunded = Money(required=False, help_text="Of this payment, in all.")
    total = Money(required=False, help_text="What the bill comes to now.")
    due = Money()
