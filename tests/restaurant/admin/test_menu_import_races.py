"""A double-clicked "Confirm import" adds new items once."""

import pytest

from restaurant.models import MenuItem
from tests.at_once import at_once
from tests.conftest import browser_of, make_item, make_user
from tests.restaurant.admin.pages import CONFIRM, preview

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_confirming_one_preview_several_times_at_once_adds_its_items_once(transactional_db):
    make_item()
    user = make_user("Managers")
    user.is_superuser = True  # the groups of migrations are empty here
    browser = browser_of(user)
    lines = "".join(f"Dish {n},{n},Mains\n" for n in range(50))
    shown = preview(browser, "name,price,category\nRibollita,9.60,Soups\n" + lines)

    def send() -> int:
        other = type(browser)()
        other.cookies = browser.cookies
        return other.post(CONFIRM, {"file": shown["confirm"]}).status_code

    assert sorted(at_once([send] * 6)) == [200] * 5 + [302]
    assert MenuItem.objects.count() == 51
