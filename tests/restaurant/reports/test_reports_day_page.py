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
from tests.reading import read
from tests.restaurant.reports.making import NOW, cancel, make_ordered, order, pay, start_session
from web import venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

DAY = "/reports/restaurant/day"
TICK = timedelta(microseconds=1)


@pytest.fixture
def page(manager):
    def get(**query):
        response = manager.get(DAY, query, headers={"accept": PAGE})
        assert response.status_code == 200
        return response

    return get


def addresses(page) -> list[str]:
    return [address for _name, address in read(page).links()]


@pytest.fixture
def ordered(manager, session, soup, bread):
    return make_ordered(manager, session, soup, bread)


def test_the_page_says_who_cancelled_what_and_why_and_leads_to_it(page, manager, ordered):
    cancel(manager, ordered, items=[{"position": 0}], note="<none left>")
    shown = page()
    assert shown.context["cancelled_table"].rows == [
        ["14:30", 7, "managers", "Sold out", "<none left>", Decimal("19.00")]
    ]
    assert f"/orders/{ordered}" in addresses(shown)


def test_the_page_leads_to_open_bills_to_other_days_and_to_its_lines(page, ordered, session):
    today, yesterday = read(page()), read(page(date="2026-03-06"))
    found = addresses(page())
    assert f"/table/7/bill?sessionId={session.pk}" in found
    assert "/reports/restaurant/lines?from=2026-03-07&to=2026-03-07" in found
    assert today.one("link", "Earlier")["href"] == f"{DAY}?date=2026-03-06"
    assert today.all("link", "Later") == []
    assert yesterday.one("link", "Later")["href"] == f"{DAY}?date=2026-03-07"


def test_tables_have_totals_where_there_is_more_than_one_row(page, manager, ordered, session, table, soup):
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert [row[0] for row in shown.context["taxes_table"].rows] == ["9%", "13.5%", "Total"]
    assert shown.context["taxes_table"].rows[-1] == ["Total", Decimal("20.64"), Decimal("2.61"), Decimal("23.25")]
    assert shown.context["payments_table"].rows[-1] == ["Total", 2, Decimal("23.25"), Decimal("3.00")]
    assert [row[0] for row in shown.context["takers_table"].rows] == ["managers"]
    order(table, NOW, (soup, 1))
    assert page().context["takers_table"].rows[-1] == ["Total", 2, Decimal("32.75")]


def test_the_page_has_sales_by_category_and_says_what_was_voided(page, manager, ordered, session, soup, bread):
    def categories(*names: str) -> list:
        for item, name in zip((soup, bread), names, strict=True):
            item.category = name
            item.save()
        return page().context["categories_table"].rows

    soups, of_bread, total = ("Soups", 2, Decimal("19.00")), (1, Decimal("4.25")), (3, Decimal("23.25"))
    assert categories("Soups", "Bread") == [[*soups], ["Bread", *of_bread], ["Total", *total]]
    assert categories("Soups", "") == [[*soups], ["Other", *of_bread], ["Total", *total]]
    assert categories("Other", "") == [["Other", *total]]
    shown = page().context
    assert shown["tiles"][1].note == "0 payments, none voided"
    payment = pay(manager, session, method="cash", amount=5)
    manager.post(f"/payments/{payment['id']}/void", {}, format="json")
    pay(manager, session, method="cash", amount=3)
    shown = page().context
    assert shown["tiles"][1].note == "1 payment, 1 voided (€5.00)"
    assert shown["payments_table"].rows == [["Cash", 1, Decimal("3.00"), Decimal("0.00")]]


def test_a_day_that_runs_is_compared_by_this_time(page, manager, ordered):
    running = page()
    assert running.context["tiles"][0].period == "A week ago by this time"
    line = "As of 7 Mar 2026, 14:30, compared with Sat, 28 Feb 2026 by the same time, when nothing was ordered"
    assert read(running).text.count(line) == 1
    assert "None before" not in read(running)
    over = read(page(date="2026-03-06")).text
    assert over.count("As of 7 Mar 2026, 14:30, compared with Fri, 27 Feb 2026") == 1
    assert "by the same time" not in over
    assert page(date="2026-03-06").context["tiles"][0].period == "A week before"


