"""`GET /locations/{id}/print`: a location's check-in code on paper."""

import pytest

from tests.conftest import PAGE, unknown_id

pytestmark = pytest.mark.django_db


def page_of(client, location, query=""):
    return client.get(f"/locations/{location.pk}/print{query}", headers={"accept": PAGE}).content.decode()


def test_a_code_is_printed_as_a_poster_tents_or_cards(manager, location):
    assert "no check-in code yet" in page_of(manager, location)
    manager.post(f"/locations/{location.pk}/qr")
    data = manager.get(f"/locations/{location.pk}/print?layout=tent&paper=letter").json()
    assert (data["layout"], data["paper"], data["name"]) == ("tent", "letter", "Harbour")
    assert data["qrCodeUrl"].endswith("?size=1280")
    for query, faces in (("", 1), ("?layout=tent", 4), ("?layout=card&paper=letter", 4)):
        page = page_of(manager, location, query)
        assert page.count('<div class="face"') == faces
        assert "Scan to check\xa0in, or to join" in page
        assert "Every visit earns points towards a reward: show your card as you pay." in page


@pytest.mark.parametrize("query", ["layout=sticker", "paper=a3"])
def test_what_can_not_be_printed_is_400_and_named(manager, location, query):
    response = manager.get(f"/locations/{location.pk}/print?{query}")
    assert response.status_code == 400
    assert query.partition("=")[0] in response.json()["fields"]


def test_only_those_who_change_locations_print_their_codes(manager, cashier, location):
    assert cashier.get(f"/locations/{location.pk}/print").status_code == 403
    assert manager.get(f"/locations/{unknown_id()}/print").status_code == 404
