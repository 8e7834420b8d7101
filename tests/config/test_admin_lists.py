"""Every list of the admin handles filters that it can't take, and searches of many words."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.conftest import browser_of, make_user, unknown_id

BAD = {
    models.DateTimeField: "year=99999999999",
    models.DateField: "year=0",
    models.UUIDField: "exact=x",
    models.IntegerField: "gt=99999999999999999999",
    models.DecimalField: "lt=lots",
    models.CharField: "regex=(",
    models.TextField: "regex=(",
    models.JSONField: "gt={",
}


@pytest.fixture
def owner(request: pytest.FixtureRequest) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("owner"))
    return client


def lists() -> Iterator[tuple[str, Any]]:
    for model, model_admin in admin.site._registry.items():
        yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"), model_admin


def filtered(path: str, fields: Sequence[models.Field]) -> Iterator[str]:
    """Return the list with a value that a column of each kind can't be compared with."""
    for kind, lookup in BAD.items():
        names = [field.name for field in fields if type(field) is kind and field.name != "password"]
        yield from (f"{path}?{name}__{lookup}" for name in names[:1])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_value_that_a_list_can_not_take_leads_to_the_list_with_a_sentence(owner):
    wrong, refused = {}, 0
    for path, model_admin in lists():
        for address in filtered(path, model_admin.opts.fields):
            page = owner.get(address, follow=True)
            refused += "filtered like that" in page.content.decode()
            if page.status_code != 200:
                wrong[address] = page.status_code
    assert wrong == {}
    assert refused > 30
    page = owner.get(f"{reverse('admin:restaurant_order_export')}?created_at__year=99999999999", follow=True)
    assert page.redirect_chain == [(f"{reverse('admin:restaurant_order_changelist')}?e=1", 302)]


@pytest.mark.slow
@pytest.mark.django_db
def test_a_search_of_2000_words_is_one_of_ten_in_every_list_and_in_the_search_of_all(owner):
    words = " ".join(f"w{n}" for n in range(2000))
    everywhere = reverse("admin:search")
    searched = [path for path, model_admin in lists() if model_admin.search_fields] + [everywhere]
    assert len(searched) > 10
    for path in searched:
        with CaptureQueriesContext(connection) as queries:
            page = owner.get(path, {"q": words}).content.decode()
        assert not any("w10" in query["sql"] for query in queries), path
        assert path == everywhere or "Only the beginning was searched for" in page, path


@pytest.mark.slow
@pytest.mark.django_db
def test_cashiers_and_floor_staff_may_open_the_admin_and_none_of_its_pages():
    user = make_user("Cashiers")
    user.groups.add(Group.objects.get(name="Floor"))
    client = browser_of(user)
    assert client.get("/admin/").status_code == 200
    pages = [
        reverse(f"admin:{url.name}", args=[unknown_id()] * len(url.pattern.converters))
        for page_admin in admin.site._registry.values()
        for url in page_admin.urls
        if url.name and not url.name.endswith("_history")  # of what is unknown there is none
    ]
    assert len(pages) > 120
    opened = {
        page
        for page in pages
        for method in ("GET", "POST")
        if client.generic(method, page).status_code not in (403, 404)  # or there is nothing of this id
    }
    # The first leads to the till, where cashiers enrol; floor staff may add tables, as programs of theirs do.
    assert opened == {"/admin/loyalty/member/add/", "/admin/restaurant/table/add/"}
