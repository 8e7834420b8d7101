"""Opening hours, stations, printers and dockets."""

from datetime import time

import pytest

from restaurant.models import (
    Category,
    MenuVersion,
    OpeningHours,
    Option,
    OptionGroup,
    Order,
    Printer,
    PrintJob,
    Station,
)
from tests.conftest import own_queries
from tests.restaurant.admin.pages import (
    CATEGORIES,
    DOCKETS,
    GROUPS,
    HOURS,
    MENU,
    PRINTERS,
    STATIONS,
    form_of,
    page_of,
    text_of,
    with_permissions,
    words_of,
)

PAGES = [MENU, CATEGORIES, GROUPS, HOURS, STATIONS, PRINTERS, DOCKETS]


# --- who may --------------------------------------------------------------------------------------


def test_managers_may_do_all_of_it(managers_browser, soup):
    for address in PAGES:
        assert managers_browser.get(address).status_code == 200
    for address in set(PAGES) - {DOCKETS}:
        assert managers_browser.get(f"{address}add/").status_code == 200
    assert managers_browser.get(f"{DOCKETS}add/").status_code == 403


# --- opening hours --------------------------------------------------------------------------------


def test_the_same_hours_are_added_to_several_days_at_once(managers_browser):
    before = MenuVersion.objects.get_or_create(pk=1)[0].number
    assert "Guests can order in these hours alone, staff always. Times of UTC." in words_of(
        managers_browser.get(f"{HOURS}add/")
    )
    sent = {"weekday": ["0", "1", "6"], "opens": "17:00", "closes": "01:00"}
    assert managers_browser.post(f"{HOURS}add/", sent).status_code == 302
    assert list(OpeningHours.objects.values_list("weekday", "opens", "closes")) == [
        (day, time(17), time(1)) for day in (0, 1, 6)
    ]
    assert MenuVersion.objects.get().number > before
    page = words_of(managers_browser.get(HOURS))
    assert page.count("until the next day") == 3
    page = words_of(managers_browser.post(f"{HOURS}add/", sent | {"weekday": ["6", "5"]}))
    assert "There are hours from 17:00 on these days already: Sunday." in page
    assert "This field is required." in words_of(managers_browser.post(f"{HOURS}add/", sent | {"weekday": []}))
    assert OpeningHours.objects.count() == 3


def test_hours_may_last_a_whole_day_or_until_midnight(managers_browser):
    for opens, closes, words in (
        ("00:00", "00:00", "24 hours"), ("00:00", "24:00", "24 hours"), ("10:00", "10:00", "24 hours"),
        ("10:00", "24:00", "until midnight"), ("10:00", "23:59", "until midnight"),
    ):  # fmt: skip
        sent = {"weekday": ["0"], "opens": opens, "closes": closes}
        assert managers_browser.post(f"{HOURS}add/", sent).status_code == 302
        assert words in words_of(managers_browser.get(HOURS)), (opens, closes)
        OpeningHours.objects.all().delete()


def test_hours_are_changed_in_the_list_and_on_their_page(managers_browser):
    hours = OpeningHours.objects.create(weekday=2, opens=time(12), closes=time(15))
    sent = form_of(managers_browser, HOURS) | {"form-0-closes": "14:30", "_save": "Save"}
    assert managers_browser.post(HOURS, sent).status_code == 302
    sent = form_of(managers_browser, page_of(hours)) | {"weekday": "3", "opens": "11:30"}
    assert managers_browser.post(page_of(hours), sent).status_code == 302
    hours.refresh_from_db()
    assert (hours.weekday, hours.opens, hours.closes) == (3, time(11, 30), time(14, 30))


# --- stations -------------------------------------------------------------------------------------


def test_a_stations_address_is_made_from_its_name(managers_browser):
    assert managers_browser.post(f"{STATIONS}add/", {"name": "Cold Kitchen", "slug": ""}).status_code == 302
    assert Station.objects.get().slug == "cold-kitchen"
    assert "/kitchen/cold-kitchen" in words_of(managers_browser.get(STATIONS))
    for name, slug, words in (
        ("Pause", "", "“pause” is taken by a page of the kitchen."),
        ("Bar", "new", "“new” is taken by a page of the kitchen."),
        ("吧台", "", "Please give an address of small letters"),
        ("Bar", "Bar 1", "Enter a valid “slug”"),
        ("Cold kitchen", "", "already exists"),
    ):
        assert words in words_of(managers_browser.post(f"{STATIONS}add/", {"name": name, "slug": slug}))
    assert Station.objects.count() == 1


