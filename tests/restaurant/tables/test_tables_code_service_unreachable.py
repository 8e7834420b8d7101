"""Tables while the hosted code service is away."""

import pytest
from django.test import Client

from qrservice.models import Code
from restaurant.models import Table
from tests.conftest import PAGE, make_table, make_user, signed_in
from tests.qrservice.fake_service import CODE, says
from tests.reading import read

pytestmark = pytest.mark.django_db

SECRET = "rq_nobody-may-read-this"


def admin_of(table: Table | None = None) -> tuple[Client, str]:
    manager = make_user("Managers")
    manager.is_staff = manager.is_superuser = True
    manager.save()
    path = f"/admin/restaurant/table/{table.pk}/change/" if table else "/admin/restaurant/table/add/"
    return signed_in(manager), path


def test_a_new_table_is_refused_with_503_and_not_stored(code_service, floor):
    code_service()
    response = floor.post("/tables", {"tableNumber": 7}, format="json")
    assert response.status_code == 503
    assert set(response.json()) == {"error"}
    assert "Nothing was saved" in response.json()["error"]
    assert int(response["Retry-After"]) > 0
    assert SECRET not in response.content.decode()
    assert not Table.objects.exists()
    assert not Code.objects.exists()


def test_whatever_is_wrong_with_the_service_nothing_is_stored(subtests, code_service, floor):
    for act in [says("", 500), says("", 429), says("", 401), says({"error": "no"}, 400), says("{", 201), says({}, 201)]:
        with subtests.test(act=act):
            code_service(act)
            response = floor.post("/tables", {"tableNumber": 7}, format="json")
            assert response.status_code in {502, 503}
            assert set(response.json()) == {"error"}
            assert not Table.objects.exists()


def test_the_same_table_is_made_once_the_service_is_back(code_service, floor):
    code_service()
    assert floor.post("/tables", {"tableNumber": 7}, format="json").status_code == 503
    code_service(says(CODE, 201))
    response = floor.post("/tables", {"tableNumber": 7}, format="json")
    assert response.status_code == 201
    assert response.json() == {
        "tableNumber": 7, "qrCodeUrl": CODE["qr_code_url"], "shortUrl": CODE["short_url"],
        "analyticsId": CODE["analytics_id"],
    }  # fmt: skip


ALL = {"from": 1, "to": 5, "section": "Window"}


def codes(*acts):
    """A service that gives a code of its own to each request, and then does these."""
    replies = [says({**CODE, "analytics_id": f"code-{number}"}, 201) for number in range(1, 4)]
    return [*replies, *acts]


def test_no_table_of_a_range_is_stored_if_there_is_no_code_at_all(code_service, floor):
    code_service()
    response = floor.post("/tables/range", ALL, format="json")
    assert response.status_code == 503
    assert "Nothing was saved" in response.json()["error"]
    assert not Table.objects.exists()


def test_a_service_that_fails_half_way_loses_nothing_and_the_rest_is_added_later(code_service, floor):
    code_service(*codes(says("", 500)))
    response = floor.post("/tables/range", ALL, format="json")
    assert response.status_code == 201
    assert {name: response.json()[name] for name in ("added", "kept", "refused")} == {
        "added": [1, 2, 3], "kept": [], "refused": [4, 5]
    }  # fmt: skip
    assert "QR code service" in response.json()["warning"]
    assert SECRET not in response.content.decode()
    assert list(Table.objects.values_list("qr_analytics_id", flat=True)) == ["code-1", "code-2", "code-3"]
    code_service(*codes())
    response = floor.post("/tables/range", ALL, format="json")
    assert (response.json()["added"], response.json()["kept"]) == ([4, 5], [1, 2, 3])


def test_a_service_that_is_too_slow_for_all_of_a_range_is_left_alone_after_a_while(code_service, floor, monkeypatch):
    code_service(*codes())
    monkeypatch.setattr("qrservice.backends.base.TOGETHER_DEADLINE", -1)
    assert floor.post("/tables/range", ALL, format="json").status_code == 503
    assert not Table.objects.exists()


def test_the_page_says_what_is_missing_and_is_filled_in_for_it(code_service, floor):
    code_service(*codes(says("", 500)))
    floor.defaults["HTTP_ACCEPT"] = PAGE
    page = floor.get(floor.post("/tables/range", {**ALL, "capacity": "4"})["Location"]).content.decode()
    assert "Not added, because no code could be made: 4–5. Please send this again." in page
    for value in ("4", "5", "Window"):
        assert f'value="{value}"' in page
    code_service()
    response = floor.post("/tables/range", {**ALL, "from": "4", "to": "5"})
    assert response.status_code == 503
    assert 'value="Window"' in response.content.decode()


def test_guests_notice_nothing(code_service, api):
    make_table()
    code_service()
    assert api.get("/table/7").status_code == 200
    assert api.get("/table/7", headers={"Accept": PAGE}).status_code == 200


def test_the_admin_keeps_the_table_warns_and_gives_the_code_at_the_next_save(code_service):
    code_service()
    client, path = admin_of()
    form = {"table_number": "7", "section": "Window", "capacity": "4"}
    page = client.post(path, form, follow=True).content.decode()
    assert "has no code yet" in read(page)
    assert SECRET not in page
    table = Table.objects.get()
    assert (table.section, table.capacity, table.qr_analytics_id, table.qr_code_url) == ("Window", 4, "", "")

    code_service(says(CODE, 201))
    page = client.post(f"/admin/restaurant/table/{table.pk}/change/", form, follow=True).content.decode()
    assert "has no code yet" not in page
    table.refresh_from_db()
    assert (table.qr_analytics_id, table.qr_code_url) == (CODE["analytics_id"], CODE["qr_code_url"])
    assert table.short_url == CODE["short_url"]


def test_the_admin_s_pages_of_a_table_do_not_need_the_service(code_service):
    table = make_table()
    code_service()
    client, path = admin_of(table)
    assert client.get(path).status_code == 200
    assert client.get("/admin/restaurant/table/").status_code == 200
    bare = Table.objects.create(table_number=8)
    assert client.get(path.replace(str(table.pk), str(bare.pk))).status_code == 200


def test_a_table_that_has_its_code_is_saved_without_asking_for_another(code_service):
    table = make_table()
    code = table.qr_analytics_id
    code_service()
    client, path = admin_of(table)
    page = client.post(path, {"table_number": "7", "section": "Garden"}, follow=True).content.decode()
    assert "has no code yet" not in page
    table.refresh_from_db()
    assert (table.section, table.qr_analytics_id) == ("Garden", code)
