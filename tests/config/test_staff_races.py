"""The same user name twice at once, and two managers who deactivate each other."""

import pytest
from django.contrib.auth.models import User

from tests.at_once import at_once
from tests.config.staff import add, change
from tests.conftest import make_user, signed_in

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("names", [("ada", "ada"), ("ada", "ADA")])
def test_a_user_name_is_given_once(names):
    client = signed_in(make_user("Managers"))
    cookies = client.cookies["staff_session"].value

    def adds(username: str):
        def call() -> int:
            program = type(client)()
            program.cookies["staff_session"] = cookies
            return add(program, username=username).status_code

        return call

    for number in range(4):
        statuses = at_once([adds(f"{name}{number}") for name in names * 2])
        assert sorted(statuses) == [201, 409, 409, 409]
        assert User.objects.filter(username__iexact=f"ada{number}").count() == 1


def test_of_two_managers_who_deactivate_each_other_one_stays():
    for number in range(4):
        anna, bea = (make_user("Managers", f"{name}{number}") for name in ("anna", "bea"))
        clients = [(signed_in(anna), bea.username), (signed_in(bea), anna.username)]
        statuses = at_once([lambda c=c, u=u: change(c, u, active=False).status_code for c, u in clients])
        assert sorted(statuses) in ([200, 401], [200, 403])
        assert User.objects.filter(username__in=(anna.username, bea.username), is_active=True).count() == 1
