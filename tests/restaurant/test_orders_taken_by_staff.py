"""Orders that staff take for guests: `/floor/tables/{n}/order`, and `POST /table/{n}/order` with their credential."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from config.models import StaffToken
from restaurant.models import MenuItem, OpeningHours, Option, Order, OrderingRules, TableSession
from restaurant.services import menu
from tests.conftest import PAGE, make_item, make_table, make_user, order_body, own_queries, unknown_id
from tests.restaurant.menus import make_burger
from tests.restaurant.test_cart_without_javascript import hidden

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiter(browser_client, table):
    """A browser without JavaScript, signed in as a member of the floor staff."""
    browser_client.force_login(make_user("Floor", "flora"))
    return browser_client


def entries(*chosen: tuple[MenuItem, int]) -> dict:
    return {"items": [{"menuItemId": str(item.pk), "quantity": quantity} for item, quantity in chosen]}


def place(client, number: int = 7, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/table/{number}/order", body, format="json", headers=headers)


def open_page(waiter) -> str:
    response = waiter.get("/floor/tables/7/order")
    assert response.status_code == 200
    return response.content.decode()


def send(waiter, page: str, *, to: str = "/table/7/order", **fields):
    """The page's form with its hidden fields, and quantities and notes by `quantity-<id>` and `note-<id>`."""
    form = {name: hidden(page, name) for name in ("csrfmiddlewaretoken", "takenByStaff", "idempotencyKey")}
    if 'name="sessionId"' in page:
        form["sessionId"] = hidden(page, "sessionId")
    untouched = dict.fromkeys(re.findall(r'name="(quantity-[^"]+)"', page), "0")
    return waiter.post(to, form | untouched | fields)


# --- as JSON ------------------------------------------------------------------------------------------


def test_an_order_without_a_session_opens_one_that_nobody_scanned(floor, table, soup):
    response = place(floor, **entries((soup, 2)))
    assert response.status_code == 200
    assert list(response.json()) == ["orderId", "status", "items", "total", "message"]
    session = TableSession.objects.get()
    assert (session.table, session.total_scans, session.total_orders, session.total_revenue) == (table, 0, 1, 19)
    assert session.is_open
    order = Order.objects.get()
    assert (order.placed_by, order.status, order.phone_key) == ("floor", "pending", None)


def test_it_joins_the_open_session_and_guests_scan_into_its_own(floor, api, session, soup):
    place(floor, **entries((soup, 1)))
    assert Order.objects.get().session == session
    make_table(8, "")
    place(floor, 8, **entries((soup, 1)))
    opened = TableSession.objects.get(table__table_number=8)
    assert api.get("/table/8").json()["session"]["id"] == str(opened.pk)
    assert TableSession.objects.get(pk=opened.pk).total_scans == 1


def test_a_session_that_is_too_old_is_not_continued(floor, session, soup):
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=4))
    place(floor, **entries((soup, 1)))
    assert Order.objects.get().session != session
    assert place(floor, **order_body(session, (soup, 1))).status_code == 409


def test_a_token_does_as_well_and_the_kitchen_reads_who_it_was(api, floor, table, soup):
    user = make_user("Floor", "flora")
    key = StaffToken.objects.create(user)[1]
    response = api.post("/table/7/order", entries((soup, 1)), format="json", headers={"Authorization": f"Token {key}"})
    assert response.status_code == 200
    (ticket,) = floor.get("/kitchen").json()["orders"]
    assert ticket["placedBy"] == "flora"


def test_the_kitchen_says_the_first_name_of_who_ordered(floor):
    user = make_user("Floor", "flora")
    assert "staff-flora" not in floor.get("/kitchen", headers={"accept": PAGE}).content.decode()
    get_user_model().objects.filter(pk=user.pk).update(first_name="Flora <3")
    page = floor.get("/kitchen", headers={"accept": PAGE}).content.decode()
    assert '<p data-key="staff-flora">Flora &lt;3</p>' in page


@pytest.mark.parametrize("gate", ["scanned", "approved"])
def test_staff_pass_every_gate(floor, table, soup, gate):
    OrderingRules(gate=gate, approval_above=Decimal("1")).save()
    assert place(floor, **entries((soup, 9))).json()["status"] == "pending"
    assert len(floor.get("/kitchen").json()["orders"]) == 1


