"""`/staff`: managers add people, change what they may do, give passwords and end access."""

import re
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from config.models import StaffToken
from loyalty.models import Member, PointTransaction
from restaurant.models import Order, Payment
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.making import with_token
from web.credentials import BrowserSession

pytestmark = pytest.mark.django_db

ADA = {"username": "ada", "name": "Ada Lovelace", "group": "Floor"}


def add(client: APIClient, **values):
    return client.post("/staff", {**ADA, **values}, format="json")


def change(client: APIClient, username: str, **values):
    return client.post(f"/staff/{username}", values, format="json")


def listed(client: APIClient) -> dict[str, dict]:
    return {each["username"]: each for each in client.get("/staff").json()["staff"]}


def sign_in(username: str, password: str) -> Client:
    client = Client(headers={"accept": PAGE})
    client.post("/sign-in", {"username": username, "password": password})
    return client


def page_of(user: User) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(user, backend="web.authentication.StaffBackend")
    return client


# --- adding -----------------------------------------------------------------------------------------


def test_whoever_is_added_gets_a_password_and_is_listed(manager):
    response = add(manager)
    assert (response.status_code, set(response.json())) == (201, {"username", "password"})
    assert re.fullmatch("[a-z2-9]{4}(-[a-z2-9]{4}){2}", response.json()["password"])
    assert response["Cache-Control"] == "private, no-store"
    assert listed(manager)["ada"] == ADA | {"active": True, "lastSignIn": None}
    assert listed(manager)["managers"]["group"] == "Managers"
    sign_in("ada", response.json()["password"])
    assert listed(manager)["ada"]["lastSignIn"].endswith("Z")


def test_only_managers_may_open_the_admin(manager):
    for group, may in (("Cashiers", False), ("Floor", False), ("Managers", True)):
        assert add(manager, username=f"a.{group}", group=group).status_code == 201
        assert User.objects.get(username=f"a.{group}").is_staff is may
    change(manager, "a.Managers", group="Floor")
    assert not User.objects.get(username="a.Managers").is_staff


@pytest.mark.parametrize("username", ["ADA", "ada", "Ada", "\uff41da"])
def test_a_user_name_is_taken_whatever_its_case_and_width(manager, username):
    make_user("Floor", "ada")
    response = add(manager, username=username)
    assert (response.status_code, set(response.json())) == (409, {"error"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", ""),
        ("username", "ada lovelace"),
        ("username", "ada/../x"),
        ("username", ".."),
        ("username", "ad\0"),
        ("username", "a" * 151),
        ("username", "\ufdfa"),
        ("username", 7),
        ("name", ""),
        ("name", "Ada\nLovelace"),
        ("name", "a" * 151),
        ("group", "Owners"),
        ("group", ""),
        ("group", None),
    ],
)
def test_what_is_odd_is_refused_and_named(manager, field, value):
    response = add(manager, **{field: value})
    assert response.status_code == 400
    assert list(response.json()["fields"]) == [field]
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["a" * 150, "Cher", "María  de los Ángeles Álvarez"])
def test_long_and_short_names_come_back(manager, name):
    add(manager, name=name, username="x" * 150)
    assert listed(manager)["x" * 150]["name"] == " ".join(name.split())


def test_cashiers_floor_and_strangers_may_not(cashier, floor, api):
    for client, status in ((api, 401), (cashier, 403), (floor, 403)):
        assert client.get("/staff").status_code == status
        assert add(client).status_code == status
        assert change(client, "floor", active=False).status_code == status


# --- changing ---------------------------------------------------------------------------------------


def test_a_group_is_changed_at_once_and_alone(manager):
    ada = make_user("Floor", "ada")
    client = signed_in(ada)
    assert client.get("/kitchen").status_code == 200
    response = change(manager, "ada", group="Cashiers")
    assert (response.status_code, response.json()["group"]) == (200, "Cashiers")
    assert (client.get("/kitchen").status_code, client.get("/till").status_code) == (403, 200)
    assert [group.name for group in ada.groups.all()] == ["Cashiers"]


