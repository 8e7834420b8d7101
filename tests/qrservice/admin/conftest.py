import pytest

from qrservice.models import Code
from tests.qrservice.admin.pages import make_code


@pytest.fixture
def code(db) -> Code:
    """A table's code."""
    return make_code(type="restaurant_table", table_number=7, section="Fenêtre")
