"""Orders and bills of dishes with choices, and what a program can tamper with."""

from decimal import Decimal

import pytest

from restaurant.menu.services import menu
from restaurant.models import MenuItem, Option, Order
from tests.conftest import PAGE, unknown_id
from tests.reading import read
from tests.restaurant.menu.menus import add_group, make_burger

pytestmark = pytest.mark.django_db


@pytest.fixture
def burger(db):
    """With `done` and `toppings`, its choices."""
    item, item.done, item.toppings = make_burger()
    return item


def entry(item, *options, **values) -> dict:
    return {"menuItemId": str(item.pk), "options": [str(option.pk) for option in options], **values}


@pytest.fixture
def place(api, session):
    """`place(*entries, **values)`: what a program sends as an order of the session's table."""

    def send(*entries, **values):
        body = {"sessionId": str(session.pk), "items": list(entries), **values}
        return api.post("/table/7/order", body, format="json")

    return send


def test_an_order_keeps_choices_with_their_names_and_prices_of_the_moment(place, api, burger):
    rare, cheese = burger.done[0], burger.toppings[0]
    placed = place(entry(burger, cheese, rare, quantity=2), entry(burger, burger.done[1])).json()
    assert [(each["quantity"], each["price"]) for each in placed["items"]] == [(2, 16.0), (1, 14.5)]
    assert placed["total"] == 46.5
    with menu.changing():
        Option.objects.filter(pk=cheese.pk).update(name="Stilton", price=9)
        MenuItem.objects.filter(pk=burger.pk).update(price=99)
    first, second = api.get(f"/orders/{placed['orderId']}").json()["items"]
    assert [(each["name"], each["price"]) for each in first["options"]] == [("Rare", 0), ("Cheese", 1.5)]
    assert (first["price"], [each["name"] for each in second["options"]]) == (16.0, ["Well done"])


TAMPERED = {
    "another dish's choice": lambda burger, other: entry(burger, burger.done[0], other),
    "a choice twice": lambda burger, other: entry(burger, burger.done[0], burger.done[0]),
    "two of one": lambda burger, other: entry(burger, *burger.done),
    "none of one": lambda burger, other: entry(burger, burger.toppings[0]),
    "three of two": lambda burger, other: entry(burger, burger.done[0], *burger.toppings),
    "an unknown choice": lambda burger, other: {**entry(burger), "options": [str(burger.done[0].pk), unknown_id()]},
    "a choice in capitals, twice": lambda burger, other: {
        **entry(burger),
        "options": [str(burger.done[0].pk), str(burger.done[0].pk).upper()],
    },
}


def test_tampered_choices_are_refused_and_name_the_dish(subtests, place, burger, soup):
    other = add_group(soup, "Bread?", 0, 1, ("Rye", "0"))[0]
    for what, tampered in TAMPERED.items():
        with subtests.test(what):
            response = place(entry(soup), tampered(burger, other))
            assert response.status_code == 400
            assert str(burger.pk) in response.json()["error"]
            assert not Order.objects.exists()


def test_options_that_are_no_list_of_ids_are_400(subtests, place, burger):
    for options in ["cheese", {"id": 1}, [1], [None], [["x"]], ["x" * 200], ["x"] * 60, True]:
        with subtests.test(options=options):
            assert place({**entry(burger), "options": options}).status_code == 400
            assert not Order.objects.exists()


def test_prices_in_the_body_change_nothing(place, burger):
    rare, cheese = burger.done[0], burger.toppings[0]
    tampered = entry(burger, rare, cheese, price=0.01, lineTotal=0.01, total=0.01)
    assert place(tampered, total=0.01).json()["total"] == 16.0
    item = Order.objects.get().items.get()
    assert (item.price, item.options[1]["price"]) == (Decimal("16.00"), "1.50")


def test_a_choice_that_has_sold_out_is_refused_or_told_with_the_total_that_it_would_be(place, burger, soup):
    rare, cheese = burger.done[0], burger.toppings[0]
    with menu.changing():
        Option.objects.filter(pk=cheese.pk).update(available=False)
    refused = place(entry(burger, rare, cheese))
    assert (refused.status_code, str(burger.pk) in refused.json()["error"]) == (400, True)
    changed = place(entry(burger, rare, cheese), entry(soup), expectedTotal=25.5)
    assert changed.status_code == 409
    assert [each["available"] for each in changed.json()["items"]] == [False, True]
    assert changed.json()["total"] == 9.5
    assert place(entry(burger, rare)).status_code == 200


