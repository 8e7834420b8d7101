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
        """A line for each: user name, password, who it is. The passwords are readable here, and nowhere else."""
        width = max(len(user.username) for user in self.users)
        return "\n".join(f"{user.username:<{width}}  {user.password}  {user.name} ({user.role})" for user in self.users)


@dataclass(frozen=True, slots=True)
class DemoCard:
    """A member's card to look at. `sign_in_address` opens it as that member, once, within the hour."""

    name: str
    address: str
    sign_in_address: str = field(repr=False)


def load(progress: bool = True) -> DemoStaff | None:
    """Load it, and return the new users with their passwords, which are stored as hashes only.

    None, and nothing is changed, if the database is not empty. A load that is interrupted leaves nothing behind.
    Not to be called inside a transaction. Raises qrservice.gateway.QRServiceError.
    """
    from config.demo import loading

    return loading.load(progress=progress)


def card() -> DemoCard | None:
    """The card that shows most; None where the demonstration is not loaded, or its member is there no more."""
    from config.demo import showcase

    return showcase.card()
