"""Search engines may list the front page, and nothing else."""

from urllib.robotparser import RobotFileParser

import pytest

from tests.config.collecting import open_venue, phone_with_card
from tests.conftest import PAGE

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    """Her phone, and her card, at a venue that earns."""
    open_venue()
    return phone_with_card()


def test_the_front_page_may_be_read_and_tables_members_and_staff_pages_may_not(client):
    robots = RobotFileParser()
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    robots.parse(response.text.splitlines())
    readable = ["/", "/signup", "/static/css/base.css", "/venue/pictures/0.webp", "/accent/000000.css"]
    closed = ["/table/14", "/member/1", "/orders/1", "/checkin/1", "/rewards", "/use/RWD-1", "/q/A", "/Q/A", "/qr/A"]
    closed += ["/admin/", "/v1/x", "/api/docs", "/sign-in", "/reports", "/till", "/floor", "/kitchen"]
    assert [path for path in [*readable, *closed] if robots.can_fetch("Googlebot", path)] == readable


def test_only_the_front_page_may_be_listed(client, table, ada):
    paths = ["/", "/signup", "/table/7", f"/member/{ada[1].pk}", "/sign-in", "/admin/", "/nowhere"]
    tags = {path: client.get(path, headers={"Accept": PAGE}).headers.get("X-Robots-Tag") for path in paths}
    assert [path for path, tag in tags.items() if tag != "noindex"] == ["/"]
    assert client.get("/table/7")["X-Robots-Tag"] == "noindex"


def test_the_preview_of_a_card_names_nobody(client, ada):
    card = f"/member/{ada[1].pk}"
    for path in (card, f"{card}?show=card"):
        head = client.get(path, headers={"Accept": PAGE}).text.partition("</head>")[0]
        assert "Ada" not in head
        assert "Loyalty card" in head