def test_nothing_changes_that_is_not_sent(manager):
    ada = make_user("Floor", "ada")
    assert change(manager, "ada").json() == {
        "username": "ada", "name": "", "group": "Floor", "active": True, "lastSignIn": None
    }  # fmt: skip
    change(manager, "ada", active=True, group="Floor", resetPassword=False)
    assert User.objects.get(pk=ada.pk).password == ada.password
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("body", [{"group": "Owners"}, {"active": "no"}, {"resetPassword": 1}, {"group": None}])
def test_odd_changes_are_refused(manager, body):
    make_user("Floor", "ada")
    assert change(manager, "ada", **body).status_code == 400


@pytest.mark.parametrize("username", ["nobody", "FLOOR", "%00", "%ed%a0%80", "a" * 500])
def test_there_is_nobody_of_this_name(manager, floor, username):
    assert change(manager, username, active=False).status_code == 404
    assert User.objects.get(username="floor").is_active


def test_deactivation_ends_sessions_and_tokens_for_good(manager):
    ada = make_user("Floor", "ada")
    session, token, other = signed_in(ada), with_token(ada), signed_in(make_user("Floor", "bob"))
    credential = BrowserSession(session.cookies["staff_session"].value)
    assert credential.user().has_perm("restaurant.work_kitchen")
    assert change(manager, "ada", active=False).json()["active"] is False
    assert [each.get("/kitchen").status_code for each in (session, token, other)] == [401, 401, 200]
    assert not credential.user().is_authenticated
    assert not StaffToken.objects.filter(user=ada).exists()
    assert change(manager, "ada", active=True).json()["active"] is True
    assert [each.get("/kitchen").status_code for each in (session, token)] == [401, 401]
    assert sign_in("ada", "a long pass phrase").get("/kitchen").status_code == 200


def test_a_new_password_ends_sessions_and_lets_in_who_failed_too_often(manager):
    ada = make_user("Floor", "ada")
    session = signed_in(ada)
    for _ in range(10):
        sign_in("ada", "wrong")
    response = change(manager, "ada", resetPassword=True)
    assert response["Cache-Control"] == "private, no-store"
    assert session.get("/kitchen").status_code == 401
    assert sign_in("ada", "a long pass phrase").get("/password").status_code == 302
    assert sign_in("ada", response.json()["password"]).get("/password").status_code == 200
    assert not AccessAttempt.objects.exclude(failures_since_start=1).exists()


# --- what a manager may not -------------------------------------------------------------------------


def test_superusers_are_neither_listed_nor_touched(manager):
    User.objects.create_superuser("owner", password="x")
    assert list(listed(manager)) == ["managers"]
    for body in ({"active": False}, {"group": "Floor"}, {"resetPassword": True}, {}):
        assert change(manager, "owner", **body).status_code == 403
    owner = User.objects.get(username="owner")
    assert (owner.is_active, owner.check_password("x"), owner.groups.count()) == (True, True, 0)


def test_nobody_ends_their_own_access(manager):
    for body in ({"active": False}, {"group": "Cashiers"}):
        assert change(manager, "managers", **body).status_code == 403
    assert manager.get("/staff").status_code == 200


def test_whoever_may_more_than_a_manager_is_left_to_superusers(manager, admin_client):
    group = Group.objects.create(name="Administrators")
    group.permissions.add(Permission.objects.get(codename="change_user"))
    make_user("Administrators", "root")
    assert change(manager, "root", resetPassword=True).status_code == 403
    assert add(manager, group="Administrators").status_code == 403
    body = {"resetPassword": True}
    assert admin_client.post("/staff/root", body, content_type="application/json").status_code == 200


def test_a_group_of_the_owner_s_own_can_be_given(manager):
    juniors = Group.objects.create(name="Juniors")
    juniors.permissions.add(Permission.objects.get(codename="work_kitchen"))
    assert add(manager, group="Juniors").status_code == 201
    assert listed(manager)["ada"]["group"] == "Juniors"