def test_portions_are_counted_over_the_variants_of_a_dish(place, burger):
    rare, well = burger.done
    MenuItem.objects.filter(pk=burger.pk).update(portions=3)
    refused = place(entry(burger, rare, quantity=2), entry(burger, well, quantity=2))
    assert refused.status_code == 400
    assert f"Only 3 portions of Burger ({burger.pk}) are left." in refused.json()["error"]
    assert place(entry(burger, rare, quantity=2), entry(burger, well)).status_code == 200


def test_an_allergy_outside_the_14_is_400(place, soup):
    assert place(entry(soup), allergies=["nuts", "cats"]).status_code == 400
    assert place(entry(soup), allergies=["nuts", "nuts", "milk"]).status_code == 200
    assert Order.objects.get().allergies == ["milk", "nuts"]


def test_a_bill_has_a_line_for_each_choice_and_says_which(place, floor, api, burger, session):
    rare, well = burger.done
    place(entry(burger, rare, burger.toppings[0]), entry(burger, well))
    place(entry(burger, burger.toppings[0], rare, quantity=2))
    address = f"/table/7/bill?sessionId={session.pk}"
    bill = api.get(address).json()
    lines = [
        (each["quantity"], each["total"], [option["name"] for option in each["options"]]) for each in bill["items"]
    ]
    assert lines == [(3, 48.0, ["Rare", "Cheese"]), (1, 14.5, ["Well done"])]
    for client in (api, floor):
        page = read(client.get(address, headers={"accept": PAGE}))
        assert "Rare, Cheese" in page
        assert "(+€1.50)" in page


def test_pages_of_an_order_show_its_choices_and_what_is_ready(place, api, floor, manager, burger, soup):
    burger.allergens = {"nuts": "contains"}
    burger.save()
    placed = place(entry(burger, burger.done[0], quantity=2), entry(soup), allergies=["nuts"]).json()["orderId"]
    Order.objects.update(status="preparing")
    pages = {
        "guest": read(api.get(f"/orders/{placed}", headers={"accept": PAGE})),
        "table": read(floor.get("/floor/tables/7", headers={"accept": PAGE})),
        "cancel": read(floor.get(f"/orders/{placed}/cancel", headers={"accept": PAGE})),
    }
    assert [name for name, page in pages.items() if "Burger Rare" not in page] == []
    assert "no nuts" in pages["guest"]
    assert "Allergy: nuts" in pages["table"]
    assert "of 3 ready" not in pages["guest"]
    floor.post(f"/orders/{placed}/items/0/done", {"done": True}, format="json")
    guest = read(api.get(f"/orders/{placed}", headers={"accept": PAGE}))
    assert "2 of 3 ready" in guest
    assert ["Ready" in line for line in guest.region("Your order").texts("item")] == [True, False]


def test_the_admin_shows_choices_and_allergies(place, client, django_user_model, burger):
    burger.allergens = {"nuts": "contains"}
    burger.save()
    placed = place(entry(burger, burger.done[0]), allergies=["milk", "nuts"]).json()["orderId"]
    client.force_login(django_user_model.objects.create_superuser("owner"))
    page = client.get(f"/admin/restaurant/order/{placed}/change/").content.decode()
    assert "Rare" in page
    assert "milk, nuts" in page
    assert "Allergy: nuts" in page


def test_the_same_again_keeps_choices_and_leaves_out_what_has_sold_out(place, api, burger, session):
    rare, cheese = burger.done[0], burger.toppings[0]
    api.cookies["sessionId"] = "a-phone"
    placed = place(entry(burger, rare, cheese, quantity=2), entry(burger, rare)).json()["orderId"]
    with menu.changing():
        Option.objects.filter(pk=cheese.pk).update(available=False)
    again = {"again": placed, "sessionId": str(session.pk)}
    api.post("/table/7/cart", again, format="multipart", headers={"accept": PAGE, "sec-fetch-site": "same-origin"})
    (line,) = api.get(f"/table/7/cart?sessionId={session.pk}").json()["items"]
    assert (line["quantity"], [each["name"] for each in line["options"]]) == (1, ["Rare"])
