"""A reward of a guest's card is taken off the bill of a table, by the code, once."""

import pytest
from django.core.management import call_command

from loyalty.models import Redemption
from restaurant.models import Adjustment, OrderingRules, TableCall
from tests.config.collecting import close, earned, open_venue, phone_with_card, phone_without_card, place
from tests.conftest import make_table, make_user
from tests.loyalty.making import make_reward
from tests.loyalty.making import redeem as redeem_for
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    open_venue()
    return phone_with_card()


def code_of(ada, value, name="Present") -> str:
    phone, member = ada
    reward = make_reward(name, points=10, reward_value=value)
    type(member).objects.filter(pk=member.pk).update(points_balance=100)
    return redeem_for(phone, member, reward).json()["redemptionCode"]


def confirm(client, code, **bill) -> dict:
    response = client.post(f"/use/{code}/confirm", bill, format="json")
    assert response.status_code == 200, response.content
    return response.json()


def bill(client, session) -> dict:
    return client.get(f"/table/7/bill?sessionId={session.pk}").json()


def test_a_discount_and_a_dish_come_off_the_bill_with_the_code(ada, session, soup, bread, floor, subtests):
    order = place(ada[0], session, (soup, 2), (bread, 1))  # 23.25
    for value, by, applied in [
        ({"discount_percent": 10}, {"tableNumber": 7}, {"amount": -2.33, "total": 20.92, "due": 20.92}),
        ({"item": "ribOLLITA"}, {"sessionId": str(session.pk)}, {"amount": -8.55, "total": 12.37, "due": 12.37}),
        ({"menu_item_id": str(bread.pk)}, {"tableNumber": 7, "sessionId": str(session.pk)}, None),
    ]:
        with subtests.test(value=value):
            answer = confirm(floor, code_of(ada, value), **by)
            assert set(answer) == {"success", "message", "applied"}
            assert applied in (None, answer["applied"]) or answer["applied"]["total"] == applied["total"]
    shown = bill(floor, session)
    assert [(each["kind"], each["label"], each.get("items")) for each in shown["adjustments"]] == [
        ("discount", "Present", None),
        ("comp", "Present", [{"orderId": str(order.pk), "position": 0, "quantity": 1}]),
        ("comp", "Present", [{"orderId": str(order.pk), "position": 1, "quantity": 1}]),
    ]
    assert shown["total"] == 8.55


def test_where_there_is_no_such_dish_the_code_is_used_and_a_sentence_says_so(ada, session, soup, floor):
    place(ada[0], session, (soup, 1))
    for value in ({"item": "Tiramisu"}, {"item": ""}, {"discount_percent": "some"}, {"tour": True}):
        code = code_of(ada, value)
        answer = confirm(floor, code, tableNumber=7)
        assert answer["applied"] is None
        assert answer["message"].endswith("Nothing was taken off the bill of table 7: it has no dish for “Present”.")
        assert Redemption.objects.get(redemption_code=code).status == "used"
    assert not Adjustment.objects.exists()
    assert "applied" not in confirm(floor, code_of(ada, {"discount_percent": 10}))


def test_a_dish_is_on_the_house_only_as_often_as_it_was_ordered(ada, session, soup, floor):
    place(ada[0], session, (soup, 1))
    codes = [code_of(ada, {"item": "Ribollita"}) for _ in range(2)]
    assert [confirm(floor, code, tableNumber=7)["applied"] is None for code in codes] == [False, True]
    assert bill(floor, session)["total"] == 0


def test_a_code_counts_once_and_at_one_table(ada, session, soup, floor):
    place(ada[0], session, (soup, 1))
    code = code_of(ada, {"discount_percent": 50})
    first = confirm(floor, code, tableNumber=7)
    again = confirm(floor, code, tableNumber=7)
    assert again["applied"] == first["applied"] == {"amount": -4.75, "total": 4.75, "due": 4.75}
    assert again["message"].startswith("Attention: this code was already used")
    other = type(session).objects.create(table=make_table(8))
    elsewhere = confirm(floor, code, sessionId=str(other.pk))
    assert elsewhere["applied"] is None
    assert elsewhere["message"].endswith("table 8: the code was used before.")
    assert Adjustment.objects.count() == 1


def test_no_code_is_used_where_nobody_sits(ada, table, floor):
    code = code_of(ada, {"discount_percent": 50})
    for named in ({"tableNumber": 7}, {"tableNumber": 99}, {"sessionId": "5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11"}):
        assert floor.post(f"/use/{code}/confirm", named, format="json").status_code == 404
    assert Redemption.objects.get(redemption_code=code).status == "active"


def test_undoing_takes_it_off_the_bill(ada, session, soup, floor):
    place(ada[0], session, (soup, 1))
    code = code_of(ada, {"discount_percent": 50})
    confirm(floor, code, tableNumber=7)
    for _again in range(2):
        assert floor.post(f"/use/{code}/undo").status_code == 200
        assert "adjustments" not in bill(floor, session)
    assert confirm(floor, code, tableNumber=7)["applied"]["total"] == 4.75
    assert list(Adjustment.objects.order_by("created_at").values_list("voided_by_name", flat=True)) == ["floor", ""]