def test_the_admin_s_pages_of_users_groups_and_tokens_are_the_superusers(admin_client):
    user = make_user("Managers")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    manager = page_of(user)
    assert manager.get("/admin/").status_code == 200
    for page in ("auth/user", "auth/group", "config/stafftoken"):
        assert manager.get(f"/admin/{page}/").status_code == 403
        assert admin_client.get(f"/admin/{page}/").status_code == 200


def test_nobody_else_sees_the_tokens_of_superusers():
    manager = make_user("Managers")
    User.objects.filter(pk=manager.pk).update(is_staff=True)
    manager.user_permissions.add(*Permission.objects.filter(codename__endswith="_stafftoken"))
    tokens = [StaffToken.objects.create(user=user)[0] for user in (User.objects.create_superuser("owner"), manager)]
    client = page_of(manager)
    statuses = [client.get(f"/admin/config/stafftoken/{token.pk}/change/").status_code for token in tokens]
    assert statuses == [302, 200]
    assert tokens[0].token_key[:6] not in client.get("/admin/config/stafftoken/").content.decode()


def test_every_change_says_who_did_what(manager):
    add(manager)
    change(manager, "ada", group="Cashiers", active=False, resetPassword=True)
    entries = LogEntry.objects.order_by("pk")
    assert [(each.user.username, each.object_repr, each.change_message) for each in entries] == [
        ("managers", "ada", "Added to “Floor”."),
        ("managers", "ada", "Moved to “Cashiers”. Deactivated. Given a new password."),
    ]


# --- pages ------------------------------------------------------------------------------------------


def test_the_page_adds_and_shows_the_password_once():
    client = page_of(make_user("Managers"))
    page = client.post("/staff", ADA)
    text = page.content.decode()
    password = re.search('value="([a-z2-9]{4}(?:-[a-z2-9]{4}){2})"', text)[1]
    assert (page.status_code, page["Cache-Control"]) == (201, "private, no-store")
    assert User.objects.get(username="ada").check_password(password)
    assert password not in client.get("/staff").content.decode()
    assert "Ada Lovelace" in client.get("/staff").content.decode()


def test_a_refused_form_comes_back_with_what_was_typed():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    for values, status in (({}, 409), ({"username": "a b"}, 400), ({"group": ""}, 400)):
        page = client.post("/staff", {**ADA, **values})
        assert page.status_code == status
        assert '<details class="add" id="add" open>' in page.content.decode()
        assert 'value="Ada Lovelace"' in page.content.decode()
        assert 'role="alert"' in page.content.decode()


def test_the_form_is_folded_away_while_there_are_people(admin_client):
    superuser = page_of(User.objects.get(username="admin"))
    assert '<details class="add" id="add" open>' in superuser.get("/staff").content.decode()
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    assert '<details class="add" id="add">' in client.get("/staff").content.decode()
    refused = client.post("/staff/ada", {"group": ""}).content.decode()
    assert 'role="alert"' in refused
    assert '<details class="add" id="add">' in refused


def test_forms_of_the_page_change_people():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    for form in ({"group": "Cashiers"}, {"active": "false"}, {"active": "true"}):
        response = client.post("/staff/ada", form)
        assert (response.status_code, response["Location"]) == (303, "/staff")
    assert "Saved: ada." in client.get("/staff").content.decode()
    assert "New password" in client.post("/staff/ada", {"resetPassword": "true"}).content.decode()
    assert client.post("/staff/ada", {"group": ""}).status_code == 400


def test_the_front_page_leads_those_there_who_may():
    for group, leads in (("Managers", True), ("Floor", False)):
        assert ('href="/staff"' in page_of(make_user(group)).get("/").content.decode()) is leads


