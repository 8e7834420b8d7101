"""Moves that arrive at the same moment as orders, other moves, and the closing of the session."""

from decimal import Decimal
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db.models import Sum
from rest_framework.test import APIClient

from restaurant.models import MenuItem, Order, Table, TableSession
from restaurant.services import moves, sessions
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 8


@pytest.fixture
def anna(transactional_db) -> User:
    return make_user("Floor", "anna")


@pytest.fixture
def soup(transactional_db) -> MenuItem:
    return make_item()


@pytest.fixture
def tables(transactional_db) -> list[Table]:
    return [make_table(number) for number in (7, 8, 9)]


def seat(table: Table) -> TableSession:
    """A new party. The one before it has left."""
    table.sessions.update(ended_at=table.created_at)
    return TableSession.objects.create(table=table)


def order(table: int, session: TableSession, soup: MenuItem, key: str = "") -> int:
    headers = {"Idempotency-Key": key} if key else {}
    body = order_body(session, (soup, 1))
    return APIClient().post(f"/table/{table}/order", body, format="json", headers=headers).status_code


def check_figures(session: TableSession, soup: MenuItem, orders: int) -> None:
    """All orders are at the session and its table, and it has counted them."""
    session.refresh_from_db()
    placed = Order.objects.filter(session=session)
    total = placed.aggregate(total=Sum("total"))["total"] or Decimal("0.00")
    assert placed.count() == orders
    assert (session.total_orders, session.total_revenue) == (orders, total)
    assert {each.table_id for each in placed} <= {session.table_id}


@pytest.mark.parametrize("is_taken", [False, True], ids=["to a free table", "to a party"])
def test_orders_that_are_placed_while_their_party_moves_all_move(anna, soup, tables, is_taken):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        session = seat(seven)
        eight.sessions.update(ended_at=eight.created_at)
        host = seat(eight) if is_taken else session
        move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
        calls = [partial(order, 7, session, soup) for _ in range(5)]
        *statuses, moved = at_once([*calls[:2], *calls[2:], move])
        assert statuses == [200] * 5
        assert moved.pk == host.pk
        check_figures(host, soup, 5)
        if is_taken:
            check_figures(session, soup, 0)


def test_one_tap_that_is_repeated_while_the_party_moves_is_one_order(anna, soup, tables):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        session, host = seat(seven), seat(eight)
        move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
        *statuses, _moved = at_once([*[partial(order, 7, session, soup, "one tap")] * 4, move])
        assert statuses == [200] * 4
        check_figures(host, soup, 1)


def test_two_parties_that_change_places_at_the_same_moment_end_as_one_party(anna, soup, tables):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        one, other = seat(seven), seat(eight)
        assert order(7, one, soup) == order(8, other, soup) == 200
        there = partial(moves.move, table_number=7, session_id=str(one.pk), to=8, user=anna)
        back = partial(moves.move, table_number=8, session_id=str(other.pk), to=7, user=anna)
        at_once([there, back])
        # The first joins the other, which the second brings to the first one's table.
        [left] = TableSession.objects.filter(pk__in=[one.pk, other.pk], ended_at=None)
        check_figures(left, soup, 2)


def test_chains_of_moves_and_orders_from_every_page_never_block_each_other(anna, soup, tables):
    seven, eight, nine = tables
    for _ in range(ROUNDS):
        first, second, third = seat(seven), seat(eight), seat(nine)
        moves.move(table_number=7, session_id=str(first.pk), to=8, user=anna)
        calls = [
            partial(order, 7, first, soup),
            partial(order, 8, second, soup),
            partial(moves.move, table_number=7, session_id=str(first.pk), to=8, user=anna),
            partial(moves.move, table_number=8, session_id=str(second.pk), to=9, user=anna),
            partial(order, 7, first, soup),
            partial(order, 9, third, soup),
        ]
        results = at_once([partial(_status, call) for call in calls])
        assert [results[place] for place in (0, 1, 4, 5)] == [200] * 4
        check_figures(third, soup, 4)


def _status(call: partial) -> object:
    try:
        return call()
    except sessions.SessionUnknown:  # the repeat of a move whose party has gone on
        return None
    except moves.SessionEnded:
        return None


@pytest.mark.parametrize("is_taken", [False, True], ids=["to a free table", "to a party"])
def test_a_party_that_is_closed_while_it_moves_keeps_its_figures(anna, soup, tables, is_taken):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        session = seat(seven)
        eight.sessions.update(ended_at=eight.created_at)
        host = seat(eight) if is_taken else session
        assert order(7, session, soup) == 200

        def close(session=session) -> object:
            return _status(partial(sessions.close, table_number=7, session_id=str(session.pk)))

        def move(session=session) -> object:
            return _status(partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna))

        at_once([close, move])
        session.refresh_from_db()
        check_figures(session if session.merged_into_id is None else host, soup, 1)
        if session.merged_into_id is None and is_taken:
            assert session.table_id == seven.pk
            assert session.ended_at is not None


def test_a_host_that_is_closed_while_a_party_joins_it_leaves_no_order_behind(anna, soup, tables):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        session, host = seat(seven), seat(eight)
        assert order(7, session, soup) == 200
        move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
        moved, _closed = at_once([move, partial(sessions.close, table_number=8, session_id=str(host.pk))])
        check_figures(moved, soup, 1)
