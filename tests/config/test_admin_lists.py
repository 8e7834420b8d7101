"""Who may open the admin's pages, and how lists refuse filters."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import reverse

from tests.conftest import PAGE, browser_of, make_user, unknown_id


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


@pytest.mark.django_db(transaction=True)
def test_a_filter_that_no_column_takes_is_refused_with_the_way_back():
    client = browser_of(make_user("Managers"))
    for typed in ("name__regex=(", "price__range=1", "created_at__year=999999999999"):
        response = client.get(f"/admin/restaurant/menuitem/?{typed}", headers={"accept": PAGE})
        assert response.status_code == 400, typed
        assert "filtered like that" in response.text
        assert 'href="/admin/restaurant/menuitem/"' in response.text