def test_only_the_floor_may_leave_the_session_out(api, cashier, table, soup):
    for client in (api, cashier):
        response = place(client, **entries((soup, 1)))
        assert (response.status_code, "sessionId" in response.json()["fields"]) == (400, True)
    assert not TableSession.objects.exists()


def test_what_is_refused_opens_no_session(floor, table, soup):
    MenuItem.objects.update(available=False)
    assert place(floor, **entries((soup, 1))).status_code == 400
    assert place(floor, items=[]).status_code == 400
    assert place(floor, 9, **entries((soup, 1))).status_code == 404
    assert place(floor, sessionId=unknown_id(), **entries((soup, 1))).status_code == 404
    assert not TableSession.objects.exists()


def test_a_repeat_gets_the_first_response(floor, table, soup):
    first = place(floor, key="tap", **entries((soup, 1)))
    again = place(floor, key="tap", **entries((soup, 1)))
    assert (again.status_code, again.json()) == (200, first.json())
    assert place(floor, key="tap", **entries((soup, 2))).status_code == 409
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)


def test_a_repeat_after_the_table_was_closed_or_moved_orders_nothing(floor, table, soup):
    make_table(8, "")
    first = place(floor, key="tap", **entries((soup, 1))).json()
    session = {"sessionId": str(TableSession.objects.get().pk)}
    floor.post("/table/7/move", {**session, "to": 8}, format="json")
    assert place(floor, key="tap", **entries((soup, 1))).json() == first
    floor.post("/table/8/close", session, format="json")
    assert place(floor, key="tap", **entries((soup, 1))).json() == first
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)


# --- the page -----------------------------------------------------------------------------------------


def test_opening_the_page_opens_no_session_and_counts_no_scan(waiter, floor, table, soup):
    for address in ("/floor/tables/7/order", "/table/7"):
        assert waiter.get(address).status_code == 200
        assert floor.get(address).status_code == 200
    assert not TableSession.objects.exists()
    session = TableSession.objects.create(table=table)
    assert floor.get("/floor/tables/7/order").json()["session"]["id"] == str(session.pk)
    assert floor.get("/table/7").json()["session"]["id"] == str(session.pk)
    waiter.get("/floor/tables/7/order")
    waiter.get("/table/7")
    session.refresh_from_db()
    assert session.total_scans == 1


def test_its_json_is_the_table_and_the_menu(floor, table, soup):
    MenuItem.objects.filter(pk=make_item("Gone", "1").pk).update(available=False)
    found = floor.get("/floor/tables/7/order").json()
    assert (found["table"], found["session"]) == ({"number": 7, "section": "Window"}, None)
    assert [item["name"] for items in found["menu"].values() for item in items] == ["Ribollita"]


def test_the_page_is_for_the_floor(api, cashier, floor, table):
    assert api.get("/floor/tables/7/order").status_code == 401
    assert cashier.get("/floor/tables/7/order").status_code == 403
    assert floor.get("/floor/tables/8/order").status_code == 404
    response = api.get("/floor/tables/7/order", headers={"accept": PAGE})
    assert response["Location"] == "/sign-in?next=%2Ffloor%2Ftables%2F7%2Forder"


def test_a_waiter_orders_without_javascript(waiter, soup, bread):
    page = open_page(waiter)
    response = send(waiter, page, **{f"quantity-{soup.pk}": "2", f"note-{soup.pk}": " No salt\r\nplease "})
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/7")
    order = Order.objects.get()
    (item,) = order.items.all()
    assert (item.menu_item, item.quantity, item.special_instructions) == (soup, 2, "No salt\nplease")
    assert (order.placed_by, order.session.total_scans) == ("flora", 0)


def test_a_double_tap_is_one_order(waiter, soup):
    page = open_page(waiter)
    for _ in range(2):
        assert send(waiter, page, **{f"quantity-{soup.pk}": "1"}).status_code == 303
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)


def test_an_order_of_nothing_is_asked_for_again(waiter, soup):
    response = send(waiter, open_page(waiter))
    assert response.status_code == 400
    assert "An order needs at least one item." in response.content.decode()


