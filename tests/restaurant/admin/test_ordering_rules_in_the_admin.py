"""The ordering rules are one row, which managers change."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from restaurant.models import OrderingRules
from tests.reading import read
from tests.restaurant.admin.pages import form_of, page_of, text_of

pytestmark = pytest.mark.django_db

RULES = reverse("admin:restaurant_orderingrules_changelist")
ADD = reverse("admin:restaurant_orderingrules_add")


def save(client, address: str, **changed):
    return client.post(
        address, {"gate": "open", "approval_above": "", "default_vat_rate": "", "escalate_after": "45", **changed}
    )


def test_the_list_leads_to_the_one_row(managers_browser):
    assert managers_browser.get(RULES)["Location"] == ADD
    rules = OrderingRules.objects.create()
    assert managers_browser.get(RULES)["Location"] == page_of(rules)


def test_a_manager_decides(managers_browser):
    assert save(managers_browser, ADD, gate="approved").status_code == 302
    assert OrderingRules.current().gate == "approved"
    response = save(managers_browser, page_of(OrderingRules.current()), approval_above="80", default_vat_rate="13.5")
    assert response.status_code == 302
    saved = re.findall("Saved: [^<]*", text_of(managers_browser.get(response["Location"], follow=True)))
    assert saved[-1] == "Saved: Who may order, Approve orders above and VAT in percent."
    rules = OrderingRules.objects.get()
    assert (rules.gate, rules.approval_above, rules.default_vat_rate) == ("open", 80, Decimal("13.5"))


def test_there_is_no_second_row_and_the_one_stays(owners_browser):
    rules = OrderingRules.objects.create()
    assert owners_browser.get(ADD).status_code == 403
    assert save(owners_browser, ADD).status_code == 403
    delete = page_of(rules).replace("change", "delete")
    assert owners_browser.post(delete, {"post": "yes"}).status_code == 403
    assert "Delete" not in read(owners_browser.get(page_of(rules))).names("link")
    assert OrderingRules.objects.count() == 1


def test_nonsense_is_refused(managers_browser):
    for field, value in (("default_vat_rate", "101"), ("approval_above", "-1"), ("gate", "shut")):
        assert save(managers_browser, ADD, **{field: value}).status_code == 200, field
    assert not OrderingRules.objects.exists()


def test_a_hosted_code_service_proves_no_scans(managers_browser, settings):
    assert save(managers_browser, ADD, gate="scanned").status_code == 302
    settings.QR_SERVICE_URL, settings.QR_SERVICE_API_KEY = "https://codes.example.com", "a key"
    response = save(managers_browser, page_of(OrderingRules.current()), gate="scanned")
    assert "A hosted QR code service can&#x27;t prove that a phone has scanned" in text_of(response)


def test_a_dish_has_a_rate_of_its_own(managers_browser, soup):
    form = form_of(managers_browser, page_of(soup))
    assert managers_browser.post(page_of(soup), form | {"vat_rate": "23"}).status_code == 302
    soup.refresh_from_db()
    assert soup.vat_rate == 23
