"""Every view declares its access, and refuses everybody else."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from rest_framework.response import Response
from rest_framework.test import force_authenticate
from rest_framework.views import APIView

from tests.config.sharing import give_pin, on_tablet
from tests.conftest import PAGE, make_user, signed_in
from tests.described import make_venue
from tests.reading import read
from tests.web.addresses import addresses, patterns_of_the_admin
from web.permissions import PUBLIC

pytestmark = pytest.mark.django_db

KEYS = {"key:generate", "key:analytics"}  # of programs of the code service, which are no staff


def declared(view: type) -> set[str]:
    access = getattr(view, "access", None) or ()
    by_method = access.values() if isinstance(access, dict) else [access]
    return {name for names in by_method for name in ([names] if isinstance(names, str) else names)}


def test_every_view_declares_permissions_that_exist():
    known = {f"{p.content_type.app_label}.{p.codename}" for p in Permission.objects.select_related("content_type")}
    known |= {PUBLIC, *KEYS}
    views = {address.pattern: address.view for address in addresses()}
    assert {"table/<str:table_number>", "kitchen", "q/<str:slug>", "sign-in"} <= set(views)
    assert {path: view for path, view in views.items() if not declared(view) or declared(view) - known} == {}


def test_a_view_that_declares_nothing_is_open_to_nobody(admin_user, rf):
    class Forgotten(APIView):
        def get(self, request):
            return Response({})

    request = rf.get("/")
    force_authenticate(request, admin_user)
    assert Forgotten.as_view()(request).status_code == 403


# What is not for everybody is for Managers, and these are for others too.
BOTH = {
    "get bills", "get confirmations/<confirmation_id>", "get till", "get use/<code>",
    "post adjustments/<adjustment_id>/void", "post payments/<payment_id>/refund",
    "post table/<table_number>/adjustments", "post table/<table_number>/bill/print",
    "post table/<table_number>/payments", "post table/<table_number>/receipt", "post use/<code>/cancel",
    "post use/<code>/confirm", "post use/<code>/undo",
}  # fmt: skip
NEEDS_PASSWORD = {"post payments/<payment_id>/refund"}  # of a manager, without another's who approves it
KITCHEN = {
    "get attention", "get kitchen", "get kitchen/<slug>", "get menu/availability", "get orders/<order_id>/cancel",
    "get orders/earlier", "post kitchen/pause", "post kitchen/<slug>/pause", "post kitchen/seen",
    "post menu/options/<option_id>/availability", "post menu/<item_id>/availability", "post menu/<item_id>/portions",
    "post orders/<order_id>/acknowledge", "post orders/<order_id>/items/<position>/done",
    "post orders/<order_id>/items/served", "post orders/<order_id>/prioritise", "post orders/<order_id>/status",
    "post orders/earlier", "post push/subscriptions/try",
}  # fmt: skip
CASHIERS = BOTH | {
    "get drawers", "get drawers/<drawer_id>", "get drawers/<drawer_id>/z/<number>", "post drawers/<drawer_id>/close",
    "post drawers/<drawer_id>/kick", "post drawers/<drawer_id>/movements", "post drawers/<drawer_id>/open",
    "post drawers/<drawer_id>/print", "post drawers/<drawer_id>/z/<number>/print", "post earn",
    "post transactions/<transaction_id>/reverse",
}  # fmt: skip
FLOOR = BOTH | KITCHEN | {
    "get floor", "get floor/tables/<table_number>", "get floor/tables/<table_number>/order",
    "get table/<table_number>/close", "get tables/print", "get tables/range", "post calls/<call_id>/done",
    "post calls/<call_id>/take", "get floor/mine", "post floor/mine", "post orders/<order_id>/take",
    "post floor/tables/<table_number>/order", "post orders/<order_id>/approve", "post table/<table_number>/close",
    "post table/<table_number>/covers", "post table/<table_number>/fire",
    "post table/<table_number>/free", "post table/<table_number>/separate",
    "post table/<table_number>/move", "post tables", "post tables/range",
}  # fmt: skip


def staff_calls() -> dict[str, tuple[str, str]]:
    """Methods and paths of what is not for everybody, by what they are called above."""
    found = {}
    for address in addresses():
        for method in address.methods if address.is_of_the_framework and not declared(address.view) & KEYS else ():
            name = f"{method} {re.sub(r'<[a-z]+:', '<', address.pattern)}"
            if not address.is_public(method) or name == "post use/<code>/cancel":  # where a guest's code is enough too
                found[name] = method, address.path
    return found


@pytest.mark.slow
def test_strangers_are_asked_to_sign_in_and_the_wrong_groups_are_refused(api):
    make_venue()
    callers = {group: signed_in(make_user(group)) for group in ("Kitchen", "Cashiers", "Floor", "Managers")}
    manager = give_pin(User.objects.get(username="managers"))
    callers["a manager's PIN"] = on_tablet(manager, manager)
    calls, wrong = staff_calls(), []
    allowed = {"Kitchen": KITCHEN, "Cashiers": CASHIERS, "Floor": FLOOR, "Managers": set(calls)}
    allowed["a manager's PIN"] = (CASHIERS | FLOOR) - NEEDS_PASSWORD
    for name, (method, path) in calls.items():
        response = getattr(api, method)(path, {}, format="json")
        asks = response.headers.get("WWW-Authenticate", "").startswith("Token")
        if (response.status_code, asks, set(response.json())) != (401, True, {"error"}):
            wrong.append((name, "a stranger", response.status_code))
        for group, client in callers.items():
            response = getattr(client, method)(path, {}, format="json")
            if name in allowed[group]:
                is_right = response.status_code not in {401, 403}
            else:
                is_right = (response.status_code, set(response.json())) == (403, {"error"})
            if not is_right:
                wrong.append((name, group, response.status_code))
    assert wrong == []
    assert set(calls) >= CASHIERS | FLOOR >= KITCHEN | NEEDS_PASSWORD


def admin_paths() -> list[str]:
    paths = (re.sub(r"\(\?P<\w+>[^)]*\)|[$^]|\\Z", "", path) for path in patterns_of_the_admin())
    return ["/" + re.sub(r"<(?:\w+:)?(\w+)>", "1", path) for path in paths]


def test_a_pin_opens_nothing_of_the_admin_not_even_for_a_superuser(admin_user):
    tablet = on_tablet(make_user("Managers"), give_pin(admin_user))
    assert tablet.get("/kitchen").status_code == 200
    paths = [path for path in admin_paths() if path != "/admin/login/"]
    assert len(paths) > 100
    for method in ("get", "post"):
        answers = {path: getattr(tablet, method)(path) for path in paths}
        assert {path: answer.status_code for path, answer in answers.items() if answer.status_code != 403} == {}
    assert "password" in answers["/admin/"].json()["error"]


def test_a_superuser_may_do_everything(admin_client):
    assert admin_client.get("/kitchen").status_code == 200


def test_a_browser_is_led_to_the_sign_in_page_and_back(browser_client):
    make_user("Floor", "anna")
    answer = browser_client.get("/kitchen")
    assert (answer.status_code, answer["Location"]) == (302, "/sign-in?next=%2Fkitchen")
    page = browser_client.get(answer["Location"])
    token = page.context["csrf_token"]
    form = {"csrfmiddlewaretoken": str(token), "username": "anna", "password": "a long pass phrase", "next": "/kitchen"}
    answer = browser_client.post("/sign-in", form)
    assert (answer.status_code, answer["Location"]) == (302, "/kitchen")
    assert browser_client.get("/kitchen").status_code == 200
    weeks = 14 * 24 * 3600
    for box, seconds in (({}, weeks), ({"keepShown": "yes", "keep": "yes"}, weeks), ({"keepShown": "yes"}, "")):
        cookie = Client().post("/sign-in", form | box).cookies["staff_session"]
        assert cookie["max-age"] == seconds  # without one: until the browser is closed


def test_a_signed_in_browser_without_the_permission_gets_a_page_that_says_so(browser_client):
    browser_client.force_login(make_user("Cashiers"))
    answer = browser_client.get("/kitchen", headers={"accept": PAGE})
    assert answer.status_code == 403
    assert "You don't have access to this page" in read(answer)


def test_the_sign_in_page_leads_to_no_other_host(browser_client):
    make_user("Floor", "anna")
    token = str(browser_client.get("/sign-in").context["csrf_token"])
    form = {"csrfmiddlewaretoken": token, "username": "anna", "password": "a long pass phrase"}
    answer = browser_client.post("/sign-in", {**form, "next": "https://evil.example/"})
    assert answer["Location"] == "/"


def test_a_call_without_a_page_answers_json_to_a_browser_too(admin_client):
    body, headers = {"tableNumber": 12}, {"accept": PAGE}
    answer = admin_client.post("/tables", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (201, "application/json")
