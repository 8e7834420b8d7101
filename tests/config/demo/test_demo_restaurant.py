"""The demonstration restaurant has everything that it needs, codes and staff included."""

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone

from config.demo import VENUE_NAME, branding, loading, menu
from config.groups import GROUPS
from config.models import Venue, VenuePicture
from loyalty.models import Location, Member, Redemption, Reward
from qrservice.models import Code
from restaurant.menu import queries as menu_queries
from restaurant.menu.services.menu_files import csv_file, importing
from restaurant.models import MenuItem, Table

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8000"
CATEGORIES = [
    "Aperitivi",
    "Bites & Small Plates",
    "Charcoal Grill",
    "Fresh Pasta",
    "Garden Sides",
    "Sweets",
    "Tea & Coffee",
    "Wine, Beer & Softs",
]


def test_it_has_tables_in_three_sections(demo):
    tables = list(Table.objects.all())
    assert [table.table_number for table in tables] == list(range(1, 15))
    assert {table.section for table in tables} == {"Window", "Main room", "Terrace"}
    assert all(table.capacity for table in tables)


def test_its_menu_reads_in_the_order_of_a_meal(demo):
    assert [section.name for section in menu_queries.menu_state().catalogue.sections] == CATEGORIES
    assert 40 <= MenuItem.objects.count() <= 50
    assert 1 <= MenuItem.objects.filter(available=False).count() <= 2
    assert not MenuItem.objects.filter(Q(description="") | Q(price__lte=0)).exists()


def test_it_has_rewards_of_every_type(demo):
    rewards = list(Reward.objects.all())
    assert len(rewards) == 6
    assert {reward.reward_type for reward in rewards} == set(Reward.Type.values)
    for reward in rewards:
        key = "discount_percent" if reward.reward_type == Reward.Type.DISCOUNT else "item"
        assert list(reward.reward_value) == [key]


def test_every_code_leads_to_what_it_belongs_to(demo):
    expected = {}
    for table in Table.objects.all():
        metadata = {"table_number": table.table_number, "section": table.section, "type": "restaurant_table"}
        expected[table.qr_analytics_id] = (f"{BASE}/table/{table.table_number}", metadata)
    for location in Location.objects.all():
        metadata = {"location_id": str(location.pk), "location_name": location.name, "type": "earn_points"}
        expected[location.earn_qr_analytics_id] = (f"{BASE}/checkin/{location.pk}", metadata)
    for member in Member.objects.all():
        metadata = {"customer_id": str(member.pk), "type": "loyalty_member"}
        expected[member.qr_analytics_id] = (f"{BASE}/member/{member.pk}", metadata)
    for redemption in Redemption.objects.all():
        metadata = {
            "redemption_id": str(redemption.pk),
            "customer_id": str(redemption.customer_id),
            "reward_id": str(redemption.reward_id),
            "type": "reward_redemption",
        }
        expected[redemption.qr_analytics_id] = (f"{BASE}/use/{redemption.redemption_code}", metadata)
    assert {code.analytics_id: (code.redirect_url, code.metadata) for code in Code.objects.all()} == expected


def test_whatever_has_a_code_knows_its_addresses(demo):
    slugs = dict(Code.objects.values_list("analytics_id", "slug"))
    for kind in (Table, Location, Member, Redemption):
        for owner in kind.objects.all():
            slug = slugs[owner.earn_qr_analytics_id if kind is Location else owner.qr_analytics_id]
            assert (owner.short_url, owner.qr_code_url) == (f"{BASE}/q/{slug}", f"{BASE}/qr/{slug}"), owner


def test_nothing_lies_in_the_future(demo):
    now = timezone.now()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.DateTimeField) and field.name not in {"expires_at", "expiry", "expire_date"}:
                assert not model._default_manager.filter(**{f"{field.name}__gt": now}).exists(), f"{model} {field}"


def test_staff_can_do_what_their_group_says(demo):
    by_name = {account.user.username: account for account in demo}
    assert list(by_name) == ["cashier", "floor", "manager", "owner"]
    for name, group in (("cashier", "Cashiers"), ("floor", "Floor"), ("manager", "Managers")):
        user = User.objects.get(username=name)
        assert user.get_all_permissions() == set(GROUPS[group])
        assert user.check_password(by_name[name].password)
        assert f"{user.get_full_name()} ({group})" in str(by_name[name])
    assert User.objects.get(username="owner").is_superuser


def test_the_admin_opens_for_the_manager_and_the_owner_alone(demo, client):
    for name, status in (("cashier", 302), ("floor", 302), ("manager", 200), ("owner", 200)):
        client.force_login(User.objects.get(username=name), backend=settings.AUTHENTICATION_BACKENDS[-1])
        assert client.get("/admin/").status_code == status, name


def test_passwords_have_sixty_random_bits_and_are_not_in_a_log(demo):
    for account in demo:
        letters = account.password.replace("-", "")
        assert len(letters) == 12
        assert set(letters) <= set("abcdefghijkmnpqrstuvwxyz23456789")
        assert account.password not in repr(account)
        assert account.password in str(account)


def test_who_was_here_before_keeps_name_and_password_and_each_load_has_its_own(demonstration, short_demo):
    User.objects.create_superuser("owner", password="was here before")
    accounts = loading.load()
    assert [account.user.username for account in accounts] == ["cashier", "floor", "manager", "owner2"]
    assert User.objects.get(username="owner").check_password("was here before")
    assert len({account.password for account in (*demonstration.staff, *accounts)}) == 8


def test_the_venue_has_its_looks_and_an_owner_s_own_stay(demo):
    venue = Venue.objects.get()
    assert (venue.name, bool(venue.address), bool(venue.vat_number)) == (VENUE_NAME, True, True)
    digests = {venue.logo["digest"], *(version["digest"] for version in venue.cover)}
    assert digests < set(VenuePicture.objects.values_list("digest", flat=True))
    assert sum(len(picture.data) for picture in VenuePicture.objects.exclude(width=1600)) < 90_000
    Venue.objects.update(name="Chez Nous")
    branding.store(Location.objects.get(name__endswith="Orchard Row"))
    assert Venue.objects.get().name == "Chez Nous"


def test_its_menu_s_file_can_be_imported_and_would_change_nothing(demo):
    file = csv_file.read(menu.FILE.read_bytes())
    plan = importing.plan(file.rows, allowed=importing.Allowed())
    assert file.unknown == ["popularity", "goes_with"]
    assert (plan.refusals, plan.may_be_confirmed, plan.unchanged) == ([], False, MenuItem.objects.count())
