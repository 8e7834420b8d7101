"""In a language of the test's own every message is marked: whatever else stands on a page is not translated."""

import re
from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from babel import Locale
from babel.messages import Catalog, mofile
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from django.utils.translation import trans_real
from lxml import html

from config.management.commands.messages import extracted, is_of_guests
from restaurant.models import MenuItem, Order, Table, TableSession
from tests.conftest import PAGE, make_reward
from tests.loyalty.making import enrol, make_location
from tests.servers import ROOT
from web import languages

MANX = "gv"  # Babel knows it, Django and its packages have no words in it
SPOKEN = ("aria-label", "title", "placeholder", "alt")
SILENT = ("script", "style", "svg", "time", "code", "kbd", "head")
NOBODYS = ("/signup", "/member-sign-in", "/sign-in")  # of phones without a card
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} |[A-Z][a-z]+ [a-z]{2,}|⟦")
APPS = ("auth", "config", "loyalty", "qrservice", "restaurant")


@pytest.fixture
def marked_for(tmp_path, settings, monkeypatch) -> Iterator:
    """Has pages in Manx, whose catalogue has every message, or guests' alone, between marks."""

    def mark(*, guests: bool) -> None:
        catalogue = Catalog(locale=MANX, fuzzy=False)
        for message in extracted(ROOT):
            if message.id and (is_of_guests(message) or not guests):
                texts = message.id if isinstance(message.id, tuple) else (message.id,)
                forms = [f"⟦{text}⟧" for text in texts] + [f"⟦{texts[-1]}⟧"] * 2
                marked = tuple(forms[: catalogue.num_plurals]) if len(texts) > 1 else forms[0]
                catalogue.add(message.id, marked, context=message.context)
        folder = tmp_path / MANX / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "django.mo").open("wb") as file:
            mofile.write_mo(file, catalogue)
        settings.LOCALE_PATHS = [tmp_path]
        settings.LANGUAGE_CODE = MANX
        for name in ("FOR_GUESTS", "FOR_STAFF"):
            monkeypatch.setattr(languages, name, [MANX])
        monkeypatch.setitem(languages.NAMES, MANX, "⟦Gaelg⟧")
        trans_real._translations.clear()
        trans_real._default = None

    yield mark
    trans_real._translations.clear()
    trans_real._default = None


def words_of_data() -> set[str]:
    """Return the words that are stored, of which pages may show any."""
    locale = Locale(MANX)
    calendar = [*locale.months["format"].values(), *locale.days["format"].values(), locale.day_periods]
    # Weekdays that Django writes are English where it has no others.
    found = {"regulars", "details", "door", "wall", "window", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}
    found |= {word for names in calendar for name in names.values() for word in words_in(str(name))}
    for model in (model for app in APPS for model in apps.get_app_config(app).get_models()):
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField | JSONField) and not field.choices:
                for value in model._default_manager.values_list(field.attname, flat=True)[:5000]:
                    found |= set(words_in(str(value)))
    return found


def words_in(text: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)]


def unmarked(page: bytes, known: set[str]) -> set[str]:
    """Return the texts that have words which are neither translated nor stored."""
    tree = html.fromstring(page.decode())
    for silent in tree.xpath("|".join(f"//{name}" for name in SILENT)):
        silent.drop_tree()
    # A message may go on in another element: its marks are looked for in all of the page.
    texts = without_marks("\n".join(tree.itertext())).splitlines()
    for element in tree.iter("*"):
        spoken = [element.get(name, "") for name in SPOKEN]
        spoken += [value for name, value in element.items() if name.startswith("data-") and SENTENCE.search(value)]
        texts += map(without_marks, spoken)
    return {text.strip() for text in texts if set(words_in(text)) - known}


def without_marks(text: str) -> str:
    before = ""
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", "", text)
    return text


def offenders(client: Client, pages: list[str]) -> dict[str, set[str]]:
    known, wrong = words_of_data(), {}
    for path in pages:
        response = (Client() if path in NOBODYS else client).get(path, headers={"accept": PAGE})
        assert response.status_code in (200, 302, 400, 403, 404, 409, 410), (path, response.status_code)
        if response.status_code == 302:
            response = client.get(path, headers={"accept": PAGE}, follow=True)
        if found := unmarked(response.content, known):
            wrong[path] = found
    return wrong


def test_guests_pages_have_no_word_that_is_not_translated(demo, marked_for):
    phone, member = enrol()
    reward, location = make_reward(), make_location()
    session = TableSession.objects.filter(total_orders__gt=0).first()
    number = session.table.table_number
    pages = ["/", "/nowhere", "/q/NOTHING7", "/signup", "/member-sign-in", "/rewards", f"/table/{number}"]
    pages += [f"/table/{number}/dishes/{item.pk}" for item in MenuItem.objects.filter(available=True)[:12]]
    pages += [f"/table/{number}/{page}?sessionId={session.pk}" for page in ("cart", "bill", "receipt")]
    statuses = Order.objects.order_by("status").distinct("status")
    pages += [f"/orders/{order.pk}" for order in statuses]
    pages += [f"/orders/{order.pk}/collect" for order in statuses[:1]]
    pages += [f"/member/{member.pk}", f"/member/{member.pk}/account", f"/member/{member.pk}/erase"]
    pages += [f"/rewards?customerId={member.pk}", f"/rewards/{reward.pk}/redeem?customerId={member.pk}"]
    pages += [f"/checkin/{location.pk}", "/member-sign-in/nonsense", "/member-email/nonsense"]
    pages += [f"/table/{Table.objects.last().table_number}", "/table/99999", "/orders/nothing"]
    marked_for(guests=True)
    wrong = offenders(phone, pages)
    assert wrong == {}, "\n".join(f"{path} {texts}" for path, texts in wrong.items())


def test_staffs_pages_have_no_word_that_is_not_translated(demo, marked_for, settings):
    settings.APP_BASE_URL = "https://menu.example.com"  # with nothing that is wrong with the installation
    settings.TRUSTED_PROXY_NETWORKS = [ip_network("127.0.0.1")]
    settings.ALLOWED_HOSTS = ["*"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    owner = Client(headers={"accept": PAGE})
    owner.force_login(User.objects.get(username="owner"))
    session = TableSession.objects.open().filter(total_orders__gt=0).first()
    number = session.table.table_number
    pages = [
        "/",
        "/floor",
        f"/floor/tables/{number}",
        f"/floor/tables/{number}/order",
        "/floor/plan",
        "/till",
        "/kitchen",
    ]
    pages += [
        "/menu/availability",
        "/staff",
        "/staff/devices",
        "/setup",
        "/account",
        "/password",
        "/attention",
        "/drawers",
    ]
    pages += ["/bills", "/orders/earlier", "/tables/print", "/tables/range", "/reports", "/reports/restaurant"]
    pages += [f"/reports/restaurant/{page}" for page in ("day", "peak-hours", "menu", "accounting", f"tables/{number}")]
    pages += [f"/reports/loyalty{page}" for page in ("", "/segments", "/re-engagement")]
    pages += [f"/table/{number}/{page}?sessionId={session.pk}" for page in ("bill", "receipt", "close")]
    marked_for(guests=False)
    wrong = offenders(owner, pages)
    assert wrong == {}, "\n".join(f"{path} {texts}" for path, texts in wrong.items())