def test_the_page_says_how_each_signs_in_and_what_each_is():
    client = page_of(make_user("Managers"))
    make_user("Floor", "ada")
    User.objects.filter(username="ada").update(last_login=timezone.now() - timedelta(days=2))
    page = client.get("/staff").content.decode()
    assert re.match(
        r"A ada User name: ada Floor Last sign-in: (?!Today)\d+ \w+( \d{4})? Change… User name: ada ", row(page, "ada")
    )
    heads = re.search(r'<div class="people-heads.*?</div>', page)[0]
    assert re.findall("<span>(.*?)</span>", heads) == ["Name", "User name", "Works as", "Last sign-in", "Today"]
    jobs = re.search(r'<dl class="jobs">.*?</dl>', page)[0]
    assert re.findall("<dd>(.*?)</dd>", jobs)[1] == "Kitchen, tables, orders, payments"
    assert page.count("Kitchen, tables, orders, payments") == 2  # once more where somebody is added
    User.objects.filter(username="ada").update(last_login=timezone.now())
    page = client.get("/staff").content.decode()
    assert re.match(r"A ada User name: ada Floor Last sign-in: Today, \d\d:\d\d Change…", row(page, "ada"))
    assert '<option value="Managers">Manager</option>' in page
    User.objects.filter(username="ada").update(last_login=None)
    assert "Floor Never signed in Change…" in row(client.get("/staff").content.decode(), "ada")
    User.objects.filter(username="ada").update(is_active=False)
    assert row(client.get("/staff").content.decode(), "ada").endswith("Floor No access Let in again ada")


def row(page: str, username: str) -> str:
    rows = re.findall(r'<li class="person.*?</li>', page, re.DOTALL)
    return next(said for each in rows if f"User name: {username} " in (said := said_by(each)))


def said_by(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_of_more_than_ten_one_is_looked_for_by_name():
    client = page_of(make_user("Managers"))
    assert 'role="search"' not in client.get("/staff").content.decode()
    for number in range(10):
        make_user("Floor", f"waiter{number}")
    User.objects.filter(username="waiter7").update(first_name="Ada", last_name="Lovelace")
    assert 'role="search"' in client.get("/staff").content.decode()
    for sought in ("LOVE", "waiter7"):
        page = client.get("/staff", {"q": sought}).content.decode()
        assert re.findall(r"<strong>(.*?)</strong>", page.partition('class="people people-done"')[2]) == [
            "Ada Lovelace"
        ]
        assert f'value="{sought}"' in page
    none = 'role="status">Nobody found.</p>'
    page = client.get("/staff", {"q": "<b>"}).content.decode()
    assert none in page
    assert 'value="&lt;b&gt;"' in page
    page = client.get("/staff", {"q": "waiter", "job": "Managers"}).content.decode()
    assert none in page
    nav = page.partition('class="people-jobs"')[2].partition("</nav>")[0]
    assert re.findall('href="([^"]*)"', nav) == [
        "/staff?q=waiter",
        "/staff?q=waiter&amp;job=Floor",
        "/staff?q=waiter&amp;job=Managers",
    ]
    assert '<a class="search-clear" href="/staff?job=Managers"' in page
    page = client.get("/staff", {"job": "Managers"}).content.decode()
    assert len(re.findall(r'<li class="person', page)) == 1
    assert none not in page
    User.objects.exclude(groups__name="Managers").delete()
    page = client.get("/staff", {"job": "Floor"}).content.decode()  # an address that somebody has kept
    assert none in page
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
            created_at=timezone.now() - timedelta(days=days),
        )
    for amount in ("10.50", "20.00"):
        Payment.objects.create(session=session, method="cash", amount=amount, tip="2.00", taken_by=ada)
    guest = Member.objects.create(email="mia@example.com", name="Mia")
    PointTransaction.objects.create(customer=guest, type="earn", points=9, order_total="9.00", recorded_by="ada")
    page = page_of(manager).get("/staff").content.decode()
    assert "Today: 1 order · €30.50 taken · points for 1 guest" in row(page, "ada")
    other = make_user("Cashiers", "other")
    other.user_permissions.add(Permission.objects.get(codename="manage_staff"))
    assert "1 order" not in page_of(other).get("/staff").content.decode()
