"""The loyalty programme's report says what members bring: what they spent, of all that was ordered."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User

from loyalty.models import Member, PointTransaction
from loyalty.points.services.orders import key_of
from restaurant.models import Order, TableSession
from tests.config.collecting import open_venue
from tests.conftest import PAGE, make_table, make_user, signed_in
from tests.loyalty.making import make_location
from web.reporting import Gain

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
PATH = "/reports/loyalty?days=7"


@pytest.fixture(autouse=True)
def _afternoon(clock):
    clock(NOW)


@pytest.fixture
def page(db):
    manager = signed_in(make_user("Managers"))
    return lambda path=PATH: manager.get(path, headers={"accept": PAGE})


def ordered(total: object, *, days: int = 1) -> Order:
    at = NOW - timedelta(days=days)
    session = TableSession.objects.create(table=make_table(TableSession.objects.count() + 1), started_at=at)
    return Order.objects.create(session=session, table=session.table, created_at=at, total=Decimal(str(total)))


def bought(member: Member, total: object, *, days: int = 1, **values) -> None:
    row = {"order_total": Decimal(str(total)), "created_at": NOW - timedelta(days=days), **values}
    PointTransaction.objects.create(customer=member, type="earn", points=10, **row)


@pytest.fixture
def ada(db) -> Member:
    return Member.objects.create(email="ada@example.com", name="Ada", created_at=NOW - timedelta(days=90))


def figures(page) -> dict[str, tuple]:
    return {tile.label: (tile.value, tile.note) for tile in page.context["pays"]}


def test_members_are_compared_with_all_guests(page, ada):
    for total in (60, 20, 10, 30):
        ordered(total)
    bought(ada, 50)
    bought(ada, 10)  # of the same visit
    bought(ada, 400, days=20)  # in no period that is shown
    bought(ada, 5, days=9)
    ordered(50, days=9)
    shown = page()
    assert figures(shown) == {
        "Members' share of sales": (Decimal("50.0"), "€60.00 of €120.00"),
        "Spend on a member's visit": (Decimal("60.00"), "1 visit"),
        "Rewards cost": (0, "No rewards in this period"),
    }
    share, visit, _cost = shown.context["pays"]
    assert share.gain == Gain("Up from 10.0%", "up")
    assert visit.before == 5
    words = "1 member earned points, the same as the 7 days before; their share of sales is 50.0%, up from 10.0%;"
    assert shown.context["sentence"].startswith(words)
    assert "What members bring" in shown.content.decode()
    assert "Members' share of sales,50.0" in page(f"{PATH}&format=csv").content.decode()


def test_nothing_is_said_where_it_would_not_be_true(page, ada):
    bought(ada, 50)
    assert not page().context["pays"]  # nothing was ordered here
    ordered(30)
    shown = page()
    assert not shown.context["pays"]
    assert "members&#x27; share of sales can&#x27;t be told" in shown.content.decode()
    ordered(20)
    assert page().context["pays"][0].value == 100
    PointTransaction.objects.all().delete()
    visit = page().context["pays"][1]
    assert (visit.value, visit.note) == (None, "No visits in this period")


def test_what_was_sold_is_for_who_may_read_it(ada):
    ordered(30)
    user = User.objects.create_user("reader", password="a long pass phrase")
    user.user_permissions.add(Permission.objects.get(codename="view_reports", content_type__app_label="loyalty"))
    shown = signed_in(user).get(PATH, headers={"accept": PAGE})
    assert (shown.status_code, shown.context["pays"]) == (200, [])
    assert "€30.00" not in shown.content.decode()


def test_purchases_at_other_locations_are_left_out(page, ada):
    here, elsewhere = open_venue(), make_location("Elsewhere")
    ordered(100)
    bought(ada, 25, location=here)
    bought(ada, 50, location=elsewhere)
    assert page().context["pays"][0].value == Decimal("25.0")


def test_a_purchase_at_a_table_leads_to_its_order(page, ada):
    order = ordered(20)
    bought(ada, 20, idempotency_key=key_of(str(order.pk)).text)
    bought(ada, 5, idempotency_key="order-of-a-program")
    text = page(f"/reports/members/{ada.pk}").content.decode()
    assert text.count('<a href="/orders/') == 1
    assert f'<a href="/orders/{order.pk}">' in text
