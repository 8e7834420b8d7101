"""The admin's first page: today's figures, what to act on, and what was changed last."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from loyalty.models import Redemption
from qrservice.models import Scan
from qrservice.services import codes
from restaurant.models import MenuItem, Order, Table, TableSession
from tests.conftest import browser_of, make_item, make_table, make_user, order_body
from tests.loyalty.making import make_member, make_reward
from tests.reading import read

pytestmark = pytest.mark.django_db

ADMIN = "/admin/"


def words_of(response) -> str:
    assert response.status_code == 200, response.status_code
    return read(response).text


@pytest.fixture
def noon(clock):
    """Of a Sunday, where the clock stands still: no day ends before the page is read."""
    clock(moment := datetime(2026, 11, 22, 12, tzinfo=UTC))
    return moment


@pytest.fixture
def order(noon, api, session, soup, bread):
    response = api.post("/table/7/order", order_body(session, (soup, 2), (bread, 1)), format="json")
    assert response.status_code == 200


def test_figures_are_todays_and_lead_to_their_rows(managers_browser, order, soup):
    MenuItem.objects.filter(pk=soup.pk).update(available=False)
    page = words_of(managers_browser.get(ADMIN))
    assert "Orders today 1 €23.25 so far" in page
    assert "Open tables 1 Table 7 " in page
    assert "Sold out 1 of 2 dishes Ribollita " in page
    response = managers_browser.get(ADMIN)
    for figure in response.context["today"].figures:
        assert managers_browser.get(figure.url).context["cl"].result_count == int(figure.value)


def test_tiles_name_the_first_of_many_and_say_what_there_is_of_none(managers_browser, order):
    assert "Sold out 0 of 2 dishes" in words_of(managers_browser.get(ADMIN))
    for number in range(5):
        make_item(f"Dish {number}", available=number == 4)
        make_table(20 + number).sessions.create()
    page = words_of(managers_browser.get(ADMIN))
    assert "Sold out 4 of 7 dishes Dish 0 Dish 1 Dish 2 Dish 3 " in page
    assert "Open tables 6 Tables 7, 20, 21, +3 " in page


def test_orders_are_compared_with_the_same_weekday_until_this_time(managers_browser, order, noon):
    for back, total in ((timedelta(days=7), "31.00"), (timedelta(days=6, hours=23), "900"), (timedelta(days=1), "900")):
        earlier = Order.objects.create(table=Table.objects.get(), session=TableSession.objects.get(), total=total)
        Order.objects.filter(pk=earlier.pk).update(created_at=noon - back - timedelta(seconds=30))
    page = words_of(managers_browser.get(ADMIN))
    assert "€23.25 so far Sales 25% less than last Sunday by this time" in page
    Order.objects.filter(created_at__lt=noon - timedelta(days=2)).delete()
    page = words_of(managers_browser.get(ADMIN))
    assert "€23.25 so far Sales 97% less than yesterday by this time" in page
    Order.objects.filter(total="900").delete()
    assert "by this time" not in words_of(managers_browser.get(ADMIN))


def test_bills_of_parties_that_are_gone_are_to_be_looked_at(managers_browser, order, noon, clock):
    session = TableSession.objects.get()
    session.orders.update(created_at=noon)
    TableSession.objects.update(started_at=noon)
    assert "without paying" not in words_of(managers_browser.get(ADMIN))  # they sit at their table
    TableSession.objects.update(ended_at=noon)
    page = words_of(managers_browser.get(ADMIN))
    assert "Open tables 0 right now" in page
    assert "Table 7 left without paying: €23.25. Open the bill" in page
    urgent = re.findall(r'<li class="task-urgent"><span>([^<]+)', managers_browser.get(ADMIN).content.decode())
    assert urgent == ["Table 7 left without paying: €23.25."]  # and no dish without a picture
    clock(noon + timedelta(days=1))
    response = managers_browser.get(ADMIN)
    assert "Table 7 left yesterday without paying: €23.25. Open the bill" in words_of(response)
    task = response.context["today"].tasks[0]
    assert task.url == f"/table/7/bill?sessionId={session.pk}"
    assert "Total due Not yet paid €23.25" in words_of(managers_browser.get(task.url, headers={"Accept": "text/html"}))
    session.payments.create(method="card", amount="23.25")
    assert "without paying" not in words_of(managers_browser.get(ADMIN))


def test_several_parties_that_left_without_paying_lead_to_their_day(managers_browser, order, noon, clock):
    TableSession.objects.update(started_at=noon, ended_at=noon)
    other = TableSession.objects.create(table=Table.objects.get(), started_at=noon, ended_at=noon)
    Order.objects.create(table=other.table, session=other, total="10.00")
    assert "2 parties left without paying: €33.25. Look at the day" in words_of(managers_browser.get(ADMIN))
    clock(noon + timedelta(days=1))
    response = managers_browser.get(ADMIN)
    assert "2 parties left yesterday without paying: €33.25. Look at the day" in words_of(response)
    task = response.context["today"].tasks[0]
    assert task.url == "/reports/restaurant/day?date=2026-11-22"
    assert "€33.25" in words_of(managers_browser.get(task.url, headers={"Accept": "text/html"}))


def test_a_manager_reads_what_to_do(managers_browser, order):
    old = timezone.now() - timedelta(days=90)
    User.objects.create_user("gone", last_login=old)
    page = words_of(managers_browser.get(ADMIN))
    assert "2 dishes have no picture. Add pictures" in page
    assert "1 table has no printed card. Print cards" in page
    assert "1 person has not signed in for two months. Look at the staff" in page
    code = codes.create(account=codes.built_in_account(), redirect_url="https://example.com/table/7")
    Table.objects.update(qr_analytics_id=code.analytics_id)
    Scan.objects.create(code=code)
    assert "no printed card" not in words_of(managers_browser.get(ADMIN))  # how else was it scanned?
    assert managers_browser.get("/admin/restaurant/menuitem/?picture=no").context["cl"].result_count == 2


def test_only_rewards_that_can_still_be_used_wait(managers_browser):
    now = timezone.now()
    member, reward = make_member(), make_reward()
    for code, status, until in (("A", "active", 1), ("B", "used", 1), ("C", "active", -1)):
        Redemption.objects.create(
            customer=member, reward=reward, points_spent=1, redemption_code=code, status=status,
            expires_at=now + timedelta(days=until),
        )  # fmt: skip
    assert "Rewards 1 not yet used" in words_of(managers_browser.get(ADMIN))


def test_changes_say_what_and_who(managers_browser, soup):
    managers_browser.post(f"/admin/restaurant/menuitem/{soup.pk}/availability/", {"available": "no"})
    changes = read(managers_browser.get(ADMIN)).one("section", "Changed last").texts("item")
    assert changes[0].startswith("Ribollita Sold out. mia · ")


def test_the_days_sales_are_drawn_by_hour_for_who_may_read_reports(managers_browser, order, clock):
    def chart_of(client) -> str:
        return " ".join(section.text for section in read(client.get(ADMIN)).all("section", "Sales by hour"))

    clock(noon := datetime(2026, 11, 22, 12, tzinfo=UTC))
    Order.objects.update(created_at=noon - timedelta(minutes=30))
    assert "11:00 Sales today: €23.25" in chart_of(managers_browser)
    Order.objects.update(created_at=noon - timedelta(days=7, minutes=30))
    assert "11:00 Sales today: €0.00 Sales a week ago: €23.25" in chart_of(managers_browser)
    Order.objects.update(created_at=noon - timedelta(days=7, minutes=-30))
    assert chart_of(managers_browser) == ""  # as the tile, it is not compared with what came later
    looker = make_user("Cashiers", "carla")
    User.objects.filter(pk=looker.pk).update(is_staff=True)
    assert chart_of(browser_of(looker)) == ""
    Order.objects.update(created_at=noon - timedelta(days=3))
    assert chart_of(managers_browser) == ""  # nothing to draw


def test_it_takes_few_queries_and_shows_what_one_may_see(managers_browser, order, django_assert_num_queries):
    managers_browser.get(ADMIN)
    # Four of them for who this is, two for the venue, two for the header, one for the chart, two for the tiles' bars.
    with django_assert_num_queries(19):
        managers_browser.get(ADMIN)
    colleague = make_user("Cashiers", "carla")
    User.objects.filter(pk=colleague.pk).update(is_staff=True)
    page = words_of(browser_of(colleague).get(ADMIN))
    assert "All done: there is nothing to look after." in page
    assert "Orders today" not in page


def test_what_django_would_show_twice_leads_to_the_house_s_own_pages(managers_browser):
    assert managers_browser.get("/admin/restaurant/").headers["Location"] == ADMIN
    assert managers_browser.get("/admin/password_change/").headers["Location"] == "/password"
