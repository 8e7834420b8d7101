"""The scans in a member's report, also while the QR code service fails."""

import pytest

from qrservice.models import Code, Scan
from tests.conftest import undone
from tests.loyalty.making import change, enrol
from tests.loyalty.reports.making import NOW, make_member
from tests.qrservice.fake_service import RECORD, hangs_up, says

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wednesday")]


def path(member) -> str:
    return f"/reports/members/{member.pk}"


@pytest.fixture
def enrolled():
    return enrol()[1]


def scan(member, city: str) -> None:
    code = Code.objects.get(analytics_id=member.qr_analytics_id)
    Scan.objects.create(code=code, scanned_at=NOW, city=city, country="", device_type="iOS")


def test_scans_are_counted_and_cities_named_once_and_by_name(loyalty_json, enrolled):
    for city in ("Vienna", "", "Graz", "Vienna", ""):
        scan(enrolled, city)
    body = loyalty_json(path(enrolled))
    assert (body["engagement"]["totalScans"], body["scanLocations"]) == (5, ["Graz", "Vienna"])
    assert "warnings" not in body


def test_the_page_names_cities_beside_the_number_of_scans(loyalty_page, enrolled, subtests):
    for cities, note in [
        ([], ""), (["Vienna", "Graz"], "Scanned in Graz, Vienna"),
        (["Bonn", "Cork", "Graz", "Linz", "Ulm"], "Scanned in Bonn, Cork, Graz, 2 more"),
    ]:  # fmt: skip
        with subtests.test(cities=cities, note=note), undone():
            for city in cities:
                scan(enrolled, city)
            response = loyalty_page(path(enrolled))
            scans = response.context["card_tiles"][-1]
            assert (scans.label, scans.value, scans.note) == ("Card scans", len(cities), note)
            assert note in response.text
            assert [row[0] for row in response.context["cities"].rows] == sorted(cities)


def test_scans_of_others_do_not_count(loyalty_json, enrolled):
    scan(enrol("bob@example.com", "Bob")[1], "Linz")
    body = loyalty_json(path(enrolled))
    assert (body["engagement"]["totalScans"], body["scanLocations"]) == (0, [])


def test_a_member_without_a_code_has_none_even_while_the_service_is_away(loyalty_json, code_service):
    code_service()
    body = loyalty_json(path(make_member()))
    assert (body["engagement"]["totalScans"], body["scanLocations"]) == (0, [])
    assert "warnings" not in body


def test_a_hosted_service_is_called(loyalty_json, enrolled, code_service):
    code_service(says(RECORD))
    body = loyalty_json(path(enrolled))
    assert (body["engagement"]["totalScans"], body["scanLocations"]) == (1, ["Bologna"])


FAILURES = {
    "nobody": (None, "can't be reached"),
    "401": (says({"error": "no"}, 401), "does not accept this installation's key"),
    "404": (says({"error": "no"}, 404), "does not know this member's code"),
    "400": (says({"error": "no"}, 400), "can't use"),
    "no JSON": (says("{", 200), "can't use"),
    "hangs up": (hangs_up, "can't be reached"),
}


def test_without_the_service_scans_are_null_and_a_warning_says_why(loyalty_json, enrolled, code_service, subtests):
    change(enrolled, points_balance=70)
    for name, (act, reason) in FAILURES.items():
        with subtests.test(name):
            code_service(*([act] if act else []))
            body = loyalty_json(path(enrolled))
            assert set(body) == {"customer", "engagement", "recentActivity", "scanLocations", "warnings"}
            assert (body["engagement"]["totalScans"], body["scanLocations"]) == (None, None)
            assert len(body["warnings"]) == 1
            assert reason in body["warnings"][0]
            assert (body["customer"]["pointsBalance"], body["engagement"]["totalVisits"]) == (70, 1)


def test_the_page_says_so_too(loyalty_page, enrolled, code_service):
    code_service()
    response = loyalty_page(path(enrolled))
    assert response.text.count("can&#x27;t be reached") == 1  # on top
    scans = response.context["card_tiles"][-1]
    assert (scans.label, scans.value, scans.note) == ("Card scans", None, "")
    assert response.context["cities"].rows == []


def test_the_sheet_has_no_number_for_what_is_not_known(loyalty_csv, enrolled, code_service):
    code_service()
    assert ["Card scans", "", "", ""] in loyalty_csv(path(enrolled))
