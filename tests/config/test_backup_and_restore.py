"""`backup` and `restore`, on an installation of their own."""

import os
import stat
import subprocess

import pytest

from tests.servers import Installation

pytestmark = pytest.mark.slow

COUNT = "from restaurant.models import MenuItem as M; print(M.objects.count())"
ADD = "from restaurant.models import MenuItem as M; M.objects.create(name='Soup', price=5)"


@pytest.fixture(scope="module")
def shop(tmp_path_factory, used):
    made = Installation(tmp_path_factory.mktemp("shop") / "data").copy_data(used)
    yield made
    made.close_shell()


@pytest.fixture(autouse=True)
def _nothing_runs(shop):
    yield
    shop.close_shell()


def test_a_restore_brings_back_what_the_backup_had(shop, tmp_path):
    shop.shell(ADD)
    before = int(shop.shell(COUNT))
    shop.manage("backup", str(tmp_path / "a.dump"))  # while the database is in use
    shop.shell(ADD)
    assert int(shop.shell(COUNT)) == before + 1
    shop.close_shell()
    shop.manage("restore", "--yes", str(tmp_path / "a.dump"))
    assert int(shop.shell(COUNT)) == before
    shop.shell(ADD)


def test_a_backup_is_readable_for_its_owner_alone_from_the_first_byte(shop, tmp_path):
    unfinished = tmp_path / "a.dump.part"
    unfinished.write_text("left behind by one that was killed")
    unfinished.chmod(0o644)
    before = os.umask(0)
    try:
        shop.manage("backup", str(tmp_path / "a.dump"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.dump").stat().st_mode) == 0o600
    assert not unfinished.exists()


def test_a_backup_overwrites_nothing_and_a_broken_one_changes_nothing(shop, tmp_path):
    shop.shell(ADD)
    before = shop.shell(COUNT)
    broken = tmp_path / "broken.dump"
    broken.write_bytes(b"PGDMP but not really")
    for command in (("backup", str(broken)), ("restore", "--yes", str(broken))):
        with pytest.raises(subprocess.CalledProcessError):
            shop.manage(*command)
    assert shop.shell(COUNT) == before
    assert broken.read_bytes() == b"PGDMP but not really"
