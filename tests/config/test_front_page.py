"""The front page: for staff today, what needs attention and the doors; for guests the way to their table."""

import re
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from config.models import Setup
from loyalty.models import Member, PointTransaction
from restaurant.models import Order, Table, TableCall, TableSession
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries

pytestmark = pytest.mark.django_db

VIENNA = ZoneInfo("Europe/Vienna")


@pytest.fixture(autouse=True)
def _friday_evening(clock, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    clock(at(20, 18, 30))


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=VIENNA)


@pytest.fixture
def session() -> TableSession:
    return TableSession.objects.create(table=make_table(7))


def sell(session: TableSession, moment: datetime, total: str, status: str = "served") -> None:
    Order.objects.create(session=session, table=session.table, created_at=moment, total=Decimal(total), status=status)


def serve_member(email: str, *moments: datetime) -> None:
    member = Member.objects.create(email=email, name="M", created_at=at(1, 12))
    for moment in moments:
        PointTransaction.objects.create(
            customer=member, type="earn", points=5, order_total=Decimal("10"), created_at=moment
        )


def page_of(group: str, *permissions: str) -> str:
    user = make_user(group)
    user.user_permissions.add(
        *Permission.objects.filter(codename__in=permissions, content_type__app_label="restaurant")
    )
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    return client.get("/").content.decode()


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def figures(page: str) -> list[str]:
    page = re.sub(r'<dd class="figure-hours.*?</dd>', "", page, flags=re.DOTALL)
    return [text_of(each) for each in re.findall(r'<div class="figure">.*?</div>', page, re.DOTALL)]


def doors(page: str) -> list[str]:
    return re.findall(r"<li><a href=\"([^\"]+)\"><svg", page)


def test_today_is_compared_with_the_same_weekday_until_the_same_time(session):
    for moment, total in ((at(20, 0), "30"), (at(20, 18, 30), "20"), (at(13, 12), "40"), (at(13, 18, 31), "999")):
        sell(session, moment, total)
    sell(session, at(20, 12), "7", status="cancelled")
    sell(session, at(19, 12), "500")  # yesterday
    serve_member("one@example.com", at(20, 12), at(20, 18))
    serve_member("two@example.com", at(13, 12))
    page = page_of("Managers")
    assert figures(page) == [
        "Sales €50.00 25% more than €40.00",
        "Orders 2 100% more than 1",
        "Members served 1 as many then",
    ]
    assert text_of(page).count("compared with last Friday until 18:30") == 1


def hours(page: str) -> list[tuple[str, str, str]]:
    """Of each hour: its height, that of a week ago, and what it says."""
    bars = re.findall(
        r'(?:<rect class="hour-before"[^>]*height="(\d+)"/>)?'
        r'<rect class="hour(?: hour-running)?"[^>]*height="(\d+)"><title>(.*?)<',
        page,
    )
    return [(now, before, words) for before, now, words in bars]


def test_sales_are_shown_by_hour_beside_the_same_weekday_to_its_end(session):
    for moment, total in ((at(20, 17, 5), "30"), (at(20, 17, 55), "10"), (at(20, 18), "20"), (at(13, 20), "80")):
        sell(session, moment, total)
    sell(session, at(20, 18), "7", status="cancelled")
    sell(session, at(19, 12), "500")  # yesterday
    page = page_of("Managers")
    assert hours(page) == [
        ("50", "", "17:00: €40.00"),
        ("25", "", "18:00: €20.00"),
        ("0", "", "19:00: €0.00"),
        ("0", "100", "20:00: €0.00"),
    ]
    assert 'aria-label="Sales by hour. The best: 17:00: €40.00"' in page
    assert '<path class="hour-now" d="M14.5 0V100"/>' in page  # half past six: through the second bar
    assert re.findall(r'<rect class="hour hour-running" x="(\d+)" y="75" width="5"', page) == ["12"]
    assert texts(page, "hours-text")[0] == ("36.2", "now")  # over the line
    assert texts(page, "hours-scale") == [("50.0", "€40"), ("0.0", "€80")]
    times = [("11.2", "17:00"), ("36.2", "18:00"), ("61.2", "19:00"), ("86.2", "20:00")]  # below the bars
    assert texts(page, "hours-text")[1:] == times
    assert "last Friday</span>" in page


def texts(page: str, of: str) -> list[tuple[str, str]]:
    """Where each stands in a part of the picture, in percent, and what it says."""
    part = "".join(re.findall(rf'<svg class="{of}".*?</svg>', page, re.DOTALL))
    at = "y" if of == "hours-scale" else "x"
    return re.findall(rf'<text [^>]*\b{at}="([\d.]+)%"[^>]*>(.*?)</text>', part)


