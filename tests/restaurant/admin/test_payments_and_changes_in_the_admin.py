"""Payments and changes of orders are looked up in the admin, and made elsewhere."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from restaurant.billing.services import payments
from restaurant.models import Order, OrderChange, Payment, TableSession
from restaurant.ordering.services import order_changes, orders
from restaurant.ordering.services.cart import Entry
from restaurant.ordering.services.order_changes import Part
from tests.conftest import make_table, make_user, own_queries, unknown_id
from tests.reading import read
from tests.restaurant.admin.pages import ORDERS, TABLES, found, page_of, text_of, with_permissions, words_of

PAYMENTS = reverse("admin:restaurant_payment_changelist")
CHANGES = reverse("admin:restaurant_orderchange_changelist")


@pytest.fixture(autouse=True)
def _noon(clock):
    clock(datetime(2026, 11, 22, 12, tzinfo=UTC))


@pytest.fixture
def waiter(db):
    return make_user("Floor", "anna")


@pytest.fixture
def order(session, soup, bread):
    entries = [Entry(str(soup.pk), 3, ""), Entry(str(bread.pk), 1, "")]
    return orders.place(table_number=7, session_id=str(session.pk), entries=entries).order


@pytest.fixture
def change(order, waiter):
    order_changes.cancel(
        order_id=str(order.pk), user=waiter, reason="sold_out", note="<b>last one</b>", parts=[Part(0, 1)]
    )
    return OrderChange.objects.get()


@pytest.fixture
def payment(order, waiter):
    return payments.take(
        table_number=7, session_id=None, method="card", amount=Decimal(10), tip=Decimal("1.5"), user=waiter
    )


def test_an_orders_page_says_who_changed_it_when_and_why(managers_browser, order, change):
    page = words_of(managers_browser.get(page_of(order)))
    assert "3 Ribollita 1 cancelled €9.50 €19.00" in page
    assert "Total €23.25" in page
    assert "Cancelled: 1 × Ribollita Sold out · <b>last one</b> · €9.50 anna" in page


def test_a_guests_own_change_is_a_guests(managers_browser, order):
    OrderChange.objects.create(order=order, kind="cancelled", reason="mistake", amount=1)
    assert "Cancelled in part Ordered by mistake · €1.00 Guest" in words_of(managers_browser.get(page_of(order)))
    assert "guest" in words_of(managers_browser.get(CHANGES))


def test_an_orders_page_tells_what_was_paid_of_its_bill(managers_browser, order, payment):
    page = managers_browser.get(page_of(order))
    assert "€10.00 of the bill paid by card Tip €1.50 anna" in words_of(page)
    assert f'href="{page_of(payment)}"' in text_of(page)
    payments.void(payment_id=str(payment.pk), user_name="mia", note="Twice")
    assert "Payment of €10.00 voided Twice mia" in words_of(managers_browser.get(page_of(order)))


def test_an_orders_page_says_whether_its_bill_is_paid_and_leads_there(managers_browser, session, order, waiter, bread):
    def pay(amount):
        payments.take(table_number=7, session_id=None, method="card", amount=Decimal(amount), user=waiter)
        return words_of(managers_browser.get(page_of(order)))

    page = managers_browser.get(page_of(order))
    assert "Payment To be paid The table's bill €32.75 Ordered" in words_of(page)
    assert f'href="/table/7/bill?sessionId={session.pk}"' in text_of(page)
    assert "Payment Partly paid €22.75 left The table's bill €32.75" in pay("10")
    page = pay("22.75")
    at = f"{timezone.localtime(session.payments.latest('created_at').created_at):%H:%M}"
    assert f"Payment Paid {at} The table's bill €32.75 Ordered by" in page
    other = orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(str(bread.pk), 1, "")]).order
    page = pay(other.total)
    at = f"{timezone.localtime(session.payments.latest('created_at').created_at):%H:%M}"
    assert f"Payment Paid {at} The table's bill €{32.75 + float(other.total):.2f}, 2 orders Ordered" in page


def test_an_order_that_is_on_no_bill_has_no_payment(managers_browser, session, order):
    type(order).objects.filter(pk=order.pk).update(status="cancelled")
    page = managers_browser.get(page_of(order))
    assert "Payment " not in words_of(page)
    assert "/bill?" not in text_of(page)


def test_a_sessions_page_shows_its_bill(managers_browser, session, order, payment):
    page = managers_browser.get(page_of(session))
    assert "Total €32.75 · Paid €10.00 · Due €22.75" in words_of(page)
    assert f'href="/table/7/bill?sessionId={session.pk}"' in text_of(page)
    order_changes.cancel(order_id=str(order.pk), user=None, reason="mistake")
    assert "Due €0.00 · Overpaid €10.00" in words_of(managers_browser.get(page_of(session)))


def test_who_may_not_see_payments_sees_none(order, payment, session):
    client = with_permissions("view_order", "view_tablesession")
    client_user_page = words_of(client.get(page_of(order)))
    assert "Payment" not in client_user_page
    assert "/bill?" not in client_user_page
    assert "Due" not in words_of(client.get(page_of(session)))


def test_the_list_of_orders_says_what_is_paid_and_finds_what_is_not(managers_browser, order, payment, waiter, bread):
    table = make_table(70)
    elsewhere = table.sessions.create()
    orders.place(table_number=70, session_id=str(elsewhere.pk), entries=[Entry(str(bread.pk), 1, "")])
    page = words_of(managers_browser.get(ORDERS))
    assert "received 4 €32.75 Partly paid" in page
    assert "received 1 €4.25 To be paid" in page
    payments.take(table_number=70, session_id=None, method="cash", amount=None, user=waiter)
    assert "received 1 €4.25 Paid" in words_of(managers_browser.get(ORDERS))
    assert found(managers_browser, ORDERS, show="due") == [order]
    payments.void(payment_id=str(payment.pk), user_name="mia")
    assert "received 4 €32.75 To be paid" in words_of(managers_browser.get(ORDERS))
    Order.objects.filter(pk=order.pk).update(status="cancelled")
    assert found(managers_browser, ORDERS, show="due") == []
    assert "cancelled 4 €32.75 –" in words_of(managers_browser.get(ORDERS))


def test_the_list_of_orders_says_who_left_without_paying_as_that_of_tables_does(
    managers_browser, session, order, payment
):
    page = words_of(managers_browser.get(ORDERS))
    assert "€32.75 Partly paid" in page
    assert "Left, " not in page
    assert found(managers_browser, ORDERS, show="left") == []
    TableSession.objects.update(ended_at=timezone.now())
    assert "€32.75 Left, €22.75 due" in words_of(managers_browser.get(ORDERS))
    assert "All Open 1 To be paid 1 Left without paying 1" in words_of(managers_browser.get(ORDERS))
    assert found(managers_browser, ORDERS, show="left") == [order]
    assert "Left 12:00 €22.75 due" in words_of(managers_browser.get(TABLES))
    Payment.objects.create(session=session, method="cash", amount="22.75")
    assert "€32.75 Paid" in words_of(managers_browser.get(ORDERS))


def test_the_list_of_orders_strikes_out_what_was_cancelled_and_the_file_counts_nothing(managers_browser, order, waiter):
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="mistake", parts=[Part(0, 1)])
    assert "received 3 €23.25" in words_of(managers_browser.get(ORDERS))
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="mistake")
    page = managers_browser.get(ORDERS)
    assert "cancelled 4 cancelled €32.75 cancelled" in words_of(page)
    assert len(list(read(page).element.iter("s"))) == 2
    file = managers_browser.get(f"{ORDERS}export/").getvalue().decode("utf-8-sig")
    assert ",cancelled,0,0.00," in file


def test_bills_are_looked_through_for_a_week(managers_browser, order, payment):
    TableSession.objects.update(started_at=timezone.now() - timedelta(days=8))
    Order.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert found(managers_browser, ORDERS, show="due") == []


def test_orders_have_no_payment_where_none_are_taken_or_may_be_seen(managers_browser, order):
    with_column, without = "Total Payment Completed", "Total Completed"
    assert without in words_of(managers_browser.get(ORDERS))
    Payment.objects.create(session=order.session, method="cash", amount=1)
    assert with_column in words_of(managers_browser.get(ORDERS))
    client = with_permissions("view_order")
    assert without in words_of(client.get(ORDERS))
    assert "To be paid" not in words_of(client.get(ORDERS, {"show": "due"}))
    assert found(client, ORDERS, show="due") == [order]  # a tab that it doesn't have


def test_the_payments_of_a_list_are_read_by_two_questions_and_its_tabs_by_one(managers_browser, order, payment):
    for number in range(20, 50):
        session = make_table(number).sessions.create()
        Order.objects.create(session=session, table=session.table, total=1)
    with own_queries() as queries:
        assert managers_browser.get(ORDERS).context["cl"].result_count == 31
    of_payments = [query for query in queries if "restaurant_payment" in query and "SUM" in query]
    assert len([query for query in of_payments if "restaurant_order" not in query]) == 1
    assert len([query for query in of_payments if "restaurant_order" in query]) == 1  # bills that are not paid
    assert len([query for query in queries if 'SUM("restaurant_order"."total")' in query]) == 1


# --- cancelling -------------------------------------------------------------------------------------


def test_the_cancel_button_leads_to_the_orders_own_page(managers_browser, order):
    assert f'href="/orders/{order.pk}/cancel"' in text_of(managers_browser.get(page_of(order)))


def test_there_is_no_button_for_what_is_over(managers_browser, order):
    for status in ("completed", "cancelled"):
        type(order).objects.filter(pk=order.pk).update(status=status)
        assert f"/orders/{order.pk}/cancel" not in text_of(managers_browser.get(page_of(order))), status


def test_there_is_no_button_for_who_may_not_cancel(order):
    client = with_permissions("view_order")
    assert f"/orders/{order.pk}/cancel" not in text_of(client.get(page_of(order)))


# --- the lists --------------------------------------------------------------------------------------


def test_payments_are_found_by_table_method_and_who_took_them(managers_browser, payment):
    elsewhere = make_table(70).sessions.create()
    other = Payment.objects.create(
        session=elsewhere, method="cash", amount=5, taken_by_name="ben", voided_at=timezone.now(), void_note="twice"
    )
    assert found(managers_browser, PAYMENTS, table="70") == [other]
    assert found(managers_browser, PAYMENTS, method__exact="card") == [payment]
    assert found(managers_browser, PAYMENTS, q="ben") == found(managers_browser, PAYMENTS, voided="yes") == [other]
    assert found(managers_browser, PAYMENTS, voided="no") == [payment]
    assert "Table 7 · Window card €10.00 €1.50 anna" in words_of(managers_browser.get(PAYMENTS))


def test_changes_are_found_by_table_kind_and_note(managers_browser, change):
    assert found(managers_browser, CHANGES, table="7") == found(managers_browser, CHANGES, q="last one") == [change]
    assert (
        found(managers_browser, CHANGES, kind__exact="refused")
        == found(managers_browser, CHANGES, table=unknown_id())
        == []
    )
    assert "Table 7 · Window cancelled €9.50 sold out anna" in words_of(managers_browser.get(CHANGES))
    assert page_of(change.order) in text_of(managers_browser.get(page_of(change)))


def test_nobody_writes_here(owners_browser, payment, change):
    for row, address in ((payment, PAYMENTS), (change, CHANGES)):
        before = type(row).objects.values().get(pk=row.pk)
        assert owners_browser.get(f"{address}add/").status_code == 403
        assert owners_browser.post(page_of(row), {"amount": "0"}).status_code == 403
        assert owners_browser.post(page_of(row).replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
        assert type(row).objects.values().get(pk=row.pk) == before


def test_a_list_asks_few_questions(managers_browser, order, django_assert_max_num_queries):
    for number in range(20, 50):
        session = make_table(number).sessions.create()
        Payment.objects.create(session=session, method="cash", amount=1)
        OrderChange.objects.create(order=order, kind="cancelled", amount=1)
    for address in (PAYMENTS, CHANGES):
        with django_assert_max_num_queries(12):
            assert managers_browser.get(address).context["cl"].result_count == 30
