"""LANGUAGE_CODE gives the formats of dates, numbers and money; words stay English, Django's own too."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from gettext import translation
from pathlib import Path
from runpy import run_path

import django
import pytest
from babel.dates import format_interval, format_skeleton
from django.conf import settings as django_settings
from django.contrib.admin import site as admin_site
from django.contrib.auth.models import User
from django.test import Client
from django.utils import formats
from django.utils.html import strip_tags

from restaurant.models import MenuItem
from tests.conftest import PAGE, order_body, undone
from tests.loyalty.making import make_member
from tests.restaurant.admin.pages import form_of, page_of
from tests.servers import ROOT
from web.formats import locale
from web.templatetags.money import clock, money
from web.templatetags.reports import shown

MOMENT = datetime(2026, 11, 26, 18, 5, tzinfo=UTC)
ENGLISH = {"November", "Nov", "Thursday", "Thu", "PM", "mins"}
DATES = ("DATE_FORMAT", "DATETIME_FORMAT", "TIME_FORMAT", "YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT", "SHORT_DATE_FORMAT")
DATES += ("SHORT_DATETIME_FORMAT",)
SKELETONS = ("E", "MMMd", "MMMEd", "yMMM", "yMMMd", "yMMMEd")
WRITTEN = {
    "en-gb": ("26 Nov 2026, 18:05", "26 Nov 2026", "€1,234.50", "12.5%"),
    "en-us": ("Nov 26, 2026, 6:05\u202fPM", "Nov 26, 2026", "€1,234.50", "12.5%"),
    "de": ("26.11.2026, 18:05", "26. Nov 2026", "1.234,50\xa0€", "12,5\xa0%"),
    "de-ch": ("26.11.2026, 18:05", "26. Nov 2026", "EUR\xa01’234.50", "12.5%"),
    "pt-br": ("26 Nov 2026, 18:05", "26 Nov 2026", "€\xa01.234,50", "12,5%"),
    "ar": ("26/11/2026, 6:05 PM", "26 Nov 2026", "1,234.50\xa0€", "12.5%"),
    "fa": ("26 Nov 2026, 18:05", "26 Nov 2026", "€\xa01,234.50", "12.5%"),
    "fi": ("26.11.2026, 18.05", "26.11.2026", "1\xa0234,50\xa0€", "12,5\xa0%"),
}


def test_dates_numbers_and_money_are_written_as_the_language_does(written_in):
    for language, written in WRITTEN.items():
        written_in(language)
        day = format_skeleton("yMMMd", MOMENT, locale=locale())
        found = (shown(MOMENT, "time"), day, money(Decimal("1234.5")), shown(Decimal("12.5"), "percent"))
        assert found == written, language
        assert formats.date_format(MOMENT, "DATETIME_FORMAT") == found[0]
        assert formats.number_format(Decimal("4.50")) in found[2]


@pytest.mark.slow
def test_in_every_language_words_are_english_and_digits_those_of_the_page(written_in):
    wrong = []
    for language in (*dict(django_settings.LANGUAGES), "de-ch", "en-us", "en-ca", "zh-hant-hk"):
        written_in(language)
        texts = [format_skeleton(skeleton, MOMENT, locale=locale()) for skeleton in SKELETONS]
        texts += [formats.date_format(MOMENT, pattern) for pattern in DATES]
        texts += [shown(MOMENT, "time"), shown(5, "minutes"), clock(MOMENT), formats.number_format(Decimal("1234.5"))]
        texts.append(format_interval(date(2026, 11, 3), date(2026, 11, 26), "yMMMd", locale=locale()))
        words = {word for text in texts for word in re.findall(r"[^\W\d_]+", text)}
        digits = {character for text in texts for character in text if character.isdigit()}
        if words - ENGLISH or not all(digit.isascii() for digit in digits):
            wrong.append((language, words - ENGLISH, digits))
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "en"),
        ("DE-ch", "en"),
        ("udm", "en"),
        ("en-us", "en-us"),
        ("en-gb", "en-gb"),
        ("en-ca", "en"),
    ],
)
def test_every_language_is_taken_for_formats_and_english_alone_for_words(monkeypatch, language, words):
    monkeypatch.setenv("LANGUAGE_CODE", language)
    made = run_path(str(ROOT / "config" / "settings.py"))
    assert (made["FORMAT_LANGUAGE"], made["LANGUAGE_CODE"]) == (language.lower(), words)


# --- on pages ---------------------------------------------------------------------------------------

PACKAGES = ("django/conf", "django/contrib/admin", "django/contrib/auth", "rest_framework", "axes")


@pytest.fixture
def owner(db) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(User.objects.create_superuser("owner"))
    return client


def german() -> set[str]:
    """What Django and the packages say in German, where it is not what they say in English."""
    found = set()
    for package in PACKAGES:
        catalogue = translation("django", Path(django.__file__).parents[1] / package / "locale", ["de"])._catalog
        english = {(key[0] if isinstance(key, tuple) else key).casefold() for key in catalogue}
        words = (entry for entry in catalogue.values() if len(entry) > 5 and "%" not in entry)
        found |= {word for word in words if word.casefold() not in english}
    return found - {"Filter"}  # the same in English


def pages_of_guests(session, soup, api) -> list[str]:
    order = api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]
    cart = f"/table/7/cart?sessionId={session.pk}"
    public = ["/table/7", cart, f"/table/7/dishes/{soup.pk}", f"/orders/{order}", "/table/7/bill", "/table/8"]
    return [*public, f"/member/{make_member().pk}", "/signup", "/member-sign-in", "/sign-in", "/nowhere"]


STAFF = [
    "/",
    "/floor",
    "/floor/tables/7",
    "/floor/tables/7/order",
    "/floor/plan",
    "/till",
    "/kitchen",
    "/menu/availability",
    "/staff",
    "/setup",
    "/password",
    "/tables/print",
    "/reports",
    "/reports/restaurant",
    "/reports/restaurant/day",
    "/reports/restaurant/peak-hours",
    "/reports/restaurant/menu",
    "/reports/loyalty",
    "/reports/loyalty/segments",
    "/api/docs",
]


@pytest.mark.slow
def test_no_page_has_german_words_where_the_formats_are_german(written_in, owner, session, soup, api):
    written_in("de")
    guest = Client(headers={"accept": PAGE})
    responses = {path: guest.get(path) for path in pages_of_guests(session, soup, api)}
    responses["a refused sign-in"] = guest.post("/sign-in", {"username": "x", "password": "y"})
    admin = [f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin_site._registry]
    forms = ["/admin/restaurant/menuitem/add/", "/admin/auth/user/add/", "/admin/loyalty/member/add/"]
    changes = [f"/admin/restaurant/menuitem/{soup.pk}/change/", f"/admin/restaurant/menuitem/{soup.pk}/history/"]
    for path in (*STAFF, "/admin/", *admin, *forms, *changes):
        responses[path] = owner.get(path, follow=True)
    responses["a refused dish"] = owner.post(forms[0], {"name": "", "price": "x", "sold_out_until": "x"})
    words = german()
    assert "Passwort" in words
    wrong = {}
    for path, response in responses.items():
        text = strip_tags(response.content.decode())
        found = {word for word in words if word in text and re.search(rf"\b{re.escape(word)}\b", text)}
        if found or '<html lang="en"' not in response.content.decode():
            wrong[path] = (response.status_code, found)
    assert wrong == {}
    assert {response.status_code for response in responses.values()} <= {200, 404}
    assert "9,50\xa0€" in responses["/table/7"].content.decode()


# --- in fields --------------------------------------------------------------------------------------


def save(client: Client, item: MenuItem, **values: str):
    return client.post(page_of(item), form_of(client, page_of(item)) | values)


REFUSED = "9.50"  # as before
TYPED = [
    ("de", "58,20", "58.20"), ("de", "58.20", "58.20"), ("de", " 58,2 ", "58.20"), ("de", "1.234", REFUSED),
    ("de", "1.234,50", REFUSED), ("en-gb", "58.20", "58.20"), ("en-gb", "58,20", "58.20"), ("en-gb", "1,234", REFUSED),
    ("fa", "۵۸٫۲۰", "58.20"), ("ar", "٥٨٫٢٠", "58.20"), ("de", "", REFUSED), ("de", "-1,00", REFUSED),
]  # fmt: skip


@pytest.mark.slow
def test_a_price_is_typed_with_a_point_or_a_comma(written_in, owner, soup):
    for language, typed, stored in TYPED:
        written_in(language)
        with undone():
            save(owner, soup, price=typed)
            assert str(MenuItem.objects.get().price) == stored, (language, typed)


def test_numbers_in_fields_are_shown_as_elsewhere_and_saved_again_as_they_are(written_in, owner, table, soup):
    written_in("de")
    save(owner, soup, price="58,20", vat_rate="7,5", cost="12.30")
    form = form_of(owner, page_of(soup))
    assert (form["price"], form["vat_rate"], form["cost"]) == ("58,20", "7,50", "12,30")
    save(owner, soup, description="Warm")
    soup.refresh_from_db()
    assert (str(soup.price), str(soup.vat_rate), str(soup.cost)) == ("58.20", "7.50", "12.30")
    assert "58,20\xa0€" in Client().get("/table/7", headers={"accept": PAGE}).content.decode()