def test_a_long_day_has_five_times_at_most_and_says_nothing_of_a_week_ago_without_sales(session):
    sell(session, at(20, 8), "150")
    sell(session, at(20, 18), "10")
    page = page_of("Managers")
    assert texts(page, "hours-text")[1:] == [("4.1", "08:00"), ("31.4", "11:00"), ("58.6", "14:00"), ("85.9", "17:00")]
    assert "last Friday</span>" not in page


def test_of_a_single_hour_a_sentence_says_when(session):
    sell(session, at(20, 17, 5), "30")
    sell(session, at(20, 17, 55), "10")
    page = page_of("Managers")
    assert "All of it between 17:00 and 18:00." in text_of(page)
    assert '<svg class="hours' not in page
    sell(session, at(13, 20), "5")
    assert len(hours(page_of("Floor", "view_reports"))) == 4


def test_before_the_first_sale_of_the_day_there_are_no_hours(session):
    sell(session, at(13, 12), "80")
    page = page_of("Managers")
    assert figures(page)[0] == "Sales €0.00 100% less than €80.00"
    assert "Sales by hour" not in page


def test_without_a_week_ago_the_page_says_so(session):
    sell(session, at(20, 12), "30")
    page = page_of("Managers")
    assert figures(page)[0] == "Sales €30.00"
    assert text_of(page).count("no figures from last Friday") == 1
    sell(session, at(10, 12), "30")
    page = page_of("Floor", "view_reports")
    assert figures(page)[0] == "Sales €30.00 none then"
    assert "compared with last Friday until 18:30" in text_of(page)


def test_figures_are_for_who_may_read_reports_and_each_for_their_own(session):
    sell(session, at(20, 12), "30")
    assert figures(page_of("Cashiers")) == []
    shown = figures(page_of("Floor", "view_reports"))
    assert [each.split()[0] for each in shown] == ["Sales", "Orders", "Table"]


def floor_figures(page: str) -> list[str]:
    return [text_of(each) for each in re.findall(r'<a class="figure.*?</a>', page, re.DOTALL)]


def test_who_works_on_the_floor_sees_it_in_figures(session):
    assert floor_figures(page_of("Cashiers")) == []
    TableSession.objects.create(table=make_table(8), ended_at=at(20, 17))
    TableSession.objects.create(table=make_table(9), started_at=at(20, 12))  # looked at the menu and went
    for number in (10, 7):  # at table 7 sits another party by now
        table = session.table if number == 7 else make_table(number)
        sell(TableSession.objects.create(table=table, started_at=at(20, 12)), at(20, 12), "10")
    for moment, status in ((at(20, 18, 9), "ready"), (at(20, 18, 3), "preparing"), (at(20, 18, 2), "held")):
        sell(session, moment, "10", status)
    sell(session, at(20, 18, 20), "10", "pending")
    for group in ("Floor", "Managers"):
        assert floor_figures(page_of(group)) == [
            "Tables with guests 1 of 4 2 free · 1 left open",
            "In the kitchen 1 the first since 18:03",
        ]


def test_who_only_cooks_sees_the_kitchen_in_figures_and_is_led_to_it(session):
    sell(session, at(20, 18, 3), "10", "preparing")
    user = make_user("Cashiers", "cook")
    user.groups.clear()
    user.user_permissions.add(Permission.objects.get(codename="work_kitchen"))
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    page = client.get("/").content.decode()
    assert floor_figures(page) == ["In the kitchen 1 the first since 18:03"]
    assert '<a class="figure" href="/kitchen">' in page
    assert "On the floor" not in page


def test_a_quiet_floor_and_one_without_tables():
    assert floor_figures(page_of("Floor")) == []
    make_table(7)
    assert floor_figures(page_of("Managers")) == [
        "Tables with guests 0 of 1 1 free",
        "In the kitchen 0",
    ]


def test_before_anything_was_sold_there_are_no_figures():
    assert figures(page_of("Managers")) == []


def test_the_doors_are_those_that_somebody_may_open(session):
    make_item()
    assert doors(page_of("Cashiers")) == ["/till"]
    assert doors(page_of("Floor")) == ["/menu/availability", "/tables/print"]
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Managers"))
    page = client.get("/").content.decode()
    assert doors(page) == ["/menu/availability", "/tables/print", "/setup"]
    for address in doors(page):
        assert client.get(address).status_code == 200, address


def said_on_doors(page: str) -> list[str]:
    return [text_of(each) for each in re.findall(r"<li><a href=\"[^\"]+\"><svg.*?</li>", page, re.DOTALL)]


