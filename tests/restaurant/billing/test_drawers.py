"""Cash drawers: opening, X, movements, closing, and what a Z says for good."""

import pytest
from django.db import IntegrityError, transaction

from config import verification
from restaurant.models import CashDrawer, DrawerDay, DrawerMovement, OrderingRules
from tests.conftest import order_body
from web.models import JournalEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawer(db) -> CashDrawer:
    return CashDrawer.objects.create(name="Bar")


@pytest.fixture
def work(cashier, drawer):
    """`work("open", float=100)`; without an action the X."""

    def post(action: str = "", *, key: str = "", of: CashDrawer = drawer, client=cashier, **body):
        if not action:
            return client.get(f"/drawers/{of.pk}")
        headers = {"Idempotency-Key": key} if key else {}
        return client.post(f"/drawers/{of.pk}/{action}", body, format="json", headers=headers)

    return post


@pytest.fixture
def order(api, session, soup):
    """Two soups at table 7 for 19.00, at 10 % VAT."""
    soup.vat_rate = 10
    soup.save()

    def place(quantity: int = 2) -> str:
        body = order_body(session, (soup, quantity))
        return api.post("/table/7/order", body, format="json").json()["orderId"]

    return place


def pay(client, **body) -> dict:
    return client.post("/table/7/payments", {"method": "cash", **body}, format="json").json()


def move(work, kind: str, amount: float, **more):
    return work("movements", kind=kind, amount=amount, reason="flowers", **more)


def test_an_x_has_what_happened_to_the_cash_and_what_should_be_in_it(work, cashier, manager, order):
    order(6)
    assert work("open", float=100).json()["expected"] == 100
    pay(cashier, amount=19, tip=1, tendered=50)
    pay(cashier, amount=10, method="card", tip=2)
    wrong = pay(cashier, amount=5)["id"]
    manager.post(f"/payments/{wrong}/void")
    refunded = pay(cashier, amount=8)["id"]
    manager.post(f"/payments/{refunded}/refund", {"amount": 3, "reason": "complaint"}, format="json")
    for kind, amount in (("in", 20), ("out", 7.5), ("drop", 50)):
        assert move(work, kind, amount).status_code == 201
    x = work().json()
    assert x["payments"] == [
        {"method": "cash", "count": 2, "amount": 27, "tips": 1},
        {"method": "card", "count": 1, "amount": 10, "tips": 2},
    ]
    assert [x[name] for name in ("float", "change", "tips", "rounding", "voided", "refunds")] == [100, 30, 1, 0, 5, 3]
    assert [(each["kind"], each["amount"], each["reason"]) for each in x["movements"]] == [
        ("in", 20, "flowers"), ("out", 7.5, "flowers"), ("drop", 50, "flowers")]  # fmt: skip
    assert x["expected"] == 100 + 20 + 5 + 8 - 5 - 3 + 20 - 7.5 - 50


def test_rounded_cash_that_is_given_back_leaves_the_drawer_and_the_books_even(work, cashier, manager, order, soup):
    OrderingRules.objects.create(cash_rounding="0.05")
    soup.price = "9.51"
    soup.save()
    order()
    work("open", float=100)
    paid = pay(cashier)  # 19.00 of 19.02
    manager.post(f"/payments/{paid['id']}/refund", {"reason": "complaint"}, format="json")
    z = work("close", counted=100).json()
    assert [z[name] for name in ("expected", "difference")] == [100, 0]
    assert [row["amount"] for row in z["figures"]["payments"]] == [19.02]
    assert z["figures"]["refunds"] == {"count": 1, "value": 19.02}
    booked = manager.get("/reports/restaurant/accounting").content.decode()
    debit, credit = next(line for line in booked.splitlines() if "Cash" in line).split(",")[-2:]
    assert debit == credit
    assert [sentence for sentence in verification.findings() if "refund" in sentence] == []


def test_closing_counts_notes_and_coins_and_gives_a_number(work, cashier, order):
    order()
    work("open", float=100)
    pay(cashier)
    z = work("close", counted={"50": 2, "0.20": 12, "5": 3}).json()
    assert [z[name] for name in ("number", "counted", "expected", "difference")] == [1, 117.4, 119, -1.6]
    assert z["coins"] == {"50": 2, "0.20": 12, "5": 3}
    assert work().json()["open"] is False
    assert cashier.get(f"/drawers/{DrawerDay.objects.get().drawer_id}/z/1").json() == z


