"""The demonstration's users, with random passwords of which only hashes are stored."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, count

from django.contrib.auth.models import Group, User
from django.utils import timezone

from config.services import passwords
from web import usernames

# User names in the rows of the past.
CASHIER, FLOOR, MANAGER, STALL = "cashier", "floor", "manager", "stall"

OWNER = "Owner"  # in place of a group
# User name, first name, last name, group.
_STAFF = (
    (CASHIER, "Ciara", "Walsh", "Cashiers"),
    (FLOOR, "Tomas", "Novotny", "Floor"),
    (MANAGER, "Orla", "Fitzgerald", "Managers"),
    ("owner", "Matteo", "Greco", OWNER),
    (STALL, "Niamh", "Byrne", "Cashiers"),
)


@dataclass(frozen=True, slots=True)
class Account:
    """A new user with the password, None for one who only worked in the past. `str` shows it, `repr` does not."""

    user: User
    group: str
    password: str | None = field(repr=False)

    def __str__(self) -> str:
        return f"{self.user.username:<7}  {self.password}  {self.user.get_full_name()} ({self.group})"


def hire() -> list[Account]:
    """Return unsaved users. Hashing is slow on purpose: call this before a transaction."""
    accounts = [_account(*person) for person in _STAFF]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda account: account.user.set_password(account.password), accounts))
    return accounts


def _account(username: str, first_name: str, last_name: str, group: str) -> Account:
    is_owner = group == OWNER
    user = User(
        username=_free_username(username),
        first_name=first_name,
        last_name=last_name,
        is_staff=is_owner or group == "Managers",
        is_superuser=is_owner,
        last_login=None if is_owner else timezone.now(),  # the others have worked today
    )
    return Account(user, group, None if username == STALL else passwords.generate())


def _free_username(base: str) -> str:
    """Return a user name that nobody has yet, nor one that looks like it."""
    return next(name for name in chain([base], (f"{base}{n}" for n in count(2))) if not usernames.is_taken(name))


def store(accounts: Sequence[Account]) -> None:
    for account in accounts:
        account.user.save(force_insert=True)
        if account.group != OWNER:
            account.user.groups.add(Group.objects.get(name=account.group))
