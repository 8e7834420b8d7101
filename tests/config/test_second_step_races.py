"""A code of the second step that arrives twice at once signs in once."""

import pytest
from django.contrib.auth.models import User

from config.errors import CodeRefused
from config.services import second_step
from tests.at_once import before_commit
from tests.config.staff import sign_in
from tests.config.test_second_step import PASSWORD, add_app, app_of, code_of
from tests.conftest import make_user

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


def is_taken(user: User, code: str) -> bool:
    try:
        second_step.check_code(user, code)
    except CodeRefused:
        return False
    return True


def test_codes_of_an_app_and_recovery_codes_count_once():
    mia = make_user("Managers", "mia")
    recovery = add_app(sign_in("mia", PASSWORD))
    for code in (code_of(app_of(mia).key, steps=1), recovery[0]):
        assert not before_commit(
            lambda code=code: second_step.check_code(mia, code), lambda code=code: is_taken(mia, code)
        )
    assert is_taken(mia, recovery[1])
