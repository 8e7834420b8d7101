"""A walk over the URL map: every view declares its access, and refuses everybody else."""

import html

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from tests.conftest import PAGE, make_user, signed_in, unknown_id
from web.permissions import PUBLIC

VERBS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def all_patterns(resolver: URLResolver, prefix: str = "") -> list[tuple[str, URLPattern]]:
    found = []
    for each in resolver.url_patterns:
        path = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            found.append((path, each))
        elif each.namespace != "admin":  # Django's own, which checks for itself
            found += all_patterns(each, path)
    return found


def view_class(pattern: URLPattern):
    return getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)


PATTERNS = dict(all_patterns(get_resolver()))


def test_the_walk_finds_the_urls():
    assert {"table/<str:table_number>", "kitchen", "q/<str:slug>", "sign-in"} <= set(PATTERNS)


@pytest.mark.parametrize("path", sorted(PATTERNS))
def test_a_view_declares_its_access(path, db):
    view = view_class(PATTERNS[path])
    assert view is not None, f"{path} is not a class that could declare anything"
    declared = getattr(view, "access", None)
    assert declared, f"{path}: {view.__name__} declares no access"
    each = declared.values() if isinstance(declared, dict) else [declared]
    each = [name for names in each for name in ([names] if isinstance(names, str) else names)]
    known = {f"{p.content_type.app_label}.{p.codename}" for p in Permission.objects.select_related("content_type")}
    assert set(each) <= known | {PUBLIC, "key:generate", "key:analytics"}, (
        f"{path}: {view.__name__} names a permission that does not exist"
    )


def test_a_view_that_declares_nothing_is_open_to_nobody(admin_user, rf):
    from rest_framework.response import Response
    from rest_framework.test import force_authenticate
    from rest_framework.views import APIView

    class Forgotten(APIView):
        def get(self, request):
            return Response({})

    request = rf.get("/")
    force_authenticate(request, admin_user)
    assert Forgotten.as_view()(request).status_code == 403


# With the groups that may, besides Managers, who may do all of it.
STAFF_CALLS = [
    ("post", "/tables", {"tableNumber": 12}, {"Floor"}),
    ("get", "/kitchen", None, {"Floor"}),
    ("post", f"/orders/{unknown_id()}/status", {"status": "ready"}, {"Floor"}),
    ("post", "/table/7/close", {"sessionId": unknown_id()}, {"Floor"}),
    ("get", "/reports/restaurant/day", None, set()),
    ("get", "/reports/restaurant/lines", None, set()),
    ("post", "/earn", {}, {"Cashiers"}),
    ("post", f"/transactions/{unknown_id()}/reverse", {}, {"Cashiers"}),
    ("get", "/till", None, {"Cashiers"}),
    ("get", "/use/RWD-AAAAAA", None, {"Cashiers"}),
    ("post", "/use/RWD-AAAAAA/confirm", {}, {"Cashiers"}),
    ("post", "/use/RWD-AAAAAA/undo", {}, {"Cashiers"}),
    ("post", "/use/RWD-AAAAAA/cancel", {}, {"Cashiers"}),
    ("get", f"/confirmations/{unknown_id()}", None, {"Cashiers"}),
    ("post", f"/locations/{unknown_id()}/qr", None, set()),
    ("get", "/tables/range", None, {"Floor"}),
    ("post", "/tables/range", {"from": 1, "to": 2}, {"Floor"}),
    ("get", "/floor/plan", None, set()),
    ("post", "/floor/plan", {"section": "", "tables": []}, set()),
    ("get", "/setup", None, set()),
    ("post", "/setup", {}, set()),
    ("post", "/setup/mail", {}, set()),
    ("get", "/staff", None, set()),
    ("post", "/staff", {}, set()),
    ("post", "/staff/nobody", {}, set()),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "path", "body", "groups"), STAFF_CALLS)
def test_staff_calls_ask_strangers_to_sign_in_and_refuse_the_wrong_group(api, method, path, body, groups):
    answer = getattr(api, method)(path, body, format="json")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Token")
    assert set(answer.json()) == {"error"}
    for group in ("Cashiers", "Floor", "Managers"):
        answer = getattr(signed_in(make_user(group)), method)(path, body, format="json")
        if group in {*groups, "Managers"}:
            assert answer.status_code not in {401, 403}
        else:
            assert (answer.status_code, set(answer.json())) == (403, {"error"})


@pytest.mark.django_db
def test_a_superuser_may_do_everything(admin_client):
    assert admin_client.get("/kitchen").status_code == 200


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_signed_in_browser_without_the_permission_gets_a_page_that_says_so(browser_client):
    browser_client.force_login(make_user("Cashiers"))
    answer = browser_client.get("/kitchen", headers={"accept": PAGE})
    assert answer.status_code == 403
    assert "You don't have access to this page" in html.unescape(answer.content.decode())


@pytest.mark.django_db
def test_the_sign_in_page_leads_to_no_other_host(browser_client):
    make_user("Floor", "anna")
    token = str(browser_client.get("/sign-in").context["csrf_token"])
    form = {"csrfmiddlewaretoken": token, "username": "anna", "password": "a long pass phrase"}
    answer = browser_client.post("/sign-in", {**form, "next": "https://evil.example/"})
    assert answer["Location"] == "/"


@pytest.mark.django_db
def test_a_call_without_a_page_answers_json_to_a_browser_too(admin_client):
    body, headers = {"tableNumber": 12}, {"accept": PAGE}
    answer = admin_client.post("/tables", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (201, "application/json")
