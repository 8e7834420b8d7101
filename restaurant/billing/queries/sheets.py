"""What a bill, or a part of it, has on pages, on paper and in mails."""

from dataclasses import dataclass
from decimal import Decimal

from restaurant.billing.models import Payer, Payment, Refund
from restaurant.billing.queries import Bill, BillLine, Part, PartAdjustment, PartLine, bill_of
from restaurant.billing.sums import Sums
from restaurant.ordering.models import TableSession


@dataclass(frozen=True, slots=True)
class Sheet:
    """A bill, or a part of it, as it is on paper."""

    bill: Bill
    part: Part | None = None
    payer: Payer | None = None

    @property
    def number(self) -> str:
        """`12`, of a part `12-2`; empty where the bill has none yet, because nobody has printed or paid it."""
        number = self.bill.session.bill_number
        if number is None or self.part is None:
            return str(number or "")
        return f"{number}-{self.part.part.position + 1}"

    @property
    def url(self) -> str:
        page = self.bill.receipt_url
        return f"{page}&partId={self.part.part.pk}" if self.part else page

    @property
    def lines(self) -> list[BillLine] | list[PartLine]:
        return self.part.lines if self.part else self.bill.lines

    @property
    def sums(self) -> Sums:
        return (self.part or self.bill).sums

    @property
    def adjustments(self) -> list[PartAdjustment]:
        return (
            self.part.adjustments if self.part else [PartAdjustment(each, each.value) for each in self.bill.adjustments]
        )

    @property
    def payments(self) -> list[Payment]:
        """Those that stand. What was paid without naming a part is on the receipt of the whole bill alone."""
        return [each for each in self.bill.standing if self.part is None or each.part_id == self.part.part.pk]

    @property
    def refunds(self) -> list[Refund]:
        paid = {each.pk for each in self.payments}
        return [each for each in self.bill.refunds if each.payment_id in paid]

    @property
    def paid(self) -> Decimal:
        return (self.part or self.bill).paid

    @property
    def due(self) -> Decimal:
        return (self.part or self.bill).due

    @property
    def is_paid(self) -> bool:
        return bool(self.paid) and not self.due


def sheet_of(session: TableSession, part_id: str | None = None) -> Sheet:
    """Return the sheet of a bill, or of this part of it, with the payer it is made out to. Raises PartUnknown."""
    bill = bill_of(session)
    part = bill.part(part_id) if part_id else None
    payers = Payer.objects.filter(session=session, part=part.part if part else None)
    return Sheet(bill, part, payers.order_by("at", "pk").last())
