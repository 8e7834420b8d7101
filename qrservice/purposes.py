"""The purposes of codes, in a manager's words. `config` knows the pages of all apps, and registers the reader here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True, slots=True)
class Purpose:
    """`name` is such as "Table 7", `opens` the guest's page, and `row` the object that the code belongs to.

    `state` and `is_over` are those of a code that can be used once. Lists show `note` in place of `opens`, unless it is
    None. `print_url` is the page of its printed card.
    """

    name: str
    opens: str
    row: Model | None = None
    state: str = ""
    is_over: bool = False
    note: str | None = None
    print_url: str = ""


# Returns the known purposes by target.
Reader = Callable[[Sequence[str]], Mapping[str, Purpose]]
_readers: list[Reader] = []


def register(reader: Reader) -> None:
    _readers[:] = [reader]


def of(targets: Sequence[str]) -> dict[str, Purpose]:
    return {target: purpose for reader in _readers for target, purpose in reader(targets).items()}
