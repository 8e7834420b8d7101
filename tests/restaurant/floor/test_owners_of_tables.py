"""Staff take tables; what happens there is theirs until they go, somebody else takes it, or it waits too long."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from config.models import Venue
from restaurant.models import Order, OrderingRules, TableCall, TableSession
from tests.conftest import PAGE, make_table, make_user, order_body, signed_in, unknown_id
from tests.reading import read
from tests.restaurant.floor.floors import floor_of, items, table_of, tile_of
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(db):
    return make_user("Floor", "ana")


@pytest.fixture
def ben(db):
    return make_user("Floor", "ben")


@pytest.fixture
def tables(table):
    return [table, make_table(8), make_table(9, "Terrace")]


def mine(user, **body):
    response = signed_in(user).post("/floor/mine", body, format="json")
    return response.json()["tables"] if response.status_code == 200 else response.json()


def phone_of(user) -> Client:
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    return client


def owners(client) -> dict[int, str]:
    return {each["tableNumber"]: each["owner"] for each in client.get("/floor").json()["tables"] if "owner" in each}


def call(session, **values) -> TableCall:
    return TableCall.objects.create(session=session, kind="waiter", **values)


def take(user, path: str):
    response = signed_in(user).post(f"{path}/take")
    assert response.status_code == 200
    return response.json()["takenBy"]


# --- who has which table ------------------------------------------------------------------------------


def test_tables_are_taken_by_number_and_by_section_and_given_back(tables, ana, ben, floor):
    assert owners(floor) == {}
    assert mine(ana, sections=["Window"]) == [7, 8]
    assert mine(ben, tables=[8], sections=["Terrace"]) == [8, 9]
    assert owners(floor) == {7: "ana", 8: "ben", 9: "ben"}
    assert signed_in(ana).get("/floor/mine").json() == {"tables": [7]}
    assert mine(ana, tables=[]) == []
    assert owners(floor) == {8: "ben", 9: "ben"}


def test_what_is_not_on_the_floor_is_named_and_nothing_changes(tables, ana, floor):
    mine(ana, tables=[7])
    refused = mine(ana, tables=[8, 99], sections=["Roof"])
    assert refused["error"] == "Not on this floor: table 99, section “Roof”."
    assert (refused["tables"], refused["sections"]) == ([99], ["Roof"])
    assert "error" in mine(ana)
    assert owners(floor) == {7: "ana"}


def test_who_may_not_work_the_floor_takes_nothing(tables, cashier, session):
    waiting = call(session)
    order = Order.objects.create(table=session.table, session=session, status="ready", total=5)
    for path in ("/floor/mine", f"/calls/{waiting.pk}/take", f"/orders/{order.pk}/take"):
        assert cashier.post(path, {"tables": [7]}, format="json").status_code == 403


def test_owners_end_with_the_venues_day(tables, ana, floor, clock, settings):
    Venue.objects.update_or_create(pk=1, defaults={"day_ends_at": "04:00"})
    evening = datetime(2026, 3, 14, 23, tzinfo=timezone.get_current_timezone())
    clock(evening)
    mine(ana, tables=[7])
    clock(evening + timedelta(hours=4, minutes=59))
    assert owners(floor) == {7: "ana"}
    clock(evening + timedelta(hours=5))
    assert owners(floor) == {}
    assert signed_in(ana).get("/floor/mine").json() == {"tables": []}


def test_nobody_who_was_deactivated_has_a_table(tables, ana, floor, session):
    mine(ana, tables=[7])
    call(session)
    assert floor.get("/floor").json()["calls"][0]["owner"] == "ana"
    ana.is_active = False
    ana.save()
    assert owners(floor) == {}
    assert "owner" not in floor.get("/floor").json()["calls"][0]


def test_a_joined_table_follows_its_party(tables, ana, ben, floor, session):
    mine(ana, tables=[7])
    mine(ben, tables=[8])
    other = TableSession.objects.create(table=tables[1])
    body = {"sessionId": str(other.pk), "to": 7}
    assert floor.post("/table/8/move", body, format="json").status_code == 200
    assert owners(floor) == {7: "ana", 8: "ana"}
    assert floor.post("/table/8/free").status_code == 200
    assert owners(floor) == {7: "ana", 8: "ben"}


# --- going there --------------------------------------------------------------------------------------


def test_without_an_owner_nothing_of_it_is_said(floor, session, soup, api):
    call(session)
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    Order.objects.update(status="ready", ready_at=timezone.now() - timedelta(hours=1))
    state = floor.get("/floor").json()
    for each in (*state["tables"], *state["calls"], *state["ready"]):
        assert not {"owner", "takenBy", "escalated"} & each.keys()


def test_the_first_who_takes_a_call_has_it(ana, ben, session, floor):
    path = f"/calls/{call(session).pk}"
    assert [take(user, path) for user in (ana, ben, ana)] == ["ana"] * 3
    taken = TableCall.objects.get()
    assert (taken.taken_by, taken.done_at) == (ana, None)
    assert floor.get("/floor").json()["calls"][0]["takenBy"] == "ana"
    at = taken.taken_at
    take(ana, path)
    assert TableCall.objects.get().taken_at == at
    assert signed_in(ana).post(f"/calls/{unknown_id()}/take").status_code == 404
    assert signed_in(ana).post(f"/orders/{unknown_id()}/take").status_code == 404


def test_of_a_call_that_is_done_one_reads_who_came(ana, ben, session):
    path = f"/calls/{call(session).pk}"
    signed_in(ben).post(f"{path}/done")
    assert take(ana, path) == "ben"
    assert TableCall.objects.get().taken_at is None


def test_a_held_order_that_is_approved_is_nobodys_again_until_it_is_ready(ana, ben, session, soup, api, floor):
    OrderingRules(gate="approved").save()
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    path = f"/orders/{Order.objects.get().pk}"
    assert [take(ana, path), take(ben, path)] == ["ana", "ana"]
    assert floor.get("/floor").json()["held"][0]["takenBy"] == "ana"
    assert signed_in(ben).post(f"{path}/approve").status_code == 200
    assert take(ana, path) == "ben"  # nothing to do: who approved it
    assert Order.objects.get().taken_at is None
    signed_in(ben).post(f"{path}/status", {"status": "ready"}, format="json")
    assert [take(ben, path), take(ana, path)] == ["ben", "ben"]
    signed_in(ana).post(f"{path}/status", {"status": "served"}, format="json")
    assert take(ana, path) == "ben"


def test_what_is_cancelled_or_recalled_is_taken_anew(ana, ben, session, soup, api):
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    path, client = f"/orders/{Order.objects.get().pk}", signed_in(ana)
    for status in ("ready", "preparing", "ready"):
        client.post(f"{path}/status", {"status": status}, format="json")
        assert take(ana, path) == ("" if status == "preparing" else "ana")
    client.post(f"{path}/cancel", {"reason": "mistake"}, format="json")
    assert take(ben, path) == "ana"


def test_untaken_it_is_everybodys_after_the_time_that_was_set(ana, session, floor, clock, soup, api):
    OrderingRules.objects.create(escalate_after=20)
    mine(ana, tables=[7])
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    began = timezone.now()
    Order.objects.update(status="ready", ready_at=began, created_at=began - timedelta(minutes=9))
    call(session, created_at=began)
    for seconds, escalated in ((19, []), (20, [True])):
        clock(began + timedelta(seconds=seconds))
        state = floor.get("/floor").json()
        for name in ("calls", "ready"):
            assert [each["escalated"] for each in state[name] if "escalated" in each] == escalated
    take(ana, f"/calls/{TableCall.objects.get().pk}")
    assert "escalated" not in floor.get("/floor").json()["calls"][0]


def test_a_taken_call_stays_taken_where_its_party_joins_another(ana, tables, session, floor):
    for party in (session, TableSession.objects.create(table=tables[1])):
        call(party)
    take(ana, f"/calls/{TableCall.objects.get(session=session).pk}")
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    [shown] = floor.get("/floor").json()["calls"]
    assert (shown["tableNumber"], shown["takenBy"]) == (8, "ana")


def test_closing_a_table_leaves_who_went_there(ana, session, floor):
    take(ana, f"/calls/{call(session).pk}")
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    ended = TableCall.objects.get()
    assert ended.done_at
    assert ended.taken_by_name == "ana"
    assert take(make_user("Floor", "cleo"), f"/calls/{ended.pk}") == "ana"


# --- the page -----------------------------------------------------------------------------------------


def sounds(page) -> list[str]:
    return [each.get("id") for each in page.element.xpath("//*[@data-sounds]")]


def test_the_page_begins_with_mine_and_folds_what_is_others(ana, ben, tables):
    mine(ana, tables=[8])
    mine(ben, tables=[9])
    made = {table.table_number: call(TableSession.objects.create(table=table)) for table in tables}
    page = floor_of(phone_of(ana))
    assert [item.text.split()[1] for item in items(page, "Calls")] == ["8", "7"]
    [others] = [each for each in page.all("details") if each.get("id") == "others"]
    assert "For others (1)" in others
    assert "9 Calls the waiter" in others
    assert "ben" in others
    assert set(sounds(page)) == {f"call-{made[7].pk}", f"call-{made[8].pk}"}
    assert "ben" in tile_of(page, 9)
    # What nobody has taken in time comes to all, with a sound.
    for waiting in TableCall.objects.all():
        TableCall.objects.filter(pk=waiting.pk).update(created_at=waiting.created_at - timedelta(minutes=1))
    page = floor_of(phone_of(ana))
    assert [item.text.split()[1] for item in items(page, "Calls")] == ["8", "7", "9"]
    assert len(sounds(page)) == 3


def test_who_goes_is_said_and_all_phones_fall_silent(ana, ben, session):
    make_user("Floor", "cleo")
    mine(ana, tables=[7])
    waiting, hers, his = call(session), phone_of(ana), phone_of(ben)
    page = floor_of(hers)
    assert sounds(page) == [f"call-{waiting.pk}"]
    response = submit(hers, page, f"/calls/{waiting.pk}/take", next="/floor")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    assert "You have it" in floor_of(hers)
    assert "ana has it" in floor_of(his)
    assert sounds(floor_of(hers)) == sounds(floor_of(his)) == []
    assert sounds(read(hers.get("/floor/tables/7"))) == []
    assert "You have it" in table_of(hers)


def test_a_tablet_on_the_wall_shows_everything_and_remembers_that(ana, ben, session):
    mine(ana, tables=[7])
    call(session)
    tablet = phone_of(ben)
    assert sounds(floor_of(tablet)) == []
    for query in ("?all=1", ""):
        page = floor_of(tablet, query)
        assert len(sounds(page)) == len(items(page, "Calls")) == 1
        assert len(sounds(table_of(tablet))) == 1
    assert sounds(floor_of(tablet, "?all=0")) == sounds(floor_of(tablet)) == []


def test_tables_are_taken_on_a_page_that_shows_who_has_which(ana, ben, tables):
    mine(ana, tables=[8])
    client = phone_of(ben)
    page = read(client.get("/floor/mine"))
    assert "8 ana" in form_of(page, "/floor/mine").text
    response = client.post("/floor/mine", form_of(page, "/floor/mine").lists() | {"sections": "Terrace", "tables": "7"})
    assert (response.status_code, response["Location"]) == (303, "/floor")
    page = floor_of(client)
    assert "My tables: 7, 9" in page
    ticked = form_of(client.get("/floor/mine"), "/floor/mine").lists()
    assert ticked["tables"] == ["7", "9"]
    client.post("/floor/mine", {name: values for name, values in ticked.items() if name != "tables"})
    assert "My tables…" in floor_of(client)
