"""`/tables/range`: several tables at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from qrservice import gateway
from qrservice.models import Code
from restaurant.models import Table
from restaurant.tables.views.tables import in_ranges
from tests.at_once import at_once
from tests.conftest import PAGE, make_table, make_user, own_queries, signed_in
from tests.reading import read

pytestmark = pytest.mark.django_db

TWELVE = {"from": 1, "to": 12, "section": "Terrace", "capacity": 4}


def add(client, **values):
    return client.post("/tables/range", {**TWELVE, **values}, format="json")


def numbers() -> list[int]:
    return list(Table.objects.values_list("table_number", flat=True))


def test_tables_are_made_with_section_seats_and_a_code_each(floor, settings):
    response = add(floor)
    assert (response.status_code, response.json()) == (
        201, {"added": [*range(1, 13)], "kept": [], "refused": [], "warning": None}
    )  # fmt: skip
    assert {(table.section, table.capacity) for table in Table.objects.all()} == {("Terrace", 4)}
    for table in Table.objects.all():
        code = Code.objects.get(analytics_id=table.qr_analytics_id)
        assert code.target == f"{settings.APP_BASE_URL}/table/{table.table_number}"
        assert code.metadata == {"type": "restaurant_table", "section": "Terrace", "table_number": table.table_number}
        assert (code.short_url, code.image_url) == (table.short_url, table.qr_code_url)


def test_section_and_seats_may_be_left_out(floor):
    assert floor.post("/tables/range", {"from": 5, "to": 5}, format="json").json()["added"] == [5]
    table = Table.objects.get()
    assert (table.section, table.capacity) == ("", None)


def test_numbers_that_exist_are_kept_as_they_are_and_named(floor):
    old = make_table(7)
    assert add(floor, **{"from": 6, "to": 8}).json() | {"warning": 0} == {
        "added": [6, 8], "kept": [7], "refused": [], "warning": 0
    }  # fmt: skip
    old.refresh_from_db()
    assert (old.section, old.capacity) == ("Window", None)
    assert add(floor, **{"from": 6, "to": 8}).json()["added"] == []
    assert Code.objects.count() == 3


def test_what_can_not_be_is_refused_and_nothing_stored(subtests, floor):
    for values, field in [
        ({"from": 0}, "from"),
        ({"from": 13}, "to"),
        ({"to": 201}, "to"),
        ({"to": 100_000}, "to"),
        ({"to": "12"}, "to"),
        ({"from": None}, "from"),
        ({"capacity": 0}, "capacity"),
        ({"section": "x" * 51}, "section"),
    ]:
        with subtests.test(values=values, field=field):
            response = add(floor, **values)
            assert (response.status_code, list(response.json()["fields"])) == (400, [field])
            assert numbers() == []


def test_two_hundred_are_made_at_once_and_each_costs_one_query(floor):
    assert len(add(floor, **{"from": 1, "to": 200}).json()["added"]) == 200
    with own_queries() as queries:
        add(floor, **{"from": 301, "to": 310})
    assert len([sql for sql in queries if "restaurant_table" in sql and sql.startswith("UPDATE")]) == 10
    assert len([sql for sql in queries if sql.startswith("INSERT")]) == 2


def test_a_table_whose_code_was_never_made_gets_it_with_the_next_range(floor):
    fresh, old = Table.objects.create(table_number=1), Table.objects.create(table_number=2)
    Table.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(minutes=2))
    assert floor.get("/tables/range").json()["withoutCode"] == [1, 2]
    assert add(floor, to=3).json()["kept"] == [1, 2]
    # Another request is making the code of a table that was stored just now.
    assert floor.get("/tables/range").json()["withoutCode"] == [fresh.table_number]


def test_the_list_names_sections_and_the_next_number(floor):
    assert floor.get("/tables/range").json() == {"sections": [], "withoutCode": [], "next": 1}
    add(floor)
    make_table(20)
    assert floor.get("/tables/range").json() == {
        "sections": [{"section": "Terrace", "numbers": [*range(1, 13)]}, {"section": "Window", "numbers": [20]}],
        "withoutCode": [],
        "next": 21,
    }


def test_numbers_read_as_ranges(subtests):
    for found, text in [([], ""), ([3], "3"), ([1, 2, 3], "1–3"), ([1, 3, 4, 9], "1, 3–4, 9")]:
        with subtests.test(found=found, text=text):
            assert in_ranges(found) == text


# --- the page ---------------------------------------------------------------------------------------


def test_the_form_adds_says_so_and_leads_to_the_cards(floor):
    floor.defaults["HTTP_ACCEPT"] = PAGE
    assert read(floor.get("/tables/range")).field("from")["value"] == "1"
    response = floor.post("/tables/range", {"from": " 1 ", "to": "3", "section": "", "capacity": ""})
    assert (response.status_code, response["Location"]) == (303, "/tables/range?added=1%2C2%2C3")
    page = read(floor.get(response["Location"]))
    assert "Added: tables 1–3." in page
    assert "/tables/print?numbers=1%2C2%2C3" in page.addresses()
    assert page.field("from")["value"] == "4"
    floor.post("/tables/range", {"from": "3", "to": "4"})
    page = floor.get("/tables/range").content.decode()
    assert "Added: table 4." in page
    assert "There already, and left as before: 3." in page


def test_a_refused_form_comes_back_with_what_was_typed(floor):
    floor.defaults["HTTP_ACCEPT"] = PAGE
    page = floor.post("/tables/range", {"from": "9", "to": "a lot", "section": "<b>Bar</b>", "capacity": "4"})
    text = page.content.decode()
    assert page.status_code == 400
    assert 'value="9"' in text
    assert 'value="a lot"' in text
    assert "&lt;b&gt;Bar" in text
    assert 'role="alert"' in text


def test_the_admin_s_list_of_tables_leads_there(admin_client):
    assert 'href="/tables/range">Add several' in admin_client.get("/admin/restaurant/table/").content.decode()


# --- at the same moment -----------------------------------------------------------------------------


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_a_form_that_is_sent_twice_at_once_makes_every_table_and_code_once():
    user = make_user("Floor")

    def send() -> list[int]:
        return add(signed_in(user), **{"from": 1, "to": 40}).json()["added"]

    added = [number for each in at_once([send] * 4) for number in each]
    assert sorted(added) == numbers() == [*range(1, 41)]
    assert Code.objects.count() == 40
    assert not Table.objects.filter(qr_analytics_id="").exists()


def test_a_code_that_the_admin_gave_meanwhile_stays_and_the_other_leads_nowhere(floor, monkeypatch):
    make_all = gateway.create_codes

    def meanwhile(wanted):
        Table.objects.update(qr_analytics_id="the-admin-s")
        return make_all(wanted)

    monkeypatch.setattr(gateway, "create_codes", meanwhile)
    add(floor, to=1)
    assert Table.objects.get().qr_analytics_id == "the-admin-s"
    assert Code.objects.get().status == "disabled"
