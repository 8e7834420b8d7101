"""LANGUAGE_CODE gives the formats of dates, numbers and money."""

from datetime import UTC, datetime
from decimal import Decimal
from runpy import run_path

import pytest
from babel.dates import format_skeleton
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import formats, translation

from restaurant.models import MenuItem
from tests.conftest import PAGE, undone
from tests.restaurant.admin.pages import form_of, page_of
from tests.servers import ROOT
from web.formats import listed, locale
from web.templatetags.moments import whole_moment
from web.templatetags.money import money
from web.templatetags.reports import shown

MOMENT = datetime(2026, 11, 26, 18, 5, tzinfo=UTC)
WRITTEN = {
    "en": ("Nov 26, 2026, 6:05\u202fPM", "Nov 26, 2026", "€1,234.50", "12.5%"),
    "en-gb": ("26 Nov 2026, 18:05", "26 Nov 2026", "€1,234.50", "12.5%"),
    "en-us": ("Nov 26, 2026, 6:05\u202fPM", "Nov 26, 2026", "€1,234.50", "12.5%"),
    "en-de": ("26 Nov 2026, 18:05", "26 Nov 2026", "1.234,50\xa0€", "12,5\xa0%"),
    "en-ch": ("26 Nov 2026, 18:05", "26 Nov 2026", "€\xa01’234.50", "12.5%"),
    "en-fi": ("26 Nov 2026, 18.05", "26 Nov 2026", "1\xa0234,50\xa0€", "12,5\xa0%"),
}


def test_dates_numbers_and_money_are_written_as_the_language_does(written_in):
    for language, written in WRITTEN.items():
        written_in(language)
        day = format_skeleton("yMMMd", MOMENT, locale=locale())
        found = (shown(MOMENT, "time"), day, money(Decimal("1234.5")), shown(Decimal("12.5"), "percent"))
        assert found == written, language
        assert formats.date_format(MOMENT, "DATETIME_FORMAT") == found[0]
        assert formats.number_format(Decimal("4.50")) in found[2]


def test_lists_days_and_prices_are_those_of_each_language_that_guests_read():
    written = {
        "it": ("milk, nuts", "26 novembre 2026, 18:05", "12,50\xa0€"),
        "pt": ("milk, nuts", "26 de novembro de 2026, 18:05", "12,50\xa0€"),
        "uk": ("milk, nuts", "26 листопада 2026\u202fр., 18:05", "12,50\xa0€"),
        "ar": ("milk، nuts", "26 نوفمبر 2026، 6:05 م", "\u200f12.50\xa0€"),
        "ja": ("milk、nuts", "2026年11月26日 18:05", "€12.50"),
    }
    found = {}
    for language in written:
        with translation.override(language):
            found[language] = (listed(["milk", "nuts"]), whole_moment(MOMENT), money(Decimal("12.5")))
    assert found == written


@pytest.mark.parametrize(("language", "is_known"), [("EN-dk", True), ("en-us", True), ("en", True), ("sv", False)])
def test_a_language_that_is_complete_is_taken_with_any_country(monkeypatch, language, is_known):
    monkeypatch.setenv("LANGUAGE_CODE", language)
    if is_known:
        assert run_path(str(ROOT / "config" / "settings.py"))["LANGUAGE_CODE"] == language.lower()
    else:
        with pytest.raises(ImproperlyConfigured, match="alone or with a country"):
            run_path(str(ROOT / "config" / "settings.py"))


def test_a_day_is_typed_as_the_country_writes_it(written_in):
    for language, typed in (("en-us", "%m/%d/%Y"), ("en-dk", "%d/%m/%Y")):
        written_in(language)
        assert typed in formats.get_format("DATE_INPUT_FORMATS")


# --- in fields --------------------------------------------------------------------------------------


@pytest.fixture
def owner(db) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(User.objects.create_superuser("owner"))
    return client


def save(client: Client, item: MenuItem, **values: str):
    return client.post(page_of(item), form_of(client, page_of(item)) | values)


REFUSED = "9.50"  # as before
TYPED = [
    ("en-de", "58,20", "58.20"), ("en-de", "58.20", "58.20"), ("en-de", " 58,2 ", "58.20"), ("en-de", "1.234", REFUSED),
    ("en-de", "1.234,50", REFUSED), ("en-gb", "58.20", "58.20"), ("en-gb", "58,20", "58.20"),
    ("en-gb", "1,234", REFUSED), ("en-gb", "٥٨٫٢٠", "58.20"), ("en-de", "", REFUSED), ("en-de", "-1,00", REFUSED),
]  # fmt: skip


@pytest.mark.slow
def test_a_price_is_typed_with_a_point_or_a_comma(written_in, owner, soup):
    for language, typed, stored in TYPED:
        written_in(language)
        with undone():
            save(owner, soup, price=typed)
            assert str(MenuItem.objects.get().price) == stored, (language, typed)


def test_numbers_in_fields_are_shown_as_elsewhere_and_saved_again_as_they_are(written_in, owner, table, soup):
    written_in("en-de")
    save(owner, soup, price="58,20", vat_rate="7,5", cost="12.30")
    form = form_of(owner, page_of(soup))
    assert (form["price"], form["vat_rate"], form["cost"]) == ("58,20", "7,50", "12,30")
    save(owner, soup, description="Warm")
    soup.refresh_from_db()
    assert (str(soup.price), str(soup.vat_rate), str(soup.cost)) == ("58.20", "7.50", "12.30")
    assert "58,20\xa0€" in Client().get("/table/7", headers={"accept": PAGE}).content.decode()
