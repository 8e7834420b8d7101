"""The search over the whole admin: what it finds, and for whom."""

from datetime import UTC, datetime

import pytest
from config.admin_search import MOST, READ
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from loyalty.models import Redemption
from qrservice.services import codes
from restaurant.models import OptionGroup, Order
from tests.conftest import browser_of, make_item, make_table, make_user
from tests.loyalty.making import make_member, make_reward
from tests.reading import read

pytestmark = pytest.mark.django_db

SEARCH = "/admin/search/"


def found(client, text: str) -> dict[str, list[str]]:
    response = client.get(SEARCH, {"q": text})
    assert response.status_code == 200
    return {group.title: [hit.title for hit in group.hits] for group in response.context["groups"]}


def test_members_are_found_by_name_email_phone_and_code(managers_browser, settings):
    ann = make_member("Ann Byrne", email="ann@example.org", phone="+353 1 555 0199")
    make_member("Ben Doyle", email="ben@example.org")
    for text in ("byrne", "ann@exam", "555 0199"):
        assert found(managers_browser, text) == {"Members": ["Ann Byrne"]}, text
    target = f"{settings.APP_BASE_URL}/member/{ann.pk}"
    code = codes.create(account=codes.built_in_account(), redirect_url=target, metadata={"type": "loyalty_member"})
    for text in (code.slug.lower(), code.short_url):
        assert found(managers_browser, text) == {"Members": ["Ann Byrne"], "QR codes": ["Card of Ann Byrne"]}, text
    redemption = Redemption.objects.create(
        customer=ann, reward=make_reward("Free Coffee"), points_spent=1, redemption_code="AB12CD34",
        expires_at=datetime(2027, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    assert found(managers_browser, "ab12cd34") == {"Redemptions": [str(redemption)]}
    assert found(managers_browser, "coffee") == {"Rewards": ["Free Coffee"]}


def test_orders_are_found_by_number_and_table(managers_browser, clock, session, api, soup):
    clock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    order = Order.objects.create(session=session, table=session.table, total="7.75")
    make_table(70)
    make_member(phone="777")
    for text in (order.called, str(order.pk)[:6]):
        assert found(managers_browser, text)["Orders"] == [order.called], text
    for text in ("7", "Table 7", "table 7"):
        assert (found(managers_browser, text)["Tables"], found(managers_browser, text)["Orders"]) == (
            ["Table 7"],
            [order.called],
        ), text
    assert "Members" not in found(managers_browser, "table 7")
    [hit] = read(managers_browser.get(SEARCH, {"q": "table 7"})).one("section", "Orders 1").all("item")
    assert " ".join(hit.element.text_content().split()) == f"{order.called} Table 7 · Today, 12:00 · €7.75"


def test_dishes_of_a_name_are_limited_and_lead_to_all(managers_browser):
    for number in range(MOST + 2):
        make_item(f"Soup {number}")
    assert len(found(managers_browser, "soup")["Menu"]) == MOST
    page = read(managers_browser.get(SEARCH, {"q": "soup"}))
    assert page.one("link", "Show all 7 in Menu")["href"] == "/admin/restaurant/menuitem/?q=soup"
    assert len(managers_browser.get("/admin/restaurant/menuitem/?q=soup").context["cl"].result_list) == MOST + 2
    make_item("Bruschetta", description="Grilled bread with tomato, basil and a drop of the new oil of the house")
    about = managers_browser.get(SEARCH, {"q": "basil"}).context["groups"][0].hits[0].about
    assert about.endswith(" · Grilled bread with tomato, basil and a drop of the new oil of…")
    for name in ("Dips", "Extras"):
        OptionGroup.objects.create(name=name).choices.create(name="Basil oil")
    with CaptureQueriesContext(connection) as queries:
        options = managers_browser.get(SEARCH, {"q": "basil"}).context["groups"][1]
    assert [(hit.title, hit.about) for hit in options.hits] == [("Dips", "Basil oil"), ("Extras", "Basil oil")]
    assert sum('FROM "restaurant_option"' in query["sql"] for query in queries) == 1  # of all groups at once
    assert "Show all" not in read(managers_browser.get(SEARCH, {"q": "soup 3"}))


def test_pages_are_found_by_name_those_that_begin_so_first(managers_browser):
    assert found(managers_browser, "points")["Pages"][:2] == ["Points", "Points and tiers"]
    assert found(managers_browser, "add a dish")["Pages"] == ["Add a dish"]
    assert found(managers_browser, "peak")["Pages"] == ["Peak hours", "Reports"]  # which has it in its description


def test_nobody_finds_what_they_may_not_see(client):
    make_member("Ann Byrne", email="ann@example.org")
    cook = make_user("Floor", "carla")
    User.objects.filter(pk=cook.pk).update(is_staff=True)
    assert found(browser_of(cook), "byrne") == {}
    assert found(browser_of(cook), "member") == {}
    assert client.get(SEARCH).status_code == 302


def test_what_begins_so_comes_first_and_what_matches_is_marked(managers_browser):
    for name in ("Aoife Murphy", "Thomas Ferrari", "Fergus Doyle", *(f"Rolfe {number}" for number in range(7))):
        make_member(name, email=f"{name.replace(' ', '')}@example.org")
    response = managers_browser.get(SEARCH, {"q": "fe"})
    assert found(managers_browser, "fe")["Members"][:3] == ["Fergus Doyle", "Thomas Ferrari", "Aoife Murphy"]
    page = read(response)
    name = page.one("section", "Members 10").all("link")[0].element.find("strong")
    assert (name.text_content(), name.findtext("mark")) == ("Fergus Doyle", "Fe")
    assert "Show all 10 in Members" in page.names("link")
    assert list(found(managers_browser, "fe"))[-1] == "Pages"  # none is called so
    totals = {group.title: group.number for group in response.context["groups"]}
    headings = [
        f"Search for “fe” {sum(totals.values())} results",
        *(f"{title} {number}" for title, number in totals.items()),
    ]
    assert page.one("main").names("heading") == headings
    assert [link["href"] for link in page.all("link", "Clear the search")] == [SEARCH] * 2


def test_more_than_can_be_counted_is_said_so(managers_browser):
    for number in range(READ + 1):
        make_item(f"Broth {number}")
    page = read(managers_browser.get(SEARCH, {"q": "broth"}))
    assert page.one("main").names("heading") == [f"Search for “broth” over {READ} results", f"Menu over {READ}"]
    pages = managers_browser.get(SEARCH, {"q": "the"}).context["groups"][0]
    assert (len(pages.hits), pages.count) == (MOST, f"{MOST} of {pages.number}")


def test_odd_texts_find_no_member(managers_browser):
    make_member("Ben Doyle", email="ben@example.org")
    for text in ("", " ", "\0", "\n", "'", "a" * 5_000, "#", "/", "%", "🍝"):
        assert "Members" not in found(managers_browser, text), text
