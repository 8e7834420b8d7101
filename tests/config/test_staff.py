"""`/staff` for programs: managers add people, change what they may do, give passwords and end access."""

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User

from config.models import StaffToken
from tests.config.staff import ADA, add, change, listed, page_of, sign_in
from tests.conftest import make_user, signed_in
from tests.loyalty.making import with_token
from web.credentials import BrowserSession

pytestmark = pytest.mark.django_db

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


def test_a_user_name_is_taken_whatever_its_case_and_width(manager):
    make_user("Floor", "ada")
    for username in ("ADA", "ada", "Ada", "\uff41da"):
        response = add(manager, username=username)
        assert (response.status_code, set(response.json())) == (409, {"error"}), username


def test_what_is_odd_is_refused_and_named(manager):
    odd = {
        "username": ["", "ada lovelace", "ada/../x", "..", "ad\0", "a" * 151, "\ufdfa", 7],
        "name": ["", "Ada\nLovelace", "a" * 151],
        "group": ["Owners", "", None],
    }
    for field, values in odd.items():
        for value in values:
            response = add(manager, **{field: value})
            assert (response.status_code, list(response.json()["fields"])) == (400, [field]), (field, value)
    assert User.objects.count() == 1


def test_long_and_short_names_come_back(manager):
    for number, name in enumerate(("a" * 150, "Cher", "María  de los Ángeles Álvarez")):
        username = str(number) * 150
        add(manager, name=name, username=username)
        assert listed(manager)[username]["name"] == " ".join(name.split())


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


def test_odd_changes_are_refused(manager):
    make_user("Floor", "ada")
    for body in ({"group": "Owners"}, {"active": "no"}, {"resetPassword": 1}, {"group": None}):
        assert change(manager, "ada", **body).status_code == 400, body


def test_there_is_nobody_of_this_name(manager, floor):
    for username in ("nobody", "FLOOR", "%00", "%ed%a0%80", "a" * 500):
        assert change(manager, username, active=False).status_code == 404, username
    assert User.objects.get(username="floor").is_active


def test_deactivation_ends_sessions_and_tokens_for_good(manager):
    ada = make_user("Floor", "ada")
    session, token, other = signed_in(ada), with_token(ada), signed_in(make_user("Floor", "bob"))
    credential = BrowserSession(session.cookies["staff_session"].value)
    assert credential.user().has_perm("restaurant.work_kitchen")
    assert change(manager, "ada", active=False).json()["active"] is False
    assert [credential.get("/kitchen").status_code for credential in (session, token, other)] == [401, 401, 200]
    assert not credential.user().is_authenticated
    assert not StaffToken.objects.filter(user=ada).exists()
    assert change(manager, "ada", active=True).json()["active"] is True
    assert [credential.get("/kitchen").status_code for credential in (session, token)] == [401, 401]
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
    assert [(entry.user.username, entry.object_repr, entry.change_message) for entry in entries] == [
        ("managers", "ada", "Added to “Floor”."),
        ("managers", "ada", "Moved to “Cashiers”. Deactivated. Given a new password."),
    ]
