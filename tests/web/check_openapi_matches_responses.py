"""Every endpoint is sent the boundary values of its description, and more examples. Run by `make sweep`."""

import pytest

from tests.web.test_openapi_matches_responses import send_all


@pytest.mark.django_db
def test_every_endpoint_responds_to_everybody_as_it_is_described(settings):
    assert send_all(settings, examples=10, boundaries=True) > 4000
