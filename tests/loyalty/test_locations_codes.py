"""POST /locations/{locationId}/qr (document 2, decision 4.3)."""

import pytest

from qrservice.models import Code
from tests.conftest import make_user, signed_in, unknown_id

pytestmark = pytest.mark.django_db


def make_code(client, location):
    return client.post(f"/locations/{location.pk}/qr")


def test_a_location_gets_its_code(manager, api, location, settings):
    answer = make_code(manager, location)
    assert answer.status_code == 200
    face, code = answer.json(), Code.objects.get()
    assert set(face) == {"locationId", "qrCodeUrl", "printUrl"}
    assert face["locationId"] == str(location.pk)
    assert face["printUrl"] == f"{face['qrCodeUrl']}?size=2048"
    for url in (face["qrCodeUrl"], face["printUrl"]):
        assert api.get(url.removeprefix(settings.APP_BASE_URL))["Content-Type"] == "image/png"
    assert code.redirect_url == f"{settings.APP_BASE_URL}/checkin/{location.pk}"
    assert code.metadata == {"location_id": str(location.pk), "location_name": "Harbour", "type": "earn_points"}
    location.refresh_from_db()
    assert location.earn_qr_analytics_id == code.analytics_id


def test_a_location_that_has_one_keeps_it(manager, location):
    first = make_code(manager, location)
    second = make_code(manager, location)
    assert (second.status_code, second.json()) == (200, first.json())
    assert Code.objects.count() == 1


def test_the_address_follows_the_installation(manager, location, settings):
    make_code(manager, location)
    settings.APP_BASE_URL = "https://regulars.example"
    assert make_code(manager, location).json()["qrCodeUrl"].startswith("https://regulars.example/")


@pytest.mark.parametrize("where", [unknown_id(), "nowhere", "%00", "0" * 32])
def test_an_unknown_location_is_404_and_makes_no_code(manager, where):
    answer = manager.post(f"/locations/{where}/qr")
    assert (answer.status_code, set(answer.json())) == (404, {"error"})
    assert not Code.objects.exists()


@pytest.mark.parametrize("group", ["Cashiers", "Floor"])
def test_it_is_for_managers(api, location, group):
    answer = make_code(api, location)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")
    assert make_code(signed_in(make_user(group)), location).status_code == 403
    assert not Code.objects.exists()
