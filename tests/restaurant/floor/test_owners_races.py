"""Two who take the same at the same moment."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from restaurant.floor.models import TableOwner
from restaurant.floor.services.owners import take_tables
from restaurant.models import Order, TableCall, TableSession
from restaurant.ordering.services import calls, order_steps
from tests.at_once import at_once, before_commit
from tests.conftest import make_table, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def staff(transactional_db) -> list[User]:
    return [make_user("Floor", name) for name in ("ana", "ben", "cleo")]


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


def test_of_three_who_take_a_call_one_has_it_and_all_read_the_same_name(staff, session):
    for _ in range(8):
        call = TableCall.objects.create(session=session, kind="waiter")
        taken = at_once([partial(calls.take, call_id=str(call.pk), user=user) for user in staff])
        call.refresh_from_db()
        assert set(taken) == {call.taken_by_name}
        call.done_at = timezone.now()
        call.save()


def test_who_takes_a_call_while_another_takes_it_reads_the_first(staff, session):
    ana, ben, _ = staff
    pk = str(TableCall.objects.create(session=session, kind="waiter").pk)
    second = before_commit(lambda: calls.take(call_id=pk, user=ana), lambda: calls.take(call_id=pk, user=ben))
    assert second == TableCall.objects.get().taken_by_name == "ana"


def test_who_takes_an_order_while_another_takes_it_reads_the_first(staff, session):
    ana, ben, _ = staff
    order = Order.objects.create(table=session.table, session=session, status="ready", total=5)
    pk = str(order.pk)
    second = before_commit(
        lambda: order_steps.take(order_id=pk, user=ana), lambda: order_steps.take(order_id=pk, user=ben)
    )
    order.refresh_from_db()
    assert second == order.taken_by_name == "ana"


def test_a_call_that_is_done_meanwhile_is_not_taken(staff, session):
    pk = str(TableCall.objects.create(session=session, kind="waiter").pk)
    late = before_commit(lambda: calls.done(call_id=pk, user_name="ana"), lambda: calls.take(call_id=pk, user=staff[1]))
    call = TableCall.objects.get()
    assert (late, call.done_by, call.taken_at) == ("ana", "ana", None)


def test_of_two_who_mark_a_call_done_the_first_is_noted(session):
    pk = str(TableCall.objects.create(session=session, kind="waiter").pk)
    before_commit(lambda: calls.done(call_id=pk, user_name="ana"), lambda: calls.done(call_id=pk, user_name="ben"))
    assert TableCall.objects.get().done_by == "ana"


def test_staff_who_take_each_others_tables_at_once_have_each_table_once(staff):
    for number in range(1, 9):
        make_table(number, "Window")
    for _ in range(8):
        wanted = [range(1, 7), range(3, 9), range(1, 9)]
        at_once(
            [
                partial(take_tables, user=user, numbers=numbers, sections=[])
                for user, numbers in zip(staff, wanted, strict=True)
            ]
        )
        assert sorted(TableOwner.objects.values_list("table__table_number", flat=True)) == list(range(1, 9))


def test_one_person_on_two_devices_has_what_was_taken_last(staff):
    for number in (1, 2):
        make_table(number)
    before_commit(
        lambda: take_tables(user=staff[0], numbers=[1], sections=[]),
        lambda: take_tables(user=staff[0], numbers=[2], sections=[]),
    )
    assert list(TableOwner.objects.values_list("table__table_number", flat=True)) == [2]