@pytest.mark.parametrize("quantity", ["100", "-1", "two", "1.5"])
def test_a_quantity_that_is_none_is_shown_as_it_was_entered(waiter, soup, bread, quantity):
    fields = {f"quantity-{soup.pk}": quantity, f"quantity-{bread.pk}": "3"}
    response = send(waiter, open_page(waiter), **fields)
    page = response.content.decode()
    assert response.status_code == 400
    assert "A whole number from 1 to 99 is needed." in page
    for item, text in ((soup, quantity), (bread, "3")):
        assert f'name="quantity-{item.pk}" value="{text}"' in page


def test_what_has_sold_out_in_between_is_named_and_the_rest_is_kept(waiter, soup, bread):
    page = open_page(waiter)
    with menu.changing():
        MenuItem.objects.filter(pk=soup.pk).update(available=False)
    fields = {f"quantity-{soup.pk}": "2", f"quantity-{bread.pk}": "3", f"note-{bread.pk}": "Warm <b>"}
    response = send(waiter, page, **fields)
    page = response.content.decode()
    assert response.status_code == 400
    assert "Ribollita has just sold out. Nothing was sent yet." in page
    assert f"quantity-{soup.pk}" not in page
    assert f'name="quantity-{bread.pk}" value="3"' in page
    assert f'name="note-{bread.pk}" value="Warm &lt;b&gt;"' in page
    assert "taken off this order: Ribollita." in page
    assert not TableSession.objects.exists()
    fields = {f"quantity-{bread.pk}": "3"}
    assert send(waiter, page, **fields).status_code == 303
    assert Order.objects.get().total == Decimal("12.75")


def test_a_table_closed_in_between_needs_a_second_tap(waiter, floor, session, bread):
    page = open_page(waiter)
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    fields = {f"quantity-{bread.pk}": "3"}
    response = send(waiter, page, **fields)
    page = response.content.decode()
    assert response.status_code == 409
    assert "This table was closed meanwhile" in page
    assert 'name="sessionId"' not in page
    assert send(waiter, page, **fields).status_code == 303
    assert Order.objects.get().session != session


def test_a_party_moved_in_between_gets_its_order(waiter, floor, session, bread):
    make_table(8, "")
    page = open_page(waiter)
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    response = send(waiter, page, **{f"quantity-{bread.pk}": "1"})
    assert response["Location"] == "/floor/tables/8"
    assert Order.objects.get().session == session


def test_a_form_of_somebody_who_was_signed_out_is_refused(waiter, session, bread):
    page = open_page(waiter)
    waiter.logout()
    assert send(waiter, page, **{f"quantity-{bread.pk}": "1"}).status_code == 401
    waiter.force_login(make_user("Cashiers"))
    assert send(waiter, page, **{f"quantity-{bread.pk}": "1"}).status_code == 403
    assert not Order.objects.exists()


def test_what_is_sold_out_is_named_in_its_category_and_can_not_be_ordered(waiter, soup):
    off = make_item("Rhubarb Fool", category=soup.category, available=False)
    page = open_page(waiter)
    section = page.split('class="category"')[1].split("</section>")[0]
    assert re.findall(r'class="dish dish-off">.*?<h3 class="dish-name">(.*?)</h3>', section) == ["Rhubarb Fool"]
    assert "Sold out" in section
    assert f"quantity-{off.pk}" not in page


def test_the_page_takes_at_most_five_queries_whatever_the_menu_s_size(floor, session):
    for size in (1, 100):
        for number in range(size):
            make_item(f"Dish {size} {number}", category=f"Category {number % 9}")
        for accept in (PAGE, "application/json"):
            with own_queries() as own:
                assert floor.get("/floor/tables/7/order", headers={"accept": accept}).status_code == 200
            assert len(own) <= 5 + (accept == PAGE), own  # and what needs attention, in the header


def test_what_the_table_has_had_is_marked_without_what_was_cancelled(waiter, floor, soup):
    had, cancelled = make_item("Spritz", category="Drinks"), make_item("Shrub", category="Drinks")
    assert "data-had" not in open_page(waiter)
    place(floor, **entries((had, 1)))
    order_id = place(floor, **entries((cancelled, 1))).json()["orderId"]
    floor.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    page = open_page(waiter)
    assert re.findall(r'data-item="([^"]+)"[^>]* data-had', page) == [str(had.pk)]
    assert "Same again" in page


