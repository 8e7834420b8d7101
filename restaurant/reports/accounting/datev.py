"""Bookings as a booking batch of DATEV: EXTF, version 700, format 13, as developer.datev.de publishes it."""

from datetime import date, datetime

from django.conf import settings
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from restaurant.billing.models import Account, Accountant
from restaurant.reports.accounting import Accounts, Booking, percent

ENCODING = "cp1252"
COLUMNS = [
    "Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz", "WKZ Basis-Umsatz",
    "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1", "Belegfeld 2", "Skonto",
    "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank", "Sachverhalt", "Zinssperre",
    "Beleglink",
    *(f"Beleginfo - {part} {number}" for number in range(1, 9) for part in ("Art", "Inhalt")),
    "KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge", "EU-Land u. UStID (Bestimmung)",
    "EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart", "Sachverhalt L+L", "Funktionsergänzung L+L",
    "BU 49 Hauptfunktionstyp", "BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung",
    *(f"Zusatzinformation{part} {number}" for number in range(1, 21) for part in (" - Art", "- Inhalt")),
    "Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp",
    "Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)",
    "Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz",
    "Buchungs GUID", "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername", "Beteiligtennummer",
    "Identifikationsnummer", "Zeichnernummer", "Postensperre bis", "Bezeichnung SoBil-Sachverhalt",
    "Kennzeichen SoBil-Buchung", "Festschreibung", "Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit",
    "Generalumkehr (GU)", "Steuersatz", "Land", "Abrechnungsreferenz", "BVV-Position",
    "EU-Land u. UStID (Ursprung)", "EU-Steuersatz (Ursprung)", "Abw. Skontokonto",
]  # fmt: skip


class _Text(str):
    """A value in quotation marks, which numbers and dates are without."""


def batch(booked: list[Booking], first: date, last: date, *, now: datetime) -> bytes:
    """Return the file. Raises ValidationError where something that DATEV needs is not entered in the admin."""
    accountant, accounts = Accountant.objects.first(), Accounts()
    if accountant is None:
        raise ValidationError({"as": _("Please enter the accountant's numbers in the admin first.")})
    year = _year_of(first, accountant)
    if year != _year_of(last, accountant):
        raise ValidationError({"to": _("These days are in two financial years. Please download them separately.")})
    rows: list[list[object]] = [_header(accountant, year, first, last, now), [*COLUMNS]]
    rows += [_row(booking, accounts) for booking in booked]
    return "".join(map(_line, rows)).encode(ENCODING, "replace")


def _year_of(day: date, accountant: Accountant) -> date:
    begins = date(day.year, accountant.year_begins, 1)
    return begins if begins <= day else begins.replace(year=day.year - 1)


def _header(accountant: Accountant, year: date, first: date, last: date, now: datetime) -> list[object]:
    days = [f"{day:%Y%m%d}" for day in (year, first, last)]
    created = f"{now:%Y%m%d%H%M%S}{now.microsecond // 1000:03}"
    name = _Text(f"Kasse {first:%d.%m.%Y}")
    return [
        _Text("EXTF"), 700, 21, _Text("Buchungsstapel"), 13, created, "", _Text("RE"), _Text(""), _Text(""),
        accountant.consultant, accountant.client, days[0], accountant.digits, days[1], days[2], name, _Text(""), 1, 0,
        0, _Text(settings.CURRENCY), "", _Text(""), "", "", _Text(""), "", "", _Text(""), _Text(""),
    ]  # fmt: skip


def _row(booking: Booking, accounts: Accounts) -> list[object]:
    debit, credit = (_number(accounts.of(kind, booking.rate)) for kind in (booking.debit, booking.credit))
    text = " / ".join(str(capfirst(Account.Kind(kind).label)) for kind in (booking.debit, booking.credit))
    values: dict[str, object] = {
        "Umsatz (ohne Soll/Haben-Kz)": f"{booking.amount:.2f}".replace(".", ","),
        "Soll/Haben-Kennzeichen": _Text("S"),
        "WKZ Umsatz": _Text(settings.CURRENCY),
        "Konto": debit,
        "Gegenkonto (ohne BU-Schlüssel)": credit,
        "Belegdatum": f"{booking.day:%d%m}",
        "Belegfeld 1": _Text(f"{booking.day:%Y%m%d}"),
        "Buchungstext": _Text(Truncator(text + percent(booking.rate)).chars(60)),
    }
    return [values.get(column, "") for column in COLUMNS]


def _number(account: Account) -> str:
    if not account.number:
        sentence = _("Please enter an account for %(kind)s in the admin first.")
        raise ValidationError({"as": sentence % {"kind": account.get_kind_display()}})
    return account.number


def _line(values: list[object]) -> str:
    cells = ('"{}"'.format(value.replace('"', '""')) if isinstance(value, _Text) else str(value) for value in values)
    return ";".join(cells) + "\r\n"
