"""City and country from a MaxMind-format file, for the client's real address."""

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

from qrservice import gateway
from qrservice.models import Code, Scan

pytestmark = pytest.mark.django_db

BOLOGNA = {"city": {"names": {"en": "Bologna"}}, "country": {"names": {"en": "Italy"}}}
PORTO = {"city": {"names": {"en": "Porto"}}, "country": {"names": {"en": "Portugal"}}}
SOMEWHERE = {"country": {"names": {"en": "Chile"}}}


def write(path, networks: dict[str, dict], kind: str = "GeoLite2-City") -> str:
    writer = MMDBWriter(ip_version=6, database_type=kind, languages=["en"], ipv4_compatible=True)
    for network, place in networks.items():
        writer.insert_network(IPSet([network]), place)
    writer.to_db_file(str(path))
    return str(path)


@pytest.fixture
def code(db) -> Code:
    gateway.create_code(redirect_url="https://example.com/")
    return Code.objects.get()


@pytest.fixture
def atlas(settings, tmp_path):
    places = {"198.51.100.0/24": BOLOGNA, "2001:db8:7::/48": PORTO, "203.0.113.0/24": SOMEWHERE}
    settings.GEOIP_PATH = write(tmp_path / "cities.mmdb", places)


def scan(client, code, **options) -> tuple[str, str]:
    assert client.get(f"/q/{code.slug}", **options).status_code == 302
    return Scan.objects.order_by("-id").values_list("city", "country")[0]


PLACES = {
    "198.51.100.9": ("Bologna", "Italy"),
    "2001:db8:7::1": ("Porto", "Portugal"),
    "203.0.113.5": ("", "Chile"),
    "::ffff:198.51.100.9": ("Bologna", "Italy"),  # as a server that listens on IPv6 writes it
    "192.0.2.1": ("", ""),
    "127.0.0.1": ("", ""),
    "": ("", ""),
    "not an address": ("", ""),
}


def test_the_place_is_that_of_the_address(client, code, atlas):
    assert {address: scan(client, code, REMOTE_ADDR=address) for address in PLACES} == PLACES


def test_another_file_counts_at_once(client, code, atlas, settings, tmp_path):
    assert scan(client, code, REMOTE_ADDR="198.51.100.9") == ("Bologna", "Italy")
    settings.GEOIP_PATH = write(tmp_path / "newer.mmdb", {"198.51.100.0/24": PORTO})
    assert scan(client, code, REMOTE_ADDR="198.51.100.9") == ("Porto", "Portugal")


def test_without_a_file_there_is_no_city(client, code, settings):
    settings.GEOIP_PATH = ""
    assert scan(client, code, REMOTE_ADDR="198.51.100.9") == ("", "")


def test_a_file_that_is_missing_broken_or_of_another_kind_costs_no_scan(client, code, settings, tmp_path):
    broken = tmp_path / "broken.mmdb"
    broken.write_bytes(b"no such thing")
    other = write(tmp_path / "other.mmdb", {"198.51.100.0/24": {"autonomous_system_number": 5}}, "GeoLite2-ASN")
    for path in (str(tmp_path / "missing.mmdb"), str(broken), str(tmp_path), other):
        settings.GEOIP_PATH = path
        assert scan(client, code, REMOTE_ADDR="198.51.100.9") == ("", "")


def test_a_forged_header_changes_nothing(client, code, atlas):
    header = {"x-forwarded-for": "198.51.100.9"}
    assert scan(client, code, REMOTE_ADDR="192.0.2.1", headers=header) == ("", "")


def test_a_trusted_proxy_is_believed_and_what_stands_before_its_word_is_not(client, code, atlas, trust):
    trust("10.0.0.0/8")
    for forwarded, place in (
        ("198.51.100.9", ("Bologna", "Italy")),
        ("2001:db8:7::1, 198.51.100.9", ("Bologna", "Italy")),  # the client wrote the first one itself
        ("198.51.100.9, 10.1.1.1", ("Bologna", "Italy")),  # two proxies of ours
        ("198.51.100.9, 192.0.2.1", ("", "")),
        ("198.51.100.9, rubbish", ("", "")),
        ("", ("", "")),
    ):
        assert scan(client, code, REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": forwarded}) == place
    assert scan(client, code, REMOTE_ADDR="192.0.2.1", headers={"x-forwarded-for": "198.51.100.9"}) == ("", "")


@pytest.fixture
def trust(settings):
    import ipaddress

    def these(*networks: str) -> None:
        settings.TRUSTED_PROXY_NETWORKS = [ipaddress.ip_network(network) for network in networks]

    return these
