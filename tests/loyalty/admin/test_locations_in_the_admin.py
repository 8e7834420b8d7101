from loyalty.models import Location
from qrservice.models import Code
from tests.loyalty.admin.pages import found, list_of, page_of, text_of, words_of
from tests.loyalty.making import make_location
from tests.qrservice.fake_service import CODE, says
from tests.reading import read

ADD = "/admin/loyalty/location/add/"
FORM = {"name": "Harbour", "address": "1 Quay"}


def test_a_new_location_gets_its_code_once_it_is_saved(managers_browser, settings):
    assert "has no code" not in words_of(managers_browser.post(ADD, FORM, follow=True))
    location, code = Location.objects.get(), Code.objects.get()
    assert location.earn_qr_analytics_id == code.analytics_id
    assert code.target == f"{settings.APP_BASE_URL}/checkin/{location.pk}"
    assert code.metadata["location_name"] == "Harbour"


def test_the_page_has_picture_print_image_and_where_the_code_leads(managers_browser, settings):
    managers_browser.post(ADD, FORM)
    location, code = Location.objects.get(), Code.objects.get()
    page = read(managers_browser.get(page_of(location)))
    image = f"{settings.APP_BASE_URL}/qr/{code.slug}"
    assert f"{image}?size=512" in [picture["src"] for picture in page.all("image")]
    assert f"{image}?size=2048" in page.addresses()
    assert managers_browser.get(f"{image}?size=2048")["Content-Type"] == "image/png"
    assert f"{settings.APP_BASE_URL}/checkin/{location.pk}" in page


def test_without_the_code_service_it_is_saved_with_a_warning_and_gets_its_code_later(managers_browser, code_service):
    code_service()
    assert "without a check-in code" in words_of(managers_browser.post(ADD, FORM, follow=True))
    location = Location.objects.get()
    assert location.earn_qr_analytics_id == ""
    assert "no check-in code yet" in words_of(managers_browser.get(page_of(location)))

    code_service(says(CODE, 201))
    assert "without a check-in code" not in text_of(managers_browser.post(page_of(location), FORM, follow=True))
    location.refresh_from_db()
    assert (location.earn_qr_analytics_id, location.short_url) == (CODE["analytics_id"], CODE["short_url"])


def test_saving_a_location_again_does_not_change_its_code(managers_browser, code_service):
    managers_browser.post(ADD, FORM)
    before = Location.objects.get().earn_qr_analytics_id
    code_service()
    page = text_of(managers_browser.post(page_of(Location.objects.get()), FORM | {"name": "Pier"}, follow=True))
    assert "without a check-in code" not in page
    assert (Location.objects.get().name, Location.objects.get().earn_qr_analytics_id) == ("Pier", before)


def test_a_location_that_is_refused_gets_no_code(managers_browser):
    assert "This field is required." in words_of(managers_browser.post(ADD, {"name": ""}))
    assert (Location.objects.count(), Code.objects.count()) == (0, 0)


def test_locations_are_found_by_name_and_address(managers_browser, location):
    other = make_location("Hill")
    assert found(managers_browser, "location", q="hill") == [other]
    assert len(found(managers_browser, "location", q="quay")) == 2


def test_a_location_with_a_history_can_not_be_deleted(owners_browser, member, location):
    member.transactions.update(location=location)
    assert owners_browser.post(page_of(location).replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert Location.objects.count() == 1


def test_cashiers_make_no_locations(cashiers_browser, location):
    assert cashiers_browser.post(ADD, FORM).status_code == 403
    assert cashiers_browser.get(list_of("location")).status_code == 403
    assert Location.objects.count() == 1
