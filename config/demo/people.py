"""The guests: members' names, and the phones and cities of those who scan, from `people.json`."""

import json
import random
from pathlib import Path

_PEOPLE = json.loads(Path(__file__).with_name("people.json").read_text(encoding="utf-8"))

FIRST_NAMES: list[str] = _PEOPLE["first_names"]
LAST_NAMES: list[str] = _PEOPLE["last_names"]
# How often each is chosen against the others. Unknown cities are empty; the till has a tablet and a phone.
DEVICES: dict[str, int] = _PEOPLE["devices"]
TILL_DEVICES: dict[str, int] = _PEOPLE["till_devices"]
CITIES: dict[tuple[str, str], int] = {(city, country): weight for city, country, weight in _PEOPLE["cities"]}


def names(rng: random.Random, count: int) -> list[str]:
    """Return `count` different names."""
    return rng.sample([f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES], count)


def email_of(name: str) -> str:
    """Return an address that can belong to nobody (RFC 2606)."""
    return name.lower().replace("'", "").replace(" ", ".") + "@example.com"


def phone(rng: random.Random) -> str:
    """Return for half of the people a number from the range reserved for fiction, "" for the others."""
    return f"+353 20 91{rng.randrange(10)} {rng.randrange(10_000):04}" if rng.random() < 0.5 else ""
