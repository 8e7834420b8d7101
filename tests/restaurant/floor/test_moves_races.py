"""Moves that arrive at the same moment as orders, other moves, and the closing of the session."""

from decimal import Decimal
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db.models import Sum
from rest_framework.test import APIClient

from restaurant.billing.services import closing
from restaurant.errors import NotPushedTogether, SessionEnded, SessionUnknown
from restaurant.floor.services import moves
from restaurant.models import MenuItem, Order, Table, TableSession
from restaurant.ordering.services import order_changes
from tests.at_once import at_once, before_commit
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


@pytest.fixture
def together(anna, soup, tables) -> tuple[TableSession, Order]:
    """The party of tables 7 and 9, and what those of table 7 ordered."""
    session, host = seat(tables[0]), seat(tables[2])
    assert [order(7, session, soup), order(9, host, soup)] == [200, 200]
    moves.move(table_number=7, session_id=str(session.pk), to=9, user=anna)
    return host, Order.objects.get(placed_in=session.pk)


def test_guests_are_separated_once(anna, soup, together):
    host, ours = together
    separate = partial(moves.separate, table_number=7, order_ids=[str(ours.pk)], user=anna)
    with pytest.raises(NotPushedTogether):  # without the lock of the table it would look for an order that is gone
        before_commit(separate, separate)
    check_figures(host, soup, 1)


def test_what_is_cancelled_while_guests_are_separated_counts_nowhere(anna, together):
    host, ours = together
    cancel = partial(order_changes.cancel, order_id=str(ours.pk), reason="mistake", user=anna)
    own = before_commit(cancel, partial(moves.separate, table_number=7, order_ids=[str(ours.pk)], user=anna))
    host.refresh_from_db()
    # Without the lock of the session it would be taken from one and given to the other as it was before.
    assert [(each.total_orders, each.total_revenue) for each in (own, host)] == [(0, 0), (1, Decimal("9.50"))]


def test_orders_that_are_placed_while_their_party_moves_all_move(anna, soup, tables):
    seven, eight, _ = tables
    for number in range(ROUNDS):
        session = seat(seven)
        eight.sessions.update(ended_at=eight.created_at)
        is_taken = number % 2 == 1
        host = seat(eight) if is_taken else session
        move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
        *statuses, moved = at_once([*[partial(order, 7, session, soup)] * 5, move])
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
    """None where the party is no longer there, or is closed."""
    try:
        return call()
    except (SessionUnknown, SessionEnded):
        return None


def test_a_party_that_is_being_closed_stays_where_it_was(anna, soup, tables):
    seven, eight, _ = tables
    session, host = seat(seven), seat(eight)
    assert order(7, session, soup) == 200
    close = partial(closing.close_session, table_number=7, session_id=str(session.pk))
    move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
    assert before_commit(close, partial(_status, move)) is None
    check_figures(session, soup, 1)
    check_figures(host, soup, 0)
    assert (session.table_id, session.merged_into_id) == (seven.pk, None)


def test_nobody_joins_a_party_that_is_being_closed(anna, soup, tables):
    seven, eight, _ = tables
    session, host = seat(seven), seat(eight)
    assert order(7, session, soup) == 200
    close = partial(closing.close_session, table_number=8, session_id=str(host.pk))
    move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
    assert before_commit(close, move).pk == session.pk
    check_figures(session, soup, 1)
    assert (session.table_id, session.ended_at) == (eight.pk, None)


def test_a_party_that_is_closed_while_it_moves_is_closed_where_it_is(anna, soup, tables):
    seven, eight, _ = tables
    for _ in range(ROUNDS):
        session, host = seat(seven), seat(eight)
        assert order(7, session, soup) == 200
        close = partial(closing.close_session, table_number=7, session_id=str(session.pk))
        move = partial(moves.move, table_number=7, session_id=str(session.pk), to=8, user=anna)
        closed, moved = at_once([close, partial(_status, move)])
        # Whoever closed it was told of its order if and only if it was still there.
        assert closed.total_orders == (1 if moved is None else 0)
        check_figures(session if moved is None else host, soup, 1)
