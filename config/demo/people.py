"""The guests: members' names, and the phones and cities of those who scan."""

import random

FIRST_NAMES = (
    "Aoife", "Ciara", "Niamh", "Saoirse", "Orla", "Roisin", "Grace", "Emma", "Lucy", "Hannah", "Sofia", "Marta",
    "Elena", "Chiara", "Zofia", "Agnieszka", "Ines", "Amara", "Priya", "Mei", "Yasmin", "Leila", "Sean", "Conor",
    "Cian", "Oisin", "Darragh", "Eoin", "Declan", "Fionn", "Jack", "Daniel", "Thomas", "Adam", "Luca", "Matteo",
    "Pawel", "Tomas", "Andrei", "Rui", "Kwame", "Arjun", "Wei", "Omar", "Samir", "Jonas",
)  # fmt: skip

LAST_NAMES = (
    "Murphy", "Kelly", "Byrne", "Ryan", "O'Brien", "Walsh", "O'Connor", "Doyle", "McCarthy", "Gallagher", "Doherty",
    "Kennedy", "Lynch", "Murray", "Quinn", "Moore", "McLoughlin", "Carroll", "Connolly", "Daly", "Wilson", "Dunne",
    "Brennan", "Burke", "Collins", "Clarke", "Nolan", "Keane", "Hughes", "Power", "Whelan", "Fitzgerald", "Rossi",
    "Ferrari", "Greco", "Nowak", "Kowalska", "Silva", "Santos", "Garcia", "Navarro", "Popescu", "Novotny", "Okafor",
    "Mensah", "Sharma", "Nair", "Chen", "Tanaka", "Haddad", "Rahman", "Lindqvist", "Weber", "Fournier",
)  # fmt: skip

DEVICES = {"iOS": 540, "Android": 390, "iOS (iPad)": 30, "macOS": 14, "Windows": 14, "Linux": 4, "other": 8}
# The tablet and the phone at the till that scan members' cards.
TILL_DEVICES = {"iOS (iPad)": 4, "Android": 1}

# Unknown cities are empty.
CITIES = {
    ("Dublin", "Ireland"): 64,
    ("Dún Laoghaire", "Ireland"): 9,
    ("Bray", "Ireland"): 6,
    ("Swords", "Ireland"): 5,
    ("Galway", "Ireland"): 3,
    ("Cork", "Ireland"): 3,
    ("Belfast", "United Kingdom"): 2,
    ("London", "United Kingdom"): 3,
    ("Lisbon", "Portugal"): 1,
    ("", ""): 4,
}


def names(rng: random.Random, count: int) -> list[str]:
    """Return `count` different names."""
    return rng.sample([f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES], count)


def email_of(name: str) -> str:
    """Return an address that can belong to nobody (RFC 2606)."""
    return name.lower().replace("'", "").replace(" ", ".") + "@example.com"


def phone(rng: random.Random) -> str:
    """Return for half of the people a number from the range reserved for fiction, "" for the others."""
    return f"+353 20 91{rng.randrange(10)} {rng.randrange(10_000):04}" if rng.random() < 0.5 else ""
