"""`backup` and `restore`, on an installation of their own."""

import os
import stat
import subprocess

import pytest

from tests.servers import Installation

pytestmark = pytest.mark.slow

COUNT = "from restaurant.models import MenuItem as M; print(M.objects.count())"
ADD = "from restaurant.models import MenuItem as M; M.objects.create(name='Soup', price=5)"


@pytest.fixture
def shop(tmp_path, used):
    return Installation(tmp_path / "data").copy_data(used)


def run(shop: Installation, code: str) -> str:
    return shop.manage("shell", "-v0", "-c", code).strip()


def test_a_restore_brings_back_what_the_backup_had(shop, tmp_path):
    run(shop, ADD)
    shop.manage("backup", str(tmp_path / "a.dump"))
    run(shop, ADD)
    assert run(shop, COUNT) == "2"
    shop.manage("restore", "--yes", str(tmp_path / "a.dump"))
    assert run(shop, COUNT) == "1"
    run(shop, ADD)


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
    run(shop, ADD)
    broken = tmp_path / "broken.dump"
    broken.write_bytes(b"PGDMP but not really")
    for command in (("backup", str(broken)), ("restore", "--yes", str(broken))):
        with pytest.raises(subprocess.CalledProcessError):
            shop.manage(*command)
    assert run(shop, COUNT) == "1"
    assert broken.read_bytes() == b"PGDMP but not really"
