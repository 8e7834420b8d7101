"""`/staff` in a browser: its forms, and what it says of each person."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission, User

from loyalty.models import Member, PointTransaction
from restaurant.models import Order, Payment
from tests.config.staff import ADA, change, listed, page_of
from tests.conftest import make_user, signed_in
from tests.reading import Part, read

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon(clock):
    clock(NOON)


def test_the_page_adds_and_shows_the_password_once():
    client = page_of(make_user("Managers"))
    page = client.post("/staff", ADA)
    password = read(page).one("field", "Password")["value"]
    assert re.fullmatch("[a-z2-9]{4}(?:-[a-z2-9]{4}){2}", password)
    assert (page.status_code, page["Cache-Control"]) == (201, "private, no-store")
    assert User.objects.get(username="ada").check_password(password)
    assert password not in client.get("/staff").text
    assert "Ada Lovelace" in read(client.get("/staff"))


def adding(response) -> Part:
    return read(response).one("details", "Add somebody")


def test_a_refused_form_comes_back_with_what_was_typed():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    for values, status in (({}, 409), ({"username": "a b"}, 400), ({"group": ""}, 400)):
        page = client.post("/staff", {**ADA, **values})
        assert page.status_code == status
        assert adding(page).get("open") is not None
        assert adding(page).field("name")["value"] == "Ada Lovelace"
        assert adding(page).one("alert").text


def test_the_form_is_folded_away_while_there_are_people(admin_client):
    superuser = page_of(User.objects.get(username="admin"))
    assert adding(superuser.get("/staff")).get("open") is not None
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    assert adding(client.get("/staff")).get("open") is None
    refused = client.post("/staff/ada", {"group": ""})
    assert read(refused).one("alert").text
    assert adding(refused).get("open") is None


def test_forms_of_the_page_change_people():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    for form in ({"group": "Cashiers"}, {"active": "false"}, {"active": "true"}):
        response = client.post("/staff/ada", form)
        assert (response.status_code, response["Location"]) == (303, "/staff")
    assert read(client.get("/staff")).texts("status") == ["Saved: ada."] * 3
    assert "New password" in read(client.post("/staff/ada", {"resetPassword": "true"}))
    assert client.post("/staff/ada", {"group": ""}).status_code == 400


def test_the_front_page_leads_those_there_who_may():
    for group, leads in (("Managers", True), ("Floor", False)):
        links = [address for _name, address in read(page_of(make_user(group)).get("/")).links()]
        assert ("/staff" in links) is leads


def row(client, username: str) -> str:
    people = read(client.get("/staff")).texts("item")
    return next(text for text in people if f"User name: {username} " in text)


def test_the_page_says_how_each_signs_in_and_what_each_is():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    for last_login, words in (
        (NOON - timedelta(days=2), "Last sign-in: 18 Nov Change…"),
        (NOON, "Last sign-in: Today, 12:00 Change…"),
        (None, "Never signed in Change…"),
    ):
        User.objects.filter(username="ada").update(last_login=last_login)
        assert row(client, "ada").startswith(f"ada User name: ada Floor {words} User name: ada ")
    User.objects.filter(username="ada").update(is_active=False)
    assert row(client, "ada").endswith("Floor No access Let in again ada")
    page = read(client.get("/staff"))
    assert page.facts()["Floor"] == "Kitchen, tables, orders, payments"
    assert page.text.count("Kitchen, tables, orders, payments") == 2  # once more where somebody is added
    heads = page.element.xpath("//div[@aria-hidden]/span/text()")  # to be seen only: each row says them itself
    assert heads == ["Name", "User name", "Works as", "Last sign-in", "Today"]
    User.objects.filter(username="ada").update(is_active=True)
    offered = read(client.get("/staff")).all("group", "Works as")[1].names("checkbox")
    assert offered == ["Kitchen", "Cashier", "Floor", "Manager"]


def test_somebody_in_several_groups_does_the_work_of_both(subtests):
    client = page_of(make_user("Managers"))
    client.post("/staff", {**ADA, "group": ["Floor", "Cashiers"]})
    ada = User.objects.get(username="ada")
    assert ada.has_perms(["restaurant.work_kitchen", "loyalty.award_points"])
    assert "Cashier Floor" in row(client, "ada")
    assert read(client.get("/staff", {"job": "Cashiers", "q": "ada"})).texts("item")
    for groups, stored in ((["Floor"], ["Floor"]), (["Floor", "Managers"], ["Floor", "Managers"]), ([""], None)):
        with subtests.test(groups=groups):
            response = client.post("/staff/ada", {"group": groups})
            assert response.status_code == (303 if stored else 400)
            assert stored in (None, sorted(group.name for group in ada.groups.all()))
    assert User.objects.get(username="ada").is_staff
    program = signed_in(User.objects.get(username="managers"))
    assert listed(program)["ada"] | {"lastSignIn": None} == ADA | {
        "group": "Managers", "groups": ["Floor", "Managers"], "active": True, "lastSignIn": None
    }  # fmt: skip
    for body, groups in (({"group": "Managers"}, 2), ({"groups": ["Cashiers"]}, 1), ({"group": "Floor"}, 1)):
        assert change(program, "ada", **body).status_code == 200
        assert ada.groups.count() == groups
    assert change(program, "ada", groups=[]).status_code == 400


def test_of_more_than_ten_one_is_looked_for_by_name():
    client = page_of(make_user("Managers"))

    def page_for(**query) -> Part:
        return read(client.get("/staff", query))

    def people(page: Part) -> list[str]:
        return [text.partition(" User name: ")[0] for text in page.texts("item") if " User name: " in text]

    assert "Find" not in page_for().names("button")
    for number in range(10):
        make_user("Floor", f"waiter{number}")
    User.objects.filter(username="waiter7").update(first_name="Ada", last_name="Lovelace")
    assert "Find" in page_for().names("button")
    for query in ("LOVE", "waiter7"):
        page = page_for(q=query)
        assert people(page) == ["Ada Lovelace"]
        assert page.field("q")["value"] == query
    page = page_for(q="<b>")
    assert "Nobody found." in page.texts("status")
    assert page.field("q")["value"] == "<b>"
    page = page_for(q="waiter", job="Managers")
    assert "Nobody found." in page.texts("status")
    assert [address for _name, address in page.one("navigation", "Works as").links()] == [
        "/staff?q=waiter",
        "/staff?q=waiter&job=Floor",
        "/staff?q=waiter&job=Managers",
    ]
    assert page.one("link", "Clear")["href"] == "/staff?job=Managers"
    page = page_for(job="Managers")
    assert len(people(page)) == 1
    assert "Nobody found." not in page.texts("status")
    User.objects.exclude(groups__name="Managers").delete()
    page = page_for(job="Floor")  # an address that somebody has kept
    assert "Nobody found." in page.texts("status")
    assert "Nobody yet" not in page


def test_the_list_says_what_each_has_done_today(session):
    manager, ada = make_user("Managers"), make_user("Floor", "ada")
    for status, days in (("served", 0), ("cancelled", 0), ("served", 2)):
        Order.objects.create(
            session=session,
            table=session.table,
            total="30.00",
            status=status,
            placed_by="ada",
            created_at=NOON - timedelta(days=days),
        )
    for amount in ("10.50", "20.00"):
        Payment.objects.create(session=session, method="cash", amount=amount, tip="2.00", taken_by=ada)
    guest = Member.objects.create(email="mia@example.com", name="Mia")
    PointTransaction.objects.create(customer=guest, type="earn", points=9, order_total="9.00", recorded_by="ada")
    assert "Today: 1 order · €30.50 taken · points for 1 guest" in row(page_of(manager), "ada")
    other = make_user("Cashiers", "other")
    other.user_permissions.add(Permission.objects.get(codename="manage_staff"))
    assert "1 order" not in read(page_of(other).get("/staff"))
