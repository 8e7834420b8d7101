"""`GET /locations/{id}/print`: a location's check-in code on paper."""

import re

import pytest

from loyalty.models import Reward
from tests.conftest import PAGE, undone, unknown_id
from web import venue

pytestmark = pytest.mark.django_db


def page_of(client, location, query=""):
    return client.get(f"/locations/{location.pk}/print{query}", headers={"accept": PAGE}).content.decode()


def test_a_code_is_printed_as_a_poster_tents_or_cards(manager, location):
    assert "no check-in code yet" in page_of(manager, location)
    manager.post(f"/locations/{location.pk}/qr")
    data = manager.get(f"/locations/{location.pk}/print?layout=tent&paper=letter").json()
    assert (data["layout"], data["paper"], data["name"]) == ("tent", "letter", "Harbour")
    assert data["qrCodeUrl"].endswith("?size=1221")
    for query, faces in (("", 1), ("?layout=tent", 4), ("?layout=card&paper=letter", 4)):
        page = page_of(manager, location, query)
        assert page.count("Every visit earns points") == faces
        assert "Scan to collect points" in page
        assert "Every visit earns points towards a reward: show your card as you pay." in page


def test_the_reward_that_is_reached_first_is_the_reason_to_scan(manager, location, subtests):
    for name, points, promise in [
        ("Coffee on Us", 1500, "“Coffee on Us” from 1,500 points: show"),
        ("A dinner with a name that would leave no room", 1500, "Every visit earns points towards a reward: show"),
        ("Nothing at all", 0, "Every visit earns points towards a reward: show"),
    ]:
        with subtests.test(name=name, points=points, promise=promise), undone():
            manager.post(f"/locations/{location.pk}/qr")
            Reward.objects.create(name="Dinner", points_required=9000)
            Reward.objects.create(name="Gone", points_required=10, available=False)
            Reward.objects.create(name=name, points_required=points)
            assert f"{promise} your card as you pay." in page_of(manager, location)


def test_below_the_code_a_location_is_named_without_the_name_of_the_venue(manager, location, subtests):
    for name, printed in [
        ("Fig & Fennel Market Stall", "Market Stall"),
        ("Fig & Fennel – Harbour", "Harbour"),
        ("Fig & Fennel", "Fig &amp; Fennel"),
        ("Fig & Fennels", "Fig &amp; Fennels"),
        ("Harbour", "Harbour"),
    ]:
        with subtests.test(name=name, printed=printed), undone():
            venue.remember(venue.Venue(name="Fig & Fennel"))
            manager.post(f"/locations/{location.pk}/qr")
            type(location).objects.update(name=name)
            page = page_of(manager, location)
            assert re.search(rf">{printed}</span>", page)
            assert manager.get(f"/locations/{location.pk}/print").json()["name"] == name


def test_what_can_not_be_printed_is_400_and_named(manager, location, subtests):
    for query in ["layout=sticker", "paper=a3"]:
        with subtests.test(query=query), undone():
            response = manager.get(f"/locations/{location.pk}/print?{query}")
            assert response.status_code == 400
            assert query.partition("=")[0] in response.json()["fields"]


def test_only_those_who_change_locations_print_their_codes(manager, cashier, location):
    assert cashier.get(f"/locations/{location.pk}/print").status_code == 403
    assert manager.get(f"/locations/{unknown_id()}/print").status_code == 404
