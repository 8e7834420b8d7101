"""The day's report on its page, on paper and as a file."""

import csv
import io
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from loyalty.models import Confirmation, PointTransaction, Redemption
from restaurant.models import Order, OrderItem, Table, TableSession
from tests.conftest import PAGE, make_item, make_table
from tests.loyalty.making import make_member, make_reward
from tests.restaurant.reports.conftest import NOW, cancel, order, pay, start_session
from web import venue

pytestmark = pytest.mark.django_db

DAY = "/reports/restaurant/day"
TICK = timedelta(microseconds=1)


@pytest.fixture
def page(manager, clock):
    def get(**query):
        response = manager.get(DAY, query, headers={"accept": PAGE})
        assert response.status_code == 200
        return response

    return get


def test_the_page_says_who_cancelled_what_and_why_and_leads_to_it(page, manager, ordered):
    cancel(manager, ordered, items=[{"position": 0}], note="<none left>")
    shown = page()
    assert shown.context["cancelled_table"]["rows"] == [
        ["14:30", 7, "managers", "Sold out", "<none left>", Decimal("19.00")]
    ]
    assert f'<a href="/orders/{ordered}">' in shown.content.decode()


def test_the_page_leads_to_open_bills_and_to_other_days(page, ordered, session):
    text = page().content.decode()
    assert f"/table/7/bill?sessionId={session.pk}" in text
    assert "?date=2026-03-06" in text
    assert "?date=2026-03-08" not in text
    assert "?date=2026-03-07" in page(date="2026-03-06").content.decode()


def test_tables_have_totals_where_there_is_more_than_one_row(page, manager, ordered, session):
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert [row[0] for row in shown.context["taxes_table"]["rows"]] == ["9%", "13.5%", "Total"]
    assert shown.context["taxes_table"]["rows"][-1] == ["Total", Decimal("20.64"), Decimal("2.61"), Decimal("23.25")]
    assert shown.context["payments_table"]["rows"][-1] == ["Total", 2, Decimal("23.25"), Decimal("3.00")]


def test_the_page_has_sales_by_category_and_says_what_was_voided(page, manager, ordered, session, soup, bread):
    def categories(*names: str) -> list:
        for item, name in zip((soup, bread), names, strict=True):
            item.category = name
            item.save()
        return page().context["categories_table"]["rows"]

    soups, of_bread, total = ("Soups", 2, Decimal("19.00")), (1, Decimal("4.25")), (3, Decimal("23.25"))
    assert categories("Soups", "Bread") == [[*soups], ["Bread", *of_bread], ["Total", *total]]
    assert categories("Soups", "") == [[*soups], ["Other", *of_bread], ["Total", *total]]
    assert categories("Other", "") == [["Other", *total]]
    shown = page().context
    assert shown["tiles"][1]["note"] == "0 payments, none voided"
    payment = pay(manager, session, method="cash", amount=5)
    manager.post(f"/payments/{payment['id']}/void", {}, format="json")
    pay(manager, session, method="cash", amount=3)
    shown = page().context
    assert shown["tiles"][1]["note"] == "1 payment, 1 voided (€5.00)"
    assert shown["payments_table"]["rows"] == [["Cash", 1, Decimal("3.00"), Decimal("0.00")]]


def test_a_day_that_runs_is_compared_by_this_time(page, manager, ordered):
    running = page()
    assert running.context["tiles"][0]["period"] == "A week ago by this time"
    line = ">As of 7 Mar 2026, 14:30, compared with Sat, 28 Feb 2026"
    assert running.content.decode().count(f"{line} by the same time, when nothing was ordered<") == 1
    assert "None before" not in running.content.decode()
    over = ">As of 7 Mar 2026, 14:30, compared with Fri, 27 Feb 2026<"
    assert page(date="2026-03-06").content.decode().count(over) == 1
    assert page(date="2026-03-06").context["tiles"][0]["period"] == "A week before"