def test_a_z_has_what_the_house_sold_since_the_one_before(work, cashier, manager, order, session):
    OrderingRules.objects.create(service_vat_rate=20)
    work("open", float=0)
    first, second = order(), order()
    manager.post(f"/orders/{second}/cancel", {"reason": "mistake"}, format="json")
    for body in ({"kind": "discount", "percent": 10, "reason": "regular"},
                 {"kind": "comp", "items": [{"orderId": first, "position": 0, "quantity": 1}], "reason": "wait"},
                 {"kind": "service", "amount": 2, "reason": "other"}):  # fmt: skip
        assert manager.post("/table/7/adjustments", body, format="json").status_code == 201
    pay(cashier, method="card", tip=1)
    figures = work("close", counted=0).json()["figures"]
    assert (figures["orders"], figures["gross"], figures["tips"]) == (1, 10.55, 1)  # 19.00 - 9.50 - 0.95 + 2.00
    assert figures["taxes"] == [
        {"rate": 10, "net": 7.77, "tax": 0.78, "gross": 8.55},
        {"rate": 20, "net": 1.67, "tax": 0.33, "gross": 2},
    ]
    assert figures["discounts"] == {"count": 1, "value": -0.95, "byReason": {"regular": -0.95}}
    assert figures["comps"] == {"count": 1, "value": -9.5, "byReason": {"wait": -9.5}}
    assert figures["service"] == {"count": 1, "value": 2, "byReason": {"other": 2}}
    assert figures["cancelled"] == {"count": 1, "value": 19}
    assert figures["payments"] == [{"method": "card", "count": 1, "amount": 10.55, "tips": 1}]
    assert (figures["voided"], figures["refunds"]) == ({"count": 0, "value": 0}, {"count": 0, "value": 0})
    assert figures["corrections"] == []


def test_what_changes_after_a_z_counts_in_the_next_one_and_names_it(work, cashier, manager, order):
    work("open", float=0)
    first = order(4)
    manager.post("/table/7/adjustments", {"kind": "discount", "percent": 50, "reason": "staff"}, format="json")
    paid = pay(cashier)
    before = work("close", counted=19).json()
    work("open", float=10)
    manager.post(f"/payments/{paid['id']}/void")
    manager.post(f"/orders/{first}/cancel", {"reason": "mistake", "items": [{"position": 0, "quantity": 1}]},
                 format="json")  # fmt: skip
    order(1)
    pay(cashier, method="card", amount=4)
    after = work("close", counted=0).json()
    figures = after["figures"]
    named = {(each["kind"], each["z"], each["amount"]) for each in figures["corrections"]}
    assert named == {("void", 1, -19), ("cancellation", 1, -9.5)}
    # The discount is half of what is left, as before: 19.00.
    assert (before["figures"]["gross"], figures["gross"]) == (19, 0)
    cash, card = figures["payments"]
    assert (cash["count"], cash["amount"], card["amount"]) == (-1, -19, 4)
    assert (after["expected"], figures["voided"]) == (10 - 19, {"count": 1, "value": 19})
    assert cashier.get(f"/drawers/{DrawerDay.objects.first().drawer_id}/z/1").json() == before


def test_a_discount_that_is_voided_after_a_z_is_taken_back_in_the_next(work, cashier, manager, order):
    work("open", float=0)
    order()
    body = {"kind": "discount", "amount": 4, "reason": "staff"}
    discount = manager.post("/table/7/adjustments", body, format="json").json()["id"]
    assert work("close", counted=0).json()["figures"]["gross"] == 15
    work("open", float=0)
    manager.post(f"/adjustments/{discount}/void", {}, format="json")
    figures = work("close", counted=0).json()["figures"]
    assert (figures["gross"], figures["discounts"]) == (4, {"count": -1, "value": 4, "byReason": {"staff": 4}})
    assert figures["corrections"] == [{"z": 1, "kind": "adjustment", "amount": 4, "of": discount}]
    work("open", float=0)
    assert work("close", counted=0).json()["figures"]["gross"] == 0