def test_a_station_with_a_printer_is_not_deleted(managers_browser):
    station = Station.objects.create(name="Bar", slug="bar")
    printer = Printer.objects.create(name="Bar", host="10.0.0.5", station=station)
    delete = f"{page_of(station)[:-7]}delete/"
    assert "has a printer, which would print every order" in words_of(
        managers_browser.post(delete, {"post": "yes"}, follow=True)
    )
    printer.delete()
    managers_browser.post(delete, {"post": "yes"})
    assert not Station.objects.exists()


# --- printers -------------------------------------------------------------------------------------


@pytest.fixture
def printer(session) -> Printer:
    return Printer.objects.create(name="Kitchen", host="10.0.0.5")


def make_jobs(session, printer: Printer, *states: str) -> None:
    order = Order.objects.create(session=session, table=session.table, total="9.50")
    for state in states:
        PrintJob.objects.create(order=order, printer=printer, state=state, error="It does not answer.")


def test_a_printer_is_added_and_a_host_that_is_none_is_refused(managers_browser):
    sent = {"name": "Bar", "kind": "kitchen", "host": "192.168.1.50", "port": "9100", "columns": "48", "active": "on"}
    for host in ("http://10.0.0.5", "10.0.0.5/x", "a b", "-x"):
        assert "Please give a name or an address alone" in words_of(
            managers_browser.post(f"{PRINTERS}add/", sent | {"host": host})
        )
    assert managers_browser.post(f"{PRINTERS}add/", sent).status_code == 302
    assert "192.168.1.50:9100 every order" in words_of(managers_browser.get(PRINTERS))


def test_the_list_says_whether_dockets_wait(managers_browser, printer, session):
    assert "all printed" in words_of(managers_browser.get(PRINTERS))
    make_jobs(session, printer, "waiting", "waiting", "printed")
    assert "2 wait since" in words_of(managers_browser.get(PRINTERS))
    assert "It does not answer." in words_of(managers_browser.get(PRINTERS))
    page = words_of(managers_browser.get(DOCKETS, {"printer__id__exact": printer.pk, "state__exact": "waiting"}))
    assert "2 dockets" in page
    job = PrintJob.objects.first()
    assert "It does not answer." in words_of(managers_browser.get(page_of(job)))
    assert managers_browser.post(page_of(job), {"state": "printed"}).status_code == 403


def test_a_printer_that_has_printed_is_not_deleted(managers_browser, printer, session):
    make_jobs(session, printer, "printed")
    delete = f"{page_of(printer)[:-7]}delete/"
    assert "To stop it, make it inactive." in words_of(managers_browser.post(delete, {"post": "yes"}, follow=True))
    assert Printer.objects.exists()


def test_longer_lists_take_no_more_queries(managers_browser, printer, session):
    def numbers() -> dict[str, int]:
        found = {}
        for address in (HOURS, STATIONS, PRINTERS, DOCKETS):
            with own_queries() as queries:
                managers_browser.get(address)
            found[address] = len(queries)
        return found

    def more(each: int) -> None:
        station = Station.objects.create(name=f"Station {each}", slug=f"s{each}")
        other = Printer.objects.create(name=f"Printer {each}", host="10.0.0.5", station=station)
        make_jobs(session, other, "waiting")
        OpeningHours.objects.create(weekday=each % 7, opens=time(each), closes=time(23))

    more(1)
    few = numbers()
    for each in range(2, 8):
        more(each)
    assert numbers() == few


def test_who_may_see_printers_alone_sees_them(printer):
    looker = with_permissions("view_printer")
    assert "10.0.0.5:9100" in words_of(looker.get(PRINTERS))
    assert looker.get(DOCKETS).status_code == 403


def test_who_may_only_look_sees_every_page_without_a_form(soup, printer):
    group = OptionGroup.objects.create(name="Sides")
    Option.objects.create(group=group, name="chips", allergens={"milk": "contains"})
    hours = OpeningHours.objects.create(weekday=0, opens=time(12), closes=time(15))
    station = Station.objects.create(name="Bar", slug="bar")
    rows = [soup, Category.objects.get(), group, hours, station, printer]
    names = ["menuitem", "category", "optiongroup", "option", "openinghours", "station", "printer", "itemoptiongroup"]
    looker = with_permissions(*(f"view_{name}" for name in names))
    for row in rows:
        page = text_of(looker.get(page_of(row)))
        assert 'name="_save"' not in page
        assert looker.post(page_of(row), {"name": "x"}).status_code == 403
