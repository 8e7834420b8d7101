"""What a code is for, in a manager's words. Which page a target opens, only the whole project knows: it tells here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True, slots=True)
class Purpose:
    """`name` such as "Table 7"; `opens`: the page that a guest gets; `row`: what the code belongs to, if it exists.

    `state`: what became of a code that can be used once, and `is_over`: it can't be used any more.
    `note`: what lists tell in place of `opens` where that is the same for all; None: nothing better.
    `print_url`: the page of its card, for codes that are printed."""

    name: str
    opens: str
    row: Model | None = None
    state: str = ""
    is_over: bool = False
    note: str | None = None
    print_url: str = ""


# From targets to the purposes of those that are known.
Reader = Callable[[Sequence[str]], Mapping[str, Purpose]]
_readers: list[Reader] = []


def register(reader: Reader) -> None:
    _readers[:] = [reader]


def of(targets: Sequence[str]) -> dict[str, Purpose]:
    return {target: purpose for reader in _readers for target, purpose in reader(targets).items()}
