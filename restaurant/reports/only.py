"""Which orders a report counts."""

from dataclasses import dataclass

from django.db.models import Q

ALL, PHONE, STAFF = CHANNELS = ("all", "phone", "staff")


@dataclass(frozen=True, slots=True)
class Only:
    """`channel`: those that guests placed on their phones (PHONE) or that staff took (STAFF); `section`: those of its
    tables. Empty for all."""

    channel: str = ""
    section: str = ""

    def __bool__(self) -> bool:
        return bool(self.channel or self.section)

    def orders(self, path: str = "") -> Q:
        """`path`: what leads to the order, such as `order__` for its lines."""
        found = self.at_tables(path)
        if self.channel:
            by_guests = Q(**{f"{path}placed_by": ""})
            found &= by_guests if self.channel == PHONE else ~by_guests
        return found

    def at_tables(self, path: str = "") -> Q:
        """Table sessions have no channel: guests and staff order in the same one."""
        return Q(**{f"{path}table__section": self.section}) if self.section else Q()


EVERY = Only()
