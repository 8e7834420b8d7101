"""Bills and payments."""

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from restaurant.billing.models import Payment
from restaurant.ordering.serializers.orders import OrderedOption
from restaurant.ordering.serializers.sessions import SessionIdentifier, SessionSummary
from restaurant.tables.serializers.tables import TableSummary
from web.fields import AmountField, Money, OmitEmptySerializer, Text

METHODS = dict(Payment.Method.choices)
_NOT_A_METHOD = gettext_lazy("Please say how it is paid: %(all)s.") % {"all": ", ".join(METHODS)}
PAPERS = ("80mm", "a4")
MAX_TIP = Decimal("99999999.99")

# --- requests -----------------------------------------------------------------------------------------


class PaymentBody(serializers.Serializer):
    # Without it: the table's open session.
    sessionId = SessionIdentifier(required=False, default=None, source="session_id")
    method = serializers.ChoiceField(
        Payment.Method.choices,
        error_messages=dict.fromkeys(("required", "null", "invalid_choice"), _NOT_A_METHOD),
    )
    # Without it: what is due.
    amount = AmountField(required=False, allow_null=True, default=None)
    tip = AmountField(required=False, allow_null=True, default=None)

    def validate_amount(self, amount: Decimal | None) -> Decimal | None:
        if amount is not None and not amount:
            raise serializers.ValidationError(_("An amount above 0 is needed."))
        return amount

    def validate_tip(self, tip: Decimal | None) -> Decimal:
        if tip and tip > MAX_TIP:
            raise serializers.ValidationError(_("A tip can be at most %(most)s.") % {"most": f"{MAX_TIP:,}"})
        return tip or Decimal("0.00")


class PrintBody(serializers.Serializer):
    # Without it: the table's open session.
    sessionId = SessionIdentifier(required=False, default=None, source="session_id")
    paper = serializers.ChoiceField(PAPERS, required=False, default=PAPERS[0])


class VoidBody(serializers.Serializer):
    note = Text(max_length=200, allow_blank=True, allow_null=True, default="")


# --- responses ----------------------------------------------------------------------------------------


class BillLine(OmitEmptySerializer):
    menuItemId = serializers.UUIDField(source="menu_item_id")
    name = serializers.CharField()
    quantity = serializers.IntegerField()
    price = Money()
    total = Money()
    options = OrderedOption(many=True, required=False, help_text="Only where some were chosen.")


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


class Bill(OmitEmptySerializer):
    table = TableSummary(source="session.table")
    session = SessionSummary()
    items = BillLine(many=True, source="lines")
    total = Money()
    taxes = Tax(many=True, help_text="One for each rate in use, the lowest first.")
    paid = Money()
    due = Money()
    overpaid = Money(help_text="Only where more was paid than is on the bill now.", required=False, read_only=False)


class StaffBill(Bill):
    payments = BillPayment(many=True, required=False, help_text="Only for staff, where there are some.")


class BillNumber(serializers.Serializer):
    number = serializers.IntegerField(
        source="bill_number", allow_null=True, help_text="Null while nothing is on the bill."
    )


class TakenPayment(serializers.Serializer):
    id = serializers.UUIDField()
    method = serializers.ChoiceField(Payment.Method.choices)
    amount = Money()
    tip = Money()
    due = Money(source="due_after")


class VoidedPayment(serializers.Serializer):
    id = serializers.UUIDField()
    due = Money()
