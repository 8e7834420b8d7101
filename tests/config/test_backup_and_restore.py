"""`backup` and `restore`, on a database of their own."""

import os
import stat

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from restaurant.models import MenuItem
from tests.conftest import make_item
from tests.database import another_database, connected_to


@pytest.fixture(autouse=True)
def _own_database(django_db_setup, django_db_blocker, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    with another_database("restored") as name, django_db_blocker.unblock(), connected_to(name):
        yield


def restore(*options: str) -> None:
    connection.close()
    call_command("restore", "--yes", *options, verbosity=0)


def test_a_restore_brings_back_what_the_backup_had(tmp_path):
    make_item("Soup")
    call_command("backup", str(tmp_path / "a.dump"))
    assert (tmp_path / "last_backup").exists()  # for `doctor`
    make_item("Bread")
    restore(str(tmp_path / "a.dump"))
    assert [item.name for item in MenuItem.objects.all()] == ["Soup"]
    make_item("Bread")


def test_a_backup_is_readable_for_its_owner_alone_from_the_first_byte(tmp_path):
    unfinished = tmp_path / "a.dump.part"
    unfinished.write_text("left behind by one that was killed")
    unfinished.chmod(0o644)
    before = os.umask(0)
    try:
        call_command("backup", str(tmp_path / "a.dump"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.dump").stat().st_mode) == 0o600
    assert not unfinished.exists()


def test_a_backup_overwrites_nothing_and_a_broken_one_changes_nothing(tmp_path):
    make_item("Soup")
    broken = tmp_path / "broken.dump"
    broken.write_bytes(b"PGDMP but not really")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(broken))
    with pytest.raises(CommandError, match="nothing was changed"):
        restore(str(broken))
    assert [item.name for item in MenuItem.objects.all()] == ["Soup"]
    assert broken.read_bytes() == b"PGDMP but not really"