def test_points_are_for_what_the_dishes_came_to(ada, session, soup, bread, manager):
    phone, member = ada
    order, other = place(phone, session, (soup, 2)), place(phone, session, (bread, 1))  # 19.00, 4.25
    confirm(manager, code_of(ada, {"item": "Ribollita"}), tableNumber=7)
    for body in ({"kind": "discount", "percent": 50}, {"kind": "service", "percent": 10}):
        manager.post("/table/7/adjustments", body | {"reason": "regular"}, format="json")
    assert phone.get(f"/orders/{order.pk}").json()["points"]["points"] == 4
    manager.post("/table/7/payments", {"method": "cash", "tip": 20}, format="json")
    close(session)
    call_command("collect_points")
    assert earned(member) == [(4, "4.75"), (2, "2.12")]
    assert other.session_id == session.pk


def test_a_guest_has_a_reward_used_by_a_call(ada, session, soup, floor, browser_client):
    phone, _member = ada
    place(phone, session, (soup, 1))
    code, tour = code_of(ada, {"item": "Ribollita"}, "Free soup"), code_of(ada, {"item": "Tour"}, "Tour")
    path = f"/table/7/bill?sessionId={session.pk}"
    page = read(phone.get(path, headers={"accept": "text/html"}))
    assert "Free soup Use it on this bill" in page
    german = phone.get(path, headers={"accept": "text/html", "accept-language": "de"}).content.decode()
    assert '<bdi lang="en-gb">Free soup</bdi>' in german
    assert "Tour" not in page
    body = {"sessionId": str(session.pk), "kind": "reward", "code": code}
    assert [phone.post("/table/7/calls", body, format="json").status_code for _ in range(2)] == [201, 200]
    assert phone.post("/table/7/calls", body | {"code": tour}, format="json").status_code == 201
    assert phone.post("/table/7/calls", body | {"code": "RWD-NOBODY"}, format="json").status_code == 403
    assert "Use it on this bill" not in read(phone.get(path, headers={"accept": "text/html"}))
    calls = floor.get("/floor").json()["calls"]
    assert [(call["kind"], call["code"], call["reward"]) for call in calls] == [
        ("reward", code, "Free soup"), ("reward", tour, "Tour")
    ]  # fmt: skip
    assert "Use on the bill" in read(floor.get("/floor", headers={"accept": "text/html"}))
    assert confirm(floor, code, tableNumber=7)["applied"]["total"] == 0
    done = TableCall.objects.get(code=code)
    assert (done.done_by, TableCall.objects.get(code=tour).done_at) == ("floor", None)


def test_staff_may_use_codes_whatever_discounts_they_may_give(ada, session, soup, floor, cashier):
    place(ada[0], session, (soup, 1))
    OrderingRules.objects.create(discount_up_to=0)
    assert confirm(cashier, code_of(ada, {"discount_percent": 50}), tableNumber=7)["applied"]["amount"] == -4.75
    made = Adjustment.objects.get()
    assert floor.post(f"/adjustments/{made.pk}/void", {}, format="json").status_code == 200


def test_a_waiter_types_the_code_on_the_page_of_the_table(ada, session, soup, browser_client):
    place(ada[0], session, (soup, 1))
    code = code_of(ada, {"item": "Ribollita"})
    short = f"http://testserver/Q/{Redemption.objects.get().short_url[-8:]}"
    browser_client.force_login(make_user("Floor"))
    form = read(browser_client.get("/floor/tables/7")).one("form", "Use a guest's reward")
    for typed in (code.lower(), short):
        checked = browser_client.get(form["action"], form.fields() | {"q": typed})
        assert checked["Location"] == f"/use/{code}?tableNumber=7&sessionId={session.pk}"
    page = read(browser_client.get(checked["Location"]))
    use = next(each for each in page.all("form") if each["action"] == f"/use/{code}/confirm")
    assert use.names("button") == ["Use on the bill of table 7"]
    done = browser_client.post(use["action"], use.fields())
    again = browser_client.post(use["action"], use.fields())  # a double tap
    assert done["Location"] == again["Location"]
    shown = read(browser_client.get(done["Location"]))
    assert "Confirmed: Present. €9.50 taken off the bill of table 7." in shown
    assert shown.one("link", "Bill of table 7")["href"] == session.bill_url
    unknown = browser_client.get(form["action"], form.fields() | {"q": "RWD-XXXXXX"})
    again = read(browser_client.get(unknown["Location"])).one("form", "Check").fields()
    assert (again["tableNumber"], again["sessionId"]) == ("7", str(session.pk))


def test_a_party_that_is_separated_again_leaves_the_discount_of_the_bill_behind(ada, session, soup, floor, manager):
    phone, _member = ada
    place(phone_without_card(), session, (soup, 1))
    other = type(session).objects.create(table=make_table(8))
    body = {"sessionId": str(other.pk), "items": [{"menuItemId": str(soup.pk), "quantity": 2}]}
    order = phone.post("/table/8/order", body, format="json").json()["orderId"]
    floor.post("/table/8/move", {"sessionId": str(other.pk), "to": 7}, format="json")
    discount = {"kind": "discount", "percent": 50, "reason": "wait"}
    assert manager.post("/table/7/adjustments", discount, format="json").status_code == 201
    assert phone.get(f"/orders/{order}").json()["points"]["points"] == 9
    assert floor.post("/table/8/separate", {"orders": [order]}, format="json").status_code == 200
    assert phone.get(f"/orders/{order}").json()["points"]["points"] == 19