def test_people_are_called_by_their_full_names_and_the_file_has_their_user_names(page, report, manager, ordered):
    cancel(manager, ordered)
    User.objects.filter(username="managers").update(first_name="Maeve", last_name="Delaney")
    order(Table.objects.get(), NOW, total="1")
    Order.objects.exclude(pk=ordered).update(placed_by="managers")
    shown = page()
    assert shown.context["takers_table"]["rows"] == [["Maeve Delaney", 1, 1]]
    assert [row[2] for row in shown.context["cancelled_table"]["rows"]] == ["Maeve Delaney"]
    text = shown.content.decode()
    assert "Printed 7 Mar 2026, 14:30 by Maeve Delaney" in text
    assert "managers" not in text.partition("<main")[2]
    assert report("/day")["placedBy"][0]["name"] == "managers"
    file = page(format="csv").content.decode()
    assert "managers,1,1" in file
    assert "Maeve" not in file


def test_average_order_and_table_sessions_stand_beside_a_week_before(page, table):
    for days, total in ((0, "30"), (7, "10"), (7, "20")):
        order(table, NOW - timedelta(days=days), total=total)
        start_session(table, NOW - timedelta(days=days))
    start_session(table, NOW - timedelta(days=7) + TICK)  # not yet by this time
    compared = {each["label"]: (each["value"], each.get("before")) for each in page().context["other_tiles"]}
    assert compared == {
        "Cancelled": (0, None), "Orders": (1, 2), "Average order": (30, 15), "Table sessions": (1, 2),
    }  # fmt: skip


def test_the_heading_fits_on_a_phone(page):
    assert "<h1>Sat, 7 Mar 2026</h1>" in page().content.decode()


def test_who_took_orders_has_a_total(page, table, soup, ordered):
    assert [row[0] for row in page().context["takers_table"]["rows"]] == ["managers"]
    order(table, NOW, (soup, 1))
    assert page().context["takers_table"]["rows"][-1] == ["Total", 2, Decimal("32.75")]


def test_what_is_due_leads_to_the_open_bills(page, manager, ordered, session):
    shown = page()
    assert [each["label"] for each in shown.context["main_tiles"]] == ["Sales", "Payments", "Still due", "Tips"]
    assert '<a href="#open-title">€23.25</a>' in shown.content.decode()
    assert shown.context["main_tiles"][2]["note"] == "1 open bill"
    assert "has left" not in shown.content.decode()
    TableSession.objects.update(ended_at=NOW)
    gone = page()
    assert gone.context["main_tiles"][2]["note"] == "1\xa0open\xa0bill; 1\xa0party\xa0has\xa0left"
    assert gone.context["open_table"]["asides"] == ["has left"]
    assert '<span class="chip chip-bad">has left</span>' in gone.content.decode()
    other = start_session(make_table(3))
    order(other.table, NOW, total="4")
    both = page().context["open_table"]  # whoever has left first
    assert [row[0] for row in both["rows"]] == ["Table 7", "Table 3", "Total"]
    assert both["asides"] == ["has left", "", ""]
    assert "\n3,14:30,4.00\n7,14:30,23.25\n" in page(format="csv").content.decode().replace("\r", "")
    OrderItem.objects.filter(order__session=other).delete()
    Order.objects.filter(session=other).delete()
    pay(manager, session, method="card")
    assert "#open-title" not in page().content.decode()


def test_the_printed_sheet_has_the_cash_to_count(page, manager, ordered, session):
    assert page().context["cash"] == 0
    assert "Cash taken, tips included:" not in page().content.decode()
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert '<dd class="amount">€6.00</dd>' in shown.content.decode()
    assert "Cash taken, tips included: €6.00.</p>" in shown.content.decode()  # on the screen
    assert "Printed 7 Mar 2026, 14:30 by managers" in shown.content.decode()


def test_the_printed_sheet_names_the_house_and_a_day_that_is_not_over(page, ordered):
    venue.remember(venue.Venue(name="Chez Nous", address="1 rue du <Port>\n13002 Marseille", vat_number="FR 123"))
    running, over = page().content.decode(), page(date="2026-03-06").content.decode()
    for text in (running, over):
        assert "<span>1 rue du &lt;Port&gt;, 13002 Marseille</span><span>VAT number FR 123</span>" in text
    assert '<p class="day-interim">Interim, 14:30</p>' in running
    assert "Interim" not in over


