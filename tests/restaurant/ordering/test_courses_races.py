"""Two waiters who fire a course at the same moment."""

import pytest

from restaurant.models import Category, OrderItem, Printer, PrintJob, TableSession
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 5


def test_a_course_is_fired_once(transactional_db):
    waiters = [signed_in(make_user("Floor", f"waiter-{number}")) for number in range(4)]
    session = TableSession.objects.create(table=make_table())
    salad, steak = (make_item(name, "10.00", category=name) for name in ("Salad", "Steak"))
    for number, dish in enumerate((salad, steak), start=1):
        Category.objects.filter(name=dish.category).update(course=number)
    Printer.objects.create(name="Pass", host="127.0.0.1")
    for done in range(1, ROUNDS + 1):
        body = order_body(session, (salad, 1), (steak, 1))
        placed = waiters[0].post("/table/7/order", body, format="json").json()["orderId"]
        calls = [
            lambda waiter=waiter: waiter.post("/table/7/fire", {"course": 2}, format="json").json()["fired"]
            for waiter in waiters
        ]
        assert sorted(at_once(calls)) == [0, 0, 0, 1]
        assert PrintJob.objects.filter(kind="course").count() == done
        OrderItem.objects.filter(order=placed).update(done_at=OrderItem.objects.latest("fired_at").fired_at)
