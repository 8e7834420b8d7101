"""A guest with a card sees first what they usually have: "Suggested dishes" in docs/behaviour/restaurant.md."""

import pytest

from restaurant.models import MenuItem, Order, TableSession
from tests.config.collecting import browser_of, open_venue, phone_with_card, phone_without_card, place
from tests.conftest import PAGE, make_item
from tests.reading import read
from tests.restaurant.menu.dishes import declared

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    """Her phone, and her card, at a venue that earns."""
    open_venue()
    return phone_with_card()


@pytest.fixture
def dishes(table) -> list[MenuItem]:
    return [
        make_item(f"Dish {number}", image_url=f"https://example.com/{number}.jpg", allergens=declared())
        for number in range(7)
    ]


def row(phone, query: str = "from=cart") -> list[str]:
    """Return the dishes under "Your usual"."""
    page = read(browser_of(phone).get(f"/table/7?{query}"))
    return page.region("Your usual").names("link") if "Your usual" in page.names("heading") else []


def test_what_was_in_most_of_the_card_s_orders_comes_first_and_then_the_latest(ada, session, dishes):
    phone, _member = ada
    place(phone, session, (dishes[0], 9), *((dishes[number], 1) for number in (1, 4, 5, 6)))
    assert row(phone) == []  # one order is no habit
    place(phone, session, (dishes[1], 1), (dishes[2], 1), (dishes[3], 1))
    names = row(phone)
    assert names[0] == "Dish 1"
    assert set(names[1:3]) == {"Dish 2", "Dish 3"}
    assert set(names[3:]) < {"Dish 0", "Dish 4", "Dish 5", "Dish 6"}
    assert len(names) == 6


def test_it_is_for_the_card_s_own_phone(ada, session, dishes):
    phone, _member = ada
    for _ in range(2):
        place(phone, session, (dishes[1], 1), (dishes[2], 1))
    assert row(phone)
    for other in (phone_without_card(), phone_with_card("Grace Hopper", "grace@example.com")[0]):
        assert row(other) == []
    assert row(phone)  # though the others' menu was cached meanwhile


def test_what_can_not_be_had_now_or_not_by_this_guest_is_left_out(ada, session, dishes):
    phone, _member = ada
    MenuItem.objects.filter(pk=dishes[2].pk).update(allergens=declared(nuts="contains"))
    for _ in range(2):
        place(phone, session, *((dish, 1) for dish in dishes[:5]))
    dishes[0].available = False
    dishes[0].save()
    assert set(row(phone)) == {"Dish 1", "Dish 2", "Dish 3", "Dish 4"}
    assert set(row(phone, "from=cart&without=nuts")) == {"Dish 1", "Dish 3", "Dish 4"}


def test_what_was_cancelled_was_not_had(ada, session, dishes):
    phone, _member = ada
    orders = [place(phone, session, (dishes[1], 1), (dishes[2], 1)) for _ in range(2)]
    Order.objects.filter(pk=orders[0].pk).update(status="cancelled")
    assert row(phone) == []


def test_the_next_visit_knows_the_last_ones(ada, session, dishes):
    phone, _member = ada
    place(phone, session, (dishes[1], 1), (dishes[2], 1))
    TableSession.objects.update(ended_at=session.started_at)
    later = TableSession.objects.create(table=session.table)
    place(phone, later, (dishes[1], 1))
    assert row(phone) == ["Dish 1", "Dish 2"]


def test_the_member_s_report_names_it(ada, session, dishes, manager):
    phone, member = ada
    for number in (2, 3):
        place(phone, session, (dishes[1], 1), (dishes[number], 1))
    report = manager.get(f"/reports/members/{member.pk}", headers={"accept": PAGE})
    [habit] = report.context["card_tiles"][3:]
    assert (habit.label, habit.value) == ("Orders most", "Dish 1")
    assert habit.note == "2 of the latest 2 orders\nDish 3 (1)\nDish 2 (1)"
    query, _, anchor = habit.url.partition("#")
    page = manager.get(query, headers={"accept": PAGE})
    assert [row[0] for row in page.context["listed"].rows] == ["Dish 1"]
    assert f'id="{anchor}"' in page.text
