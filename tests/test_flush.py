"""The tests' own `flush` leaves what Django's leaves."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from restaurant.models import Table
from tests.conftest import make_table, make_user


def flush() -> None:
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


@pytest.mark.django_db(transaction=True)
def test_all_rows_go_and_groups_that_a_test_has_changed_are_made_again():
    flush()
    permissions = set(Permission.objects.values_list("pk", flat=True))
    make_table()
    make_user("Floor")
    flush()
    assert not Table.objects.exists()
    assert set(Permission.objects.values_list("pk", flat=True)) == permissions  # they are the same rows still
    Group.objects.get(name="Floor").permissions.clear()
    Group.objects.create(name="Another")
    flush()
    assert Group.objects.get(name="Floor").permissions.exists()
    assert not Group.objects.filter(name="Another").exists()
