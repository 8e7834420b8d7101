"""POST /locations/{locationId}/qr."""

import pytest

from qrservice.models import Code
from tests.conftest import make_user, signed_in, undone

pytestmark = pytest.mark.django_db


def make_code(client, location):
    return client.post(f"/locations/{location.pk}/qr")


def test_a_location_gets_its_code(manager, api, location, settings):
    response = make_code(manager, location)
    assert response.status_code == 200
    data, code = response.json(), Code.objects.get()
    assert set(data) == {"locationId", "qrCodeUrl", "printUrl"}
    assert data["locationId"] == str(location.pk)
    assert data["printUrl"] == f"{data['qrCodeUrl']}?size=2048"
    for url in (data["qrCodeUrl"], data["printUrl"]):
        assert api.get(url.removeprefix(settings.APP_BASE_URL))["Content-Type"] == "image/png"
    assert code.redirect_url == f"{settings.APP_BASE_URL}/checkin/{location.pk}"
    assert code.metadata == {"location_id": str(location.pk), "location_name": "Harbour", "type": "earn_points"}
    location.refresh_from_db()
    assert location.earn_qr_analytics_id == code.analytics_id


def test_a_location_with_a_code_does_not_get_another(manager, location):
    first = make_code(manager, location)
    second = make_code(manager, location)
    assert (second.status_code, second.json()) == (200, first.json())
    assert Code.objects.count() == 1


def test_the_address_follows_the_installation(manager, location, settings):
    make_code(manager, location)
    settings.APP_BASE_URL = "https://regulars.example"
    assert make_code(manager, location).json()["qrCodeUrl"].startswith("https://regulars.example/")


def test_it_is_for_managers(api, location, subtests):
    for group in ["Cashiers", "Floor"]:
        with subtests.test(group=group), undone():
            response = make_code(api, location)
            assert (response.status_code, response["WWW-Authenticate"]) == (401, "Token")
            assert make_code(signed_in(make_user(group)), location).status_code == 403
            assert not Code.objects.exists()
