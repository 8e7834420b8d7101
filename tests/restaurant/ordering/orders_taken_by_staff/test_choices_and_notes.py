"""Dishes with choices, notes, and orders that are placed once more, on the page of staff."""

from decimal import Decimal

import pytest
from django.utils import timezone

from restaurant.menu.services import menu
from restaurant.models import MenuItem, OpeningHours, Option, Order, TableSession
from tests.conftest import make_item, make_table, order_body, unknown_id
from tests.reading import read
from tests.restaurant.menu.menus import make_burger
from tests.restaurant.ordering.forms import form_of
from tests.restaurant.ordering.orders_taken_by_staff.taking import (
    ORDER,
    PAGE_OF_TABLE_7,
    entries,
    open_page,
    place,
    send,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


@pytest.fixture
def burger(db):
    """With `done` and `toppings`, its choices."""
    item, item.done, item.toppings = make_burger()
    return item


def variant(number: int, item: MenuItem, *options: Option, quantity: str = "1", note: str = "") -> dict:
    """The fields of a variant, which the page's script makes, or its second step."""
    choices: dict[str, list[str]] = {}
    for option in options:
        choices.setdefault(f"choice-{number}-{option.group_id}", []).append(str(option.pk))
    fields = {f"variant-{number}": str(item.pk), f"variantQuantity-{number}": quantity, f"variantNote-{number}": note}
    return fields | choices


def test_an_order_has_several_variants_of_a_dish_and_the_guest_s_allergies(waiter, burger, soup):
    rare, well = burger.done
    fields = {
        **variant(0, burger, rare, burger.toppings[0], burger.toppings[1], quantity="2"),
        **variant(3, burger, well, note="Cut in half"),
        **variant(4, burger, quantity="0"),
        f"quantity-{soup.pk}": "1",
        "allergies": ["milk", "nuts"],
    }
    assert send(waiter, open_page(waiter), **fields).status_code == 303
    order = Order.objects.get()
    assert [(item.quantity, [each["name"] for each in item.options]) for item in order.items.all()] == [
        (1, []),
        (2, ["Rare", "Cheese", "Bacon"]),
        (1, ["Well done"]),
    ]
    assert order.items.last().special_instructions == "Cut in half"
    assert (order.allergies, order.total) == (["milk", "nuts"], Decimal("60.00"))


def test_an_order_of_the_party_is_in_the_form_once_more(waiter, floor, burger, soup):
    gone = make_item("Fool")
    rare = [str(burger.done[0].pk), str(burger.toppings[0].pk)]
    ordered = [
        {"menuItemId": str(soup.pk), "quantity": 2, "specialInstructions": "No ice"},
        {"menuItemId": str(soup.pk), "quantity": 1, "specialInstructions": "Hot"},
        {"menuItemId": str(burger.pk), "quantity": 2, "options": rare, "specialInstructions": "Cut"},
        {"menuItemId": str(gone.pk), "quantity": 1},
        {"menuItemId": str(burger.pk), "quantity": 1, "options": [str(burger.done[1].pk)]},
    ]
    order_id = place(floor, items=ordered, allergies=["nuts"]).json()["orderId"]
    floor.post(
        f"/orders/{order_id}/cancel", {"reason": "mistake", "items": [{"position": 4, "quantity": 1}]}, format="json"
    )
    MenuItem.objects.filter(pk=gone.pk).update(available=False)
    menu.renew_version()
    page = open_page(waiter, f"?again={order_id}")
    again = form_of(page, ORDER).fields()
    assert (again[f"quantity-{soup.pk}"], again[f"note-{soup.pk}"]) == ("3", "No ice / Hot")
    assert [name for name in again if name.startswith("variant-")] == ["variant-2"]
    assert (again["variantQuantity-2"], again["variantNote-2"]) == ("2", "Cut")
    assert set(rare) <= set(again.values())
    assert again["allergies"] == "nuts"
    assert "taken off this order: Fool." in page


def test_an_order_of_others_is_not_in_the_form(waiter, floor, soup):
    make_table(8)
    order_id = place(floor, number=8, **entries((soup, 2))).json()["orderId"]
    place(floor, **entries((soup, 1)))
    for again in (order_id, "nonsense", unknown_id()):
        assert open_page(waiter, f"?again={again}").field(f"quantity-{soup.pk}")["value"] == "0"


def test_without_javascript_a_second_step_asks_for_choices_and_notes(waiter, burger, soup):
    for number in range(3):
        make_item(f"Not chosen {number}")
    page = open_page(waiter)
    step = {f"quantity-{burger.pk}": "2", f"quantity-{soup.pk}": "1", "allergies": "nuts"}
    page = read(send(waiter, page, step="details", to=PAGE_OF_TABLE_7, **step))
    assert "Not chosen" not in page
    entered = form_of(page, ORDER).fields()
    assert (entered[f"note-{soup.pk}"], entered["variantQuantity-0"], entered["allergies"]) == ("", "2", "nuts")
    step = {**variant(0, burger, burger.done[0]), f"quantity-{soup.pk}": "1", "step": "details"}
    page = read(send(waiter, page, to=PAGE_OF_TABLE_7, another=str(burger.pk), **step))
    entered = form_of(page, ORDER).fields()
    assert (entered["variantQuantity-0"], entered["variantQuantity-1"]) == ("1", "1")
    assert str(burger.done[0].pk) in entered.values()
    response = send(waiter, page, **step, **variant(1, burger))
    assert response.status_code == 400
    refused = read(response)
    assert "Please choose 1 of “How done?” for Burger. Nothing was sent yet." in refused
    assert refused.field("variantQuantity-1")
    assert not TableSession.objects.exists()
    assert send(waiter, page, **step, **variant(1, burger, burger.done[1])).status_code == 303
    assert Order.objects.get().total == Decimal("38.50")


def test_back_on_the_menu_the_variants_are_kept(waiter, burger, soup):
    fields = {**variant(0, burger, burger.done[0], quantity="2", note="Hot"), "step": ["details", "menu"]}
    entered = form_of(send(waiter, open_page(waiter), to=PAGE_OF_TABLE_7, **fields), ORDER).fields()
    assert f"quantity-{soup.pk}" in entered
    assert (entered["variantQuantity-0"], entered["variantNote-0"]) == ("2", "Hot")


@pytest.mark.slow
def test_a_menu_of_many_hundreds_of_dishes_can_be_ordered_from_without_javascript(waiter, burger):
    MenuItem.objects.bulk_create(MenuItem(name=f"Dish {number}", price=5) for number in range(700))
    response = send(waiter, open_page(waiter), **{f"quantity-{MenuItem.objects.get(name='Dish 699').pk}": "1"})
    assert response.status_code == 303


@pytest.mark.parametrize("closed", ["paused", "closed"])
def test_staff_order_while_guests_can_not_and_portions_hold_for_them_too(waiter, api, session, soup, closed):
    if closed == "paused":
        menu.pause(minutes=30)
    else:
        yesterday = (timezone.localtime().weekday() - 1) % 7
        OpeningHours.objects.create(weekday=yesterday, opens="10:00", closes="10:01")
    MenuItem.objects.filter(pk=soup.pk).update(portions=2)
    assert api.post("/table/7/order", order_body(session, (soup, 1)), format="json").status_code == 409
    page = open_page(waiter)
    response = send(waiter, page, **{f"quantity-{soup.pk}": "3"})
    assert response.status_code == 400
    assert "Only 2 portions of Ribollita are left. Nothing was sent yet." in read(response)
    assert read(response).field(f"quantity-{soup.pk}")["value"] == "3"
    assert send(waiter, page, **{f"quantity-{soup.pk}": "2"}).status_code == 303


def test_a_step_of_the_form_is_for_the_floor_and_stores_nothing(waiter, cashier, api, soup):
    step = {f"quantity-{soup.pk}": "1"}
    assert send(waiter, open_page(waiter), to=PAGE_OF_TABLE_7, **step).status_code == 200
    assert api.post("/floor/tables/7/order", step).status_code == 401
    assert cashier.post("/floor/tables/7/order", step).status_code == 403
    assert not TableSession.objects.exists()