def test_a_door_tells_its_state(session):
    floor, manager = (Client(headers={"accept": PAGE}) for _ in range(2))
    floor.force_login(make_user("Floor"))
    manager.force_login(make_user("Managers"))

    def said(client: Client) -> list[str]:
        page = client.get("/").content.decode()
        return [text_of(each) for each in re.findall(r"<li><a href=\"[^\"]+\"><svg.*?</li>", page, re.DOTALL)]

    cards = "Table cards QR codes to print for the tables"
    assert said(floor) == ["Sold out Everything is available", cards]
    for name in ("Tiramisu", "Anchovy Toast", "Ragu", "Gnocchi"):
        make_item(name=name, available=False)
    assert said(floor) == ["Sold out · 4 Anchovy Toast, Gnocchi, Ragu …", cards]
    assert said(manager)[2] == "Setup · 3 left What is left before the doors open"
    setup = Setup.objects.create(cards_printed_at=at(20, 18, 30))
    Table.objects.update(created_at=at(20, 12))
    assert said(floor)[1] == cards
    setup.cards_printed_at = at(19, 12)
    setup.save()
    assert said(floor)[1] == "Table cards · 1 new Tables added since the cards were printed"


def waiting(page: str) -> list[str]:
    section = page.split('id="needs"')[1].split("</section>", 1)[0]
    return [text_of(each) for each in re.findall(r"<li.*?</li>", section, re.DOTALL)]


def test_what_needs_attention_is_that_of_the_header_with_where_and_since_when(session):
    session.table.section = "Terrace"
    session.table.save()
    call = TableCall.objects.create(session=session, kind="waiter", created_at=at(20, 18, 24))
    sell(session, at(20, 18), "10", "held")
    page = page_of("Floor")
    assert page.count('href="/floor#now">Table 7 calls') == 1  # in the header
    assert page.count('href="/floor#now">1 order to approve: table 7') == 1
    assert waiting(page) == ["Table 7 Calls the waiter Terrace · 18:24 Done Table 7", "Table 7 Order to approve 18:00"]
    sell(session, at(20, 17), "10", "held")
    sell(session, at(20, 18, 12), "10", "preparing")
    assert waiting(page_of("Managers"))[1:] == ["2 orders to approve: table 7", "Table 7 Late in the kitchen 18:12"]
    assert f'href="/floor/tables/7?sessionId={session.pk}"' in page
    assert f'action="/calls/{call.pk}/done"' in page
    assert "attention" not in text_of(page_of("Cashiers"))


def test_a_call_is_answered_on_the_page(session):
    call = TableCall.objects.create(session=session, kind="bill")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor", "vera"))
    assert waiting(client.get("/").content.decode())[0].startswith("Table 7 Wants the bill")
    response = client.post(f"/calls/{call.pk}/done", {"next": "/"})
    assert (response.status_code, response["Location"]) == (303, "/")
    call.refresh_from_db()
    assert call.done_by == "vera"
    assert "Nothing needs attention." in text_of(client.get("/").content.decode().split('id="needs"')[1])


def test_what_is_to_be_carried_needs_attention_the_longest_first(session):
    for number, ready in ((8, 18), (9, 12)):
        party = TableSession.objects.create(table=make_table(number))
        times = {"created_at": at(20, 18), "ready_at": at(20, 18, ready)}
        Order.objects.create(session=party, table=party.table, total=Decimal("5"), status="ready", **times)
    for group in ("Floor", "Managers"):
        assert waiting(page_of(group)) == [
            "Table 9 Ready to carry Window · 18:12 Served Table 9",
            "Table 8 Ready to carry Window · 18:18 Served Table 8",
        ]


def test_what_one_order_is_to_carry_is_served_there(session):
    order = Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor"))
    page = client.get("/").content.decode()
    assert waiting(page) == ["Table 7 Ready to carry Window · 18:30 Served Table 7"]
    assert f'action="/orders/{order.pk}/status"' in page
    response = client.post(f"/orders/{order.pk}/status", {"status": "served", "next": "/"})
    assert (response.status_code, response["Location"]) == (303, "/")
    order.refresh_from_db()
    assert order.status == "served"


def test_the_dishes_to_carry_are_named_without_cancelled_ones(session):
    order = Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    for position, (name, quantity, cancelled) in enumerate((("Ragu", 3, 1), ("Spritz", 1, 0), ("Toast", 2, 2))):
        item = make_item(name=name)
        order.items.create(
            menu_item=item, name=name, position=position, quantity=quantity, cancelled_quantity=cancelled, price=5
        )
    assert waiting(page_of("Floor")) == ["Table 7 Ready to carry Window · 18:30 2 × Ragu, 1 × Spritz Served Table 7"]


