"""Every page at every width, light and dark: those of the gallery, and every list, form and history of the admin."""

import json

import pytest

from tests.browser.walk import walk
from tests.screenshots import pages

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 768, 1024, 1280, 1920)
INSPECTED = (360, 768, 1280)  # by axe, which takes most of the time
# As far as an owner may.
ADMIN = """
import json
from web.admin import OneRowAdmin
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import RequestFactory
from loyalty.models import Member
request = RequestFactory().get("/admin/")
request.user = User.objects.get(username="owner")
found = []
for model, page in admin.site._registry.items():
    base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    row = model._default_manager.first()
    if not isinstance(page, OneRowAdmin):
        found.append(base)
    if page.has_add_permission(request) and model is not Member:
        found.append(f"{base}add/")
    if row is not None:
        found += [f"{base}{row.pk}/change/", f"{base}{row.pk}/history/"]
        if page.has_delete_permission(request, row):
            found.append(f"{base}{row.pk}/delete/")
print(json.dumps(found))
"""


@pytest.mark.parametrize("audience", pages.AUDIENCES)
def test_everybody_can_use_every_page_at_every_width_light_and_dark(gallery, monkeypatch, audience):
    if audience == "owner":
        found = json.loads(gallery.installation.shell(ADMIN))
        monkeypatch.setitem(pages.AUDIENCES, "owner", pages.ADMIN | {address: address for address in found})
    assert list(walk(gallery, audience, widths=WIDTHS, inspected=INSPECTED, dark=True)) == []
