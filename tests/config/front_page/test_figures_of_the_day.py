"""The front page of staff: the day, the floor and the kitchen in figures."""

from datetime import datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from loyalty.models import Member, PointTransaction
from restaurant.floor.models import TableOwner
from restaurant.models import Payment, TableSession
from tests.config.front_page.evening import at, begin, page_of, sell
from tests.conftest import PAGE, make_item, make_table, make_user
from tests.reading import Part, read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _friday_evening(clock, settings):
    begin(clock, settings)


def serve_member(email: str, *moments: datetime) -> None:
    member = Member.objects.create(email=email, name="M", created_at=at(1, 12))
    for moment in moments:
        PointTransaction.objects.create(
            customer=member, type="earn", points=5, order_total=Decimal("10"), created_at=moment
        )


def figures(page: Part, of: str = "Today") -> list[str]:
    """Each with what is said of it, and without its plot."""
    terms = [term for section in page.all("section", of) for term in section.all("term")]
    groups = [(term, *map(Part, term.element.itersiblings("dd"))) for term in terms]
    return [" ".join(part.text for part in group if not part.all("list")) for group in groups]


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
        "Orders 2 1 last Friday",
        "Members served 1 as many then",
    ]
    assert page.text.count("compared with last Friday until 18:30") == 1


def hours(page: Part) -> list[str]:
    """What the plot says of each hour."""
    return [text for plot in page.all("list", "Sales by hour") for text in plot.texts("item")]


def test_sales_are_shown_by_hour_beside_the_same_weekday_to_its_end(session):
    for moment, total in ((at(20, 17, 5), "30"), (at(20, 17, 55), "10"), (at(20, 18), "20"), (at(13, 20), "80")):
        sell(session, moment, total)
    sell(session, at(20, 18), "7", status="cancelled")
    sell(session, at(19, 12), "500")  # yesterday
    page = page_of("Managers")
    assert hours(page) == [
        "17:00 Sales today: €40.00 Sales a week ago: €0.00",
        "18:00, so far Sales today: €20.00 Sales a week ago: €0.00",
        "19:00 Sales today: €0.00 Sales a week ago: €0.00",
        "20:00 Sales today: €0.00 Sales a week ago: €80.00",
    ]
    assert "Sales today This hour so far A week ago, all day" in " ".join(page.element.text_content().split())
    assert hours(page_of("Floor")) == []


def test_before_the_first_sale_of_the_day_there_are_no_hours(session):
    sell(session, at(13, 12), "80")
    page = page_of("Managers")
    assert figures(page)[0] == "Sales €0.00 100% less than €80.00"
    assert hours(page) == []


def test_without_a_week_ago_nothing_is_compared(session):
    sell(session, at(20, 12), "30")
    page = page_of("Managers")
    assert figures(page)[0] == "Sales €30.00"
    assert "Friday" not in page.one("section", "Today")
    sell(session, at(10, 12), "30")  # another day is not that one
    page = page_of("Floor", "view_reports")
    assert figures(page)[0] == "Sales €30.00"
    assert "Friday" not in page.one("section", "Today")
    TableSession.objects.filter(pk=session.pk).update(started_at=at(13, 12))
    page = page_of("Cashiers", "view_reports")
    assert figures(page)[0] == "Sales €30.00 none then"
    assert "compared with last Friday until 18:30" in page


def test_the_dishes_sold_most_today_are_named_for_who_sees_sales(session):
    sell(session, at(20, 12), "30")
    order = session.orders.get()
    sold = (
        ("Ragu", 3, 0),
        ("Spritz", 4, 2),
        ("Toast", 1, 1),
        ("Bread", 2, 0),
        ("Cake", 1, 0),
        ("Fig", 1, 0),
        ("Oil", 1, 0),
    )
    for position, (name, quantity, cancelled) in enumerate(sold):
        order.items.create(
            menu_item=make_item(name=name), name=name, position=position, price=5,
            quantity=quantity, cancelled_quantity=cancelled,
        )  # fmt: skip
    best = figures(page_of("Managers"))[-1]
    assert best == "Sold most 3 × Ragu €15.00 2 × Bread €10.00 2 × Spritz €10.00 1 × Cake €5.00 1 × Fig €5.00"
    assert "Sold most" not in page_of("Floor")


def test_who_serves_sees_their_own_tables_orders_and_payments(session):
    assert "Yours today" not in page_of("Floor")
    user = make_user("Floor", "tomas")
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    for moment, who in ((at(20, 18), "tomas"), (at(20, 18, 1), "vera"), (at(19, 18), "tomas")):
        sell(session, moment, "10")
        session.orders.filter(created_at=moment).update(placed_by=who)
    for amount, tip, by, voided in (("8", "1", user, None), ("2", "0", None, None), ("5", "0", user, at(20, 18))):
        session.payments.create(
            method="cash", amount=Decimal(amount), tip=Decimal(tip), taken_by=by, voided_at=voided,
            created_at=at(20, 18),
        )  # fmt: skip
    page = read(client.get("/"))
    assert figures(page, "Yours today") == [
        "Your tables now 0",
        "Orders you took 1",
        "Payments you took €8.00 and €1.00 in tips",
    ]
    session.orders.filter(placed_by="vera").update(placed_by="tomas")
    page = read(client.get("/"))
    assert figures(page, "Yours today")[:2] == ["Your tables now Table 7", "Orders you took 2"]
    assert page.one("section", "Yours today").links() == [("Table 7", "/floor/tables/7")]
    TableOwner.objects.create(table=session.table, user=make_user("Floor", "vera"), since=at(20, 17))
    assert figures(read(client.get("/")), "Yours today")[0] == "Your tables now 0"
    TableOwner.objects.update(user=user)
    session.orders.update(placed_by="vera")
    assert figures(read(client.get("/")), "Yours today")[0] == "Your tables now Table 7"
    assert "Yours today" not in page_of("Managers")


def test_figures_are_for_who_may_read_reports_and_each_for_their_own(session):
    sell(session, at(20, 12), "30")
    assert figures(page_of("Cashiers")) == []
    shown = figures(page_of("Floor", "view_reports"))
    assert [each.split()[0] for each in shown] == ["Sales", "Orders", "Table"]


def floor_figures(page: Part) -> list[str]:
    sections = [section for section in page.all("section") if section.name in ("On the floor now", "Now")]
    return [text for section in sections for text in section.texts("item")]


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
    shown = ["Tables with guests 1 of 4 2 free · 1 left open", "In the kitchen 1 the first since 18:03"]
    assert floor_figures(page_of("Floor")) == shown
    assert floor_figures(page_of("Managers")) == [*shown, "Still to pay €50.00 3 bills"]  # what is held is not owed yet
    User.objects.get(username="managers").delete()
    Payment.objects.create(session=session, amount=Decimal("4.50"), method="cash")
    TableSession.objects.filter(table__table_number=10).update(ended_at=at(20, 17))
    assert floor_figures(page_of("Managers"))[2:] == ["Still to pay €35.50 2 bills"]


def test_who_only_cooks_sees_the_kitchen_in_figures_and_is_led_to_it(session):
    sell(session, at(20, 18, 3), "10", "preparing")
    user = make_user("Cashiers", "cook")
    user.groups.clear()
    user.user_permissions.add(Permission.objects.get(codename="work_kitchen"))
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    page = read(client.get("/"))
    assert floor_figures(page) == ["In the kitchen 1 the first since 18:03"]
    assert "/kitchen" in [address for _name, address in page.one("section", "Now").links()]
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