def test_people_are_called_by_their_full_names_and_the_file_has_their_user_names(page, report, manager, ordered):
    cancel(manager, ordered)
    User.objects.filter(username="managers").update(first_name="Maeve", last_name="Delaney")
    order(Table.objects.get(), NOW, total="1")
    Order.objects.exclude(pk=ordered).update(placed_by="managers")
    shown = page()
    assert shown.context["takers_table"].rows == [["Maeve Delaney", 1, 1]]
    assert [row[2] for row in shown.context["cancelled_table"].rows] == ["Maeve Delaney"]
    main = read(shown).one("main")
    assert "Printed 7 Mar 2026, 14:30 by Maeve Delaney" in main
    assert "managers" not in main
    assert report("/day")["placedBy"][0]["name"] == "managers"
    file = page(format="csv").content.decode()
    assert "managers,1,1" in file
    assert "Maeve" not in file


def test_average_order_and_table_sessions_stand_beside_a_week_before(page, table):
    for days, total in ((0, "30"), (7, "10"), (7, "20")):
        order(table, NOW - timedelta(days=days), total=total)
        start_session(table, NOW - timedelta(days=days))
    start_session(table, NOW - timedelta(days=7) + TICK)  # not yet by this time
    compared = {each.label: (each.value, each.before) for each in page().context["other_tiles"]}
    assert compared == {
        "Cancelled": (0, None), "Orders": (1, 2), "Average order": (30, 15), "Table sessions": (1, 2),
    }  # fmt: skip


def test_what_is_due_leads_to_the_open_bills(page, manager, ordered, session):
    shown = page()
    assert [each.label for each in shown.context["main_tiles"]] == ["Sales", "Payments", "Still due", "Tips"]
    assert read(shown).one("link", "€23.25")["href"] == "#open-title"
    assert shown.context["main_tiles"][2].note == "1 open bill"
    assert "has left" not in read(shown)
    TableSession.objects.update(ended_at=NOW)
    gone = page()
    assert gone.context["main_tiles"][2].note == "1 open bill;\n1 party has left"
    assert gone.context["open_table"].asides == ["has left"]
    assert "has left" in read(gone).region("Open bills")
    other = start_session(make_table(3))
    order(other.table, NOW, total="4")
    both = page().context["open_table"]  # whoever has left first
    assert [row[0] for row in both.rows] == ["Table 7", "Table 3", "Total"]
    assert both.asides == ["has left", "", ""]
    assert "\n3,14:30,4.00\n7,14:30,23.25\n" in page(format="csv").content.decode().replace("\r", "")
    OrderItem.objects.filter(order__session=other).delete()
    Order.objects.filter(session=other).delete()
    pay(manager, session, method="card")
    assert "#open-title" not in addresses(page())


def test_the_printed_sheet_has_the_cash_to_count(page, manager, ordered, session):
    assert page().context["cash"] == 0
    assert "Cash taken, tips included:" not in read(page())
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert "€6.00" in read(shown).texts("definition")
    assert "Cash taken, tips included: €6.00." in read(shown)  # on the screen
    assert "Printed 7 Mar 2026, 14:30 by managers" in read(shown)


def test_the_printed_sheet_names_the_house_and_a_day_that_is_not_over(page, ordered):
    venue.remember(venue.Venue(name="Chez Nous", address="1 rue du <Port>\n13002 Marseille", vat_number="FR 123"))
    running, over = read(page()), read(page(date="2026-03-06"))
    for shown in (running, over):
        assert "1 rue du <Port>, 13002 Marseille" in shown
        assert "VAT number FR 123" in shown
    assert "Interim, 14:30" in running
    assert "Interim" not in over


def test_the_day_is_named_where_it_is_chosen(page):
    for day, name in (("2026-03-07", "Today"), ("2026-03-06", "Yesterday"), ("2026-03-05", "5 Mar 2026")):
        assert read(page(date=day)).one("details", f"Day: {name}")
    assert read(page()).one("heading", "Sat, 7 Mar 2026")  # short enough for a phone


def test_what_was_sold_without_a_rate_is_in_the_total(page, table, ordered):
    order(table, NOW, (make_item("Water", "1"), 3))
    rows = page().context["taxes_table"].rows
    assert rows[2:] == [
        ["No rate", None, None, 3], ["Total", Decimal("23.64"), Decimal("2.61"), Decimal("26.25")],
    ]  # fmt: skip


def test_an_empty_day_says_so(page):
    shown = read(page())
    for sentence in ("No payments on this day.", "Cancelled €0.00 Nothing", "Every bill of this day is paid."):
        assert sentence in shown
    assert "Cancelled" not in shown.names("heading")  # its tile has said so


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


def test_the_page_says_what_members_were_given_that_day(page, manager, ordered):
    """Without what was taken back or undone, and without what was given on other days."""

    def given(**query) -> dict[str, tuple[int, str]]:
        tiles = page(**query).context["other_tiles"][4:]
        return {tile.label: (tile.value, tile.note) for tile in tiles}

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
