"""CURRENCY gives amounts their decimals: none for yen, three for dinars. Euros are in all other tests."""

import csv
import io
from decimal import Decimal

import pytest
from django.test import Client

from config.demo import loading
from loyalty.models import PointTransaction, Programme
from restaurant.models import MenuItem, Order, OrderItem, Payment, TableSession
from tests.conftest import PAGE, make_item, order_body
from tests.loyalty.making import earn_body
from tests.restaurant.admin.pages import EXPORT, GROUPS, confirm, form_of, page_of, preview, totals, upload, words_of
from tests.restaurant.billing.bill_pages import open_bill, pay, staff_browser
from web.templatetags.money import money

pytestmark = pytest.mark.django_db

# The price of a dish, what three of them come to, the shares of two people; how nothing and that sum are written.
YEN = ("JPY", "333", 999, [500, 499], "0", "JP¥999")
DINARS = ("KWD", "3.335", 10.005, [5.003, 5.002], "0.000", "KWD 10.005")


@pytest.fixture(params=[YEN, DINARS], ids=["yen", "dinars"])
def currency(request, settings) -> tuple:
    settings.CURRENCY = request.param[0]
    return request.param


@pytest.fixture
def dish(currency) -> MenuItem:
    return make_item("Soba", currency[1])


@pytest.fixture
def yen(settings) -> None:
    settings.CURRENCY = "JPY"


@pytest.fixture
def dinars(settings) -> None:
    settings.CURRENCY = "KWD"


def day(client) -> list[list[str]]:
    response = client.get("/reports/restaurant/day?format=csv")
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_from_the_menu_to_the_report(currency, api, floor, manager, session, dish):
    _code, price, total, shares, nothing, written = currency
    assert f'value="{price}"' in Client().get("/table/7", headers={"accept": PAGE}).content.decode()
    order = order_body(session, (dish, 3)) | {"expectedTotal": total}
    assert api.post("/table/7/order", order, format="json").status_code == 200
    assert written in open_bill(staff_browser("Floor", "flora"))
    parts = floor.post("/table/7/parts", {"by": "people", "count": 2}, format="json").json()["parts"]
    assert [part["due"] for part in parts] == shares
    body = {"method": "cash", "partId": parts[0]["id"], "tendered": 1000}
    paid = floor.post("/table/7/payments", body, format="json").json()
    assert (paid["amount"], paid["change"]) == (shares[0], round(1000 - shares[0], 3))
    rows = day(manager)
    assert ["Sales", str(total), nothing, "A week ago by this time"] in rows
    assert [row[1:4] for row in rows if row[:1] == ["Cash"]] == [["1", str(shares[0]), nothing]]


def test_notes_beside_what_is_handed_over_are_the_smallest_that_pay_the_bill(api, session, settings):
    made = {"JPY": (950, ["1000", "2000", "5000", "10000"]), "KRW": (18_000, ["20000", "50000"]),
            "EUR": ("0.30", ["0.50", "1", "2", "5"]), "KWD": ("6.1", ["10", "20"])}  # fmt: skip
    for number, (currency, (price, notes)) in enumerate(made.items()):
        settings.CURRENCY = currency
        body = order_body(session, (make_item(f"Dish {number}", str(price)), 1))
        placed = api.post("/table/7/order", body, format="json").json()
        page = open_bill(staff_browser("Floor", f"flora{number}"))
        offered = [each["data-note"] for each in page.all("button") if each.get("data-note")]
        assert (len(offered), [note for note in offered if Decimal(note) >= Decimal(price)]) == (4, notes)
        Order.objects.filter(pk=placed["orderId"]).delete()


def test_a_thousand_yen_by_three(yen, api, floor, session):
    api.post("/table/7/order", order_body(session, (make_item("Sushi", "1000"), 1)), format="json")
    response = floor.post("/table/7/parts", {"by": "people", "count": 3}, format="json")
    assert [part["total"] for part in response.json()["parts"]] == [334, 333, 333]
    assert b'"total":1000,' in response.content  # and not 1000.0
    assert "334" in open_bill(staff_browser("Floor", "flora"), "?people=3")


def test_percentages_keep_their_decimals(yen, api, floor, manager, session):
    api.post("/table/7/order", order_body(session, (make_item("Sushi", "1000"), 1)), format="json")
    body = {"kind": "discount", "percent": 7.25, "reason": "regular"}
    assert manager.post("/table/7/adjustments", body, format="json").json()["total"] == 927  # of 927.5


# --- what is typed -------------------------------------------------------------------------------------------