def test_of_many_orders_to_carry_the_first_are_shown(session):
    for _ in range(5):
        Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    shown = waiting(page_of("Floor"))
    assert shown == ["Table 7 Ready to carry Window · 18:30 Served Table 7"] * 3 + ["2 more orders to carry"]


def test_who_may_not_work_the_kitchen_is_led_to_what_is_to_carry(session):
    Order.objects.create(session=session, table=session.table, total=Decimal("5"), status="ready")
    page = page_of("Cashiers", "close_session")
    assert waiting(page) == ["Table 7 Ready to carry Window · 18:30"]
    assert "/status" not in page


def test_what_needs_attention_comes_before_the_figures(session):
    sell(session, at(20, 12), "30")
    for group in ("Floor", "Managers"):
        page = page_of(group)
        assert page.index('id="needs"') < page.index('class="figures"')


def leave_open(number: int, began: datetime, total: str) -> TableSession:
    party = TableSession.objects.create(table=make_table(number), started_at=began, total_revenue=Decimal(total))
    sell(party, began, total)
    return party


def test_a_bill_left_open_needs_attention_and_leads_to_it(session):
    left = leave_open(10, at(20, 13, 12), "109")
    TableSession.objects.create(table=make_table(11), started_at=at(20, 13))  # ordered nothing
    TableSession.objects.create(table=make_table(12), started_at=at(20, 13), ended_at=at(20, 14))
    for group in ("Floor", "Managers"):
        page = page_of(group)
        assert waiting(page) == ["Table 10 Left open €109.00 Window · 20 Nov, 13:12 Bill Table 10"]
        assert f'href="/table/10/bill?sessionId={left.pk}"' in page
        assert f'href="/floor/tables/10?sessionId={left.pk}"' in page
    user = make_user("Floor", "runner")
    user.groups.clear()
    user.user_permissions.add(Permission.objects.get(codename="close_session"))
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    assert waiting(client.get("/").content.decode()) == ["Table 10 Left open €109.00 Window · 20 Nov, 13:12"]
    assert "left open" not in page_of("Cashiers")


def test_a_bill_beside_which_another_party_has_sat_down_is_left_open(session):
    sell(session, at(20, 18, 20), "20")
    assert waiting(page_of("Floor")) == []
    TableSession.objects.create(table=session.table, started_at=at(20, 18, 31))
    assert [each.split(" €")[0] for each in waiting(page_of("Managers"))] == ["Table 7 Left open"]


def test_of_many_bills_left_open_the_oldest_are_shown_by_one_statement():
    for number in range(1, 6):
        leave_open(number, at(20, 13, number), "5")
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor"))
    with own_queries() as queries:
        shown = waiting(client.get("/").content.decode())
    assert [each.split(" Left")[0] for each in shown] == ["Table 1", "Table 2", "Table 3", "More bills left open"]
    assert sum('"restaurant_tablesession"."total_revenue"' in each for each in queries) == 1


def test_of_many_calls_the_first_are_shown():
    for number in range(1, 8):
        party = TableSession.objects.create(table=make_table(number))
        TableCall.objects.create(session=party, kind="waiter", created_at=at(20, 18, number))
    shown = waiting(page_of("Floor"))
    assert [each.split(" Calls")[0] for each in shown[:5]] == [f"Table {number}" for number in range(1, 6)]
    assert shown[5:] == ["2 more calls"]


def test_a_new_installation_leads_to_the_setup():
    visitor = Client(headers={"accept": PAGE}).get("/").content.decode()
    assert "This restaurant is being set up" in visitor
    assert 'href="/sign-in"' in visitor
    page = page_of("Managers")
    assert "Before the doors open" in page
    assert 'class="button" href="/setup"' in page
    assert "Before the doors open" not in page_of("Floor")


def test_the_description_of_the_api_is_no_business_of_the_front_page(session):
    assert "/api/docs" not in page_of("Managers")


def test_guests_are_told_to_scan_and_staff_to_sign_in(session):
    page = Client(headers={"accept": PAGE}).get("/").content.decode()
    assert "Scan the code on your table" in page
    assert 'href="/sign-in"' in page
    assert "shell" not in page


def test_who_has_no_rights_is_told_whom_to_ask():
    from django.contrib.auth.models import User

    client = Client(headers={"accept": PAGE})
    client.force_login(User.objects.create_user("nobody", password="a long pass phrase"))
    page = client.get("/")
    assert page.status_code == 200
    assert "have no rights yet" in page.content.decode()
