"""Which orders a report counts."""

from dataclasses import dataclass

from django.db.models import Q

ALL, PHONE, STAFF = CHANNELS = ("all", "phone", "staff")


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """`channel`: PHONE for orders that guests placed, STAFF for those that staff took, or empty for both.

    `section`: that of the tables; empty for all.
    """

    channel: str = ""
    section: str = ""

    def __bool__(self) -> bool:
        return bool(self.channel or self.section)

    def of_orders(self, path: str = "") -> Q:
        """`path`: what leads to the order, such as `order__` for its lines."""
        query = Q(**{f"{path}table__section": self.section}) if self.section else Q()
        if self.channel:
            by_guests = Q(**{f"{path}placed_by": ""})
            query &= by_guests if self.channel == PHONE else ~by_guests
        return query

    def of_sessions(self) -> Q:
        """Table sessions have no channel: guests and staff order in the same one."""
        return Q(table__section=self.section) if self.section else Q()


ALL_ORDERS = OrderFilter()
