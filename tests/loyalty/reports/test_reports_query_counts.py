"""At most four each, whoever asks: a manager's browser takes two of them to be recognised, a program one."""

import pytest

from tests.conftest import PAGE
from tests.loyalty.conftest import enrol, make_reward
from tests.loyalty.reports.conftest import add_redemption, ago, make_member

pytestmark = pytest.mark.django_db

PATHS = ["/reports/members/{}", "/reports/loyalty", "/reports/loyalty/segments", "/reports/loyalty/re-engagement"]


@pytest.fixture(params=PATHS)
def path(request):
    _phone, member = enrol()  # who has a code, of which the scans are asked for
    for number in range(12):
        other = make_member(f"Guest {number}", active=ago(40), lifetime=500, orders=[5])
        add_redemption(other, make_reward(f"Reward {number}"))
    return request.param.format(member.pk)


def test_json_for_a_program(program, path, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        assert program.get(path).status_code == 200


@pytest.mark.parametrize("format_", ["json", "html", "csv"])
def test_anything_for_a_browser(manager, path, format_, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        assert manager.get(path, {"format": format_}, headers={"accept": PAGE}).status_code == 200
