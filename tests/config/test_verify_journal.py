"""`manage.py verify_journal` names what was changed in the books, or in the journal, behind the program's back."""

import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from restaurant.models import CashDrawer, Order, Payment, Refund, TableSession
from tests.conftest import make_table, order_body, undone
from tests.loyalty.making import earn_body, enrol, make_reward, redeem
from web import journal
from web.services import sealing

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(api, manager, till, location, session, soup, bread) -> None:
    """A drawer's day with a drop, two orders, of which a part is cancelled, discounts, payments, and points."""
    drawer = f"/drawers/{CashDrawer.objects.create(name='Bar').pk}"
    manager.post(f"{drawer}/open", {"float": 100}, format="json")
    for _ in range(2):
        placed = api.post("/table/7/order", order_body(session, (soup, 3), (bread, 2)), format="json").json()
    part = {"reason": "mistake", "items": [{"position": 0, "quantity": 1}]}
    assert manager.post(f"/orders/{placed['orderId']}/cancel", part, format="json").status_code == 200
    for percent in (10, 5):
        off = {"kind": "discount", "percent": percent, "reason": "wait"}
        adjusted = manager.post("/table/7/adjustments", off, format="json").json()
    manager.post(f"/adjustments/{adjusted['id']}/void", {}, format="json")
    paid = [
        manager.post("/table/7/payments", {"method": "cash", "amount": amount}, format="json").json()["id"]
        for amount in (10, 20, 5)
    ]
    manager.post(f"/payments/{paid[0]}/void", {}, format="json")
    manager.post(f"/payments/{paid[1]}/refund", {"amount": 2, "reason": "complaint"}, format="json")
    manager.post(f"{drawer}/movements", {"kind": "drop", "amount": 50, "reason": "safe"}, format="json")
    assert manager.post(f"{drawer}/close", {"amount": 73}, format="json").status_code == 200
    phone, member = enrol()
    till.post("/earn", earn_body(member, location, 250), format="json")
    redeem(phone, member, make_reward(points=150))
    sealing.seal()


def verify(capsys) -> str:
    """Return the first sentence; empty where nothing differs."""
    capsys.readouterr()
    try:
        call_command("verify_journal")
    except CommandError:
        return capsys.readouterr().out.splitlines()[0]
    return ""


def test_an_evening_verifies_and_twelve_changes_are_each_named(evening, capsys, subtests):
    assert verify(capsys) == ""
    for spoil, named in [
        ("UPDATE restaurant_payment SET amount = 4 WHERE amount = 5", 'says amount "5.00", the books say "4.00"'),
        ("DELETE FROM restaurant_payment WHERE amount = 5", "(payment "),
        ("UPDATE restaurant_payment SET voided_at = now() WHERE amount = 5", "payment "),
        ("UPDATE restaurant_payment SET voided_at = NULL WHERE amount = 10", "(payment_voided "),
        ("UPDATE restaurant_orderitem SET price = 1 WHERE position = 1", "says items"),
        ("UPDATE restaurant_orderitem SET cancelled_quantity = 2 WHERE cancelled_quantity = 1", "says left"),
        ("UPDATE restaurant_order SET total = total - 1", "says total"),
        ("DELETE FROM restaurant_orderchange", "changed says"),
        ("UPDATE restaurant_adjustment SET percent = 20 WHERE percent = 10", "says percent"),
        ("DELETE FROM restaurant_refund", "(refund "),
        ("UPDATE restaurant_drawerday SET counted = 70", "says counted"),
        ("UPDATE restaurant_drawermovement SET amount = 40", "says amount"),
        ("UPDATE restaurant_payment SET drawer_day_id = NULL WHERE amount = 5", "says drawer_day"),
        ("UPDATE loyalty_pointtransaction SET points = 9 WHERE order_total = 250", "says points"),
        ("UPDATE loyalty_member SET points_balance = 7", "has 7 points, the ledger says 200"),
        ("UPDATE restaurant_tablesession SET adjusted = -1", "is not stored as that"),
        ("UPDATE web_journalentry SET content = replace(content, '5.00', '4.00') WHERE kind = 'payment'", "Entry "),
        (
            "DELETE FROM web_journalentry WHERE number = (SELECT max(number) FROM web_journalentry)",
            "not in the journal",
        ),
    ]:
        with subtests.test(spoil=spoil), undone(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(spoil)
            assert cursor.rowcount > 0
            assert named in verify(capsys)


def test_what_was_put_into_the_books_or_into_the_journal_is_named(evening, capsys, subtests):
    for model in (Payment, Refund):
        with subtests.test(model=model), undone():
            copied = model.objects.last()
            copied.pk = uuid.uuid4()
            copied.save(force_insert=True)
            assert "is not in the journal" in verify(capsys)
    with undone():
        journal.write("payment", "5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11", amount="5.00")
        sealing.seal()
        assert "is about something that is not in the books" in verify(capsys)


def test_parts_that_were_paid_voided_and_divided_anew_verify(evening, manager, session, capsys):
    by_people = {"sessionId": str(session.pk), "by": "people", "count": 2}
    part = manager.post("/table/7/parts", by_people, format="json").json()["parts"][0]["id"]
    body = {"sessionId": str(session.pk), "method": "card", "partId": part}
    paid = manager.post("/table/7/payments", body, format="json").json()["id"]
    manager.post(f"/payments/{paid}/void", {}, format="json")
    assert manager.post("/table/7/parts", by_people | {"count": 3}, format="json").status_code == 201
    assert verify(capsys) == ""


def test_parties_that_join_and_part_verify(evening, manager, session, soup, capsys):
    other = make_table(8)
    manager.post("/table/8/order", order_body(TableSession.objects.create(table=other), (soup, 2)), format="json")
    manager.post("/table/8/adjustments", {"kind": "discount", "percent": 10, "reason": "wait"}, format="json")
    voided = manager.post("/table/8/adjustments", {"kind": "service", "percent": 5, "reason": "other"}, format="json")
    manager.post(f"/adjustments/{voided.json()['id']}/void", {}, format="json")
    [joining] = TableSession.objects.filter(table=other)
    moved = manager.post("/table/8/move", {"sessionId": str(joining.pk), "to": 7}, format="json")
    assert moved.status_code == 200, moved.content
    assert verify(capsys) == ""


def test_what_is_older_than_the_journal_is_in_its_opening(evening, manager, session, soup, capsys):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM web_journalentry")
        cursor.execute("SET LOCAL session_replication_role = origin")
    import_module("restaurant.migrations.0024_opening_of_the_journal").open_journal(apps, None)
    manager.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    sealing.seal()
    assert verify(capsys) == ""
    with undone():
        Payment.objects.filter(amount=5).update(amount=4)
        assert "(opening) says paid" in verify(capsys)
    with undone():
        Order.objects.latest("created_at").items.update(price=1)
        assert "says items" in verify(capsys)
