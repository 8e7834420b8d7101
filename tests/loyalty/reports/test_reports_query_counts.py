"""A report takes a fixed number of queries, whatever there is to count. Those of authentication are not counted."""

import pytest

from tests.conftest import PAGE, own_queries
from tests.loyalty.conftest import enrol, make_reward
from tests.loyalty.reports.conftest import add_redemption, ago, make_member

pytestmark = pytest.mark.django_db

# Of JSON, and of page and CSV, which show more. A page with a period also asks whether there was anything a year ago.
QUERIES = {
    "/reports/members/{}": (
        3,
        8,
    ),  # those of the page also ask what they order most, the next reward, and of letters
    "/reports/loyalty": (5, 15),  # those of the page also ask what members and all guests spent
    "/reports/loyalty/segments": (1, 3),  # those of the page also ask how it was 30 days ago
    "/reports/loyalty/re-engagement": (1, 5),
}


@pytest.fixture(params=QUERIES.items(), ids=QUERIES)
def report(request):
    _phone, member = enrol()  # who has a code, of which the scans are read
    for number in range(12):
        other = make_member(f"Guest {number}", active=ago(40), lifetime=500, orders=[5])
        add_redemption(other, make_reward(f"Reward {number}"))
    path, queries = request.param
    return path.format(member.pk), *queries


def test_json_for_a_program(program, report):
    path, of_json, _of_page = report
    with own_queries() as queries:
        assert program.get(path).status_code == 200
    assert len(queries) == of_json


@pytest.mark.parametrize("format_", ["json", "html", "csv"])
def test_anything_for_a_browser(manager, report, format_):
    path, of_json, of_page = report
    with own_queries() as queries:
        assert manager.get(path, {"format": format_}, headers={"accept": PAGE}).status_code == 200
    of_html = of_page + path.endswith("/loyalty") + 2  # what needs attention and mail, for its header
    expected = {"json": of_json, "csv": of_page, "html": of_html}
    assert len(queries) == expected[format_]