def test_what_was_held_at_a_z_and_approved_after_it_is_in_the_next(work, manager, order):
    rules = OrderingRules.objects.create(gate=OrderingRules.Gate.APPROVED)
    work("open", float=0)
    held = order()
    assert work("close", counted=0).json()["figures"]["gross"] == 0
    manager.post(f"/orders/{held}/approve")
    rules.delete()
    work("open", float=0)
    assert work("close", counted=0).json()["figures"]["gross"] == 19


def test_opening_and_closing_twice_is_harmless(work):
    assert work("open", float=100).json() == work("open", float=50).json()
    first = work("close", counted=100)
    assert (first.json(), work("close", counted=3).json()) == (first.json(), first.json())
    assert (DrawerDay.objects.count(), JournalEntry.objects.filter(kind="drawer_closed").count()) == (1, 1)


def test_a_movement_sent_twice_is_one_and_a_closed_drawer_takes_none(work):
    assert move(work, "in", 5).status_code == 409
    assert work("close", counted=1).status_code == 409
    work("open", float=0)
    assert move(work, "in", 5, key="one").json() == move(work, "in", 5, key="one").json()
    assert move(work, "in", 6, key="one").status_code == 409
    work("close", counted=5)
    assert move(work, "in", 5, key="one").status_code == 201
    assert DrawerMovement.objects.count() == 1


def test_a_drawer_counted_blind_says_what_should_be_in_it_once_it_is_closed(work, cashier, order):
    OrderingRules.objects.create(counts_blind=True)
    order()
    work("open", float=100)
    pay(cashier)
    x = work().json()
    assert x.keys().isdisjoint({"expected", "tips", "change"})
    assert (x["float"], x["payments"]) == (100, [])
    assert work("close", counted=119).json()["difference"] == 0


def test_what_is_counted_is_notes_and_coins_or_a_sum(work):
    work("open", float=0)
    for body in ({}, {"counted": {"50": -1}}, {"counted": {"fifty": 1}}, {"counted": "much"}, {"counted": {"NaN": 1}},
                 {"counted": 1, "amount": 2}):  # fmt: skip
        assert work("close", **body).status_code == 400, body
    assert work("close", amount=12.3).json()["counted"] == 12.3


def test_cash_lies_in_the_drawer_of_who_opened_one_and_needs_an_open_one_where_the_rules_say_so(
    work, cashier, manager, order
):
    OrderingRules.objects.create(needs_open_drawer=True)
    order()
    refused = cashier.post("/table/7/payments", {"method": "cash"}, format="json")
    assert (refused.status_code, refused.json()["drawers"]) == (409, "/drawers")
    other = CashDrawer.objects.create(name="Terrace")
    work("open", float=0)
    work("open", float=0, of=other, client=manager)
    pay(manager, amount=4)
    pay(cashier, amount=5)
    assert [work().json()["expected"], work(of=other).json()["expected"]] == [5, 4]


def test_each_sale_is_in_one_z_of_the_house(work, cashier, order):
    other = CashDrawer.objects.create(name="Terrace")
    for each in (None, other):
        work("open", float=0, **({"of": each} if each else {}))
    order()
    zs = [work("close", counted=0).json(), work("close", counted=0, of=other).json()]
    assert [(z["number"], z["figures"]["gross"]) for z in zs] == [(1, 19), (2, 0)]


def test_postgresql_refuses_to_change_a_z(work):
    work("open", float=0)
    work("close", counted=0)
    for change in (lambda: DrawerDay.objects.update(counted=5), lambda: DrawerDay.objects.all().delete()):
        with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
            change()


def test_the_journal_has_opening_movements_and_closing(work):
    work("open", float=100)
    move(work, "in", 5)
    work("kick", reason="change")
    work("close", counted=105)
    kinds = list(JournalEntry.objects.order_by("pk").values_list("kind", "user_name"))
    assert [kind for kind, _by in kinds] == ["drawer_opened", "drawer_movement", "drawer_movement", "drawer_closed"]
    assert '"expected":"105.00"' in JournalEntry.objects.get(kind="drawer_closed").content


def test_cashiers_and_managers_work_drawers_and_nobody_else(drawer, cashier, manager, floor, api):
    statuses = [client.get(f"/drawers/{drawer.pk}").status_code for client in (cashier, manager, floor, api)]
    assert statuses == [200, 200, 403, 401]
    assert cashier.get("/drawers").json() == {"drawers": [{"id": drawer.pk, "name": "Bar", "open": False}]}
    assert cashier.get("/drawers/999").status_code == 404
