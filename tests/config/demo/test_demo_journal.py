"""The demonstration's sixty days are in the journal as if they had been served."""

import pytest
from django.core.management import call_command

from web.services import sealing

pytestmark = pytest.mark.slow


def test_sixty_days_verify(demo, capsys):
    assert sealing.seal() > 5000
    call_command("verify_journal")
    assert "The books are what the journal says" in capsys.readouterr().out