def test_a_menu_without_dishes_has_no_form(waiter):
    page = open_page(waiter)
    assert "nothing on the menu" in page
    assert 'id="order"' not in page


# --- dishes with choices ------------------------------------------------------------------------------


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
    page = waiter.get(f"/floor/tables/7/order?again={order_id}").content.decode()
    assert f'name="quantity-{soup.pk}" value="3"' in page
    assert f'name="note-{soup.pk}" value="No ice / Hot"' in page
    assert page.count('name="variant-') == 2  # one, and that of the script
    assert 'name="variantQuantity-2" value="2"' in page
    assert 'name="variantNote-2" value="Cut"' in page
    assert [choice for choice in rare if re.search(f'value="{choice}"[^>]* checked', page)] == rare
    assert 'value="nuts" checked' in page
    assert "taken off this order: Fool." in page


def test_an_order_of_others_is_not_in_the_form(waiter, floor, soup):
    make_table(8)
    order_id = place(floor, number=8, **entries((soup, 2))).json()["orderId"]
    place(floor, **entries((soup, 1)))
    for again in (order_id, "nonsense", unknown_id()):
        page = waiter.get(f"/floor/tables/7/order?again={again}").content.decode()
        assert f'name="quantity-{soup.pk}" value="0"' in page


def test_without_javascript_a_second_step_asks_for_choices_and_notes(waiter, burger, soup):
    for number in range(3):
        make_item(f"Not chosen {number}")
    page = open_page(waiter)
    step = {f"quantity-{burger.pk}": "2", f"quantity-{soup.pk}": "1", "allergies": "nuts"}
    page = send(waiter, page, step="details", to="/floor/tables/7/order", **step).content.decode()
    assert "Not chosen" not in page
    assert f'name="note-{soup.pk}"' in page
    assert 'name="variantQuantity-0" value="2"' in page
    assert 'value="nuts" checked' in page
    step = {**variant(0, burger, burger.done[0]), f"quantity-{soup.pk}": "1", "step": "details"}
    page = send(waiter, page, to="/floor/tables/7/order", another=str(burger.pk), **step).content.decode()
    assert f'value="{burger.done[0].pk}" data-price="0.00" data-contains="" data-may-contain="" checked' in page
    assert 'name="variantQuantity-1" value="1"' in page
    fields = {**step, **variant(1, burger)}
    response = send(waiter, page, **fields)
    assert response.status_code == 400
    assert "Please choose 1 of “How done?” for Burger. Nothing was sent yet." in response.content.decode()
    assert 'name="variantQuantity-1"' in response.content.decode()
    assert not TableSession.objects.exists()
    assert send(waiter, page, **{**step, **variant(1, burger, burger.done[1])}).status_code == 303
    assert Order.objects.get().total == Decimal("38.50")


def test_back_on_the_menu_the_variants_are_kept(waiter, burger, soup):
    fields = {**variant(0, burger, burger.done[0], quantity="2", note="Hot"), "step": ["details", "menu"]}
    page = send(waiter, open_page(waiter), to="/floor/tables/7/order", **fields).content.decode()
    assert f"quantity-{soup.pk}" in page
    assert 'name="variantQuantity-0" value="2"' in page
    assert 'name="variantNote-0" value="Hot"' in page


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
    assert "Only 2 portions of Ribollita are left. Nothing was sent yet." in response.content.decode()
    assert f'name="quantity-{soup.pk}" value="3"' in response.content.decode()
    assert send(waiter, page, **{f"quantity-{soup.pk}": "2"}).status_code == 303


def test_a_step_of_the_form_is_for_the_floor_and_stores_nothing(waiter, cashier, api, soup):
    step = {f"quantity-{soup.pk}": "1"}
    assert send(waiter, open_page(waiter), to="/floor/tables/7/order", **step).status_code == 200
    assert api.post("/floor/tables/7/order", step).status_code == 401
    assert cashier.post("/floor/tables/7/order", step).status_code == 403
    assert not TableSession.objects.exists()