def test_a_price_too_fine_is_refused_in_the_admin(currency, managers_browser, dish):
    sentence, typed = {
        "JPY": ("Amounts in JPY have no decimals.", ("550.50", "550,5", "550.0")),
        "KWD": ("no more than 3 decimal places", ("5.5005",)),
    }[currency[0]]
    for price in typed:
        response = managers_browser.post(page_of(dish), form_of(managers_browser, page_of(dish)) | {"price": price})
        assert sentence in words_of(response), price
    managers_browser.post(page_of(dish), form_of(managers_browser, page_of(dish)) | {"price": "550"})
    dish.refresh_from_db()
    assert dish.price == 550
    assert form_of(managers_browser, page_of(dish))["price"] == {"JPY": "550", "KWD": "550.000"}[currency[0]]


def test_a_price_too_fine_is_refused_in_a_menu_file(currency, managers_browser):
    sentence, fine = {
        "JPY": ("“550.50” is not a price such as 950. Amounts in JPY have no decimals.", "550.50"),
        "KWD": ("“5.5005” is not a price such as 0.950 or 0,950.", "5.5005"),
    }[currency[0]]
    head = "name,price,category,options\n"
    assert sentence in words_of(upload(managers_browser, f"{head}Soba,{fine},,\n"))
    assert sentence in words_of(upload(managers_browser, f"{head}Soba,1,,Size: small +{fine}\n"))


FILES = {
    "JPY": ([("950", "950"), ("1,200", "1200"), ("1.200", "1200")], "small, large +1,100", "1100"),
    "KWD": ([("9.5", "9.500"), ("9,255", "9.255"), ("1,234.500", "1234.500")], "small, large +0,250", "0.250"),
}


def test_menu_files_have_the_currencys_decimals(currency, managers_browser):
    prices, options, extra = FILES[currency[0]]
    rows = [f'Dish {number},"{cell}",,"Size: {options}"' for number, (cell, _price) in enumerate(prices)]
    confirm(managers_browser, preview(managers_browser, "\n".join(["name,price,category,options", *rows])))
    assert [str(item.price) for item in MenuItem.objects.order_by("name")] == [price for _cell, price in prices]
    file = managers_browser.get(EXPORT).content.decode()
    assert f"large +{extra}" in file
    assert totals(preview(managers_browser, file)) == (0, 0, len(prices))
    assert managers_browser.get(GROUPS).status_code == 200


def test_yen_are_taken_and_typed_without_decimals(yen, api, session, settings):
    api.post("/table/7/order", order_body(session, (make_item("Sushi", "1000"), 1)), format="json")
    browser = staff_browser("Floor")
    refused = pay(browser, open_bill(browser), method="card", amount="550.50")
    assert "Amounts in JPY have no decimals." in words_of_refusal(refused)
    pay(browser, open_bill(browser), method="card", amount="550")
    assert [str(payment.amount) for payment in Payment.objects.all()] == ["550"]


def words_of_refusal(response) -> str:
    assert response.status_code == 400
    return response.content.decode()


def test_thousands_are_not_taken_for_a_part_of_a_dinar(dinars, api, session, written_in):
    api.post("/table/7/order", order_body(session, (make_item("Feast", "2000"), 1)), format="json")
    browser = staff_browser("Floor")
    assert pay(browser, open_bill(browser), method="card", amount="1,234").status_code == 400
    written_in("en-de")
    assert pay(browser, open_bill(browser), method="card", amount="1,234").status_code == 303
    assert str(Payment.objects.get().amount) == "1.234"


def test_points_are_for_the_whole_amount(dinars, till, member, location):
    assert till.post("/earn", earn_body(member, location, 12.3456), format="json").status_code == 200
    assert str(PointTransaction.objects.exclude(order_total=None).get().order_total) == "12.346"
    refused = till.post("/earn", earn_body(member, location, 0.0001), format="json")
    assert refused.json()["error"].endswith("An amount from 0.001 to 99,999,999.999 is needed.")


# --- the demonstration ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_demonstration_is_in_the_currency(currency, short_demo):
    loading.load()
    prices = {"JPY": ("950", "JP¥950", 1), "KWD": ("9.500", "KWD\xa09.500", 100)}[currency[0]]
    spritz = MenuItem.objects.get(name="Fennel Spritz")
    assert (str(spritz.price), money(spritz.price)) == prices[:2]
    assert 100 * Programme.objects.get().points_per_unit == prices[2]
    for session in TableSession.objects.exclude(ended_at=None):
        orders = Order.objects.filter(session=session).exclude(status__in=Order.UNCOUNTED)
        assert sum(order.total for order in orders) == session.total_revenue
    assert all(item.price == round(item.price, -spritz.price.as_tuple().exponent) for item in OrderItem.objects.all())
