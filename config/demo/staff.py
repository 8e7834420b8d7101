"""The demonstration's users, with random passwords that are returned here and stored as hashes."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.utils import timezone

from config.demo import DemoStaff, DemoUser
from web import usernames

# Without l, o, 0 and 1, which are easily misread: 32 characters, five bits each.
_PASSWORD_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # noqa: S105 (what passwords are made of)

# User names in the rows of the past. The stall is the other location: nobody is told its password.
CASHIER, FLOOR, MANAGER, STALL = "cashier", "floor", "manager", "stall"

_OWNER = "Owner"
# User name, first name, last name, group (the owner needs none).
_PEOPLE = (
    (CASHIER, "Ciara", "Walsh", "Cashiers"),
    (FLOOR, "Tomas", "Novotny", "Floor"),
    (MANAGER, "Orla", "Fitzgerald", "Managers"),
    ("owner", "Matteo", "Greco", _OWNER),
)
_AT_THE_STALL = (STALL, "Niamh", "Byrne", "Cashiers")


def new_password() -> str:
    """Return sixty random bits as three groups of four characters."""
    return "-".join("".join(secrets.choice(_PASSWORD_ALPHABET) for _ in range(4)) for _ in range(3))


def hire() -> tuple[DemoStaff, list[User]]:
    """Return unsaved users. Hashing is slow on purpose: call this before a transaction."""
    users = tuple(
        DemoUser(_free_username(username), new_password(), f"{first} {last}", role)
        for username, first, last, role in _PEOPLE
    )
    with ThreadPoolExecutor() as pool:
        hashes = pool.map(make_password, [user.password for user in users])
        rows = [_row(user, password) for user, password in zip(users, hashes, strict=True)]
    return DemoStaff(users), rows


def _free_username(base: str) -> str:
    """Return a user name that nobody has yet, nor one that looks like it."""
    return next(name for name in chain([base], (f"{base}{n}" for n in count(2))) if not usernames.is_taken(name))


def _row(user: DemoUser, password_hash: str) -> User:
    first, _, last = user.name.partition(" ")
    return User(
        username=user.username,
        password=password_hash,
        first_name=first,
        last_name=last,
        is_staff=user.role in {"Managers", _OWNER},
        is_superuser=user.role == _OWNER,
    )


def store(staff: DemoStaff, rows: list[User]) -> None:
    signed_in = timezone.now()  # whoever has worked today
    for user, row in zip(staff.users, rows, strict=True):
        row.last_login = None if user.role == _OWNER else signed_in
        row.save(force_insert=True)
        if user.role != _OWNER:
            row.groups.add(Group.objects.get(name=user.role))
    username, first, last, group = _AT_THE_STALL
    at_the_stall = User(username=_free_username(username), first_name=first, last_name=last, last_login=signed_in)
    at_the_stall.set_unusable_password()
    at_the_stall.save(force_insert=True)
    at_the_stall.groups.add(Group.objects.get(name=group))
