"""The demonstration restaurant: a name, a menu, tables, members and a believable past (`load_demo`).

`serve` imports this package before there are any settings; what needs the models is imported when it is called.
"""

from dataclasses import dataclass, field

from config.demo.place import VENUE_NAME

__all__ = ["VENUE_NAME", "DemoCard", "DemoStaff", "DemoUser", "card", "load"]


@dataclass(frozen=True, slots=True)
class DemoUser:
    username: str
    password: str = field(repr=False)
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class DemoStaff:
    users: tuple[DemoUser, ...]

    def __str__(self) -> str:
        """A line per user: user name, password, full name and role. The only place that shows the passwords."""
        width = max(len(user.username) for user in self.users)
        return "\n".join(f"{user.username:<{width}}  {user.password}  {user.name} ({user.role})" for user in self.users)


@dataclass(frozen=True, slots=True)
class DemoCard:
    """A member's card. `sign_in_address` opens it as that member, once, within the hour."""

    name: str
    address: str
    sign_in_address: str = field(repr=False)


def load(progress: bool = True) -> DemoStaff | None:
    """Load it, and return the new users with their passwords, of which only hashes are stored.

    Returns None, and changes nothing, if the database is not empty. An interrupted load leaves nothing behind. Must not
    be called inside a transaction. Raises qrservice.gateway.QRServiceError.
    """
    from config.demo import loading

    return loading.load(progress=progress)


def card() -> DemoCard | None:
    """Return the member's card that shows most; None if the demonstration is not loaded or the member is gone."""
    from config.demo import example_member

    return example_member.card()