@pytest.mark.parametrize(
    ("day", "name"), [("2026-03-07", "Today"), ("2026-03-06", "Yesterday"), ("2026-03-05", "5 Mar 2026")]
)
def test_the_day_is_named_where_it_is_chosen(page, day, name):
    text = page(date=day).content.decode()
    assert f'<span class="visually-hidden">Day: </span>{name}</summary>' in text
    assert ('rel="next"' in text) == (name != "Today")


def test_what_was_sold_without_a_rate_is_in_the_total(page, table, ordered):
    order(table, NOW, (make_item("Water", "1"), 3))
    rows = page().context["taxes_table"]["rows"]
    assert rows[2:] == [
        ["No rate", None, None, 3], ["Total", Decimal("23.64"), Decimal("2.61"), Decimal("26.25")],
    ]  # fmt: skip


def test_an_empty_day_says_so(page):
    text = page().content.decode()
    for sentence in (
        "No payments on this day.",
        '<dt>Cancelled</dt><dd>€0.00</dd><dd class="soft">Nothing</dd></div>',
        "Every bill of this day is paid.",
    ):
        assert sentence in text
    assert '<h2 id="cancelled-title"' not in text  # its tile has said so
    assert "Cancelled and held orders are left out." in text


def test_the_csv_has_what_the_page_has(manager, ordered, session):
    response = manager.get(f"{DAY}?date=2026-03-07&format=csv")
    assert response["Content-Disposition"] == 'attachment; filename="day-2026-03-07.csv"'
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    for row in (
        ["Sales", "23.25", "0.00", "A week ago by this time"],
        ["13.5%", "16.74", "2.26", "19.00"],
        ["managers", "1", "23.25"],
    ):
        assert row in rows
    assert ["From", "2026-03-07T00:00:00+00:00"] in rows


def test_the_day_leads_to_its_lines(page):
    assert 'href="/reports/restaurant/lines?from=2026-03-07&amp;to=2026-03-07"' in page().content.decode()


def test_the_page_says_what_members_were_given_that_day(page, manager, ordered):
    """Without what was taken back or undone, and without what was given on other days."""

    def given(**query) -> dict[str, tuple[int, str]]:
        tiles = page(**query).context["other_tiles"][4:]
        return {tile["label"]: (tile["value"], tile["note"]) for tile in tiles}

    assert given() == {}  # there is no programme
    ada, ben = make_member(lifetime=0), make_member("Ben Brook", lifetime=0)
    _earned(ada, 30)
    taken_back = _earned(ben, 500)
    PointTransaction.objects.create(
        customer=ben, type="reversal", points=-500, order_total=-Decimal("19.00"), reverses=taken_back, created_at=NOW
    )
    _earned(ben, 7, at=NOW - timedelta(days=1))
    for undone_at in (None, NOW):
        _handed_out(ada, undone_at)
    assert given() == {"Points given": (30, "On 1 card"), "Rewards handed out": (1, "For 150 points")}
    assert given(date="2026-03-06") == {"Points given": (7, "On 1 card"), "Rewards handed out": (0, "")}
    file = manager.get(DAY, {"format": "csv"}, headers={"accept": PAGE}).content.decode()
    assert "Points given,30" in file


def _earned(member, points, at=NOW) -> PointTransaction:
    return PointTransaction.objects.create(
        customer=member, type="earn", points=points, order_total=Decimal("19.00"), created_at=at
    )


def _handed_out(member, undone_at) -> None:
    code = f"CODE{undone_at:%H}" if undone_at else "CODE"
    redemption = Redemption.objects.create(
        customer=member, reward=make_reward(code), points_spent=150, redemption_code=code, expires_at=NOW
    )
    Confirmation.objects.create(redemption=redemption, message="", found="active", created_at=NOW, undone_at=undone_at)
