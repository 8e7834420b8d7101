import pytest

from config.models import StaffToken
from tests.conftest import make_user


@pytest.fixture
def token(transactional_db) -> str:
    """A manager's token, for calls at the same moment."""
    return StaffToken.objects.create(user=make_user("Managers"))[1]
